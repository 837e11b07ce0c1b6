import { ALGORITHMS, type Algorithm, checkAlgorithm } from './algorithms.ts'
import { decodeBase64url } from './base64.ts'
import { signEd448 } from './ed448.ts'
import { signEd25519 } from './ed25519.ts'
import { KeyError } from './error.ts'
import { importKey } from './import.ts'
import { type Key, membersOf } from './key.ts'
import { type PlatformOptions, platformKey, type Subtle, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'
import { copy, verifyWith } from './verify.ts'

export interface Signing extends PlatformOptions {
  readonly algorithm: Algorithm
  readonly privateKey: KeySource
  readonly message: Uint8Array
}

/**
 * The signature of a message. It is verified before it is given out, so a key made of halves that do not belong
 * together gives none.
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
  if (key.type === 'public') throw new KeyError('KEY-105', 'expected a private key to sign with, found a public one')
  const subtle = subtleOf(signing)
  const signature = await signWith(subtle, key, algorithm, message)
  if (await verifyWith(subtle, key, algorithm, message, signature)) return signature
  throw new KeyError(
    'KEY-108',
    'expected the halves of one key, found a public half that does not verify the signature',
  )
}

async function signWith(
  subtle: Subtle,
  key: Key,
  algorithm: Algorithm,
  message: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const seed = () => decodeBase64url(membersOf(key)['d']!)
  if (key.kind === 'Ed448') return signEd448(seed(), message)
  try {
    const platform = await platformKey(subtle, key, algorithm, 'sign')
    return new Uint8Array(await subtle.sign(ALGORITHMS[algorithm].use, platform, message))
  } catch (error) {
    if (key.kind === 'Ed25519') return signEd25519(seed(), message)
    throw error
  }
}
