/**
 * What a search index is asked.
 * @module
 */
import type { Factors, Question, Statistics } from '../wasm/rank.ts'
import { checkQuestion } from './index-checks.ts'
import { nameOf } from './pattern-arguments.ts'

export interface Query {
  /** Tags: `nlp/translation`, or `nlp` or `nlp/*` for all that is below. At most 32. */
  readonly tags?: readonly string[]
  /** Words that are ready-made: compared as they are. With those of the text, the first 256 different ones count. */
  readonly words?: readonly string[]
  readonly text?: string
  /** Hits wanted, 10 when absent, at most 1000. */
  readonly limit?: number
  /** The lowest score of a hit, 0 when absent. */
  readonly minScore?: number
  /** What each factor counts, from 0 to 1000; absent ones as in `DEFAULT_WEIGHTS`. */
  readonly weights?: Partial<Factors>
  /** Statistics to go by instead of the index's own: `sumStatistics` of all shards makes them answer as one index. */
  readonly statistics?: Statistics
}

/** https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-5 */
export const DEFAULT_WEIGHTS: Factors = { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 }

const NONE: readonly string[] = []

/** The part of a query that the core reads. */
export function questionOf(query: Pick<Query, 'tags' | 'words' | 'text'>): Question {
  if (typeof query !== 'object' || query === null)
    throw new TypeError(`query: expected an object, got ${nameOf(query)}`)
  const { tags = NONE, words = NONE, text = '' } = query
  checkQuestion(tags, words, text)
  return { tags, words, text }
}
