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
