import type { Document } from '../document/parse.ts'
import { objectAtRoot, type Reading } from '../frame/subject.ts'
import { elements, isObject, objectMember, type PlacedObject } from '../text/members.ts'
import { ROOT_OBJECT } from './findings.ts'

/** An AI catalog as rules read it: only the members that are present and have the right type. */
export class AiCatalog {
  readonly document: Document
  readonly root: PlacedObject
  readonly host: PlacedObject | undefined
  readonly entries: readonly PlacedObject[]

  /** @throws {TypeError} when the document is not a JSON object. */
  constructor(document: Document) {
    const root = objectAtRoot(document)
    this.document = document
    this.root = root
    this.host = objectMember(root, 'host')
    this.entries = elements(root, 'entries', isObject)
  }
}

/** How AI catalogs are parsed. */
export const CATALOG_READING: Reading<AiCatalog> = {
  kind: 'ai-catalog',
  rootObject: ROOT_OBJECT,
  subject: (document) => new AiCatalog(document),
}
