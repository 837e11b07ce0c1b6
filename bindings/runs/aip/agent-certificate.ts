// Certificates of agents: the extensions and the profile of AIP-1.
import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { FindingKind } from '../../document/finding.ts'
import { parse } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { KeyError } from '../../keys/base64.ts'
import { type Certificate, decodeText, readCertificate } from '../../keys/certificate.ts'
import { DerReader, INTEGER } from '../../keys/der.ts'
import { importKey } from '../../keys/import.ts'
import { isText } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { parseCapability } from '../capability.ts'
import * as FINDINGS from './findings.ts'

const BASE = '1.3.6.1.4.1.59999.1'
export const UTF8_STRING = 0x0c
export const IA5_STRING = 0x16

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

export interface AgentCertificateOptions {
  readonly file?: string
  /** Accepts extensions that hold raw text instead of DER, with a warning for each. */
  readonly lenient?: boolean
}

export interface AgentCertificateResult {
  /** Undefined when the source is not a certificate. */
  readonly agent: AgentCertificate | undefined
  /** Without an error, the certificate meets level 1 of AIP-1. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads the certificate of an agent in PEM or DER, and checks it by the profile of AIP-1.
 *
 * @example
 * (await readAgentCertificate(pem)).agent.capabilities // ['agent:coach', 'perm:files:read']
 */
export async function readAgentCertificate(
  source: string | Uint8Array,
  { file, lenient = false }: AgentCertificateOptions = {},
): Promise<AgentCertificateResult> {
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
