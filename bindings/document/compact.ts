// JSON without insignificant white space. Strings, numbers and the order of members stay byte for byte.
import type { Document } from './document.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/**
 * The document as JSON without white space between its tokens.
 *
 * @example
 * new TextDecoder().decode(compactJson(parse('{ "a": [1, 2.50] }').document)) // '{"a":[1,2.50]}'
 */
export function compactJson({ bytes }: Document): Uint8Array<ArrayBuffer> {
  const compact = new Uint8Array(bytes.length)
  let length = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) inString = !inString
    // Strings contain no raw control characters, so any byte up to a space is white space.
    else if (!inString && byte <= SPACE) continue
    compact[length++] = byte
    if (inString && byte === BACKSLASH) compact[length++] = bytes[++at]!
  }
  return compact.slice(0, length)
}
