const MONTH = 30 * 86_400_000

/** True when a time is more than 30 days ahead. */
export function isMonthAhead(time: number, now: Date): boolean {
  return time > now.getTime() + MONTH
}
