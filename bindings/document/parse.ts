import { type JsonObject, objectOf, parsePointer } from '../text/members.ts'
import { MOST_INPUT } from '../wasm/instance.ts'
import {
  canonicalizeBytes,
  DEFAULT_DEPTH,
  Fault,
  loneSurrogate,
  type ReadJson,
  readJson,
  readTape,
} from '../wasm/json.ts'
import { Lines, type Position, rangeOf } from './diagnose.ts'
import { faultToDiagnostic, markDiagnostic, tooLarge, warningToDiagnostic } from './faults.ts'
import { DocumentError } from './finding.ts'
import { OBJECT, Tape } from './tape.ts'
import type { Diagnostic, Files, SourceRange } from './types.ts'

/** The largest input that the core accepts (core/arena.ts): 256 MiB. */
export const LARGEST_DOCUMENT = MOST_INPUT

const encoder = new TextEncoder()

export interface ParseResult {
  /** Undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** The validated input of both readers. */
export interface PreparedInput {
  readonly bytes: Uint8Array
  readonly lines: Lines
  readonly maxDepth: number
  /** The length of the byte order mark to skip. */
  readonly bom: 0 | 3
  /** The findings so far; the reader stops here when `refused`. */
  readonly diagnostics: readonly Diagnostic[]
  readonly refused: boolean
}

export declare namespace parse {
  interface Options {
    /** The name of the document in diagnostics. */
    readonly file?: string
    /** The nesting limit of containers; default: 1024. */
    readonly maxDepth?: number
    /** Larger documents are refused unread. Default and maximum: 268435456. */
    readonly maxBytes?: number
    /** How to treat a byte order mark: refuse it (default), or ignore it with a warning. */
    readonly bom?: 'refuse' | 'warn'
  }
}

/**
 * Reads a JSON document strictly and records the place of every value. `parse` of `blazon` reads YAML as well.
 *
 * @example
 * const { document, diagnostics } = parse('{"a": [1, 2]}', { file: 'a.json' })
 * document.range('/a/1') // { start: 10, end: 11 }
 *
 * @throws {TypeError} when the source is neither text nor bytes, {RangeError} for an invalid limit.
 */
export function parse(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  const { bytes, lines, maxDepth, bom, diagnostics, refused } = prepare(source, options, LARGEST_DOCUMENT)
  if (refused) return { document: undefined, diagnostics }
  const { file } = options
  const json = bom === 0 ? bytes : withoutMark(bytes)
  const fault = typeof source === 'string' ? loneSurrogate(source) : undefined
  const outcome = fault ?? readJson(json, maxDepth)
  if (outcome instanceof Fault) return refuse(faultToDiagnostic(bytes, outcome, file))
  const { warnings } = outcome
  const warn = ({ tape }: Document) => warnings.map((warning) => warningToDiagnostic(lines, tape, warning, file))
  // Reading a small document takes microseconds; joining two empty lists would add one.
  const document = new Document([json, outcome], 'json', lines, maxDepth, file, (made) =>
    warnings.length === 0 ? diagnostics : [...diagnostics, ...warn(made)],
  )
  return { document, diagnostics: document.warnings }
}

/** The members of a JSON object; empty for anything else. */
export function membersOf(source: Uint8Array | string): JsonObject {
  return objectOf(parse(source).document?.value)
}

/** Validates a reader's arguments, the size of the document and its byte order mark. */
export function prepare(source: Uint8Array | string, options: parse.Options, most: number): PreparedInput {
  expectSource(source)
  const { file, bom = 'refuse' } = options
  const maxDepth = limit('maxDepth', options.maxDepth ?? DEFAULT_DEPTH)
  const maxBytes = Math.min(limit('maxBytes', options.maxBytes ?? most), most)
  if (bom !== 'refuse' && bom !== 'warn') throw new RangeError(`bom: expected "refuse" or "warn", got ${String(bom)}`)
  const bytes = typeof source === 'string' ? encoder.encode(source) : source
  const lines = new Lines(bytes)
  const marked = bom === 'warn' && beginsWithMark(bytes)
  const mark = marked ? 3 : 0
  if (bytes.length > maxBytes) {
    const diagnostics = [tooLarge(bytes.length, maxBytes, file)]
    return { bytes, lines, maxDepth, bom: mark, diagnostics, refused: true }
  }
  const diagnostics = marked ? [markDiagnostic(lines, 'warning', file)] : []
  return { bytes, lines, maxDepth, bom: mark, diagnostics, refused: false }
}

/** @throws {TypeError} when a source is neither text nor bytes. */
export function expectSource(source: unknown): void {
  if (typeof source === 'string' || source instanceof Uint8Array) return
  throw new TypeError(`source: expected a string or Uint8Array, got ${source === null ? 'null' : typeof source}`)
}

/** True when the bytes begin with U+FEFF in UTF-8. */
export function beginsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** Replaces the mark with spaces, so that every offset of the source stays valid. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy.fill(0x20, 0, 3)
  return copy
}

function refuse(diagnostic: Diagnostic): ParseResult {
  return { document: undefined, diagnostics: [diagnostic] }
}

function limit(name: string, value: number): number {
  if (!(Number.isInteger(value) && value >= 0 && value <= 0xffffffff)) {
    throw new RangeError(`${name}: expected an integer from 0 to 4294967295, got ${value}`)
  }
  return value
}

export declare namespace Document {
  /** Byte offsets in the source: of a value and, for a member's value, of its name. */
  interface ByteRange {
    readonly start: number
    /** The offset after the last byte. */
    readonly end: number
    readonly keyStart?: number
    readonly keyEnd?: number
  }
}

const decoder = new TextDecoder()

/** The formats of documents. */
export type Format = 'json' | 'yaml'

