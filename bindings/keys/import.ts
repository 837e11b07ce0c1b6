import { ALGORITHMS, type Algorithm, algorithmsOf, checkAlgorithm } from './algorithms.ts'
import { decodeBase64url, encodeBase64url } from './base64.ts'
import { publicOfEd448 } from './ed448.ts'
import { publicOfEd25519 } from './ed25519.ts'
import { checkMaterial, type Material } from './jwk.ts'
import { checkFit, Key, type Members } from './key.ts'
import { writePkcs8 } from './pkcs8.ts'
import { type PlatformOptions, platformRefusal, type Subtle, subtleOf } from './platform.ts'
import { type KeySource, type ReadKeyOptions, readMaterial } from './read.ts'

export interface ImportOptions extends ReadKeyOptions, PlatformOptions {}

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
export async function importKey(source: KeySource, options: ImportOptions = {}): Promise<Key> {
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
