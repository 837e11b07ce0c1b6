import type { Correction, DiscoverResult } from '../../bindings/directory/index.ts'
import type { Result } from '../context.ts'

/** An agent that was found, and the file that its card is in, where it is in one. */
export interface Hit extends DiscoverResult {
  readonly file: string | null
}

/** What a search came to, wherever the cards were. */
export interface Found {
  /** Best first. */
  readonly hits: readonly Hit[]
  readonly corrections: readonly Correction[]
  /** Of what could not be searched. */
  readonly problems: readonly Result[]
  readonly notes: readonly string[]
}
