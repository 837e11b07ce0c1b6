import { fromHex, toHex } from '../text/bytes.ts'

/** Bytes as a number, most significant first. */
export function bigEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x0${toHex(bytes)}`)
}

/** Bytes as a number, least significant first. */
export function littleEndian(bytes: Uint8Array): bigint {
  return bigEndian(bytes.toReversed())
}

/** A number as `width` bytes, most significant first. */
export function toBytes(number: bigint, width: number): Uint8Array<ArrayBuffer> {
  return fromHex(number.toString(16).padStart(2 * width, '0'))!
}
