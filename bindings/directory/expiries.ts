import { searchSorted } from './search-sorted.ts'
import type { Expiring } from './stored.ts'

/** The times at which cards expire. An id may occur more than once; the caller checks which time is current. */
export class Expiries {
  #sorted: readonly Expiring[] = []
  #added: Expiring[] = []

  /** The number of entries, including outdated ones. */
  get size(): number {
    return this.#sorted.length + this.#added.length
  }

  add({ id, expiresAt }: Expiring): void {
    this.#added.push({ id, expiresAt })
  }

  /** The entries later than `after` and not later than `until`, sorted by time. */
  between(after: number, until: number): readonly Expiring[] {
    this.#sort()
    const from = this.#firstAfter(after)
    let to = from
    while (to < this.#sorted.length && this.#sorted[to]!.expiresAt <= until) to++
    return this.#sorted.slice(from, to)
  }

  /** The first expiry time later than `after`. */
  next(after: number): number | undefined {
    this.#sort()
    return this.#sorted[this.#firstAfter(after)]?.expiresAt
  }

  #sort(): void {
    if (this.#added.length === 0) return
    // Merges two sorted runs in one pass. The second one is usually short.
    this.#sorted = [...this.#sorted, ...this.#added].sort((a, b) => a.expiresAt - b.expiresAt)
    this.#added = []
  }

  #firstAfter(time: number): number {
    return searchSorted(this.#sorted, ({ expiresAt }) => expiresAt <= time)
  }
}
