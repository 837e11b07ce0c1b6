// Whether an authority that the caller trusts issued a certificate (RFC 5280 section 6, without policies, name
// constraints and revocation: certificates of agents live for minutes).
import { sameBytes } from '../text/bytes.ts'
import { attempt, KeyError } from './base64.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { der, derInteger, onlySequence, SEQUENCE } from './der.ts'
import { importKey } from './import.ts'
import { type Key, publicMembers, WIDTHS } from './key.ts'
import { type PlatformOptions, subtleOf } from './platform.ts'
import { checkWith } from './verify.ts'

/** The certificate and its issuers, without the anchor. */
const MOST_CERTIFICATES = 4
const MOST_ANCHORS = 64

const [NAME_CONSTRAINTS, EXTENDED_KEY_USAGE] = ['2.5.29.30', '2.5.29.37']
/** Extensions that may be critical: basicConstraints and key usages are checked, names are not used. */
const UNDERSTOOD = ['2.5.29.19', '2.5.29.15', '2.5.29.17', EXTENDED_KEY_USAGE]
/** The contents of clientAuth and anyExtendedKeyUsage. */
const FOR_CLIENTS = ['2b06010505070302', '551d2500']
const RSA_PSS = '1.2.840.113549.1.1.10'

export interface ChainOptions extends PlatformOptions {
  /** The certificate, then its issuers in any order, without the anchor: PEM, DER, or read certificates. */
  readonly chain: readonly (string | Uint8Array | Certificate)[]
  /** The authorities that the caller trusts. */
  readonly anchors: readonly (string | Uint8Array | Certificate)[]
  /** All certificates must be valid at this time. */
  readonly at: Date
  /** How long before and after its validity the first certificate is accepted. Default: 0. */
  readonly graceMs?: number
  /** Object identifiers of extensions that the caller checks, so they may be critical. */
  readonly understood?: readonly string[]
}

/** The anchor, or the reason why no anchor was found. */
export type ChainResult =
  | { readonly ok: true; readonly path: readonly Certificate[]; readonly anchor: Certificate }
  | { readonly ok: false; readonly reason: string }

/**
 * Verifies that an authority among the anchors issued a certificate, directly or through others.
 *
 * @example
 * await verifyChain({ chain: [pem], anchors: [root], at: new Date('2025-12-14T10:00:00Z') }) // { ok: true, ... }
 *
 * @throws {KeyError} for a malformed certificate. {RangeError} for more than four certificates or 64 anchors.
 */
export async function verifyChain(options: ChainOptions): Promise<ChainResult> {
  const chain = options.chain.map(certificateOf)
  const anchors = options.anchors.map(certificateOf)
  if (chain.length < 1 || chain.length > MOST_CERTIFICATES)
    throw new RangeError(`chain: expected 1 to ${MOST_CERTIFICATES} certificates, got ${chain.length}`)
  if (anchors.length > MOST_ANCHORS)
    throw new RangeError(`anchors: expected at most ${MOST_ANCHORS}, got ${anchors.length}`)
  const [leaf, ...others] = chain as [Certificate, ...Certificate[]]
  const fault = faultOf(leaf, options, options.graceMs ?? 0)
  if (fault !== undefined) return { ok: false, reason: fault }
  return climb([leaf], others, anchors, options)
}

function certificateOf(source: string | Uint8Array | Certificate): Certificate {
  return typeof source === 'string' || source instanceof Uint8Array ? readCertificate(source) : source
}

async function climb(
  path: readonly Certificate[],
  others: readonly Certificate[],
  anchors: readonly Certificate[],
  options: ChainOptions,
): Promise<ChainResult> {
  const last = path.at(-1)!
  const anchor = await issuerOf(last, anchors, options)
  const issuer = anchor ?? (await issuerOf(last, others, options))
  if (issuer === undefined && last.signature.algorithm === RSA_PSS)
    return { ok: false, reason: `${certificateName(last)} is signed with RSA-PSS, which is not supported` }
  if (issuer === undefined) return { ok: false, reason: `no anchor issued ${certificateName(last)}` }
  const fault = faultOf(issuer, options, 0) ?? faultOfAuthority(issuer, path.length - 1)
  if (fault !== undefined) return { ok: false, reason: fault }
  if (anchor !== undefined) return { ok: true, path, anchor }
  return climb(
    [...path, issuer],
    others.filter((other) => other !== issuer),
    anchors,
    options,
  )
}

/** The certificate among these whose name and key issued another one. */
async function issuerOf(
  { issuer, signature }: Certificate,
  candidates: readonly Certificate[],
  options: PlatformOptions,
): Promise<Certificate | undefined> {
  for (const candidate of candidates)
    if (sameBytes(candidate.subject.bytes, issuer.bytes) && (await isSignedBy(signature, candidate, options)))
      return candidate
  return undefined
}

const certificateName = ({ subject: { commonName } }: Certificate) =>
  commonName === undefined ? 'a certificate without a name' : JSON.stringify(commonName)

