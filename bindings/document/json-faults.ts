// One row for every number of core/faults.ts and core/json/warning.ts that reading JSON can end with: the words.
import type { Finding, FindingKind } from './diagnose.ts'
import type { Lines } from './lines.ts'
import type { Place } from './locate.ts'
import type { Related } from './types.ts'
import { type Explanation, explainUnexpected } from './unexpected.ts'
import { place as at, codePoint, excerpt, expectation, found, hex, quote } from './wording.ts'

/** What is known of a fault when its words are looked for. */
interface Context {
  readonly bytes: Uint8Array
  readonly lines: Lines
  readonly offset: number
  /** Offset of the first of two equal names. */
  readonly first: number
  readonly place: Place
}

/** The words of one fault. */
interface Row extends Omit<FindingKind, 'severity'> {
  explain(context: Context): Explanation & { readonly related?: readonly Related[] | undefined }
}

/** The words of one warning; `explain` is given the number as a quotation. */
interface WarningRow extends Omit<FindingKind, 'severity'> {
  explain(token: string): Pick<Finding, 'detail' | 'fix'>
}

/** By the numbers of core/json/warning.ts. */
export const WARNINGS: Readonly<Record<number, WarningRow>> = {
  1: {
    code: 'DOC-120',
    rule: 'json/unsafe-integer',
    title: 'Integer that a double cannot tell from its neighbours',
    spec: 'RFC 7493 section 2.2',
    explain: (token) => ({
      detail: `${token} is beyond 2^53 - 1: programs may read another number`,
      fix: { hint: 'put the digits in a string' },
    }),
  },
  2: {
    code: 'DOC-121',
    rule: 'json/number-underflow',
    title: 'Number that reads as zero',
    spec: 'RFC 8259 section 6',
    explain: (token) => ({ detail: `${token} is nearer to zero than the smallest double: it reads as 0` }),
  },
}

