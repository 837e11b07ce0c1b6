/** Nobody types a longer line, and a message has fewer bytes. */
const LONGEST = 262_144
const LINE_FEED = 0x0a

/**
 * Splits a stream of bytes into lines as they arrive; the last one may lack its line end.
 *
 * @throws {RangeError} for a line that is too long for a message, or bytes that are not valid UTF-8.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let length = 0
  const take = (part: Uint8Array) => {
    length += part.length
    if (length > LONGEST) throw new RangeError(`a line of more than ${LONGEST} bytes`)
    parts.push(part)
  }
  for await (const chunk of input) {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, at))
      yield textOf(parts)
      parts = []
      length = 0
      from = at + 1
    }
    take(chunk.subarray(from))
  }
  if (length > 0) yield textOf(parts)
}

function textOf(parts: readonly Uint8Array[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts)).replace(/\r$/, '')
  } catch {
    throw new RangeError('bytes that are not valid UTF-8')
  }
}
