/**
 * The search index: agent cards in, the best of them for a query out.
 * @module
 */
import { Fault } from '../wasm/json.ts'
import { type CardRecord, type Hit, RankIndex, type Signals, type Statistics } from '../wasm/rank.ts'
import {
  accepted,
  canBeId,
  checkBytes,
  checkRecord,
  checkSignals,
  checkStatistics,
  checkWeights,
  integer,
  within,
} from './index-checks.ts'
import { DEFAULT_WEIGHTS, type Query, questionOf } from './index-query.ts'

/** What a card's text can be made of. `tools` are the tools' names and descriptions. */
export type TextMember = 'name' | 'description' | 'skills' | 'tools'

export interface IndexOptions {
  /** What a card's text is made of: description and skills when absent, as ADP's baseline has it. */
  readonly text?: readonly TextMember[]
}

export type Added = { readonly ok: true; readonly replaced: boolean } | { readonly ok: false; readonly fault: Fault }

export type Loaded =
  | { readonly ok: true; readonly index: SearchIndex }
  /** `chunk`: the number of the one at fault, from 0. */
  | { readonly ok: false; readonly fault: Fault; readonly chunk: number }

const MEMBERS: Record<TextMember, number> = { name: 1, description: 2, skills: 4, tools: 8 }
const DEFAULT_TEXT: readonly TextMember[] = ['description', 'skills']
const NO_SIGNALS: Signals = {}

const NEW: Added = { ok: true, replaced: false }
const REPLACED: Added = { ok: true, replaced: true }

/** Changes below this are never worth a merge. */
const LEAST_CHANGES = 1000
/** Memory may double, and then some, before removed cards are looked for in it. */
const LEAST_GROWTH = 16 << 20
const CHUNK_BYTES = 1 << 20

const RANK_ORDER = -72

export class SearchIndex {
  #index: RankIndex
  /** Cards, and bytes of memory, when the index was last built or merged. */
  #baseCards = 0
  #baseBytes = 0
  /** Cards added or removed since. */
  #changes = 0
  #removals = 0

  /** @internal */
  constructor(index: RankIndex) {
    this.#index = index
    this.#settle()
  }

  /** Cards in the index, excluded ones too. */
  get size(): number {
    return this.#index.size
  }

  /** Bytes of WebAssembly memory that it has; they go when the index does. */
  get memoryBytes(): number {
    return this.#index.memoryBytes
  }

  /**
   * Indexes a card from its bytes (JSON, at most 65,535), in place of the one with the same id. Signals that are absent stay as
   * they were; those of a new agent are 0, and it is not excluded. A fault leaves the index as it was.
   *
   * @example
   * index.add(bytes('{"id":"agent://a","name":"a","skills":["nlp/translation"]}'), { reputation: 0.5 }) // { ok: true, replaced: false }
   *
   * @throws {RangeError} for a signal that is not a number from 0 to 1.
   */
  add(card: Uint8Array, signals: Signals = NO_SIGNALS): Added {
    checkBytes('card', card)
    checkSignals(signals)
    return this.#added(this.#index.addCard(card, signals))
  }

  /**
   * `add` for what was read from a card already: its tags, its words, its text.
   *
   * @example
   * index.addRecord({ id: 'agent://a', tags: ['nlp/translation'], words: ['übersetzung'] }) // { ok: true, replaced: false }
   *
   * @throws {TypeError | RangeError} for an id that is not a string, a lone surrogate in it, or a signal out of range.
   */
  addRecord(card: CardRecord, signals: Signals = NO_SIGNALS): Added {
    checkRecord(card)
    checkSignals(signals)
    return this.#added(this.#index.addRecord(card, signals))
  }

