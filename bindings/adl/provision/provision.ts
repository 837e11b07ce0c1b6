import { nameOf } from '../../core/pattern-findings.ts'
import { whyUnreadable } from '../../document/finding.ts'
import type { Diagnostic } from '../../document/types.ts'
import { readAs } from '../../frame/as.ts'
import type { FileOptions, Proof, Source } from '../../frame/source.ts'
import { expectTrust, isTrustedSource, type Trust } from '../../policy/trust.ts'
import { timeOf } from '../../schema/times.ts'
import { member, textIn, textMember, valueIn } from '../../text/members.ts'
import { checkedNow } from '../../text/moment.ts'
import { quoted } from '../../text/words.ts'
import { refuseSignature, refuseStatus, refuseVersion, sunsetOf } from '../agent-policy.ts'
import { classifications, isSensitive, uris } from '../places.ts'
import { bareWildcards } from '../publication.ts'
import { checkInventory, type Inventory } from '../records.ts'
import { schemeOf } from '../rules/identifiers.ts'
import { claimedHost } from '../signature/checks.ts'
import { ADL_READING, type Agent } from '../subject.ts'

export const ENVIRONMENTS = ['production', 'staging', 'test', 'development'] as const

export declare namespace mayProvision {
  interface Options extends FileOptions {
    /** The environment that the agent will run in; default `production`. */
    readonly environment?: (typeof ENVIRONMENTS)[number]
    /** The permission domains that this host enforces; default: none. */
    readonly enforces?: readonly PermissionDomain[]
    /** The proof that `verify` gave for the document. */
    readonly proof?: Proof | undefined
    /** The source of the document, or just its URL; default: unknown. */
    readonly source?: DocumentSource | string
    /** The parties that the operator trusts. */
    readonly trust?: Trust
    /** The approved agents. Any discrepancy refuses the agent. */
    readonly inventory?: Inventory
    /** Names of findings that someone accepts; each finding has its name in `acknowledge`. */
    readonly acknowledged?: readonly string[]
    /** URI schemes in addition to https, http and urn. */
    readonly allowSchemes?: readonly string[]
    /** The time for all dates; defaults to the current time. */
    readonly now?: Date
  }

  interface Result extends Succession {
    /** True when nothing refuses the agent. */
    readonly allowed: boolean
    /** The refusing findings that were not acknowledged. */
    readonly reasons: readonly ProvisionFinding[]
    /** What the host must do if it goes on: inform users, ask them, migrate. */
    readonly obligations: readonly ProvisionFinding[]
    /** The names of refusing findings that were acknowledged. */
    readonly acknowledged: readonly string[]
    /** The findings of reading the definition. With an error among them, the agent is refused. */
    readonly diagnostics: readonly Diagnostic[]
  }
}

/**
 * Decides whether an agent may run on this host, and what the host must then do (ADL 5.6, 9.1, 18). Reading, validating
 * and converting its definition is never refused; `validate` tells whether the definition is valid.
 *
 * @example
 * mayProvision('{"lifecycle": {"status": "retired"}}', { source: { trusted: true } })
 * // { allowed: false, reasons: [{ id: 'retired', pointer: '/lifecycle/status', ... }], ... }
 *
 * @throws {TypeError} or {RangeError} for invalid options; never for the content of a document.
 */
export function mayProvision(definition: Source, options: mayProvision.Options = {}): mayProvision.Result {
  const { environment, enforces, acknowledged, allowSchemes, now, origin } = readOptions(options)
  const { subject: agent, diagnostics } = readAs(ADL_READING, definition, options.file)
  if (agent === undefined) {
    const unreadable = { id: 'unreadable', section: 'ADL 4.1', pointer: '', detail: whyUnreadable(diagnostics) }
    return { allowed: false, reasons: [unreadable], obligations: [], acknowledged: [], diagnostics }
  }
  const found = [
    ...refuseOtherVersion(agent),
    ...refuseLifecycle(agent, environment, now),
    ...refuseProof(agent, origin),
    ...refuseIncidents(agent, origin),
    ...refuseUntrusted(agent, origin),
    ...refuseStrangers(agent, origin),
    ...refuseDomains(agent, enforces),
    ...refuseWildcards(agent),
    ...refuseSchemes(agent, allowSchemes),
  ]
  const isAccepted = ({ acknowledge }: ProvisionFinding) => acknowledge !== undefined && acknowledged.has(acknowledge)
  const accepted = found.filter(isAccepted)
  const reasons = found.filter((finding) => !isAccepted(finding))
  const warned = [
    ...warnLifecycle(agent),
    ...warnProof(origin),
    ...warnDomains(agent, enforces),
    ...confirmTools(agent),
  ]
  return {
    allowed: reasons.length === 0,
    reasons,
    obligations: [...accepted, ...warned],
    acknowledged: accepted.map(({ acknowledge }) => acknowledge!),
    diagnostics,
    ...successionOf(agent, now),
  }
}

