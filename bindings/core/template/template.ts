import { diagnose, Lines } from '../../document/diagnose.ts'
import { characterAt, hex, placeText, tokenWords } from '../../document/faults.ts'
import { DocumentError, type FindingKind } from '../../document/finding.ts'
import { LIMIT_SIZE } from '../../document/findings.ts'
import type { Diagnostic, Fix } from '../../document/types.ts'
import { TEMPLATE_CHARACTER, TEMPLATE_EMPTY, TEMPLATE_START, TEMPLATE_UNCLOSED } from '../../wasm/faults.ts'
import { isWellFormed, utf8Length } from '../../wasm/instance.ts'
import type { TemplateBlob, TemplateFault } from '../../wasm/template.ts'
import * as FINDINGS from '../findings.ts'
import { LIMIT_VALUE, TEMPLATE_DELIMITER, TEMPLATE_VALUE } from '../findings.ts'

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

// The words for each fault of a template or its values.

/** The reason why a value is refused. */
interface Refusal {
  readonly kind: FindingKind
  readonly detail: string
}

/** Lists at most this many further uses of an undefined variable; `Template.uses` returns all. */
const LISTED = 20

const ESCAPE: Fix = { hint: 'write \\{{ for two braces that are no reference' }

/** The text of a template, kept for diagnostics. */
export class TemplateSource {
  readonly lines: Lines
  readonly file: string | undefined

  constructor(text: Uint8Array | string, file: string | undefined) {
    this.lines = new Lines(typeof text === 'string' ? new TextEncoder().encode(text) : text)
    this.file = file
  }

  #diagnose(kind: FindingKind, offset: number, endOffset: number, detail: string, more: object = {}): Diagnostic {
    return diagnose(this.lines, kind, { pointer: '', offset, endOffset, detail, ...more }, this.file)
  }

  tooLarge(limit: number): Diagnostic {
    return this.#diagnose(LIMIT_SIZE, 0, 0, `the template has more than ${limit} bytes`)
  }

  /** A fault of the core as a diagnostic. */
  malformed({ code, offset, found: at }: TemplateFault): Diagnostic {
    const { bytes } = this.lines
    const end = Math.min(bytes.length, at + utf8Length(characterAt(bytes, at) ?? ' '))
    const came = character(bytes, at)
    switch (code) {
      case TEMPLATE_UNCLOSED:
        return this.#diagnose(FINDINGS.TEMPLATE_UNCLOSED, offset, end, `expected }} behind the name, found ${came}`, {
          fix: ESCAPE,
        })
      case TEMPLATE_EMPTY:
        return this.#diagnose(
          FINDINGS.TEMPLATE_EMPTY_NAME,
          offset,
          end,
          'expected a name between {{ and }}, found none',
          { fix: ESCAPE },
        )
      case TEMPLATE_START:
        return this.#diagnose(
          FINDINGS.TEMPLATE_NAME_START,
          offset,
          end,
          `expected a letter behind {{, found ${came}`,
          this.#fix(offset),
        )
      case TEMPLATE_CHARACTER: {
        const detail = `expected letters, digits, _ and then }}, found ${came}`
        return this.#diagnose(FINDINGS.TEMPLATE_NAME_CHARACTER, offset, end, detail, this.#fix(offset))
      }
      default: {
        const detail = `the byte ${hex(bytes[offset]!)} at offset ${offset} does not begin a character in UTF-8`
        return this.#diagnose(FINDINGS.TEMPLATE_UTF_8, offset, end, detail)
      }
    }
  }

  /** A lone surrogate in a template that was passed as a string. */
  loneSurrogate(offset: number): Diagnostic {
    const detail = `half of a surrogate pair at offset ${offset} has no UTF-8`
    return this.#diagnose(FINDINGS.TEMPLATE_UTF_8, offset, offset, detail)
  }

  /** A variable without a value; `offsets` are the offsets of its references. */
  undefined(name: string, offsets: readonly number[]): Diagnostic {
    const [first, ...others] = offsets as [number, ...number[]]
    const related = others.slice(0, LISTED).map((offset) => ({
      pointer: '',
      message: `also used at ${placeText(this.lines.position(offset))} (offset ${offset})`,
    }))
    const left = others.length - related.length
    if (left > 0) related.push({ pointer: '', message: `and ${left} more times` })
    const detail = `the variable ${name} has no value`
    const more = related.length > 0 ? { pointer: `/${name}`, related } : { pointer: `/${name}` }
    return this.#diagnose(FINDINGS.TEMPLATE_UNDEFINED, first, first + name.length + 4, detail, more)
  }

  /** A refused value; `offset` is the offset of the first reference to it. */
  value({ kind, detail }: Refusal, name: string, offset: number): Diagnostic {
    return this.#diagnose(kind, offset, offset + name.length + 4, detail, { pointer: `/${name}` })
  }

  outputTooLong(limit: number): Diagnostic {
    return this.#diagnose(FINDINGS.LIMIT_OUTPUT, 0, 0, `the output would have more than ${limit} bytes`)
  }

  /** Removes the spaces in `{{ name }}`, which other template languages allow. */
  #fix(offset: number): { fix: Fix } {
    const text = new TextDecoder().decode(this.lines.bytes.subarray(offset, offset + 256))
    const spaced = /^\{\{[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*\}\}/.exec(text)
    if (spaced === null) return { fix: ESCAPE }
    const edit = { offset, endOffset: offset + spaced[0].length, text: `{{${spaced[1]}}}` }
    return { fix: { hint: 'leave out the spaces between the braces and the name', edits: [edit] } }
  }
}

