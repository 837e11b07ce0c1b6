import { littleEndian } from './numbers.ts'

// RFC 8032 section 5.2. No browser supports Ed448, so every platform uses this code and returns the same verdict.

const load = () => import('./curve448.ts')

/** `SigEd448`, no prehash, no context: dom4(0, ""). */
const DOMAIN = Uint8Array.of(0x53, 0x69, 0x67, 0x45, 0x64, 0x34, 0x34, 0x38, 0, 0)

/** As for Ed25519: refuses points of small order and unreduced numbers, then checks the cofactorless equation. */
export async function verifyEd448(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const { ed448, shake256 } = await load()
  const { Point } = ed448
  try {
    const a = Point.fromBytes(publicKey)
    const r = Point.fromBytes(signature.subarray(0, 57))
    const s = littleEndian(signature.subarray(57))
    const order = Point.Fn.ORDER
    if (a.isSmallOrder() || r.isSmallOrder() || s >= order) return false
    const hash = shake256.create({ dkLen: 114 }).update(DOMAIN)
    const k = littleEndian(hash.update(signature.subarray(0, 57)).update(publicKey).update(message).digest()) % order
    return Point.BASE.multiplyUnsafe(s).equals(r.add(a.multiplyUnsafe(k)))
  } catch {
    // The bytes are not the encoding of a point.
    return false
  }
}

export async function signEd448(seed: Uint8Array, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { ed448 } = await load()
  return ed448.sign(message, seed) as Uint8Array<ArrayBuffer>
}

export async function publicOfEd448(seed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { ed448 } = await load()
  return ed448.getPublicKey(seed) as Uint8Array<ArrayBuffer>
}
