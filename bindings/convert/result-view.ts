// Checks whether a value can be read from the result of a conversion.
import { isObject, parsePointer, valueAt } from '../text/members.ts'
import { equal } from './json.ts'

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
