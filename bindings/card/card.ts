import type { Document } from '../document/document.ts'
import { objectAtRoot } from '../frame/subject.ts'
import {
  elements,
  isObject,
  isText,
  member,
  objectMember,
  type Placed,
  type PlacedObject,
  textMember,
} from '../text/members.ts'
import { readUint64 } from './uint64.ts'

/**
 * An Agent Card as rules and verbs read it: every part that is there and has the right type, and nothing else. What is
 * ill-typed is the schema's matter; nobody else has to check a type.
 */
export class Card {
  readonly document: Document
  readonly root: PlacedObject
  readonly id: Placed<string> | undefined
  readonly name: Placed<string> | undefined
  readonly description: Placed<string> | undefined
  readonly version: Placed<string> | undefined
  readonly did: Placed<string> | undefined
  readonly signature: Placed<string> | undefined
  /** To the last digit, read from the text. */
  readonly seq: Placed<bigint> | undefined
  readonly skills: readonly Placed<string>[]
  readonly tools: readonly PlacedObject[]
  readonly endpoints: readonly PlacedObject[]
  readonly constraints: PlacedObject | undefined
  readonly metadata: PlacedObject | undefined
  readonly extensions: PlacedObject | undefined

  /** @throws {TypeError} when the document is no JSON object. */
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

/** The card that a document is, made once: who checks, verifies and admits it reads the same one. */
export function cardOf(document: Document): Card {
  let card = cards.get(document)
  if (card === undefined) {
    card = new Card(document)
    cards.set(document, card)
  }
  return card
}

function seqOf({ tape }: Document, root: PlacedObject['value']): Placed<bigint> | undefined {
  if (typeof member(root, 'seq') !== 'number') return undefined
  const value = readUint64(tape.source(tape.find(['seq'])))
  return value === undefined ? undefined : { pointer: '/seq', value }
}
