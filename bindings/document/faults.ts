// Turns the core's faults and warnings into diagnostics. The core reports offsets; `locate` finds the places for them.

import { visible } from '../text/hidden.ts'
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
import { diagnose, diagnoseNowhere, type Finding, Lines, type Position } from './diagnose.ts'
import type { FindingKind } from './finding.ts'
import * as FINDINGS from './findings.ts'
import { LIMIT_SIZE } from './findings.ts'
import { type ExpectedTokens, locate, type Place } from './locate.ts'
import type { Tape } from './tape.ts'
import type { Diagnostic, Fix, RelatedPlace, Severity } from './types.ts'

/** A fault as bindings/wasm/json.ts reports it. */
interface FaultLike {
  readonly code: number
  readonly offset: number
  readonly first: number
}

/** A warning as bindings/wasm/json.ts reports it. */
interface WarningLike {
  readonly code: number
  readonly offset: number
}

/** The diagnostic of a document that is refused because of its size. */
export function tooLarge(length: number, most: number, file?: string): Diagnostic {
  return diagnoseNowhere(LIMIT_SIZE, { detail: `expected at most ${most} bytes, found ${length}` }, file)
}

/** The diagnostic of the fault that stopped reading `source`. */
export function faultToDiagnostic(source: Uint8Array | string, fault: FaultLike, file?: string): Diagnostic {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const lines = new Lines(bytes)
  const { kind, finding } = explainFault(bytes, lines, fault)
  return diagnose(lines, kind, finding, file)
}

/** The explanation of a fault in `bytes`. */
export function explainFault(
  bytes: Uint8Array,
  lines: Lines,
  { code, offset, first }: FaultLike,
): { readonly kind: FindingKind; readonly finding: Finding } {
  const row = FAULTS[code]
  if (row === undefined) throw new RangeError(`fault: expected one of reading JSON, got ${code}`)
  const place = locate(bytes, offset)
  const { start, end, ...words } = row.explain({ bytes, lines, offset, first, place })
  return { kind: row, finding: { pointer: place.pointer, offset: start, endOffset: end, ...words } }
}

/** The diagnostic of a byte order mark, which the reader refuses or ignores. */
export function markDiagnostic(lines: Lines, severity: Severity, file?: string): Diagnostic {
  const row = FAULTS[JSON_BOM]!
  const detail =
    severity === 'error'
      ? 'the document begins with a byte order mark'
      : 'the document begins with a byte order mark, which was left out of account'
  const fix = { hint: 'save the document without it', edits: [{ offset: 0, endOffset: 3, text: '' }] }
  return diagnose(lines, { ...row, severity }, { pointer: '', offset: 0, endOffset: 3, detail, fix }, file)
}

/** The diagnostic of something that the reader accepted with a warning. */
export function warningToDiagnostic(lines: Lines, tape: Tape, warning: WarningLike, file?: string): Diagnostic {
  const row = WARNINGS[warning.code]
  if (row === undefined) throw new RangeError(`warning: expected one of reading JSON, got ${warning.code}`)
  const entry = tape.entryAt(warning.offset)
  const words = row.explain(quote(tape.bytes, tape.start(entry), tape.end(entry)))
  const finding = { pointer: tape.pointerOf(entry), offset: tape.placeStart(entry), endOffset: tape.placeEnd(entry) }
  return diagnose(lines, row, { ...finding, ...words }, file)
}

// The words for each fault and each warning of the JSON reader.

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
      detail: `expected the end of the document, found ${tokenWords(bytes, token.start, token.end)}`,
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
      const earlier = placeText(lines.position(first))
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
      detail: `the document ends inside ${kind} that begins at ${placeText(lines.position(token.start))}`,
      start: end,
      end,
    }
  }
  if (place.previousEnd === 0) return { detail: 'expected a value, found an empty document', start: end, end }
  const detail = `expected ${expectation(expected, container?.array === true)}, found the end of the document`
  if (container === undefined) return { detail, start: end, end }
  const begins = `the ${container.array ? 'array' : 'object'} begins at ${placeText(lines.position(container.start))}`
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

// Explains a byte that the grammar does not allow: what was expected, what was found, and what was probably meant.

