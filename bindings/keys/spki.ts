import { algorithmsOf, type KeyKind } from './algorithms.ts'
import { decodeBase64url, encodeBase64url } from './base64.ts'
import { type DerReader, der, derBits, derInteger, derOid, NULL, onlySequence, SEQUENCE } from './der.ts'
import { KeyError } from './error.ts'
import { checkMaterial, type Material } from './jwk.ts'
import type { Members } from './key.ts'
import { type NistCurve, readPoint } from './points.ts'

// AlgorithmIdentifier and SubjectPublicKeyInfo: RFC 5280 section 4.1.2.7, RFC 8410, RFC 5480, RFC 8017 appendix A.

const EC = '2a8648ce3d0201'
const RSA = '2a864886f70d010101'
const RSA_PSS = '2a864886f70d01010a'
const KINDS: Readonly<Record<string, KeyKind>> = {
  '2b6570': 'Ed25519',
  '2b6571': 'Ed448',
  '2a8648ce3d030107': 'P-256',
  '2b81040022': 'P-384',
  '2b81040023': 'P-521',
}
/** DSA, and curves below P-256 (ADL section 6.3). */
const WEAK: Readonly<Record<string, string>> = {
  '2a8648ce380401': 'DSA',
  '2a8648ce3d030101': 'P-192',
  '2b81040021': 'P-224',
  '2b8104001f': 'secp192k1',
  '2b81040020': 'secp224k1',
  '2b81040008': 'secp160r1',
  '2b81040009': 'secp160k1',
}

/** The kind of key that an AlgorithmIdentifier names. */
export function readIdentifier(reader: DerReader): KeyKind {
  const oid = reader.oid()
  if (oid === RSA) {
    if (reader.read(NULL).length > 0) throw new KeyError('KEY-102', 'expected DER, found a NULL with content')
    reader.finish()
    return 'RSA'
  }
  const name = oid === EC ? reader.oid() : oid
  const weak = WEAK[name]
  if (weak !== undefined) throw new KeyError('KEY-104', `expected a key of sufficient strength, found one of ${weak}`)
  if (name === RSA_PSS) throw new KeyError('KEY-101', 'expected a key that is supported: RSA-PSS is not supported')
  const kind = KINDS[name]
  if (kind === undefined || (oid === EC) !== kind.startsWith('P-')) {
    throw new KeyError(
      'KEY-101',
      `expected a key for signatures that are supported, found the type with OID ${name} (hex)`,
    )
  }
  reader.finish()
  return kind
}

export function writeIdentifier(kind: KeyKind): Uint8Array {
  if (kind === 'RSA') return der(SEQUENCE, derOid(RSA), der(NULL))
  const oid = Object.keys(KINDS).find((name) => KINDS[name] === kind)!
  return kind.startsWith('P-') ? der(SEQUENCE, derOid(EC), derOid(oid)) : der(SEQUENCE, derOid(oid))
}

/** The members of a public key in its own encoding: a raw key, a point, or an RSAPublicKey. */
export function readPublic(kind: KeyKind, bytes: Uint8Array): Members {
  if (kind === 'RSA') {
    const reader = onlySequence(bytes)
    const members = { kty: 'RSA', n: encodeBase64url(reader.integer()), e: encodeBase64url(reader.integer()) }
    reader.finish()
    return members
  }
  if (kind === 'Ed25519' || kind === 'Ed448') return { kty: 'OKP', crv: kind, x: encodeBase64url(bytes) }
  const { x, y } = readPoint(kind as NistCurve, bytes)
  return { kty: 'EC', crv: kind, x: encodeBase64url(x), y: encodeBase64url(y) }
}

/** The reverse of `readPublic`; writes points uncompressed. */
export function writePublic(members: Members): Uint8Array<ArrayBuffer> {
  const bytes = (name: string) => decodeBase64url(members[name]!)
  if (members['kty'] === 'RSA') return der(SEQUENCE, derInteger(bytes('n')), derInteger(bytes('e')))
  if (members['kty'] === 'OKP') return bytes('x')
  return Uint8Array.of(4, ...bytes('x'), ...bytes('y'))
}

export function readSpki(bytes: Uint8Array): Material {
  const reader = onlySequence(bytes)
  const kind = readIdentifier(reader.enter(SEQUENCE))
  const members = readPublic(kind, reader.bits())
  reader.finish()
  return checkMaterial({ kind, members, algorithms: algorithmsOf(kind) })
}

export function writeSpki(kind: KeyKind, members: Members): Uint8Array<ArrayBuffer> {
  return der(SEQUENCE, writeIdentifier(kind), derBits(writePublic(members)))
}
