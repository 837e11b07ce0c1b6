import { decodeBase64url, encodeBase64url } from './base64.ts'
import { publicOfEd25519 } from './ed25519.ts'
import {
  ALGORITHMS,
  type Algorithm,
  algorithmsOf,
  checkAlgorithm,
  checkFit,
  checkMaterial,
  Key,
  littleEndian,
  type Material,
  type Members,
} from './key.ts'
import { type PlatformOptions, platformRefusal, type Subtle, subtleOf } from './platform.ts'
import { type KeySource, type ReadKeyOptions, readMaterial, writePkcs8 } from './read.ts'

export declare namespace importKey {
  interface Options extends ReadKeyOptions, PlatformOptions {}
}

/**
 * Imports a key from bytes, text or a JWK; detects its format.
 *
 * @example
 * const key = await importKey('MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=')
 * key.kind // 'Ed25519'
 *
 * @throws {KeyError} KEY-101 to KEY-107 for an unsupported, malformed, unfit or weak key. {TypeError} for any other
 * value.
 */
export async function importKey(source: KeySource, options: importKey.Options = {}): Promise<Key> {
  if (options.algorithm !== undefined) checkAlgorithm(options.algorithm)
  if (source instanceof Key) {
    if (options.algorithm !== undefined) checkFit(source, options.algorithm)
    return source
  }
  const { kind, members, algorithms } = await complete(readMaterial(source, options), options)
  return new Key(kind, members, algorithms)
}

/** Computes the public half of a private key that lacks it. */
async function complete(material: Material, options: PlatformOptions): Promise<Material> {
  const { kind, members } = material
  if (kind === 'RSA' || members['x'] !== undefined) return material
  if (kind === 'Ed448') return withX(material, await publicOfEd448(decodeBase64url(members['d']!)))
  const algorithm = algorithmsOf(kind)[0]!
  try {
    const half = await publicHalf(subtleOf(options), algorithm, writePkcs8(kind, members))
    return checkMaterial({ ...material, members: { ...members, ...half } })
  } catch (cause) {
    if (kind === 'Ed25519') return withX(material, await publicOfEd25519(decodeBase64url(members['d']!)))
    throw platformRefusal(algorithm, cause)
  }
}

function withX(material: Material, x: Uint8Array): Material {
  return { ...material, members: { ...material.members, x: encodeBase64url(x) } }
}

async function publicHalf(subtle: Subtle, algorithm: Algorithm, pkcs8: Uint8Array<ArrayBuffer>): Promise<Members> {
  const key = await subtle.importKey('pkcs8', pkcs8, ALGORITHMS[algorithm].key, true, ['sign'])
  const { x, y } = await subtle.exportKey('jwk', key)
  return { x: x!, ...(y !== undefined && { y }) }
}

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

async function publicOfEd448(seed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { ed448 } = await load()
  return ed448.getPublicKey(seed) as Uint8Array<ArrayBuffer>
}
