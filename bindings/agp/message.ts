// Messages of the Agent Gateway Protocol (ADP/1.1 section 7.2.3).

import { canonicalizeValue } from '../core/value.ts'
import type { FindingKind } from '../document/finding.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { encodeBase64url, readBase64url } from '../keys/base64.ts'
import { isDateTime } from '../schema/formats/time.ts'
import { isDomain } from '../text/host-name.ts'
import { isObject, type JsonObject, member } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { cut, oneOf, shown } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { AGP_CONTENT, AGP_HELLO } from './findings.ts'
import type { AgentError } from './outbox.ts'

const MESSAGE_TYPES = ['chat', 'task', 'system', 'ack'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

const CONTENT_TYPES = ['text/plain', 'text/html', 'application/json'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

/** The maximum size and nesting of a message. They are Blazon's own: the draft sets no limits. */
export const MESSAGE_BYTES = 262_144
export const MESSAGE_DEPTH = 32

/**
 * The second signature of a strict message, which covers everything that the first leaves out, and the number of the
 * message.
 */
interface StrictMark {
  readonly n: number
  readonly signature: string
}

interface MessageBody {
  readonly content: string
  /** Default: text/plain. Only a strict signature covers it. */
  readonly contentType?: ContentType
  /** The id of another message. Only a strict signature covers it. */
  readonly replyTo?: string
  readonly strict?: StrictMark
}

/** A message before it is signed. */
export interface Draft {
  /** A UUID. */
  readonly id: string
  /** `agent:alice.example.com`. */
  readonly from: string
  readonly to: string
  readonly type: MessageType
  /** RFC 3339. */
  readonly timestamp: string
  readonly body: MessageBody
}

export interface Message extends Draft {
  /** `ed25519:` and base64url without padding. */
  readonly signature: string
}

/** The parts of a message within a conversation, where both sides are known. */
export type MessageDraft = Omit<buildMessage.Parts, 'from' | 'to'>

export declare namespace buildMessage {
  /** The parts of a message that the sender chooses. */
  interface Parts {
    readonly from: string
    readonly to: string
    /** Default `chat`. */
    readonly type?: MessageType
    readonly content: string
    readonly contentType?: ContentType
    readonly replyTo?: string
  }

  /** Default: the current time and a random UUID. */
  interface Options {
    readonly now?: Date
    readonly id?: string
  }
}

/**
 * Builds a message from its parts, ready for `sign`.
 *
 * @example
 * const draft = buildMessage({ from: 'agent:alice.example.com', to: 'agent:bob.example.com', content: 'Good morning' })
 */
export function buildMessage(parts: buildMessage.Parts, options: buildMessage.Options = {}): Draft {
  const { from, to, type = 'chat', content, contentType = 'text/plain', replyTo } = parts
  const { now, id = crypto.randomUUID() } = options
  const body = { content, contentType, ...(replyTo !== undefined && { replyTo }) }
  return { id, from, to, type, timestamp: checkedNow(now).toISOString(), body }
}

/** Returns the domain of an agent URI, in lower case. Undefined for any other text. */
export function domainOfUri(uri: string): string | undefined {
  const domain = /^agent:([^/]+)$/.exec(uri)?.[1]
  return domain !== undefined && isDomain(domain) ? domain.toLowerCase() : undefined
}

/** Domain names ignore case. */
export const isSameAgent = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

// Message contents that the draft leaves open: hellos, acks and the other messages that keep a conversation going. Each
// is JSON in canonical form in `content`, so that the signature of section 7.2.5 covers all of it.

/** The content of a hello: the identity of the sender, and the hello that it answers. */
export interface Hello {
  readonly agent: string
  /** The fingerprint of its key, as in its metadata. */
  readonly fingerprint: string
  /** `ADP/1.1`. */
  readonly protocol: string
  /** The id of the hello that this one answers. */
  readonly answers?: string
  /** Sixteen random bytes in base64url. */
  readonly nonce: string
  /** For a strict conversation: the expected number of the other side's next message. */
  readonly strict?: number
}

/** The content of a message of type system or ack. */
export type Control =
  | { readonly hello: Hello }
  | { readonly ack: string }
  | { readonly heartbeat: true }
  | { readonly error: AgentError }
  | { readonly disconnect: true }

const CONTENT_DEPTH = 4
const NONCE_BYTES = 16
const FINGERPRINT_BYTES = 32
const LONGEST_DETAIL = 200
const SYSTEM = ['hello', 'heartbeat', 'error', 'disconnect'] as const

const decoder = new TextDecoder()

/** Returns JSON in canonical form. */
export const contentOf = (value: JsonObject): string => decoder.decode(canonicalizeValue(value))

export const newNonce = (): string => encodeBase64url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))

/** Unknown members are ignored, as everywhere in the draft. */
export function readControl(message: Message): Control | MessageFault {
  const value = parse(message.body.content, { maxDepth: CONTENT_DEPTH }).document?.value
  if (!isObject(value)) return wrong('expected a JSON object as the content')
  if (message.type === 'ack') {
    const ack = member(value, 'ack')
    return isUuid(ack) ? { ack: ack.toLowerCase() } : wrong('expected { "ack": the id of a message }')
  }
  const names = SYSTEM.filter((name) => member(value, name) !== undefined)
  if (names.length !== 1) return wrong(`expected one of ${oneOf(SYSTEM)}`)
  return READERS[names[0]!](value, message)
}

