import { isDateTime } from '../schema/formats.ts'

const MONTH = 30 * 86_400_000

/** Milliseconds since 1970 of a timestamp; undefined when it is none, which the schema tells. A leap second counts as the one before. */
export function timeOf(text: string): number | undefined {
  if (!isDateTime(text)) return undefined
  const upper = text.toUpperCase()
  return Date.parse(upper.includes(':60') ? upper.replace(/:60(?=[.Z+-])/, ':59') : upper)
}

/** Whether a time is more than 30 days ahead. */
export function isMonthAhead(time: number, now: Date): boolean {
  return time > now.getTime() + MONTH
}
