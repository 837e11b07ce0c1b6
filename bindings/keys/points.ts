import { type KeyKind, WIDTHS } from './algorithms.ts'
import { KeyError } from './error.ts'
import { bigEndian, toBytes } from './numbers.ts'

// Points of the curves of FIPS 186-4 (y² = x³ - 3x + b mod p, p = 3 mod 4), in the encodings of SEC 1 section 2.3.

export type NistCurve = Extract<KeyKind, `P-${string}`>

interface Curve {
  readonly p: bigint
  readonly b: bigint
}

const CURVES: Readonly<Record<NistCurve, () => Curve>> = {
  'P-256': () => ({
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  }),
  'P-384': () => ({
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  }),
  'P-521': () => ({
    p: 2n ** 521n - 1n,
    b: 0x51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
  }),
}

function power(base: bigint, exponent: bigint, p: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % p
    if (bit === '1') result = (result * base) % p
  }
  return result
}

export interface Point {
  readonly x: Uint8Array
  readonly y: Uint8Array
}

/** True when the point lies on the curve. */
export function isOnCurve(curve: NistCurve, point: Point): boolean {
  const { p, b } = CURVES[curve]()
  const [x, y] = [bigEndian(point.x), bigEndian(point.y)]
  return x < p && y < p && (y * y - x * x * x + 3n * x - b) % p === 0n
}

/** The coordinates of an encoded point. */
export function readPoint(curve: NistCurve, bytes: Uint8Array): Point {
  const width = WIDTHS[curve]
  const form = bytes[0]
  const x = bytes.subarray(1, 1 + width)
  if (form === 4 && bytes.length === 1 + 2 * width) return { x, y: bytes.subarray(1 + width) }
  if ((form === 2 || form === 3) && bytes.length === 1 + width) {
    const { p, b } = CURVES[curve]()
    const number = bigEndian(x)
    const root = power((((number * number * number - 3n * number + b) % p) + p) % p, (p + 1n) / 4n, p)
    // The caller checks that the root is correct.
    const y = (root & 1n) === BigInt(form & 1) ? root : p - root
    return { x, y: toBytes(y % p, width) }
  }
  throw new KeyError('KEY-102', `expected a point of ${curve}, found ${bytes.length} bytes of another form`)
}
