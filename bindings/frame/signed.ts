import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'

/** The result of signing a document, or of changing one. */
export interface SignResult {
  /** Undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  /** The document's JSON; everything that was not changed stays byte for byte. */
  readonly bytes: Uint8Array | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** How many errors the document has that only `force` signs. */
  readonly errors?: number
}
