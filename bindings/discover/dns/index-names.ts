// The agents that an organization lists in the DNS: AliasMode records at _agents (ADP/1.1 section 4.1.3), and the host
// of its index at _index._agents, as in DNS-AID.
import { isDomain } from '../../text/host-name.ts'
import type { Lookup, Quality } from './lookup.ts'
import { type Name, ROOT } from './name.ts'
import { defaultService, serviceOf } from './service.ts'
import { readSvcb } from './svcb.ts'
import { TYPES } from './types.ts'

export interface Listing {
  /** All of them, sorted by name: a list is not a choice, whatever RFC 9460 says about aliases. */
  readonly agents: readonly Name[]
  /** The host and port of an index over HTTPS, whose format is not specified yet. */
  readonly index: string | undefined
  /** The worse quality of the two answers. */
  readonly quality: Quality
}

const ORDER: readonly Quality[] = ['checked', 'resolver', 'not shown']

/** The worst of some qualities; the best for an empty list. */
export const worstOf = (qualities: readonly Quality[]): Quality =>
  ORDER[Math.max(0, ...qualities.map((quality) => ORDER.indexOf(quality)))]!

/** @throws {DnsError} if an answer is missing or may not be believed. */
export async function listedAgents(lookup: Lookup, domain: Name): Promise<Listing> {
  const [list, index] = await Promise.all([
    lookup.find(`_agents.${domain}`, TYPES.SVCB),
    lookup.find(`_index._agents.${domain}`, TYPES.SVCB),
  ])
  const listed = list.records.map(({ rdata }) => readSvcb(rdata)).filter(({ priority }) => priority === 0)
  const [first] = index.records.map(({ rdata }) => readSvcb(rdata)).sort((a, b) => a.priority - b.priority)
  const service = first && (first.priority === 0 ? defaultService(first.target) : serviceOf(first, index.name))
  return {
    agents: [...new Set(listed.map(({ target }) => target))].filter(isDomain).sort(),
    index: service && service.target !== ROOT ? `${service.target}:${service.port}` : undefined,
    quality: worstOf([list.quality, index.quality]),
  }
}
