import { parse } from '../document/parse.ts'
import { decodeBase64, decodeBase64url, encodeBase64, encodeBase64url, KeyError } from './base64.ts'
import {
  CONTEXT_0,
  CONTEXT_1,
  DerReader,
  der,
  derBits,
  derInteger,
  INTEGER,
  OCTET_STRING,
  OID,
  onlySequence,
  SEQUENCE,
} from './der.ts'
import { isSoundPoint } from './ed25519.ts'
import {
  type Algorithm,
  algorithmsOf,
  checkFit,
  checkMaterial,
  Key,
  type Material,
  type Members,
  readIdentifier,
  readJwk,
  readPublic,
  readSpki,
  WIDTHS,
  writeIdentifier,
  writePublic,
} from './key.ts'

/** The formats of keys. `raw`: the bytes of RFC 8032, or an uncompressed point; `raw-private`: the seed of RFC 8032. */
type KeyFormat = 'raw' | 'raw-private' | 'spki' | 'pkcs8' | 'pem' | 'jwk'

/** A key, bytes (DER or raw), text (PEM, JWK, base64 of DER or raw), or a JWK. */
export type KeySource = Key | Uint8Array | string | JsonWebKey

const SEQUENCE_TAG = 0x30

/** A key or a certificate as bytes or text: DER begins with a byte that never begins their text form. */
export const pemOrDer = (bytes: Uint8Array): Uint8Array | string =>
  bytes[0] === SEQUENCE_TAG ? bytes : new TextDecoder().decode(bytes).trim()

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
function rawKind(bytes: Uint8Array): Key.Kind | undefined {
  const kinds = Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]
  return kinds.find((kind) =>
    kind.startsWith('Ed') ? bytes.length === WIDTHS[kind] : bytes[0] === 4 && bytes.length === 1 + 2 * WIDTHS[kind],
  )
}

/** PKCS #8 begins with its version, SPKI with an algorithm. */
function derFormat(bytes: Uint8Array): 'spki' | 'pkcs8' {
  return new DerReader(bytes).enter(SEQUENCE).follows(INTEGER) ? 'pkcs8' : 'spki'
}

// RFC 7468, strictly: a single block and nothing else.
const BLOCK = /^-----BEGIN ([A-Z ]{1,40})-----\r?\n([A-Za-z0-9+/=\r\n]*)-----END ([A-Z ]{1,40})-----\s*$/

type PemLabel = 'PUBLIC KEY' | 'PRIVATE KEY'

function readPem(text: string): { label: PemLabel; bytes: Uint8Array<ArrayBuffer> } {
  const [, label, body, end] = BLOCK.exec(text.trimStart()) ?? []
  if (label === undefined || label !== end)
    throw new KeyError('KEY-102', `expected one PEM block, found ${others(text)}`)
  if (label !== 'PUBLIC KEY' && label !== 'PRIVATE KEY')
    throw new KeyError('KEY-102', `expected PEM of a PUBLIC KEY or PRIVATE KEY, found ${label}${wayOut(label)}`)
  return { label, bytes: decodeBase64(body!.replace(/\r?\n/g, '')) }
}

/** Describes a text that is not a single block by the labels of its blocks, without their content. */
function others(text: string): string {
  const labels = Array.from(text.matchAll(/^-----BEGIN ([A-Z ]{1,40})-----\r?$/gm), ([, label]) => label!)
  const key = labels.find((label) => label.endsWith('PRIVATE KEY')) ?? labels[0]
  if (key === undefined) return 'another text'
  const named = labels.slice(0, 3).join(', ')
  return `${labels.length === 1 ? `${named} and more` : `${labels.length} (${named})`}${wayOut(key)}`
}

const COMMANDS: Readonly<Record<string, string>> = {
  CERTIFICATE: 'openssl x509 -pubkey -noout -in FILE',
  'CERTIFICATE REQUEST': 'openssl req -pubkey -noout -in FILE',
  'RSA PUBLIC KEY': 'openssl rsa -RSAPublicKey_in -in FILE -pubout',
  'OPENSSH PRIVATE KEY': 'ssh-keygen -p -m PKCS8 -f COPY',
}

/** A hint with the command that converts such a block; empty when there is no command. */
function wayOut(label: string): string {
  const command = COMMANDS[label] ?? (label.endsWith('PRIVATE KEY') ? 'openssl pkey -in FILE' : undefined)
  return command === undefined ? '' : `: \`${command}\` writes what is expected`
}

export function writePem(label: PemLabel | 'CERTIFICATE', bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g)!
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

// PrivateKeyInfo: RFC 5208 and 5958; its content: RFC 8410, RFC 5915, RFC 8017 appendix A.1.2.

/** In the order of RSAPrivateKey. */
const RSA_NUMBERS = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi']
const ATTRIBUTES = CONTEXT_0
/** `[1] IMPLICIT BIT STRING`. */
const PUBLIC_KEY = 0x81

function readPkcs8(bytes: Uint8Array): Material {
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

function readPrivate(kind: Key.Kind, bytes: Uint8Array): Members {
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

export function writePkcs8(kind: Key.Kind, members: Members): Uint8Array<ArrayBuffer> {
  const version = derInteger(Uint8Array.of(0))
  return der(SEQUENCE, version, writeIdentifier(kind), der(OCTET_STRING, writePrivate(kind, members)))
}

function writePrivate(kind: Key.Kind, members: Members): Uint8Array {
  if (kind === 'RSA') {
    const numbers = RSA_NUMBERS.map((name) => derInteger(decodeBase64url(members[name]!)))
    return der(SEQUENCE, derInteger(Uint8Array.of(0)), ...numbers)
  }
  const d = der(OCTET_STRING, decodeBase64url(members['d']!))
  if (kind === 'Ed25519' || kind === 'Ed448') return d
  const point = members['x'] === undefined ? [] : [der(CONTEXT_1, derBits(writePublic(members)))]
  return der(SEQUENCE, derInteger(Uint8Array.of(1)), d, ...point)
}
