import type { Document } from '../document/document.ts'
import { objectAtRoot } from '../frame/subject.ts'
import {
  elements,
  isObject,
  isText,
  member,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textMember,
} from '../text/members.ts'
import { readUint64 } from './uint64.ts'

/**
 * An Agent Card as rules and verbs read it: only the members that are present and have the right type. The schema
 * reports members of a wrong type, so no other code has to check types.
 */
export class Card {
  readonly document: Document
  readonly root: PlacedObject
  readonly id: PlacedValue<string> | undefined
  readonly name: PlacedValue<string> | undefined
  readonly description: PlacedValue<string> | undefined
  readonly version: PlacedValue<string> | undefined
  readonly did: PlacedValue<string> | undefined
  readonly signature: PlacedValue<string> | undefined
  /** Exact: read from the text, because a double would round it. */
  readonly seq: PlacedValue<bigint> | undefined
  readonly skills: readonly PlacedValue<string>[]
  readonly tools: readonly PlacedObject[]
  readonly endpoints: readonly PlacedObject[]
  readonly constraints: PlacedObject | undefined
  readonly metadata: PlacedObject | undefined
  readonly extensions: PlacedObject | undefined

  /** @throws {TypeError} when the document is not a JSON object. */
  constructor(document: Document) {
    const root = objectAtRoot(document)
    this.document = document
    this.root = root
    this.id = textMember(root, 'id')
    this.name = textMember(root, 'name')
    this.description = textMember(root, 'description')
    this.version = textMember(root, 'version')
    this.did = textMember(root, 'did')
    this.signature = textMember(root, 'signature')
    this.seq = seqOf(document, root.value)
    this.skills = elements(root, 'skills', isText)
    this.tools = elements(root, 'tools', isObject)
    this.endpoints = elements(root, 'endpoints', isObject)
    this.constraints = objectMember(root, 'constraints')
    this.metadata = objectMember(root, 'metadata')
    this.extensions = objectMember(root, 'extensions')
  }
}

const cards = new WeakMap<Document, Card>()

/** Returns the card of a document. It is made once, so validation, verification and admission share one object. */
export function cardOf(document: Document): Card {
  let card = cards.get(document)
  if (card === undefined) {
    card = new Card(document)
    cards.set(document, card)
  }
  return card
}

function seqOf({ tape }: Document, root: PlacedObject['value']): PlacedValue<bigint> | undefined {
  if (typeof member(root, 'seq') !== 'number') return undefined
  const value = readUint64(tape.source(tape.find(['seq'])))
  return value === undefined ? undefined : { pointer: '/seq', value }
}
