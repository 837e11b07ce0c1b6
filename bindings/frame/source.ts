import type { Document } from '../document/document.ts'
import type { JsonObject } from '../text/members.ts'

/**
 * A document in any form that verbs take: text or bytes in JSON or YAML, a document that was read before, or the object in
 * one. An object is taken as it is: where a lenient reader merged names or rounded numbers before, that can no longer be
 * seen.
 */
export type Source = Uint8Array | string | Document | JsonObject

/** For verbs that take nothing else. */
export interface FileOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
}
