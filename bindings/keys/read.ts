import { parse } from '../document/parse.ts'
import { type Algorithm, algorithmsOf, type KeyKind, WIDTHS } from './algorithms.ts'
import { decodeBase64, decodeBase64url } from './base64.ts'
import { DerReader, INTEGER, SEQUENCE } from './der.ts'
import { isSoundPoint } from './ed25519.ts'
import { KeyError } from './error.ts'
import { checkMaterial, type Material, readJwk } from './jwk.ts'
import { checkFit, Key } from './key.ts'
import { readPem } from './pem.ts'
import { readPkcs8 } from './pkcs8.ts'
import { readPublic, readSpki } from './spki.ts'

/** The formats of keys. `raw`: the bytes of RFC 8032, or an uncompressed point; `raw-private`: the seed of RFC 8032. */
export type KeyFormat = 'raw' | 'raw-private' | 'spki' | 'pkcs8' | 'pem' | 'jwk'

/** A key, bytes (DER or raw), text (PEM, JWK, base64 of DER or raw), or a JWK. */
export type KeySource = Key | Uint8Array | string | JsonWebKey

export interface ReadKeyOptions {
  /** The format; default: detected from the source. */
  readonly format?: KeyFormat
  /** The algorithm to use the key with; refuses keys of another kind. */
  readonly algorithm?: Algorithm
}

/** Reads a key in any form; the public half of a private key may still be missing. */
export function readMaterial(source: Exclude<KeySource, Key>, { format, algorithm }: ReadKeyOptions): Material {
  const material = readAs(source, format)
  if (algorithm === undefined) return material
  checkFit(new Key(material.kind, material.members, material.algorithms), algorithm)
  return { ...material, algorithms: [algorithm] }
}

/**
 * Reads a public key in the form of `cryptographic_identity.public_key.value`: base64 of SPKI, or of a raw Ed25519 or
 * Ed448 key or an uncompressed point.
 *
 * @throws {KeyError} for a malformed key, or one for which anyone can forge signatures.
 */
export function readPublicKey(text: string): Key {
  const { kind, members, algorithms } = readBytes(decodeBase64(text), undefined)
  if (members['d'] !== undefined) throw new KeyError('KEY-102', 'expected a public key, found a private one')
  if (kind === 'Ed25519' && !isSoundPoint(decodeBase64url(members['x']!))) {
    throw new KeyError('KEY-104', 'expected a point of large order, found one for which anybody can sign')
  }
  return new Key(kind, members, algorithms)
}

function readAs(source: Exclude<KeySource, Key>, format: KeyFormat | undefined): Material {
  if (source instanceof Uint8Array) return readBytes(source, format)
  if (typeof source === 'object' && source !== null) return readJwk(source)
  if (typeof source !== 'string') {
    throw new TypeError(`key: expected a Key, bytes, text or a JWK, got ${source === null ? 'null' : typeof source}`)
  }
  const text = source.trimStart()
  if (format === 'jwk' || (format === undefined && text.startsWith('{'))) return readJwk(parseJwk(text))
  if (format !== 'pem' && !text.startsWith('-----')) return readBytes(decodeBase64(source), format)
  const { label, bytes } = readPem(text)
  return label === 'PUBLIC KEY' ? readSpki(bytes) : readPkcs8(bytes)
}

/** Refuses duplicate member names, even those that differ only by escapes: programs disagree on which one counts. */
function parseJwk(text: string): object {
  const { document, diagnostics } = parse(text)
  // The message does not quote the text, which may be a private key.
  const found = document === undefined ? `a text with this fault: ${diagnostics[0]!.title}` : 'no JSON object'
  const value = document?.value
  if (typeof value === 'object' && value !== null) return value
  throw new KeyError('KEY-102', `expected a JSON Web Key, found ${found}`)
}

function readBytes(bytes: Uint8Array, format: KeyFormat | undefined): Material {
  if (format === 'pem' || format === 'jwk') {
    throw new TypeError(`format: expected raw, raw-private, spki or pkcs8 for bytes, got ${format}`)
  }
  if (format === 'raw-private') {
    const kind = rawKind(bytes)
    if (!kind?.startsWith('Ed'))
      throw new KeyError('KEY-102', `expected a seed of 32 or 57 bytes, found ${bytes.length}`)
    const { x, ...members } = readPublic(kind, bytes)
    return { kind, members: { ...members, d: x! }, algorithms: algorithmsOf(kind) }
  }
  const kind = format === 'spki' || format === 'pkcs8' ? undefined : rawKind(bytes)
  if (kind !== undefined) {
    return checkMaterial({ kind, members: readPublic(kind, bytes), algorithms: algorithmsOf(kind) })
  }
  if (format === 'raw') throw new KeyError('KEY-102', `expected a raw public key, found ${bytes.length} bytes`)
  return (format ?? derFormat(bytes)) === 'pkcs8' ? readPkcs8(bytes) : readSpki(bytes)
}

/** The DER form of a key is never as short as a raw Ed25519 or Ed448 key and never begins with 4. */
function rawKind(bytes: Uint8Array): KeyKind | undefined {
  const kinds = Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]
  return kinds.find((kind) =>
    kind.startsWith('Ed') ? bytes.length === WIDTHS[kind] : bytes[0] === 4 && bytes.length === 1 + 2 * WIDTHS[kind],
  )
}

/** PKCS #8 begins with its version, SPKI with an algorithm. */
function derFormat(bytes: Uint8Array): 'spki' | 'pkcs8' {
  return new DerReader(bytes).enter(SEQUENCE).follows(INTEGER) ? 'pkcs8' : 'spki'
}
