/** Refuses invalid limits; also NaN, which would never be exceeded. */
export function checkLimit(name: string, value: number | undefined): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return
  throw new RangeError(`${name}: expected a number from 0 on, got ${String(value)}`)
}
