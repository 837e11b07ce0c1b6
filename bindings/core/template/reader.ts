import type { Variables } from './values.ts'

/** A template whose variables come in more shapes than this serves many callers: to remember the last is no use then. */
const MOST_SHAPES = 8

/**
 * Reads the variables of one template, each once. Only own properties count: `{{constructor}}` names no variable of `{}`.
 * Asking an object for each name takes 35 ns a name, a third of the time of 1 KB with 8 of them. Variables made like the
 * last ones, with the same keys in the same order and none that the template does not name, are read whole instead: 12 ns.
 */
export class VariableReader {
  readonly #names: readonly string[]
  #keys: readonly string[] | undefined
  /** Where each name is among the keys; absent when they come in the order of the names. */
  #places: readonly number[] | undefined
  #shapes = 0

  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** What the variables hold for each name, undefined where that is nothing. The array is the caller's. */
  read(variables: Variables): unknown[] {
    const keys = this.#keys
    if (keys === undefined || !hasKeys(variables, keys)) return this.#readEach(variables)
    const values: unknown[] = Object.values(variables)
    return this.#places === undefined ? values : this.#places.map((place) => values[place])
  }

  #readEach(variables: Variables): unknown[] {
    const values = this.#names.map((name): unknown => (Object.hasOwn(variables, name) ? variables[name] : undefined))
    if (this.#shapes < MOST_SHAPES) this.#learn(Object.keys(variables))
    else this.#keys = undefined
    return values
  }

  #learn(keys: readonly string[]): void {
    this.#shapes++
    this.#keys = undefined
    // A variable that is not named may be a getter: reading it would run code that nobody asked for.
    if (keys.length !== this.#names.length) return
    const places = new Map(keys.map((key, place) => [key, place]))
    if (!this.#names.every((name) => places.has(name))) return
    this.#keys = keys
    this.#places = areSame(keys, this.#names) ? undefined : this.#names.map((name) => places.get(name)!)
  }
}

/** Whether these are the own keys, in their order. */
function hasKeys(variables: Variables, keys: readonly string[]): boolean {
  let i = 0
  for (const key in variables) if (key !== keys[i++]) return false
  return i === keys.length && (i === 0 || Object.hasOwn(variables, keys[i - 1]!))
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false
  return true
}
