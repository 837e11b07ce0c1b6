import { visible } from '../text/hidden.ts'
import { KeyError } from './error.ts'

/** Signature algorithms, by the names of ADL section 10.3 and RFC 7518. */
export type Algorithm = 'Ed25519' | 'Ed448' | 'ES256' | 'ES384' | 'ES512' | 'RS256' | 'PS256'

/** Kinds of keys. Each kind has one algorithm, RSA has two. */
export type KeyKind = 'Ed25519' | 'Ed448' | 'P-256' | 'P-384' | 'P-521' | 'RSA'

interface Row {
  readonly kind: KeyKind
  /** The length of a signature in bytes; an RSA signature is as long as the modulus. */
  readonly length?: number
  /** For importKey and generateKey of Web Crypto. */
  readonly key: { readonly name: string; readonly namedCurve?: string; readonly hash?: string }
  /** For sign and verify of Web Crypto. */
  readonly use: { readonly name: string; readonly hash?: string; readonly saltLength?: number }
}

const ecdsa = (kind: KeyKind, hash: string, length: number): Row => ({
  kind,
  length,
  key: { name: 'ECDSA', namedCurve: kind },
  use: { name: 'ECDSA', hash },
})

export const ALGORITHMS: Readonly<Record<Algorithm, Row>> = {
  Ed25519: { kind: 'Ed25519', length: 64, key: { name: 'Ed25519' }, use: { name: 'Ed25519' } },
  Ed448: { kind: 'Ed448', length: 114, key: { name: 'Ed448' }, use: { name: 'Ed448' } },
  ES256: ecdsa('P-256', 'SHA-256', 64),
  ES384: ecdsa('P-384', 'SHA-384', 96),
  ES512: ecdsa('P-521', 'SHA-512', 132),
  RS256: { kind: 'RSA', key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, use: { name: 'RSASSA-PKCS1-v1_5' } },
  PS256: { kind: 'RSA', key: { name: 'RSA-PSS', hash: 'SHA-256' }, use: { name: 'RSA-PSS', saltLength: 32 } },
}

export const NAMES = Object.keys(ALGORITHMS) as Algorithm[]

/** The length of a coordinate in bytes, or of the whole key where it is a single number. */
export const WIDTHS: Readonly<Record<Exclude<KeyKind, 'RSA'>, number>> = {
  Ed25519: 32,
  Ed448: 57,
  'P-256': 32,
  'P-384': 48,
  'P-521': 66,
}

export function algorithmsOf(kind: KeyKind): Algorithm[] {
  return NAMES.filter((name) => ALGORITHMS[name].kind === kind)
}

/** Validates an algorithm name from an untrusted source. */
export function checkAlgorithm(name: unknown): Algorithm {
  if (typeof name !== 'string') throw new TypeError(`algorithm: expected a string, got ${typeof name}`)
  if (Object.hasOwn(ALGORITHMS, name)) return name as Algorithm
  throw new KeyError('KEY-101', `expected one of ${NAMES.join(', ')}, found ${visible(name.slice(0, 40))}`)
}
