// Keys of zones (RFC 4034 section 2, appendix B), with the supported algorithms: 8, 10, 13, 14, 15.
import { encodeBase64url } from '../../../keys/base64.ts'
import { openEd25519 } from '../../../keys/ed25519.ts'
import { type PlatformOptions, subtleOf } from '../../../keys/platform.ts'
import { compareBytes, sameBytes } from '../../../text/bytes.ts'
import { CLASS_IN, type Ds, type Rrsig } from '../message.ts'
import { labelsOf, type Name, nameToWire, ROOT } from '../name.ts'
import type { Rrset } from '../rrset.ts'
import type { DnsKey } from './rdata.ts'

type Own = Uint8Array<ArrayBuffer>
export type Check = (message: Own, signature: Own) => Promise<boolean>

/** RFC 8624 section 3.3 excludes SHA-1. */
const DIGESTS: Readonly<Record<number, string>> = { 2: 'SHA-256', 4: 'SHA-384' }
const RSA: Readonly<Record<number, string>> = { 8: 'SHA-256', 10: 'SHA-512' }
const CURVES: Readonly<Record<number, { readonly crv: string; readonly hash: string; readonly width: number }>> = {
  13: { crv: 'P-256', hash: 'SHA-256', width: 32 },
  14: { crv: 'P-384', hash: 'SHA-384', width: 48 },
}
const ED25519 = 15
const ED25519_BYTES = 32
/** The first byte of a point in the form of SEC 1 section 2.3.3; RFC 6605 omits it. */
const UNCOMPRESSED = 4

const ZONE_KEY = 0x0100
const REVOKED = 0x0080
/** Zones still sign with 1,024 bits; more than 4,096 only costs time. */
const RSA_BYTES = { least: 128, most: 512 }

export const isKnownAlgorithm = (algorithm: number): boolean =>
  algorithm in RSA || algorithm in CURVES || algorithm === ED25519

export const isKnownDigest = (type: number): boolean => type in DIGESTS

/**
 * True for a key that may sign records: a zone key of the one protocol, not revoked (RFC 4034 section 2.1, RFC 5011).
 */
export const maySign = ({ flags, protocol, algorithm }: DnsKey): boolean =>
  (flags & ZONE_KEY) !== 0 && (flags & REVOKED) === 0 && protocol === 3 && isKnownAlgorithm(algorithm)

/** A number that usually distinguishes keys (RFC 4034 appendix B). */
export function keyTag(rdata: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < rdata.length; i++) sum += (i & 1) === 0 ? rdata[i]! << 8 : rdata[i]!
  return (sum + (sum >>> 16)) & 0xffff
}

/** True if the DS of the parent is for this key. */
export async function isVouchedFor(key: DnsKey, zone: Name, ds: Ds, options: PlatformOptions): Promise<boolean> {
  const hash = DIGESTS[ds.digestType]
  if (hash === undefined || ds.algorithm !== key.algorithm || ds.keyTag !== keyTag(key.rdata)) return false
  const owner = nameToWire(zone)
  const bytes = new Uint8Array(owner.length + key.rdata.length)
  bytes.set(owner)
  bytes.set(key.rdata, owner.length)
  return sameBytes(new Uint8Array(await subtleOf(options).digest(hash, bytes)), ds.digest)
}

/** Opens a key for several signatures; undefined for bytes that are not a key. */
export async function openKey(key: DnsKey, options: PlatformOptions): Promise<Check | undefined> {
  try {
    return RSA[key.algorithm] === undefined ? await openCurve(key, options) : await openRsa(key, options)
  } catch (error) {
    if ((error as Error).name === 'DataError') return undefined
    throw error
  }
}

async function openCurve({ algorithm, key }: DnsKey, options: PlatformOptions): Promise<Check | undefined> {
  const subtle = subtleOf(options)
  const curve = CURVES[algorithm]
  if (key.length !== (curve === undefined ? ED25519_BYTES : 2 * curve.width)) return undefined
  if (curve === undefined) {
    const check = await openEd25519(subtle, key.slice())
    return async (message, signature) => signature.length === 2 * ED25519_BYTES && check(message, signature)
  }
  const point = new Uint8Array(1 + key.length)
  point[0] = UNCOMPRESSED
  point.set(key, 1)
  const use = { name: 'ECDSA', namedCurve: curve.crv, hash: curve.hash }
  const opened = await subtle.importKey('raw', point, use, false, ['verify'])
  return async (message, signature) => signature.length === key.length && subtle.verify(use, opened, signature, message)
}

/** RFC 3110 section 2: the length of the exponent in one or three bytes, the exponent, the modulus. */
async function openRsa({ algorithm, key }: DnsKey, options: PlatformOptions): Promise<Check | undefined> {
  const [at, length] = key[0] === 0 ? [3, ((key[1] ?? 0) << 8) | (key[2] ?? 0)] : [1, key[0] ?? 0]
  const exponent = key.subarray(at, at + length)
  const modulus = key.subarray(at + length)
  const isForm = length >= 1 && length <= 8 && modulus.length >= RSA_BYTES.least && modulus.length <= RSA_BYTES.most
  if (!isForm || modulus[0] === 0 || exponent[0] === 0) return undefined
  const subtle = subtleOf(options)
  const name = 'RSASSA-PKCS1-v1_5'
  const jwk = { kty: 'RSA', n: encodeBase64url(modulus), e: encodeBase64url(exponent) }
  const opened = await subtle.importKey('jwk', jwk, { name, hash: RSA[algorithm]! }, false, ['verify'])
  return (message, signature) => subtle.verify(name, opened, signature, message)
}

// The bytes that a signature of a set of records covers (RFC 4034 sections 3.1.8.1 and 6.3).

/** The name that was signed: `*` replaces the labels that a wildcard matched (RFC 4035 section 5.3.2). */
function signedName(name: Name, { labels }: Rrsig): Name {
  const all = labelsOf(name)
  if (labels >= all.length) return name
  return ['*', ...all.slice(all.length - labels)].join('.') || ROOT
}

/** The signed bytes: the head of the signature, then the records sorted by their data, each once. */
export function signedBytes({ name, type, records }: Rrset, signature: Rrsig): Uint8Array<ArrayBuffer> {
  const owner = nameToWire(signedName(name, signature))
  const datas = records.map(({ rdata }) => rdata).sort(compareBytes)
  const own = datas.filter((data, i) => i === 0 || compareBytes(data, datas[i - 1]!) !== 0)
  const each = owner.length + 10
  const length = own.reduce((sum, data) => sum + each + data.length, signature.head.length)
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  bytes.set(signature.head)
  let at = signature.head.length
  for (const data of own) {
    bytes.set(owner, at)
    at += owner.length
    view.setUint16(at, type)
    view.setUint16(at + 2, CLASS_IN)
    view.setUint32(at + 4, signature.ttl)
    view.setUint16(at + 8, data.length)
    bytes.set(data, at + 10)
    at += 10 + data.length
  }
  return bytes
}

/** Counts labels without a `*` at the front (RFC 4034 section 3.1.3). */
export const labelsWithoutWildcard = (name: Name) => {
  const labels = labelsOf(name)
  return labels[0] === '*' ? labels.length - 1 : labels.length
}

/** True for a set that was signed under its own name, not that of a wildcard. */
export const isWhole = ({ name }: Rrset, { labels }: Rrsig) => labels >= labelsWithoutWildcard(name)
