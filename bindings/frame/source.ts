import type { Document } from '../document/document.ts'
import type { JsonObject } from '../text/members.ts'

/**
 * A document in any form that verbs accept: JSON or YAML as text or bytes, a parsed document, or a plain object.
 * An object is taken as it is: if a lenient parser merged duplicate names or rounded numbers, that is lost already.
 */
export type Source = Uint8Array | string | Document | JsonObject

/** Options for verbs that need only the file name. */
export interface FileOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
}
