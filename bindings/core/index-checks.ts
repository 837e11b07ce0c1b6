/**
 * Arguments of the search index: wrong ones throw, naming the argument, what was expected and what came.
 * @module
 */
import { Fault } from '../wasm/json.ts'
import type { Factors, Signals, Statistics } from '../wasm/rank.ts'

const MOST_TAGS = 32
/** The core takes 65,535 bytes; as many units never have fewer. */
const MOST_UNITS = 65_535
const MOST_WEIGHT = 1000
const LONE_SURROGATE = /\p{Surrogate}/u

function got(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : typeof value
}

export function checkBytes(name: string, value: unknown): void {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name}: expected a Uint8Array, got ${got(value)}`)
}

export function integer(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new RangeError(`${name}: expected an integer from ${least} to ${most}, got ${got(value)}`)
  }
}

function between(name: string, value: unknown, most: number): void {
  if (typeof value !== 'number' || !(value >= 0 && value <= most)) {
    throw new RangeError(`${name}: expected a number from 0 to ${most}, got ${got(value)}`)
  }
}

/** Lone surrogates have no UTF-8: no card can have such an id. */
export function isWellFormed(id: string): boolean {
  return typeof id === 'string' && !LONE_SURROGATE.test(id)
}

export function checkId(id: unknown): void {
  if (typeof id !== 'string') throw new TypeError(`id: expected a string, got ${got(id)}`)
  if (!isWellFormed(id))
    throw new RangeError(`id: expected well-formed text, got a lone surrogate in ${JSON.stringify(id)}`)
}

export function checkSignals({ reputation, availability, rating, excluded }: Signals): void {
  if (reputation !== undefined) between('reputation', reputation, 1)
  if (availability !== undefined) between('availability', availability, 1)
  if (rating !== undefined) between('rating', rating, 1)
  if (excluded !== undefined && typeof excluded !== 'boolean') {
    throw new TypeError(`excluded: expected a boolean, got ${got(excluded)}`)
  }
}

export function checkWeights(weights: Factors): void {
  between('weights.tags', weights.tags, MOST_WEIGHT)
  between('weights.text', weights.text, MOST_WEIGHT)
  between('weights.reputation', weights.reputation, MOST_WEIGHT)
  between('weights.availability', weights.availability, MOST_WEIGHT)
  between('weights.rating', weights.rating, MOST_WEIGHT)
}

export function checkStatistics({ documents, length, frequencies }: Statistics): void {
  between('statistics.documents', documents, 2 ** 40)
  between('statistics.length', length, 2 ** 40)
  for (const frequency of frequencies) between('statistics.frequencies', frequency, documents)
}

export function checkQuestion(tags: readonly string[], words: readonly string[], text: string): void {
  if (typeof text !== 'string') throw new TypeError(`text: expected a string, got ${got(text)}`)
  if (tags.length > MOST_TAGS) throw new RangeError(`tags: expected ${MOST_TAGS} at the most, got ${tags.length}`)
  let units = text.length
  for (const tag of tags) {
    if (typeof tag !== 'string') throw new TypeError(`tags: expected strings, got ${got(tag)}`)
    units += tag.length
  }
  for (const word of words) {
    if (typeof word !== 'string') throw new TypeError(`words: expected strings, got ${got(word)}`)
    units += word.length
  }
  if (units > MOST_UNITS) throw new RangeError(`query: expected ${MOST_UNITS} bytes at the most, got more`)
}

/** What the core answers; where it refuses what was asked, a RangeError. */
export function accepted<T>(answer: T | Fault): T {
  if (!(answer instanceof Fault)) return answer
  if (answer.code === -1) throw new RangeError('the host gives the core no more memory')
  throw new RangeError(`query: expected at most 65535 bytes, and statistics of this very query (${answer.code})`)
}
