import { encodeBase64url } from './base64.ts'
import { type Key, publicMembers } from './key.ts'
import { type PlatformOptions, subtleOf } from './platform.ts'
import { writeSpki } from './spki.ts'

export interface FingerprintOptions extends PlatformOptions {
  /** What is hashed: the JWK thumbprint of RFC 7638 (when absent), or the SPKI. */
  readonly of?: 'jwk' | 'spki'
}

/**
 * The SHA-256 of the public half of a key, in base64url: a name for it that anybody can work out.
 *
 * @example
 * await fingerprint(key) // 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
 *
 * @throws {RangeError} for anything but `jwk` and `spki`.
 */
export async function fingerprint(key: Key, options: FingerprintOptions = {}): Promise<string> {
  const { of = 'jwk' } = options
  if (of !== 'jwk' && of !== 'spki') throw new RangeError(`of: expected jwk or spki, got ${String(of)}`)
  const members = publicMembers(key)
  // RFC 7638 section 3: the required members sorted by name; none of their characters is ever escaped.
  const hashed = of === 'spki' ? writeSpki(key.kind, members) : new TextEncoder().encode(JSON.stringify(members))
  return encodeBase64url(new Uint8Array(await subtleOf(options).digest('SHA-256', hashed)))
}
