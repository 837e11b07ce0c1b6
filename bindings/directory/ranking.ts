// The ranking formula of section 5, as this directory applies it.
import { DEFAULT_WEIGHTS, type Factors } from '../core/index.ts'
import { QUERY_DEFAULTS, QUERY_LIMITS } from './query.ts'

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
