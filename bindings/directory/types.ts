import type { AgentCard } from '../card/types.ts'
import type { Factors, Statistics } from '../core/index.ts'
import type { Diagnostic } from '../document/types.ts'

/**
 * How a card was found to be its agent's when it came (section 7.1), the strongest first: by its signature and a key that
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
  /** Other signed cards of the same `seq`, as they came: at most `MOST_EQUIVOCATIONS`. */
  readonly equivocations: readonly Uint8Array[]
}

/**
 * Where cards are kept. Synchronous on purpose: deciding and writing happen in one turn, so no two writes of an id can mix.
 * What `put` and `delete` did must be durable when they return.
 */
export interface CardStore {
  get(id: string): StoredCard | undefined
  /** In place of the card with the same id. */
  put(card: StoredCard): void
  delete(id: string): void
  /** Cards whose ids come behind `after`, in the order of their ids by UTF-16 units, `limit` at the most. */
  list(after: string | undefined, limit: number): readonly StoredCard[]
  /** All cards in it, expired and revoked ones too. */
  readonly size: number
}

/** What a deployment knows of an agent besides its card (section 5). */
export interface AgentSignals {
  /** From 0 to 1; 0 when absent. */
  readonly reputation?: number
  /** The average rating, from 0 to 1; 0 when absent. */
  readonly rating?: number
  /** Fewer than `coldStart.tasks`, or unknown: the agent is new. */
  readonly completedTasks?: number
  /** 0 when absent. At the card's `max_concurrent_tasks` the agent is in no answer. */
  readonly activeTasks?: number
  /** False when absent. */
  readonly online?: boolean
}

/** Asked when a card is indexed; `setSignals` tells of changes. */
export interface SignalSource {
  signals(id: string): AgentSignals | undefined
}

/** What a new agent is given, so that it does not end behind all others (section 5). */
export interface ColdStart {
  /** An agent with fewer completed tasks is new: 5. */
  readonly tasks: number
  /** Added to the reputation of a new agent, which stays at 1 at the most: 0.1. */
  readonly reputation: number
}

/** Who advertises. */
export interface Sender {
  /** The agent:// URI that the transport authenticated, when it did: the card's `id` has to be it. */
  readonly id?: string
  /** The operator, whose token is for this card's id: no signature is asked for. */
  readonly operator?: boolean
}

/**
 * AITP's names for what became of a request. Of their numbers the draft tells two: UNAUTHORIZED is 5, INVALID_REQUEST 6.
 */
export type Status = 'OK' | 'UNAUTHORIZED' | 'INVALID_REQUEST' | 'NOT_FOUND' | 'BUSY'

/** Why a card is stored: it is the first of its id, or newer than the one before. */
export type StoredReason = 'new' | 'newer' | 'renewed' | 'revoked'

/**
 * Why a card is not stored although nothing is wrong with it: `equal` is the one that is there, `older` than it,
 * `unsigned` where a signed one is, `equivocation` another signed one of the same seq, `policy` of the deployment.
 */
export type NotStoredReason = 'equal' | 'older' | 'unsigned' | 'equivocation' | 'policy'

export interface Advertised {
  readonly status: 'OK' | 'UNAUTHORIZED' | 'INVALID_REQUEST' | 'BUSY'
  readonly stored: boolean
  /** Absent unless the status is OK. */
  readonly reason?: StoredReason | NotStoredReason
  /** How the card was verified. */
  readonly standing?: Standing
  readonly diagnostics: readonly Diagnostic[]
}

export interface DescribeOptions {
  /** Members wanted; `id` and `name` come always. Unknown names are ignored. */
  readonly fields?: readonly string[]
  /** The agent:// URI of who asks, when the transport authenticated it. */
  readonly caller?: string
}

export interface Described {
  readonly status: 'OK' | 'NOT_FOUND'
  readonly agent_card?: AgentCard
  /** Members were left out: it has no signature, and the whole card is what `describe` without fields gives. */
  readonly partial: boolean
  /** The whole card as it came; absent when it is partial. */
  readonly bytes?: Uint8Array
  readonly standing?: Standing
  readonly revoked?: boolean
  /** Milliseconds; absent for the directory's own card. */
  readonly expires_at?: number
  /** Other signed cards of the same `seq`. */
  readonly equivocations?: readonly AgentCard[]
}

