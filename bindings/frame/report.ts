import type { Diagnostic } from '../document/types.ts'
import type { Kind } from '../kinds.ts'

/** The result of checking a document. */
export interface ValidationReport {
  /** No diagnostic is an error. */
  readonly valid: boolean
  /** The kind of the document; undefined when it could not be told. */
  readonly kind: Kind | undefined
  /** In the order of the document. */
  readonly diagnostics: readonly Diagnostic[]
}
