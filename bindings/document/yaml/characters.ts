import { JSON_UTF8 } from '../../wasm/faults.ts'
import { Fault } from '../../wasm/json.ts'
import type { FindingKind } from '../finding.ts'
import type { Fix } from '../types.ts'

interface More {
  readonly pointer?: string
  readonly fix?: Fix
  /** The offset of the first of two equal names. */
  readonly first?: number
  /** What the fix removes. */
  readonly spare?: readonly [start: number, end: number] | undefined
}

/**
 * The reason to refuse a text, thrown where it is detected. Not an Error, because nobody reads its stack. Offsets count
 * UTF-16 units.
 */
export class TextFault {
  readonly kind: FindingKind
  readonly start: number
  readonly end: number
  readonly detail: string
  readonly more: More

  constructor(kind: FindingKind, [start, end]: readonly [number, number], detail: string, more: More = {}) {
    this.kind = kind
    this.start = start
    this.end = end
    this.detail = detail
    this.more = more
  }

  /** The same fault with the pointer of its value. */
  at(pointer: string): TextFault {
    return new TextFault(this.kind, [this.start, this.end], this.detail, { ...this.more, pointer })
  }
}

// Checks the characters of a YAML source (YAML 1.2.2 sections 5.1 and 5.2).

/**
 * Characters that YAML never allows unescaped, and the lone carriage return, which YAML allows but the package does not
 * treat as a line end.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]|\r(?!\n)/

/** Decodes UTF-8; for invalid bytes returns the JSON reader's fault. */
export function decode(bytes: Uint8Array): string | Fault {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new Fault(JSON_UTF8, malformedAt(bytes), -1)
  }
}

/** The offset of the first byte that is not valid UTF-8. */
function malformedAt(bytes: Uint8Array): number {
  const replaced = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let at = 0
  for (const character of replaced) {
    const code = character.codePointAt(0)!
    if (code === 0xfffd && !(bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd)) return at
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return at
}

/** UTF-16 units between two remembered places. */
const STRIDE = 64

/** Converts UTF-16 offsets to UTF-8 offsets: the YAML parser counts units, documents count bytes. */
export class Offsets {
  readonly #text: string
  /** The byte offset of each STRIDE-th unit; undefined for ASCII text. */
  readonly #marks: Uint32Array | undefined

  readonly #first: number

  /** @param byteLength the text's length in UTF-8. @param first the offset of its first byte. */
  constructor(text: string, byteLength: number, first: number) {
    this.#text = text
    this.#first = first
    if (byteLength === text.length) return
    this.#marks = new Uint32Array(Math.ceil(text.length / STRIDE) + 1)
    for (let i = 0, mark = 0; i < text.length; i += STRIDE) {
      this.#marks[mark + 1] = this.#marks[mark++]! + bytesOf(text, i, Math.min(i + STRIDE, text.length))
    }
  }

  /** The byte offset of a unit; units past the end count as the end. */
  at(place: number): number {
    const unit = Math.min(place, this.#text.length)
    if (this.#marks === undefined) return this.#first + unit
    const mark = Math.floor(unit / STRIDE)
    return this.#first + this.#marks[mark]! + bytesOf(this.#text, mark * STRIDE, unit)
  }
}

/** The number of bytes of the units in [from, to): each half of a surrogate pair counts as two. */
function bytesOf(text: string, from: number, to: number): number {
  let bytes = 0
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return bytes
}
