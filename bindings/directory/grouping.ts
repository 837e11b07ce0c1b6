// Many cards with one text, or of one source, take one place or a few in an answer: who makes a thousand keys has a thousand
// agents. Scores stay those of the formula; what was put together or left out is told.

import { normalizeTag } from '../card/tags/normalize.ts'
import type { AgentCard } from '../card/types.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { sha256 } from '../wasm/sha256.ts'
import { within } from './ranking.ts'
import type { DiscoverResult, GroupedResults, SameAgent } from './types.ts'

export interface Grouping {
  /** Makes cards with the same description, tags and tools one result: the best, with the others beneath. */
  readonly identical: boolean
  /** Results that one signer, or one host of endpoints, has at the most. */
  readonly perSource: number
}

/** The marks that results are grouped by. Shards tell them to whoever joins their answers. */
export interface Crowd {
  /** The same for the same text. */
  readonly text: string
  /** The key that signed the card, and the hosts of its endpoints. */
  readonly sources: readonly string[]
}

/** Candidates that are looked at for one answer: behind so many of one crowd there are hardly others. */
const MOST_CANDIDATES = 640
/** The factor by which more candidates are looked at when those before did not fill the answer. */
const DEEPER = 4
/** Of agents beneath a result, and of endpoints of a card. */
const MOST_BENEATH = 10
const MOST_ENDPOINTS = 8
const DIGEST_BYTES = 16
/** Of whole cards among candidates: a hundred of the largest. */
const MOST_BYTES = 100 * 65_535

const encoder = new TextEncoder()

/** A grouping with what absent options mean. Throws for those that are wrong. */
export function groupingOf({ identical = true, perSource = Number.MAX_SAFE_INTEGER }: Partial<Grouping>): Grouping {
  if (typeof identical !== 'boolean') throw new TypeError(`grouping.identical: expected a boolean, got ${identical}`)
  return { identical, perSource: Math.max(1, within('grouping.perSource', perSource, Number.MAX_SAFE_INTEGER)) }
}

export function crowdOf(card: AgentCard, signer: string | undefined): Crowd {
  const { name, description = '', skills = [], tools = [], endpoints = [] } = card
  const hosts = endpoints.slice(0, MOST_ENDPOINTS).flatMap(({ uri }) => hostOf(uri) ?? [])
  const said = [
    // A card that does not describe its agent is told from others by its name.
    fold(description) || fold(name),
    [...new Set(skills.map(normalizeTag))].sort(),
    tools.map((tool) => fold(tool.name)).sort(),
  ]
  const digest = sha256(encoder.encode(JSON.stringify(said))).subarray(0, DIGEST_BYTES)
  return {
    text: encodeBase64url(digest),
    sources: [...(signer === undefined ? [] : [`key ${signer}`]), ...new Set(hosts.map((host) => `host ${host}`))],
  }
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')

function hostOf(uri: unknown): string | undefined {
  const [, host] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^:/?#]+)/i.exec(String(uri)) ?? []
  return host?.toLowerCase().replace(/\.$/, '')
}

export interface Grouped extends GroupedResults {
  readonly results: readonly DiscoverResult[]
}

/** Makes an answer of so many results of ranked candidates. */
export function group(
  candidates: readonly DiscoverResult[],
  limit: number,
  { identical, perSource }: Grouping,
): Grouped {
  const taken = new Map<string, number>()
  const places = new Map<string, { readonly place: number; readonly agents: SameAgent[]; count: number } | undefined>()
  const results: DiscoverResult[] = []
  let same = 0
  let leftOut = 0
  for (const { crowd, ...result } of candidates) {
    const { text, sources } = crowd!
    const above = identical ? places.get(text) : undefined
    if (above !== undefined) {
      const { id, name } = result.agent_card
      same++
      above.count++
      if (above.agents.length < MOST_BENEATH) above.agents.push({ id, name, score: result.score })
      continue
    }
    if ((identical && places.has(text)) || sources.some((source) => (taken.get(source) ?? 0) >= perSource)) {
      places.set(text, undefined)
      leftOut++
      continue
    }
    if (results.length === limit) continue
    for (const source of sources) taken.set(source, (taken.get(source) ?? 0) + 1)
    places.set(text, { place: results.push(result) - 1, agents: [], count: 0 })
  }
  for (const group of places.values()) {
    if (group === undefined || group.count === 0) continue
    const { place, agents, count } = group
    results[place] = { ...results[place]!, same: { count, agents } }
  }
  return { results, same, left_out: leftOut }
}

/**
 * Candidates as shards tell them: in brief where the card can be of no use, for it says what a better one says, and where so
 * many whole cards would be more than a message holds.
 */
export function candidates(results: readonly DiscoverResult[], { identical }: Grouping): DiscoverResult[] {
  const texts = new Set<string>()
  let room = MOST_BYTES
  return results.map((result) => {
    const { text } = result.crowd!
    const isBeneath = identical && texts.has(text)
    texts.add(text)
    if (!isBeneath) room -= JSON.stringify(result.agent_card).length
    return isBeneath || room < 0 ? inBrief(result) : result
  })
}

/** A result without its card, which `adp.describe` gives. */
export function inBrief(result: DiscoverResult): DiscoverResult {
  const { id, name, seq } = result.agent_card
  return {
    ...result,
    agent_card: { id, name },
    ...(seq !== undefined && { seq: result.seq ?? String(seq) }),
    partial: true,
  }
}

/** The number of candidates to look at after so many did not fill the answer; nothing when there are no more. */
export function deeper(depth: number, hasMore: boolean): number | undefined {
  return hasMore && depth < MOST_CANDIDATES ? Math.min(depth * DEEPER, MOST_CANDIDATES) : undefined
}
