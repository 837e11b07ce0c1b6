// Converts hits of the index to results: the card, the tags that matched, and why.

import { disclose, partial as partialCard, showFor } from '../card/disclosure.ts'
import type { AgentCard } from '../card/subject.ts'
import { matchTag, normalizeTag } from '../card/tags.ts'
import { DEFAULT_WEIGHTS, type Factors } from '../core/index.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { quoted } from '../text/words.ts'
import type { Hit } from '../wasm/rank.ts'
import { sha256 } from '../wasm/sha256.ts'
import { cardWords, tagsOf } from './card-index.ts'
import type { Standing, StoredCard } from './memory-store.ts'
import { QUERY_DEFAULTS, QUERY_LIMITS } from './query.ts'
import type { AgentSignals, FactorShare, GroupedResults, IndexQuery, SearchResult } from './types.ts'

const decoder = new TextDecoder()

/** The JSON value of a stored card. Strict parsing has validated it before. */
export const jsonOf = (bytes: Uint8Array): AgentCard => JSON.parse(decoder.decode(bytes))

/** The name in a card. */
export const nameIn = ({ bytes }: ShownCard): string => jsonOf(bytes).name

/** True when there is more evidence of the card's origin than an operator's word. */
const isVerified = (standing: Standing): boolean => standing !== 'token' && standing !== 'none'

/** Everything that explanations need in addition to the hit. */
interface Background extends Ranking {
  readonly query: IndexQuery
  /** The words that were searched for. */
  readonly sought: readonly string[]
  readonly signals: (id: string) => AgentSignals
}

/** Builds the result of a hit, with the card as JSON. With a background, the result is explained. */
export function resultOf(
  hit: Hit,
  { stored, shown: { bytes, partial } }: { readonly stored: StoredCard; readonly shown: ShownCard },
  { tags }: IndexQuery,
  background: Background | undefined,
): SearchResult {
  const { id, seq, standing, equivocations } = stored
  const isWhole = bytes === stored.bytes
  // A number cannot hold an integer beyond 2^53 - 1.
  const digits = seq !== undefined && seq > Number.MAX_SAFE_INTEGER ? String(seq) : undefined
  const json = isWhole ? (stored.json ?? decoder.decode(bytes)) : cardJson(jsonOf(bytes), digits)
  // Most cards go into the answer as they are stored.
  const card = isWhole && hit.matchedTags.length === 0 && background === undefined ? undefined : jsonOf(bytes)
  const matched = card === undefined ? [] : matchedTags(card, tags)
  return {
    agent_card: { id } as AgentCard,
    json,
    score: hit.score,
    matched_tags: matched,
    standing,
    verified: isVerified(standing),
    equivocations: equivocations.length,
    ...(digits !== undefined && (isWhole || card?.seq !== undefined) && { seq: digits }),
    ...(partial && { partial }),
    ...(background && { factors: hit.factors, why: explain(hit, card!, matched, background) }),
  }
}

/** A result of `rank` with the card as an object. */
export function withCard({ json, ...result }: SearchResult): SearchResult {
  return json === undefined ? result : { ...result, agent_card: JSON.parse(json) }
}

/** A result as JSON. */
export function resultJson({ agent_card: card, json, ...others }: SearchResult): string {
  return `{"agent_card":${json ?? cardJson(card, others.seq)},${JSON.stringify(others).slice(1)}`
}

/** A card as JSON. It keeps the digits of a seq that does not fit a number. */
function cardJson(card: AgentCard, seq: string | undefined): string {
  if (card.seq === undefined || seq === undefined) return JSON.stringify(card)
  const members = Object.entries(card).map(
    ([name, value]) => `${JSON.stringify(name)}:${name === 'seq' ? seq : JSON.stringify(value)}`,
  )
  return `{${members.join(',')}}`
}

/** A card as answers have it, if its bytes are written otherwise. */
export function otherJson(bytes: Uint8Array, seq: bigint | undefined): string | undefined {
  const text = decoder.decode(bytes)
  const json = cardJson(JSON.parse(text), seq === undefined ? undefined : String(seq))
  return json === text ? undefined : json
}

/** The agent's tags that match, in the agent's spelling, in the order of the query. */
function matchedTags({ skills = [] }: AgentCard, asked: readonly string[]): string[] {
  const tags = [...tagsOf(skills)]
  const matched = asked.flatMap((query) => tags.filter(([tag]) => matchTag(query, tag)).map(([, written]) => written))
  return [...new Set(matched)]
}

