// Cards in CBOR (Agent Card section 1.5): the JSON data model in fewer bytes. Signatures still cover the canonical JSON
// (JCS). When CBOR is read, values that JSON lacks and alternative encodings are refused, so that a card has exactly one
// CBOR form (RFC 8949 section 4.2.1).
import { diagnose, Lines } from '../document/diagnose.ts'
import type { Document } from '../document/parse.ts'
import { ARRAY, NULL, NUMBER, OBJECT, STRING } from '../document/tape.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import { unsigned } from '../frame/signing.ts'
import type { SignResult, Source } from '../frame/source.ts'
import { rowOf } from '../kinds.ts'
import { compareBytes } from '../text/bytes.ts'
import { CARD_CBOR } from './findings.ts'
import { CARD_READING, readInteger } from './subject.ts'

export declare namespace toCbor {
  /** A card in CBOR, or the reason that it could not be encoded. */
  interface Result {
    readonly bytes: Uint8Array<ArrayBuffer> | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
}

/**
 * Encodes a card as deterministic CBOR (RFC 8949 section 4.2): cards with the same canonical JSON have the same CBOR.
 * Integers of 64 bits keep every digit. Other numbers become the double that JSON parsers read.
 *
 * @example
 * toCbor('{"id": "agent://a", "name": "A", "seq": 1}').bytes // a3 62 6964 69 6167656e743a2f2f61 ...
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function toCbor(source: Source): toCbor.Result {
  const { subject: card, diagnostics } = readAs(CARD_READING, source)
  if (card === undefined) return { bytes: undefined, diagnostics }
  return { bytes: writeCbor(card.document), diagnostics }
}

/**
 * Decodes a card from CBOR to JSON; a signed card still verifies. Accepts only deterministic CBOR of JSON values.
 * Refused are names that are not text, duplicate names, tags, byte strings, indefinite lengths and NaN.
 *
 * @example
 * const { document } = fromCbor(bytes)
 * await verify(document, { resolver })
 *
 * @throws {TypeError} when the argument is not a Uint8Array.
 */
export function fromCbor(bytes: Uint8Array): SignResult {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`bytes: expected a Uint8Array, got ${typeof bytes}`)
  const refuse = (offset: number, detail: string): SignResult => {
    const place = { pointer: '', offset, endOffset: Math.min(offset + 1, bytes.length), detail }
    return { document: undefined, bytes: undefined, diagnostics: [diagnose(new Lines(bytes), CARD_CBOR, place)] }
  }
  const most = rowOf('card').bounds.bytes
  if (bytes.length > most) return refuse(0, `expected at most ${most} bytes, found ${bytes.length}`)
  try {
    const { subject, diagnostics } = readAs(CARD_READING, readCbor(bytes))
    if (subject === undefined) return unsigned(diagnostics)
    const { document } = subject
    return { document, bytes: document.bytes, diagnostics }
  } catch (error) {
    if (error instanceof CborFault) return refuse(error.offset, error.message)
    throw error
  }
}

/** The reason that bytes are not the deterministic CBOR of a JSON value. */
class CborFault extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/** The limit of nested containers. */
const DEEPEST = 256

const KINDS: readonly string[] = ['', '', 'a byte string', '', '', '', 'a tag']

/**
 * Converts CBOR bytes to JSON text without losing digits.
 *
 * @throws {CborFault} when the bytes are not the deterministic CBOR of a JSON value.
 */
export function readCbor(bytes: Uint8Array): string {
  const reader = new Reader(bytes)
  reader.value(0)
  if (reader.at < bytes.length) throw new CborFault(reader.at, 'expected the end, found more bytes')
  return reader.json.join('')
}

