import { algorithmsOf, type KeyKind } from './algorithms.ts'
import { decodeBase64url, encodeBase64url } from './base64.ts'
import {
  CONTEXT_0,
  CONTEXT_1,
  DerReader,
  der,
  derBits,
  derInteger,
  OCTET_STRING,
  OID,
  onlySequence,
  SEQUENCE,
} from './der.ts'
import { KeyError } from './error.ts'
import { checkMaterial, type Material } from './jwk.ts'
import type { Members } from './key.ts'
import { readIdentifier, readPublic, writeIdentifier, writePublic } from './spki.ts'

// PrivateKeyInfo: RFC 5208 and 5958; its content: RFC 8410, RFC 5915, RFC 8017 appendix A.1.2.

/** In the order of RSAPrivateKey. */
const RSA_NUMBERS = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']
const ATTRIBUTES = CONTEXT_0
/** `[1] IMPLICIT BIT STRING`. */
const PUBLIC_KEY = 0x81

export function readPkcs8(bytes: Uint8Array): Material {
  const reader = onlySequence(bytes)
  const [version] = reader.integer()
  if (version !== 0 && version !== 1) throw new KeyError('KEY-102', 'expected PKCS #8, found another version of it')
  const kind = readIdentifier(reader.enter(SEQUENCE))
  const members = readPrivate(kind, reader.read(OCTET_STRING))
  // The public key and attributes may follow.
  if (reader.follows(ATTRIBUTES)) reader.read(ATTRIBUTES)
  if (reader.follows(PUBLIC_KEY)) reader.read(PUBLIC_KEY)
  reader.finish()
  return checkMaterial({ kind, members, algorithms: algorithmsOf(kind) })
}

function readPrivate(kind: KeyKind, bytes: Uint8Array): Members {
  const outer = new DerReader(bytes)
  if (kind === 'Ed25519' || kind === 'Ed448') {
    const d = encodeBase64url(outer.read(OCTET_STRING))
    outer.finish()
    return { kty: 'OKP', crv: kind, d }
  }
  const reader = outer.enter(SEQUENCE)
  outer.finish()
  const [version] = reader.integer()
  if (kind === 'RSA') {
    if (version !== 0) throw new KeyError('KEY-101', 'expected an RSA key of two primes, found more')
    const numbers = RSA_NUMBERS.map((name) => [name, encodeBase64url(reader.integer())])
    reader.finish()
    return { kty: 'RSA', ...Object.fromEntries(numbers) }
  }
  if (version !== 1) throw new KeyError('KEY-102', 'expected an EC private key, found another version of it')
  const d = reader.read(OCTET_STRING)
  if (reader.follows(CONTEXT_0)) reader.enter(CONTEXT_0).read(OID)
  const point = reader.follows(CONTEXT_1) ? readPublic(kind, reader.enter(CONTEXT_1).bits()) : {}
  reader.finish()
  return { kty: 'EC', crv: kind, ...point, d: encodeBase64url(d) }
}

export function writePkcs8(kind: KeyKind, members: Members): Uint8Array<ArrayBuffer> {
  const version = derInteger(Uint8Array.of(0))
  return der(SEQUENCE, version, writeIdentifier(kind), der(OCTET_STRING, writePrivate(kind, members)))
}

function writePrivate(kind: KeyKind, members: Members): Uint8Array {
  if (kind === 'RSA') {
    const numbers = RSA_NUMBERS.map((name) => derInteger(decodeBase64url(members[name]!)))
    return der(SEQUENCE, derInteger(Uint8Array.of(0)), ...numbers)
  }
  const d = der(OCTET_STRING, decodeBase64url(members['d']!))
  if (kind === 'Ed25519' || kind === 'Ed448') return d
  const point = members['x'] === undefined ? [] : [der(CONTEXT_1, derBits(writePublic(members)))]
  return der(SEQUENCE, derInteger(Uint8Array.of(1)), d, ...point)
}
