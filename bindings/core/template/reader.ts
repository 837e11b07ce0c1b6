import type { Variables } from './values.ts'

/**
 * After this many variables with other keys than the template's, the reader stops comparing keys: listing many keys is
 * slow.
 */
const MOST_MISSES = 8

/**
 * Reads the variables of one template, each once, in the order of the names. Only own properties count:
 * `{{constructor}}` is not a variable of `{}`.
 *
 * Looking up each name takes 35 ns, a third of the time for a template of 1 KB with 8 names. Variables with exactly the
 * template's names, in its order, are therefore read at once: 12 ns a name.
 */
export class VariableReader {
  readonly #names: readonly string[]
  #misses = 0

  constructor(names: readonly string[]) {
    // The keys of an object are interned: equal keys have the same address, so comparing them does not read their
    // characters.
    this.#names = Object.keys(Object.fromEntries(names.map((name) => [name, true])))
  }

  /** The values for the names. A missing value is undefined, or the list is shorter. */
  read(variables: Variables): readonly unknown[] {
    if (this.#misses < MOST_MISSES) {
      if (hasKeys(variables, this.#names)) return Object.values(variables)
      this.#misses++
    }
    return this.#names.map((name): unknown => (Object.hasOwn(variables, name) ? variables[name] : undefined))
  }
}

/** True when these are exactly the object's own keys, in this order. */
function hasKeys(variables: Variables, keys: readonly string[]): boolean {
  const own = Object.keys(variables)
  if (own.length !== keys.length) return false
  for (let i = 0; i < keys.length; i++) if (own[i] !== keys[i]) return false
  return true
}
