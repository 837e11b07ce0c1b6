// Other documents that a domain publishes for those who look for agents. They are asked for after its agent, and trust does not
// depend on them.
import { discoverAgents } from '../../bindings/discover/agents.ts'
import type { LookupOptions } from '../../bindings/discover/dns/lookup.ts'
import { listAgents } from '../../bindings/discover/trust/list.ts'
import { parse } from '../../bindings/document/parse.ts'
import { kindOfMembers } from '../../bindings/frame/detect.ts'
import { rowOf } from '../../bindings/kinds.ts'
import { fetchDocument, type GuardedFetch } from '../../bindings/net/fetch.ts'

export interface Other {
  readonly what: string
  readonly place: string
}

const PLACES = ['agent-card.json', 'ai-catalog.json', 'agents.json'] as const
const BOUNDS = { maxBytes: 1 << 18, maxRedirects: 0, timeoutMs: 5_000 }
/** The list alone: what stands in it is read by who wants one of them. */
const LIST_ONLY = { ...BOUNDS, maxDocuments: 0 }

/** The documents that are there; one that cannot be read counts as missing. */
export async function othersAt(domain: string, fetch: GuardedFetch, dns: LookupOptions): Promise<readonly Other[]> {
  const found = await Promise.all([
    listedInDns(domain, dns),
    listedByAdl(domain, fetch),
    ...PLACES.map((name) => documentAt(`https://${domain}/.well-known/${name}`, fetch)),
  ])
  return found.flat()
}

async function listedInDns(domain: string, dns: LookupOptions): Promise<Other[]> {
  const listed = await listAgents(domain, dns)
  if (!listed.ok) return []
  const { agents, index } = listed
  const named = agents.map((name) => ({ what: 'agent that the DNS lists', place: `agent:${name}` }))
  return index === undefined ? named : [...named, { what: 'index that the DNS names', place: index }]
}

async function listedByAdl(domain: string, fetch: GuardedFetch): Promise<Other[]> {
  const { url, unread } = await discoverAgents(domain, { ...LIST_ONLY, fetch })
  return unread === 0 ? [] : [{ what: `discovery document of ${unread} agent definitions`, place: url }]
}

async function documentAt(url: string, fetch: GuardedFetch): Promise<Other[]> {
  const outcome = await fetchDocument(url, 'application/json', { ...BOUNDS, fetch })
  if (!outcome.ok) return []
  const kind = kindOfMembers(parse(outcome.fetched.bytes, { file: url, maxDepth: 64 }).document?.value)
  return kind === undefined ? [] : [{ what: rowOf(kind).name, place: url }]
}
