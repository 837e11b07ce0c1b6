import { joinBytes } from '../text/bytes.ts'

/**
 * Reads the body of a response up to a limit; undefined when it is larger. Counts the bytes as they arrive, because
 * Content-Length cannot be trusted.
 */
export async function readAtMost({ body }: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > maxBytes) {
      await reader.cancel()
      return undefined
    }
    chunks.push(value)
  }
  return joinBytes(chunks)
}