/** The character at a byte, in words. */
function character(bytes: Uint8Array, at: number): string {
  if (at >= bytes.length) return 'the end of the template'
  if (bytes[at] === 0x20) return 'a space'
  return bytes[at] === 0x22 ? '`"`' : tokenWords(bytes, at, at + 1)
}

/**
 * After this many variables with other keys than the template's, the reader stops comparing keys: listing many keys is
 * slow.
 */
const MOST_MISSES = 8

/**
 * Reads the variables of one template, each once, in the order of the names. Only own properties count:
 * `{{constructor}}` is not a variable of `{}`.
 *
 * Looking up each name takes 35 ns, a third of the time for a template of 1 KB with 8 names. Variables with exactly the
 * template's names, in its order, are therefore read at once: 12 ns a name.
 */
export class VariableReader {
  readonly #names: readonly string[]
  #misses = 0

  constructor(names: readonly string[]) {
    // The keys of an object are interned: equal keys have the same address, so comparing them does not read their
    // characters.
    this.#names = Object.keys(Object.fromEntries(names.map((name) => [name, true])))
  }

  /** The values for the names. A missing value is undefined, or the list is shorter. */
  read(variables: Variables): readonly unknown[] {
    if (this.#misses < MOST_MISSES) {
      if (hasKeys(variables, this.#names)) return Object.values(variables)
      this.#misses++
    }
    return this.#names.map((name): unknown => (Object.hasOwn(variables, name) ? variables[name] : undefined))
  }
}

/** True when these are exactly the object's own keys, in this order. */
function hasKeys(variables: Variables, keys: readonly string[]): boolean {
  const own = Object.keys(variables)
  if (own.length !== keys.length) return false
  for (let i = 0; i < keys.length; i++) if (own[i] !== keys[i]) return false
  return true
}

// Converts a caller's variables to template values.

/** The types of a variable. Numbers become text as in ECMAScript: 1.0 is `1` and 1e21 is `1e+21`. */
export type Value = string | number | bigint | boolean

export type Variables = Readonly<Record<string, Value>>

/** The restrictions that ADL section 18 requires when rendering for untrusted users. */
interface ValueRules {
  /**
   * Keeps or refuses `{{` and `}}` in values. Blazon never treats values as templates, but whatever reads the output
   * might.
   */
  readonly delimiters?: 'keep' | 'refuse'
  /** The length limit of a value in UTF-16 units. */
  readonly maxValueLength?: number
}

/** The text of a variable, or the reason why it is refused. */
function textOf(name: string, value: unknown, rules: ValueRules | undefined): string | Refusal {
  const text = typeof value === 'string' ? value : textOfOther(value)
  if (text === undefined)
    return { kind: TEMPLATE_VALUE, detail: `${name} must be a string, number or boolean, got ${typeName(value)}` }
  if (!isWellFormed(text)) return { kind: TEMPLATE_VALUE, detail: `${name} holds half of a surrogate pair` }
  return rules === undefined ? text : ruled(name, text, rules)
}

function textOfOther(value: unknown): string | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? String(value) : undefined
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      return undefined
  }
}

function ruled(name: string, text: string, { delimiters, maxValueLength }: ValueRules): string | Refusal {
  if (maxValueLength !== undefined && text.length > maxValueLength) {
    return {
      kind: LIMIT_VALUE,
      detail: `${name} has ${text.length} characters, more than the limit of ${maxValueLength}`,
    }
  }
  if (delimiters === 'refuse' && /\{\{|\}\}/.test(text)) {
    return { kind: TEMPLATE_DELIMITER, detail: `${name} holds {{ or }}` }
  }
  return text
}

/** The type of a value, in one word. */
function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}

/**
 * From this many references on, the core renders ASCII output, which is then decoded. Below that, and for non-ASCII
 * text, which engines decode slowly, concatenation is faster. Measured: 4 KB of ASCII take 2.0 us instead of 2.4, 100
 * KB 24 instead of 67; decoding 4 KB with Cyrillic values would take 11 instead of 3.
 */
const CORE_FROM = 16

const NON_ASCII = /[^\0-\x7f]/

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Renders a template to text; the result equals decoding the core's bytes. */
class TextRenderer {
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
