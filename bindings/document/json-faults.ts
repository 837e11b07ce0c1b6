// The words for each fault and each warning of the JSON reader.
import {
  JSON_BOM,
  JSON_CONTROL,
  JSON_DEPTH,
  JSON_DUPLICATE,
  JSON_END,
  JSON_ESCAPE,
  JSON_NUMBER,
  JSON_OVERFLOW,
  JSON_SURROGATE,
  JSON_TRAILING,
  JSON_UNEXPECTED,
  JSON_UTF8,
  JSON_UTF16,
  NO_MEMORY,
  WARN_INTEGER,
  WARN_UNDERFLOW,
} from '../wasm/faults.ts'
import type { Finding } from './diagnose.ts'
import type { FindingKind } from './finding.ts'
import type { Lines } from './lines.ts'
import type { Place } from './locate.ts'
import type { RelatedPlace } from './types.ts'
import { type Explanation, explainUnexpected } from './unexpected.ts'
import { place as at, codePoint, excerpt, expectation, found, hex, quote } from './wording.ts'

/** What the words for a fault are made from. */
interface Context {
  readonly bytes: Uint8Array
  readonly lines: Lines
  readonly offset: number
  /** The offset of the first of two equal names. */
  readonly first: number
  readonly place: Place
}

/** The words of one fault. */
interface Row extends FindingKind {
  explain(context: Context): Explanation & { readonly related?: readonly RelatedPlace[] | undefined }
}

/** The words of one warning; `explain` receives the number as a quotation. */
interface WarningRow extends FindingKind {
  explain(token: string): Pick<Finding, 'detail' | 'fix'>
}

// Tables with computed keys are built by a call: otherwise bundlers could not drop them when they are unused.

export const WARNINGS: Readonly<Record<number, WarningRow>> = /* @__PURE__ */ (() => ({
  [WARN_INTEGER]: {
    code: 'DOC-120',
    id: 'json/unsafe-integer',
    title: 'Integer that a double cannot tell from its neighbours',
    section: 'RFC 7493 section 2.2',
    severity: 'warning',
    explain: (token) => ({
      detail: `${token} is beyond 2^53 - 1: programs may read another number`,
      fix: { hint: 'put the digits in a string' },
    }),
  },
  [WARN_UNDERFLOW]: {
    code: 'DOC-121',
    id: 'json/number-underflow',
    title: 'Number that reads as zero',
    section: 'RFC 8259 section 6',
    severity: 'warning',
    explain: (token) => ({ detail: `${token} is nearer to zero than the smallest double: it reads as 0` }),
  },
}))()

const severity = 'error'

