/**
 * Writes strings, names and numbers as canonical bytes (RFC 8785 section 3.2.2) in JavaScript, without building a
 * string to encode first. docs/design/decisions.md shows the gain.
 * @module
 */
import { Refusal } from './value-refusal.ts'

/**
 * The limit of the result, even where the engine could hold more: a value that shares its parts can expand enormously.
 */
const LARGEST = 512 * 1024 * 1024

/** From this length on, a search and a call of the encoder are faster than handling every unit. */
const LONG = 128
/** Matches characters to escape, and surrogates, which may be unpaired. */
const NOT_PLAIN = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/** The number of units to reserve space for at once; each may become six bytes. */
const BLOCK = 1024

/** How to write a character below U+0080: 0 as it is, 1 as `\u00xx`, otherwise a backslash and this byte. */
const ESCAPES = escapes()
const HEX = new TextEncoder().encode('0123456789abcdef')

const encoder = new TextEncoder()

/** The cleared buffer of the last call, unless it was too large to keep. */
let spare: Uint8Array<ArrayBuffer> | undefined
const FIRST_SIZE = 1 << 14
const LARGEST_SPARE = 1 << 20

export class Writer {
  #bytes: Uint8Array<ArrayBuffer>
  #at = 0

  constructor() {
    // A toJSON method may call the canonicalizer, so two writers must not share a buffer.
    this.#bytes = spare ?? new Uint8Array(FIRST_SIZE)
    spare = undefined
  }

  /** The bytes written so far. */
  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at)
  }

  /** Ends the use of the writer and clears its buffer, so that no part of the value stays in memory. */
  release(): void {
    if (this.#bytes.length <= LARGEST_SPARE) spare = this.#bytes.fill(0, 0, this.#at)
  }

  byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#at++] = byte
  }

  /** Writes ASCII text unchanged. */
  ascii(text: string): void {
    const { length } = text
    this.#reserve(length)
    const bytes = this.#bytes
    let at = this.#at
    for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i)
    this.#at = at
  }

  /** ECMAScript's text of a number is already canonical (section 3.2.2.3), including `0` for -0. */
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

  /** Copies units up to the first one that is not a single byte; returns their number, usually the whole string. */
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

  /** Encodes text without anything to escape. Reserves three bytes for each unit, although not all are needed. */
  #encode(text: string): void {
    this.#reserve(text.length * 3)
    this.#at += encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written
  }

  /** Writes the units in [from, to); returns where it stopped, which is after a surrogate pair that crosses the end. */
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

function escapes(): Uint8Array {
  const escapes = new Uint8Array(128).fill(1, 0, 0x20)
  for (const [character, letter] of ['""', '\\\\', '\bb', '\ff', '\nn', '\rr', '\tt']) {
    escapes[character!.charCodeAt(0)] = letter!.charCodeAt(0)
  }
  return escapes
}
