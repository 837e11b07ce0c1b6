// Domain names as text: labels in lower case (A to Z only), dots between them, `\` before characters that a zone file
// would not take as they are. The root is `.`; no other name ends in a dot. Equal names have equal texts.

import type { FindingKind } from '../../document/finding.ts'
import { compareBytes } from '../../text/bytes.ts'
import { DNS_NAME, DNS_NO_ANSWER, DNS_REFUSED, DNS_RESOLVER, DNSSEC_DROPPED } from './findings.ts'

export type Name = string

export const ROOT: Name = '.'

const MOST_BYTES = 255
const MOST_IN_LABEL = 63
const DOT = 0x2e
const BACKSLASH = 0x5c
/** Characters with a special meaning in zone files (RFC 1035 section 5.1). */
const SPECIAL = '.\\"();@$'

const escapeByte = (byte: number) => `\\${String(byte).padStart(3, '0')}`

function byteText(byte: number): string {
  if (byte <= 0x20 || byte >= 0x7f) return escapeByte(byte)
  const letter = String.fromCharCode(byte).toLowerCase()
  return SPECIAL.includes(letter) ? `\\${letter}` : letter
}

/** The text for each byte of a label. */
const TEXT: readonly string[] = Array.from({ length: 256 }, (_, byte) => byteText(byte))

/** The text of a label. */
export function labelText(bytes: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let i = from; i < to; i++) text += TEXT[bytes[i]!]
  return text
}

/**
 * Splits a written name into labels, as bytes in lower case. A final dot is allowed.
 *
 * @throws {DnsError} DNS-108 for a malformed name.
 */
function labelBytes(text: string): Uint8Array[] {
  const fail = (why: string): never => {
    throw new DnsError(DNS_NAME, `${excerptOf(text)}: ${why}`)
  }
  if (text.length > 4 * MOST_BYTES) fail(`a name has at most ${MOST_BYTES} bytes`)
  if (text === ROOT) return []
  const labels: Uint8Array[] = []
  let label: number[] = []
  const end = () => {
    if (label.length === 0) fail('a label is empty')
    if (label.length > MOST_IN_LABEL) fail(`a label has at most ${MOST_IN_LABEL} bytes`)
    labels.push(Uint8Array.from(label))
    label = []
  }
  for (let i = 0; i < text.length; i++) {
    let byte = text.charCodeAt(i)
    if (byte === DOT) {
      end()
      continue
    }
    if (byte === BACKSLASH) {
      const digits = /^\d{3}/.exec(text.slice(i + 1, i + 4))?.[0]
      byte = digits === undefined ? text.charCodeAt(i + 1) : Number(digits)
      i += digits === undefined ? 1 : 3
    } else if (byte <= 0x20 || byte >= 0x7f) fail('a character that a name does not have; others are written as xn--')
    // NaN after a final backslash.
    if (!(byte <= 0xff)) fail('a backslash without a character')
    label.push(byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)
  }
  if (!text.endsWith('.') || label.length > 0 || labels.length === 0) end()
  if (lengthOf(labels) > MOST_BYTES) fail(`a name has at most ${MOST_BYTES} bytes`)
  return labels
}

/** The length of a name over the wire: each label after its length, and the root. */
const lengthOf = (labels: readonly Uint8Array[]) => labels.reduce((sum, label) => sum + 1 + label.length, 1)

const excerptOf = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

/**
 * Reads a name into the form that this folder uses.
 *
 * @throws {DnsError} DNS-108 for a malformed name.
 */
export function readName(text: string): Name {
  const labels = labelBytes(text)
  return labels.length === 0 ? ROOT : labels.map((label) => labelText(label, 0, label.length)).join('.')
}

/** Writes a name for the wire, without compression. */
export function nameToWire(name: Name): Uint8Array {
  if (name.length < MOST_BYTES - 1 && PLAIN.test(name)) return plainToWire(name)
  const labels = labelBytes(name)
  const wire = new Uint8Array(lengthOf(labels))
  let at = 0
  for (const label of labels) {
    wire[at] = label.length
    wire.set(label, at + 1)
    at += 1 + label.length
  }
  return wire
}

/** Nearly all names: one byte per letter, in lower case. */
const PLAIN = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/

function plainToWire(name: Name): Uint8Array {
  const wire = new Uint8Array(name.length + 2)
  let start = 0
  for (let i = 0; i <= name.length; i++) {
    const byte = i === name.length ? DOT : name.charCodeAt(i)
    if (byte !== DOT) wire[i + 1] = byte
    else {
      wire[start] = i - start
      start = i + 1
    }
  }
  return wire
}

/** The labels of a name as text, from the left. */
export function labelsOf(name: Name): string[] {
  return name === ROOT ? [] : name.match(/(?:\\\d{3}|\\.|[^.\\])+/g)!
}

/** The parent of a name; undefined for the root. */
export function parentOf(name: Name): Name | undefined {
  if (name === ROOT) return undefined
  return labelsOf(name).slice(1).join('.') || ROOT
}

/** True if `name` is `zone` or below it. */
export function isWithin(name: Name, zone: Name): boolean {
  if (zone === ROOT || name === zone) return true
  if (!name.endsWith(`.${zone}`)) return false
  // A dot inside a label has a backslash before it.
  return (
    nameToWire(name).length > nameToWire(zone).length && labelsOf(name).slice(-labelsOf(zone).length).join('.') === zone
  )
}

/** The canonical order of names (RFC 4034 section 6.1): by labels from the right, as bytes. */
export function compareNames(a: Name, b: Name): number {
  const left = labelBytes(a)
  const right = labelBytes(b)
  for (let i = 1; i <= Math.min(left.length, right.length); i++) {
    const order = compareBytes(left.at(-i)!, right.at(-i)!)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Codes after which nothing is known of a domain. */
export const UNANSWERED: readonly string[] = [DNS_REFUSED, DNS_NO_ANSWER, DNS_RESOLVER, DNSSEC_DROPPED].map(
  ({ code }) => code,
)

/** The reason not to use an answer of the DNS. Never leaves the package: callers get a diagnostic. */
export class DnsError extends Error {
  override readonly name = 'DnsError'
  readonly kind: FindingKind

  constructor(kind: FindingKind, detail: string) {
    super(detail)
    this.kind = kind
  }
}

/** Omits the resolver, whose address may be a secret; the trace has the cause. */
export function unreachable(error: unknown): string {
  const { cause = error } = Object(error)
  const { code, reason = code } = Object(cause)
  return /^[\w-]{1,40}$/.test(reason ?? '') ? `it cannot be reached: ${reason}` : 'it cannot be reached'
}
