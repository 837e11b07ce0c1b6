/**
 * Writes the parts of canonical JSON into a buffer.
 * @module
 */
import { isWellFormed } from '../wasm/instance.ts'
import { completeMarked, NUMBER_MARK, TEXT_MARK } from '../wasm/json.ts'
import type { ValueReason } from './value-faults.ts'

// Why a value has no canonical form, as found during the walk. bindings/core/value-faults.ts has the words.

/** Thrown only within the walk; not an Error, because nobody reads its stack. */
export class Refusal {
  readonly reason: ValueReason
  /** The offending value where the reason does not show it: `NaN`, `Map`; or the limit that was reached. */
  readonly what: string
  /** The container that contains itself, or the error thrown when the value was read. */
  readonly about: unknown

  constructor(reason: ValueReason, what = '', about?: unknown) {
    this.reason = reason
    this.what = what
    this.about = about
  }
}

// Writes strings, names and numbers as canonical bytes (RFC 8785 section 3.2.2) in JavaScript, without building a
// string to encode first. Marks longer numbers and texts, which the core then writes for many of them in one call.

/**
 * The limit of the result, even where the engine could hold more: a value that shares its parts can expand enormously.
 */
const LARGEST = 512 * 1024 * 1024

/** The core pays for candidates that stand close together: marks begin after this many, each at most so far away. */
const FEW_MARKS = 8
const NEAR = 256
/** The lengths of texts to mark: shorter ones are written as fast here, and the core's input must not become large. */
const LEAST_MARKED = 48
const MOST_MARKED = 1 << 13
/** The core completes this many numbers at once, and about this many bytes. */
const NUMBERS = 512
const SPAN = 1 << 15

/** Up to this integer, digits are written one by one. */
const MOST_SHORT = 999_999

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
let spareNumbers: Float64Array<ArrayBuffer> | undefined
const FIRST_SIZE = 1 << 14
const LARGEST_SPARE = 1 << 20

export class Writer {
  #bytes: Uint8Array<ArrayBuffer>
  #at = 0
  /** The number of candidates for marks in this neighbourhood that were written here instead, and where the last stood. */
  #few = 0
  #candidate = 0
  /** The marked bytes: from the first mark to the end of the last. */
  #marked = 0
  #markedEnd = 0
  #numbers: Float64Array<ArrayBuffer> | undefined
  #count = 0

  constructor() {
    // A toJSON method may call the canonicalizer, so two writers must not share a buffer.
    this.#bytes = spare ?? new Uint8Array(FIRST_SIZE)
    spare = undefined
  }

  /** The bytes written so far, after `complete`. */
  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#at)
  }

  /** Ends the use of the writer and clears its buffer, so that no part of the value stays in memory. */
  release(): void {
    if (this.#numbers !== undefined) spareNumbers = this.#numbers.fill(0)
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
    if (value >= 0 && value <= MOST_SHORT && Math.trunc(value) === value) this.#integer(value)
    else if (!Number.isFinite(value)) throw new Refusal('number', String(value))
    else if (!this.#isDense()) this.ascii(`${value}`)
    else {
      this.#beginMark(NUMBER_MARK)
      this.#endMark()
      this.#numbers![this.#count++] = value
    }
  }

  /** Writes an integer from 0 to MOST_SHORT. */
  #integer(value: number): void {
    let digits = 1
    for (let power = 10; power <= value; power *= 10) digits++
    this.#reserve(digits)
    const bytes = this.#bytes
    let at = this.#at + digits
    this.#at = at
    for (let rest = value | 0; digits > 0; digits--) {
      const tenth = (rest / 10) | 0
      bytes[--at] = 48 + rest - tenth * 10
      rest = tenth
    }
  }

  /** Notes a candidate; true when enough of them stand close together. */
  #isDense(): boolean {
    if (this.#at - this.#candidate > NEAR) this.#few = 0
    this.#candidate = this.#at
    return this.#few++ >= FEW_MARKS
  }

  #beginMark(mark: number): void {
    if (this.#numbers === undefined) {
      this.#numbers = spareNumbers ?? new Float64Array(NUMBERS)
      spareNumbers = undefined
    }
    if (this.#count === NUMBERS || this.#at - this.#marked > SPAN) this.complete()
    if (this.#markedEnd === 0) this.#marked = this.#at
    this.byte(mark)
  }

  #endMark(): void {
    this.#markedEnd = this.#at
  }

  /** Replaces what is marked, and moves what was written after it. */
  complete(): void {
    const [from, to] = [this.#marked, this.#markedEnd]
    if (to === 0) return
    try {
      const numbers = new Uint8Array(this.#numbers!.buffer, 0, 8 * this.#count)
      completeMarked(numbers, this.#bytes.subarray(from, to), (text) => {
        const more = text.length - (to - from)
        this.#reserve(more)
        this.#bytes.copyWithin(to + more, to, this.#at)
        this.#bytes.set(text, from)
        this.#at += more
      })
    } catch (error) {
      throw error instanceof RangeError ? new Refusal('memory') : error
    }
    this.#markedEnd = 0
    this.#count = 0
  }

  string(text: string): void {
    const { length } = text
    this.#reserve(length + 2)
    this.#bytes[this.#at++] = 34
    let i = 0
    if (length < LONG || NOT_PLAIN.test(text)) {
      i = this.#copy(text)
      if (i < length && this.#isMarkable(text, i)) {
        this.#beginMark(TEXT_MARK)
        this.#encode(i === 0 ? text : text.slice(i))
        this.byte(TEXT_MARK)
        this.#endMark()
        i = length
      }
      while (i < length) i = this.#spell(text, i, Math.min(i + BLOCK, length))
    } else this.#encode(text)
    this.byte(34)
  }

  /** True for a long enough rest that begins with a character to escape: the core escapes faster. */
  #isMarkable(text: string, from: number): boolean {
    const rest = text.length - from
    if (rest < LEAST_MARKED || rest > MOST_MARKED || text.charCodeAt(from) >= 0x80) return false
    if (!this.#isDense()) return false
    if (!isWellFormed(text)) throw new Refusal('surrogate')
    return true
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
