// Converts hits of the index to results: the card, the tags that matched, and why.
import { matchTag } from '../card/tags/match.ts'
import type { AgentCard } from '../card/types.ts'
import type { Factors } from '../core/index.ts'
import { quoted } from '../text/words.ts'
import type { Hit } from '../wasm/rank.ts'
import type { Question } from './question.ts'
import type { Ranking } from './ranking.ts'
import { cardWords, tagsOf } from './record.ts'
import type { ShownCard } from './shown.ts'
import type { Standing, StoredCard } from './stored.ts'
import type { AgentSignals, FactorShare, SearchResult } from './types.ts'

const decoder = new TextDecoder()

/** The JSON value of a stored card. Strict parsing has validated it before. */
export const jsonOf = (bytes: Uint8Array): AgentCard => JSON.parse(decoder.decode(bytes))

/** True when there is more evidence of the card's origin than an operator's word. */
const isVerified = (standing: Standing): boolean => standing !== 'token' && standing !== 'none'

/** Everything that explanations need in addition to the hit. */
export interface Background extends Ranking {
  readonly question: Question
  /** The words that were searched for. */
  readonly sought: readonly string[]
  readonly signals: (id: string) => AgentSignals
}

/** Builds the result of a hit. With a background, the result is explained. */
export function resultOf(
  hit: Hit,
  stored: StoredCard,
  { bytes, partial }: ShownCard,
  { tags }: Question,
  background: Background | undefined,
): SearchResult {
  const card = jsonOf(bytes)
  const matched = matchedTags(card, tags)
  return {
    agent_card: card,
    score: hit.score,
    matched_tags: matched,
    standing: stored.standing,
    verified: isVerified(stored.standing),
    equivocations: stored.equivocations.length,
    // A number cannot hold an integer beyond 2^53 - 1.
    ...(Number(card.seq) > Number.MAX_SAFE_INTEGER && { seq: String(stored.seq) }),
    ...(partial && { partial }),
    ...(background && { factors: hit.factors, why: explain(hit, card, matched, background) }),
  }
}

/** The agent's tags that match, in the agent's spelling, in the order of the query. */
function matchedTags({ skills = [] }: AgentCard, asked: readonly string[]): string[] {
  if (asked.length === 0) return []
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
  { question, sought, fields, coldStart, signals }: Background,
): Record<keyof Factors, string> {
  const { reputation, rating, completedTasks = 0, online } = signals(id)
  const written = new Map<string, string>()
  const words = new Set(question.hasText ? cardWords(card, fields, written) : [])
  const found = sought.filter((word) => words.has(word))
  const isNew = completedTasks < coldStart.tasks
  const known = (value: number | undefined) => (value === undefined ? 'unknown' : value.toFixed(TENTHS))
  return {
    tags:
      question.tags.length === 0
        ? 'no tag is asked for: the other factors share the weight'
        : `${served.length} of ${question.tags.length} tags match${listed(matched)}`,
    text: question.hasText
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
