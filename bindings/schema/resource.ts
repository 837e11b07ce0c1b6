import type { Node } from './node.ts'
import type { Place } from './place.ts'

/** A schema with its own URI: a document, or a part of one that has an `$id`. */
export class Resource {
  readonly uri: string
  readonly root: unknown
  /** Its place in the document. */
  readonly place: Place
  /** The URI of the document; empty for the given one. */
  readonly document: string
  readonly anchors = new Map<string, { readonly schema: unknown; readonly place: Place }>()
  readonly dynamicAnchors = new Set<string>()
  /** Set when the resource declares its vocabularies. */
  vocabularies: ReadonlySet<string> | undefined
  /** The compiled nodes. A schema belongs to one resource only, unless the caller shares an object. */
  readonly nodes = new Map<unknown, Node>()

  constructor(uri: string, root: unknown, place: Place, document: string) {
    this.uri = uri
    this.root = root
    this.place = place
    this.document = document
  }
}
