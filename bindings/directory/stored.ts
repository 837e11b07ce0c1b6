// Cards as a directory keeps them, and where it keeps them.

/**
 * The ways in which a card was found to be its agent's when it came (section 7.1), the strongest first: by its signature and a key that
 * the id or a resolver gives, by its signature and a pinned key, by the address of an authenticated sender, by an
 * operator's token alone, not at all.
 */
export type Standing = 'signature' | 'pinned' | 'source' | 'token' | 'none'

/** A card as a store keeps it. Expired and revoked ones stay: their `seq` keeps older cards from coming back. */
export interface StoredCard {
  readonly id: string
  /** As they came. */
  readonly bytes: Uint8Array
  readonly seq: bigint | undefined
  readonly standing: Standing
  /** Thumbprint of the key that verified the signature. */
  readonly signer?: string
  /** Milliseconds, as all times here. */
  readonly retrievedAt: number
  /** `metadata.updated_at` of the card. */
  readonly updatedAt?: number
  /** From then on nobody is given the card. */
  readonly expiresAt: number
  readonly revoked: boolean
  /** Other signed cards of the same `seq`, as they came: at most `limits.equivocations`. */
  readonly equivocations: readonly Uint8Array[]
}

/** True for a card that is given out. A revocation never expires: an agent does not come back by waiting (section 6.4). */
export const isGiven = ({ revoked, expiresAt }: StoredCard, now: number): boolean => revoked || expiresAt > now

/**
 * A place where cards are kept. Synchronous on purpose: deciding and writing happen in one turn, so no two writes of an id can mix.
 * The work of `put` and `delete` must be durable when they return.
 */
export interface CardStore {
  get(id: string): StoredCard | undefined
  /** In place of the card with the same id. Raises `revision` by one and notes it for the card. */
  put(card: StoredCard): void
  delete(id: string): void
  /** Cards whose ids come behind `after`, in the order of their ids by UTF-16 units, `limit` at the most. */
  list(after: string | undefined, limit: number): readonly StoredCard[]
  /** Cards put after the store had this revision, in the order of their putting: what an older snapshot lacks. */
  since(revision: number): Iterable<StoredCard>
  /** The cards that are not revoked and expire later than `after`, but not later than `until`, in that order. Who asks may stop. */
  expiring(after: number, until: number): Iterable<Expiring>
  /** The time at which the first of the cards expires that expire after this one: too early when in doubt, never too late. */
  nextExpiry(after: number): number | undefined
  /** The number of cards put since the store exists; 0 for a new one. */
  readonly revision: number
  /** The number of cards deleted since the store exists: an index that was saved before one of these would bring it back. */
  readonly removals: number
  /** All cards in it, expired and revoked ones too. */
  readonly size: number
  /** Bytes that it takes for them, as it counts itself. */
  readonly bytes: number
  /** The number of cards that a key has signed: by its thumbprint, as in `signer`. */
  signedBy(signer: string): number
}

/** A card and the time at which it expires. */
export interface Expiring {
  readonly id: string
  readonly expiresAt: number
}