/** Misspellings and words of other languages, with the JSON to write instead. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?(?:nan|inf|infinity)$/i, 'JSON numbers are finite: leave the member out or use null'],
  [/^(?:undefined|none|nil|nul?l?)$/i, 'write null'],
  [/^(?:tru?e?|yes|on)$/i, 'write true'],
  [/^(?:fal?s?e?|no|off)$/i, 'write false'],
  [/^[+-]?0[xob]/i, 'write the number in decimal'],
  [/^\+\d/, 'leave out the plus sign'],
  [/^-?\.\d/, 'write a digit before the decimal point'],
]

interface Explanation {
  readonly detail: string
  readonly start: number
  readonly end: number
  readonly fix?: Fix | undefined
}

/** Explains a token that the grammar does not allow at its place. */
function explainUnexpected(bytes: Uint8Array, { expected, token, container, previousEnd }: Place): Explanation {
  const { start, end } = token
  const wanted = expectation(expected, container?.array === true)
  const detail = `expected ${wanted}, found ${tokenWords(bytes, start, end)}`
  return { detail, start, end, fix: fixOf(bytes, expected, start, end, previousEnd) }
}

function fixOf(
  bytes: Uint8Array,
  expected: Place['expected'],
  start: number,
  end: number,
  previousEnd: number,
): Fix | undefined {
  const character = characterAt(bytes, start) ?? ''
  if (/[\]}]/.test(character) && bytes[previousEnd - 1] === 0x2c) {
    const comma = { offset: previousEnd - 1, endOffset: previousEnd, text: '' }
    return { hint: 'remove the comma before it', edits: [comma] }
  }
  if (/['`\u2018\u2019\u201c\u201d]/.test(character)) return { hint: 'JSON strings stand in double quotes (")' }
  if (/[/#]/.test(character)) return { hint: 'JSON has no comments: remove it' }
  if (expected === 'colon' && character === '=') return { hint: 'a colon stands between a name and its value' }
  const word = excerpt(bytes, start, end)
  const name = /^[A-Za-z_$][\w$-]*$/.test(word)
  if (name && (expected === 'name' || expected === 'name or end')) {
    const edits = [
      { offset: start, endOffset: start, text: '"' },
      { offset: end, endOffset: end, text: '"' },
    ]
    return { hint: 'put the name in double quotes', edits }
  }
  if (expected === 'value' || expected === 'element or end') {
    const hint = FOREIGN.find(([pattern]) => pattern.test(word))?.[1]
    if (hint !== undefined) return { hint }
    return name ? { hint: 'put text in double quotes' } : undefined
  }
  if (expected === 'comma or end' && (name || /["[{\d-]/.test(character))) {
    return { hint: 'a comma may be missing before it' }
  }
  return undefined
}

// Words for bytes, tokens and places. Every result fits on one line of a message.

/** Longer tokens are cut in messages; the source range still covers them. */
const LONGEST = 40

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const EXPECTED: Readonly<Record<ExpectedTokens, string>> = {
  value: 'a value',
  'element or end': 'a value or `]`',
  name: 'a member name in double quotes',
  'name or end': 'a member name in double quotes or `}`',
  colon: '`:`',
  'comma or end': '`,`',
  nothing: 'the end of the document',
}

/** The allowed tokens at a place, in words. */
function expectation(expected: ExpectedTokens, inArray: boolean): string {
  return expected === 'comma or end' ? `\`,\` or \`${inArray ? ']' : '}'}\`` : EXPECTED[expected]
}

/** Source bytes as text on one line, cut when long. */
export function excerpt(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= LONGEST) return visible(decoder.decode(bytes.subarray(start, end)))
  return `${visible(decoder.decode(bytes.subarray(start, start + LONGEST)).replace(/\ufffd+$/, ''))}…`
}

/** Source bytes as a quotation, cut when long. */
function quote(bytes: Uint8Array, start: number, end: number): string {
  return `\`${excerpt(bytes, start, end)}\``
}

/** Names the token in [start, end), or the end of the document. */
export function tokenWords(bytes: Uint8Array, start: number, end: number): string {
  const byte = bytes[start]
  if (byte === undefined) return 'the end of the document'
  if (byte === 34) return `the string ${excerpt(bytes, start, end)}`
  if (byte < 0x20 || byte === 0x7f) return `the control character ${codePoint(byte)}`
  if (byte < 0x80) return quote(bytes, start, end)
  const character = characterAt(bytes, start)
  return character === undefined
    ? `the byte ${hex(byte)}`
    : `\`${character}\` (${codePoint(character.codePointAt(0)!)})`
}

/** The character that begins at a byte; undefined where the bytes are not UTF-8. */
export function characterAt(bytes: Uint8Array, at: number): string | undefined {
  const character = String.fromCodePoint(decoder.decode(bytes.subarray(at, at + 4)).codePointAt(0) ?? 0xfffd)
  return character === '\ufffd' && bytes[at] !== 0xef ? undefined : character
}

export function codePoint(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

export function hex(byte: number): string {
  return `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** A position within a sentence. */
export function placeText(position: Position): string {
  return `line ${position.line}, column ${position.column}`
}