/** By the numbers of core/faults.ts. */
export const FAULTS: Readonly<Record<number, Row>> = {
  [-1]: {
    code: 'DOC-100',
    rule: 'limit/memory',
    title: 'Out of memory',
    spec: 'docs/diagnostics.md',
    explain: ({ bytes }) => ({
      detail: `the host gives no more memory for a document of ${bytes.length} bytes`,
      start: 0,
      end: 0,
    }),
  },
  [-10]: {
    code: 'DOC-101',
    rule: 'json/unexpected',
    title: 'Not JSON',
    spec: 'RFC 8259 section 2',
    explain: ({ bytes, place }) => explainUnexpected(bytes, place),
  },
  [-11]: {
    code: 'DOC-102',
    rule: 'json/end',
    title: 'Unfinished document',
    spec: 'RFC 8259 section 2',
    explain: explainEnd,
  },
  [-12]: {
    code: 'DOC-103',
    rule: 'json/trailing',
    title: 'More than one value',
    spec: 'RFC 8259 section 2',
    explain: ({ bytes, place: { token } }) => ({
      detail: `expected the end of the document, found ${found(bytes, token.start, token.end)}`,
      ...token,
      fix: { hint: 'a document is one value: put several into an array, or into files of their own' },
    }),
  },
  [-13]: {
    code: 'DOC-104',
    rule: 'json/utf-8',
    title: 'Not UTF-8',
    spec: 'RFC 3629 section 4',
    explain: ({ bytes, offset }) => ({
      detail: `the byte ${hex(bytes[offset] ?? 0)} at offset ${offset} does not begin a character in UTF-8`,
      start: offset,
      end: offset + 1,
      fix: { hint: 'save the document as UTF-8' },
    }),
  },
  [-14]: {
    code: 'DOC-105',
    rule: 'json/byte-order-mark',
    title: 'Byte order mark',
    spec: 'RFC 8259 section 8.1',
    explain: () => ({
      detail: 'the document begins with a byte order mark, which is no part of JSON',
      start: 0,
      end: 3,
      fix: { hint: 'save the document without it', edits: [{ offset: 0, endOffset: 3, text: '' }] },
    }),
  },
  [-15]: {
    code: 'DOC-106',
    rule: 'json/utf-16',
    title: 'UTF-16 or UTF-32',
    spec: 'RFC 8259 section 8.1',
    explain: () => ({
      detail: 'the document is in UTF-16 or UTF-32; JSON is exchanged in UTF-8',
      start: 0,
      end: 0,
      fix: { hint: 'save the document as UTF-8' },
    }),
  },
  [-16]: {
    code: 'DOC-107',
    rule: 'json/duplicate-member',
    title: 'Duplicate member',
    spec: 'RFC 7493 section 2.3',
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
  [-17]: {
    code: 'DOC-108',
    rule: 'json/lone-surrogate',
    title: 'Half of a surrogate pair',
    spec: 'RFC 7493 section 2.1',
    explain: ({ bytes, offset }) => ({
      ...spanEscape(bytes, offset),
      detail: `${surrogate(bytes, offset)} is half of a surrogate pair: no character, and nothing that UTF-8 can hold`,
      fix: { hint: 'write the character itself, or both halves of the pair' },
    }),
  },
  [-18]: {
    code: 'DOC-109',
    rule: 'json/escape',
    title: 'Escape that JSON does not have',
    spec: 'RFC 8259 section 7',
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
  [-19]: {
    code: 'DOC-110',
    rule: 'json/control-character',
    title: 'Control character in a string',
    spec: 'RFC 8259 section 7',
    explain: ({ bytes, offset }) => {
      const byte = bytes[offset] ?? 0
      const written = JSON.stringify(String.fromCharCode(byte)).slice(1, -1)
      const span = { start: offset, end: offset + 1 }
      const detail = `expected the escape ${written}, found the control character ${codePoint(byte)}`
      // A line end is more often a missing quote than a part of the string, so nothing is changed for its sake.
      if (byte === 10 || byte === 13) return { ...span, detail, fix: { hint: 'a string ends in its own line' } }
      const edits = [{ offset, endOffset: offset + 1, text: written }]
      return { ...span, detail, fix: { hint: `write ${written}`, edits } }
    },
  },
  [-20]: {
    code: 'DOC-111',
    rule: 'json/number',
    title: 'Not a JSON number',
    spec: 'RFC 8259 section 6',
    explain: ({ bytes, place: { token } }) => {
      const flaw = numberFlaw(new TextDecoder().decode(bytes.subarray(token.start, token.end)))
      return { detail: `${quote(bytes, token.start, token.end)} is not a JSON number: ${flaw}`, ...token }
    },
  },
  [-21]: {
    code: 'DOC-112',
    rule: 'json/number-overflow',
    title: 'Number too large',
    spec: 'RFC 8785 section 3.2.2.3',
    explain: ({ bytes, place: { token } }) => ({
      detail: `${quote(bytes, token.start, token.end)} is larger than the largest double, about 1.8e308`,
      ...token,
      fix: { hint: 'put the digits in a string' },
    }),
  },
  [-22]: {
    code: 'DOC-113',
    rule: 'json/depth',
    title: 'Nested too deeply',
    spec: 'RFC 8259 section 9',
    explain: ({ place: { token, depth } }) => ({
      detail: `expected at most ${depth} containers inside of each other, found one more`,
      ...token,
    }),
  },
}

function explainEnd({ bytes, lines, place }: Context): Explanation & { readonly related?: readonly Related[] } {
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

/** The escape at `offset` as far as it is one: `\u` with its digits, else two characters. */
function spanEscape(bytes: Uint8Array, offset: number): { start: number; end: number } {
  let end = offset + 2
  if (bytes[offset + 1] === 0x75)
    while (end < offset + 6 && /[\da-f]/i.test(String.fromCharCode(bytes[end] ?? 0))) end++
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end++
  return { start: offset, end: Math.min(end, bytes.length) }
}

/** How half of a pair stands in the source: as an escape, or raw in a JavaScript string, where bytes cannot show it. */
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
