import { joinBytes } from '../text/bytes.ts'
import type { Edit } from './types.ts'

const encoder = new TextEncoder()

/** The line end of a text, taken from its first line. */
export const lineEnd = (bytes: Uint8Array): string => (bytes[bytes.indexOf(0x0a) - 1] === 0x0d ? '\r\n' : '\n')

/** The bytes with all edits applied. Edits refer to the original bytes and must not overlap. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  let at = 0
  for (const { offset, endOffset, text } of [...edits].sort((a, b) => a.offset - b.offset)) {
    parts.push(bytes.subarray(at, offset), encoder.encode(text))
    at = endOffset
  }
  parts.push(bytes.subarray(at))
  return joinBytes(parts)
}
