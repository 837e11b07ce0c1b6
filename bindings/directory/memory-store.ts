import { Expiries } from './expiries.ts'
import { searchSorted } from './search-sorted.ts'
import type { CardStore, Expiring, StoredCard } from './stored.ts'

interface Entry {
  readonly card: StoredCard
  readonly revision: number
}

/** How many outdated expiry times are kept, in addition to as many as there are cards. */
const MOST_PAST = 1000

class MemoryStore implements CardStore {
  readonly #entries = new Map<string, Entry>()
  #expiries = new Expiries()
  /** Sorted ids, built when `list` needs them. */
  #order: readonly string[] | undefined
  #revision = 0
  #removals = 0
  #bytes = 0
  readonly #signers = new Map<string, number>()

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get revision(): number {
    return this.#revision
  }

  get removals(): number {
    return this.#removals
  }

  get(id: string): StoredCard | undefined {
    return this.#entries.get(id)?.card
  }

  getAll(ids: readonly string[]): readonly StoredCard[] {
    return ids.flatMap((id) => this.get(id) ?? [])
  }

  put(card: StoredCard): void {
    const before = this.get(card.id)
    if (before === undefined) this.#order = undefined
    this.#count(before, -1)
    this.#count(card, 1)
    // Moves the card to the end, so that the map is in the order of revisions.
    this.#entries.delete(card.id)
    this.#entries.set(card.id, { card, revision: ++this.#revision })
    if (before?.expiresAt !== card.expiresAt) this.#expiries.add(card)
    if (this.#expiries.size > 2 * this.size + MOST_PAST) this.#forget()
  }

  delete(id: string): void {
    this.#count(this.get(id), -1)
    if (!this.#entries.delete(id)) return
    this.#order = undefined
    this.#removals++
  }

  signedBy(signer: string): number {
    return this.#signers.get(signer) ?? 0
  }

  list(after: string | undefined, limit: number): readonly StoredCard[] {
    this.#order ??= [...this.#entries.keys()].sort()
    const from = after === undefined ? 0 : searchSorted(this.#order, (id) => id <= after)
    return this.#order.slice(from, from + limit).map((id) => this.#entries.get(id)!.card)
  }

  *since(revision: number): Generator<StoredCard> {
    if (revision >= this.#revision) return
    for (const { card, revision: own } of this.#entries.values()) if (own > revision) yield card
  }

  *expiring(after: number, until: number): Generator<Expiring> {
    for (const expiring of this.#expiries.between(after, until)) {
      const card = this.get(expiring.id)
      if (card !== undefined && !card.revoked && card.expiresAt === expiring.expiresAt) yield expiring
    }
  }

  nextExpiry(after: number): number | undefined {
    return this.#expiries.next(after)
  }

  #count(card: StoredCard | undefined, sign: 1 | -1): void {
    if (card === undefined) return
    const { bytes, equivocations, signer } = card
    this.#bytes += sign * equivocations.reduce((sum, other) => sum + other.length, bytes.length)
    if (signer === undefined) return
    const count = this.signedBy(signer) + sign
    if (count > 0) this.#signers.set(signer, count)
    else this.#signers.delete(signer)
  }

  /** Removes the expiry times of cards that were stored again or deleted. */
  #forget(): void {
    this.#expiries = new Expiries()
    for (const { card } of this.#entries.values()) this.#expiries.add(card)
  }
}

/**
 * Creates a store that keeps cards in memory only.
 *
 * @example
 * const directory = createDirectory({ store: createMemoryStore() })
 */
export function createMemoryStore(): CardStore {
  return new MemoryStore()
}
