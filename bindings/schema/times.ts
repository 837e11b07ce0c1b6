import { isDateTime } from './formats.ts'

/**
 * The milliseconds since 1970 of a timestamp; undefined when it is malformed, which the schema reports. A leap second
 * counts as the second before.
 */
export function timeOf(text: string): number | undefined {
  if (!isDateTime(text)) return undefined
  const upper = text.toUpperCase()
  return Date.parse(upper.includes(':60') ? upper.replace(/:60(?=[.Z+-])/, ':59') : upper)
}