const READERS: Readonly<
  Record<(typeof SYSTEM)[number], (content: JsonObject, message: Message) => Control | MessageFault>
> = {
  hello: readHello,
  heartbeat: () => ({ heartbeat: true }),
  disconnect: () => ({ disconnect: true }),
  error(content) {
    const [error, detail, of] = ['error', 'detail', 'of'].map((name) => member(content, name))
    if (typeof error !== 'string' || !/^[A-Z]{2,8}-\d{1,5}$/.test(error)) return wrong('expected the code of an error')
    const words = typeof detail === 'string' ? cut(detail, LONGEST_DETAIL) : ''
    return { error: { code: error, detail: words, of: isUuid(of) ? of.toLowerCase() : undefined } }
  },
}

function readHello(content: JsonObject, { from }: Message): Control | MessageFault {
  const [agent, fingerprint, protocol, answers, nonce, strict] = (
    ['agent', 'fingerprint', 'protocol', 'answers', 'nonce', 'strict'] as const
  ).map((name) => member(content, name))
  const lacks = (what: string, found: unknown): MessageFault => ({
    ...wrong(`expected ${what}, found ${shown(found)}`),
    kind: AGP_HELLO,
  })
  if (content['hello'] !== 1) return lacks('hello 1', content['hello'])
  if (typeof agent !== 'string' || domainOfUri(agent) === undefined || !isSameAgent(agent, from))
    return lacks('the sender as agent', agent)
  if (!isBytes(fingerprint, FINGERPRINT_BYTES, 'ed25519:')) return lacks('a fingerprint', fingerprint)
  if (typeof protocol !== 'string' || versionOf(protocol) === undefined)
    return lacks('a protocol such as ADP/1.1', protocol)
  if (answers !== undefined && !isUuid(answers)) return lacks('the id of a hello in answers', answers)
  if (!isBytes(nonce, NONCE_BYTES)) return lacks('a nonce of 16 bytes', nonce)
  if (strict !== undefined && !isNumber(strict)) return lacks('a number in strict', strict)
  const hello = { agent, fingerprint, protocol, nonce }
  return {
    hello: {
      ...hello,
      ...(answers !== undefined && { answers: answers.toLowerCase() }),
      ...(strict !== undefined && { strict }),
    },
  }
}

const isBytes = (text: unknown, length: number, prefix = ''): text is string =>
  typeof text === 'string' && text.startsWith(prefix) && readBase64url(text.slice(prefix.length))?.length === length

const wrong = (detail: string): MessageFault => ({ kind: AGP_CONTENT, pointer: '/body/content', detail })

/** Converts a version to a comparable number: 1001 for `ADP/1.1`. */
export function versionOf(protocol: string): number | undefined {
  const [, major, minor] = /^ADP\/(\d{1,3})\.(\d{1,3})$/.exec(protocol) ?? []
  return major === undefined ? undefined : Number(major) * 1000 + Number(minor)
}

export const isFault = (value: object): value is MessageFault => 'kind' in value && 'pointer' in value

// Parses a message, and checks its form field by field.

