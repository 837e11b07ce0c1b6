/**
 * A time that a caller gives. A Date that is none is neither before nor after anything: with it nothing would ever be over.
 *
 * @throws {TypeError} that names the argument.
 */
export function checkedTime(name: string, time: Date): Date {
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time
  throw new TypeError(`${name}: expected a valid Date`)
}

/** The time that something is judged by: the platform's when absent. */
export const checkedNow = (now: Date = new Date()): Date => checkedTime('now', now)
