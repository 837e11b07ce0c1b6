// Checks the form of a message, field by field.
import type { FindingKind } from '../document/finding.ts'
import { readBase64url } from '../keys/base64.ts'
import { isDateTime } from '../schema/formats/time.ts'
import { isObject, type JsonObject, member } from '../text/members.ts'
import { oneOf, shown } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { CONTENT_TYPES, domainOfUri, MESSAGE_TYPES } from './message.ts'

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
