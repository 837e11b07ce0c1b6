import type { Diagnostic } from '../document/types.ts'
import type { Kind } from '../kinds.ts'

/** The result of checking a document. */
export interface ValidationReport {
  /** True when no diagnostic is an error. */
  readonly valid: boolean
  /** The kind of the document; undefined when it could not be detected. */
  readonly kind: Kind | undefined
  /** In document order. */
  readonly diagnostics: readonly Diagnostic[]
}
