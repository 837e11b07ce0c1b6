import type { Dialect } from './dialect.ts'
import type { Node } from './node.ts'
import type { Place } from './place.ts'

/** A schema with its own URI: a document, or a part of one that has an `$id`. */
export class Resource {
  readonly uri: string
  readonly root: unknown
  /** Its place in the document. */
  readonly place: Place
  /** The URI of the document; empty for the caller's own schema. */
  readonly document: string
  readonly anchors = new Map<string, { readonly schema: unknown; readonly place: Place }>()
  readonly dynamicAnchors = new Set<string>()
  readonly dialect: Dialect
  /** The compiled nodes. A schema belongs to one resource only, unless the caller uses one object in several places. */
  readonly nodes = new Map<unknown, Node>()

  constructor(uri: string, root: unknown, place: Place, document: string, dialect: Dialect) {
    this.uri = uri
    this.root = root
    this.place = place
    this.document = document
    this.dialect = dialect
  }
}
