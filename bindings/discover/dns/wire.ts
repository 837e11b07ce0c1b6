import { DnsError } from './error.ts'
import { DNS_MALFORMED } from './findings.ts'
import { labelText, type Name, ROOT } from './name.ts'

const POINTER = 0xc0
/** The most labels in a name of 255 bytes. */
const MOST_LABELS = 127

/** A name that was read before: most pointers lead to the same few. */
interface KnownName {
  readonly text: string
  /** The length over the wire. */
  readonly length: number
}

/** Reads bytes from the left, and refuses to read beyond the end. */
export class WireReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #names: Map<number, KnownName> | undefined
  at: number

  /** @param names the names of a message by offset, for pointers. */
  constructor(bytes: Uint8Array, at = 0, end = bytes.length, names?: Map<number, KnownName>) {
    this.#bytes = bytes
    this.#end = end
    this.#names = names
    this.at = at
  }

  get left(): number {
    return this.#end - this.at
  }

  u8(): number {
    return this.#bytes[this.#take(1)]!
  }

  u16(): number {
    const at = this.#take(2)
    return (this.#bytes[at]! << 8) | this.#bytes[at + 1]!
  }

  u32(): number {
    return this.u16() * 0x10000 + this.u16()
  }

  /** A view, not a copy. */
  take(length: number): Uint8Array {
    const at = this.#take(length)
    return this.#bytes.subarray(at, at + length)
  }

  rest(): Uint8Array {
    return this.take(this.left)
  }

  /** A reader of only the next bytes; pointers in them may still lead to earlier bytes. */
  part(length: number): WireReader {
    const at = this.#take(length)
    return new WireReader(this.#bytes, at, at + length, this.#names)
  }

  /** Reads a name without compression, as RFC 3597 section 4 requires for newer types. */
  plainName(): Name {
    return this.#name(false)
  }

  /**
   * Reads a name that may be compressed (RFC 1035 section 4.1.4). Pointers must lead to earlier bytes, each before the
   * last, so that no chain is endless.
   */
  name(): Name {
    return this.#name(true)
  }

  #name(mayPoint: boolean): Name {
    const bytes = this.#bytes
    let text = ''
    let length = 1
    let before = this.at
    /** The offset after the first pointer, where reading continues. */
    let back = -1
    const start = this.at
    for (let labels = 0; ; labels++) {
      const size = this.u8()
      if (size === 0) break
      if (size >= POINTER) {
        if (!mayPoint) fail('a name is compressed where that is not allowed')
        const target = ((size & 0x3f) << 8) | this.u8()
        if (target >= before) fail('a name points to itself or to what follows')
        if (back < 0) back = this.at
        const known = this.#names?.get(target)
        if (known !== undefined) {
          text = text === '' ? known.text : known.text === '' ? text : `${text}.${known.text}`
          length += known.length - 1
          if (length > 255) fail('a name of more than 255 bytes')
          break
        }
        before = target
        this.at = target
        continue
      }
      if (size >= 0x40) fail('a label of an unknown kind')
      length += 1 + size
      if (length > 255 || labels > 2 * MOST_LABELS) fail('a name of more than 255 bytes')
      const at = this.#take(size)
      text += text === '' ? labelText(bytes, at, at + size) : `.${labelText(bytes, at, at + size)}`
    }
    if (back >= 0) this.at = back
    this.#names?.set(start, { text, length })
    return text === '' ? ROOT : text
  }

  #take(length: number): number {
    const { at } = this
    if (at + length > this.#end) fail('it ends too early')
    this.at = at + length
    return at
  }
}

function fail(why: string): never {
  throw new DnsError(DNS_MALFORMED, why)
}
