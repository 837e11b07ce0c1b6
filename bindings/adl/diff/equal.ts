import { isObject } from '../../text/members.ts'

/**
 * True when two JSON values of any depth are equal: numbers by value, objects regardless of the order of their members.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [x, y] = pair
    if (x === y) continue
    if (Array.isArray(x) && Array.isArray(y)) {
      if (x.length !== y.length) return false
      for (const [i, element] of x.entries()) pairs.push([element, y[i]])
    } else if (isObject(x) && isObject(y)) {
      const names = Object.keys(x)
      if (names.length !== Object.keys(y).length) return false
      for (const name of names) {
        if (!Object.hasOwn(y, name)) return false
        pairs.push([x[name], y[name]])
      }
    } else return false
  }
  return true
}
