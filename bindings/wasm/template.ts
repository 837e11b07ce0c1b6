/**
 * Compiled templates: reads their blobs from the core and passes values to it. docs/guide/abi/template.md has the layouts.
 * @module
 */
import { NO_MEMORY, TEMPLATE_LARGE } from './faults.ts'
import { instance, Resident, utf8Length } from './instance.ts'

/**
 * A fault of a template: a code of core/faults.ts, the offset where it begins, and the offset of the byte that shows
 * it.
 */
export class TemplateFault {
  readonly code: number
  readonly offset: number
  readonly found: number

  constructor(code: number, offset: number, found: number) {
    this.code = code
    this.offset = offset
    this.found = found
  }
}

const HEADER_WORDS = 5
const REFERENCE_WORDS = 3

const encoder = new TextEncoder()
// A template may contain U+FEFF at its start or after a reference: it is ordinary text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A compiled template and its parts. */
export class TemplateBlob {
  /** The distinct names in order of first use. */
  readonly names: readonly string[]
  /** The number of uses of each name. */
  readonly uses: Uint32Array
  /** The UTF-8 length of the text between the references. */
  readonly textLength: number
  readonly references: number

  readonly #blob: Uint8Array<ArrayBuffer>
  readonly #words: Uint32Array
  readonly #resident: Resident

  constructor(blob: Uint8Array<ArrayBuffer>) {
    const [length, references, names, nameBytes, text] = new Uint32Array(blob.buffer, 0, HEADER_WORDS)
    this.#blob = blob
    this.#words = new Uint32Array(blob.buffer, 0, nameBytes! >>> 2)
    this.#resident = new Resident(blob)
    this.references = references!
    this.textLength = length! - text!
    this.uses = new Uint32Array(names!)
    this.names = this.#readNames(names!, nameBytes!, text!)
  }

  #readNames(count: number, from: number, to: number): string[] {
    const all = decoder.decode(this.#blob.subarray(from, to))
    const table = HEADER_WORDS + REFERENCE_WORDS * this.references
    const names: string[] = []
    let at = 0
    for (let i = 0; i < count; i++) {
      const end = at + this.#words[table + 2 * i]!
      names.push(all.slice(at, end))
      at = end
      this.uses[i] = this.#words[table + 2 * i + 1]!
    }
    return names
  }

  /** The index in `names` of a reference's name. */
  nameOf(reference: number): number {
    return this.#words[HEADER_WORDS + REFERENCE_WORDS * reference + 1]!
  }

  /** The offset of a reference's `{{` in the template. */
  offsetOf(reference: number): number {
    return this.#words[HEADER_WORDS + REFERENCE_WORDS * reference + 2]!
  }

  /** The text before each reference, followed by the text after the last one. */
  pieces(): string[] {
    const pieces: string[] = []
    let at = this.#blob.length - this.textLength
    for (let i = 0; i < this.references; i++) {
      const end = at + this.#words[HEADER_WORDS + REFERENCE_WORDS * i]!
      pieces.push(decoder.decode(this.#blob.subarray(at, end)))
      at = end
    }
    pieces.push(decoder.decode(this.#blob.subarray(at)))
    return pieces
  }

  /**
   * The output as a view of the core's memory, valid until the next call. Undefined when it would exceed `limit`, or
   * when `asciiOnly` is set and a value is not ASCII. `values` must be in the order of `names` and well-formed.
   */
  render(values: readonly string[], limit: number, asciiOnly = false): Uint8Array<ArrayBuffer> | undefined {
    let text = ''
    for (let i = 0; i < values.length; i++) text += values[i]
    // Every value is used and has at least one byte for each unit, so overlong values need not be encoded.
    if (text.length > limit) return undefined

    const core = instance()
    const blob = this.#resident.at()
    const head = 4 * values.length
    const input = core.reserve(head + 3 * text.length)
    const { written } = encoder.encodeInto(text, core.bytes.subarray(input + head))
    const ascii = written === text.length
    if (asciiOnly && !ascii) return undefined
    for (let i = 0; i < values.length; i++) {
      core.words[(input >>> 2) + i] = ascii ? values[i]!.length : utf8Length(values[i]!)
    }
    const length = core.exports.templateRender(head + written, blob, this.#blob.length, limit)
    core.renew()
    if (length >= 0) return core.view(core.word(0), length)
    if (length === TEMPLATE_LARGE) return undefined
    throw new RangeError('the host gives the core no more memory')
  }
}

/** Compiles a template; a string must be well-formed. */
export function compile(template: Uint8Array | string): TemplateBlob | TemplateFault {
  const core = instance()
  const length = typeof template === 'string' ? core.writeText(template) : core.write(template)
  const size = core.exports.templateCompile(length)
  core.renew()
  if (size === NO_MEMORY) throw new RangeError('the host gives the core no more memory')
  if (size < 0) return new TemplateFault(size, core.word(1), core.word(2))
  return new TemplateBlob(core.copy(core.word(0), size))
}
