import { type JsonObject, objectOf } from '../text/members.ts'
import { MOST_INPUT } from '../wasm/instance.ts'
import { DEFAULT_DEPTH, Fault, loneSurrogate, readJson } from '../wasm/json.ts'
import { Document } from './document.ts'
import { faultToDiagnostic, markDiagnostic, tooLarge, warningToDiagnostic } from './faults.ts'
import { Lines } from './lines.ts'
import type { Diagnostic } from './types.ts'

/** The largest input that the core accepts (core/arena.ts): 256 MiB. */
export const LARGEST_DOCUMENT = MOST_INPUT

const encoder = new TextEncoder()

export interface ParseOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
  /** The nesting limit of containers; default: 1024. */
  readonly maxDepth?: number
  /** Larger documents are refused unread. Default and maximum: 268435456. */
  readonly maxBytes?: number
  /** How to treat a byte order mark: refuse it (default), or ignore it with a warning. */
  readonly bom?: 'refuse' | 'warn'
}

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

/**
 * Reads a JSON document strictly and records the place of every value. `parse` of `blazon` reads YAML as well.
 *
 * @example
 * const { document, diagnostics } = parse('{"a": [1, 2]}', { file: 'a.json' })
 * document.range('/a/1') // { start: 10, end: 11 }
 *
 * @throws {TypeError} when the source is neither text nor bytes, {RangeError} for an invalid limit.
 */
export function parse(source: Uint8Array | string, options: ParseOptions = {}): ParseResult {
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
export function prepare(source: Uint8Array | string, options: ParseOptions, most: number): PreparedInput {
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
