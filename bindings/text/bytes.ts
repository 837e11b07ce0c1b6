/** True when both arrays have the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Compares unsigned bytes; a prefix comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** The bytes of all parts, one after the other, as a copy. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

const NEWLINE = 0x0a

/** The lines of a text, each with a line feed behind it. */
export function joinLines(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(lines.reduce((length, line) => length + line.length + 1, 0)).fill(NEWLINE)
  let at = 0
  for (const line of lines) {
    joined.set(line, at)
    at += line.length + 1
  }
  return joined
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The hexadecimal digits of bytes. */
export function toHex(bytes: Uint8Array): string {
  let digits = ''
  for (let i = 0; i < bytes.length; i++) digits += HEX[bytes[i]!]
  return digits
}

/** The bytes of hexadecimal digits in any case, two digits each; undefined for any other text. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> | undefined {
  if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) return undefined
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}

/** Splits a stream into lines, each with its line feed. A line that exceeds `longest` bytes comes in parts. */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let size = 0
  const takeLine = (end: Uint8Array) => {
    const line = joinBytes([...parts, end])
    parts = []
    size = 0
    return line
  }
  for await (const chunk of chunks) {
    let rest = chunk
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      yield takeLine(rest.subarray(0, at + 1))
      rest = rest.subarray(at + 1)
    }
    // The stream may use the memory of a chunk again.
    parts.push(rest.slice())
    size += rest.length
    if (size > longest) yield takeLine(new Uint8Array())
  }
  if (size > 0) yield takeLine(new Uint8Array())
}

// CRC-32 as in ZIP (APPNOTE 6.3.10 section 4.4.7): sixteen tables, so that each turn takes sixteen bytes. Eight tables
// take 1.5 times as long.

let tables: Int32Array | undefined

function makeTables(): Int32Array {
  const made = new Int32Array(16 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let rest = byte
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0)
    made[byte] = rest
  }
  for (let i = 256; i < made.length; i++) made[i] = (made[i - 256]! >>> 8) ^ made[made[i - 256]! & 255]!
  return made
}

/** The sum of four bytes, with the four tables from `first` on. */
const wordSum = (t: Int32Array, first: number, word: number) =>
  t[first + 768 + (word & 255)]! ^
  t[first + 512 + ((word >>> 8) & 255)]! ^
  t[first + 256 + ((word >>> 16) & 255)]! ^
  t[first + (word >>> 24)]!

/** The checksum of bytes, from 0 to 0xffffffff. */
export function crc32(bytes: Uint8Array): number {
  tables ??= makeTables()
  const t = tables
  const { buffer, byteOffset, length } = bytes
  const view = new DataView(buffer, byteOffset, length)
  // Declared apart: as `let [sum, at] = [-1, 0]` the loop takes twice the time in V8.
  let sum = -1
  let at = 0
  for (; at + 16 <= length; at += 16) {
    const later =
      wordSum(t, 2048, view.getInt32(at + 4, true)) ^
      wordSum(t, 1024, view.getInt32(at + 8, true)) ^
      wordSum(t, 0, view.getInt32(at + 12, true))
    sum = wordSum(t, 3072, sum ^ view.getInt32(at, true)) ^ later
  }
  for (; at < length; at++) sum = (sum >>> 8) ^ t[(sum ^ bytes[at]!) & 255]!
  return ~sum >>> 0
}
