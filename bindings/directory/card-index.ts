import type { AgentCard } from '../card/subject.ts'
import type { Factors } from '../core/index.ts'
import { createIndex, loadIndex } from '../core/index-search.ts'
import type { Hit, Signals } from '../wasm/rank.ts'
import { groupingKeyOf } from './grouping.ts'
import type { SoughtWord } from './question.ts'
import { cardWords, tagsOf } from './record.ts'
import { jsonOf } from './results.ts'
import type { Settings } from './settings.ts'
import { partOf, type Show } from './shown.ts'
import { readSnapshot, type Snapshot, writeSnapshot } from './snapshot.ts'
import { type CardStore, isFindable, type StoredCard } from './stored.ts'
import { Dictionary } from './text/dictionary.ts'
import type { AgentSignals, IndexQuery, QueryStatistics } from './types.ts'

/** How many cards are read from the store at a time. */
const PAGE = 1000
const NONE: readonly never[] = []

/** The settings of a search. */
export interface Search {
  readonly limit: number
  readonly weights: Factors
  /** Statistics of all shards together. Default: those of this index. */
  readonly statistics: QueryStatistics | undefined
}

/** A hit, and in a directory that groups, the grouping key of its card. */
export interface Candidate {
  readonly hit: Hit
  readonly groupingKey: string | undefined
}

/**
 * What is searched: the cards of the store that are neither expired nor revoked, the signals of their agents, and what
 * groups cards. Callers who may see only a part of cards get an index of that part, so hidden content cannot affect
 * results, their order, figures or corrections.
 */
export class CardIndex {
  readonly #settings: Settings
  readonly #show: Show
  /** Signals that were set. They override those of the source. */
  #signals: Map<string, AgentSignals>
  /** The indexes of parts, by the part as JSON. Each is built from the store at the first query. */
  readonly #parts = new Map<string, CardIndex>()
  /** The tags, words and signals of each card. */
  #index = createIndex()
  #dictionary = new Dictionary(this.#index)
  /** The grouping key of each card, in a directory that groups. */
  #groupingKeys = new Map<string, string>()
  /** Cards that had expired by this time are not in the index. */
  #checked = Number.NEGATIVE_INFINITY
  /** The next time at which a card in the index may expire. */
  #next = Number.POSITIVE_INFINITY

  constructor(settings: Settings, signals = new Map<string, AgentSignals>(), show: Show = 'whole') {
    this.#settings = settings
    this.#signals = signals
    this.#show = show
  }

