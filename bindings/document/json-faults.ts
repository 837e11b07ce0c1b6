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
import * as FINDINGS from './findings.ts'
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
    ...FINDINGS.JSON_UNSAFE_INTEGER,
    explain: (token) => ({
      detail: `${token} is beyond 2^53 - 1: programs may read another number`,
      fix: { hint: 'put the digits in a string' },
    }),
  },
  [WARN_UNDERFLOW]: {
    ...FINDINGS.JSON_NUMBER_UNDERFLOW,
    explain: (token) => ({ detail: `${token} is nearer to zero than the smallest double: it reads as 0` }),
  },
}))()

export const FAULTS: Readonly<Record<number, Row>> = /* @__PURE__ */ (() => ({
  [NO_MEMORY]: {
    ...FINDINGS.LIMIT_MEMORY,
    explain: ({ bytes }) => ({
      detail: `the host gives no more memory for a document of ${bytes.length} bytes`,
      start: 0,
      end: 0,
    }),
  },
  [JSON_UNEXPECTED]: {
    ...FINDINGS.JSON_UNEXPECTED,
    explain: ({ bytes, place }) => explainUnexpected(bytes, place),
  },
  [JSON_END]: {
    ...FINDINGS.JSON_END,
    explain: explainEnd,
  },
  [JSON_TRAILING]: {
    ...FINDINGS.JSON_TRAILING,
    explain: ({ bytes, place: { token } }) => ({
      detail: `expected the end of the document, found ${found(bytes, token.start, token.end)}`,
      ...token,
      fix: { hint: 'a document is one value: put several into an array, or into files of their own' },
    }),
  },
  [JSON_UTF8]: {
    ...FINDINGS.JSON_UTF_8,
    explain: ({ bytes, offset }) => ({
      detail: `the byte ${hex(bytes[offset] ?? 0)} at offset ${offset} does not begin a character in UTF-8`,
      start: offset,
      end: offset + 1,
      fix: { hint: 'save the document as UTF-8' },
    }),
  },
  [JSON_BOM]: {
    ...FINDINGS.JSON_BYTE_ORDER_MARK,
    explain: () => ({
      detail: 'the document begins with a byte order mark, which is no part of JSON',
      start: 0,
      end: 3,
      fix: { hint: 'save the document without it', edits: [{ offset: 0, endOffset: 3, text: '' }] },
    }),
  },
  [JSON_UTF16]: {
    ...FINDINGS.JSON_UTF_16,
    explain: () => ({
      detail: 'the document is in UTF-16 or UTF-32; JSON is exchanged in UTF-8',
      start: 0,
      end: 0,
      fix: { hint: 'save the document as UTF-8' },
    }),
  },
  [JSON_DUPLICATE]: {
    ...FINDINGS.JSON_DUPLICATE_MEMBER,
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
    ...FINDINGS.JSON_LONE_SURROGATE,
    explain: ({ bytes, offset }) => ({
      ...spanEscape(bytes, offset),
      detail: `${surrogate(bytes, offset)} is half of a surrogate pair: no character, and nothing that UTF-8 can hold`,
      fix: { hint: 'write the character itself, or both halves of the pair' },
    }),
  },
  [JSON_ESCAPE]: {
    ...FINDINGS.JSON_ESCAPE,
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
    ...FINDINGS.JSON_CONTROL_CHARACTER,
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
    ...FINDINGS.JSON_NUMBER,
    explain: ({ bytes, place: { token } }) => {
      const flaw = numberFlaw(new TextDecoder().decode(bytes.subarray(token.start, token.end)))
      return { detail: `${quote(bytes, token.start, token.end)} is not a JSON number: ${flaw}`, ...token }
    },
  },
  [JSON_OVERFLOW]: {
    ...FINDINGS.JSON_NUMBER_OVERFLOW,
    explain: ({ bytes, place: { token } }) => ({
      detail: `${quote(bytes, token.start, token.end)} is larger than the largest double, about 1.8e308`,
      ...token,
      fix: { hint: 'put the digits in a string' },
    }),
  },
  [JSON_DEPTH]: {
    ...FINDINGS.JSON_DEPTH,
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
