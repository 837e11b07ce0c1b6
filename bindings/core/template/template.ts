import { DocumentError } from '../../document/finding.ts'
import type { Diagnostic } from '../../document/types.ts'
import type { TemplateBlob } from '../../wasm/template.ts'
import { isWellFormed } from '../../wasm/utf8.ts'
import type { Refusal, TemplateSource } from './faults.ts'
import { VariableReader } from './reader.ts'
import { TextRenderer } from './text.ts'
import { textOf, type ValueRules, type Variables } from './values.ts'

/** Stops looking for refused variables after this many. */
const MOST_REFUSALS = 20

/** 16 MiB: far above any prompt, and far below what makes a process fail. */
const DEFAULT_LIMIT = 1 << 24
/** Beyond this, the largest outputs would exceed the core's 32-bit addresses. */
export const LARGEST = 1 << 26

export interface RenderOptions extends ValueRules {
  /** The limit of the output in UTF-8 bytes; default 16777216, maximum 67108864. */
  readonly maxBytes?: number
}

/** A compiled template. Rendering never parses the source again, and never treats values as templates. */
export class Template {
  /** The distinct names of the variables, in order of first use. */
  readonly names: readonly string[]

  readonly #blob: TemplateBlob
  readonly #source: () => TemplateSource
  readonly #reader: VariableReader
  #text: TextRenderer | undefined

  /** Made by `compileTemplate`. */
  constructor(blob: TemplateBlob, source: () => TemplateSource) {
    this.names = blob.names
    this.#blob = blob
    this.#source = source
    this.#reader = new VariableReader(blob.names)
  }

  /**
   * The UTF-8 offsets of all references to a variable.
   *
   * @example
   * compileTemplate('{{a}} {{b}} {{a}}').uses('a') // [0, 12]
   */
  uses(name: string): number[] {
    const wanted = this.names.indexOf(name)
    const offsets: number[] = []
    for (let i = 0; i < this.#blob.references; i++) {
      if (this.#blob.nameOf(i) === wanted) offsets.push(this.#blob.offsetOf(i))
    }
    return offsets
  }

  /**
   * Renders the template to text.
   *
   * @example
   * compileTemplate('Hello {{name}}').render({ name: 'Ada' }) // 'Hello Ada'
   *
   * @throws {DocumentError} for variables that are missing or have no text, or an output that is too long.
   */
  render(variables: Variables, options?: RenderOptions): string {
    const limit = limitOf(options)
    const values = this.#values(variables, options)
    this.#text ??= new TextRenderer(this.#blob)
    return this.#text.render(values, limit) ?? this.#tooLong(limit)
  }

  /**
   * Renders the template to bytes that the caller owns.
   *
   * @example
   * compileTemplate('{{n}}!').renderBytes({ n: 1 }) // Uint8Array [49, 33]
   *
   * @throws {DocumentError} as `render` does.
   */
  renderBytes(variables: Variables, options?: RenderOptions): Uint8Array<ArrayBuffer> {
    return this.renderView(variables, options).slice()
  }

  /**
   * Renders the template to a view of the core's memory. It needs no copy, but any later call of this package may
   * overwrite it.
   *
   * @example
   * response.write(compileTemplate('{{n}}!').renderView({ n: 1 }))
   *
   * @throws {DocumentError} as `render` does.
   */
  renderView(variables: Variables, options?: RenderOptions): Uint8Array<ArrayBuffer> {
    const limit = limitOf(options)
    return this.#blob.render(this.#values(variables, options), limit) ?? this.#tooLong(limit)
  }

  #values(variables: Variables, options: RenderOptions | undefined): readonly string[] {
    if (typeof variables !== 'object' || variables === null) throw noVariables(variables)
    const values = this.#reader.read(variables)
    // Most templates get valid strings only and need no conversion. Kept small, so that the engine inlines it into
    // `render`.
    return options === undefined && areTexts(values, this.names.length) ? values : this.#textsOf(values, options)
  }

  #textsOf(values: readonly unknown[], options: RenderOptions | undefined): string[] {
    const texts: string[] = []
    const refused = new Map<number, Refusal | undefined>()
    for (const [i, name] of this.names.entries()) {
      const value = values[i]
      const text = value === undefined ? undefined : textOf(name, value, options)
      if (typeof text === 'string') texts.push(text)
      else refused.set(i, text)
      if (refused.size === MOST_REFUSALS) break
    }
    if (refused.size > 0) throw new DocumentError(this.#diagnostics(refused))
    return texts
  }

  #diagnostics(refused: ReadonlyMap<number, Refusal | undefined>): Diagnostic[] {
    const uses = new Map(Array.from(refused.keys(), (name) => [name, [] as number[]]))
    for (let i = 0; i < this.#blob.references; i++) uses.get(this.#blob.nameOf(i))?.push(this.#blob.offsetOf(i))
    const source = this.#source()
    return Array.from(refused, ([i, refusal]) => {
      const name = this.names[i]!
      const offsets = uses.get(i)!
      return refusal === undefined ? source.undefined(name, offsets) : source.value(refusal, name, offsets[0]!)
    })
  }

  #tooLong(limit: number): never {
    throw new DocumentError([this.#source().outputTooLong(limit)])
  }
}

/**
 * True when there is a well-formed string for each name. A getter that deletes a later variable leaves fewer values.
 */
function areTexts(values: readonly unknown[], names: number): values is readonly string[] {
  if (values.length !== names) return false
  for (let i = 0; i < names; i++) {
    const value = values[i]
    if (typeof value !== 'string' || !isWellFormed(value)) return false
  }
  return true
}

function noVariables(got: unknown): TypeError {
  return new TypeError(`variables: expected an object, got ${got === null ? 'null' : typeof got}`)
}

function limitOf(options: RenderOptions | undefined): number {
  const limit = options?.maxBytes
  return limit === undefined ? DEFAULT_LIMIT : checkedLimit(limit)
}

function checkedLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 0 && limit <= LARGEST) return limit
  throw new RangeError(`maxBytes: expected an integer from 0 to ${LARGEST}, got ${limit}`)
}
