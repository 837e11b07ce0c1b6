/** Units between two of the places that are remembered. */
const STRIDE = 64

/** UTF-8 offsets of a text's UTF-16 units: parsers count units, documents bytes. */
export class Offsets {
  readonly #text: string
  /** Bytes before each STRIDE-th unit; undefined when every unit is a byte. */
  readonly #marks: Uint32Array | undefined

  readonly #first: number

  /** @param byteLength what the text has in UTF-8. @param first the offset of its first byte. */
  constructor(text: string, byteLength: number, first: number) {
    this.#text = text
    this.#first = first
    if (byteLength === text.length) return
    this.#marks = new Uint32Array(Math.ceil(text.length / STRIDE) + 1)
    for (let i = 0, mark = 0; i < text.length; i += STRIDE) {
      this.#marks[mark + 1] = this.#marks[mark++]! + bytesOf(text, i, Math.min(i + STRIDE, text.length))
    }
  }

  /** Bytes before a unit; units behind the end count as the end. */
  at(place: number): number {
    const unit = Math.min(place, this.#text.length)
    if (this.#marks === undefined) return this.#first + unit
    const mark = Math.floor(unit / STRIDE)
    return this.#first + this.#marks[mark]! + bytesOf(this.#text, mark * STRIDE, unit)
  }
}

/** Bytes of the units in [from, to): each half of a pair counts as two. */
function bytesOf(text: string, from: number, to: number): number {
  let bytes = 0
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return bytes
}
