const DIGITS = '0123456789abcdefghijklmnopqrstuv'

/** RFC 4648 section 7, in lower case and without padding. */
export function base32hex(bytes: Uint8Array): string {
  let text = ''
  for (let bit = 0; bit < 8 * bytes.length; bit += 5) {
    const pair = (bytes[bit >> 3]! << 8) | (bytes[(bit >> 3) + 1] ?? 0)
    text += DIGITS[(pair >> (11 - (bit & 7))) & 31]
  }
  return text
}
