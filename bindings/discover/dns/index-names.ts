// The agents that an organization lists in the DNS: AliasMode records at _agents (ADP/1.1 section 4.1.3), and the host of an
// index of theirs at _index._agents, as DNS-AID has it.
import { isDomain } from '../../text/host-name.ts'
import type { Lookup, Quality } from './lookup.ts'
import { type Name, ROOT } from './name.ts'
import { defaultService, serviceOf } from './service.ts'
import { readSvcb } from './svcb.ts'
import { TYPES } from './types.ts'

export interface Listing {
  /** Every one, in the order of their names: a list is no choice, whatever RFC 9460 has clients do with aliases. */
  readonly agents: readonly Name[]
  /** The host and port of an index that is asked over HTTPS, whose form nobody has settled. */
  readonly index: string | undefined
  /** Of the worse of the two answers. */
  readonly quality: Quality
}

const ORDER: readonly Quality[] = ['checked', 'resolver', 'not shown']

/** The worst of some qualities; of none it is the best. */
export const worstOf = (qualities: readonly Quality[]): Quality =>
  ORDER[Math.max(0, ...qualities.map((quality) => ORDER.indexOf(quality)))]!

/** @throws {DnsError} where an answer cannot be had or may not be believed. */
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
