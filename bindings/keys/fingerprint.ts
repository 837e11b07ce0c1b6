import { encodeBase64url } from './base64.ts'
import { type Key, publicMembers } from './key.ts'
import { type PlatformOptions, subtleOf } from './platform.ts'
import { writePublic, writeSpki } from './spki.ts'

const HASHED = {
  // RFC 7638 section 3: the required members, sorted by name. None of their characters ever needs an escape.
  jwk: (key: Key) => new TextEncoder().encode(JSON.stringify(publicMembers(key))),
  spki: (key: Key) => writeSpki(key.kind, publicMembers(key)),
  raw: (key: Key) => writePublic(publicMembers(key)),
}

export interface FingerprintOptions extends PlatformOptions {
  /** The bytes to hash: the JWK thumbprint of RFC 7638 (default), the SPKI, or the raw public key as in ADP/1.1. */
  readonly of?: 'jwk' | 'spki' | 'raw'
}

/**
 * The SHA-256 of a key's public half in base64url: an identifier that anyone can compute from the key.
 *
 * @example
 * await fingerprint(key) // 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
 *
 * @throws {RangeError} for an unknown value of `of`.
 */
export async function fingerprint(key: Key, options: FingerprintOptions = {}): Promise<string> {
  const { of = 'jwk' } = options
  if (!Object.hasOwn(HASHED, of)) throw new RangeError(`of: expected jwk, spki or raw, got ${String(of)}`)
  return encodeBase64url(new Uint8Array(await subtleOf(options).digest('SHA-256', HASHED[of](key))))
}
