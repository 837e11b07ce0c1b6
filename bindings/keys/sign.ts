import { decodeBase64url, KeyError } from './base64.ts'
import { signEd25519 } from './ed25519.ts'
import { importKey, signEd448 } from './import.ts'
import { ALGORITHMS, type Algorithm, checkAlgorithm, Key, membersOf } from './key.ts'
import { type PlatformOptions, platformKey, platformRefusal, type Subtle, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'
import { algorithmFor, checkWith, copy, type Own, type openVerifier } from './verify.ts'

export declare namespace signBytes {
  interface Options extends PlatformOptions {
    readonly algorithm: Algorithm
    readonly privateKey: KeySource
    readonly message: Uint8Array
  }
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
export async function signBytes(signing: signBytes.Options): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = checkAlgorithm(signing.algorithm)
  const message = copy('message', signing.message)
  const key = await importKey(signing.privateKey, signing)
  const subtle = subtleOf(signing)
  const sign = await checkedSign(subtle, key, algorithm, await signWith(subtle, key, algorithm))
  return sign(message)
}

/** A private key, opened once to sign many messages. */
export interface Signer {
  readonly algorithm: Algorithm
  readonly publicKey: Key
  /**
   * Returns a signature. {TypeError} when the message is not a Uint8Array, {KeyError} KEY-108 when the computation
   * failed.
   */
  sign(message: Uint8Array): Promise<Uint8Array<ArrayBuffer>>
}

export declare namespace openSigner {
  interface Options extends openVerifier.Options {
    /**
     * The signatures to verify before they are returned: `each`, or `once` when the key is opened. Default: `each` for
     * Ed25519, Ed448 and RSA, because a wrong signature can reveal the key; `once` for ECDSA, whose nonces are random.
     */
    readonly checks?: 'each' | 'once'
  }
}

type Sign = (message: Own) => Promise<Own>

/** Signed when a key is opened; the signature is discarded. */
const PROBE = new TextEncoder().encode('blazon: do the halves of this key belong together?')

/**
 * Opens a private key once, to sign many messages with it. Also accepts a Web Crypto key pair, whose private half need
 * not be exportable.
 *
 * @example
 * const signer = await openSigner(privateKey)
 * await signer.sign(message) // 64 bytes
 *
 * @throws {KeyError} as `signBytes`.
 */
export async function openSigner(source: KeySource | CryptoKeyPair, options: openSigner.Options = {}): Promise<Signer> {
  const subtle = subtleOf(options)
  const pair = isPair(source) ? source : undefined
  const key = await importKey(pair === undefined ? (source as KeySource) : await publicHalf(subtle, pair), options)
  const algorithm = algorithmFor(key, options)
  const sign =
    pair === undefined ? await signWith(subtle, key, algorithm) : platformSign(subtle, pair.privateKey, algorithm)
  const checked = await checkedSign(subtle, key, algorithm, sign)
  const make = checksEach(key, options) ? checked : sign
  await checked(PROBE)
  return { algorithm, publicKey: key.publicKey, sign: async (message) => make(copy('message', message)) }
}

function checksEach({ kind }: Key, { checks = kind.startsWith('P-') ? 'once' : 'each' }: openSigner.Options): boolean {
  if (checks === 'each' || checks === 'once') return checks === 'each'
  throw new RangeError(`checks: expected each or once, got ${String(checks)}`)
}

function isPair(source: KeySource | CryptoKeyPair): source is CryptoKeyPair {
  return typeof source === 'object' && source !== null && !(source instanceof Key) && 'privateKey' in source
}

async function publicHalf(subtle: Subtle, { publicKey }: CryptoKeyPair): Promise<JsonWebKey> {
  try {
    return await subtle.exportKey('jwk', publicKey)
  } catch (cause) {
    throw new KeyError('KEY-102', 'expected a pair whose public half can be exported, found one that cannot', { cause })
  }
}

/** Opens the private half of a key. */
async function signWith(subtle: Subtle, key: Key, algorithm: Algorithm): Promise<Sign> {
  if (key.type === 'public') throw new KeyError('KEY-105', 'expected a private key to sign with, found a public one')
  const seed = () => decodeBase64url(membersOf(key)['d']!)
  if (key.kind === 'Ed448') return (message) => signEd448(seed(), message)
  const opened = platformKey(subtle, key, algorithm, 'sign').then((own) => platformSign(subtle, own, algorithm))
  if (key.kind !== 'Ed25519') return opened
  const arithmetic: Sign = (message) => signEd25519(seed(), message)
  const platform = await opened.catch(() => arithmetic)
  return (message) => platform(message).catch(() => arithmetic(message))
}

function platformSign(subtle: Subtle, key: CryptoKey, algorithm: Algorithm): Sign {
  return async (message) => {
    try {
      return new Uint8Array(await subtle.sign(ALGORITHMS[algorithm].use, key, message))
    } catch (cause) {
      throw platformRefusal(algorithm, cause)
    }
  }
}

/** Signs, and returns only signatures that the public half verifies: a wrong signature can reveal the key. */
async function checkedSign(subtle: Subtle, key: Key, algorithm: Algorithm, sign: Sign): Promise<Sign> {
  const check = await checkWith(subtle, key, algorithm)
  return async (message) => {
    const signature = await sign(message)
    if (await check(message, signature)) return signature
    const found = 'one that it does not: the halves are of two keys, or the computation went wrong'
    throw new KeyError('KEY-108', `expected a signature that the public half verifies, found ${found}`)
  }
}
