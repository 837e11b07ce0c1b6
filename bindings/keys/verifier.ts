import { ALGORITHMS, type Algorithm } from './algorithms.ts'
import { decodeBase64url } from './base64.ts'
import { verifyEd448 } from './ed448.ts'
import { openEd25519 } from './ed25519.ts'
import { importKey } from './import.ts'
import { type Key, publicMembers } from './key.ts'
import { type PlatformOptions, platformKey, type Subtle, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'

export interface VerifierOptions extends PlatformOptions {
  /** Default: the key's algorithm; PS256 for an RSA key that allows both. */
  readonly algorithm?: Algorithm
}

/** A public key, opened once to verify many messages. */
export interface Verifier {
  readonly algorithm: Algorithm
  readonly publicKey: Key
  /** The verdict of `verifyBytes`. {TypeError} when message or signature is not a Uint8Array. */
  verify(message: Uint8Array, signature: Uint8Array): Promise<boolean>
}

/** A copy that no other code can change. */
export type Own = Uint8Array<ArrayBuffer>

/** Verifies signatures with the key that it was made for. */
type Check = (message: Own, signature: Own) => Promise<boolean>

/**
 * Opens a key once, to verify many messages with it. Uses the public half of a private key.
 *
 * @example
 * const verifier = await openVerifier(publicKey)
 * await verifier.verify(message, signature) // true
 *
 * @throws {KeyError} as `verifyBytes`.
 */
export async function openVerifier(source: KeySource, options: VerifierOptions = {}): Promise<Verifier> {
  const { publicKey } = await importKey(source, options)
  const algorithm = algorithmFor(publicKey, options)
  const check = await checkWith(subtleOf(options), publicKey, algorithm)
  return {
    algorithm,
    publicKey,
    verify: async (message, signature) => check(copy('message', message), copy('signature', signature)),
  }
}

/** The requested algorithm, or the key's; PS256 for an RSA key that allows both. */
export function algorithmFor(key: Key, { algorithm = key.algorithms.at(-1)! }: VerifierOptions): Algorithm {
  return algorithm
}

/** Copies bytes, because the caller may change them during an await. */
export function copy(name: string, bytes: Uint8Array): Own {
  if (bytes instanceof Uint8Array) return new Uint8Array(bytes)
  throw new TypeError(`${name}: expected a Uint8Array, got ${bytes === null ? 'null' : typeof bytes}`)
}

/** Opens the public half of a key. */
export async function checkWith(subtle: Subtle, key: Key, algorithm: Algorithm): Promise<Check> {
  const members = publicMembers(key)
  const { length = decodeBase64url(members['n'] ?? '').length } = ALGORITHMS[algorithm]
  const check = await checkOf(subtle, key, algorithm, decodeBase64url(members['x'] ?? ''))
  return async (message, signature) => signature.length === length && check(message, signature)
}

async function checkOf(subtle: Subtle, key: Key, algorithm: Algorithm, point: Own): Promise<Check> {
  if (key.kind === 'Ed448') return (message, signature) => verifyEd448(point, message, signature)
  if (key.kind === 'Ed25519') return openEd25519(subtle, point)
  const opened = await platformKey(subtle, key, algorithm, 'verify')
  return (message, signature) => subtle.verify(ALGORITHMS[algorithm].use, opened, signature, message)
}
