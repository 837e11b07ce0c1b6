import { parsePointer } from '../text/members.ts'
import { canonicalizeBytes, Fault, type ReadJson, readTape } from '../wasm/json.ts'
import { rangeOf } from './diagnose.ts'
import { DocumentError } from './error.ts'
import { faultToDiagnostic } from './faults.ts'
import type { Lines, Position } from './lines.ts'
import { OBJECT, Tape } from './tape.ts'
import type { Diagnostic, Files, SourceRange } from './types.ts'

/** Byte offsets in the source: of a value and, for a member's value, of its name. */
export interface ByteRange {
  readonly start: number
  /** The offset after the last byte. */
  readonly end: number
  readonly keyStart?: number
  readonly keyEnd?: number
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
  range(pointer: string): ByteRange | undefined {
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
  nearest(pointer: string): ByteRange {
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
