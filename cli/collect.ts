import { LARGEST_DOCUMENT } from '../bindings/document/parse.ts'
import type { Host } from './host.ts'

/** Returns all bytes, or undefined beyond a limit, by default that of a document: endless input must not be read to its end. */
export async function collect(
  input: ReturnType<Host['open']>,
  most = LARGEST_DOCUMENT,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > most) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)
}
