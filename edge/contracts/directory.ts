// The objects of the directory: the map of its shards, the shards with the cards, and the quota of each sender.
import type { AgentCard } from 'blazon/card'
import type {
  AdvertiseResult,
  AgentSignals,
  DescribeOptions,
  DescribeResult,
  IndexQuery,
  QueryStatistics,
  SearchOptions,
  SearchResponse,
  Sender,
  Standing,
  StoredCard,
} from 'blazon/directory'
import type { Checkpoint } from 'blazon/runs'

/** The place of each card: the space of hashes is divided into ranges, one per shard. */
export interface Layout {
  /** Rises with every move of a boundary. */
  readonly version: number
  /** Each begins at the hash `from`, and ends where the next begins. By `from`, the first from 0. */
  readonly ranges: readonly { readonly from: number; readonly shard: number }[]
}

/** The range that a caller expects a shard to have. The shard refuses a wrong claim. */
export interface Claim {
  readonly version: number
  readonly shard: number
  readonly from: number
  /** The first hash after the range. */
  readonly to: number
}

/** A shard's answer to a claim on cards that it does not have, or has no longer. */
export const MOVED = 'moved'
export type MovedAnswer = typeof MOVED

export interface Growth {
  readonly shards: number
  readonly wanted: number
  readonly version: number
  /** True while cards move. */
  readonly moving: boolean
}

/** The versions of A2A that this server speaks. */
export type A2aVersion = '1.0' | '0.3'

export interface DirectoryMapObject {
  /** The directory's own card, signed. */
  card(): Promise<Uint8Array<ArrayBuffer>>
  a2aCard(version: A2aVersion, kid: string): Promise<Uint8Array<ArrayBuffer>>
  /** The head of a tree, signed by the directory. */
  signCheckpoint(checkpoint: Checkpoint): Promise<Uint8Array<ArrayBuffer>>
  /** The id and the public key of the directory itself. */
  identity(): Promise<{ readonly id: string; readonly jwk: JsonWebKey }>
  /** The valid generation of a holder's tokens: 0 until some were withdrawn. */
  tokenGeneration(holder: string): Promise<number>
  /** Withdraws the tokens of some holders: new tokens get a generation above all earlier ones and above `least`. */
  withdrawTokens(holders: readonly (readonly [holder: string, least: number])[]): Promise<void>
  layout(): Promise<Layout>
  /** All shards, including one that is about to get its first cards. */
  shards(): Promise<readonly number[]>
  growth(): Promise<Growth>
  /** Grows to this many shards, in the background. It never shrinks. */
  grow(wanted: number): Promise<Growth>
}

/** The requirements for a listed card: one value of each list, and all other conditions. */
export interface ListFilter {
  readonly tags?: readonly string[]
  readonly names?: readonly string[]
  readonly standings?: readonly string[]
  readonly createdAfter?: number
  readonly updatedAfter?: number
}

export interface ListQuery extends ListFilter {
  /** One page of the latest cards, instead of all cards by id. */
  readonly newest?: boolean
  /** Only ids after this one. */
  readonly after?: string
  readonly limit: number
}

export interface ListedCard {
  readonly agent_card: AgentCard
  readonly standing: Standing
  readonly retrievedAt: number
}

export interface Page {
  readonly cards: readonly ListedCard[]
  /** The id up to which the list is complete; absent at its end. */
  readonly until?: string
}

/** A card, or the rule by which the operator took it down. */
export interface DescribedOrRemoved extends DescribeResult {
  readonly removed?: Rule
}

/** A change for the operator to see, without reading the card. */
export interface Change {
  readonly id: string
  readonly standing: string
  /** The key that signed it, for rules about keys. */
  readonly signer?: string
  readonly revoked: boolean
  readonly retrievedAt: number
  readonly expiresAt: number
}

/** The state of a shard, which the operator sees in full (openapi.yaml). */
interface ShardState {
  readonly cards: number
  /** The latest changes, newest first. */
  readonly changes: readonly Change[]
}

