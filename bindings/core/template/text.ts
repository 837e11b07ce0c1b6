import type { TemplateBlob } from '../../wasm/template.ts'
import { utf8Length } from '../../wasm/utf8.ts'

/**
 * From this many references on, the core renders ASCII output, which is then decoded. Below that, and for non-ASCII
 * text, which engines decode slowly, concatenation is faster. Measured: 4 KB of ASCII take 2.0 us instead of 2.4, 100
 * KB 24 instead of 67; decoding 4 KB with Cyrillic values would take 11 instead of 3.
 */
const CORE_FROM = 16

const NON_ASCII = /[^\0-\x7f]/

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Renders a template to text; the result equals decoding the core's bytes. */
export class TextRenderer {
  readonly #blob: TemplateBlob
  readonly #pieces: readonly string[]
  /** The index of the name of each reference. */
  readonly #order: readonly number[]
  readonly #throughCore: boolean
  /** Set when the last values were not ASCII: then it pays to test the next ones before passing them to the core. */
  #wary = false

  constructor(blob: TemplateBlob) {
    this.#blob = blob
    this.#pieces = blob.pieces()
    this.#order = Array.from({ length: blob.references }, (_, i) => blob.nameOf(i))
    const ascii = this.#pieces.reduce((sum, piece) => sum + piece.length, 0) === blob.textLength
    this.#throughCore = ascii && blob.references >= CORE_FROM
  }

  /** The output; undefined when it would exceed `limit` bytes. `values` are in the order of the names. */
  render(values: readonly string[], limit: number): string | undefined {
    if (!this.#fits(values, limit)) return undefined
    if (this.#throughCore && !(this.#wary && values.some((value) => NON_ASCII.test(value)))) {
      const view = this.#blob.render(values, limit, true)
      this.#wary = view === undefined
      if (view !== undefined) return decoder.decode(view)
    }
    return this.#concatenate(values)
  }

  #concatenate(values: readonly string[]): string {
    const pieces = this.#pieces
    const order = this.#order
    let text = pieces[0]!
    for (let i = 0; i < order.length; i++) {
      text += values[order[i]!]!
      text += pieces[i + 1]!
    }
    return text
  }

  #fits(values: readonly string[], limit: number): boolean {
    const { textLength, uses } = this.#blob
    let units = 0
    for (let i = 0; i < values.length; i++) units += uses[i]! * values[i]!.length
    // UTF-8 takes at most three bytes for a unit, so most outputs need no exact count.
    return textLength + 3 * units <= limit || this.#length(values) <= limit
  }

  #length(values: readonly string[]): number {
    const { textLength, uses } = this.#blob
    return values.reduce((sum, value, i) => sum + uses[i]! * utf8Length(value), textLength)
  }
}
