import { type Algorithm, checkAlgorithm } from './algorithms.ts'
import { importKey } from './import.ts'
import { type PlatformOptions, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'
import { checkWith, copy } from './verifier.ts'

export interface Verification extends PlatformOptions {
  readonly algorithm: Algorithm
  /** For a private key, its public half is used. */
  readonly publicKey: KeySource
  readonly message: Uint8Array
  /** For ECDSA: r followed by s (IEEE P1363), as in JWS. */
  readonly signature: Uint8Array
}

/**
 * Verifies the signature of a message. The verdict is the same on every platform, even for keys and points that only an
 * attacker makes. For many messages, open the key once with `openVerifier`.
 *
 * @example
 * await verifyBytes({ algorithm: 'Ed25519', publicKey, message, signature }) // true
 *
 * @throws {KeyError} for an algorithm or key that cannot be used: KEY-101 unsupported, KEY-102 malformed, KEY-103
 * unfit, KEY-104 weak, KEY-106 when the host lacks the algorithm. {TypeError} when message or signature is not a
 * Uint8Array.
 */
export async function verifyBytes(verification: Verification): Promise<boolean> {
  const algorithm = checkAlgorithm(verification.algorithm)
  const message = copy('message', verification.message)
  const signature = copy('signature', verification.signature)
  const key = await importKey(verification.publicKey, verification)
  const check = await checkWith(subtleOf(verification), key, algorithm)
  return check(message, signature)
}
