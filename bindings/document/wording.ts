// Words for bytes, tokens and places. Every result fits on one line of a message.

import { visible } from '../text/hidden.ts'
import type { Position } from './lines.ts'
import type { ExpectedTokens } from './locate.ts'

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
export function expectation(expected: ExpectedTokens, inArray: boolean): string {
  return expected === 'comma or end' ? `\`,\` or \`${inArray ? ']' : '}'}\`` : EXPECTED[expected]
}

/** Source bytes as text on one line, cut when long. */
export function excerpt(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= LONGEST) return visible(decoder.decode(bytes.subarray(start, end)))
  return `${visible(decoder.decode(bytes.subarray(start, start + LONGEST)).replace(/\ufffd+$/, ''))}…`
}

/** Source bytes as a quotation, cut when long. */
export function quote(bytes: Uint8Array, start: number, end: number): string {
  return `\`${excerpt(bytes, start, end)}\``
}

/** Names the token in [start, end), or the end of the document. */
export function found(bytes: Uint8Array, start: number, end: number): string {
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
export function place(position: Position): string {
  return `line ${position.line}, column ${position.column}`
}
