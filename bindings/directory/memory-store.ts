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

/** The times at which cards expire. An id may occur more than once; the caller checks which time is current. */
class Expiries {
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

/**
 * Returns the index of the first item, from `from` on, for which `isBefore` is false. All items before it must be true.
 */
export function searchSorted<Item>(sorted: readonly Item[], isBefore: (item: Item) => boolean, from = 0): number {
  let low = from
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1
    if (isBefore(sorted[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

// Cards as a directory stores them, and the store.

/**
 * How a card was proved to come from its agent when it arrived (section 7.1), the strongest first: by its signature and
 * a key from the id or a resolver; by its signature and a pinned key; by the address of an authenticated sender; by an
 * operator's token alone; not at all.
 */
export type Standing = 'signature' | 'pinned' | 'source' | 'token' | 'none'

/**
 * A card as a store keeps it. Expired and revoked cards stay, because their `seq` prevents older cards from returning.
 */
export interface StoredCard {
  readonly id: string
  /** The card as it was received. */
  readonly bytes: Uint8Array
  /** The card as answers have it, without spaces, if its bytes are written otherwise. */
  readonly json?: string
  readonly seq: bigint | undefined
  readonly standing: Standing
  /** The thumbprint of the key that verified the signature. */
  readonly signer?: string
  /** Milliseconds, like all times here. */
  readonly retrievedAt: number
  /** `metadata.updated_at` of the card. */
  readonly updatedAt?: number
  /** The card is not served from this time on. */
  readonly expiresAt: number
  readonly revoked: boolean
  /** Other signed cards of the same `seq`, as received: at most `limits.equivocations`. */
  readonly equivocations: readonly Uint8Array[]
}

/**
 * True for a card that is served. A revocation never expires: an agent does not return just because time passes
 * (section 6.4).
 */
export const isGiven = ({ revoked, expiresAt }: StoredCard, now: number): boolean => revoked || expiresAt > now

/** True for a card that searches can find. */
export const isFindable = ({ revoked, expiresAt }: StoredCard, now: number): boolean => !revoked && expiresAt > now

/**
 * Stores cards. It is synchronous on purpose: the decision and the write happen in one turn, so two writes of an id
 * cannot mix. `put` and `delete` must be durable when they return.
 */
export interface CardStore {
  get(id: string): StoredCard | undefined
  /** The cards with these ids, in any order; without those that the store does not have. */
  getAll(ids: readonly string[]): readonly StoredCard[]
  /** Adds the card, or replaces the one with the same id. Raises `revision` by one and records it with the card. */
  put(card: StoredCard): void
  delete(id: string): void
  /** At most `limit` cards whose ids follow `after`, sorted by id in UTF-16 units. */
  list(after: string | undefined, limit: number): readonly StoredCard[]
  /** Cards that were put after this revision, in that order: what an older snapshot lacks. */
  since(revision: number): Iterable<StoredCard>
  /**
   * Cards that are not revoked and expire after `after`, but not after `until`, sorted by time. The caller may stop
   * early.
   */
  expiring(after: number, until: number): Iterable<Expiring>
  /** The first expiry time after this one. It may be too early, but never too late. */
  nextExpiry(after: number): number | undefined
  /** How many cards were ever put; 0 for a new store. */
  readonly revision: number
  /** How many cards were ever deleted. A snapshot from before a deletion would bring the card back. */
  readonly removals: number
  /** The number of all cards, including expired and revoked ones. */
  readonly size: number
  /** The bytes that the cards take, as the store counts them. */
  readonly bytes: number
  /** The number of cards signed by a key, given by its thumbprint as in `signer`. */
  signedBy(signer: string): number
}

/** A card and the time at which it expires. */
export interface Expiring {
  readonly id: string
  readonly expiresAt: number
}
