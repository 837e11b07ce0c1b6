// Declared permissions that the host cannot enforce, or that must not be granted without review (ADL 9.1, 18.6, 18.7,
// 18.12).

import { member, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { uris } from '../places.ts'
import { bareWildcards } from '../publication.ts'
import { schemeOf } from '../rules/uri-schemes.ts'
import type { ProvisionFinding } from './finding.ts'

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
