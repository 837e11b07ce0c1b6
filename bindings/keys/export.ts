import { encodeBase64url, KeyError } from './base64.ts'
import {
  algorithmsOf,
  checkMaterial,
  Key,
  membersOf,
  publicMembers,
  readPublic,
  WIDTHS,
  writePublic,
  writeSpki,
} from './key.ts'
import { type PlatformOptions, subtleOf } from './platform.ts'
import { writePem, writePkcs8 } from './read.ts'

export declare namespace exportKey {
  /**
   * The formats that `exportKey` writes. `pem` and `jwk` write a public or a private key, `pkcs8` needs a private key.
   */
  type Format = 'raw' | 'spki' | 'pkcs8' | 'pem' | 'jwk'
}

/**
 * Exports a key. `raw` and `spki` contain only the public half.
 *
 * @example
 * await exportKey(key.publicKey, 'pem') // '-----BEGIN PUBLIC KEY-----\n...'
 *
 * @throws {KeyError} KEY-105 for PKCS #8 of a public key, KEY-103 for a raw RSA key. {RangeError} for an unknown
 * format.
 */
export async function exportKey(key: Key, format: 'jwk'): Promise<JsonWebKey & { kty: string }>
export async function exportKey(key: Key, format: 'pem'): Promise<string>
export async function exportKey(key: Key, format: 'raw' | 'spki' | 'pkcs8'): Promise<Uint8Array<ArrayBuffer>>
export async function exportKey(
  key: Key,
  format: exportKey.Format,
): Promise<JsonWebKey | string | Uint8Array<ArrayBuffer>> {
  const members = membersOf(key)
  switch (format) {
    case 'jwk':
      // An RSA key does not determine its algorithm.
      return { ...members, ...(key.kind === 'RSA' && key.algorithms.length === 1 && { alg: key.algorithms[0]! }) }
    case 'pem':
      return key.type === 'public'
        ? writePem('PUBLIC KEY', writeSpki(key.kind, members))
        : writePem('PRIVATE KEY', writePkcs8(key.kind, members))
    case 'spki':
      return writeSpki(key.kind, members)
    case 'pkcs8':
      if (key.type === 'public')
        throw new KeyError('KEY-105', 'expected a private key to write as PKCS #8, found a public one')
      return writePkcs8(key.kind, members)
    case 'raw':
      if (key.kind === 'RSA') throw new KeyError('KEY-103', 'expected a key that has a raw form, found one of RSA')
      return writePublic(members)
    default:
      throw new RangeError(`format: expected raw, spki, pkcs8, pem or jwk, got ${String(format)}`)
  }
}

// Multibase base58btc of a multicodec followed by the key: `z6Mk...` (W3C Controlled Identifiers section 2.2.2,
// did:key).

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Longer texts are not keys, and decoding takes quadratic time. */
const LONGEST = 128

/** The multicodec of each kind, as an unsigned varint; points are compressed. */
const CODES: readonly (readonly [kind: Key.Kind, first: number, second: number])[] = [
  ['Ed25519', 0xed, 0x01],
  ['Ed448', 0x83, 0x24],
  ['P-256', 0x80, 0x24],
  ['P-384', 0x81, 0x24],
  ['P-521', 0x82, 0x24],
]

export function decodeBase58(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > LONGEST) throw new KeyError('KEY-102', `expected a key in base58, found ${text.length} characters`)
  const bytes: number[] = []
  for (const character of text) {
    let carry = DIGITS.indexOf(character)
    if (carry < 0) throw new KeyError('KEY-102', 'expected base58, found another character')
    for (let i = 0; i < bytes.length; i++) {
      carry += bytes[i]! * 58
      bytes[i] = carry & 0xff
      carry >>= 8
    }
    if (carry > 0) bytes.push(carry)
  }
  for (let i = 0; text[i] === '1'; i++) bytes.push(0)
  return Uint8Array.from(bytes.reverse())
}

/** The key of a `publicKeyMultibase`, or of a did:key after its prefix. */
export function readMultikey(text: string): Key {
  if (!text.startsWith('z'))
    throw new KeyError('KEY-111', 'expected a key in base58btc (z...), found another multibase')
  const bytes = decodeBase58(text.slice(1))
  const kind = CODES.find(([, first, second]) => bytes[0] === first && bytes[1] === second)?.[0]
  if (kind === undefined) throw new KeyError('KEY-111', 'expected a key for signatures, found another multicodec')
  const key = bytes.subarray(2)
  // Multikeys always use compressed points.
  if (key.length !== (kind.startsWith('P-') ? 1 : 0) + WIDTHS[kind as keyof typeof WIDTHS]) {
    throw new KeyError('KEY-102', `expected a key of ${kind}, found ${key.length} bytes`)
  }
  const { members } = checkMaterial({ kind, members: readPublic(kind, key), algorithms: [] })
  return new Key(kind, members, algorithmsOf(kind))
}

const HASHED = {
  // RFC 7638 section 3: the required members, sorted by name. None of their characters ever needs an escape.
  jwk: (key: Key) => new TextEncoder().encode(JSON.stringify(publicMembers(key))),
  spki: (key: Key) => writeSpki(key.kind, publicMembers(key)),
  raw: (key: Key) => writePublic(publicMembers(key)),
}

export declare namespace fingerprint {
  interface Options extends PlatformOptions {
    /** The bytes to hash: the JWK thumbprint of RFC 7638 (default), the SPKI, or the raw public key as in ADP/1.1. */
    readonly of?: 'jwk' | 'spki' | 'raw'
  }
}

/**
 * The SHA-256 of a key's public half in base64url: an identifier that anyone can compute from the key.
 *
 * @example
 * await fingerprint(key) // 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
 *
 * @throws {RangeError} for an unknown value of `of`.
 */
export async function fingerprint(key: Key, options: fingerprint.Options = {}): Promise<string> {
  const { of = 'jwk' } = options
  if (!Object.hasOwn(HASHED, of)) throw new RangeError(`of: expected jwk, spki or raw, got ${String(of)}`)
  return encodeBase64url(new Uint8Array(await subtleOf(options).digest('SHA-256', HASHED[of](key))))
}
