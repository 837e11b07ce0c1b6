import type { AgentCard } from '../card/subject.ts'
import type { compare } from '../card/supersede.ts'
import type { Factors } from '../core/index.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { DirectoryLimits } from './admission.ts'
import type { Standing } from './memory-store.ts'

/** What a deployment knows about an agent in addition to its card (section 5). */
export interface AgentSignals {
  /** From 0 to 1. Default 0. */
  readonly reputation?: number
  /** The average rating, from 0 to 1. Default 0. */
  readonly rating?: number
  /** With fewer than `coldStart.tasks`, or if unknown, the agent is new. */
  readonly completedTasks?: number
  /** Default 0. An agent that has reached its card's `max_concurrent_tasks` is left out of responses. */
  readonly activeTasks?: number
  /** Default false. */
  readonly online?: boolean
}

/** Gives signals when a card is indexed. Later changes come through `setSignals`. */
export interface SignalSource {
  signals(id: string): AgentSignals | undefined
  /** The agents with signals. A restored index uses it to catch up on changes since it was saved. */
  known?(): Iterable<string>
}

/** The sender of an advertised card. */
export interface Sender {
  /** The agent:// URI that the transport authenticated, if any. The card's `id` must equal it. */
  readonly id?: string
  /** The sender is the operator, with a token for this card's id. No signature is required. */
  readonly operator?: boolean
  /** The name that the rate limit counts, such as an IP address. Default: `id`. */
  readonly address?: string
  /** The operator submits a card that proves its own origin, so that `policy` need not let it wait. */
  readonly admitted?: boolean
}

/** What a policy knows about a card in addition to its content. */
export interface Offer {
  /** The fingerprint of the key that proved whose card it is, if it was a key. */
  readonly signer: string | undefined
  readonly sender: Sender
}

/** The reason why a policy refuses a card, with an explanation for the sender. */
export interface Refusal {
  readonly reason: 'policy' | 'blocked' | 'waiting'
  readonly detail: string
}

/**
 * AITP's names for the outcome of a request, and FULL when there is no room, so that a retry does not help. The draft
 * defines two of AITP's numbers: UNAUTHORIZED is 5, INVALID_REQUEST is 6.
 */
export type Status = 'OK' | 'UNAUTHORIZED' | 'INVALID_REQUEST' | 'NOT_FOUND' | 'BUSY' | 'FULL'

/**
 * Why a card was stored, or was not stored although nothing is wrong with it. Other values are those of `compare`.
 * - `renewed`: it is the stored card, which had expired.
 * - `equal`: it is the stored card, which stays for another ttl.
 * - `older`: it is older than the stored card.
 * - `policy`: the directory's policy refuses it.
 * - `blocked`: the operator has blocked the agent.
 * - `waiting`: the card is waiting for the operator.
 * - `quota`: its signing key has reached the maximum number of cards.
 */
export type Reason =
  | Exclude<compare.Result['reason'], 'same' | 'stale'>
  | 'renewed'
  | 'equal'
  | 'older'
  | Refusal['reason']
  | 'quota'

export interface AdvertiseResult {
  readonly status: 'OK' | 'UNAUTHORIZED' | 'INVALID_REQUEST' | 'BUSY' | 'FULL'
  readonly stored: boolean
  /** Absent unless the status is OK. */
  readonly reason?: Reason
  /** How the card was verified, and the fingerprint of the key, if there was one. */
  readonly standing?: Standing
  readonly signer?: string
  /** When a stored card expires, in milliseconds. It is not served from then on. */
  readonly expiresAt?: number
  /** Seconds until a BUSY sender may try again, if known. */
  readonly retryAfter?: number
  readonly diagnostics: readonly Diagnostic[]
}

export interface DescribeOptions {
  /** The requested members. `id` and `name` are always included. Unknown names are ignored. */
  readonly fields?: readonly string[]
  /** The agent:// URI of the caller, if the transport authenticated it. */
  readonly caller?: string
}

export interface DescribeResult {
  /** UNAUTHORIZED: the caller may not see any part of the card. */
  readonly status: 'OK' | 'NOT_FOUND' | 'UNAUTHORIZED'
  readonly agent_card?: AgentCard
  /** Members were left out, so there is no signature. `describe` without fields gives the whole card. */
  readonly partial: boolean
  /** The signature of the whole card, if only `fields` made it partial. `describeAll` verifies it at the end. */
  readonly signature?: string
  /** The same as JSON. A whole card is unchanged, byte for byte. */
  readonly bytes?: Uint8Array
  readonly standing?: Standing
  readonly revoked?: boolean
  /** Milliseconds. Absent for the directory's own card. */
  readonly expiresAt?: number
  /** Why the operator took the card down. */
  readonly gone?: string
  /** Other signed cards of the same `seq`, as received. */
  readonly equivocations?: readonly Uint8Array[]
}

/** A query (table 8): tags, or text, or both. */
export interface SearchQuery {
  readonly tags?: readonly string[]
  readonly query?: string
  /** From 1 to 100; larger values are cut to 100. Default 10. */
  readonly limit?: number
  /** From 0 to 1. Default 0.1. */
  readonly min_score?: number
}

