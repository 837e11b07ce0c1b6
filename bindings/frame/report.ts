import type { Diagnostic } from '../document/types.ts'
import type { Kind } from '../kinds.ts'
import type { Conformance } from './conformance.ts'

/** The result of checking a document. */
export interface ValidationReport {
  /** True when no diagnostic is an error. */
  readonly valid: boolean
  /** The kind of the document; undefined when it could not be detected. */
  readonly kind: Kind | undefined
  /** In document order. */
  readonly diagnostics: readonly Diagnostic[]
  /** For kinds whose specification defines levels, unless the document could not be read or checked. */
  readonly conformance?: Conformance
}