export const FAULTS: Readonly<Record<number, Row>> = /* @__PURE__ */ (() => ({
  [NO_MEMORY]: {
    code: 'DOC-100',
    id: 'limit/memory',
    title: 'Out of memory',
    section: 'docs/reference/diagnostics.md',
    severity,
    explain: ({ bytes }) => ({
      detail: `the host gives no more memory for a document of ${bytes.length} bytes`,
      start: 0,
      end: 0,
    }),
  },
  [JSON_UNEXPECTED]: {
    code: 'DOC-101',
    id: 'json/unexpected',
    title: 'Not JSON',
    section: 'RFC 8259 section 2',
    severity,
    explain: ({ bytes, place }) => explainUnexpected(bytes, place),
  },
  [JSON_END]: {
    code: 'DOC-102',
    id: 'json/end',
    title: 'Unfinished document',
    section: 'RFC 8259 section 2',
    severity,
    explain: explainEnd,
  },
  [JSON_TRAILING]: {
    code: 'DOC-103',
    id: 'json/trailing',
    title: 'More than one value',
    section: 'RFC 8259 section 2',
    severity,
    explain: ({ bytes, place: { token } }) => ({
      detail: `expected the end of the document, found ${found(bytes, token.start, token.end)}`,
      ...token,
      fix: { hint: 'a document is one value: put several into an array, or into files of their own' },
    }),
  },
  [JSON_UTF8]: {
    code: 'DOC-104',
    id: 'json/utf-8',
    title: 'Not UTF-8',
    section: 'RFC 3629 section 4',
    severity,
    explain: ({ bytes, offset }) => ({
      detail: `the byte ${hex(bytes[offset] ?? 0)} at offset ${offset} does not begin a character in UTF-8`,
      start: offset,
      end: offset + 1,
      fix: { hint: 'save the document as UTF-8' },
    }),
  },
  [JSON_BOM]: {
    code: 'DOC-105',
    id: 'json/byte-order-mark',
    title: 'Byte order mark',
    section: 'RFC 8259 section 8.1',
    severity,
    explain: () => ({
      detail: 'the document begins with a byte order mark, which is no part of JSON',
      start: 0,
      end: 3,
      fix: { hint: 'save the document without it', edits: [{ offset: 0, endOffset: 3, text: '' }] },
    }),
  },
  [JSON_UTF16]: {
    code: 'DOC-106',
    id: 'json/utf-16',
    title: 'UTF-16 or UTF-32',
    section: 'RFC 8259 section 8.1',
    severity,
    explain: () => ({
      detail: 'the document is in UTF-16 or UTF-32; JSON is exchanged in UTF-8',
      start: 0,
      end: 0,
      fix: { hint: 'save the document as UTF-8' },
    }),
  },
  [JSON_DUPLICATE]: {
    code: 'DOC-107',
    id: 'json/duplicate-member',
    title: 'Duplicate member',
    section: 'RFC 7493 section 2.3',
    severity,
    explain: ({ bytes, lines, first, place: { token, pointer } }) => {
      const name = excerpt(bytes, token.start, token.end)
      const earlier = at(lines.position(first))
      return {
        detail: `${name} is already a member of this object, at ${earlier}`,
        ...token,
        related: [{ pointer, message: `the first one is at ${earlier}` }],
        fix: { hint: 'remove or rename one of the two: programs differ in which of them they read' },
      }
    },
  },
  [JSON_SURROGATE]: {
    code: 'DOC-108',
    id: 'json/lone-surrogate',
    title: 'Half of a surrogate pair',
    section: 'RFC 7493 section 2.1',
    severity,
    explain: ({ bytes, offset }) => ({
      ...spanEscape(bytes, offset),
      detail: `${surrogate(bytes, offset)} is half of a surrogate pair: no character, and nothing that UTF-8 can hold`,
      fix: { hint: 'write the character itself, or both halves of the pair' },
    }),
  },
  [JSON_ESCAPE]: {
    code: 'DOC-109',
    id: 'json/escape',
    title: 'Escape that JSON does not have',
    section: 'RFC 8259 section 7',
    severity,
    explain: ({ bytes, offset }) => {
      const span = spanEscape(bytes, offset)
      const unicode = bytes[offset + 1] === 0x75
      return {
        ...span,
        detail: unicode
          ? `expected four hexadecimal digits, found ${quote(bytes, span.start, span.end)}`
          : `expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u, found ${quote(bytes, span.start, span.end)}`,
        fix: { hint: 'a backslash itself is written \\\\' },
      }
    },
  },
  [JSON_CONTROL]: {
    code: 'DOC-110',
    id: 'json/control-character',
    title: 'Control character in a string',
    section: 'RFC 8259 section 7',
    severity,
    explain: ({ bytes, offset }) => {
      const byte = bytes[offset] ?? 0
      const written = JSON.stringify(String.fromCharCode(byte)).slice(1, -1)
      const span = { start: offset, end: offset + 1 }
      const detail = `expected the escape ${written}, found the control character ${codePoint(byte)}`
      // A line end is more often a missing quote than part of the string, so no edit is suggested.
      if (byte === 10 || byte === 13) return { ...span, detail, fix: { hint: 'a string ends in its own line' } }
      const edits = [{ offset, endOffset: offset + 1, text: written }]
      return { ...span, detail, fix: { hint: `write ${written}`, edits } }
    },
  },
  [JSON_NUMBER]: {
    code: 'DOC-111',
    id: 'json/number',
    title: 'Not a JSON number',
    section: 'RFC 8259 section 6',
    severity,
    explain: ({ bytes, place: { token } }) => {
      const flaw = numberFlaw(new TextDecoder().decode(bytes.subarray(token.start, token.end)))
      return { detail: `${quote(bytes, token.start, token.end)} is not a JSON number: ${flaw}`, ...token }
    },
  },
  [JSON_OVERFLOW]: {
    code: 'DOC-112',
    id: 'json/number-overflow',
    title: 'Number too large',
    section: 'RFC 8785 section 3.2.2.3',
    severity,
    explain: ({ bytes, place: { token } }) => ({
      detail: `${quote(bytes, token.start, token.end)} is larger than the largest double, about 1.8e308`,
      ...token,
      fix: { hint: 'put the digits in a string' },
    }),
  },
  [JSON_DEPTH]: {
    code: 'DOC-113',
    id: 'json/depth',
    title: 'Nested too deeply',
    section: 'RFC 8259 section 9',
    severity,
    explain: ({ place: { token, depth } }) => ({
      detail: `expected at most ${depth} containers inside of each other, found one more`,
      ...token,
    }),
  },
}))()

function explainEnd({ bytes, lines, place }: Context): Explanation & { readonly related?: readonly RelatedPlace[] } {
  const { token, container, expected } = place
  const end = bytes.length
  if (token.start < end) {
    const kind = bytes[token.start] === 34 ? 'the string' : quote(bytes, token.start, token.end)
    return {
      detail: `the document ends inside ${kind} that begins at ${at(lines.position(token.start))}`,
      start: end,
      end,
    }
  }
  if (place.previousEnd === 0) return { detail: 'expected a value, found an empty document', start: end, end }
  const detail = `expected ${expectation(expected, container?.array === true)}, found the end of the document`
  if (container === undefined) return { detail, start: end, end }
  const begins = `the ${container.array ? 'array' : 'object'} begins at ${at(lines.position(container.start))}`
  return { detail, start: end, end, related: [{ pointer: place.pointer, message: begins }] }
}

/** The range of the escape at `offset`: `\u` with its hexadecimal digits, otherwise two characters. */
function spanEscape(bytes: Uint8Array, offset: number): { start: number; end: number } {
  let end = offset + 2
  if (bytes[offset + 1] === 0x75)
    while (end < offset + 6 && /[\da-f]/i.test(String.fromCharCode(bytes[end] ?? 0))) end++
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end++
  return { start: offset, end: Math.min(end, bytes.length) }
}

/**
 * Names half of a surrogate pair: by its escape, or as a code unit of a JavaScript string, which bytes cannot
 * represent.
 */
function surrogate(bytes: Uint8Array, offset: number): string {
  if (bytes[offset] !== 0x5c) return 'a code unit of the text'
  const { start, end } = spanEscape(bytes, offset)
  return quote(bytes, start, end)
}

function numberFlaw(text: string): string {
  if (/^-?0\d/.test(text)) return 'leading zeros are not allowed'
  if (/^-?\d+\.(?!\d)/.test(text)) return 'a digit must follow the decimal point'
  if (/[eE][+-]?$/.test(text)) return 'the exponent has no digits'
  return 'a digit must follow the sign'
}