  /**
   * `add` for many cards.
   *
   * @example
   * index.addMany([[bytes('{"id":"agent://a"}'), { rating: 1 }], [bytes('{}'), {}]])
   * // [{ ok: true, replaced: false }, { ok: false, fault: Fault { code: -60, offset: 0 } }]
   */
  addMany(cards: Iterable<readonly [card: Uint8Array, signals?: Signals]>): Added[] {
    const outcomes: Added[] = []
    for (const [card, signals = NO_SIGNALS] of cards) {
      checkBytes('card', card)
      checkSignals(signals)
      outcomes.push(this.#note(this.#index.addCard(card, signals)))
    }
    this.#mergeIfLarge()
    return outcomes
  }

  /** Removes a card; whether there was one. */
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
   * Changes an agent's signals, of which absent ones stay as they are; whether there is such an agent.
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
   * The best hits, best first; hits of equal score by id, in UTF-16 order. A hit has one of the tags or one of the words; without
   * tags and words every agent is one. Excluded agents are none.
   *
   * @example
   * index.query({ tags: ['nlp'], text: 'translate contracts', limit: 1 })
   * // [{ id: 'agent://a', score: 0.4, factors: { tags: 1, text: 0, reputation: 0.5, ... }, matchedTags: ['nlp'] }]
   *
   * @throws {TypeError | RangeError} for arguments out of bounds.
   */
  query(query: Query): Hit[] {
    const question = questionOf(query)
    const { limit = 10, minScore = 0, statistics } = query
    integer('limit', limit, 0, 1000)
    within('minScore', minScore, -1000, 1000)
    const weights = query.weights === undefined ? DEFAULT_WEIGHTS : { ...DEFAULT_WEIGHTS, ...query.weights }
    checkWeights(weights)
    if (statistics !== undefined) checkStatistics(statistics)
    this.#mergeIfDue()
    return accepted(this.#index.query(question, limit, minScore, weights, statistics))
  }

  /**
   * What this index would tell other shards about a query.
   *
   * @example
   * index.statistics({ text: 'translate contracts' }) // { documents: 2, length: 31, frequencies: [1, 0] }
   *
   * @throws {TypeError | RangeError} for arguments out of bounds.
   */
  statistics(query: Pick<Query, 'tags' | 'words' | 'text'>): Statistics {
    return accepted(this.#index.statistics(questionOf(query)))
  }

  /**
   * Builds the index again without what removed cards left behind. A query does it by itself when as many cards as a tenth of the
   * index were added or removed since the last time.
   *
   * @throws {RangeError} when the host has no memory for a second index; the first stays as it is.
   */
  merge(): void {
    const merged = new RankIndex(0)
    for (const chunk of this.#index.chunks(CHUNK_BYTES)) accepted(merged.load(chunk))
    this.#index = merged
    this.#settle()
  }

  /**
   * The index in chunks of at most `chunkBytes` (1 MiB when absent, at least 4096), for `loadIndex`.
   *
   * @throws {RangeError} for a size out of bounds, or when the host has no more memory.
   */
  save(options: { readonly chunkBytes?: number } = {}): Uint8Array[] {
    const { chunkBytes = CHUNK_BYTES } = options
    integer('chunkBytes', chunkBytes, 4096, 1 << 24)
    return Array.from(this.#index.chunks(chunkBytes), (chunk) => chunk.slice())
  }

  #added(answer: boolean | Fault): Added {
    const outcome = this.#note(answer)
    this.#mergeIfLarge()
    return outcome
  }

  #note(answer: boolean | Fault): Added {
    if (answer instanceof Fault) return { ok: false, fault: answer }
    this.#changes++
    if (answer) this.#removals++
    return answer ? REPLACED : NEW
  }

  #settle(): void {
    this.#baseCards = this.#index.size
    this.#baseBytes = this.#index.bytes
    this.#changes = 0
    this.#removals = 0
  }

  /** Cards with ever new words, replaced over and over, would fill the memory before they are many. */
  #mergeIfLarge(): void {
    if (this.#removals > 0 && this.#index.bytes > 2 * this.#baseBytes + LEAST_GROWTH) this.#mergeIfPossible()
  }

  /** Merged when asked, not when changed: however many cards come in a row, they are merged once. */
  #mergeIfDue(): void {
    if (this.#changes > Math.max(LEAST_CHANGES, this.#baseCards / 10)) this.#mergeIfPossible()
  }

  #mergeIfPossible(): void {
    try {
      this.merge()
    } catch {
      // No memory for a second index: this one serves on, and asks again after as many changes.
      this.#settle()
    }
  }
}

/**
 * A new, empty index.
 *
 * @example
 * const index = createIndex({ text: ['name', 'description', 'skills'] })
 *
 * @throws {RangeError} for a text member that does not exist.
 */
export function createIndex(options: IndexOptions = {}): SearchIndex {
  let members = 0
  for (const member of options.text ?? DEFAULT_TEXT) {
    const bit = Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined
    if (bit === undefined) throw new RangeError(`text: expected name, description, skills or tools, got ${member}`)
    members |= bit
  }
  return new SearchIndex(new RankIndex(members))
}

/**
 * The index that `save` wrote, or what is wrong with its chunks. It goes on as if it had never been saved.
 *
 * @example
 * const loaded = loadIndex(index.save())
 * if (loaded.ok) loaded.index.size // index.size
 */
export function loadIndex(chunks: Iterable<Uint8Array>): Loaded {
  const index = new RankIndex(0)
  let number = 0
  let complete = false
  for (const chunk of chunks) {
    checkBytes('chunks', chunk)
    // A chunk behind the last one belongs to nothing.
    const answer: boolean | Fault = complete ? new Fault(RANK_ORDER, 0, -1) : index.load(chunk)
    if (answer instanceof Fault) return { ok: false, fault: answer, chunk: number }
    complete = answer
    number++
  }
  if (!complete) return { ok: false, fault: new Fault(RANK_ORDER, 0, -1), chunk: number }
  return { ok: true, index: new SearchIndex(index) }
}
