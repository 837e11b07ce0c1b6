import type { Diagnostic } from '../document/types.ts'
import type { Kind } from '../kinds.ts'

/** What checking a document came to. */
export interface ValidationReport {
  /** No diagnostic is an error. */
  readonly valid: boolean
  /** What the document is; undefined when that could not be told. */
  readonly kind: Kind | undefined
  /** In the order of the document. */
  readonly diagnostics: readonly Diagnostic[]
}