function refuseOtherVersion(agent: Agent): readonly ProvisionFinding[] {
  const refusal = refuseVersion(agent)
  return refusal === undefined ? [] : [{ id: 'version', ...refusal }]
}

function readOptions(options: mayProvision.Options) {
  const { environment = 'production', proof, source = {}, trust, inventory } = options
  if (!(ENVIRONMENTS as readonly unknown[]).includes(environment)) {
    throw new RangeError(`environment: expected one of ${ENVIRONMENTS.join(', ')}, got ${nameOf(environment)}`)
  }
  const now = checkedNow(options.now)
  if (proof !== undefined && !['verified', 'failed', 'unverifiable'].includes(proof?.verdict)) {
    throw new TypeError(`proof: expected what verify gives, got ${nameOf(proof)}`)
  }
  const enforces = readNames('enforces', options.enforces)
  const stranger = enforces.find((domain) => !(DOMAINS as readonly string[]).includes(domain))
  if (stranger !== undefined) {
    throw new RangeError(`enforces: expected ${DOMAINS.join(', ')}, got ${JSON.stringify(stranger.slice(0, 80))}`)
  }
  if (trust !== undefined) expectTrust(trust)
  const origin: Origin = { proof, source: readSource(source), trust, inventory }
  const acknowledged = new Set(readNames('acknowledged', options.acknowledged))
  return {
    environment,
    now,
    enforces,
    acknowledged,
    allowSchemes: readNames('allowSchemes', options.allowSchemes),
    origin,
  }
}

function readSource(source: unknown): DocumentSource {
  if (typeof source === 'string') return { url: source }
  if (typeof source === 'object' && source !== null) return source
  throw new TypeError(`source: expected a URL or { url, trusted }, got ${nameOf(source)}`)
}

function readNames(name: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new TypeError(`${name}: expected an array of strings, got ${nameOf(value)}`)
}

// Judges the source of a document and the proof of its integrity (ADL 18.1, 18.10, 18.11).

/** The source of the document. */
interface DocumentSource {
  /** The URL that it was fetched from. */
  readonly url?: string
  /** It came from a place that the operator trusts: a trusted registry, a protected repository. */
  readonly trusted?: boolean
}

interface Origin {
  readonly proof: Proof | undefined
  readonly source: DocumentSource
  readonly trust: Trust | undefined
  readonly inventory: Inventory | undefined
}

/** A signature must be verified if present, and the proof must be for this document. */
function refuseProof(agent: Agent, { proof }: Origin): readonly ProvisionFinding[] {
  const refusal = refuseSignature(agent, proof)
  return refusal === undefined ? [] : [{ id: 'signature', ...refusal }]
}

const HARMLESS = ['public', 'internal']

/** Refuses a document that nothing vouches for, or whose data require stronger evidence. */
function refuseUntrusted(agent: Agent, origin: Origin): readonly ProvisionFinding[] {
  if (isTrusted(origin)) return []
  const found: ProvisionFinding[] = []
  const isSigned = valueIn(agent.attestation, 'signature') !== undefined
  if (!isSigned) {
    const detail = 'the document is not signed and does not come from a trusted source: treat it as malicious'
    found.push({ id: 'unsigned', section: 'ADL 18.1', pointer: '', detail, acknowledge: 'unsigned' })
  }
  const sensitive = classifications(agent).find(({ value }) => {
    const sensitivity = member(value, 'sensitivity')
    // An unknown level may mean any of them, so it counts as sensitive.
    return sensitivity !== undefined && !HARMLESS.includes(sensitivity as string)
  })
  const isVerified = isSigned && origin.proof?.verdict === 'verified'
  if (sensitive === undefined || (isVerified && !isByAnybody(origin))) return found
  const level = textIn(sensitive, 'sensitivity') ?? ''
  const what = isSensitive(level) ? `data are ${level}` : 'the sensitivity of data is unknown'
  const place = { section: 'ADL 18.10', pointer: `${sensitive.pointer}/sensitivity` }
  if (!isVerified) {
    found.push({ id: 'sensitive', ...place, detail: `${what}: a verified signature or a trusted source is needed` })
  } else {
    const detail = `${what}, and nothing shows who signed the document: name the key, or resolve its did:web`
    found.push({ id: 'signer', ...place, detail, acknowledge: 'signer' })
  }
  return found
}

