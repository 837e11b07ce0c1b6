import { decodeBase64url } from './base64.ts'
import { openEd25519 } from './ed25519.ts'
import { importKey, verifyEd448 } from './import.ts'
import { ALGORITHMS, type Algorithm, checkAlgorithm, type Key, publicMembers } from './key.ts'
import { type PlatformOptions, platformKey, type Subtle, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'

export declare namespace verifyBytes {
  interface Options extends PlatformOptions {
    readonly algorithm: Algorithm
    /** For a private key, its public half is used. */
    readonly publicKey: KeySource
    readonly message: Uint8Array
    /** For ECDSA: r followed by s (IEEE P1363), as in JWS. */
    readonly signature: Uint8Array
  }
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
export async function verifyBytes(verification: verifyBytes.Options): Promise<boolean> {
  const algorithm = checkAlgorithm(verification.algorithm)
  const message = copy('message', verification.message)
  const signature = copy('signature', verification.signature)
  const key = await importKey(verification.publicKey, verification)
  const check = await checkWith(subtleOf(verification), key, algorithm)
  return check(message, signature)
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

export declare namespace openVerifier {
  interface Options extends PlatformOptions {
    /** Default: the key's algorithm; PS256 for an RSA key that allows both. */
    readonly algorithm?: Algorithm
  }
}

/**
 * Opens a key once, to verify many messages with it. Uses the public half of a private key.
 *
 * @example
 * const verifier = await openVerifier(publicKey)
 * await verifier.verify(message, signature) // true
 *
 * @throws {KeyError} as `verifyBytes`.
 */
export async function openVerifier(source: KeySource, options: openVerifier.Options = {}): Promise<Verifier> {
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
export function algorithmFor(key: Key, { algorithm = key.algorithms.at(-1)! }: openVerifier.Options): Algorithm {
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
