/**
 * Validates the arguments of the search index. Errors name the argument, what was expected and what was passed.
 * @module
 */
import { NO_MEMORY, RANK_STATISTICS } from '../wasm/faults.ts'
import { Fault } from '../wasm/json.ts'
import type { CardRecord, Factors, Signals, Statistics, Terms } from '../wasm/rank.ts'
import { isWellFormed } from '../wasm/utf8.ts'
import { checkTexts, nameOf } from './pattern-arguments.ts'

const MOST_TAGS = 32
const LONGEST_ID = 2048
const MOST_WEIGHT = 1000
const MOST_COUNT = 2 ** 40
const NONE: readonly string[] = []

const got = (value: unknown) => (typeof value === 'number' ? String(value) : nameOf(value))

export function checkBytes(name: string, value: unknown): void {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name}: expected a Uint8Array, got ${got(value)}`)
}

export function integer(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new RangeError(`${name}: expected an integer from ${least} to ${most}, got ${got(value)}`)
  }
}

export function within(name: string, value: unknown, least: number, most: number): void {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new RangeError(`${name}: expected a number from ${least} to ${most}, got ${got(value)}`)
  }
}

/** True for a valid card id: within the core's limit and without a lone surrogate, which has no UTF-8 form. */
export function canBeId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= LONGEST_ID && isWellFormed(id)
}

function checkId(id: unknown): void {
  if (typeof id !== 'string') throw new TypeError(`id: expected a string, got ${got(id)}`)
  if (!isWellFormed(id)) {
    throw new RangeError(`id: expected well-formed text, got a lone surrogate in ${JSON.stringify(id.slice(0, 80))}`)
  }
}

export function checkRecord(card: CardRecord): void {
  checkId(card.id)
  checkTerms(card)
}

export function checkQuery(query: Terms): void {
  if (typeof query !== 'object' || query === null) throw new TypeError(`query: expected an object, got ${got(query)}`)
  checkTerms(query)
  const { tags = NONE } = query
  if (tags.length > MOST_TAGS) throw new RangeError(`tags: expected ${MOST_TAGS} at the most, got ${tags.length}`)
}

function checkTerms({ tags = NONE, words = NONE, text = '' }: Terms): void {
  checkTexts('tags', tags)
  checkTexts('words', words)
  if (typeof text !== 'string') throw new TypeError(`text: expected a string, got ${got(text)}`)
}

export function checkSignals({ reputation, availability, rating, excluded }: Signals): void {
  if (reputation !== undefined) within('reputation', reputation, 0, 1)
  if (availability !== undefined) within('availability', availability, 0, 1)
  if (rating !== undefined) within('rating', rating, 0, 1)
  if (excluded !== undefined && typeof excluded !== 'boolean') {
    throw new TypeError(`excluded: expected a boolean, got ${got(excluded)}`)
  }
}

export function checkWeights(weights: Factors): void {
  within('weights.tags', weights.tags, 0, MOST_WEIGHT)
  within('weights.text', weights.text, 0, MOST_WEIGHT)
  within('weights.reputation', weights.reputation, 0, MOST_WEIGHT)
  within('weights.availability', weights.availability, 0, MOST_WEIGHT)
  within('weights.rating', weights.rating, 0, MOST_WEIGHT)
}

export function checkStatistics({ documents, length, frequencies }: Statistics): void {
  within('statistics.documents', documents, 0, MOST_COUNT)
  within('statistics.length', length, 0, MOST_COUNT)
  for (const frequency of frequencies) within('statistics.frequencies', frequency, 0, documents)
}

/** Returns the core's answer, or throws a RangeError when the core refused the query. */
export function accepted<T>(answer: T | Fault): T {
  if (!(answer instanceof Fault)) return answer
  if (answer.code === NO_MEMORY) throw new RangeError('the host gives the core no more memory')
  if (answer.code === RANK_STATISTICS) throw new RangeError('statistics: expected those of this very query, got others')
  throw new RangeError('query: expected 65535 bytes at the most, got more')
}
