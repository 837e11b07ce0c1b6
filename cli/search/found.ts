import type { Correction, SearchResult } from '../../bindings/directory/types.ts'
import type { Result } from '../outcome.ts'

/** A found agent, with the file of its card if it is local. */
export interface Hit extends SearchResult {
  readonly file: string | null
}

/** The outcome of a search, wherever the cards are. */
export interface SearchOutcome {
  /** Best first. */
  readonly hits: readonly Hit[]
  readonly corrections: readonly Correction[]
  /** Results for inputs that could not be searched. */
  readonly problems: readonly Result[]
  readonly notes: readonly string[]
}
