import { nameOf } from '../../core/patterns.ts'
import { whyUnreadable } from '../../document/finding.ts'
import type { Diagnostic } from '../../document/types.ts'
import { readAs } from '../../frame/as.ts'
import type { FileOptions, Proof, Source } from '../../frame/source.ts'
import { expectTrust, type Trust } from '../../policy/trust.ts'
import { checkedNow } from '../../text/moment.ts'
import type { Inventory } from '../records.ts'
import { refuseVersion } from '../refusal.ts'
import { ADL_READING, type Agent } from '../subject.ts'
import {
  type DocumentSource,
  type Origin,
  refuseIncidents,
  refuseProof,
  refuseStrangers,
  refuseUntrusted,
  warnProof,
} from './origin.ts'
import {
  confirmTools,
  DOMAINS,
  type PermissionDomain,
  type ProvisionFinding,
  refuseDomains,
  refuseLifecycle,
  refuseSchemes,
  refuseWildcards,
  type Succession,
  successionOf,
  warnDomains,
  warnLifecycle,
} from './refusals.ts'

export const ENVIRONMENTS = ['production', 'staging', 'test', 'development'] as const

export interface ProvisionOptions extends FileOptions {
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

export interface Provisioning extends Succession {
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
export function mayProvision(definition: Source, options: ProvisionOptions = {}): Provisioning {
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

function readOptions(options: ProvisionOptions) {
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