/**
 * A parsed document: its bytes, and everything that can be derived from them without parsing again. Created by `parse`.
 */
export class Document {
  /**
   * The document as JSON: the source itself, or the JSON that its YAML was converted to. Must not change while the
   * document is in use.
   */
  readonly bytes: Uint8Array
  /** The format of the source. All offsets, lines and columns are places in `lines.bytes`. */
  readonly format: Format
  readonly file: string | undefined
  readonly lines: Lines
  /** The nesting limit that it was read with: it has no deeper containers. */
  readonly maxDepth: number
  readonly #read: ReadJson | undefined
  #tape: Tape | undefined
  #canonical: Uint8Array<ArrayBuffer> | undefined
  #value: { readonly value: unknown } | undefined
  #files: Files | undefined
  /** @internal The subject that was made of it, for verbs that share one. A WeakMap takes longer than most rules. */
  subject: unknown

  /** The warnings of the reader. */
  readonly warnings: readonly Diagnostic[]

  /** @internal `source`: valid JSON with the core's result of reading it, or its tape. */
  constructor(
    source: readonly [json: Uint8Array, read: ReadJson] | Tape,
    format: Format,
    lines: Lines,
    maxDepth: number,
    file: string | undefined,
    warn: (document: Document) => readonly Diagnostic[],
  ) {
    if (source instanceof Tape) {
      this.#tape = source
      this.bytes = source.bytes
    } else [this.bytes, this.#read] = source
    this.format = format
    this.lines = lines
    this.file = file
    this.maxDepth = maxDepth
    this.warnings = warn(this)
  }

  /** All files of the folder or archive that it is the document of. */
  get files(): Files | undefined {
    return this.#files
  }

  /** @internal For readers of sources with several files. */
  keepFiles(files: Files): void {
    this.#files = files
  }

  /**
   * The place of every value, built on first use: a document without findings never needs the tape, which takes as much
   * memory as the document. Right after reading the core still has it; later, the document is read again.
   */
  get tape(): Tape {
    this.#tape ??= new Tape(this.bytes, this.#read?.words() ?? this.#readAgain())
    return this.#tape
  }

  /**
   * @internal Builds the tape while the core still has it: for callers that wait or use the core before they need it.
   */
  keepPlaces(): void {
    this.#tape ??= this.tape
  }

  #readAgain(): Uint32Array {
    const outcome = readTape(this.bytes, this.maxDepth)
    if (outcome instanceof Fault) throw new DocumentError([faultToDiagnostic(this.bytes, outcome, this.file)])
    return outcome.words
  }

  /** The canonical bytes (RFC 8785), computed on first use. */
  get canonical(): Uint8Array<ArrayBuffer> {
    if (this.#canonical === undefined) {
      const outcome = canonicalizeBytes(this.bytes, this.maxDepth)
      // A parsed document can always be canonicalized, unless memory runs out.
      if (outcome instanceof Fault) throw new DocumentError([faultToDiagnostic(this.bytes, outcome, this.file)])
      this.#canonical = outcome
    }
    return this.#canonical
  }

  /** The JavaScript value, built on first use and then always the same object. */
  get value(): unknown {
    // JSON.parse makes `__proto__` an own property; the bytes have already passed the strict reader.
    this.#value ??= { value: JSON.parse(decoder.decode(this.bytes)) }
    return this.#value.value
  }

  /**
   * The place of the value that a JSON Pointer names; undefined when there is no such value.
   *
   * @example
   * parse('{"a": [1, 2]}').document.range('/a/1') // { start: 10, end: 11 }
   *
   * @throws {RangeError} for a malformed pointer.
   */
  range(pointer: string): Document.ByteRange | undefined {
    const tokens = parsePointer(pointer)
    if (tokens === undefined) {
      throw new RangeError(`pointer: expected a JSON Pointer such as "/a/0", got ${JSON.stringify(pointer)}`)
    }
    const { tape } = this
    const last = tokens.pop()
    const container = tape.find(tokens)
    const entry = last === undefined || container < 0 ? container : tape.find([last], container)
    if (entry < 0) return undefined
    const start = tape.placeStart(entry)
    const end = tape.placeEnd(entry)
    if (last === undefined || tape.kind(container) !== OBJECT) return { start, end }
    return { start, end, keyStart: tape.placeStart(entry - 1), keyEnd: tape.placeEnd(entry - 1) }
  }

  /** @internal The place of the value that a pointer names, or of its innermost existing parent. */
  nearest(pointer: string): Document.ByteRange {
    let range = this.range(pointer)
    for (let parent = pointer; range === undefined; range = this.range(parent)) {
      parent = parent.slice(0, parent.lastIndexOf('/'))
    }
    return range
  }

  /**
   * The JSON Pointer of the innermost value that contains a byte offset. A name belongs to its member's value.
   *
   * @example
   * parse('{"a": [1, 2]}').document.pointerAt(10) // '/a/1'
   */
  pointerAt(offset: number): string {
    return this.tape.pointerAt(offset)
  }

  /**
   * Line and column of a byte offset.
   *
   * @example
   * parse('{\n  "a": 1\n}').document.position(4) // { line: 2, column: 3 }
   */
  position(offset: number): Position {
    return this.lines.position(offset)
  }

  /**
   * The place of the value that a JSON Pointer names, as diagnostics use it; the place of its innermost existing parent
   * when there is no such value.
   *
   * @example
   * parse('{\n  "a": 1\n}', { file: 'x.json' }).document.source('/a').column // 8
   *
   * @throws {RangeError} for a malformed pointer.
   */
  source(pointer: string): SourceRange {
    const { start, end } = this.nearest(pointer)
    return rangeOf(this.lines, pointer, start, end, this.file)
  }
}
