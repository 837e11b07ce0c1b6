/**
 * The query of a search index.
 * @module
 */
import type { Factors, Statistics } from '../wasm/rank.ts'

export interface Query {
  /** Tags: `nlp/translation`, or `nlp` or `nlp/*` for everything below. At most 32. */
  readonly tags?: readonly string[]
  /** Prepared words, compared as they are. Together with those of the text, the first 256 different ones count. */
  readonly words?: readonly string[]
  readonly text?: string
  /** The number of hits wanted: 10 when absent, 1000 at most. */
  readonly limit?: number
  /** The lowest score of a hit, 0 when absent. */
  readonly minScore?: number
  /** The weight of each factor, from 0 to 1000; absent ones are those of `DEFAULT_WEIGHTS`. */
  readonly weights?: Partial<Factors>
  /** Statistics that replace the index's own: with the `sumStatistics` of all shards they answer as one index. */
  readonly statistics?: Statistics
}

/** https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-5 */
export const DEFAULT_WEIGHTS: Factors = { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 }
