import { splitLines } from '../../bindings/document/split-lines.ts'

/** Nobody types a longer line, and a message has fewer bytes. */
const LONGEST = 262_144

/**
 * Splits a stream of bytes into lines as they arrive; the last one may lack its line end.
 *
 * @throws {RangeError} for a line that is too long for a message, or bytes that are not valid UTF-8.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { bytes } of splitLines(input, { most: LONGEST })) {
    if (bytes === undefined) throw new RangeError(`a line of more than ${LONGEST} bytes`)
    yield textOf(bytes)
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new RangeError('bytes that are not valid UTF-8')
  }
}
