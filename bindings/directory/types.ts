import type { Supersession } from '../card/supersede.ts'
import type { AgentCard } from '../card/types.ts'
import type { Factors } from '../core/index.ts'
import type { Document } from '../document/document.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Crowd } from './grouping.ts'
import type { DirectoryLimits } from './settings.ts'
import type { Standing } from './stored.ts'

/** Knowledge that a deployment has of an agent besides its card (section 5). */
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
  /** The agents of which anything is known, for an index that is restored to learn their changes since it was saved. */
  known?(): Iterable<string>
}

/** The number of times that a word counts which stands in a member of a card: from 0 to 8. */
export interface TextFields {
  readonly name: number
  readonly description: number
  readonly skills: number
  /** Names and descriptions of tools. */
  readonly tools: number
}

/** The help that a new agent is given, so that it does not end behind all others (section 5). */
export interface ColdStart {
  /** An agent with fewer completed tasks is new: 5. */
  readonly tasks: number
  /** Added to the reputation of a new agent, which stays at 1 at the most: 0.1. */
  readonly reputation: number
}

/** The one who advertises a card. */
export interface Sender {
  /** The agent:// URI that the transport authenticated, when it did: the card's `id` has to be it. */
  readonly id?: string
  /** The operator, whose token is for this card's id: no signature is asked for. */
  readonly operator?: boolean
  /** The name that the rate limit counts, such as an IP address; `id` when absent. */
  readonly address?: string
  /** The operator brings a card that proves its own origin: `policy` may let it in where a stranger's would wait. */
  readonly admitted?: boolean
}

/** The facts that a policy knows of a card besides the card itself. */
export interface Offer {
  /** The fingerprint of the key that showed whose card it is, where it was a key. */
  readonly signer: string | undefined
  readonly sender: Sender
}

/** The reason that a policy does not let a card in, in words for its sender. */
export interface Refusal {
  readonly reason: 'policy' | 'blocked' | 'waiting'
  readonly detail: string
}

/**
 * AITP's names for what became of a request, and FULL, when there is no room, which waiting does not help. Of AITP's numbers the
 * draft tells two: UNAUTHORIZED is 5, INVALID_REQUEST 6.
 */
export type Status = 'OK' | 'UNAUTHORIZED' | 'INVALID_REQUEST' | 'NOT_FOUND' | 'BUSY' | 'FULL'

/**
 * The reason for which a card is stored, or is not although nothing is wrong with it. `renewed`: it is the one that was there and had expired.
 * `equal`: it is the one that is there, which stays for another ttl. `older` than it. `policy` of the directory, which may say that the operator
 * has `blocked` the agent, or that the card is `waiting` for the operator. `quota`: whose key
 * signed it has as many cards as one may. The others are those of `compare`.
 */
export type Reason =
  | Exclude<Supersession['reason'], 'same' | 'stale'>
  | 'renewed'
  | 'equal'
  | 'older'
  | Refusal['reason']
  | 'quota'

export interface Advertised {
  readonly status: 'OK' | 'UNAUTHORIZED' | 'INVALID_REQUEST' | 'BUSY' | 'FULL'
  readonly stored: boolean
  /** Absent unless the status is OK. */
  readonly reason?: Reason
  /** The way in which the card was verified, and the fingerprint of the key where it was one. */
  readonly standing?: Standing
  readonly signer?: string
  /** Of a card that is stored or stays: from then on nobody is given it. Milliseconds. */
  readonly expiresAt?: number
  /** Seconds after which a sender that is BUSY may come again, when that is known. */
  readonly retryAfter?: number
  readonly diagnostics: readonly Diagnostic[]
}

export interface DescribeOptions {
  /** Members wanted; `id` and `name` come always. Unknown names are ignored. */
  readonly fields?: readonly string[]
  /** The agent:// URI of who asks, when the transport authenticated it. */
  readonly caller?: string
}

export interface Described {
  /** UNAUTHORIZED: the caller is shown nothing of the card. */
  readonly status: 'OK' | 'NOT_FOUND' | 'UNAUTHORIZED'
  readonly agent_card?: AgentCard
  /** Members were left out: it has no signature, and the whole card is what `describe` without fields gives. */
  readonly partial: boolean
  /** The signature of the whole card, beside a part that is one for `fields` alone: `describeAll` verifies it in the end. */
  readonly signature?: string
  /** The same as JSON; the whole card as it came, byte for byte. */
  readonly bytes?: Uint8Array
  readonly standing?: Standing
  readonly revoked?: boolean
  /** Milliseconds; absent for the directory's own card. */
  readonly expiresAt?: number
  /** The reason that there is no card any more, when the operator took it down. */
  readonly gone?: string
  /** Other signed cards of the same `seq`, as they came. */
  readonly equivocations?: readonly Uint8Array[]
}