/** A query in the form that indexes need: `readQuery` makes it. */
export interface IndexQuery {
  /** Normalized, without a trailing `/*`, without duplicates. */
  readonly tags: readonly string[]
  /** True when there is any text, even if it consists only of stop words. */
  readonly hasText: boolean
  /** Folded and stemmed, without duplicates. */
  readonly words: readonly string[]
  /** The spelling of each word in the query. */
  readonly written: readonly string[]
  readonly limit: number
  readonly minScore: number
}

export interface SearchOptions {
  /** Adds the factors of the score and the reasons for the rank to each result. */
  readonly explain?: boolean
  /** The weights of factors. Default: those of the directory. */
  readonly weights?: Partial<Factors>
  /** The statistics of all shards, so that each answers as a part of one directory. */
  readonly statistics?: QueryStatistics
  /** The agent:// URI of the caller, if the transport authenticated it. */
  readonly caller?: string
  /** The document that the query was parsed from. Diagnostics refer to positions in it. */
  readonly document?: Document
  /** For shards of a directory that groups: the number of candidates to return, with the data to merge them. */
  readonly depth?: number
}

/**
 * Figures about a query that shards exchange, as JSON, before they answer it. `sumQueryStatistics` adds up those of all
 * shards.
 */
export interface QueryStatistics {
  /** The number of cards in the index. */
  readonly documents: number
  /** The number of words in all of them. */
  readonly length: number
  /** One entry for each different word of the query, in its order. */
  readonly words: readonly WordStatistics[]
}

export interface WordStatistics {
  /** The folded word of the query. */
  readonly word: string
  /** The number of cards that have the word itself. */
  readonly frequency: number
  /** Similar words, with the number of cards that have each. */
  readonly near: readonly NearWord[]
}

export interface NearWord {
  readonly word: string
  readonly frequency: number
  /**
   * 0 for a longer word that begins with the query's word; 1 or 2 for that many wrong letters; for a beginning of the
   * query's word, 2 plus the number of remaining letters.
   */
  readonly distance: number
}

/** What a factor contributes to a score. */
export interface FactorShare {
  readonly factor: keyof Factors
  /** From 0 to 1. */
  readonly value: number
  /** The weight in force for this query. */
  readonly weight: number
  /** `weight * value` */
  readonly contribution: number
  /** For display: `2 of 3 tags match`. */
  readonly reason: string
}

/** A result (table 9), and what a reader needs to judge it. */
export interface SearchResult {
  readonly agent_card: AgentCard
  /** The card as JSON, in results of `rank`: `agent_card` has only the `id` then. */
  readonly json?: string
  readonly score: number
  /** The agent's tags that match, in the order of the query. */
  readonly matched_tags: readonly string[]
  readonly standing: Standing
  /** True when the origin of the card was proved by more than an operator's word. */
  readonly verified: boolean
  /** The number of other signed cards of the same `seq`. */
  readonly equivocations: number
  /** The digits of the card's `seq`, if `agent_card` is in brief or the seq is beyond 2^53 - 1. */
  readonly seq?: string
  /** The card is partial, for lack of room or because the caller may see no more. */
  readonly partial?: boolean
  /** Each factor before weighting. Present when an explanation was requested. */
  readonly factors?: Factors
  readonly why?: readonly FactorShare[]
  /** In a directory that groups: agents whose cards have the same text. How many were seen, and the best of them. */
  readonly same?: { readonly count: number; readonly agents: readonly SameAgent[] }
  /** Grouping data, for the merge of shards. */
  readonly groupingKey?: string
}

export interface SameAgent {
  readonly id: string
  readonly name: string
  readonly score: number
}

/** Cards that got no result of their own because the directory groups. */
export interface GroupedResults {
  /** Cards with the same text as a result. They are listed under it. */
  readonly same: number
  /** Cards left out because their signer or endpoint host already has the maximum number of results. */
  readonly left_out: number
}

export interface SearchResponse {
  readonly status: 'OK' | 'INVALID_REQUEST'
  readonly results: readonly SearchResult[]
  /** Results were reduced or left out because the response would have been too large. */
  readonly cut: boolean
  /** Words of the query that no card has, and the words that were searched instead. */
  readonly corrections: readonly Correction[]
  /** Why there are no results. With severity `info`: the query asked for more results than allowed. */
  readonly diagnostics: readonly Diagnostic[]
  /** Present when shards did not answer. The results are those of the other shards. */
  readonly missing?: MissingShards
  /** Present when results were grouped. */
  readonly grouped?: GroupedResults
  /** For the merge of shards: whether there may be more candidates than requested. */
  readonly more?: boolean
  /** The whole answer to `adp.discover` as JSON, if the directory made it. Then there are no other results. */
  readonly bytes?: Uint8Array
  /** After the merge: the depth to ask shards for next, if that may give more results. */
  readonly deeper?: number
}

export interface MissingShards {
  readonly asked: number
  readonly answered: number
}

/** An object that handles invocations: a directory, or a front of several shards. */
export interface Invocable {
  readonly limits: Pick<DirectoryLimits, 'answerBytes'>
  advertise(card: Uint8Array | string, sender?: Sender): Promise<AdvertiseResult>
  describe(id?: string, options?: DescribeOptions): DescribeResult | Promise<DescribeResult>
  discover(query: SearchQuery, options?: SearchOptions): SearchResponse | Promise<SearchResponse>
}

export interface Correction {
  /** The word as the query has it. */
  readonly word: string
  /** The words of the index, which lack English endings. */
  readonly instead: readonly string[]
}