  get memoryBytes(): number {
    return [...this.#parts.values()].reduce((sum, part) => sum + part.memoryBytes, this.#index.memoryBytes)
  }

  /** The index for callers who may see this of cards. */
  part(show: Show, now: number): CardIndex {
    if (show === 'whole') return this
    const name = JSON.stringify(show)
    let part = this.#parts.get(name)
    if (part === undefined) {
      part = new CardIndex(this.#settings, this.#signals, structuredClone(show))
      part.build(now)
      this.#parts.set(name, part)
    }
    return part
  }

  /** The number of cards that can be found. */
  size(now: number): number {
    this.#expire(now)
    return this.#index.size
  }

  /** Indexes all cards of the store. */
  build(now: number): void {
    this.#checked = now
    for (let after: string | undefined; ; ) {
      const page = this.#settings.store.list(after, PAGE)
      for (const stored of page) this.take(stored, now)
      after = page.at(-1)?.id
      if (page.length < PAGE || after === undefined) return
    }
  }

  /** Returns the index in chunks, for `load`. */
  save(now: number): Uint8Array[] {
    this.#expire(now)
    return writeSnapshot({
      ranking: this.#ranking,
      revision: this.#settings.store.revision,
      removals: this.#settings.store.removals,
      checked: this.#checked,
      signals: this.#signals,
      words: this.#dictionary.words(),
      groupingKeys: this.#groupingKeys,
      index: this.#index.save(),
    })
  }

  /**
   * Restores what `save` returned and applies later changes of the store. Returns false when the chunks cannot be used.
   * If the store has deleted cards since, only the signals are restored.
   */
  load(chunks: readonly Uint8Array[], now: number): boolean {
    const { store, signals } = this.#settings
    const saved = readSnapshot(chunks)
    if (saved === undefined || saved.ranking !== this.#ranking || saved.revision > store.revision) return false
    if (saved.removals !== store.removals) {
      this.#signals = new Map(signalsOfOthers(saved, store))
      return false
    }
    const loaded = loadIndex(saved.index)
    if (!loaded.ok) return false
    this.#index = loaded.index
    this.#dictionary = new Dictionary(loaded.index, saved.words)
    this.#groupingKeys = saved.groupingKeys
    this.#signals = saved.signals
    this.#checked = saved.checked
    this.#next = saved.checked
    for (const stored of store.since(saved.revision)) this.take(stored, now)
    for (const id of signals.known?.() ?? []) {
      const stored = store.get(id)
      if (stored !== undefined) this.#rate(stored)
    }
    this.#expire(now)
    return true
  }

  /**
   * Adds or replaces a card, or removes it if it must not be found. Returns false, with nothing changed, when there is
   * no room.
   */
  take(stored: StoredCard, now: number): boolean {
    if (!this.#take(stored, now)) return false
    for (const [name, part] of this.#parts) if (!part.take(stored, now)) this.#parts.delete(name)
    return true
  }

  #take(stored: StoredCard, now: number): boolean {
    const shown = isFindable(stored, now) ? partOf(stored.bytes, this.#show) : undefined
    if (shown === undefined) {
      this.#drop(stored.id)
      return true
    }
    this.#next = Math.min(this.#next, stored.expiresAt)
    // If the clock was set back, this card may expire before the time of the last check.
    this.#checked = Math.min(this.#checked, now)
    const card = jsonOf(shown.bytes)
    const words = cardWords(card, this.#settings.fields)
    const record = { id: card.id, tags: [...tagsOf(card.skills ?? []).keys()], words }
    const { ok } = this.#index.addRecord(record, this.#factors(card))
    if (!ok) return false
    this.#dictionary.add(words)
    // A partial card has no signature, so its grouping key must not reveal the signer either.
    const signer = shown.partial ? undefined : stored.signer
    if (this.#settings.grouping) this.#groupingKeys.set(card.id, groupingKeyOf(card, signer))
    return true
  }

  /** Removes a card. */
  drop(id: string): void {
    this.#drop(id)
    for (const part of this.#parts.values()) part.drop(id)
  }

  #drop(id: string): void {
    this.#index.remove(id)
    this.#groupingKeys.delete(id)
  }

  /** Removes a card and the signals of its agent. */
  forget(id: string): void {
    this.drop(id)
    this.#signals.delete(id)
  }

  signals(id: string): AgentSignals {
    return { ...this.#settings.signals.signals(id), ...this.#signals.get(id) }
  }

  /** Updates the signals of a card's agent. Absent signals stay unchanged. */
  setSignals(stored: StoredCard, signals: AgentSignals): void {
    this.#signals.set(stored.id, { ...this.#signals.get(stored.id), ...signals })
    for (const index of [this, ...this.#parts.values()]) index.#rate(stored)
  }

  #rate({ id, bytes }: StoredCard): void {
    if (this.#index.has(id)) this.#index.setSignals(id, this.#factors(jsonOf(partOf(bytes, this.#show)!.bytes)))
  }

  /** Statistics of this index about the words of a query. */
  statistics({ words }: IndexQuery, now: number): QueryStatistics {
    this.#expire(now)
    const { documents, length, frequencies } = this.#index.statistics({ words })
    const known = (word: string, frequency: number) => {
      return { word, frequency, near: frequency > 0 ? NONE : this.#dictionary.near(word) }
    }
    return { documents, length, words: words.map((word, i) => known(word, frequencies[i]!)) }
  }

  /** Finds the best cards for tags and words. Reads none of them. */
  find(
    { tags, minScore }: IndexQuery,
    sought: readonly SoughtWord[],
    search: Search,
    now: number,
  ): readonly Candidate[] {
    this.#expire(now)
    // Without tags and words, the core would find every card.
    if (tags.length === 0 && sought.length === 0) return NONE
    const { limit, weights, statistics } = search
    const words = sought.map(({ word }) => word)
    const frequencies = sought.map(({ frequency }) => frequency)
    const all = statistics && { documents: statistics.documents, length: statistics.length, frequencies }
    const hits = this.#index.query({ tags, words, limit, minScore, weights, ...(all && { statistics: all }) })
    return hits.map((hit) => ({ hit, groupingKey: this.#groupingKeys.get(hit.id) }))
  }

  get #ranking(): string {
    const { fields, coldStart, grouping } = this.#settings
    return JSON.stringify([fields, coldStart, grouping !== undefined])
  }

  /** Removes expired cards from the index. The store keeps them: their `seq` prevents older cards from returning. */
  #expire(now: number): void {
    if (now < this.#next) return
    const { store } = this.#settings
    for (const { id } of store.expiring(this.#checked, now)) this.drop(id)
    this.#checked = now
    this.#next = store.nextExpiry(now) ?? Number.POSITIVE_INFINITY
  }

  /** The three factors of table 11 that do not depend on the query, and whether the agent is fully loaded. */
  #factors({ id, constraints }: AgentCard): Signals {
    const { coldStart } = this.#settings
    const { reputation = 0, rating = 0, completedTasks = 0, activeTasks = 0, online = false } = this.signals(id)
    const boost = completedTasks < coldStart.tasks ? coldStart.reputation : 0
    const most = constraints?.max_concurrent_tasks
    return {
      reputation: Math.min(1, reputation + boost),
      availability: Number(online),
      rating,
      excluded: most !== undefined && activeTasks >= most,
    }
  }
}

/** The signals in a snapshot, without those of agents that were deleted or stored again since. */
function signalsOfOthers({ revision, signals }: Snapshot, store: CardStore): (readonly [string, AgentSignals])[] {
  const came = new Set(Array.from(store.since(revision), ({ id }) => id))
  return [...signals].filter(([id]) => store.get(id) !== undefined && !came.has(id))
}