class Reader {
  readonly json: string[] = []
  at = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView
  // Keeps a leading U+FEFF, which is a valid first character of a name.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  value(depth: number): void {
    const start = this.at
    const major = this.#byte() >> 5
    this.at = start
    if (major === 7) this.#simple()
    else if (major === 0) this.json.push(String(this.#argument()))
    else if (major === 1) this.json.push(String(-1n - this.#argument()))
    else if (major === 3) this.#text()
    else if (major === 2 || major === 6) throw new CborFault(start, `expected a value of JSON, found ${KINDS[major]}`)
    else if (depth >= DEEPEST) throw new CborFault(start, `expected at most ${DEEPEST} levels, found more`)
    else if (major === 4) this.#array(depth)
    else this.#map(depth)
  }

  #array(depth: number): void {
    const count = this.#count(1)
    this.json.push('[')
    for (let i = 0; i < count; i++) {
      if (i > 0) this.json.push(',')
      this.value(depth + 1)
    }
    this.json.push(']')
  }

  #map(depth: number): void {
    const count = this.#count(2)
    this.json.push('{')
    let before: Uint8Array | undefined
    for (let i = 0; i < count; i++) {
      if (i > 0) this.json.push(',')
      const start = this.at
      if (this.#byte() >> 5 !== 3) throw new CborFault(start, 'expected a text as name, found another kind')
      this.at = start
      this.#text()
      const name = this.#bytes.subarray(start, this.at)
      const order = before === undefined ? -1 : compareBytes(before, name)
      if (order === 0) throw new CborFault(start, 'expected each name once, found it twice')
      if (order > 0) throw new CborFault(start, 'expected names in the order of their bytes, found another')
      before = name
      this.json.push(':')
      this.value(depth + 1)
    }
    this.json.push('}')
  }

  #text(): void {
    const start = this.at
    const length = this.#count(1)
    const bytes = this.#bytes.subarray(this.at, this.at + length)
    this.at += length
    try {
      this.json.push(JSON.stringify(this.#decoder.decode(bytes)))
    } catch {
      throw new CborFault(start, 'expected UTF-8, found other bytes')
    }
  }

  #simple(): void {
    const start = this.at
    const first = this.#byte()
    if (first === 0xf4 || first === 0xf5) this.json.push(String(first === 0xf5))
    else if (first === 0xf6) this.json.push('null')
    else if (first >= 0xf9 && first <= 0xfb) this.#float(start, 1 << (first - 0xf8))
    else throw new CborFault(start, `expected a value of JSON, found ${first === 0xff ? 'a break' : 'a simple value'}`)
  }

  #float(start: number, width: number): void {
    this.#need(width)
    const view = this.#view
    const at = this.at
    const value = width === 2 ? fromHalf(view.getUint16(at)) : width === 4 ? view.getFloat32(at) : view.getFloat64(at)
    this.at += width
    if (!Number.isFinite(value)) throw new CborFault(start, `expected a number that is finite, found ${value}`)
    const isHalf = width === 4 && halfOf(view.getUint32(at)) !== undefined
    const shorter = isHalf || (width === 8 && Math.fround(value) === value)
    if (shorter) throw new CborFault(start, 'expected a float in as few bytes as hold it, found more')
    this.json.push(String(value))
  }

  /**
   * Reads a count of items that have at least `least` bytes each. Refuses a count beyond the input before anything is
   * allocated.
   */
  #count(least: number): number {
    const start = this.at
    const count = this.#argument()
    const left = BigInt(this.#bytes.length - this.at)
    if (count * BigInt(least) > left) throw new CborFault(start, `expected ${count} more, found the end`)
    return Number(count)
  }

  /** Reads the argument of a head (section 3). Refuses an encoding that is longer than necessary. */
  #argument(): bigint {
    const start = this.at
    const additional = this.#byte() & 31
    if (additional < 24) return BigInt(additional)
    if (additional > 27) {
      const found = additional === 31 ? 'an indefinite one' : 'a reserved one'
      throw new CborFault(start, `expected a definite length, found ${found}`)
    }
    const width = 1 << (additional - 24)
    this.#need(width)
    let value = 0n
    for (let i = 0; i < width; i++) value = (value << 8n) | BigInt(this.#byte())
    const least = width === 1 ? 24n : 1n << BigInt(4 * width)
    if (value < least) throw new CborFault(start, 'expected a number in as few bytes as hold it, found more')
    return value
  }

  #byte(): number {
    this.#need(1)
    return this.#bytes[this.at++]!
  }

  #need(count: number): void {
    if (this.at + count > this.#bytes.length) throw new CborFault(this.at, 'expected more bytes, found the end')
  }
}

/** Decodes a half-precision float (RFC 8949 appendix D). */
function fromHalf(half: number): number {
  const exponent = (half >> 10) & 31
  const fraction = half & 0x3ff
  const sign = (half & 0x8000) === 0 ? 1 : -1
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent < 31) return sign * (fraction + 1024) * 2 ** (exponent - 25)
  return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
}

// JSON to deterministic CBOR (RFC 8949 section 4.2.1): shortest heads, shortest floats, names sorted by their bytes.

/**
 * Converts a single-precision float to the half-precision float of the same value, if there is one. Both are bit
 * patterns.
 */
