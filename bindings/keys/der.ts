import { fromHex, toHex } from '../text/bytes.ts'
import { KeyError } from './base64.ts'

// The subset of DER (X.690) that keys use.
export const INTEGER = 0x02
export const BIT_STRING = 0x03
export const OCTET_STRING = 0x04
export const NULL = 0x05
export const OID = 0x06
export const SEQUENCE = 0x30
export const SET = 0x31
export const CONTEXT_0 = 0xa0
export const CONTEXT_1 = 0xa1
export const CONTEXT_3 = 0xa3
export const BOOLEAN = 0x01

const derError = (what: string) => new KeyError('KEY-102', `expected DER, found ${what}`)

/** Reads one element after another. Refuses any encoding that is not the shortest, so that each key has only one. */
export class DerReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** True when an element of this type follows. */
  follows(tag: number): boolean {
    return this.#bytes[this.#at] === tag
  }

  /** The content of the next element. */
  read(tag: number): Uint8Array {
    if (!this.follows(tag)) throw derError('an element of another type')
    const start = this.#at + 1
    let length = this.#bytes[start] ?? 0
    let from = start + 1
    if (length >= 0x80) {
      const digits = length & 0x7f
      // 65,535 bytes are enough for every kind of key.
      if (digits < 1 || digits > 2) throw derError('a length that no key has')
      length = 0
      for (let i = 0; i < digits; i++) length = (length << 8) | (this.#bytes[from++] ?? 0)
      if (length < (digits === 1 ? 0x80 : 0x100)) throw derError('a length in a longer form than needed')
    }
    if (from + length > this.#bytes.length) throw derError('an end within an element')
    this.#at = from + length
    return this.#bytes.subarray(from, this.#at)
  }

  enter(tag: number): DerReader {
    return new DerReader(this.read(tag))
  }

  /** A non-negative number, without the leading zero byte that marks its sign. */
  integer(): Uint8Array {
    const content = this.read(INTEGER)
    const [first = 0x80, second = 0x80] = content
    if (first >= 0x80 || (first === 0 && content.length > 1 && second < 0x80)) throw derError('a malformed integer')
    return first === 0 && content.length > 1 ? content.subarray(1) : content
  }

  /** A bit string that is a whole number of bytes. */
  bits(): Uint8Array {
    const content = this.read(BIT_STRING)
    if (content[0] !== 0) throw derError('bits that are no bytes')
    return content.subarray(1)
  }

  /** An object identifier as the hexadecimal digits of its content. */
  oid(): string {
    return toHex(this.read(OID))
  }

  finish(): void {
    if (!this.atEnd) throw derError('something behind the end')
  }
}

/** Enters bytes that are one SEQUENCE and nothing else. */
export function onlySequence(bytes: Uint8Array): DerReader {
  const outer = new DerReader(bytes)
  const reader = outer.enter(SEQUENCE)
  outer.finish()
  return reader
}

/** An element with these contents, concatenated. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = contents.reduce((sum, content) => sum + content.length, 0)
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  const element = new Uint8Array(1 + head.length + length)
  element.set([tag, ...head])
  let at = 1 + head.length
  for (const content of contents) {
    element.set(content, at)
    at += content.length
  }
  return element
}

/** An INTEGER for a non-negative number without leading zeros. */
export function derInteger(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes[0]! >= 0x80 ? der(INTEGER, Uint8Array.of(0), bytes) : der(INTEGER, bytes)
}

export function derBits(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return der(BIT_STRING, Uint8Array.of(0), bytes)
}

export function derOid(hex: string): Uint8Array<ArrayBuffer> {
  return der(OID, fromHex(hex)!)
}
