import { searchSorted } from './search-sorted.ts'
import type { Expiring } from './stored.ts'

/** Times at which cards expire. An id may stand in it more than once: who asks knows which time still holds. */
export class Expiries {
  #sorted: readonly Expiring[] = []
  #added: Expiring[] = []

  /** Entries, of which some may hold no more. */
  get size(): number {
    return this.#sorted.length + this.#added.length
  }

  add({ id, expiresAt }: Expiring): void {
    this.#added.push({ id, expiresAt })
  }

  /** Those later than `after`, but not later than `until`, in their order. */
  between(after: number, until: number): readonly Expiring[] {
    this.#sort()
    const from = this.#firstAfter(after)
    let to = from
    while (to < this.#sorted.length && this.#sorted[to]!.expiresAt <= until) to++
    return this.#sorted.slice(from, to)
  }

  /** The first time later than `after` at which something expires. */
  next(after: number): number | undefined {
    this.#sort()
    return this.#sorted[this.#firstAfter(after)]?.expiresAt
  }

  #sort(): void {
    if (this.#added.length === 0) return
    // Two sorted runs, of which the second is short as a rule, are joined in one pass.
    this.#sorted = [...this.#sorted, ...this.#added].sort((a, b) => a.expiresAt - b.expiresAt)
    this.#added = []
  }

  #firstAfter(time: number): number {
    return searchSorted(this.#sorted, ({ expiresAt }) => expiresAt <= time)
  }
}
