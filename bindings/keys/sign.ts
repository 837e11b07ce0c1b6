import { type Algorithm, checkAlgorithm } from './algorithms.ts'
import { importKey } from './import.ts'
import { type PlatformOptions, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'
import { checkedSign, signWith } from './signer.ts'
import { copy } from './verifier.ts'

export interface Signing extends PlatformOptions {
  readonly algorithm: Algorithm
  readonly privateKey: KeySource
  readonly message: Uint8Array
}

/**
 * Signs a message. Verifies the signature before returning it, so a key whose halves do not belong together produces no
 * signature. For many messages, open the key once with `openSigner`.
 *
 * @example
 * const signature = await signBytes({ algorithm: 'Ed25519', privateKey, message })
 * signature.length // 64
 *
 * @throws {KeyError} as `verifyBytes`, KEY-105 for a public key, KEY-108 when the halves do not belong together.
 */
export async function signBytes(signing: Signing): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = checkAlgorithm(signing.algorithm)
  const message = copy('message', signing.message)
  const key = await importKey(signing.privateKey, signing)
  const subtle = subtleOf(signing)
  const sign = await checkedSign(subtle, key, algorithm, await signWith(subtle, key, algorithm))
  return sign(message)
}
