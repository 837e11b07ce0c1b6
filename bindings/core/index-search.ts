/**
 * The search index: holds agent cards and finds the best ones for a query.
 * @module
 */
import { NO_MEMORY, RANK_ORDER, RANK_STATISTICS } from '../wasm/faults.ts'
import { type Instance, isWellFormed } from '../wasm/instance.ts'
import { Fault } from '../wasm/json.ts'
import {
  addRecord,
  type CardRecord,
  chunksOf,
  type Factors,
  findHits,
  type Hit,
  loadChunk,
  openIndex,
  type Signals,
  type Statistics,
  setSignals,
  statisticsOf,
  type Terms,
} from '../wasm/rank.ts'
import { checkTexts, nameOf } from './pattern-findings.ts'

export type AddResult =
  | { readonly ok: true; readonly replaced: boolean }
  | { readonly ok: false; readonly fault: Fault }

export declare namespace loadIndex {
  type Result =
    | { readonly ok: true; readonly index: SearchIndex }
    /** `chunk`: the number of the faulty chunk, from 0. */
    | { readonly ok: false; readonly fault: Fault; readonly chunk: number }
}

const NO_SIGNALS: Signals = {}

const NEW: AddResult = { ok: true, replaced: false }
const REPLACED: AddResult = { ok: true, replaced: true }

/** Fewer changes are not worth a merge. */
const LEAST_CHANGES = 1000
/** Merges to free the memory of removed cards once memory has doubled and grown by this much more. */
const LEAST_GROWTH = 16 << 20
const CHUNK_BYTES = 1 << 20

export declare namespace SearchIndex {
  type Card = CardRecord
}

export class SearchIndex {
  /** An instance of the core that only this index uses. */
  #core: Instance
  /** The number of cards and the bytes of memory when the index was last built or merged. */
  #baseCards = 0
  #baseBytes = 0
  /** The number of cards added or removed since then. */
  #changes = 0
  #removals = 0

  /** @internal */
  constructor(core: Instance) {
    this.#core = core
    this.#settle()
  }

  /** The number of cards in the index, including excluded ones. */
  get size(): number {
    return this.#core.exports.indexSize()
  }

  /** The size of its WebAssembly memory, which is freed together with the index. */
  get memoryBytes(): number {
    return this.#core.exports.memory.buffer.byteLength
  }

