import type { Document } from '../document/document.ts'
import type { JsonObject } from '../text/members.ts'

/**
 * What a verb is given: text or bytes in JSON or YAML, a document that was read before, or the object that is in one. An object
 * is taken as it is: where a lenient reader merged names or rounded numbers before, nobody can see that any more.
 */
export type Source = Uint8Array | string | Document | JsonObject

/** For verbs that take nothing else. */
export interface FileOptions {
  /** What diagnostics call the document. */
  readonly file?: string
}
