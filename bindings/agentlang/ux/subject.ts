import type { Document } from '../../document/document.ts'
import { objectAtRoot, type Reading } from '../../frame/subject.ts'
import type { PlacedObject } from '../../text/members.ts'
import { ROOT_OBJECT } from '../findings.ts'

/** The hints of ux.yaml. */
export class UxHints {
  readonly document: Document
  readonly root: PlacedObject

  constructor(document: Document) {
    this.document = document
    this.root = objectAtRoot(document)
  }
}

export const UX_READING: Reading<UxHints> = {
  kind: 'ux',
  rootObject: ROOT_OBJECT,
  subject: (document) => new UxHints(document),
}