/** What is asked for (table 8): tags, or a query, or both. */
export interface DiscoverQuery {
  readonly tags?: readonly string[]
  readonly query?: string
  /** From 1 to 100: 10. */
  readonly limit?: number
  /** From 0 to 1: 0.1. */
  readonly min_score?: number
}

export interface DiscoverOptions {
  /** Adds to each result the factors of its score and why it ranks where it does. */
  readonly explain?: boolean
  /** What each factor counts, in place of the directory's weights. */
  readonly weights?: Partial<Factors>
  /** Of all shards together, so that each answers as a part of one directory. */
  readonly statistics?: QueryStatistics
}

/** What shards tell each other about a query before they answer it: JSON. `sumStatistics` joins those of all shards. */
export interface QueryStatistics {
  /** Cards in the index. */
  readonly documents: number
  /** Words in all of them. */
  readonly length: number
  /** For each different word of the query, in its order. */
  readonly words: readonly WordStatistics[]
}

export interface WordStatistics {
  /** As the query has it, folded. */
  readonly word: string
  /** Cards that have the word itself. */
  readonly frequency: number
  /** Words that are near it, with the cards that have them. */
  readonly near: readonly NearWord[]
}

export interface NearWord {
  readonly word: string
  readonly frequency: number
  /** Letters wrong; 0 for a longer word that begins with the query's. */
  readonly distance: number
}

/** What a factor contributes to a score. */
export interface FactorShare {
  readonly factor: keyof Factors
  /** From 0 to 1. */
  readonly value: number
  /** In force for this query. */
  readonly weight: number
  /** `weight * value` */
  readonly contribution: number
  /** In words: `2 of 3 tags match`. */
  readonly reason: string
}

/** A result (table 9), and what a reader has to know to trust it. */
export interface DiscoverResult {
  readonly agent_card: AgentCard
  readonly score: number
  /** The agent's tags that served, in the order of the query's. */
  readonly matched_tags: readonly string[]
  readonly standing: Standing
  /** How many other signed cards of the same `seq` there are. */
  readonly equivocations: number
  /** When asked to explain: what each factor is, before it is weighted. */
  readonly factors?: Factors
  readonly why?: readonly FactorShare[]
}

export interface Discovered {
  readonly status: 'OK' | 'INVALID_REQUEST'
  readonly results: readonly DiscoverResult[]
  /** Results were left out because the answer would have been too large. */
  readonly cut: boolean
  /** Words of the query that no card has, and what was looked for instead. */
  readonly corrections: readonly Correction[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface Correction {
  readonly word: string
  readonly instead: readonly string[]
}

/** The formula in force, for programs (`GET /adp/ranking`). */
export interface RankingProfile {
  readonly formula: string
  readonly weights: Factors
  readonly cold_start: ColdStart
  readonly normalization: Readonly<Record<keyof Factors, string>>
  readonly text: {
    readonly k1: number
    readonly b: number
    readonly fields: Readonly<Record<'name' | 'description' | 'skills' | 'tools', number>>
  }
  readonly defaults: { readonly limit: number; readonly min_score: number }
  readonly limits: { readonly limit: readonly [number, number]; readonly min_score: readonly [number, number] }
}

export interface DirectoryLimits {
  /** Bytes of a card: 65535 at the most. */
  readonly cardBytes: number
  /** Bytes of an answer, as JSON: 65535. */
  readonly answerBytes: number
  /** Cards in the store. */
  readonly cards: number
  /** What a sender may advertise within a minute. */
  readonly advertisesPerMinute: number
}

/** A request and its answer as AITP has them (section 4). */
export interface Invocation {
  /** `adp.describe`, `adp.advertise` or `adp.discover`. */
  readonly method: string
  /** The agent:// URI that the transport authenticated, when it did. */
  readonly source?: string
  /** JSON; empty is the same as absent. */
  readonly body?: Uint8Array | string
}

export interface InvocationAnswer {
  readonly status: Status
  /** AITP's number, where the draft tells it. */
  readonly statusCode: number | undefined
  /** For JSON. */
  readonly body: Readonly<Record<string, unknown>>
}