  /**
   * Indexes a card and replaces the one with the same id. The card's reader supplies the tags, the words and the text.
   * Absent signals keep their values; a new agent starts with 0 and is not excluded. After a fault the index is
   * unchanged.
   *
   * @example
   * index.addRecord({ id: 'agent://a', words: ['übersetzung'] }) // { ok: true, replaced: false }
   *
   * @throws {TypeError | RangeError} for an id that is not a string or has a lone surrogate, or a signal out of range.
   */
  addRecord(card: CardRecord, signals: Signals = NO_SIGNALS): AddResult {
    checkId(card.id)
    checkTerms(card)
    checkSignals(signals)
    const answer = addRecord(this.#core, card, signals)
    if (answer instanceof Fault) return { ok: false, fault: answer }
    this.#changes++
    if (answer) this.#removals++
    this.#mergeIfLarge()
    return answer ? REPLACED : NEW
  }

  /** Removes a card; true when the index had it. */
  remove(id: string): boolean {
    const removed = canBeId(id) && this.#core.exports.indexRemove(this.#core.writeText(id)) === 1
    if (removed) {
      this.#changes++
      this.#removals++
      this.#mergeIfLarge()
    }
    return removed
  }

  /**
   * Changes an agent's signals, except absent ones; true when the index has the agent.
   *
   * @throws {RangeError} for a signal that is not a number from 0 to 1.
   */
  setSignals(id: string, signals: Signals): boolean {
    checkSignals(signals)
    return canBeId(id) && setSignals(this.#core, id, signals)
  }

  has(id: string): boolean {
    return canBeId(id) && this.#core.exports.indexHas(this.#core.writeText(id)) === 1
  }

  /**
   * Finds the best hits, best first; hits with equal scores are ordered by id, in UTF-16 order. A hit has one of the
   * tags or one of the words; without tags and words every agent is a hit. Excluded agents are never hits.
   *
   * @example
   * index.query({ tags: ['nlp'], text: 'translate contracts', limit: 1 })
   * // [{ id: 'agent://a', score: 0.4, factors: { tags: 1, text: 0, reputation: 0.5, ... }, matchedTags: ['nlp'] }]
   *
   * @throws {TypeError | RangeError} for arguments out of bounds.
   */
  query(query: Query): Hit[] {
    checkQuery(query)
    const { limit = 10, minScore = 0, statistics } = query
    integer('limit', limit, 0, 1000)
    within('minScore', minScore, -1000, 1000)
    const weights = query.weights === undefined ? DEFAULT_WEIGHTS : { ...DEFAULT_WEIGHTS, ...query.weights }
    checkWeights(weights)
    if (statistics !== undefined) checkStatistics(statistics)
    this.#mergeIfDue()
    return accepted(findHits(this.#core, query, { limit, minScore, weights }))
  }

  /**
   * This index's statistics for a query over several shards.
   *
   * @example
   * index.statistics({ text: 'translate contracts' }) // { documents: 2, length: 31, frequencies: [1, 0] }
   *
   * @throws {TypeError | RangeError} for arguments out of bounds.
   */
  statistics(query: Pick<Query, 'tags' | 'words' | 'text'>): Statistics {
    checkQuery(query)
    return accepted(statisticsOf(this.#core, query))
  }

  /**
   * Rebuilds the index without the remains of removed cards. A query does this automatically once the number of cards
   * added or removed since the last merge exceeds a tenth of the index.
   *
   * @throws {RangeError} when the host lacks memory for a second index; the first stays as it is.
   */
  merge(): void {
    const merged = openIndex()
    for (const chunk of chunksOf(this.#core, CHUNK_BYTES)) accepted(loadChunk(merged, chunk))
    this.#core = merged
    this.#settle()
  }

  /**
   * Saves the index in chunks of at most `chunkBytes` (default 1 MiB, at least 4096), for `loadIndex`.
   *
   * @throws {RangeError} for a size out of bounds, or when the host has no more memory.
   */
  save(options: { readonly chunkBytes?: number } = {}): Uint8Array[] {
    const { chunkBytes = CHUNK_BYTES } = options
    integer('chunkBytes', chunkBytes, 4096, 1 << 24)
    return Array.from(chunksOf(this.#core, chunkBytes), (chunk) => chunk.slice())
  }

  /** The bytes of memory that the index uses; the whole memory never shrinks. */
  get #usedBytes(): number {
    return this.#core.exports.indexBytes() >>> 0
  }

  #settle(): void {
    this.#baseCards = this.size
    this.#baseBytes = this.#usedBytes
    this.#changes = 0
    this.#removals = 0
  }

  /** Cards that are replaced over and over would fill the memory even when there are only few of them. */
  #mergeIfLarge(): void {
    if (this.#removals > 0 && this.#usedBytes > 2 * this.#baseBytes + LEAST_GROWTH) this.#mergeIfPossible()
  }

  /** Merges before a query, not after a change: any number of consecutive changes costs only one merge. */
  #mergeIfDue(): void {
    if (this.#changes > Math.max(LEAST_CHANGES, this.#baseCards / 10)) this.#mergeIfPossible()
  }

  #mergeIfPossible(): void {
    try {
      this.merge()
    } catch {
      // No memory for a second index: keeps this one, and tries again after as many changes.
      this.#settle()
    }
  }
}

/**
 * Creates an empty index.
 *
 * @example
 * const index = createIndex()
 */
export function createIndex(): SearchIndex {
  return new SearchIndex(openIndex())
}

/**
 * Loads an index from `save`, or returns the fault of its chunks. The index behaves as if it had never been saved.
 *
 * @example
 * const loaded = loadIndex(index.save())
 * if (loaded.ok) loaded.index.size // index.size
 */
export function loadIndex(chunks: Iterable<Uint8Array>): loadIndex.Result {
  const core = openIndex()
  let number = 0
  let complete = false
  for (const chunk of chunks) {
    checkBytes('chunks', chunk)
    // No chunk may follow the last one.
    const answer: boolean | Fault = complete ? new Fault(RANK_ORDER, 0, -1) : loadChunk(core, chunk)
    if (answer instanceof Fault) return { ok: false, fault: answer, chunk: number }
    complete = answer
    number++
  }
  if (!complete) return { ok: false, fault: new Fault(RANK_ORDER, 0, -1), chunk: number }
  return { ok: true, index: new SearchIndex(core) }
}

// Validates arguments. Errors name the argument, what was expected and what was passed.

const MOST_TAGS = 32
const LONGEST_ID = 2048
const MOST_WEIGHT = 1000
const MOST_COUNT = 2 ** 40
const NONE: readonly string[] = []

const got = (value: unknown) => (typeof value === 'number' ? String(value) : nameOf(value))

function checkBytes(name: string, value: unknown): void {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name}: expected a Uint8Array, got ${got(value)}`)
}

function integer(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new RangeError(`${name}: expected an integer from ${least} to ${most}, got ${got(value)}`)
  }
}

function within(name: string, value: unknown, least: number, most: number): void {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new RangeError(`${name}: expected a number from ${least} to ${most}, got ${got(value)}`)
  }
}

/** True for a valid card id: within the core's limit and without a lone surrogate, which has no UTF-8 form. */
function canBeId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= LONGEST_ID && isWellFormed(id)
}

function checkId(id: unknown): void {
  if (typeof id !== 'string') throw new TypeError(`id: expected a string, got ${got(id)}`)
  if (!isWellFormed(id)) {
    throw new RangeError(`id: expected well-formed text, got a lone surrogate in ${JSON.stringify(id.slice(0, 80))}`)
  }
}

function checkQuery(query: Terms): void {
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

function checkSignals({ reputation, availability, rating, excluded }: Signals): void {
  if (reputation !== undefined) within('reputation', reputation, 0, 1)
  if (availability !== undefined) within('availability', availability, 0, 1)
  if (rating !== undefined) within('rating', rating, 0, 1)
  if (excluded !== undefined && typeof excluded !== 'boolean') {
    throw new TypeError(`excluded: expected a boolean, got ${got(excluded)}`)
  }
}

function checkWeights(weights: Factors): void {
  within('weights.tags', weights.tags, 0, MOST_WEIGHT)
  within('weights.text', weights.text, 0, MOST_WEIGHT)
  within('weights.reputation', weights.reputation, 0, MOST_WEIGHT)
  within('weights.availability', weights.availability, 0, MOST_WEIGHT)
  within('weights.rating', weights.rating, 0, MOST_WEIGHT)
}

function checkStatistics({ documents, length, frequencies }: Statistics): void {
  within('statistics.documents', documents, 0, MOST_COUNT)
  within('statistics.length', length, 0, MOST_COUNT)
  for (const frequency of frequencies) within('statistics.frequencies', frequency, 0, documents)
}

/** Returns the core's answer, or throws a RangeError when the core refused the query. */
function accepted<T>(answer: T | Fault): T {
  if (!(answer instanceof Fault)) return answer
  if (answer.code === NO_MEMORY) throw new RangeError('the host gives the core no more memory')
  if (answer.code === RANK_STATISTICS) throw new RangeError('statistics: expected those of this very query, got others')
  throw new RangeError('query: expected 65535 bytes at the most, got more')
}

export interface Query {
  /** Tags: `nlp/translation`; `nlp` or `nlp/*` also matches everything below. At most 32. */
  readonly tags?: readonly string[]
  /** Prepared words, compared exactly. Together with the words of the text, the first 256 different ones count. */
  readonly words?: readonly string[]
  readonly text?: string
  /** The most hits to return; default 10, maximum 1000. */
  readonly limit?: number
  /** The lowest score of a hit; default 0. */
  readonly minScore?: number
  /** The weight of each factor, from 0 to 1000; default: those of `DEFAULT_WEIGHTS`. */
  readonly weights?: Partial<Factors>
  /**
   * Statistics that replace the index's own: with the `sumStatistics` of all shards, the shards answer like one index.
   */
  readonly statistics?: Statistics
}

/** https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-5 */
export const DEFAULT_WEIGHTS: Factors = { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 }

/**
 * Combines the statistics of several shards for a query. With them each shard answers like a part of one index, and the
 * best of all their hits are the hits of that index.
 *
 * @example
 * const statistics = sumStatistics(shards.map((shard) => shard.statistics(query)))
 * const hits = shards.flatMap((shard) => shard.query({ ...query, statistics }))
 *
 * @throws {RangeError} when the list is empty, or the statistics are for different queries.
 */
export function sumStatistics(parts: readonly Statistics[]): Statistics {
  const [first] = parts
  if (first === undefined) throw new RangeError('parts: expected the statistics of one shard at least, got none')
  const words = first.frequencies.length
  if (parts.some((part) => part.frequencies.length !== words)) {
    throw new RangeError('parts: expected statistics of the same query, got different numbers of words')
  }
  const sum = (of: (part: Statistics) => number) => parts.reduce((total, part) => total + of(part), 0)
  return {
    documents: sum((part) => part.documents),
    length: sum((part) => part.length),
    frequencies: first.frequencies.map((_, i) => sum((part) => part.frequencies[i] as number)),
  }
}
