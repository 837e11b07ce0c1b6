import { joinBytes } from '../text/bytes.ts'

/** One line of a source that has a document in each line. */
export interface SourceLine {
  /** Counted from 1. */
  readonly number: number
  /** The bytes of the source before it. */
  readonly offset: number
  /** Its bytes without the line end; undefined when they are more than the limit. */
  readonly bytes: Uint8Array | undefined
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
  most = LINE_BYTES,
): AsyncGenerator<SourceLine> {
  let parts: Uint8Array[] = []
  let [number, offset, length] = [1, 0, 0]
  const take = (part: Uint8Array) => {
    length += part.length
    if (length <= most + 1) parts.push(part)
    else parts = []
  }
  const lineHere = (): SourceLine => ({ number, offset, bytes: joined(parts, length, most, number) })
  for await (const chunk of source) {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, at))
      yield lineHere()
      number++
      offset += length + 1
      length = 0
      parts = []
      from = at + 1
    }
    take(chunk.subarray(from))
  }
  if (length > 0) yield lineHere()
}

/** The bytes of a line without a carriage return at its end, and, in the first one, without a byte order mark. */
function joined(parts: readonly Uint8Array[], length: number, most: number, number: number): Uint8Array | undefined {
  if (length > most + 1) return undefined
  const whole = parts.length === 1 ? parts[0]! : joinBytes(parts)
  const start = number === 1 && BYTE_ORDER_MARK.every((byte, i) => whole[i] === byte) ? BYTE_ORDER_MARK.length : 0
  const line = whole.subarray(start, whole.at(-1) === CARRIAGE_RETURN ? -1 : undefined)
  return line.length > most ? undefined : line
}
