// Whether a run record belongs to a certificate (ADP-1 section 7.3).

import { parseAs, readAs } from '../../frame/as.ts'
import type { FileOptions, Proof, Source } from '../../frame/source.ts'
import { Steps, type StepTable, unreadable } from '../../frame/steps.ts'
import { versionWarnings } from '../../frame/subject.ts'
import { type Certificate, certificateFingerprint } from '../../keys/certificate.ts'
import { verifyChain } from '../../keys/chain.ts'
import { textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { levelsOf } from '../record/specification.ts'
import { RUN_READING, type Run } from '../record/subject.ts'
import { covers } from './capability.ts'
import { type AgentCertificate, AIP_EXTENSIONS, readAgentCertificate } from './certificates.ts'
import * as FINDINGS from './findings.ts'

const STEPS = {
  document: ['The record can be read', 'ADP-1 section 3'],
  certificate: ['A certificate of an agent', 'AIP-1'],
  fingerprint: ['The certificate that the record names', 'ADP-1 section 7.3'],
  chain: ['Issued by a trusted authority', 'ADP-1 section 7.3'],
  time: ['Valid when the run started', 'ADP-1 section 7.3'],
  tenant: ['The tenant of the certificate', 'ADP-1 section 4'],
  capabilities: ['Capabilities that the certificate grants', 'ADP-1 section 7.3'],
  scope: ['The environment and audience of the certificate', 'AIP-1'],
  names: ['Capabilities that name the agent', 'AIP-1'],
} as const satisfies StepTable<string>

type LinkSteps = Steps<keyof typeof STEPS>

/** Clocks of issuers and agents differ. */
export const GRACE_MS = 60_000

export interface RunLinkOptions extends FileOptions {
  /** The certificate of the agent: PEM or DER. */
  readonly certificate?: string | Uint8Array
  /** Authorities between it and the anchors. */
  readonly chain?: readonly (string | Uint8Array)[]
  /** The authorities that the caller trusts. */
  readonly anchors?: readonly (string | Uint8Array)[]
  /** The environment of the caller, which the certificate must be for. */
  readonly environment?: string
  /** The caller's own name, if certificates are scoped to it. */
  readonly audience?: string
  /** Accepts extensions that hold raw text instead of DER, with a warning. */
  readonly lenient?: boolean
}

/**
 * Checks whether a run record belongs to a certificate. The certificate must be valid at the start of the run, not now.
 * The verdict is `unverifiable` without a certificate or without an anchor.
 *
 * @example
 * (await link(record, { certificate, anchors: [authority] })).verdict // 'verified'
 *
 * @throws {KeyError} for a malformed certificate in `chain` or `anchors`.
 */
export async function link(source: Source, options: RunLinkOptions = {}): Promise<Proof> {
  const { document } = parseAs(RUN_READING, source, { file: options.file })
  const proof = await linkUntil(document ?? source, options)
  if (document === undefined || proof.verdict === 'failed') return proof
  return { ...proof, conformance: levelsOf(RUN_READING.subject(document), proof.verdict) }
}

/** The same for a record that a stream makes. Its certificate may have been renewed: `last` is the one that was valid last. */
export async function linkUntil(
  source: Source,
  options: RunLinkOptions,
  stream?: { readonly file: string; readonly last: Certificate | undefined },
): Promise<Proof> {
  const { subject: run, diagnostics } = readAs(RUN_READING, source, options.file)
  if (run === undefined) return unreadable(diagnostics, STEPS.document)
  const steps: LinkSteps = new Steps(stream?.file ?? run.document, STEPS)
  const others = versionWarnings(run.document, RUN_READING.otherVersion?.(run))
  for (const diagnostic of [...diagnostics, ...others]) steps.addFinding('document', diagnostic)
  const agent = await certificateOf(options, steps)
  if (agent !== undefined) {
    checkFingerprint(run, agent, steps)
    await checkChain(run, agent, options, steps)
    checkTime(run, agent, stream?.last ?? agent.certificate, steps)
    checkTenant(run, agent, steps)
    checkCapabilities(run, agent, steps)
    checkScope(agent, options, steps)
    checkNames(run, agent, steps)
  }
  const proof = steps.proof()
  const shows =
    proof.verdict === 'verified' ? ['that the record names a certificate which a trusted authority issued'] : []
  return { ...proof, shows, doesNotShow: DOES_NOT_SHOW }
}

const DOES_NOT_SHOW = [
  'who wrote the record: anybody can copy a fingerprint, only a signature proves it',
  'that the record is complete and true',
]

async function certificateOf(options: RunLinkOptions, steps: LinkSteps): Promise<AgentCertificate | undefined> {
  const { certificate, lenient = false } = options
  if (certificate === undefined) {
    steps.unknown('certificate', 'no certificate was given', { ...remark(FINDINGS.AIP_UNKNOWN), fix: NEEDED })
    return undefined
  }
  const { agent, diagnostics } = await readAgentCertificate(certificate, { lenient, file: 'the certificate' })
  for (const diagnostic of diagnostics)
    steps.addFinding('certificate', diagnostic, diagnostic.severity === 'error' ? 'failed' : 'warning')
  if (agent !== undefined && diagnostics.length === 0) steps.passed('certificate', 'it meets level 1 of AIP-1')
  return agent
}

const AIP = '/agent/aip'
const NEEDED = { hint: 'blazon verify --anchor AUTHORITY --certificate AGENT' }
const remark = (rule: typeof FINDINGS.AIP_UNKNOWN, pointer = AIP) => ({ rule, pointer })

function checkFingerprint({ aip }: Run, { certificate }: AgentCertificate, steps: LinkSteps): void {
  const pointer = `${AIP}/cert_fingerprint`
  const named = textMember(aip, 'cert_fingerprint')?.value
  const actual = certificateFingerprint(certificate.bytes)
  if (named === actual) steps.passed('fingerprint', actual)
  else
    steps.failed(
      'fingerprint',
      `expected ${actual}, found ${named === undefined ? 'none' : quoted(named)}`,
      remark(FINDINGS.AIP_FINGERPRINT, pointer),
    )
}

async function checkChain(
  run: Run,
  { certificate }: AgentCertificate,
  options: RunLinkOptions,
  steps: LinkSteps,
): Promise<void> {
  const { chain = [], anchors = [] } = options
  const start = run.time('started_at')
  if (anchors.length === 0) {
    steps.unknown('chain', 'no trusted authority was given', { ...remark(FINDINGS.AIP_UNKNOWN), fix: NEEDED })
    return
  }
  if (start === undefined) {
    steps.open('chain', 'the record does not say when the run started')
    return
  }
  const result = await verifyChain({
    chain: [certificate, ...chain],
    anchors,
    at: new Date(start),
    // The step `time` says whether the certificate itself was valid.
    graceMs: Number.POSITIVE_INFINITY,
    understood: AIP_EXTENSIONS,
  })
  if (result.ok)
    steps.passed('chain', `issued by ${quoted(result.anchor.subject.commonName ?? 'an authority without a name')}`)
  else steps.failed('chain', result.reason, remark(FINDINGS.AIP_UNTRUSTED))
}

function checkTime(run: Run, { certificate }: AgentCertificate, { notAfter }: Certificate, steps: LinkSteps): void {
  const [start, end] = [run.time('started_at'), run.time('completed_at')]
  const span = `valid from ${timeText(certificate.notBefore)} to ${timeText(certificate.notAfter)}`
  if (start === undefined)
    steps.unknown('time', 'the record does not say when the run started', remark(FINDINGS.AIP_EXPIRED, '/started_at'))
  else if (!isValidAt(start, certificate)) steps.failed('time', span, remark(FINDINGS.AIP_EXPIRED, '/started_at'))
  else if (end !== undefined && end > notAfter.getTime())
    steps.warning('time', `${span}; the run ended later`, remark(FINDINGS.AIP_OUTLIVED, '/completed_at'))
  else steps.passed('time', span)
}

const timeText = (date: Date) => date.toISOString().replace('.000Z', 'Z')
const isValidAt = (time: number, { notBefore, notAfter }: Certificate) =>
  time >= notBefore.getTime() - GRACE_MS && time <= notAfter.getTime() + GRACE_MS

function checkTenant(run: Run, { tenant }: AgentCertificate, steps: LinkSteps): void {
  if (tenant === undefined) {
    steps.open('tenant', 'the certificate has no tenant')
    return
  }
  const places = [textMember(run.root, 'tenant_id'), textMember(run.aip, 'tenant_id')]
  if (places[0] === undefined) {
    steps.failed('tenant', 'the record names none', remark(FINDINGS.AIP_TENANT, ''))
    return
  }
  const other = places.find((place) => place !== undefined && place.value !== tenant)
  if (other === undefined) steps.passed('tenant', tenant)
  else
    steps.failed(
      'tenant',
      `expected ${quoted(tenant)}, found ${quoted(other.value)}`,
      remark(FINDINGS.AIP_TENANT, other.pointer),
    )
}

function checkCapabilities(run: Run, { capabilities }: AgentCertificate, steps: LinkSteps): void {
  if (capabilities === undefined) {
    steps.open('capabilities', 'the certificate has none')
    return
  }
  const claimed = run.capabilities.map(({ value }) => value)
  const { missing: extra, notUnderstood } = covers(capabilities, claimed)
  const missing = capabilities.filter((capability) => !claimed.includes(capability))
  const fault = faultOf(claimed, extra, notUnderstood)
  const data = { extra, missing }
  if (fault !== undefined)
    steps.failed('capabilities', fault, remark(FINDINGS.AIP_CAPABILITIES, `${AIP}/capabilities`), data)
  else if (missing.length === 0) steps.passed('capabilities', 'the same in both', data)
  else steps.passed('capabilities', `the record claims ${claimed.length} of ${capabilities.length}`, data)
}

function faultOf(claimed: readonly string[], extra: readonly string[], notUnderstood: readonly string[]) {
  if (claimed.length === 0) return 'the record has none'
  if (extra.length > 0) return `not granted: ${extra.map(quoted).join(', ')}`
  return notUnderstood.length > 0
    ? `restrictions that are not understood: ${notUnderstood.map(quoted).join(', ')}`
    : undefined
}

function checkScope({ environment, audience }: AgentCertificate, options: RunLinkOptions, steps: LinkSteps): void {
  const wanted = [
    ['environment', options.environment, environment],
    ['audience', options.audience, audience],
  ] as const
  const asked = wanted.filter(([, own]) => own !== undefined)
  const other = asked.find(([, own, certified]) => own !== certified)
  if (asked.length === 0) steps.skipped('scope', 'neither environment nor audience is expected')
  else if (other === undefined) steps.passed('scope', asked.map(([name, own]) => `${name} ${own}`).join(', '))
  else {
    const [name, own, certified] = other
    steps.failed(
      'scope',
      `expected the ${name} ${quoted(own!)}, found ${certified === undefined ? 'none' : quoted(certified)}`,
      remark(FINDINGS.AIP_SCOPE),
    )
  }
}

/** The certificate names the agent by its subject and its capabilities. The record may leave these out, not contradict them. */
function checkNames(run: Run, agent: AgentCertificate, steps: LinkSteps): void {
  const own = textMember(run.agent, 'agent_id')
  const { value: id = '', pointer = '/agent' } = own ?? {}
  const claimed = run.capabilities.map(({ value }) => value)
  const fault = otherName(agent, id) ?? otherCapability(claimed, id, agent.tenant)
  if (fault !== undefined) steps.failed('names', fault, remark(FINDINGS.AIP_NAMES, pointer))
  else if (id === '' || !isNamed(agent)) steps.unknown('names', 'nothing names the agent', remark(FINDINGS.AIP_NAMES))
  else steps.passed('names', `the agent ${quoted(id)}`)
}

/** The agent in the subject, with or without the prefix of the reference implementation. */
const subjectOf = ({ certificate }: AgentCertificate) => certificate.subject.commonName

const isNamed = (agent: AgentCertificate) =>
  subjectOf(agent) !== undefined || agent.capabilities?.some((text) => text.startsWith('agent:')) === true

/** How a certificate names another agent than this one, or another tenant than its own; undefined when it does not. */
function otherName(agent: AgentCertificate, id: string): string | undefined {
  const subject = subjectOf(agent)
  if (subject !== undefined && subject !== id && subject !== `Agent:${id}`)
    return `the certificate is of ${quoted(subject)}, the record of ${quoted(id)}`
  return otherCapability(agent.capabilities ?? [], id, agent.tenant)
}

function otherCapability(capabilities: readonly string[], agent: string, tenant: string | undefined) {
  const own: Readonly<Record<string, string | undefined>> = { agent, tenant }
  const isOther = ([prefix, name]: readonly string[]) => Object.hasOwn(own, prefix!) && name !== own[prefix!]
  const other = capabilities.find((text) => isOther(text.split(':')))
  return other && `${quoted(other)} does not name this ${other.split(':')[0]}`
}

/** How a renewed certificate names another agent or tenant than the one before; undefined when it does not. */
export function otherHolder(renewed: AgentCertificate, before: AgentCertificate): string | undefined {
  if (renewed.tenant !== before.tenant) return 'it is of another tenant'
  const names = [renewed, before].map((agent) => [subjectOf(agent), ...namesIn(agent)].join())
  return names[0] === names[1] ? undefined : 'it is of another agent'
}

const namesIn = ({ capabilities = [] }: AgentCertificate) =>
  capabilities.filter((text) => /^(?:agent|tenant):/.test(text)).toSorted()
