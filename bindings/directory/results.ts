// Converts hits of the index to results: the card, the tags that matched, and why.

import type { AgentCard } from '../card/subject.ts'
import { matchTag } from '../card/tags.ts'
import type { Factors } from '../core/index.ts'
import { quoted } from '../text/words.ts'
import type { Hit } from '../wasm/rank.ts'
import type { Ranking } from './ranking.ts'
import { cardWords, tagsOf } from './record.ts'
import type { ShownCard } from './shown.ts'
import type { Standing, StoredCard } from './stored.ts'
import type { AgentSignals, FactorShare, IndexQuery, SearchResult } from './types.ts'

const decoder = new TextDecoder()

/** The JSON value of a stored card. Strict parsing has validated it before. */
export const jsonOf = (bytes: Uint8Array): AgentCard => JSON.parse(decoder.decode(bytes))

/** The name in a card. */
export const nameIn = ({ bytes }: ShownCard): string => jsonOf(bytes).name

/** True when there is more evidence of the card's origin than an operator's word. */
const isVerified = (standing: Standing): boolean => standing !== 'token' && standing !== 'none'

/** Everything that explanations need in addition to the hit. */
export interface Background extends Ranking {
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
  const known = (value: number | undefined) => (value === undefined ? 'unknown' : value.toFixed(TENTHS))
  return {
    tags:
      query.tags.length === 0
        ? 'no tag is asked for: the other factors share the weight'
        : `${served.length} of ${query.tags.length} tags match${listed(matched)}`,
    text: query.hasText
      ? `${found.length} of ${sought.length} words are in the card${listed(found.map((word) => written.get(word) ?? word))}`
      : 'no text is asked for',
    reputation: isNew ? `${known(reputation)}, and ${coldStart.reputation} for a new agent` : known(reputation),
    availability: online === true ? 'online' : 'not known to be online',
    rating: factors.rating === 0 ? known(rating) : factors.rating.toFixed(TENTHS),
  }
}

const MOST_LISTED = 8

function listed(words: readonly string[]): string {
  if (words.length === 0) return ''
  const more = words.length > MOST_LISTED ? ', …' : ''
  return `: ${words.slice(0, MOST_LISTED).map(quoted).join(', ')}${more}`
}
