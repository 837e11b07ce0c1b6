import { fromHex, toHex } from '../text/bytes.ts'
import { visible } from '../text/hidden.ts'
import { decodeBase64url, encodeBase64url, KeyError } from './base64.ts'
import { type DerReader, der, derBits, derInteger, derOid, NULL, onlySequence, SEQUENCE } from './der.ts'

/**
 * The members of a JSON Web Key (RFC 7517) that make up the key itself. All are strict base64url except `kty` and
 * `crv`.
 */
export type Members = Readonly<Record<string, string>>

const PUBLIC_MEMBERS = ['crv', 'e', 'kty', 'n', 'x', 'y']

let open: (key: Key) => Members

export declare namespace Key {
  /** Kinds of keys. Each kind has one algorithm, RSA has two. */
  type Kind = 'Ed25519' | 'Ed448' | 'P-256' | 'P-384' | 'P-521' | 'RSA'
}

/** A validated key, made by `importKey` and `generateKey`. Printing it reveals nothing secret. */
export class Key {
  readonly kind: Key.Kind
  readonly type: 'public' | 'private'
  /** The algorithms that it may be used with: one, or for RSA those that its JWK does not exclude. */
  readonly algorithms: readonly Algorithm[]
  readonly #members: Members

  static {
    open = (key) => key.#members
  }

  /** @internal */
  constructor(kind: Key.Kind, members: Members, algorithms: readonly Algorithm[]) {
    this.kind = kind
    this.type = members['d'] === undefined ? 'public' : 'private'
    this.algorithms = algorithms
    this.#members = members
  }

  /** The public half; a public key returns itself. */
  get publicKey(): Key {
    if (this.type === 'public') return this
    return new Key(this.kind, publicMembers(this), this.algorithms)
  }

  /** The key itself if it is private: `const { privateKey, publicKey } = await generateKey()`. */
  get privateKey(): Key | undefined {
    return this.type === 'private' ? this : undefined
  }
}

export function membersOf(key: Key): Members {
  return open(key)
}

/** The public members in the order of RFC 7638: sorted by name. */
export function publicMembers(key: Key): Members {
  const members = open(key)
  return Object.fromEntries(PUBLIC_MEMBERS.flatMap((name) => (members[name] ? [[name, members[name]]] : [])))
}

/** True when the public halves are equal. Each key has only one encoding, so comparing texts is enough. */
export function isSameKey(a: Key, b: Key): boolean {
  return JSON.stringify(publicMembers(a)) === JSON.stringify(publicMembers(b))
}

/** Throws when a key must not be used with an algorithm. */
export function checkFit(key: Key, algorithm: Algorithm): void {
  if (key.algorithms.includes(algorithm)) return
  const { kind } = ALGORITHMS[algorithm]
  const found = kind === key.kind ? `one that is only for ${key.algorithms.join(' and ')}` : `one of ${key.kind}`
  throw new KeyError('KEY-103', `expected a key of ${kind} for ${algorithm}, found ${found}`)
}

/** Signature algorithms, by the names of ADL section 10.3 and RFC 7518. */
export type Algorithm = 'Ed25519' | 'Ed448' | 'ES256' | 'ES384' | 'ES512' | 'RS256' | 'PS256'

interface Row {
  readonly kind: Key.Kind
  /** The length of a signature in bytes; an RSA signature is as long as the modulus. */
  readonly length?: number
  /** For importKey and generateKey of Web Crypto. */
  readonly key: { readonly name: string; readonly namedCurve?: string; readonly hash?: string }
  /** For sign and verify of Web Crypto. */
  readonly use: { readonly name: string; readonly hash?: string; readonly saltLength?: number }
}

