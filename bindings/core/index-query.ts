/**
 * The query of a search index.
 * @module
 */
import type { Factors, Statistics } from '../wasm/rank.ts'

export interface Query {
  /** Tags: `nlp/translation`; `nlp` or `nlp/*` also matches everything below. At most 32. */
  readonly tags?: readonly string[]
  /** Prepared words, compared exactly. Together with the words of the text, the first 256 different ones count. */
  readonly words?: readonly string[]
  readonly text?: string
  /** The most hits to return; default 10, maximum 1000. */
  readonly limit?: number
  /** The lowest score of a hit; default 0. */
  readonly minScore?: number
  /** The weight of each factor, from 0 to 1000; default: those of `DEFAULT_WEIGHTS`. */
  readonly weights?: Partial<Factors>
  /**
   * Statistics that replace the index's own: with the `sumStatistics` of all shards, the shards answer like one index.
   */
  readonly statistics?: Statistics
}

/** https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-5 */
export const DEFAULT_WEIGHTS: Factors = { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 }
