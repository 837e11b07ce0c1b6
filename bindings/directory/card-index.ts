import type { AgentCard } from '../card/subject.ts'
import { normalizeTag } from '../card/tags.ts'
import type { Factors } from '../core/index.ts'
import { createIndex, loadIndex } from '../core/index-search.ts'
import { isObject, member } from '../text/members.ts'
import { utf8Length } from '../wasm/instance.ts'
import type { Hit, Signals } from '../wasm/rank.ts'
import type { Settings } from './admission.ts'
import { type CardStore, isFindable, type StoredCard } from './memory-store.ts'
import type { SoughtWord } from './query.ts'
import { groupingKeyOf, jsonOf, partOf, type Show, type TextFields } from './results.ts'
import { Dictionary } from './text/dictionary.ts'
import { wordsOf } from './text/words.ts'
import type { AgentSignals, IndexQuery, QueryStatistics } from './types.ts'

/** How many cards are read from the store at a time. */
const PAGE = 1000
const NONE: readonly never[] = []

/** The settings of a search. */
interface Search {
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
    const wordStatistics = (word: string, frequency: number) => {
      return { word, frequency, near: frequency > 0 ? NONE : this.#dictionary.near(word) }
    }
    return { documents, length, words: words.map((word, i) => wordStatistics(word, frequencies[i]!)) }
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

// The part of a card that is indexed: normalized tags, and words, repeated by the weight of their member.

/** The limits of the index (docs/guide/abi/rank.md). Only the first tags and words of a larger card are indexed. */
const MOST_TAGS = 256
const MOST_LEVELS = 16
const LONGEST_TAG = 255
/**
 * A record has 65,535 bytes for an id of up to 2,048, tags and words. Each tag and word takes four more bytes for its
 * length.
 */
const TAG_BYTES = 16_384
const WORD_BYTES = 46_000

const BETWEEN_WORDS_OF_A_NAME = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu

/** The indexed tags of a card, each with its spelling in the card. */
export function tagsOf(skills: readonly string[]): Map<string, string> {
  const tags = new Map<string, string>()
  let bytes = 0
  for (const value of skills) {
    const tag = normalizeTag(value)
    const length = utf8Length(tag)
    if (tag === '' || tags.has(tag) || length > LONGEST_TAG || tag.split('/').length > MOST_LEVELS) continue
    bytes += length + 4
    if (tags.size === MOST_TAGS || bytes > TAG_BYTES) break
    tags.set(tag, value)
  }
  return tags
}

/**
 * The words of a card, each repeated by the weight of its member. Words of members with the highest weight come first.
 */
export function cardWords(card: AgentCard, fields: TextFields, written?: Map<string, string>): string[] {
  const words: string[] = []
  let bytes = 0
  const parts = Object.entries(fields)
    .filter(([, weight]) => weight > 0)
    .sort(([, a], [, b]) => b - a)
  for (const [field, weight] of parts) {
    for (const word of wordsOf(TEXTS[field as keyof TextFields](card), written)) {
      bytes += weight * (utf8Length(word) + 4)
      if (bytes > WORD_BYTES) return words
      for (let i = 0; i < weight; i++) words.push(word)
    }
  }
  return words
}

const TEXTS: Readonly<Record<keyof TextFields, (card: AgentCard) => string>> = {
  name: ({ name }) => name,
  description: ({ description = '' }) => description,
  // Line ends prevent pairs of neighbouring characters across two labels.
  skills: ({ skills = [] }) => skills.join('\n'),
  tools: ({ tools = [] }) =>
    tools
      .map(({ name, description = '' }) => `${name.replace(BETWEEN_WORDS_OF_A_NAME, ' ')}\n${description}`)
      .join('\n'),
}

// The saved index of a directory in chunks: a head, the signals of agents, the words of the index, the
// grouping keys of its cards, and the chunks of the core.

const FORMAT = 'blazon-directory-3'
/**
 * UTF-16 units of JSON per chunk: less than a megabyte for ASCII, and always below the two megabytes that Durable
 * Objects accept.
 */
const CHUNK_UNITS = 600_000

/** The content of a saved index. */
interface Snapshot {
  /** The options, apart from cards, that the index depends on. With other options the snapshot is unusable. */
  readonly ranking: string
  /** The revision of the store when the index was saved. */
  readonly revision: number
  readonly removals: number
  /** Cards that had expired by this time are not in the index. */
  readonly checked: number
  /** The signals that were set for agents. */
  readonly signals: Map<string, AgentSignals>
  /** The words in the index, sorted. */
  readonly words: readonly string[]
  /** The grouping keys of cards, by id. Empty in a directory that does not group. */
  readonly groupingKeys: Map<string, string>
  /** The chunks of the core. */
  readonly index: readonly Uint8Array[]
}

/** The head of a snapshot, with the numbers of chunks of each kind that follow; then come those of the core. */
interface Head extends Pick<Snapshot, 'ranking' | 'revision' | 'removals' | 'checked'> {
  readonly format: typeof FORMAT
  readonly signals: number
  readonly words: number
  readonly groupingKeys: number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

function writeSnapshot({ ranking, revision, removals, checked, ...parts }: Snapshot): Uint8Array[] {
  const signals = jsonChunks([...parts.signals])
  const words = jsonChunks(parts.words)
  const keys = jsonChunks([...parts.groupingKeys])
  const counts = { signals: signals.length, words: words.length, groupingKeys: keys.length }
  const head: Head = { format: FORMAT, ranking, revision, removals, checked, ...counts }
  return [encoder.encode(JSON.stringify(head)), ...signals, ...words, ...keys, ...parts.index]
}

/** Parses a snapshot. Undefined for unusable chunks. */
function readSnapshot([first, ...others]: readonly Uint8Array[]): Snapshot | undefined {
  try {
    const head: unknown = first && JSON.parse(decoder.decode(first))
    if (!isHead(head)) return undefined
    const next = (count: number) => fromJson(others.splice(0, count))
    return {
      ...head,
      signals: new Map(next(head.signals) as [string, AgentSignals][]),
      words: next(head.words) as string[],
      groupingKeys: new Map(next(head.groupingKeys) as [string, string][]),
      index: others,
    }
  } catch {
    // Chunks that are not valid JSON are not a snapshot.
    return undefined
  }
}

function isHead(value: unknown): value is Head {
  if (!isObject(value) || member(value, 'format') !== FORMAT) return false
  return ['revision', 'removals', 'checked', 'signals', 'words', 'groupingKeys'].every((name) =>
    Number.isSafeInteger(member(value, name)),
  )
}

/** Splits a list into JSON arrays that fit into chunks. */
function jsonChunks(list: readonly unknown[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let items: string[] = []
  let units = 0
  const close = () => {
    if (items.length > 0) chunks.push(encoder.encode(`[${items.join(',')}]`))
    items = []
    units = 0
  }
  for (const item of list) {
    const json = JSON.stringify(item)
    if (units + json.length > CHUNK_UNITS) close()
    items.push(json)
    units += json.length + 1
  }
  close()
  return chunks
}

const fromJson = (chunks: readonly Uint8Array[]): unknown[] =>
  chunks.flatMap((chunk) => JSON.parse(decoder.decode(chunk)) as unknown[])