function isTrusted({ source, trust }: Origin): boolean {
  return (
    source.trusted === true || (trust !== undefined && source.url !== undefined && isTrustedSource(trust, source.url))
  )
}

/**
 * True when a verified signature does not show who made it: its key is not known, or belongs to another domain. An
 * entry in an inventory is enough, because someone approved it.
 */
function isByAnybody({ proof, inventory }: Origin): boolean {
  if (proof?.verdict !== 'verified' || inventory !== undefined) return false
  return proof.steps?.find(({ name }) => name === 'identity')?.outcome !== 'passed'
}

/** Refuses a provider or issuer that the operator does not list, or whose name is unproven. */
function refuseStrangers(agent: Agent, origin: Origin): readonly ProvisionFinding[] {
  const { trust } = origin
  const found: ProvisionFinding[] = []
  if (trust?.providers !== undefined) {
    const domain = claimedHost(textIn(agent.root, 'id'))
    const refuse = (detail: string) =>
      found.push({ id: 'provider', section: 'ADL 18.11', pointer: '/id', detail, acknowledge: 'provider' })
    if (domain === undefined || !trust.providers.some((provider) => provider.toLowerCase() === domain)) {
      const who = domain === undefined ? 'an id that names no provider' : quoted(domain)
      refuse(`${who} is not among the trusted providers`)
    } else if (isByAnybody(origin) && !isTrusted(origin)) {
      refuse(`nothing shows that the key of the signature is one of ${quoted(domain)}`)
    }
  }
  const issuer = textMember(agent.attestation, 'issuer')
  if (trust?.issuers !== undefined && issuer !== undefined && !trust.issuers.includes(issuer.value)) {
    const detail = `${quoted(issuer.value)} is not among the trusted issuers`
    found.push({ id: 'issuer', section: 'ADL 18.11', pointer: issuer.pointer, detail, acknowledge: 'issuer' })
  }
  return found
}

/** Reports each discrepancy with the approved document. */
function refuseIncidents(agent: Agent, { inventory, proof }: Origin): readonly ProvisionFinding[] {
  if (inventory === undefined) return []
  return checkInventory(inventory, agent.document, { proof }).map(({ rule, detail, source }) => ({
    id: rule,
    section: 'ADL 18.10',
    pointer: source.pointer,
    detail: `incident: ${detail}`,
  }))
}

/** The warnings of the proof, such as an expired attestation (ADL 18.1). */
function warnProof({ proof }: Origin): readonly ProvisionFinding[] {
  const warned = proof?.steps?.filter(({ outcome }) => outcome === 'warning') ?? []
  return warned.map(({ detail, spec, diagnostic }) => {
    return { id: 'proof-warning', section: spec, pointer: diagnostic?.source.pointer ?? '', detail }
  })
}

// Declared permissions that the host cannot enforce, or that must not be granted without review (ADL 9.1, 18.6, 18.7,
// 18.12), and the status as a security boundary (ADL 5.6, 18.12).

/** A result of the check: a reason to refuse, or a duty of the host. */
export interface ProvisionFinding {
  /** Stable: `retired`. docs/guide/adl.md lists them. */
  readonly id: string
  /** The section that requires it. */
  readonly section: string
  /** The value in the document that it is about. */
  readonly pointer: string
  readonly detail: string
  /** The name to pass in `acknowledged` to accept the finding; absent if it cannot be accepted. */
  readonly acknowledge?: string
}

export const DOMAINS = ['network', 'filesystem', 'environment', 'execution', 'resource_limits'] as const

/** A permission domain of ADL 9. */
type PermissionDomain = (typeof DOMAINS)[number]

const declares = ({ permissions }: Agent, domain: string) => valueIn(permissions, domain) !== undefined

