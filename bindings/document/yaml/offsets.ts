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
