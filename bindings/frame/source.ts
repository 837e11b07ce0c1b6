import type { Document } from '../document/parse.ts'
import type { Files } from '../document/types.ts'
import type { JsonObject } from '../text/members.ts'

/**
 * A document in any form that verbs accept: JSON or YAML as text or bytes, a parsed document, a plain object, or the
 * files of a folder by their paths. An object is taken as it is: if a lenient parser merged duplicate names or rounded
 * numbers, that is lost already.
 */
export type Source = Uint8Array | string | Document | JsonObject | Files

/** Options for verbs that need only the file name. */
export interface FileOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
}
