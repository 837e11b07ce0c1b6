import { fromHex, toHex } from '../text/bytes.ts'

/** The number that bytes are, the most significant first. */
export function bigEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x0${toHex(bytes)}`)
}

/** The number that bytes are, the least significant first. */
export function littleEndian(bytes: Uint8Array): bigint {
  return bigEndian(bytes.toReversed())
}

/** A number in `width` bytes, the most significant first. */
export function toBytes(number: bigint, width: number): Uint8Array<ArrayBuffer> {
  return fromHex(number.toString(16).padStart(2 * width, '0'))!
}
