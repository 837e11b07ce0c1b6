import { joinBytes } from '../text/bytes.ts'
import { Fault, loneSurrogate, readJson, readTape } from '../wasm/json.ts'
import { diagnose, type Lines } from './diagnose.ts'
import { explainFault, faultToDiagnostic, warningToDiagnostic } from './faults.ts'
import { Document, LARGEST_DOCUMENT, type ParseResult, type parse, prepare } from './parse.ts'
import { Tape } from './tape.ts'
import type { Diagnostic, SourceLine } from './types.ts'

export interface SplitOptions {
  /** The most bytes of a line. Default: `LINE_BYTES`. */
  readonly most?: number
  /** Keeps a carriage return and a byte order mark: for lines whose bytes are signed. */
  readonly isRaw?: boolean
}

/** A line of NDJSON has at most this many bytes. */
export const LINE_BYTES = 1_000_000

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Splits a source into lines as its bytes arrive: a source of any size needs the memory of one line. Lines end with LF or
 * CR LF; the last one may lack its line end.
 */
export async function* splitLines(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { most = LINE_BYTES, isRaw = false }: SplitOptions = {},
): AsyncGenerator<SourceLine> {
  let parts: Uint8Array[] = []
  let [number, offset, length] = [1, 0, 0]
  const take = (part: Uint8Array) => {
    length += part.length
    if (length <= most + 1) parts.push(part)
    else parts = []
  }
  const lineHere = (hasEnd: boolean): SourceLine => {
    const whole = length > most + 1 ? undefined : parts.length === 1 ? parts[0]! : joinBytes(parts)
    const line = whole === undefined || isRaw ? whole : trimLine(whole, number)
    return { number, offset, bytes: line !== undefined && line.length > most ? undefined : line, hasEnd }
  }
  for await (const chunk of source) {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, at))
      yield lineHere(true)
      number++
      offset += length + 1
      length = 0
      parts = []
      from = at + 1
    }
    take(chunk.subarray(from))
  }
  if (length > 0) yield lineHere(false)
}

/** The bytes of a line without a carriage return at its end, and, in the first one, without a byte order mark. */
function trimLine(whole: Uint8Array, number: number): Uint8Array {
  const start = number === 1 && BYTE_ORDER_MARK.every((byte, i) => whole[i] === byte) ? BYTE_ORDER_MARK.length : 0
  return whole.subarray(start, whole.at(-1) === CARRIAGE_RETURN ? -1 : undefined)
}

const [SPACE, COMMA, OPEN, CLOSE] = [0x20, 0x2c, 0x5b, 0x5d]

/**
 * Reads a source with a JSON document in each line as one document: the array of them, whose places are in the source.
 * Skips empty lines. The array counts as a level of nesting.
 */
export function parseLines(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  const { bytes, lines, maxDepth, bom, diagnostics, refused } = prepare(source, options, LARGEST_DOCUMENT)
  if (refused) return { document: undefined, diagnostics }
  const { file } = options
  const lone = typeof source === 'string' ? loneSurrogate(source) : undefined
  if (lone !== undefined) return refuse(faultToDiagnostic(bytes, lone, file))
  // The array has each line one byte later than the source: its brackets and commas replace the line ends.
  const json = new Uint8Array(bytes.length + 2).fill(SPACE)
  let [count, last] = [0, 0]
  for (let from = bom, end = 0; from < bytes.length; from = end + 1) {
    end = bytes.indexOf(LINE_FEED, from)
    if (end < 0) end = bytes.length
    const line = bytes.subarray(from, end)
    if (line.every((byte) => byte <= SPACE)) continue
    const outcome = readJson(line, Math.max(0, maxDepth - 1))
    if (outcome instanceof Fault) return refuse(faultOfLine(line, from, count, outcome, lines, file))
    json[from] = count++ === 0 ? OPEN : COMMA
    json.set(line, from + 1)
    last = end
  }
  if (count === 0) json[0] = OPEN
  json[last + 1] = CLOSE
  const outcome = readTape(json, maxDepth)
  if (outcome instanceof Fault) return refuse(faultToDiagnostic(json, outcome, file))
  const { words, warnings } = outcome
  const tape = new Tape(json, words, placesIn(words, bytes.length))
  const document = new Document(tape, 'json', lines, maxDepth, file, () => [
    ...diagnostics,
    ...warnings.map((warning) => warningToDiagnostic(lines, tape, warning, file)),
  ])
  return { document, diagnostics: document.warnings }
}

/** Start and end of each entry in the source. */
function placesIn(words: Uint32Array, length: number): Uint32Array {
  const places = new Uint32Array(words.length / 2)
  for (let i = 0; i < places.length; i++) places[i] = Math.min(Math.max(words[(i >> 1) * 4 + (i & 1)]! - 1, 0), length)
  return places
}

/** Explains the fault of a line in a source that is empty before it and ends with it, so that its places are right. */
function faultOfLine(
  line: Uint8Array,
  from: number,
  index: number,
  { code, offset, first }: Fault,
  lines: Lines,
  file: string | undefined,
): Diagnostic {
  const alone = new Uint8Array(from + line.length).fill(SPACE)
  alone.set(line, from)
  const shifted = { code, offset: offset + from, first: first < 0 ? first : first + from }
  const { kind, finding } = explainFault(alone, lines, shifted)
  const inLine = (pointer: string) => `/${index}${pointer}`
  const related = finding.related?.map((place) => ({ ...place, pointer: inLine(place.pointer) }))
  return diagnose(lines, kind, { ...finding, pointer: inLine(finding.pointer), related }, file)
}

const refuse = (diagnostic: Diagnostic): ParseResult => ({ document: undefined, diagnostics: [diagnostic] })
