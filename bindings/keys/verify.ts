import { type Algorithm, checkAlgorithm } from './algorithms.ts'
import { importKey } from './import.ts'
import { type PlatformOptions, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'
import { checkWith, copy } from './verifier.ts'

export interface Verification extends PlatformOptions {
  readonly algorithm: Algorithm
  /** Of a private key its public half counts. */
  readonly publicKey: KeySource
  readonly message: Uint8Array
  /** ECDSA: r and s one behind the other (IEEE P1363), as JWS has it. */
  readonly signature: Uint8Array
}

/**
 * Tells whether a signature is that of a message: the same answer in every host, also for keys and points that only an
 * attacker makes. A key that verifies many messages is opened once by `openVerifier`.
 *
 * @example
 * await verifyBytes({ algorithm: 'Ed25519', publicKey, message, signature }) // true
 *
 * @throws {KeyError} for an algorithm or key that cannot be used: KEY-101 unsupported, KEY-102 malformed, KEY-103 unfit,
 * KEY-104 weak, KEY-106 when the host lacks the algorithm. {TypeError} when message or signature are no bytes.
 */
export async function verifyBytes(verification: Verification): Promise<boolean> {
  const algorithm = checkAlgorithm(verification.algorithm)
  const message = copy('message', verification.message)
  const signature = copy('signature', verification.signature)
  const key = await importKey(verification.publicKey, verification)
  const check = await checkWith(subtleOf(verification), key, algorithm)
  return check(message, signature)
}
