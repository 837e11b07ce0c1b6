import type { Run } from './run.ts'

/** The members and elements of one value that schemas have evaluated; `unevaluated...` skips them. */
export class Marks {
  readonly #names = new Set<string>()
  #allNames = false
  /** The number of leading elements that were evaluated. */
  #items = 0
  readonly #places = new Set<number>()

  name(name: string): void {
    this.#names.add(name)
  }

  allNames(): void {
    this.#allNames = true
  }

  items(count: number): void {
    this.#items = Math.max(this.#items, count)
  }

  item(index: number): void {
    this.#places.add(index)
  }

  hasName(name: string): boolean {
    return this.#allNames || this.#names.has(name)
  }

  hasItem(index: number): boolean {
    return index < this.#items || this.#places.has(index)
  }

  add(other: Marks, run: Run): void {
    run.spend((other.#names.size + other.#places.size) >> 1)
    for (const name of other.#names) this.#names.add(name)
    for (const index of other.#places) this.#places.add(index)
    this.#allNames ||= other.#allNames
    this.items(other.#items)
  }
}
