// Parses a message, and checks its form field by field.

import type { FindingKind } from '../document/finding.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { readBase64url } from '../keys/base64.ts'
import { isDateTime } from '../schema/formats/time.ts'
import { isObject, type JsonObject, member } from '../text/members.ts'
import { oneOf, shown } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { CONTENT_TYPES, domainOfUri, MESSAGE_BYTES, MESSAGE_DEPTH, MESSAGE_TYPES, type Message } from './message.ts'

/** A parsed message whose sender is not verified yet. */
export interface ParsedMessage {
  /** Undefined when a diagnostic is an error. */
  readonly message: Message | undefined
  /** Undefined when the source is not valid JSON. */
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export interface ParseMessageOptions {
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

export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)
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
export const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function missing(pointer: string, expected: string, found: unknown): MessageFault {
  const is = found === undefined ? 'nothing' : shown(found)
  return { kind: FINDINGS.AGP_SHAPE, pointer, detail: `expected ${expected} at ${pointer}, found ${is}` }
}
