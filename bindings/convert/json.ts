// Builds JSON objects.
import { isObject } from '../text/members.ts'

export type MutableObject = Record<string, unknown>

/** Sets an own member, even one named `__proto__`. */
export function put(object: MutableObject, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The member object of that name; created if missing. */
export function child(object: MutableObject, name: string): MutableObject {
  const there = object[name]
  if (isObject(there)) return there as MutableObject
  const made: MutableObject = {}
  object[name] = made
  return made
}

/** True when two JSON values are equal; the order of members does not count. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, i) => equal(value, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  )
}

/** The depth of nested containers. */
export function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Object.values(value).reduce<number>((most, inner) => Math.max(most, levelsOf(inner)), 0)
}
