// Builds JSON objects.
import { isObject, parsePointer, valueAt } from '../text/members.ts'

export type MutableObject = Record<string, unknown>

/** True for a list of texts that are not empty, with one at least. */
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '')

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

// Checks whether a value can be read from the result of a conversion.

/** The result of a conversion, searched by place. */
export class ResultView {
  readonly #made: unknown
  readonly #texts = new Map<string, ReadonlySet<string>>()

  constructor(made: unknown) {
    this.#made = made
  }

  has(place: string): boolean {
    return valueAt(this.#made, place) !== undefined
  }

  /** True if the place has the value or is named by it, or contains all its parts as strings and names. */
  shows(value: unknown, place: string): boolean {
    if (equal(valueAt(this.#made, place), value) || parsePointer(place)?.at(-1) === value) return true
    const leaves = leavesOf(value)
    const texts = this.#textsAt(place)
    return leaves.length > 0 && leaves.every((leaf) => typeof leaf === 'string' && texts.has(leaf))
  }

  #textsAt(place: string): ReadonlySet<string> {
    let texts = this.#texts.get(place)
    if (texts === undefined) {
      const found = valueAt(this.#made, place)
      texts = new Set([...leavesOf(found), ...namesIn(found)].filter((leaf) => typeof leaf === 'string'))
      this.#texts.set(place, texts)
    }
    return texts
  }
}

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value]
  const inner = Object.values(value)
  return inner.length === 0 ? [value] : inner.flatMap(leavesOf)
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : []
}
