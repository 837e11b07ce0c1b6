import { searchSorted } from './search-sorted.ts'

interface Expiry {
  readonly id: string
  readonly at: number
}

/** What expires when. An id may stand in it more than once: who asks knows which time still holds. */
export class Expiries {
  #sorted: readonly Expiry[] = []
  #added: Expiry[] = []

  /** Entries, of which some may hold no more. */
  get size(): number {
    return this.#sorted.length + this.#added.length
  }

  add(id: string, at: number): void {
    this.#added.push({ id, at })
  }

  /** What expires later than `after`, but not later than `until`, in that order. */
  between(after: number, until: number): readonly Expiry[] {
    this.#sort()
    const from = this.#firstAfter(after)
    let to = from
    while (to < this.#sorted.length && this.#sorted[to]!.at <= until) to++
    return this.#sorted.slice(from, to)
  }

  /** The first time later than `after` at which something expires. */
  next(after: number): number | undefined {
    this.#sort()
    return this.#sorted[this.#firstAfter(after)]?.at
  }

  #sort(): void {
    if (this.#added.length === 0) return
    // Two sorted runs, of which the second is short as a rule, are joined in one pass.
    this.#sorted = [...this.#sorted, ...this.#added].sort((a, b) => a.at - b.at)
    this.#added = []
  }

  #firstAfter(time: number): number {
    return searchSorted(this.#sorted, ({ at }) => at <= time)
  }
}
