import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { shapeOnce } from '../frame/shape.ts'
import { objectAtRoot, type Reading } from '../frame/subject.ts'
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
import { ROOT_OBJECT } from './findings.ts'
import schema from './schema.json' with { type: 'json' }
import type { AgentCard } from './types.ts'

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

/** The JSON Schema (draft 2020-12) of a card, for editors and other validators. `validate` checks more than this. */
export const CARD_SCHEMA: Readonly<Record<string, unknown>> = schema

export const cardShape = shapeOnce(schema)

/** How Agent Cards are parsed. */
export const CARD_READING: Reading<Card> = {
  kind: 'card',
  rootObject: ROOT_OBJECT,
  subject: cardOf,
  onRead: ofSeq,
}

/**
 * Large integers elsewhere get the advice to become strings. A seq must stay a uint64 (section 3.1), so the advice is
 * to count from lower.
 */
function ofSeq(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.source.pointer !== '/seq' || diagnostic.rule !== 'json/unsafe-integer') return diagnostic
  return { ...diagnostic, fix: { hint: 'count from a lower number: signatures cover a seq up to 9007199254740991' } }
}

/**
 * Returns the members of a parsed card, or of the JSON value of one. The value is not trusted: it may come from a
 * stranger.
 */
export function rootOf(card: Card | AgentCard): PlacedObject {
  if (card instanceof Card) return card.root
  if (isObject(card)) return { pointer: '', value: card }
  throw new TypeError(`card: expected a Card or the JSON object of one, got ${card === null ? 'null' : typeof card}`)
}

/**
 * True when a card revokes the agent: both `tools` and `endpoints` are present and empty (section 6.4). A card that
 * merely lacks both is a minimal card.
 *
 * @example
 * isRevocation({ id: 'agent://scout', name: 'Scout', tools: [], endpoints: [] }) // true
 *
 * @throws {TypeError} for a value that is neither a Card nor an object.
 */
export function isRevocation(card: Card | AgentCard): boolean {
  const root = rootOf(card).value
  return ['tools', 'endpoints'].every((name) => {
    const list = member(root, name)
    return Array.isArray(list) && list.length === 0
  })
}

const LARGEST = 2n ** 64n - 1n

/** The number of digits of the largest uint64. */
const MOST_DIGITS = 20

/** Bounds the input: no legitimate integer is longer, and a number of a million digits would take long to parse. */
const MOST_CHARACTERS = 64

/**
 * Reads a JSON number in any notation as an integer, without a double, which would round it. Undefined when it is not
 * an integer, or has more than 20 digits.
 */
export function readInteger(text: string): bigint | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (parts === null) return undefined
  const [, sign, whole, fraction = '', power = '0'] = parts
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return 0n
  const zeros = digits.length - significant.length + Number(power) - fraction.length
  if (zeros < 0 || significant.length + zeros > MOST_DIGITS) return undefined
  return BigInt(`${sign}${significant}${'0'.repeat(zeros)}`)
}

/**
 * Reads a JSON number as an unsigned 64-bit integer.
 *
 * @example
 * readUint64('18446744073709551615') // 18446744073709551615n
 * readUint64('1.5e3') // 1500n
 * readUint64('1.5') // undefined
 */
export function readUint64(text: string): bigint | undefined {
  const value = readInteger(text)
  return value !== undefined && value >= 0n && value <= LARGEST ? value : undefined
}
