const encoder = new TextEncoder()

/** A buffer for writing JSON that grows as needed. */
export class JsonText {
  length = 0
  #bytes = new Uint8Array(1 << 12)

  /** The bytes written so far. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length)
  }

  ascii(text: string): void {
    this.#reserve(text.length)
    for (let i = 0; i < text.length; i++) this.#bytes[this.length++] = text.charCodeAt(i)
  }

  /** Appends bytes unchanged. */
  copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Appends a quoted string. Lone surrogates become escapes, which the JSON reader then refuses. */
  string(text: string): void {
    const json = JSON.stringify(text)
    this.#reserve(json.length * 3)
    this.length += encoder.encodeInto(json, this.#bytes.subarray(this.length)).written
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.length + more, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = larger
  }
}
