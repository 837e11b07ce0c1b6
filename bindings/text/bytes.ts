/** True when both hold the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The hexadecimal digits of bytes. */
export function toHex(bytes: Uint8Array): string {
  let digits = ''
  for (let i = 0; i < bytes.length; i++) digits += HEX[bytes[i]!]
  return digits
}
