// Locates an offset in a JSON text that may be broken: the pointer, the token, and the tokens that the grammar allows
// there. Scans from the start with an explicit stack. Assumes nothing about the text: after the first fault it only
// resynchronizes.
import { formatPointer } from '../text/members.ts'

/** The tokens that the grammar allows at a place (RFC 8259 sections 2, 4 and 5). */
export type ExpectedTokens =
  | 'value'
  | 'element or end' // after `[`
  | 'name'
  | 'name or end' // after `{`
  | 'colon'
  | 'comma or end'
  | 'nothing' // after the document's value

/** An open container. */
interface Level {
  readonly array: boolean
  /** The offset of its opening bracket. */
  readonly start: number
  /** The number of commas so far. */
  index: number
  /** The offset of its latest member name, quotes included; -1 if it has none. */
  nameStart: number
  nameEnd: number
}

export interface Place {
  /** The innermost value at the offset; a name belongs to its member. */
  readonly pointer: string
  readonly expected: ExpectedTokens
  /** The token at the offset, or an incomplete one that ends right before it. */
  readonly token: { readonly start: number; readonly end: number }
  /** The number of open containers, and the innermost one. */
  readonly depth: number
  readonly container: Level | undefined
  /** The end of the previous token; 0 for the first one. */
  readonly previousEnd: number
}

const QUOTE = 34
const BACKSLASH = 92
const WHOLE = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Finds the place of a byte offset. Never throws, for any bytes and any offset. */
export function locate(bytes: Uint8Array, offset: number): Place {
  const target = Math.max(0, Math.min(offset, bytes.length))
  const stack: Level[] = []
  let expected: ExpectedTokens = 'value'
  let previousEnd = 0
  let at = 0
  for (;;) {
    at = skipSpace(bytes, at, target)
    if (at >= target) break
    const byte = bytes[at]!
    const end = tokenEnd(bytes, at)
    if (end > target || (end === target && isCut(bytes, at, end))) break
    const top: Level | undefined = stack[stack.length - 1]
    if (byte === 0x5b || byte === 0x7b) {
      const array = byte === 0x5b
      stack.push({ array, start: at, index: 0, nameStart: -1, nameEnd: -1 })
      expected = array ? 'element or end' : 'name or end'
    } else if (byte === 0x5d || byte === 0x7d) {
      stack.pop()
      expected = stack.length > 0 ? 'comma or end' : 'nothing'
    } else if (byte === 0x2c) {
      if (top !== undefined) {
        top.index++
        top.nameStart = -1
        expected = top.array ? 'value' : 'name'
      }
    } else if (byte === 0x3a) expected = 'value'
    else if (byte === QUOTE && top !== undefined && (expected === 'name' || expected === 'name or end')) {
      top.nameStart = at
      top.nameEnd = end
      expected = 'colon'
    } else if (byte === QUOTE || isWordByte(byte)) expected = top === undefined ? 'nothing' : 'comma or end'
    previousEnd = end
    at = end
  }
  const token = { start: at, end: tokenEnd(bytes, at) }
  const pointer = pointerOf(bytes, stack, expected, token)
  return { pointer, expected, token, depth: stack.length, container: stack.at(-1), previousEnd }
}

/** Decodes the string in [start, end), quotes included; undefined when it is incomplete or invalid. */
export function decodeString(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes.subarray(start, end)))
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function pointerOf(
  bytes: Uint8Array,
  stack: readonly Level[],
  expected: ExpectedTokens,
  token: Place['token'],
): string {
  const tokens: (string | number)[] = []
  stack.forEach((level, depth) => {
    const innermost = depth === stack.length - 1
    if (level.array) {
      if (!innermost || beginsElement(bytes, expected, token)) tokens.push(level.index)
      return
    }
    if (innermost && expected === 'comma or end') return
    // While a name is being read, its own token names the member.
    const reading = innermost && level.nameStart < 0
    const name = decodeString(bytes, reading ? token.start : level.nameStart, reading ? token.end : level.nameEnd)
    if (name !== undefined) tokens.push(name)
  })
  return formatPointer(tokens)
}

/** True when the token begins an element, or was meant to. */
function beginsElement(bytes: Uint8Array, expected: ExpectedTokens, token: Place['token']): boolean {
  if (expected !== 'value' && expected !== 'element or end') return false
  const byte = bytes[token.start]
  return byte !== undefined && byte !== 0x2c && byte !== 0x5d && byte !== 0x7d && byte !== 0x3a
}

function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(bytes[at]!)) at++
  return at
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

/** Bytes that numbers, literals and bare names consist of. */
function isWordByte(byte: number): boolean {
  const letter = byte | 32
  return (
    (byte >= 48 && byte <= 57) ||
    (letter >= 97 && letter <= 122) ||
    byte === 43 ||
    byte === 45 ||
    byte === 46 ||
    byte === 95 ||
    byte === 36
  )
}

/** The end of the token that begins at `at`: a string with its closing quote, a word, or a single character. */
function tokenEnd(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) return at
  let end = at + 1
  if (byte === QUOTE) {
    for (; end < bytes.length; end++) {
      if (bytes[end] === QUOTE) return end + 1
      if (bytes[end] === BACKSLASH) end++
    }
    return bytes.length
  }
  if (isWordByte(byte)) while (end < bytes.length && isWordByte(bytes[end]!)) end++
  else if (byte >= 0xc0) while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80 && end < at + 4) end++
  return end
}

/** True when a token at the end of the scan is incomplete: `tru`, `1.`, an open string. */
function isCut(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] === QUOTE) return decodeString(bytes, start, end) === undefined
  return isWordByte(bytes[start]!) && !WHOLE.test(decoder.decode(bytes.subarray(start, end)))
}
