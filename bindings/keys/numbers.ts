const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The number that bytes are, the most significant first. */
export function bigEndian(bytes: Uint8Array): bigint {
  let digits = '0x0'
  for (let i = 0; i < bytes.length; i++) digits += HEX[bytes[i]!]
  return BigInt(digits)
}

/** The number that bytes are, the least significant first. */
export function littleEndian(bytes: Uint8Array): bigint {
  let digits = '0x0'
  for (let i = bytes.length - 1; i >= 0; i--) digits += HEX[bytes[i]!]
  return BigInt(digits)
}

/** A number in `width` bytes, the most significant first. */
export function toBytes(number: bigint, width: number): Uint8Array<ArrayBuffer> {
  const digits = number.toString(16).padStart(2 * width, '0')
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16))
}
