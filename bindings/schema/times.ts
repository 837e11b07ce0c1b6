import { isDateTime } from './formats.ts'

/** Milliseconds since 1970 of a timestamp; undefined when it is none, which the schema tells. A leap second counts as the one before. */
export function timeOf(text: string): number | undefined {
  if (!isDateTime(text)) return undefined
  const upper = text.toUpperCase()
  return Date.parse(upper.includes(':60') ? upper.replace(/:60(?=[.Z+-])/, ':59') : upper)
}
