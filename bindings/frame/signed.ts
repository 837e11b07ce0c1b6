import type { Document } from '../document/document.ts'
import type { Diagnostic } from '../document/types.ts'

/** What signing gives, and what changes a document. */
export interface Signed {
  /** Undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  /** Its JSON; what was there stays byte for byte what it was. */
  readonly bytes: Uint8Array | undefined
  readonly diagnostics: readonly Diagnostic[]
}
