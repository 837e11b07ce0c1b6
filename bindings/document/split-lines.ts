import { joinBytes } from '../text/bytes.ts'

/** One line of a source that has a document in each line. */
export interface SourceLine {
  /** Counted from 1. */
  readonly number: number
  /** The bytes of the source before it. */
  readonly offset: number
  /** Its bytes without the line end; undefined when they are more than the limit. */
  readonly bytes: Uint8Array | undefined
  /** False for a last line without a line end. */
  readonly hasEnd: boolean
}

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
    const line = whole === undefined || isRaw ? whole : trimmed(whole, number)
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
function trimmed(whole: Uint8Array, number: number): Uint8Array {
  const start = number === 1 && BYTE_ORDER_MARK.every((byte, i) => whole[i] === byte) ? BYTE_ORDER_MARK.length : 0
  return whole.subarray(start, whole.at(-1) === CARRIAGE_RETURN ? -1 : undefined)
}