function faultOf(certificate: Certificate, { at, understood = [] }: ChainOptions, graceMs: number): string | undefined {
  const { notBefore, notAfter, extensions } = certificate
  const time = at.getTime()
  const show = (date: Date) => date.toISOString().replace('.000Z', 'Z')
  if (time < notBefore.getTime() - graceMs)
    return `${certificateName(certificate)} is valid from ${show(notBefore)} only`
  if (time > notAfter.getTime() + graceMs) return `${certificateName(certificate)} expired at ${show(notAfter)}`
  const known = [...UNDERSTOOD, ...understood]
  // Ignoring constraints would widen what an authority may issue, whether they are marked critical or not.
  if (extensions.has(NAME_CONSTRAINTS))
    return `${certificateName(certificate)} has name constraints, which are not supported`
  const usage = extensions.get(EXTENDED_KEY_USAGE)
  if (usage?.critical && !isForClients(usage.value))
    return `${certificateName(certificate)} is not for clients (extKeyUsage)`
  const unknown = Array.from(extensions).find(([oid, { critical }]) => critical && !known.includes(oid))
  return unknown && `${certificateName(certificate)} has the critical extension ${unknown[0]}, which is not known`
}

function isForClients(value: Uint8Array): boolean {
  const read = () => {
    const usages = onlySequence(value)
    const found: string[] = []
    while (!usages.atEnd) found.push(usages.oid())
    return found.some((oid) => FOR_CLIENTS.includes(oid))
  }
  return attempt(read, () => false)
}

function faultOfAuthority(certificate: Certificate, below: number): string | undefined {
  const { isAuthority, keyUsage, pathLength } = certificate
  if (!isAuthority) return `${certificateName(certificate)} is not an authority`
  if (keyUsage?.includes('keyCertSign') !== true) return `${certificateName(certificate)} may not sign certificates`
  return pathLength !== undefined && below > pathLength
    ? `${certificateName(certificate)} allows ${pathLength} authorities below it, found ${below}`
    : undefined
}

/** The hash of each signature algorithm, and the kind of key. */
const SIGNATURES: Readonly<Record<string, readonly [kind: 'RSA' | 'EC' | 'Ed25519', hash: string]>> = {
  '1.2.840.113549.1.1.11': ['RSA', 'SHA-256'],
  '1.2.840.113549.1.1.12': ['RSA', 'SHA-384'],
  '1.2.840.113549.1.1.13': ['RSA', 'SHA-512'],
  '1.2.840.10045.4.3.2': ['EC', 'SHA-256'],
  '1.2.840.10045.4.3.3': ['EC', 'SHA-384'],
  '1.2.840.10045.4.3.4': ['EC', 'SHA-512'],
  '1.3.101.112': ['Ed25519', ''],
}

async function isSignedBy(
  { algorithm, over, bytes }: Certificate['signature'],
  { spki }: Certificate,
  options: PlatformOptions,
): Promise<boolean> {
  const [kind, hash] = SIGNATURES[algorithm] ?? []
  const key = await keyOf(spki, options)
  if (kind === undefined || key === undefined) return false
  const subtle = subtleOf(options)
  const { kind: own } = key
  const signature = new Uint8Array(bytes)
  if (kind === 'Ed25519') return own === kind && (await checkWith(subtle, key, kind))(over, signature)
  const width = own === 'P-256' || own === 'P-384' ? WIDTHS[own] : undefined
  if (kind === 'RSA' ? own !== 'RSA' : width === undefined) return false
  const use = kind === 'RSA' ? { name: 'RSASSA-PKCS1-v1_5', hash } : { name: 'ECDSA', namedCurve: own, hash }
  const opened = await subtle.importKey('jwk', { ...publicMembers(key) }, use as RsaHashedImportParams, false, [
    'verify',
  ])
  const raw = width === undefined ? signature : pairOf(signature, width)
  return raw !== undefined && subtle.verify(use as EcdsaParams, opened, raw, over)
}

/** The public key of a certificate; undefined for a kind that is not supported. */
async function keyOf(spki: Uint8Array, options: PlatformOptions): Promise<Key | undefined> {
  try {
    return await importKey(spki, options)
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}

/** The two numbers of an ECDSA signature, in the fixed width that Web Crypto expects. */
export function pairOf(signature: Uint8Array, width: number): Uint8Array<ArrayBuffer> | undefined {
  try {
    const reader = onlySequence(signature)
    const numbers = [reader.integer(), reader.integer()]
    reader.finish()
    if (numbers.some(({ length }) => length > width)) return undefined
    const pair = new Uint8Array(2 * width)
    for (const [i, number] of numbers.entries()) pair.set(number, (i + 1) * width - number.length)
    return pair
  } catch {
    return undefined
  }
}

/** The reverse of `pairOf`: DER, as certificates and notes have it. */
export function derPair(pair: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = pair.length / 2
  const numbers = [pair.subarray(0, half), pair.subarray(half)].map((number) => {
    const first = number.findIndex((byte) => byte !== 0)
    return derInteger(number.subarray(first < 0 ? half - 1 : first))
  })
  return der(SEQUENCE, ...numbers)
}
