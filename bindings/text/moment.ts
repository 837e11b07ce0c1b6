/**
 * Validates a time from a caller. An invalid Date compares as false with everything, so nothing would ever expire.
 *
 * @throws {TypeError} that names the argument.
 */
export function checkedTime(name: string, time: Date): Date {
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time
  throw new TypeError(`${name}: expected a valid Date`)
}

/** The current time for judging expiry; default: the platform's clock. */
export const checkedNow = (now: Date = new Date()): Date => checkedTime('now', now)

/** True for a text that a header can carry as a bearer token: up to 4,096 visible ASCII characters. */
export function isBearerToken(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text)
}

const MONTH = 30 * 86_400_000

/** True when a time is more than 30 days ahead. */
export const isMonthAhead = (time: number, now: Date): boolean => time > now.getTime() + MONTH
