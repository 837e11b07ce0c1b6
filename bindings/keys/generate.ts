import { importKey } from './import.ts'
import { ALGORITHMS, type Algorithm, checkAlgorithm, type Key } from './key.ts'
import { type PlatformOptions, platformRefusal, subtleOf } from './platform.ts'
import type { KeySource } from './read.ts'

export declare namespace generateKey {
  interface Options extends PlatformOptions {
    /** The length of an RSA key in bits, from 2048 to 8192; default: 3072. */
    readonly modulusLength?: number
  }
}

/** A key with a private half. */
export type PrivateKey = Key & { readonly privateKey: Key }

/**
 * Generates a private key; its `publicKey` is the other half.
 *
 * @example
 * const { privateKey, publicKey } = await generateKey('Ed25519')
 * await exportKey(publicKey, 'pem') // '-----BEGIN PUBLIC KEY-----\n...'
 *
 * @throws {KeyError} KEY-101 for an unknown algorithm, KEY-106 when the host lacks it. {RangeError} for an invalid
 * length.
 */
export async function generateKey(
  algorithm: Algorithm = 'Ed25519',
  options: generateKey.Options = {},
): Promise<PrivateKey> {
  const { kind, key } = ALGORITHMS[checkAlgorithm(algorithm)]
  const { modulusLength = 3072 } = options
  if (!(Number.isInteger(modulusLength) && modulusLength >= 2048 && modulusLength <= 8192 && modulusLength % 8 === 0)) {
    throw new RangeError(`modulusLength: expected a multiple of 8 from 2048 to 8192, got ${modulusLength}`)
  }
  if (kind === 'Ed25519' || kind === 'Ed448') {
    const seed = crypto.getRandomValues(new Uint8Array(kind === 'Ed25519' ? 32 : 57))
    return importPrivate(seed, { ...options, algorithm, format: 'raw-private' })
  }
  const subtle = subtleOf(options)
  const parameters = kind === 'RSA' ? { ...key, modulusLength, publicExponent: Uint8Array.of(1, 0, 1) } : key
  try {
    const pair = (await subtle.generateKey(parameters, true, ['sign', 'verify'])) as CryptoKeyPair
    const { alg: _onlyOne, ...jwk } = await subtle.exportKey('jwk', pair.privateKey)
    return await importPrivate(jwk, { ...options, algorithm })
  } catch (cause) {
    throw platformRefusal(algorithm, cause)
  }
}

async function importPrivate(source: KeySource, options: importKey.Options): Promise<PrivateKey> {
  return (await importKey(source, options)) as PrivateKey
}
