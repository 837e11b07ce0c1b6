// JSON to deterministic CBOR (RFC 8949 section 4.2.1): shortest heads, shortest floats, names sorted by their bytes.
import type { Document } from '../document/parse.ts'
import { ARRAY, NULL, NUMBER, OBJECT, STRING } from '../document/tape.ts'
import { compareBytes } from '../text/bytes.ts'
import { readInteger } from './subject.ts'

/**
 * Converts a single-precision float to the half-precision float of the same value, if there is one. Both are bit
 * patterns.
 */
export function halfOf(single: number): number | undefined {
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
    else if (kind === STRING) this.#put(textOf(tape.text(entry)))
    else if (kind === ARRAY) {
      const elements = tape.children(entry)
      this.#put(head(4, BigInt(elements.length)))
      for (const element of elements) this.value(document, element)
    } else if (kind === OBJECT) {
      const members = tape.children(entry).map((name) => ({ name: textOf(tape.text(name)), value: name + 1 }))
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

function textOf(text: string): Uint8Array {
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
