import { joinBytes } from './bytes.ts'

const LINE_FEED = 0x0a

/** Splits a stream into lines, each with its line feed. A line that exceeds `longest` bytes comes in parts. */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let size = 0
  const joined = (end: Uint8Array) => {
    const line = joinBytes([...parts, end])
    parts = []
    size = 0
    return line
  }
  for await (const chunk of chunks) {
    let rest = chunk
    for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED)) {
      yield joined(rest.subarray(0, at + 1))
      rest = rest.subarray(at + 1)
    }
    // The stream may use the memory of a chunk again.
    parts.push(rest.slice())
    size += rest.length
    if (size > longest) yield joined(new Uint8Array())
  }
  if (size > 0) yield joined(new Uint8Array())
}