/** A parsed message whose sender is not verified yet. */
export interface ParsedMessage {
  /** Undefined when a diagnostic is an error. */
  readonly message: Message | undefined
  /** Undefined when the source is not valid JSON. */
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

interface ParseMessageOptions {
  /** The file name of the message in diagnostics. */
  readonly file?: string
}

/** The maximum number of findings per message. One is enough to refuse it. */
const MOST_FINDINGS = 16

/**
 * Parses a message (section 7.2.3) strictly: one JSON object of at most 262,144 bytes. Members that the draft does not
 * define are kept and ignored.
 *
 * @example
 * const { message, diagnostics } = parseMessage(event.data)
 *
 * @throws {TypeError} when the source is neither text nor bytes.
 */
export function parseMessage(source: Uint8Array | string, options: ParseMessageOptions = {}): ParsedMessage {
  const limits = { maxBytes: MESSAGE_BYTES, maxDepth: MESSAGE_DEPTH }
  const { document, diagnostics } = parse(source, { ...options, ...limits })
  if (document === undefined) return { message: undefined, document, diagnostics }
  const faults = [...faultsOf(document.value, { signed: true })].slice(0, MOST_FINDINGS)
  if (faults.length === 0) return { message: document.value as Message, document, diagnostics }
  return { message: undefined, document, diagnostics: faults.map((fault) => diagnosticOf(document, fault)) }
}

/** The diagnostic of a fault, with its position. */
export const diagnosticOf = (document: Document, { kind, pointer, detail }: MessageFault): Diagnostic =>
  ruleDiagnostic(document, kind, 'error', pointer, detail)

/** A requirement that a message violates, and the place in it. */
export interface MessageFault {
  readonly kind: FindingKind
  readonly pointer: string
  readonly detail: string
}

interface Field {
  readonly name: string
  readonly kind: FindingKind
  readonly expected: string
  is(text: string): boolean
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const LONGEST_TIME = 40
const PREFIX = 'ed25519:'

const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)
const isAgent = (text: string) => domainOfUri(text) !== undefined

/** Returns the bytes of a signature. Strict base64url has exactly one spelling for them. */
export function signatureIn(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  const digits = typeof text === 'string' && text.startsWith(PREFIX) ? text.slice(PREFIX.length) : undefined
  const bytes = digits?.length === 86 ? readBase64url(digits) : undefined
  return bytes?.length === 64 ? bytes : undefined
}

/** The signed bytes separate the first five fields by line feeds. A line feed inside a field would shift the others. */
const SIGNED_FIELDS: readonly Field[] = [
  { name: 'id', kind: FINDINGS.AGP_ID, expected: 'a UUID', is: isUuid },
  { name: 'from', kind: FINDINGS.AGP_AGENT, expected: 'agent: and a domain', is: isAgent },
  { name: 'to', kind: FINDINGS.AGP_AGENT, expected: 'agent: and a domain', is: isAgent },
  {
    name: 'type',
    kind: FINDINGS.AGP_TYPE,
    expected: oneOf(MESSAGE_TYPES),
    is: (text) => MESSAGE_TYPES.some((type) => type === text),
  },
  {
    name: 'timestamp',
    kind: FINDINGS.AGP_TIMESTAMP,
    expected: 'a time of RFC 3339',
    // Dates here cannot represent leap seconds.
    is: (text) => text.length <= LONGEST_TIME && isDateTime(text) && !Number.isNaN(Date.parse(text)),
  },
]
const SIGNATURE_FIELD: Field = {
  name: 'signature',
  kind: FINDINGS.AGP_SIGNATURE,
  expected: 'ed25519: and 64 bytes in base64url without padding',
  is: (text) => signatureIn(text) !== undefined,
}

/** Yields every fault in the form of a message. */
export function* faultsOf(value: unknown, { signed }: { readonly signed: boolean }): Generator<MessageFault> {
  if (!isObject(value)) {
    yield { kind: FINDINGS.AGP_SHAPE, pointer: '', detail: `expected an object, found ${shown(value)}` }
    return
  }
  for (const field of SIGNED_FIELDS) yield* fieldFaults(value, field, true)
  if (signed) yield* fieldFaults(value, SIGNATURE_FIELD, false)
  const body = member(value, 'body')
  if (isObject(body)) yield* bodyFaults(body)
  else yield missing('/body', 'an object', body)
}

function* fieldFaults(
  message: JsonObject,
  { name, kind, expected, is }: Field,
  isLine: boolean,
): Generator<MessageFault> {
  const value = member(message, name)
  const pointer = `/${name}`
  if (typeof value !== 'string') yield missing(pointer, 'text', value)
  else if (isLine && /[\r\n]/.test(value))
    yield { kind: FINDINGS.AGP_LINE_FEED, pointer, detail: `expected ${expected} in one line, found ${shown(value)}` }
  else if (!is(value)) yield { kind, pointer, detail: `expected ${expected}, found ${shown(value)}` }
}

function* bodyFaults(body: JsonObject): Generator<MessageFault> {
  const content = member(body, 'content')
  const type = member(body, 'contentType')
  const replyTo = member(body, 'replyTo')
  if (typeof content !== 'string') yield missing('/body/content', 'text', content)
  if (type !== undefined && !CONTENT_TYPES.some((known) => known === type)) {
    const detail = `expected ${oneOf(CONTENT_TYPES)}, found ${shown(type)}`
    yield { kind: FINDINGS.AGP_CONTENT_TYPE, pointer: '/body/contentType', detail }
  }
  if (replyTo !== undefined && !isUuid(replyTo))
    yield { kind: FINDINGS.AGP_ID, pointer: '/body/replyTo', detail: `expected a UUID, found ${shown(replyTo)}` }
  const strict = member(body, 'strict')
  if (strict !== undefined) yield* strictFaults(strict)
}

function* strictFaults(strict: unknown): Generator<MessageFault> {
  const pointer = '/body/strict'
  if (!isObject(strict)) yield missing(pointer, 'an object', strict)
  else if (!isNumber(member(strict, 'n')))
    yield { kind: FINDINGS.AGP_NOT_STRICT, pointer: `${pointer}/n`, detail: 'expected a whole number from 0 on' }
  else if (signatureIn(member(strict, 'signature')) === undefined)
    yield {
      kind: FINDINGS.AGP_NOT_STRICT,
      pointer: `${pointer}/signature`,
      detail: `expected ${SIGNATURE_FIELD.expected}`,
    }
}

/** True for a message number: a safe integer that is not negative. */
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function missing(pointer: string, expected: string, found: unknown): MessageFault {
  const is = found === undefined ? 'nothing' : shown(found)
  return { kind: FINDINGS.AGP_SHAPE, pointer, detail: `expected ${expected} at ${pointer}, found ${is}` }
}