function halfOf(single: number): number | undefined {
  const sign = (single >>> 16) & 0x8000
  const exponent = ((single >>> 23) & 0xff) - 127
  const fraction = single & 0x7f_ffff
  if ((single & 0x7fff_ffff) === 0) return sign
  if (exponent >= -14 && exponent <= 15) {
    return (fraction & 0x1fff) === 0 ? sign | ((exponent + 15) << 10) | (fraction >>> 13) : undefined
  }
  // Subnormal numbers: the leading bit is stored explicitly, and the low bits of the fraction are dropped.
  const dropped = -1 - exponent
  const whole = fraction | 0x80_0000
  if (exponent < -24 || exponent > 15 || (whole & ((1 << dropped) - 1)) !== 0) return undefined
  return sign | (whole >>> dropped)
}

const MOST = 2n ** 64n
const encoder = new TextEncoder()

/** Encodes a document's value as CBOR. The recursion is bounded: parsing has limited the depth of the document. */
export function writeCbor(document: Document): Uint8Array<ArrayBuffer> {
  const writer = new Writer()
  writer.value(document, 0)
  return writer.bytes
}

class Writer {
  #buffer = new Uint8Array(1024)
  #view = new DataView(this.#buffer.buffer)
  #length = 0

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(0, this.#length)
  }

  value(document: Document, entry: number): void {
    const { tape } = document
    const kind = tape.kind(entry)
    if (kind === NUMBER) this.#number(tape.source(entry))
    else if (kind === STRING) this.#put(encodeText(tape.text(entry)))
    else if (kind === ARRAY) {
      const elements = tape.children(entry)
      this.#put(head(4, BigInt(elements.length)))
      for (const element of elements) this.value(document, element)
    } else if (kind === OBJECT) {
      const members = tape.children(entry).map((name) => ({ name: encodeText(tape.text(name)), value: name + 1 }))
      // Deterministic CBOR sorts encoded names by their bytes (RFC 8949 section 4.2.1).
      members.sort((a, b) => compareBytes(a.name, b.name))
      this.#put(head(5, BigInt(members.length)))
      for (const { name, value } of members) {
        this.#put(name)
        this.value(document, value)
      }
    } else this.#put(Uint8Array.of(kind === NULL ? 0xf6 : tape.source(entry) === 'true' ? 0xf5 : 0xf4))
  }

  /** Writes integers of up to 64 bits exactly, and other numbers as the double that JSON parsers read. */
  #number(text: string): void {
    const double = Number(text)
    const integer = readInteger(text) ?? (Number.isInteger(double) ? BigInt(double) : undefined)
    if (integer === undefined || integer >= MOST || integer < -MOST) this.#float(double)
    else this.#put(integer < 0n ? head(1, -1n - integer) : head(0, integer))
  }

  #float(value: number): void {
    this.#room(9)
    const view = this.#view
    view.setFloat32(this.#length + 1, value)
    if (view.getFloat32(this.#length + 1) !== value) {
      view.setUint8(this.#length, 0xfb)
      view.setFloat64(this.#length + 1, value)
      this.#length += 9
      return
    }
    const half = halfOf(view.getUint32(this.#length + 1))
    if (half === undefined) {
      view.setUint8(this.#length, 0xfa)
      this.#length += 5
      return
    }
    view.setUint8(this.#length, 0xf9)
    view.setUint16(this.#length + 1, half)
    this.#length += 3
  }

  #put(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #room(more: number): void {
    if (this.#length + more <= this.#buffer.length) return
    const larger = new Uint8Array(2 * (this.#length + more))
    larger.set(this.#buffer)
    this.#buffer = larger
    this.#view = new DataView(larger.buffer)
  }
}

function encodeText(text: string): Uint8Array {
  const bytes = encoder.encode(text)
  const begin = head(3, BigInt(bytes.length))
  const whole = new Uint8Array(begin.length + bytes.length)
  whole.set(begin)
  whole.set(bytes, begin.length)
  return whole
}

/** Encodes a major type with its argument in as few bytes as possible (section 3). */
function head(major: number, argument: bigint): Uint8Array {
  const first = major << 5
  if (argument < 24n) return Uint8Array.of(first | Number(argument))
  const size = argument < 0x100n ? 0 : argument < 0x1_0000n ? 1 : argument < 0x1_0000_0000n ? 2 : 3
  const bytes = new Uint8Array(1 + (1 << size))
  bytes[0] = first | (24 + size)
  for (let i = bytes.length - 1, rest = argument; i > 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return bytes
}