/** Each domain that the document declares and the host does not enforce. */
function refuseDomains(agent: Agent, enforces: readonly string[]): readonly ProvisionFinding[] {
  return DOMAINS.filter((domain) => declares(agent, domain) && !enforces.includes(domain)).map((domain) => ({
    id: 'unenforced-domain',
    section: 'ADL 18.12',
    pointer: `/permissions/${domain}`,
    detail: `this host does not enforce the domain '${domain}'`,
    acknowledge: domain,
  }))
}

/** An absent domain is denied, and the denial must be enforced as well. A host that cannot enforce it must say so. */
function warnDomains(agent: Agent, enforces: readonly string[]): readonly ProvisionFinding[] {
  return DOMAINS.filter((domain) => !declares(agent, domain) && !enforces.includes(domain)).map((domain) => ({
    id: 'unenforced-denial',
    section: 'ADL 9.1',
    pointer: agent.permissions === undefined ? '' : '/permissions',
    detail: `'${domain}' is denied, for the document grants nothing of it, and this host does not enforce that: warn users`,
  }))
}

/** Refuses each `*` that grants all hosts or all variables. */
function refuseWildcards(agent: Agent): readonly ProvisionFinding[] {
  return bareWildcards(agent).map(({ pointer }) => ({
    id: 'bare-wildcard',
    section: 'ADL 18.6',
    pointer,
    detail: `a bare '*' grants everything: ${pointer}`,
    acknowledge: pointer,
  }))
}

const SCHEMES = ['https', 'http', 'urn']

/** Refuses each URI with a scheme that this deployment does not expect. */
function refuseSchemes(agent: Agent, allowed: readonly string[]): readonly ProvisionFinding[] {
  return uris(agent).flatMap(({ pointer, value, isIdentity }) => {
    const scheme = schemeOf(value)
    if (scheme === undefined || SCHEMES.includes(scheme) || allowed.includes(scheme)) return []
    if (scheme === 'did' && isIdentity) return []
    const detail = `the scheme ${quoted(scheme)} is not allowed in this deployment`
    return [{ id: 'uri-scheme', section: 'ADL 18.7', pointer, detail }]
  })
}

/** Each tool that requires a user's confirmation for every call. */
function confirmTools({ tools }: Agent): readonly ProvisionFinding[] {
  return tools
    .filter(({ value }) => member(value, 'requires_confirmation') === true)
    .map((tool) => ({
      id: 'confirm-tool',
      section: 'ADL 18.12',
      pointer: tool.pointer,
      detail: `the tool ${quoted(textIn(tool, 'name') ?? '')} needs the confirmation of a user each time`,
    }))
}

const DAY = 86_400_000

/** Refuses an agent for its status, or for a date that has passed. */
function refuseLifecycle(agent: Agent, environment: string, now: Date): readonly ProvisionFinding[] {
  const refusal = refuseStatus(agent)
  const status = textMember(agent.lifecycle, 'status')
  if (refusal !== undefined) return [{ id: status?.value === 'retired' ? 'retired' : 'lifecycle', ...refusal }]
  const sunset = sunsetOf(agent)
  // Negated, so that an invalid date counts as past.
  if (sunset !== undefined && !(now.getTime() < sunset.time)) return [{ id: 'retired', ...sunset.refusal }]
  if (status?.value !== 'draft' || environment !== 'production') return []
  const detail = 'the agent is a draft, which is not for production'
  return [{ id: 'draft', section: 'ADL 5.6', detail, pointer: status.pointer }]
}

/** Warnings to operators about an agent that is not refused. */
function warnLifecycle(agent: Agent): readonly ProvisionFinding[] {
  const status = textMember(agent.lifecycle, 'status')
  if (status?.value !== 'deprecated') return []
  const { successor } = successionOf(agent, new Date(0))
  const detail = successor === undefined ? '' : `: migrate to ${quoted(successor)}`
  return [{ id: 'deprecated', section: 'ADL 5.6', detail: `the agent is deprecated${detail}`, pointer: status.pointer }]
}

interface Succession {
  /** The agent to migrate to, as the document names it. */
  readonly successor?: string
  /** Whole days until the sunset date; 0 from that date on. */
  readonly daysLeft?: number
}

function successionOf({ lifecycle }: Agent, now: Date): Succession {
  const successor = textIn(lifecycle, 'successor')
  const date = textIn(lifecycle, 'sunset_date')
  const time = date === undefined ? undefined : timeOf(date)
  return {
    ...(successor !== undefined && { successor }),
    ...(time !== undefined && { daysLeft: Math.max(0, Math.floor((time - now.getTime()) / DAY)) }),
  }
}
