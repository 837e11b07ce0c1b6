/**
 * Strings, names and numbers as canonical bytes (RFC 8785 section 3.2.2), written by JavaScript itself: no text is put
 * together that would have to be encoded afterwards. docs/decisions.md has what that gains.
 * @module
 */
import { Refusal } from './value-refusal.ts'

/** No result is longer, whatever the engine could hold: a value that shares its parts can stand for far more. */
const LARGEST = 512 * 1024 * 1024

/** From this length on, a search and a call of the encoder cost less than a step for every unit. */
const LONG = 128
/** What has to be escaped, and surrogates, which may be halves of pairs. */
const NOT_PLAIN = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** Room is made for so many units at once, each of which may become six bytes. */
const BLOCK = 1024

/** What a character below U+0080 becomes: 0 itself, 1 `\u00xx`, else a backslash and this byte. */
const ESCAPES = new Uint8Array(128).fill(1, 0, 0x20)
for (const [character, letter] of ['""', '\\\\', '\bb', '\ff', '\nn', '\rr', '\tt']) {
  ESCAPES[character!.charCodeAt(0)] = letter!.charCodeAt(0)
}
const HEX = new TextEncoder().encode('0123456789abcdef')

const encoder = new TextEncoder()

/** A buffer of the last call, emptied, when it is not too large to keep. */
let spare: Uint8Array<ArrayBuffer> | undefined
const FIRST_SIZE = 1 << 14
const LARGEST_SPARE = 1 << 20

export class Writer {
  #bytes: Uint8Array<ArrayBuffer>
  #at = 0

  constructor() {
    // A toJSON method may canonicalize something itself: two writers never share a buffer.
    this.#bytes = spare ?? new Uint8Array(FIRST_SIZE)
    spare = undefined
  }

  /** What was written. */
  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at)
  }

  /** Ends the use of the writer. Nothing of a value stays in memory that outlives the call. */
  release(): void {
    if (this.#bytes.length <= LARGEST_SPARE) spare = this.#bytes.fill(0, 0, this.#at)
  }

  byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#at++] = byte
  }

  /** A text of ASCII characters as it is. */
  ascii(text: string): void {
    const { length } = text
    this.#reserve(length)
    const bytes = this.#bytes
    let at = this.#at
    for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i)
    this.#at = at
  }

  /** ECMAScript's own text of a number is the canonical one (section 3.2.2.3); -0 is `0` there too. */
  number(value: number): void {
    if (value >= 0 && value <= 9 && Math.trunc(value) === value) this.byte(48 + value)
    else if (Number.isFinite(value)) this.ascii(`${value}`)
    else throw new Refusal('number', String(value))
  }

  string(text: string): void {
    const { length } = text
    this.#reserve(length + 2)
    this.#bytes[this.#at++] = 34
    let i = 0
    if (length < LONG || NOT_PLAIN.test(text)) {
      i = this.#copy(text)
      while (i < length) i = this.#spell(text, i, Math.min(i + BLOCK, length))
    } else this.#encode(text)
    this.byte(34)
  }

  /** The units before the first that is no byte of its own; gives how many. Most strings have no other. */
  #copy(text: string): number {
    const { length } = text
    const bytes = this.#bytes
    let at = this.#at
    let i = 0
    for (; i < length; i++) {
      const unit = text.charCodeAt(i)
      if (unit >= 0x80 || ESCAPES[unit] !== 0) break
      bytes[at++] = unit
    }
    this.#at = at
    return i
  }

  /** Text without anything to escape: there most often is room for three bytes a unit, and no need of them. */
  #encode(text: string): void {
    this.#reserve(text.length * 3)
    this.#at += encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written
  }

  /** The units from one up to another, one after the other; gives where it stopped: behind a pair, if one lies across. */
  #spell(text: string, from: number, to: number): number {
    this.#reserve((to - from) * 6)
    const bytes = this.#bytes
    let at = this.#at
    let i = from
    for (; i < to; i++) {
      const unit = text.charCodeAt(i)
      if (unit < 0x80) {
        const letter = ESCAPES[unit]!
        if (letter === 0) {
          bytes[at++] = unit
          continue
        }
        bytes[at++] = 92
        if (letter !== 1) {
          bytes[at++] = letter
          continue
        }
        bytes[at++] = 117
        bytes[at++] = 48
        bytes[at++] = 48
        bytes[at++] = HEX[unit >> 4]!
        bytes[at++] = HEX[unit & 15]!
      } else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6)
        bytes[at++] = 0x80 | (unit & 63)
      } else if (unit < 0xd800 || unit > 0xdfff) {
        bytes[at++] = 0xe0 | (unit >> 12)
        bytes[at++] = 0x80 | ((unit >> 6) & 63)
        bytes[at++] = 0x80 | (unit & 63)
      } else {
        const low = ++i < text.length ? text.charCodeAt(i) : 0
        if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) throw new Refusal('surrogate')
        const point = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
        bytes[at++] = 0xf0 | (point >> 18)
        bytes[at++] = 0x80 | ((point >> 12) & 63)
        bytes[at++] = 0x80 | ((point >> 6) & 63)
        bytes[at++] = 0x80 | (point & 63)
      }
    }
    this.#at = at
    return i
  }

  #reserve(more: number): void {
    if (this.#at + more > this.#bytes.length) this.#grow(more)
  }

  #grow(more: number): void {
    const needed = this.#at + more
    if (needed > LARGEST) throw new Refusal('size')
    let larger: Uint8Array<ArrayBuffer>
    try {
      larger = new Uint8Array(Math.min(LARGEST, Math.max(needed, 2 * this.#bytes.length)))
    } catch {
      throw new Refusal('memory')
    }
    larger.set(this.#bytes.subarray(0, this.#at))
    this.#bytes = larger
  }
}
