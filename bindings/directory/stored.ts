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
