import type { Node } from './node.ts'
import type { Place } from './place.ts'

/** A schema with a URI of its own: a document, or a part of one that has an `$id`. */
export class Resource {
  readonly uri: string
  readonly root: unknown
  /** Where it begins in its document. */
  readonly place: Place
  /** The URI of the document, empty for the one that was given. */
  readonly document: string
  readonly anchors = new Map<string, { readonly schema: unknown; readonly place: Place }>()
  readonly dynamicAnchors = new Set<string>()
  /** Set when it says which vocabularies it is written in. */
  vocabularies: ReadonlySet<string> | undefined
  /** What is compiled. A schema stands in one resource only, unless somebody shares an object. */
  readonly nodes = new Map<unknown, Node>()

  constructor(uri: string, root: unknown, place: Place, document: string) {
    this.uri = uri
    this.root = root
    this.place = place
    this.document = document
  }
}
