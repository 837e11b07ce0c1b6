// An authority for development: issues certificates of agents (AIP-1), so that anybody reaches level 2 of ADP-1. Its
// keys are P-256, which every verifier accepts.
import { readCertificate } from '../../keys/certificate.ts'
import { derPair } from '../../keys/chain.ts'
import {
  BOOLEAN,
  CONTEXT_0,
  CONTEXT_3,
  der,
  derBits,
  derOid,
  INTEGER,
  OCTET_STRING,
  SEQUENCE,
  SET,
} from '../../keys/der.ts'
import { importKey } from '../../keys/import.ts'
import { isSameKey, membersOf, writeSpki } from '../../keys/key.ts'
import { type KeySource, writePem } from '../../keys/read.ts'
import { signBytes } from '../../keys/sign.ts'
import { fromHex } from '../../text/bytes.ts'
import { checkedNow } from '../../text/moment.ts'
import { parseCapability } from '../capability.ts'
import { IA5_STRING, UTF8_STRING, UUID } from './agent-certificate.ts'

/** The contents of object identifiers, in hexadecimal digits. */
const OIDS = {
  commonName: '550403',
  organization: '55040a',
  unit: '55040b',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  ecdsaWithSha256: '2a8648ce3d040302',
  /** 1.3.6.1.4.1.59999.1 */
  aip: '2b0601040183d45f01',
}
/** digitalSignature; keyCertSign and cRLSign. */
const SIGNS = fromHex('03020780')!
const ISSUES = fromHex('03020106')!

const MINUTE_MS = 60_000
const MOST_MINUTES = 15
/** Clocks differ, so a new certificate is valid a minute ago. */
const BACKDATED_MINUTES = 1

export interface AuthorityOptions {
  /** A private P-256 key. */
  readonly key: KeySource
  /** The name of the authority. */
  readonly name: string
  /** Default: 365. */
  readonly days?: number
  readonly now?: Date
}

export interface IssueOptions {
  /** The certificate of the authority: PEM or DER. */
  readonly authority: string | Uint8Array
  /** Its private key. */
  readonly authorityKey: KeySource
  /** The public key of the agent: P-256. */
  readonly publicKey: KeySource
  readonly agent: string
  /** A UUID in small letters. */
  readonly tenant: string
  readonly capabilities: readonly string[]
  readonly role?: string
  readonly environment?: string
  readonly audience?: string
  /** Default and limit: 15, with the minute that it is dated back. */
  readonly minutes?: number
  readonly now?: Date
}

/**
 * Creates the certificate of an authority, which it signs itself.
 *
 * @throws {KeyError} for a key that is not P-256.
 */
export async function createAuthority({ key, name, days = 365, now }: AuthorityOptions): Promise<string> {
  if (!(days >= 1 && days <= 3650)) throw new RangeError(`days: expected 1 to 3650, got ${days}`)
  const start = checkedNow(now).getTime()
  const subject = nameOf({ commonName: name })
  return write(key, key, {
    issuer: subject,
    subject,
    span: [start - BACKDATED_MINUTES * MINUTE_MS, start + days * 24 * 60 * MINUTE_MS],
    extensions: [
      extension(OIDS.basicConstraints, der(SEQUENCE, der(BOOLEAN, Uint8Array.of(0xff))), true),
      extension(OIDS.keyUsage, ISSUES, true),
    ],
  })
}

/**
 * Issues the certificate of an agent.
 *
 * @throws {RangeError} for more than 15 minutes, a tenant that is not a UUID, invalid capabilities, and an authority with
 * another key. {KeyError} for a key that is not P-256.
 */
