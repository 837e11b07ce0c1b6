import { compactJson } from '../document/fixes.ts'
import type { Document } from '../document/parse.ts'
import { ARRAY, OBJECT } from '../document/tape.ts'
import type { Diagnostic } from '../document/types.ts'
import { Findings } from '../frame/collect.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { SignResult } from '../frame/source.ts'
import { type Reading, RootSubject } from '../frame/subject.ts'
import { visible } from '../text/hidden.ts'
import {
  elements,
  escapeToken,
  isObject,
  isText,
  member,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textMember,
} from '../text/members.ts'
import { CARD_SIZE, ROOT_OBJECT } from './findings.ts'
import schema from './schema.json' with { type: 'json' }

/**
 * An Agent Card as rules and verbs read it: only the members that are present and have the right type. The schema
 * reports members of a wrong type, so no other code has to check types.
 */
export class Card extends RootSubject {
  readonly id = textMember(this.root, 'id')
  readonly name = textMember(this.root, 'name')
  readonly description = textMember(this.root, 'description')
  readonly version = textMember(this.root, 'version')
  readonly did = textMember(this.root, 'did')
  readonly signature = textMember(this.root, 'signature')
  /** Exact: read from the text, because a double would round it. */
  readonly seq = seqOf(this.document, this.root.value)
  readonly skills = elements(this.root, 'skills', isText)
  readonly tools = elements(this.root, 'tools', isObject)
  readonly endpoints = elements(this.root, 'endpoints', isObject)
  readonly constraints = objectMember(this.root, 'constraints')
  readonly metadata = objectMember(this.root, 'metadata')
  readonly extensions = objectMember(this.root, 'extensions')
}

/** Returns the card of a document. It is made once, so validation, verification and admission share one object. */
export function cardOf(document: Document): Card {
  const card = document.subject instanceof Card ? document.subject : new Card(document)
  document.subject = card
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

// An Agent Card as in tables 1 to 7 of the draft. These types are for code that writes cards or has validated one.
// Cards of strangers are read through `Card`, which trusts nothing.

/** An Agent Card (section 3.1). Members that the draft does not define are kept. */
export interface AgentCard {
  /** The agent's agent:// URI. */
  readonly id: string
  readonly name: string
  readonly description?: string
  /** The version of the agent's capabilities: `1.2.0`. */
  readonly version?: string
  /** Tags: `python`, `nlp/translation`. */
  readonly skills?: readonly string[]
  readonly tools?: readonly CardTool[]
  readonly endpoints?: readonly CardEndpoint[]
  readonly constraints?: CardConstraints
  readonly did?: string
  readonly metadata?: CardMetadata
  /** By namespace: `clawnet.reputation`. */
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** A uint64. Above 2^53 - 1 a number cannot hold it, so `Card` reads it from the text. */
  readonly seq?: number
  /** Ed25519, base64url without padding. */
  readonly signature?: string
  readonly [other: string]: unknown
}

/** A method that can be invoked (section 3.4). */
interface CardTool {
  /** At most 255 UTF-8 bytes. */
  readonly name: string
  readonly description?: string
  /** JSON Schema (2020-12) of the request's body. */
  readonly input_schema?: Readonly<Record<string, unknown>>
  readonly output_schema?: Readonly<Record<string, unknown>>
  readonly streaming?: boolean
  readonly idempotent?: boolean
  readonly [other: string]: unknown
}

/** A place where methods can be reached (section 3.5). */
interface CardEndpoint {
  /** `aitp`, `http+json`, `grpc`, `ws`, or a protocol that the draft does not define. */
  readonly protocol: string
  readonly uri: string
  /** Default: all tools. */
  readonly methods?: readonly string[]
  /** `none`, `bearer`, `mutual_tls`, `aitp_signed`. */
  readonly auth?: string
  /** Lower is preferred. */
  readonly priority?: number
  readonly [other: string]: unknown
}

/** Limits that callers are asked to respect (section 3.7). */
interface CardConstraints {
  readonly max_concurrent_tasks?: number
  readonly max_input_tokens?: number
  /** ISO 639-1: `zh`. */
  readonly supported_languages?: readonly string[]
  /** `60/min` */
  readonly rate_limit?: string
  readonly [other: string]: unknown
}

/** When the card was made and updated, and how long it may be used (section 3.1). */
interface CardMetadata {
  readonly created_at?: string
  readonly updated_at?: string
  /** Seconds after retrieval. */
  readonly ttl?: number
  readonly [other: string]: unknown
}

// The size limit: a card travels in one message (Agent Card section 7.6).

/** The largest message of AIP. */
export const MOST_OCTETS = 65_535

/** How many of the largest members the finding lists. */
const NAMED = 5

interface Member {
  readonly pointer: string
  readonly octets: number
}

/** Reports a card that is too large, and its largest members. */
export function checkOctets(document: Document, findings: Findings): void {
  const octets = document.bytes.length
  if (octets <= MOST_OCTETS) return
  const heaviest = heaviestMembers(document)
  const names = heaviest.map(({ pointer, octets }) => `${visible(pointer)} ${octets}`).join(', ')
  const related = heaviest.map(({ pointer, octets }) => ({ pointer, message: `${octets} octets` }))
  const compact = compactJson(document).length
  const hint =
    compact <= MOST_OCTETS
      ? `without white space it has ${compact}: blazon fmt --compact`
      : `without white space it has ${compact}: shorten the heaviest members, or leave them out`
  const detail = `expected at most ${MOST_OCTETS} octets, found ${octets}; heaviest: ${names}`
  findings.add(CARD_SIZE, 'error', '', detail, { related, fix: { hint } })
}

/** The members of the card. If one holds more than half of the card, its own members are listed instead. */
function heaviestMembers({ tape }: Document): readonly Member[] {
  const members: Member[] = []
  const add = (container: number, base: string) => {
    const isObject = tape.kind(container) === OBJECT
    for (const [index, child] of tape.children(container).entries()) {
      const value = isObject ? child + 1 : child
      const token = isObject ? escapeToken(tape.text(child).slice(0, LONGEST_NAME)) : String(index)
      const octets = tape.end(value) - tape.start(child)
      const pointer = `${base}/${token}`
      const isList = tape.kind(value) === ARRAY || tape.kind(value) === OBJECT
      if (base === '' && isList && octets * 2 > tape.end(0)) add(value, pointer)
      else members.push({ pointer, octets })
    }
  }
  add(0, '')
  return members.sort((a, b) => b.octets - a.octets).slice(0, NAMED)
}

const LONGEST_NAME = 60

/** The result of making a card, with its warnings. Refuses a card that is larger than a message (section 7.6). */
export function cardResult(document: Document, before: readonly Diagnostic[]): SignResult {
  const findings = new Findings(1)
  checkOctets(document, findings)
  if (!findings.hasErrors) return { document, bytes: document.bytes, diagnostics: before }
  return { document: undefined, bytes: undefined, diagnostics: findings.diagnostics(document, before) }
}
