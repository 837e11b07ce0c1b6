import { DEFAULT_DEPTH, Fault, loneSurrogate, readTape } from '../wasm/json.ts'
import { diagnose } from './diagnose.ts'
import { Document } from './document.ts'
import { faultToDiagnostic, TOO_LARGE, warningToDiagnostic } from './faults.ts'
import { Lines } from './lines.ts'
import { Tape } from './tape.ts'
import type { Diagnostic } from './types.ts'

/** The most that the core takes (core/arena.ts): 256 MiB. */
export const LARGEST_DOCUMENT = 1 << 28

export interface ParseOptions {
  /** What diagnostics call the document. */
  readonly file?: string
  /** How deep containers may be nested: 1024 when absent. */
  readonly maxDepth?: number
  /** Size in bytes above which the document is refused unread: 268435456 when absent, and at the most. */
  readonly maxBytes?: number
}

export interface Parsed {
  /** Undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads a JSON document strictly and keeps where everything in it stands.
 *
 * @example
 * const { document, diagnostics } = parse('{"a": [1, 2]}', { file: 'a.json' })
 * document.range('/a/1') // { start: 10, end: 11 }
 *
 * @throws {TypeError} when the source is neither text nor bytes, {RangeError} for a limit that is no limit.
 */
export function parse(source: Uint8Array | string, options: ParseOptions = {}): Parsed {
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) {
    throw new TypeError(`source: expected a string or Uint8Array, got ${source === null ? 'null' : typeof source}`)
  }
  const { file } = options
  const maxDepth = limit('maxDepth', options.maxDepth ?? DEFAULT_DEPTH)
  const maxBytes = Math.min(limit('maxBytes', options.maxBytes ?? LARGEST_DOCUMENT), LARGEST_DOCUMENT)
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const lines = new Lines(bytes)
  if (bytes.length > maxBytes) {
    const detail = `expected at most ${maxBytes} bytes, found ${bytes.length}`
    return refuse(diagnose(lines, TOO_LARGE, { pointer: '', offset: 0, endOffset: 0, detail }, file))
  }
  const fault = typeof source === 'string' ? loneSurrogate(source) : undefined
  const outcome = fault ?? readTape(bytes, maxDepth)
  if (outcome instanceof Fault) return refuse(faultToDiagnostic(bytes, outcome, file))
  const tape = new Tape(bytes, outcome.words)
  const diagnostics = outcome.warnings.map((warning) => warningToDiagnostic(lines, tape, warning, file))
  return { document: new Document(tape, lines, maxDepth, file), diagnostics }
}

function refuse(diagnostic: Diagnostic): Parsed {
  return { document: undefined, diagnostics: [diagnostic] }
}

function limit(name: string, value: number): number {
  if (!(Number.isInteger(value) && value >= 0 && value <= 0xffffffff)) {
    throw new RangeError(`${name}: expected an integer from 0 to 4294967295, got ${value}`)
  }
  return value
}
