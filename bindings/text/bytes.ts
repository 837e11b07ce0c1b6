/** True when both arrays have the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Compares unsigned bytes; a prefix comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** The bytes of all parts, one after the other, as a copy. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** The lines of a text, each with a line feed behind it. */
export const joinLines = (lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  joinBytes(lines.flatMap((line) => [line, LINE_FEED]))

const LINE_FEED = Uint8Array.of(0x0a)

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The hexadecimal digits of bytes. */
export function toHex(bytes: Uint8Array): string {
  let digits = ''
  for (let i = 0; i < bytes.length; i++) digits += HEX[bytes[i]!]
  return digits
}

/** The bytes of hexadecimal digits in any case, two digits each; undefined for any other text. */
export function fromHex(digits: string): Uint8Array<ArrayBuffer> | undefined {
  if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) return undefined
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
}
