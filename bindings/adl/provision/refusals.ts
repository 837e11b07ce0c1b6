// Declared permissions that the host cannot enforce, or that must not be granted without review (ADL 9.1, 18.6, 18.7,
// 18.12), and the status as a security boundary (ADL 5.6, 18.12).
import { timeOf } from '../../schema/times.ts'
import { member, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { uris } from '../places.ts'
import { bareWildcards } from '../publication.ts'
import { refuseStatus, sunsetOf } from '../refusal.ts'
import { schemeOf } from '../rules/identifiers.ts'
import type { Agent } from '../subject.ts'

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
export type PermissionDomain = (typeof DOMAINS)[number]

const declares = ({ permissions }: Agent, domain: string) => member(permissions?.value, domain) !== undefined

/** Each domain that the document declares and the host does not enforce. */
export function refuseDomains(agent: Agent, enforces: readonly string[]): readonly ProvisionFinding[] {
  return DOMAINS.filter((domain) => declares(agent, domain) && !enforces.includes(domain)).map((domain) => ({
    id: 'unenforced-domain',
    section: 'ADL 18.12',
    pointer: `/permissions/${domain}`,
    detail: `this host does not enforce the domain '${domain}'`,
    acknowledge: domain,
  }))
}

/** An absent domain is denied, and the denial must be enforced as well. A host that cannot enforce it must say so. */
export function warnDomains(agent: Agent, enforces: readonly string[]): readonly ProvisionFinding[] {
  return DOMAINS.filter((domain) => !declares(agent, domain) && !enforces.includes(domain)).map((domain) => ({
    id: 'unenforced-denial',
    section: 'ADL 9.1',
    pointer: agent.permissions === undefined ? '' : '/permissions',
    detail: `'${domain}' is denied, for the document grants nothing of it, and this host does not enforce that: warn users`,
  }))
}

/** Refuses each `*` that grants all hosts or all variables. */
export function refuseWildcards(agent: Agent): readonly ProvisionFinding[] {
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
export function refuseSchemes(agent: Agent, allowed: readonly string[]): readonly ProvisionFinding[] {
  return uris(agent).flatMap(({ pointer, value, isIdentity }) => {
    const scheme = schemeOf(value)
    if (scheme === undefined || SCHEMES.includes(scheme) || allowed.includes(scheme)) return []
    if (scheme === 'did' && isIdentity) return []
    const detail = `the scheme ${quoted(scheme)} is not allowed in this deployment`
    return [{ id: 'uri-scheme', section: 'ADL 18.7', pointer, detail }]
  })
}

/** Each tool that requires a user's confirmation for every call. */
export function confirmTools({ tools }: Agent): readonly ProvisionFinding[] {
  return tools
    .filter(({ value }) => member(value, 'requires_confirmation') === true)
    .map((tool) => ({
      id: 'confirm-tool',
      section: 'ADL 18.12',
      pointer: tool.pointer,
      detail: `the tool ${quoted(textMember(tool, 'name')?.value ?? '')} needs the confirmation of a user each time`,
    }))
}

const DAY = 86_400_000

/** Refuses an agent for its status, or for a date that has passed. */
export function refuseLifecycle(agent: Agent, environment: string, now: Date): readonly ProvisionFinding[] {
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
export function warnLifecycle(agent: Agent): readonly ProvisionFinding[] {
  const status = textMember(agent.lifecycle, 'status')
  if (status?.value !== 'deprecated') return []
  const { successor } = successionOf(agent, new Date(0))
  const detail = successor === undefined ? '' : `: migrate to ${quoted(successor)}`
  return [{ id: 'deprecated', section: 'ADL 5.6', detail: `the agent is deprecated${detail}`, pointer: status.pointer }]
}

export interface Succession {
  /** The agent to migrate to, as the document names it. */
  readonly successor?: string
  /** Whole days until the sunset date; 0 from that date on. */
  readonly daysLeft?: number
}

export function successionOf({ lifecycle }: Agent, now: Date): Succession {
  const successor = textMember(lifecycle, 'successor')?.value
  const date = textMember(lifecycle, 'sunset_date')?.value
  const time = date === undefined ? undefined : timeOf(date)
  return {
    ...(successor !== undefined && { successor }),
    ...(time !== undefined && { daysLeft: Math.max(0, Math.floor((time - now.getTime()) / DAY)) }),
  }
}
