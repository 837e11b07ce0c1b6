import type { FindingKind } from './finding.ts'
import type { Diagnostic, Fix, RelatedPlace, SourceLine, SourceRange } from './types.ts'

/** Line and column from 1. Columns count UTF-16 units, as editors and JavaScript strings do. */
export interface Position {
  readonly line: number
  readonly column: number
}

const LF = 10
const CR = 13

/** The distance between cached column counts, in bytes. */
const MARK = 1024

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The lines of a text in UTF-8. Lines end with LF, CR LF or CR. */
export class Lines {
  readonly bytes: Uint8Array
  #starts: ArrayLike<number> | undefined
  /**
   * The cache for the line of the last query: its start, and the UTF-16 units before every MARK bytes, as far as
   * counted.
   */
  #marks: { readonly lineStart: number; readonly units: number[] } | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** The number of lines; an empty text has one. */
  get count(): number {
    return this.#lineStarts().length
  }

  /** Line and column of a byte offset. Offsets past the end count as the end; a byte order mark takes no column. */
  position(offset: number): Position {
    const starts = this.#lineStarts()
    const at = Math.max(starts[0]!, Math.min(offset, this.bytes.length))
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= at) low = middle
      else high = middle
    }
    return { line: low + 1, column: this.#unitsBefore(starts[low]!, at) + 1 }
  }

  /** The text of a line without its line end, and the byte offset where it starts. */
  line(number: number): { readonly text: string; readonly offset: number } {
    const starts = this.#lineStarts()
    const offset = starts[number - 1]
    if (offset === undefined) throw new RangeError(`line: expected 1 to ${starts.length}, got ${number}`)
    let end = starts[number] ?? this.bytes.length
    if (number < starts.length) {
      end--
      if (end > offset && this.bytes[end] === LF && this.bytes[end - 1] === CR) end--
    }
    return { text: decoder.decode(this.bytes.subarray(offset, end)), offset }
  }

  /** Counts from the nearest mark: otherwise a thousand findings in one line of a megabyte would take seconds. */
  #unitsBefore(lineStart: number, at: number): number {
    if (this.#marks?.lineStart !== lineStart) this.#marks = { lineStart, units: [0] }
    const { units } = this.#marks
    const wanted = Math.floor((at - lineStart) / MARK)
    while (units.length <= wanted) {
      const from = lineStart + (units.length - 1) * MARK
      units.push(units.at(-1)! + utf16Length(this.bytes, from, from + MARK))
    }
    return units[wanted]! + utf16Length(this.bytes, lineStart + wanted * MARK, at)
  }

  #lineStarts(): ArrayLike<number> {
    this.#starts ??= lineStarts(this.bytes)
    return this.#starts
  }
}

/** Up to this many lines are kept in a plain array, which V8 makes faster than one with a buffer. */
const FEW_LINES = 1024

function lineStarts(bytes: Uint8Array): ArrayLike<number> {
  let starts: number[] | Uint32Array = [bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0]
  let count = 1
  // The platform's search is many times as fast as a loop over the bytes of a long line.
  const next = (byte: number, from: number) => {
    const at = bytes.indexOf(byte, from)
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }
  let [lf, cr] = [next(LF, 0), next(CR, 0)]
  for (let i = Math.min(lf, cr); i < bytes.length; i = Math.min(lf, cr)) {
    if (i === lf) lf = next(LF, i + 1)
    else cr = next(CR, i + 1)
    if (i + 1 === lf && bytes[i] === CR) continue
    if (count >= FEW_LINES && count === starts.length) {
      const larger: Uint32Array = new Uint32Array(count * 2)
      larger.set(starts)
      starts = larger
    }
    starts[count++] = i + 1
  }
  return count <= FEW_LINES ? starts : starts.slice(0, count)
}

/**
 * The number of UTF-16 units of the characters that begin in [from, to). Counts the bytes that begin a character; a
 * sequence of four bytes is two units. Decoding instead would allocate as much memory as the line.
 */
function utf16Length(bytes: Uint8Array, from: number, to: number): number {
  let units = 0
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  }
  return units
}

/** The place and the words of one finding. */
export interface Finding {
  readonly pointer: string
  readonly offset: number
  readonly endOffset: number
  readonly detail: string
  readonly related?: readonly RelatedPlace[] | undefined
  readonly fix?: Fix | undefined
}

/** The range between two offsets, with lines and columns. This is the only place that converts offsets. */
export function rangeOf(lines: Lines, pointer: string, offset: number, endOffset: number, file?: string): SourceRange {
  const { line, column } = lines.position(offset)
  const { line: endLine, column: endColumn } = lines.position(endOffset)
  const range = { pointer, offset, endOffset, line, column, endLine, endColumn }
  // In this order: V8 takes microseconds to add a member to an object that was spread into.
  return file === undefined ? range : { file, ...range }
}

const NOWHERE = new Lines(new Uint8Array(0))

/** The diagnostic for a finding without a place in a text: about an address, a name, a value, or an unread source. */
export function diagnoseNowhere(
  kind: FindingKind,
  finding: Pick<Finding, 'detail'> & Partial<Finding>,
  file?: string,
): Diagnostic {
  return diagnose(NOWHERE, kind, { pointer: '', offset: 0, endOffset: 0, ...finding }, file)
}

/** The diagnostic for a whole line of a source that has a document in each line. */
export function diagnoseLine(
  { number, offset }: SourceLine,
  kind: FindingKind,
  detail: string,
  file: string,
): Diagnostic {
  const { source, ...rest } = diagnoseNowhere(kind, { detail, offset, endOffset: offset + 1 }, file)
  return { ...rest, source: { ...source, offset, endOffset: offset + 1, line: number, endLine: number, endColumn: 2 } }
}

/** The diagnostic of a finding. */
export function diagnose(lines: Lines, kind: FindingKind, finding: Finding, file?: string): Diagnostic {
  const { offset, endOffset, pointer, detail, related, fix } = finding
  return {
    code: kind.code,
    severity: kind.severity,
    title: kind.title,
    detail,
    rule: kind.id,
    spec: kind.section,
    source: rangeOf(lines, pointer, offset, endOffset, file),
    ...(related !== undefined && { related }),
    ...(fix !== undefined && { fix }),
  }
}