/** A query (table 8): tags, or text, or both. */
export interface DiscoverQuery {
  readonly tags?: readonly string[]
  readonly query?: string
  /** From 1 to 100, which more are cut to: 10. */
  readonly limit?: number
  /** From 0 to 1: 0.1. */
  readonly min_score?: number
}

export interface DiscoverOptions {
  /** Adds to each result the factors of its score and why it ranks where it does. */
  readonly explain?: boolean
  /** The weights of factors, in place of the directory's. */
  readonly weights?: Partial<Factors>
  /** Of all shards together, so that each answers as a part of one directory. */
  readonly statistics?: QueryStatistics
  /** The agent:// URI of who asks, when the transport authenticated it. */
  readonly caller?: string
  /** The document that the query was read from: diagnostics have its positions. */
  readonly document?: Document
  /** For shards of a directory that groups: so many candidates, with what `mergeAnswers` groups them by. */
  readonly depth?: number
}

/** Figures that shards tell each other about a query before they answer it: JSON. `sumQueryStatistics` joins those of all shards. */
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
  /**
   * 0 for a longer word that begins with the query's; 1 or 2 letters wrong; of a beginning of the query's word 2 and the letters
   * that are left.
   */
  readonly distance: number
}

/** The contribution of a factor to a score. */
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
  /** True when the origin of the card was proven, and it did not enter by an operator's word alone. */
  readonly verified: boolean
  /** The number of other signed cards of the same `seq`. */
  readonly equivocations: number
  /** The digits of the card's `seq`, where `agent_card` does not have them: it is in brief, or the seq is beyond 2^53 - 1. */
  readonly seq?: string
  /** A part of the card, for there was no room for it, or the caller is shown no more: `adp.describe` may give it whole. */
  readonly partial?: boolean
  /** Each factor before it is weighted, when asked to explain. */
  readonly factors?: Factors
  readonly why?: readonly FactorShare[]
  /** Agents whose cards say the same, in a directory that groups: how many were seen, and the best of them. */
  readonly same?: { readonly count: number; readonly agents: readonly SameAgent[] }
  /** For whoever joins shards. */
  readonly crowd?: Crowd
}

export interface SameAgent {
  readonly id: string
  readonly name: string
  readonly score: number
}

/** Cards that a directory that groups did not give a place of their own. */
export interface GroupedResults {
  /** Cards that say what a result says: they are beneath it. */
  readonly same: number
  /** Cards of which the signer, or a host of endpoints, has as many results as one may. */
  readonly left_out: number
}

export interface Discovered {
  readonly status: 'OK' | 'INVALID_REQUEST'
  readonly results: readonly DiscoverResult[]
  /** Results were cut or left out because the answer would have been too large. */
  readonly cut: boolean
  /** Words of the query that no card has, and the words that were looked for instead. */
  readonly corrections: readonly Correction[]
  /** The reasons for which there is no answer; of severity `info`, that fewer results are given than the limit asks for. */
  readonly diagnostics: readonly Diagnostic[]
  /** Shards did not answer: the results are those of the others alone. */
  readonly missing?: MissingShards
  /** Present where results were grouped. */
  readonly grouped?: GroupedResults
  /** For whoever joins shards: whether there may be candidates beyond those that were asked for. */
  readonly more?: boolean
}

export interface MissingShards {
  readonly asked: number
  readonly answered: number
}

/** A party that answers invocations: a directory, or one in front of many shards. */
export interface Invocable {
  readonly limits: Pick<DirectoryLimits, 'answerBytes'>
  advertise(card: Uint8Array | string, sender?: Sender): Promise<Advertised>
  describe(id?: string, options?: DescribeOptions): Described | Promise<Described>
  discover(query: DiscoverQuery, options?: DiscoverOptions): Discovered | Promise<Discovered>
}

export interface Correction {
  /** As the query writes it. */
  readonly word: string
  /** As the index has them: without English endings. */
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
    readonly fields: TextFields
  }
  readonly defaults: { readonly limit: number; readonly min_score: number }
  readonly limits: { readonly limit: readonly [number, number]; readonly min_score: readonly [number, number] }
}
