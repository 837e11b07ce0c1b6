import { ALGORITHMS, type Algorithm, checkAlgorithm } from './algorithms.ts'
import { decodeBase64url } from './base64.ts'
import { verifyEd448 } from './ed448.ts'
import { isSoundEd25519, verifyEd25519 } from './ed25519.ts'
import { importKey } from './import.ts'
import { type Key, publicMembers } from './key.ts'
import { type PlatformOptions, platformKey, type Subtle, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'

export interface Verification extends PlatformOptions {
  readonly algorithm: Algorithm
  /** Of a private key its public half counts. */
  readonly publicKey: KeySource
  readonly message: Uint8Array
  /** ECDSA: r and s one behind the other (IEEE P1363), as JWS has it. */
  readonly signature: Uint8Array
}

/**
 * Whether a signature is that of a message: the same answer in every host, also for keys and points that only an
 * attacker makes.
 *
 * @example
 * await verifyBytes({ algorithm: 'Ed25519', publicKey, message, signature }) // true
 *
 * @throws {KeyError} for an algorithm or key that cannot be used: KEY-101 unsupported, KEY-102 malformed, KEY-103 unfit,
 * KEY-104 weak, KEY-106 when the host lacks the algorithm. {TypeError} when message or signature are no bytes.
 */
export async function verifyBytes(verification: Verification): Promise<boolean> {
  const algorithm = checkAlgorithm(verification.algorithm)
  // Copied: nobody may change them while the key is imported.
  const message = copy('message', verification.message)
  const signature = copy('signature', verification.signature)
  const key = await importKey(verification.publicKey, verification)
  return verifyWith(subtleOf(verification), key, algorithm, message, signature)
}

export function copy(name: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes instanceof Uint8Array) return Uint8Array.from(bytes)
  throw new TypeError(`${name}: expected a Uint8Array, got ${bytes === null ? 'null' : typeof bytes}`)
}

export async function verifyWith(
  subtle: Subtle,
  key: Key,
  algorithm: Algorithm,
  message: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const members = publicMembers(key)
  const { use, length = decodeBase64url(members['n'] ?? '').length } = ALGORITHMS[algorithm]
  if (signature.length !== length) return false
  if (key.kind === 'Ed448') return verifyEd448(decodeBase64url(members['x']!), message, signature)
  if (key.kind !== 'Ed25519') {
    return subtle.verify(use, await platformKey(subtle, key, algorithm, 'verify'), signature, message)
  }
  const publicKey = decodeBase64url(members['x']!)
  if (!isSoundEd25519(publicKey, signature)) return false
  try {
    return await subtle.verify(use, await platformKey(subtle, key, algorithm, 'verify'), signature, message)
  } catch {
    // The platform has no Ed25519, or refuses what is no point already as a key.
    return verifyEd25519(subtle, publicKey, message, signature)
  }
}