const ecdsa = (kind: Key.Kind, hash: string, length: number): Row => ({
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
export const WIDTHS: Readonly<Record<Exclude<Key.Kind, 'RSA'>, number>> = {
  Ed25519: 32,
  Ed448: 57,
  'P-256': 32,
  'P-384': 48,
  'P-521': 66,
}

export function algorithmsOf(kind: Key.Kind): Algorithm[] {
  return NAMES.filter((name) => ALGORITHMS[name].kind === kind)
}

/** Validates an algorithm name from an untrusted source. */
export function checkAlgorithm(name: unknown): Algorithm {
  if (typeof name !== 'string') throw new TypeError(`algorithm: expected a string, got ${typeof name}`)
  if (Object.hasOwn(ALGORITHMS, name)) return name as Algorithm
  throw new KeyError('KEY-101', `expected one of ${NAMES.join(', ')}, found ${visible(name.slice(0, 40))}`)
}

// AlgorithmIdentifier and SubjectPublicKeyInfo: RFC 5280 section 4.1.2.7, RFC 8410, RFC 5480, RFC 8017 appendix A.

const EC = '2a8648ce3d0201'
const RSA = '2a864886f70d010101'
const RSA_PSS = '2a864886f70d01010a'
const KEY_KINDS: Readonly<Record<string, Key.Kind>> = {
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
export function readIdentifier(reader: DerReader): Key.Kind {
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
  const kind = KEY_KINDS[name]
  if (kind === undefined || (oid === EC) !== kind.startsWith('P-')) {
    throw new KeyError(
      'KEY-101',
      `expected a key for signatures that are supported, found the type with OID ${name} (hex)`,
    )
  }
  reader.finish()
  return kind
}

export function writeIdentifier(kind: Key.Kind): Uint8Array {
  if (kind === 'RSA') return der(SEQUENCE, derOid(RSA), der(NULL))
  const oid = Object.keys(KEY_KINDS).find((name) => KEY_KINDS[name] === kind)!
  return kind.startsWith('P-') ? der(SEQUENCE, derOid(EC), derOid(oid)) : der(SEQUENCE, derOid(oid))
}

/** The members of a public key in its own encoding: a raw key, a point, or an RSAPublicKey. */
export function readPublic(kind: Key.Kind, bytes: Uint8Array): Members {
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

export function writeSpki(kind: Key.Kind, members: Members): Uint8Array<ArrayBuffer> {
  return der(SEQUENCE, writeIdentifier(kind), derBits(writePublic(members)))
}

/** A key as read. A private key may lack its public half, because PKCS #8 does not require it. */
export interface Material {
  readonly kind: Key.Kind
  readonly members: Members
  readonly algorithms: readonly Algorithm[]
}

const KINDS: Readonly<Record<string, readonly Key.Kind[]>> = {
  OKP: ['Ed25519', 'Ed448'],
  EC: ['P-256', 'P-384', 'P-521'],
  RSA: ['RSA'],
}
const WEAK_CURVES = ['P-192', 'P-224', 'secp192k1', 'secp224k1', 'secp160r1', 'secp160k1']
const RSA_PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi']

/** ADL section 10.3; NIST SP 800-131A. */
const LEAST_BITS = 2048
/** The largest modulus that every platform supports. */
const MOST_BITS = 8192

/** Reads a JSON Web Key (RFC 7517, 7518, 8037) and validates each member. */
export function readJwk(source: object): Material {
  const own = new Map(Object.entries(source))
  const kty = own.get('kty')
  const kinds = typeof kty === 'string' && Object.hasOwn(KINDS, kty) ? KINDS[kty]! : []
  const crv = kty === 'RSA' ? 'RSA' : own.get('crv')
  const kind = kinds.find((candidate) => candidate === crv)
  if (kind === undefined) {
    if (kty === 'EC' && WEAK_CURVES.includes(crv as string)) {
      throw new KeyError('KEY-104', `expected a curve from P-256 on, found ${crv}`)
    }
    if (typeof kty !== 'string') throw new KeyError('KEY-102', 'expected a JSON Web Key, found one without kty')
    const found = [kty, crv].filter((part) => typeof part === 'string').map((part) => visible(part as string))
    throw new KeyError('KEY-101', `expected a key of kty OKP, EC or RSA for signatures, found ${found.join(' ')}`)
  }
  if ((own.get('use') ?? 'sig') !== 'sig')
    throw new KeyError('KEY-103', 'expected a key with use sig, found another use')
  const isPrivate = own.has('d')
  const names =
    kind === 'RSA'
      ? ['n', 'e', ...(isPrivate ? RSA_PRIVATE : [])]
      : ['x', ...(kty === 'EC' ? ['y'] : []), ...(isPrivate ? ['d'] : [])]
  if (own.has('oth')) throw new KeyError('KEY-101', 'expected an RSA key of two primes, found more')
  const members: Record<string, string> = kind === 'RSA' ? { kty: 'RSA' } : { kty: kty as string, crv: kind }
  for (const name of names) {
    const value = own.get(name)
    if (typeof value !== 'string') throw new KeyError('KEY-102', `expected a JSON Web Key with ${name}, found none`)
    members[name] = value
  }
  return checkMaterial({ kind, members, algorithms: narrow(algorithmsOf(kind), own.get('alg')) })
}

/** `alg` (RFC 7517 section 4.4) restricts the key to one algorithm. */
function narrow(algorithms: readonly Algorithm[], alg: unknown): readonly Algorithm[] {
  if (alg === undefined) return algorithms
  // RFC 8037 uses one name for both.
  if (alg === 'EdDSA' && algorithms[0]!.startsWith('Ed')) return algorithms
  const left = algorithms.filter((algorithm) => algorithm === alg)
  if (left.length === 0) throw new KeyError('KEY-103', `expected alg ${algorithms.join(' or ')}, found another`)
  return left
}

/**
 * Checks lengths, strength, and that points lie on their curve. Points of Edwards curves are checked where they are
 * used.
 */
export function checkMaterial(material: Material): Material {
  const { kind, members } = material
  if (kind === 'RSA') {
    checkRsa(members)
    return material
  }
  const decoded = new Map<string, Uint8Array>()
  for (const name of ['x', 'y', 'd']) {
    if (members[name] === undefined) continue
    const bytes = decodeBase64url(members[name])
    const width = WIDTHS[kind]
    if (bytes.length !== width) {
      throw new KeyError('KEY-102', `expected ${width} bytes for ${name} of ${kind}, found ${bytes.length}`)
    }
    decoded.set(name, bytes)
  }
  const [x, y] = [decoded.get('x'), decoded.get('y')]
  if (x !== undefined && y !== undefined && !isOnCurve(kind as NistCurve, { x, y })) {
    throw new KeyError('KEY-102', `expected a point of ${kind}, found one beside the curve`)
  }
  return material
}

function checkRsa(members: Members): void {
  const numbers = new Map<string, Uint8Array>()
  for (const name of ['n', 'e', ...RSA_PRIVATE]) {
    if (members[name] === undefined) continue
    const bytes = decodeBase64url(members[name])
    if (bytes.length === 0 || bytes[0] === 0) throw new KeyError('KEY-102', `expected ${name} without leading zeros`)
    numbers.set(name, bytes)
  }
  const n = numbers.get('n')!
  const bits = 8 * n.length - Math.clz32(n[0]!) + 24
  if (bits < LEAST_BITS) throw new KeyError('KEY-104', `expected RSA of ${LEAST_BITS} bits or more, found ${bits}`)
  if (bits > MOST_BITS) throw new KeyError('KEY-101', `expected RSA of ${MOST_BITS} bits at the most, found ${bits}`)
  const e = numbers.get('e')!
  const last = e.at(-1)!
  if (last % 2 === 0 || (e.length === 1 && last === 1) || n.at(-1)! % 2 === 0) {
    throw new KeyError('KEY-104', 'expected odd RSA numbers and an exponent from 3 on, found others')
  }
  if (e.length > 4) throw new KeyError('KEY-101', `expected an RSA exponent of 32 bits, found ${8 * e.length}`)
}

// Points of the curves of FIPS 186-4 (y² = x³ - 3x + b mod p, p = 3 mod 4), in the encodings of SEC 1 section 2.3.

type NistCurve = Extract<Key.Kind, `P-${string}`>

interface Curve {
  readonly p: bigint
  readonly b: bigint
}

const CURVES: Readonly<Record<NistCurve, () => Curve>> = {
  'P-256': () => ({
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  }),
  'P-384': () => ({
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  }),
  'P-521': () => ({
    p: 2n ** 521n - 1n,
    b: 0x51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
  }),
}

function power(base: bigint, exponent: bigint, p: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % p
    if (bit === '1') result = (result * base) % p
  }
  return result
}

interface Point {
  readonly x: Uint8Array
  readonly y: Uint8Array
}

/** True when the point lies on the curve. */
function isOnCurve(curve: NistCurve, point: Point): boolean {
  const { p, b } = CURVES[curve]()
  const [x, y] = [bigEndian(point.x), bigEndian(point.y)]
  return x < p && y < p && (y * y - x * x * x + 3n * x - b) % p === 0n
}

/** The coordinates of an encoded point. */
function readPoint(curve: NistCurve, bytes: Uint8Array): Point {
  const width = WIDTHS[curve]
  const form = bytes[0]
  const x = bytes.subarray(1, 1 + width)
  if (form === 4 && bytes.length === 1 + 2 * width) return { x, y: bytes.subarray(1 + width) }
  if ((form === 2 || form === 3) && bytes.length === 1 + width) {
    const { p, b } = CURVES[curve]()
    const number = bigEndian(x)
    const root = power((((number * number * number - 3n * number + b) % p) + p) % p, (p + 1n) / 4n, p)
    // The caller checks that the root is correct.
    const y = (root & 1n) === BigInt(form & 1) ? root : p - root
    return { x, y: toBytes(y % p, width) }
  }
  throw new KeyError('KEY-102', `expected a point of ${curve}, found ${bytes.length} bytes of another form`)
}

/** Bytes as a number, most significant first. */
function bigEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x0${toHex(bytes)}`)
}

/** Bytes as a number, least significant first. */
export function littleEndian(bytes: Uint8Array): bigint {
  return bigEndian(bytes.toReversed())
}

/** A number as `width` bytes, most significant first. */
export function toBytes(number: bigint, width: number): Uint8Array<ArrayBuffer> {
  return fromHex(number.toString(16).padStart(2 * width, '0'))!
}
