/**
 * The search index: holds agent cards and finds the best ones for a query.
 * @module
 */
import { RANK_ORDER } from '../wasm/faults.ts'
import { Fault } from '../wasm/json.ts'
import { type CardRecord, type Hit, RankIndex, type Signals, type Statistics } from '../wasm/rank.ts'
import {
  accepted,
  canBeId,
  checkBytes,
  checkQuery,
  checkRecord,
  checkSignals,
  checkStatistics,
  checkWeights,
  integer,
  within,
} from './index-checks.ts'
import { DEFAULT_WEIGHTS, type Query } from './index-query.ts'

export type AddResult =
  | { readonly ok: true; readonly replaced: boolean }
  | { readonly ok: false; readonly fault: Fault }

export type LoadResult =
  | { readonly ok: true; readonly index: SearchIndex }
  /** `chunk`: the number of the faulty chunk, from 0. */
  | { readonly ok: false; readonly fault: Fault; readonly chunk: number }

const NO_SIGNALS: Signals = {}

const NEW: AddResult = { ok: true, replaced: false }
const REPLACED: AddResult = { ok: true, replaced: true }

/** Fewer changes are not worth a merge. */
const LEAST_CHANGES = 1000
/** Merges to free the memory of removed cards once memory has doubled and grown by this much more. */
const LEAST_GROWTH = 16 << 20
const CHUNK_BYTES = 1 << 20

export class SearchIndex {
  #index: RankIndex
  /** The number of cards and the bytes of memory when the index was last built or merged. */
  #baseCards = 0
  #baseBytes = 0
  /** The number of cards added or removed since then. */
  #changes = 0
  #removals = 0

  /** @internal */
  constructor(index: RankIndex) {
    this.#index = index
    this.#settle()
  }

  /** The number of cards in the index, including excluded ones. */
  get size(): number {
    return this.#index.size
  }

  /** The size of its WebAssembly memory, which is freed together with the index. */
  get memoryBytes(): number {
    return this.#index.memoryBytes
  }

  /**
   * Indexes a card and replaces the one with the same id. The card's reader supplies the tags, the words and the text.
   * Absent signals keep their values; a new agent starts with 0 and is not excluded. After a fault the index is
   * unchanged.
   *
   * @example
   * index.addRecord({ id: 'agent://a', tags: ['nlp/translation'], words: ['übersetzung'] }) // { ok: true, replaced:
   * false }
   *
   * @throws {TypeError | RangeError} for an id that is not a string or has a lone surrogate, or a signal out of range.
   */
  addRecord(card: CardRecord, signals: Signals = NO_SIGNALS): AddResult {
    checkRecord(card)
    checkSignals(signals)
    const answer = this.#index.addRecord(card, signals)
    if (answer instanceof Fault) return { ok: false, fault: answer }
    this.#changes++
    if (answer) this.#removals++
    this.#mergeIfLarge()
    return answer ? REPLACED : NEW
  }

  /** Removes a card; true when the index had it. */
  remove(id: string): boolean {
    const removed = canBeId(id) && this.#index.remove(id)
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
    return canBeId(id) && this.#index.setSignals(id, signals)
  }

  has(id: string): boolean {
    return canBeId(id) && this.#index.has(id)
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
    return accepted(this.#index.query(query, limit, minScore, weights, statistics))
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
    return accepted(this.#index.statistics(query))
  }

  /**
   * Rebuilds the index without the remains of removed cards. A query does this automatically once the number of cards
   * added or removed since the last merge exceeds a tenth of the index.
   *
   * @throws {RangeError} when the host lacks memory for a second index; the first stays as it is.
   */
  merge(): void {
    const merged = new RankIndex()
    for (const chunk of this.#index.chunks(CHUNK_BYTES)) accepted(merged.load(chunk))
    this.#index = merged
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
    return Array.from(this.#index.chunks(chunkBytes), (chunk) => chunk.slice())
  }

  #settle(): void {
    this.#baseCards = this.#index.size
    this.#baseBytes = this.#index.bytes
    this.#changes = 0
    this.#removals = 0
  }

  /** Cards that are replaced over and over would fill the memory even when there are only few of them. */
  #mergeIfLarge(): void {
    if (this.#removals > 0 && this.#index.bytes > 2 * this.#baseBytes + LEAST_GROWTH) this.#mergeIfPossible()
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
  return new SearchIndex(new RankIndex())
}

/**
 * Loads an index from `save`, or returns the fault of its chunks. The index behaves as if it had never been saved.
 *
 * @example
 * const loaded = loadIndex(index.save())
 * if (loaded.ok) loaded.index.size // index.size
 */
export function loadIndex(chunks: Iterable<Uint8Array>): LoadResult {
  const index = new RankIndex()
  let number = 0
  let complete = false
  for (const chunk of chunks) {
    checkBytes('chunks', chunk)
    // No chunk may follow the last one.
    const answer: boolean | Fault = complete ? new Fault(RANK_ORDER, 0, -1) : index.load(chunk)
    if (answer instanceof Fault) return { ok: false, fault: answer, chunk: number }
    complete = answer
    number++
  }
  if (!complete) return { ok: false, fault: new Fault(RANK_ORDER, 0, -1), chunk: number }
  return { ok: true, index: new SearchIndex(index) }
}
