// Limits how many results cards with the same text or from one source can take: anyone who makes a thousand keys has a
// thousand agents. Scores are unchanged, and the response says what was grouped or left out.

import type { AgentCard } from '../card/subject.ts'
import { normalizeTag } from '../card/tags.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { sha256 } from '../wasm/sha256.ts'
import { within } from './ranking.ts'
import { withCard } from './results.ts'
import type { GroupedResults, SearchResult } from './types.ts'

export interface Grouping {
  /**
   * Groups cards with the same description, tags and tools into one result: the best one, with the others listed under
   * it.
   */
  readonly identical: boolean
  /** The maximum number of results with the same signer, or with the same endpoint host. */
  readonly perSource: number
}

/** The maximum number of candidates for one response. When these all belong to one group, others are unlikely. */
const MOST_CANDIDATES = 640
/** The factor by which the number of candidates grows when they did not fill the response. */
const DEEPER = 4
/** The maximum number of agents listed under a result, and of endpoints of a card that count. */
const MOST_BENEATH = 10
const MOST_ENDPOINTS = 8
/** The bytes of the digests in a grouping key: multiples of three, each of which base64 writes as four characters. */
const TEXT_BYTES = 15
const SOURCE_BYTES = 9
const TEXT_LENGTH = (TEXT_BYTES / 3) * 4
/** SOURCE_BYTES in base64. */
const SOURCES = /.{12}/g
/** The maximum size of all whole cards among the candidates: a hundred of the largest. */
const MOST_BYTES = 100 * 65_535

const encoder = new TextEncoder()

/** Fills in defaults. Throws for invalid options. */
export function groupingOf({ identical = true, perSource = Number.MAX_SAFE_INTEGER }: Partial<Grouping>): Grouping {
  if (typeof identical !== 'boolean') throw new TypeError(`grouping.identical: expected a boolean, got ${identical}`)
  return { identical, perSource: Math.max(1, within('grouping.perSource', perSource, Number.MAX_SAFE_INTEGER)) }
}

/**
 * The grouping key of a card: a digest that is equal for equal texts, then one for the key that signed the card and for
 * each host of its endpoints. It is one short string, because an index has one for each card.
 */
export function groupingKeyOf(card: AgentCard, signer: string | undefined): string {
  const { name, description = '', skills = [], tools = [], endpoints = [] } = card
  const hosts = endpoints.slice(0, MOST_ENDPOINTS).flatMap(({ uri }) => hostOf(uri) ?? [])
  const said = [
    // A card without a description is identified by its name.
    fold(description) || fold(name),
    [...new Set(skills.map(normalizeTag))].sort(),
    tools.map((tool) => fold(tool.name)).sort(),
  ]
  const sources = [...(signer === undefined ? [] : [`key ${signer}`]), ...new Set(hosts.map((host) => `host ${host}`))]
  const digests = [digestOf(JSON.stringify(said), TEXT_BYTES), ...sources.map((text) => digestOf(text, SOURCE_BYTES))]
  return encodeBase64url(Uint8Array.from(digests.flatMap((digest) => [...digest])))
}

const digestOf = (text: string, bytes: number) => sha256(encoder.encode(text)).subarray(0, bytes)

const fold = (text: string) => text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')

function hostOf(uri: unknown): string | undefined {
  const [, host] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^:/?#]+)/i.exec(String(uri)) ?? []
  return host?.toLowerCase().replace(/\.$/, '')
}

/** Cards with the same text: the best one, the first of the others, and how many others there are. */
interface CardGroup<Item> {
  readonly best: Item
  readonly others: readonly Item[]
  readonly count: number
}

/** Which of ranked candidates get into a response, and how many others were seen. */
export interface Selection<Item> extends GroupedResults {
  readonly groups: readonly CardGroup<Item>[]
  /** Whether there may be more candidates. */
  readonly more: boolean
}

/** Groups ranked candidates into up to `limit` groups. */
export function group<Item extends { readonly groupingKey?: string | undefined }>(
  candidates: readonly Item[],
  limit: number,
  { identical, perSource }: Grouping,
): Omit<Selection<Item>, 'more'> {
  const taken = new Map<string, number>()
  const places = new Map<unknown, { best: Item; others: Item[]; count: number } | undefined>()
  const groups: CardGroup<Item>[] = []
  let same = 0
  let leftOut = 0
  for (const best of candidates) {
    const key = best.groupingKey
    const text = identical ? (key?.slice(0, TEXT_LENGTH) ?? best) : best
    const sources = key?.slice(TEXT_LENGTH).match(SOURCES) ?? []
    const above = places.get(text)
    if (above !== undefined) {
      same++
      above.count++
      if (above.others.length < MOST_BENEATH) above.others.push(best)
      continue
    }
    if (places.has(text) || sources.some((source) => (taken.get(source) ?? 0) >= perSource)) {
      places.set(text, undefined)
      leftOut++
      continue
    }
    if (groups.length === limit) continue
    for (const source of sources) taken.set(source, (taken.get(source) ?? 0) + 1)
    const added = { best, others: [], count: 0 }
    places.set(text, added)
    groups.push(added)
  }
  return { groups, same, left_out: leftOut }
}

/**
 * Returns the candidates of a shard. They are in brief where the whole card is not needed, because a better one has the
 * same text, and where the whole cards would exceed the size of a message.
 */
export function briefly(candidates: readonly SearchResult[], { identical }: Grouping): SearchResult[] {
  const texts = new Set<unknown>()
  let room = MOST_BYTES
  return candidates.map((candidate) => {
    const text = candidate.groupingKey?.slice(0, TEXT_LENGTH)
    const isBeneath = identical && texts.has(text)
    texts.add(text)
    if (!isBeneath) room -= candidate.json!.length
    return isBeneath || room < 0 ? inBrief(candidate) : candidate
  })
}

/** A result without its whole card, which `adp.describe` returns. */
export function inBrief(result: SearchResult): SearchResult {
  const whole = withCard(result)
  const { id, name, seq } = whole.agent_card
  return {
    ...whole,
    agent_card: { id, name },
    ...(seq !== undefined && { seq: result.seq ?? String(seq) }),
    partial: true,
  }
}

/** The next number of candidates to try. Undefined when there are no more. */
export function deeper(depth: number, hasMore: boolean): number | undefined {
  return hasMore && depth < MOST_CANDIDATES ? Math.min(depth * DEEPER, MOST_CANDIDATES) : undefined
}