/** A move of cards from shard to shard: the topmost of `source`, down to `goal`. */
export interface HandOver {
  readonly source: number
  readonly target: number
  readonly goal: number
  readonly limit: number
}

export type SignalsOfAgent = readonly [id: string, signals: AgentSignals]

/** The answer of a shard, unless it does not have the claimed range. */
type Claimed<T> = Promise<T | MovedAnswer>

export interface ShardObject {
  /** `id` is the card's id. */
  advertise(claim: Claim, id: string, card: Uint8Array, sender: Sender): Claimed<AdvertiseResult>
  describe(claim: Claim, id: string, options: DescribeOptions): Claimed<DescribedOrRemoved>
  statistics(claim: Claim, query: IndexQuery, options: SearchOptions): Claimed<QueryStatistics>
  rank(claim: Claim, query: IndexQuery, options: SearchOptions): Claimed<SearchResponse>
  /** The same for a single shard, as the bytes that are sent: objects in a call take longer. */
  answer(claim: Claim, query: IndexQuery, options: SearchOptions): Claimed<SearchResponse>
  list(claim: Claim, query: ListQuery): Claimed<Page>
  /** Cards as they are stored, by id. */
  read(claim: Claim, after: string | undefined, limit: number): Claimed<StoredCard[]>
  /** Stores the operator's signals for an agent, even before its card arrives. */
  setSignals(claim: Claim, id: string, signals: AgentSignals): Claimed<void>
  /** Takes over changes of the operator's rules, and takes down the cards that they block. */
  applyRules(changes: readonly Rule[], version: number): Promise<void>
  state(changes: number): Promise<ShardState>
  /** Freezes the topmost cards and copies them to another shard; returns the hash of the lowest one. */
  handOver(layout: Layout, move: HandOver): Promise<number>
  /** Stores cards and signals that will belong to this shard once the layout changes. */
  stage(layout: Layout, shard: number, cards: readonly StoredCard[], signals: readonly SignalsOfAgent[]): Promise<void>
  /** Takes over a layout that is newer than the known one. */
  applyLayout(layout: Layout, shard: number): Promise<void>
}

/** New cards within a day, and their bytes. */
export interface Quota {
  readonly cards: number
  readonly bytes: number
}

export interface SenderObject {
  /** Takes room for a new card; if none is left, returns the seconds until there is. */
  take(bytes: number, most: Quota): Promise<{ readonly retryAfter: number } | undefined>
  /** Gives back the room of a card that turned out not to be new. */
  giveBack(bytes: number): Promise<void>
}

// The object with the operator's rules and the waiting cards.

export const SUBJECTS = ['id', 'key', 'host'] as const
export type Subject = (typeof SUBJECTS)[number]

/**
 * `block` takes cards down and refuses new ones. `hide` does the same, but answers as if the cards had never existed.
 * `allow` accepts cards if not everyone is admitted. `none` removes the rule.
 */
export const VERDICTS = ['block', 'hide', 'allow', 'none'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface Rule {
  readonly of: Subject
  /** In canonical form (moderation/subjects.ts). */
  readonly value: string
  readonly verdict: Verdict
  readonly reason: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Every shard holds all rules, and an id has up to 2,048 characters. */
export const MOST_RULES = 10_000

/** A card that waits for the operator. */
export interface Waiting {
  readonly id: string
  readonly bytes: Uint8Array
  readonly signer: string | undefined
  /** Milliseconds since 1970. */
  readonly came: number
}

export interface ModerationObject {
  rules(): Promise<{ readonly rules: readonly Rule[]; readonly version: number }>
  /** Changes rules; returns false when there is no room for them. Can be repeated without harm. */
  change(changes: readonly Rule[]): Promise<boolean>
  /** Sends all rules to a new shard. */
  teach(shard: number): Promise<void>
  /** Queues a card; returns false when `most` others wait. */
  wait(card: Waiting, most: number): Promise<boolean>
  waiting(after: string, limit: number): Promise<{ readonly cards: readonly Waiting[]; readonly size: number }>
  drop(ids: readonly string[]): Promise<number>
}
