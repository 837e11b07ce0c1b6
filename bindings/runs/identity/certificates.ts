// Certificates of agents: the extensions and the profile of AIP-1.
import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { FindingKind } from '../../document/finding.ts'
import { parse } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { KeyError } from '../../keys/base64.ts'
import { type Certificate, decodeText, readCertificate } from '../../keys/certificate.ts'
import { derPair } from '../../keys/chain.ts'
import {
  BOOLEAN,
  CONTEXT_0,
  CONTEXT_3,
  DerReader,
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
import { isText } from '../../text/members.ts'
import { checkedNow } from '../../text/moment.ts'
import { quoted } from '../../text/words.ts'
import { parseCapability } from './capability.ts'
import * as FINDINGS from './findings.ts'

const BASE = '1.3.6.1.4.1.59999.1'
const UTF8_STRING = 0x0c
const IA5_STRING = 0x16

/** The extensions of AIP-1 by their last number: the name, its member here, and its type. */
const EXTENSIONS = [
  [1, 'AIP-Version', 'version', INTEGER],
  [2, 'Agent-Role', 'role', UTF8_STRING],
  [3, 'Tenant-ID', 'tenant', UTF8_STRING],
  [4, 'Capability-Set', 'capabilities', IA5_STRING],
  [5, 'Anchor-Chain', 'anchorChain', UTF8_STRING],
  [6, 'AIP-Audience', 'audience', UTF8_STRING],
  [7, 'AIP-Environment', 'environment', UTF8_STRING],
] as const

const REQUIRED: readonly string[] = ['version', 'tenant', 'capabilities']

/** Object identifiers of these extensions, for `verifyChain`. */
export const AIP_EXTENSIONS: readonly string[] = EXTENSIONS.map(([number]) => `${BASE}.${number}`)

/** With the time that issuers date back. */
const LONGEST_LIFE_MS = 15 * 60_000
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A certificate as AIP-1 reads it: only the extensions that are present and valid. */
export interface AgentCertificate {
  readonly certificate: Certificate
  readonly version?: string
  readonly role?: string
  readonly tenant?: string
  readonly capabilities?: readonly string[]
  readonly anchorChain?: string
  readonly audience?: string
  readonly environment?: string
}

export declare namespace readAgentCertificate {
  interface Options {
    readonly file?: string
    /** Accepts extensions that hold raw text instead of DER, with a warning for each. */
    readonly lenient?: boolean
  }

  interface Result {
    /** Undefined when the source is not a certificate. */
    readonly agent: AgentCertificate | undefined
    /** Without an error, the certificate meets level 1 of AIP-1. */
    readonly diagnostics: readonly Diagnostic[]
  }
}

/**
 * Reads the certificate of an agent in PEM or DER, and checks it by the profile of AIP-1.
 *
 * @example
 * (await readAgentCertificate(pem)).agent.capabilities // ['agent:coach', 'perm:files:read']
 */
export async function readAgentCertificate(
  source: string | Uint8Array,
  { file, lenient = false }: readAgentCertificate.Options = {},
): Promise<readAgentCertificate.Result> {
  const diagnostics: Diagnostic[] = []
  const report = (kind: FindingKind, detail: string, severity = kind.severity) => {
    diagnostics.push(diagnoseNowhere({ ...kind, severity }, { detail }, file))
  }
  let certificate: Certificate
  try {
    certificate = readCertificate(source)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    report(FINDINGS.AIP_CERTIFICATE, error.message)
    return { agent: undefined, diagnostics }
  }
  const values = readExtensions(certificate, lenient, report)
  checkLifetime(certificate, report)
  checkUsage(certificate, report)
  await checkKey(certificate, report)
  return { agent: { certificate, ...values }, diagnostics }
}

type ReportFinding = (kind: FindingKind, detail: string, severity?: FindingKind['severity']) => void
type Values = Omit<AgentCertificate, 'certificate'>

function readExtensions({ extensions }: Certificate, lenient: boolean, report: ReportFinding): Values {
  const values: Record<string, unknown> = {}
  for (const [number, name, member, tag] of EXTENSIONS) {
    const extension = extensions.get(`${BASE}.${number}`)
    if (extension === undefined) {
      if (REQUIRED.includes(member)) report(FINDINGS.AIP_MISSING, `The certificate has no ${name}`)
      continue
    }
    const text = textIn(extension.value, tag) ?? rawText(extension.value, name, lenient, report)
    if (text === undefined) continue
    const value = member === 'capabilities' ? capabilitiesIn(text) : isValid(member, text) ? text : undefined
    if (value === undefined) report(FINDINGS.AIP_VALUE, `${name}: ${quoted(text)}`)
    else values[member] = value
  }
  return values
}

/** The value of an extension: exactly one element of its type. */
function textIn(bytes: Uint8Array, tag: number): string | undefined {
  try {
    const reader = new DerReader(bytes)
    const text = tag === INTEGER ? reader.integer().join('.') : decodeText(reader.read(tag))
    reader.finish()
    return tag === IA5_STRING && /[^ -~]/.test(text) ? undefined : text
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}

/** Some authorities write the text itself. Lenient readers take it, and say so. */
function rawText(bytes: Uint8Array, name: string, lenient: boolean, report: ReportFinding): string | undefined {
  report(FINDINGS.AIP_EXTENSION, `${name} is not in the form that AIP-1 requires`, lenient ? 'warning' : 'error')
  const text = new TextDecoder().decode(bytes)
  return lenient && /^[ -~]+$/.test(text) ? text : undefined
}

function isValid(member: string, text: string): boolean {
  if (member === 'version') return text === '1'
  return member === 'tenant' ? UUID.test(text) : text !== ''
}

/** Distinct capabilities, at least one. */
function capabilitiesIn(json: string): readonly string[] | undefined {
  const list = parse(json).document?.value
  if (!Array.isArray(list) || list.length === 0 || new Set(list).size !== list.length) return undefined
  return list.every((text) => isText(text) && parseCapability(text) !== undefined) ? list : undefined
}

function checkLifetime({ notBefore, notAfter }: Certificate, report: ReportFinding): void {
  const life = notAfter.getTime() - notBefore.getTime()
  if (life > LONGEST_LIFE_MS || life < 0)
    report(FINDINGS.AIP_LIFETIME, `Expected at most 15 minutes, found ${Math.round(life / 6000) / 10}`)
}

/** An agent signs with its key, and certifies nobody. */
function checkUsage({ isAuthority, keyUsage }: Certificate, report: ReportFinding): void {
  if (isAuthority || keyUsage?.includes('keyCertSign'))
    report(FINDINGS.AIP_USAGE, 'The certificate is that of an authority')
  else if (keyUsage?.includes('digitalSignature') === false)
    report(FINDINGS.AIP_USAGE, 'The key may not be used for signatures')
}

async function checkKey({ spki }: Certificate, report: ReportFinding): Promise<void> {
  try {
    const { kind } = await importKey(spki)
    if (kind === 'Ed25519') report(FINDINGS.AIP_ED25519, 'The key is for Ed25519')
    else if (!['RSA', 'P-256', 'P-384'].includes(kind)) report(FINDINGS.AIP_KEY, `The key is for ${kind}`)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    report(FINDINGS.AIP_KEY, error.message)
  }
}

// An authority for development: issues certificates of agents (AIP-1), so that anybody reaches level 2 of ADP-1. Its
// keys are P-256, which every verifier accepts.

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

export declare namespace createAuthority {
  interface Options {
    /** A private P-256 key. */
    readonly key: KeySource
    /** The name of the authority. */
    readonly name: string
    /** Default: 365. */
    readonly days?: number
    readonly now?: Date
  }
}

/**
 * Creates the certificate of an authority, which it signs itself.
 *
 * @throws {KeyError} for a key that is not P-256.
 */
export async function createAuthority({ key, name, days = 365, now }: createAuthority.Options): Promise<string> {
  if (!(days >= 1 && days <= 3650)) throw new RangeError(`days: expected 1 to 3650, got ${days}`)
  const start = checkedNow(now).getTime()
  const subject = encodeName({ commonName: name })
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

export declare namespace issueCertificate {
  interface Options {
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
}

/**
 * Issues the certificate of an agent.
 *
 * @throws {RangeError} for more than 15 minutes, a tenant that is not a UUID, invalid capabilities, and an authority with
 * another key. {KeyError} for a key that is not P-256.
 */
export async function issueCertificate(options: issueCertificate.Options): Promise<string> {
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
    subject: encodeName({ commonName: `Agent:${agent}`, organization: tenant, unit: role }),
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

function encodeName(parts: Partial<Record<'commonName' | 'organization' | 'unit', string | undefined>>): Uint8Array {
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
