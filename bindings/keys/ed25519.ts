import { littleEndian } from './key.ts'
import type { Subtle } from './platform.ts'

// RFC 8032 section 5.1, with the same verdict on every platform. Platforms differ for keys and points that no signer
// makes: OpenSSL and BoringSSL accept points of small order, for which anyone can make signatures without a key. This
// file refuses what the Secure Curves specification refuses, before it asks the platform.

/** 2^255 - 19 and 2^252 + 27742317777372353535851937790883648493. */
const P = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n

/**
 * The y coordinates of the eight points of small order. With both signs and unreduced values they have 14 encodings.
 */
const SMALL_ORDER: readonly bigint[] = [
  0n,
  1n,
  P - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
]

/** True for a reduced encoding of a point of large order. With any other point, anyone can forge signatures. */
export function isSoundPoint(point: Uint8Array): boolean {
  const y = BigInt.asUintN(255, littleEndian(point))
  return y < P && !SMALL_ORDER.includes(y)
}

/** False for signatures that no signer makes but that some platform would accept. The key must be sound as well. */
function isSoundSignature(signature: Uint8Array): boolean {
  return isSoundPoint(signature.subarray(0, 32)) && littleEndian(signature.subarray(32)) < L
}

/**
 * Opens a key for many messages. Uses the platform, or arithmetic where it lacks Ed25519 or refuses a key that is not a
 * point.
 */
export async function openEd25519(
  subtle: Subtle,
  point: Uint8Array<ArrayBuffer>,
): Promise<(message: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>) => Promise<boolean>> {
  if (!isSoundPoint(point)) return async () => false
  const name = 'Ed25519'
  const opened = await subtle.importKey('raw', point, { name }, false, ['verify']).catch(() => undefined)
  return async (message, signature) => {
    if (!isSoundSignature(signature)) return false
    const arithmetic = () => verifyEd25519(subtle, point, message, signature)
    return opened === undefined ? arithmetic() : subtle.verify({ name }, opened, signature, message).catch(arithmetic)
  }
}

/**
 * Checks the cofactorless equation [S]B = R + [k]A of section 5.1.7. Noble's own `verify` multiplies by the cofactor
 * and so accepts signatures that the platforms refuse.
 */
async function verifyEd25519(
  subtle: Subtle,
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { Point } = await import('@noble/ed25519')
  const hashed = new Uint8Array(64 + message.length)
  hashed.set(signature.subarray(0, 32))
  hashed.set(publicKey, 32)
  hashed.set(message, 64)
  const k = littleEndian(new Uint8Array(await subtle.digest('SHA-512', hashed))) % L
  try {
    const a = Point.fromBytes(publicKey)
    const r = Point.fromBytes(signature.subarray(0, 32))
    const s = littleEndian(signature.subarray(32))
    return Point.BASE.multiplyUnsafe(s).equals(r.add(a.multiplyUnsafe(k)))
  } catch {
    // The bytes are not the encoding of a point.
    return false
  }
}

export async function signEd25519(seed: Uint8Array, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { signAsync } = await import('@noble/ed25519')
  return signAsync(message, seed)
}

export async function publicOfEd25519(seed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { getPublicKeyAsync } = await import('@noble/ed25519')
  return getPublicKeyAsync(seed)
}
