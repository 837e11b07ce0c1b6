import type { Document } from '../../document/parse.ts'
import { objectAtRoot, type Reading } from '../../frame/subject.ts'
import { member, type PlacedObject } from '../../text/members.ts'
import { ROOT_OBJECT } from './findings.ts'

/** PVS-1 section 3. */
export const DECISIONS = ['allow', 'deny', 'escalate'] as const

/** A policy verdict as rules read it: a document, or the part of a run record. */
export class Verdict {
  readonly document: Document
  readonly root: PlacedObject

  constructor(document: Document, root: PlacedObject) {
    this.document = document
    this.root = root
  }

  get(name: string): unknown {
    return member(this.root.value, name)
  }
}

export const VERDICT_READING: Reading<Verdict> = {
  kind: 'verdict',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Verdict(document, objectAtRoot(document)),
}