const TENTHS = 3

function explain(hit: Hit, card: AgentCard, matched: readonly string[], background: Background): FactorShare[] {
  const reasons = reasonsOf(hit, card, matched, background)
  return (Object.keys(reasons) as (keyof Factors)[]).map((factor) => {
    const value = hit.factors[factor]
    const weight = background.weights[factor]
    return { factor, value, weight, contribution: weight * value, reason: reasons[factor] }
  })
}

function reasonsOf(
  { id, factors, matchedTags: served }: Hit,
  card: AgentCard,
  matched: readonly string[],
  { query, sought, fields, coldStart, signals }: Background,
): Record<keyof Factors, string> {
  const { reputation, rating, completedTasks = 0, online } = signals(id)
  const written = new Map<string, string>()
  const words = new Set(query.hasText ? cardWords(card, fields, written) : [])
  const found = sought.filter((word) => words.has(word))
  const isNew = completedTasks < coldStart.tasks
  const valueWords = (value: number | undefined) => (value === undefined ? 'unknown' : value.toFixed(TENTHS))
  return {
    tags:
      query.tags.length === 0
        ? 'no tag is asked for: the other factors share the weight'
        : `${served.length} of ${query.tags.length} tags match${listWords(matched)}`,
    text: query.hasText
      ? `${found.length} of ${sought.length} words are in the card${listWords(found.map((word) => written.get(word) ?? word))}`
      : 'no text is asked for',
    reputation: `${valueWords(reputation)}${isNew ? `, and ${coldStart.reputation} for a new agent` : ''}`,
    availability: online === true ? 'online' : 'not known to be online',
    rating: factors.rating === 0 ? valueWords(rating) : factors.rating.toFixed(TENTHS),
  }
}

const MOST_LISTED = 8

function listWords(words: readonly string[]): string {
  if (words.length === 0) return ''
  const more = words.length > MOST_LISTED ? ', …' : ''
  return `: ${words.slice(0, MOST_LISTED).map(quoted).join(', ')}${more}`
}

// The ranking formula of section 5, as this directory applies it.

/** Table 11 ranks by the description and the skill labels. A label says in one word what a description says in many. */
const DEFAULT_FIELDS: TextFields = { name: 0, description: 1, skills: 2, tools: 0 }
/** The draft calls fewer than five tasks too few to judge. The bonus is that of ClawNet: ten of a hundred points. */
const DEFAULT_COLD_START: ColdStart = { tasks: 5, reputation: 0.1 }
const MOST_FIELD = 8

/** How often a word in each member of a card counts: from 0 to 8. */
export interface TextFields {
  readonly name: number
  readonly description: number
  readonly skills: number
  /** The names and descriptions of tools. */
  readonly tools: number
}

/** A bonus for new agents, so that they do not rank behind all others (section 5). */
export interface ColdStart {
  /** An agent with fewer completed tasks is new. Default 5. */
  readonly tasks: number
  /** Added to the reputation of a new agent, up to 1. Default 0.1. */
  readonly reputation: number
}

/** The ranking formula in force, for programs (`GET /adp/ranking`). */
export interface RankingProfile {
  readonly formula: string
  readonly weights: Factors
  readonly cold_start: ColdStart
  readonly normalization: Readonly<Record<keyof Factors, string>>
  readonly text: {
    readonly k1: number
    readonly b: number
    readonly fields: TextFields
  }
  readonly defaults: { readonly limit: number; readonly min_score: number }
  readonly limits: { readonly limit: readonly [number, number]; readonly min_score: readonly [number, number] }
}

/** The parts of the formula that a directory may change. */
export interface Ranking {
  readonly weights: Factors
  readonly fields: TextFields
  readonly coldStart: ColdStart
}

/** The weights for a query. In a query without tags, the other factors share the weight of tags. */
export function weightsFor(weights: Factors, hasTags: boolean): Factors {
  if (hasTags) return weights
  const { text, reputation, availability, rating } = weights
  const rest = text + reputation + availability + rating
  const share = rest > 0 ? (weights.tags + rest) / rest : 1
  return {
    tags: 0,
    text: text * share,
    reputation: reputation * share,
    availability: availability * share,
    rating: rating * share,
  }
}