export async function issueCertificate(options: IssueOptions): Promise<string> {
  const { authority, authorityKey, publicKey, agent, tenant, capabilities, role, minutes = MOST_MINUTES } = options
  if (!(minutes > BACKDATED_MINUTES && minutes <= MOST_MINUTES))
    throw new RangeError(`minutes: expected more than ${BACKDATED_MINUTES} and at most ${MOST_MINUTES}, got ${minutes}`)
  if (!UUID.test(tenant))
    throw new RangeError(`tenant: expected a UUID in small letters, got ${JSON.stringify(tenant)}`)
  const invalid = capabilities.find((text) => parseCapability(text) === undefined)
  if (capabilities.length === 0 || invalid !== undefined || new Set(capabilities).size !== capabilities.length)
    throw new RangeError(`capabilities: expected distinct ones such as perm:files:read, got ${invalid ?? 'none'}`)
  const issuer = readCertificate(authority)
  if (!issuer.isAuthority) throw new RangeError('authority: expected the certificate of an authority')
  if (!isSameKey(await importKey(authorityKey), await importKey(issuer.spki)))
    throw new RangeError('authority: expected the certificate of the key that issues')
  const start = checkedNow(options.now).getTime() - BACKDATED_MINUTES * MINUTE_MS
  const text = (number: number, value: string | undefined, tag = UTF8_STRING) =>
    value === undefined ? [] : [extension(aipOid(number), derText(tag, value))]
  return write(authorityKey, publicKey, {
    issuer: der(SEQUENCE, issuer.subject.bytes),
    subject: nameOf({ commonName: `Agent:${agent}`, organization: tenant, unit: role }),
    span: [start, start + minutes * MINUTE_MS],
    extensions: [
      extension(OIDS.keyUsage, SIGNS, true),
      extension(aipOid(1), der(INTEGER, Uint8Array.of(1))),
      ...text(2, role),
      ...text(3, tenant),
      ...text(4, JSON.stringify(capabilities), IA5_STRING),
      ...text(6, options.audience),
      ...text(7, options.environment),
    ],
  })
}

const aipOid = (number: number) => `${OIDS.aip}0${number}`
const derText = (tag: number, text: string) => der(tag, new TextEncoder().encode(text))

function nameOf(parts: Partial<Record<'commonName' | 'organization' | 'unit', string | undefined>>): Uint8Array {
  const rows = Object.entries(parts).flatMap(([part, text]) =>
    text === undefined
      ? []
      : [der(SET, der(SEQUENCE, derOid(OIDS[part as keyof typeof parts]), derText(UTF8_STRING, text)))],
  )
  return der(SEQUENCE, ...rows)
}

function extension(oid: string, value: Uint8Array, isCritical = false): Uint8Array {
  const critical = isCritical ? [der(BOOLEAN, Uint8Array.of(0xff))] : []
  return der(SEQUENCE, derOid(oid), ...critical, der(OCTET_STRING, value))
}

/** RFC 5280 requires UTCTime until 2049. */
function time(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)
  return digits < '2050' ? derText(0x17, `${digits.slice(2)}Z`) : derText(0x18, `${digits}Z`)
}

interface Parts {
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly span: readonly [from: number, to: number]
  readonly extensions: readonly Uint8Array[]
}

async function write(authorityKey: KeySource, publicKey: KeySource, parts: Parts): Promise<string> {
  const { publicKey: own } = await importKey(publicKey, { algorithm: 'ES256' })
  const algorithm = der(SEQUENCE, derOid(OIDS.ecdsaWithSha256))
  // Positive, and of 16 bytes at most.
  const serial = crypto.getRandomValues(new Uint8Array(16))
  serial[0] = (serial[0]! & 0x7f) | 0x40
  const content = der(
    SEQUENCE,
    der(CONTEXT_0, der(INTEGER, Uint8Array.of(2))),
    der(INTEGER, serial),
    algorithm,
    parts.issuer,
    der(SEQUENCE, ...parts.span.map(time)),
    parts.subject,
    writeSpki(own.kind, membersOf(own)),
    der(CONTEXT_3, der(SEQUENCE, ...parts.extensions)),
  )
  const pair = await signBytes({ algorithm: 'ES256', privateKey: authorityKey, message: content })
  return writePem('CERTIFICATE', der(SEQUENCE, content, algorithm, derBits(derPair(pair))))
}
