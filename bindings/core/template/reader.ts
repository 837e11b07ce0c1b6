import type { Variables } from './values.ts'

/**
 * A caller who has passed keys other than the template's this often is expected to go on; listing many keys takes long.
 */
const MOST_MISSES = 8

/**
 * Reads the variables of one template, each once, in the order of the names. Only own properties count:
 * `{{constructor}}` names no variable of `{}`. Asking an object for each name takes 35 ns a name, a third of the time
 * of 1 KB with 8 of them. Variables with exactly the template's names, in its order, are read whole instead: 12 ns.
 */
export class VariableReader {
  readonly #names: readonly string[]
  #misses = 0

  constructor(names: readonly string[]) {
    // The keys of an object are interned: equal ones share one address, and comparing them does not read their
    // characters.
    this.#names = Object.keys(Object.fromEntries(names.map((name) => [name, true])))
  }

  /** The value of the variables for each name; undefined, or not even an element, where there is none. */
  read(variables: Variables): readonly unknown[] {
    if (this.#misses < MOST_MISSES) {
      if (hasKeys(variables, this.#names)) return Object.values(variables)
      this.#misses++
    }
    return this.#names.map((name): unknown => (Object.hasOwn(variables, name) ? variables[name] : undefined))
  }
}

/** True when these are all of the own keys, in their order. */
function hasKeys(variables: Variables, keys: readonly string[]): boolean {
  const own = Object.keys(variables)
  if (own.length !== keys.length) return false
  for (let i = 0; i < keys.length; i++) if (own[i] !== keys[i]) return false
  return true
}