/** The given weights, with defaults from table 11. Throws for a value that is not a number from 0 to 1. */
export function weightsOf(given: Partial<Factors> = {}, others: Factors = DEFAULT_WEIGHTS): Factors {
  const weights = { ...others }
  for (const name of Object.keys(others) as (keyof Factors)[]) {
    const weight = given[name]
    if (weight !== undefined) weights[name as 'tags'] = within(`weights.${name}`, weight, 1)
  }
  return weights
}

/** How often a word counts in each member of a card. Throws for a value that is not an integer from 0 to 8. */
export function fieldsOf(given: Partial<TextFields> = {}): TextFields {
  const fields = { ...DEFAULT_FIELDS, ...given }
  for (const [name, count] of Object.entries(fields)) {
    if (!Number.isInteger(within(`fields.${name}`, count, MOST_FIELD))) {
      throw new RangeError(`fields.${name}: expected a whole number, got ${count}`)
    }
  }
  return fields
}

/** Throws for a negative number of tasks, or a reputation that is not from 0 to 1. */
export function coldStartOf(given: Partial<ColdStart> = {}): ColdStart {
  const coldStart = { ...DEFAULT_COLD_START, ...given }
  within('coldStart.tasks', coldStart.tasks, Number.MAX_SAFE_INTEGER)
  within('coldStart.reputation', coldStart.reputation, 1)
  return coldStart
}

export function within(name: string, value: unknown, most: number): number {
  if (typeof value === 'number' && value >= 0 && value <= most) return value
  throw new RangeError(`${name}: expected a number from 0 to ${most}, got ${String(value)}`)
}

/** The formula in words and numbers, so that others can compute the same scores. */
export function profileOf({ weights, fields, coldStart }: Ranking): RankingProfile {
  return {
    formula:
      'score = tags * w.tags + text * w.text + reputation * w.reputation + availability * w.availability + rating * w.rating',
    weights,
    cold_start: coldStart,
    normalization: {
      tags: 'matched query tags / query tags; without query tags 0, and the other weights are multiplied by (sum of all weights) / (sum of the others)',
      text: 'sum over query words of idf * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * words / average words)), divided by the sum of idf * 2.2; idf = ln(1 + (cards - n + 0.5) / (n + 0.5))',
      reputation: `reputation, plus ${coldStart.reputation} for an agent with fewer than ${coldStart.tasks} completed tasks, 1 at the most`,
      availability: '1 when the agent is known to be online, else 0; at max_concurrent_tasks it is in no answer',
      rating: 'average rating from 0 to 1, 0 when unknown',
    },
    text: { k1: 1.2, b: 0.75, fields },
    defaults: QUERY_DEFAULTS,
    limits: QUERY_LIMITS,
  }
}

/** The formula of a directory without ranking options. */
export const DEFAULT_RANKING: RankingProfile = /* @__PURE__ */ profileOf({
  weights: DEFAULT_WEIGHTS,
  fields: DEFAULT_FIELDS,
  coldStart: DEFAULT_COLD_START,
})

/** The part of every card that some callers may see. */
export type Show = disclose.Rule['show']

/** A card as JSON, or a part of it. */
interface ShownCard {
  readonly bytes: Uint8Array
  readonly partial: boolean
}

/** The part of cards that the policy shows to a caller. Without a policy: the whole card. */
export function shownTo(policy: readonly disclose.Rule[] | undefined, caller: string | undefined): Show {
  return policy === undefined ? 'whole' : showFor(policy, caller)
}

/** The visible part of a stored card. Undefined when nothing is visible. */
export function partOf(bytes: Uint8Array, show: Show): ShownCard | undefined {
  if (show === 'whole') return { bytes, partial: false }
  const seen = disclose(bytes, [{ to: 'anyone', show }])
  return seen.refused ? undefined : { bytes: seen.bytes!, partial: seen.partial }
}

/**
 * Reduces the visible part to the requested fields. Adds the signature of the whole card if the card is partial only
 * because of the fields.
 */
export function withFields(
  shown: ShownCard,
  fields: readonly string[] | undefined,
): ShownCard & { readonly signature?: string } {
  if (fields === undefined) return shown
  const part = partialCard(shown.bytes, { fields })
  const signature = part.partial && !shown.partial ? jsonOf(shown.bytes).signature : undefined
  return {
    bytes: part.bytes!,
    partial: shown.partial || part.partial,
    ...(signature !== undefined && { signature }),
  }
}

// Limits how many results cards with the same text or from one source can take: anyone who makes a thousand keys has a
// thousand agents. Scores are unchanged, and the response says what was grouped or left out.

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
