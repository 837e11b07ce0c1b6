// Finds other documents about agents that a domain publishes. They are fetched after its agent, and do not
// affect trust.
import { discoverAgents } from '../../bindings/discover/agents.ts'
import { type LookupOptions, resolveDns } from '../../bindings/discover/dns/lookup.ts'
import { listAgents } from '../../bindings/discover/trust/domain.ts'
import { LEVEL_MEANS, LEVELS } from '../../bindings/discover/trust/levels.ts'
import type { DiscoveryProof } from '../../bindings/discover/trust/run.ts'
import { parse } from '../../bindings/document/parse.ts'
import { kindOfMembers } from '../../bindings/frame/detect.ts'
import type { Step } from '../../bindings/frame/source.ts'
import { rowOf } from '../../bindings/kinds.ts'
import { type FetchOptions, fetchDocument, type GuardedFetch } from '../../bindings/net/fetch.ts'
import { visible } from '../../bindings/text/hidden.ts'

export interface Other {
  readonly what: string
  readonly place: string
}

const PLACES = ['agent-card.json', 'ai-catalog.json', 'agents.json'] as const
const BOUNDS = { maxBytes: 1 << 18, maxRedirects: 0, timeoutMs: 5_000 }

/** Finds the documents that exist; an unreadable one counts as missing. */
export async function othersAt(domain: string, fetch: GuardedFetch, dns: LookupOptions): Promise<readonly Other[]> {
  const [listed, addresses] = await Promise.all([listedInDns(domain, dns), addressesOf(domain, dns)])
  if (addresses.length === 0) return listed
  const options = { ...BOUNDS, fetch, addresses }
  const found = await Promise.all([
    listedByAdl(domain, options),
    ...PLACES.map((name) => documentAt(`https://${domain}/.well-known/${name}`, options)),
  ])
  return [...listed, ...found.flat()]
}

/** Looks the addresses up with the same resolver as everything else, so that no other one sees the name. */
async function addressesOf(domain: string, dns: LookupOptions): Promise<readonly string[]> {
  const answers = await Promise.all((['A', 'AAAA'] as const).map((type) => resolveDns(domain, type, dns)))
  return answers.flatMap((answer) => (answer.ok ? answer.records : []))
}

async function listedInDns(domain: string, dns: LookupOptions): Promise<Other[]> {
  const listed = await listAgents(domain, dns)
  if (!listed.ok) return []
  const { agents, index } = listed
  const named = agents.map((name) => ({ what: 'agent that the DNS lists', place: `agent:${name}` }))
  return index === undefined ? named : [...named, { what: 'index that the DNS names', place: index }]
}

/** Fetches only the list; `discover` reads the definitions in it. */
async function listedByAdl(domain: string, options: FetchOptions): Promise<Other[]> {
  const { url, unread } = await discoverAgents(domain, { ...options, maxDocuments: 0 })
  const what = `discovery document of ${unread} agent definition${unread === 1 ? '' : 's'}`
  return unread === 0 ? [] : [{ what, place: url }]
}

async function documentAt(url: string, options: FetchOptions): Promise<Other[]> {
  const outcome = await fetchDocument(url, 'application/json', options)
  if (!outcome.ok) return []
  const kind = kindOfMembers(parse(outcome.fetched.bytes, { file: url, maxDepth: 64 }).document?.value)
  return kind === undefined ? [] : [{ what: rowOf(kind).name, place: url }]
}

// Shows a discovery to people: its steps, one per line, and the levels of trust that they reach.

export const stepLine = ({ outcome, title, detail }: Step): string =>
  `  ${outcome.padEnd(7)}  ${title}: ${visible(detail)}\n`

/** The levels of trust, highest first, each with the quality of the DNS answers that it rests on. */
export function ladder({ levels }: DiscoveryProof): string {
  const rungs = LEVELS.map((level) => {
    const reached = levels.find((one) => one.level === level)
    const quality = reached === undefined ? '' : `  [DNS ${reached.quality}]`
    return `  ${reached === undefined ? '|   |' : '|===|'}  ${level.padEnd(13)}  ${LEVEL_MEANS[level]}${quality}\n`
  })
  return rungs.toReversed().join('')
}

/** The conclusions: what the discovery shows, and what it does not. */
export function conclusions({ shows, doesNotShow }: DiscoveryProof): string {
  const list = (head: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${head}\n${lines.map((line) => `  - ${visible(line)}\n`).join('')}`
  return list('shows', shows) + list('does not show', doesNotShow)
}
