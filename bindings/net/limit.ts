/** Refuses NaN as well, since nothing compares as greater than it. */
export function checkLimit(name: string, value: number | undefined): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return
  throw new RangeError(`${name}: expected a number from 0 on, got ${String(value)}`)
}
