import type { AgentCard } from '../card/types.ts'
import { createIndex, type Factors, type Hit, loadIndex, type SearchIndex } from '../core/index.ts'
import { type Question, soughtWords } from './question.ts'
import { cardWords, tagsOf } from './record.ts'
import { Dictionary } from './text/dictionary.ts'
import type { AgentSignals, ColdStart, Correction, QueryStatistics, TextFields, WordStatistics } from './types.ts'

/** The core counts as many different words at a time. */
const WORDS_AT_A_TIME = 256
const NONE: readonly never[] = []

export interface Ranking {
  readonly fields: TextFields
  readonly coldStart: ColdStart
}

export interface Found {
  readonly hits: readonly Hit[]
  /** The words that were looked for. */
  readonly sought: readonly string[]
  readonly corrections: readonly Correction[]
}

/** What a query is answered by. */
export interface Search {
  readonly limit: number
  readonly minScore: number
  readonly weights: Factors
  /** Of all shards together; the index's own when absent. */
  readonly statistics: QueryStatistics | undefined
}

/** The cards that can be found: tags, words and signals of each, in the core's index. */
export class CardIndex {
  readonly #ranking: Ranking
  #index: SearchIndex
  #dictionary: Dictionary

  constructor(ranking: Ranking) {
    this.#ranking = ranking
    this.#index = createIndex()
    this.#dictionary = new Dictionary((words) => this.#frequencies(words))
  }

  get size(): number {
    return this.#index.size
  }

  get memoryBytes(): number {
    return this.#index.memoryBytes
  }

  has(id: string): boolean {
    return this.#index.has(id)
  }

  /** In place of the card with the same id; whether the index takes it. */
  put(card: AgentCard, signals: AgentSignals): boolean {
    const words = cardWords(card, this.#ranking.fields)
    const tags = [...tagsOf(card.skills ?? []).keys()]
    const record = { id: card.id, tags, words }
    const { ok } = this.#index.addRecord(
      record,
      indexSignals(card.constraints?.max_concurrent_tasks, signals, this.#ranking.coldStart),
    )
    if (ok) this.#dictionary.add(words)
    return ok
  }

  remove(id: string): boolean {
    return this.#index.remove(id)
  }

  /** `most`: the tasks that the agent takes at a time, as its card has it. */
  setSignals(id: string, most: number | undefined, signals: AgentSignals): void {
    this.#index.setSignals(id, indexSignals(most, signals, this.#ranking.coldStart))
  }

  /** What this index knows about the words of a query. */
  statistics({ words }: Question): QueryStatistics {
    const { documents, length, frequencies } = this.#index.statistics({ words })
    return { documents, length, words: words.map((word, i) => this.#known(word, frequencies[i]!)) }
  }

  search(question: Question, { limit, minScore, weights, statistics }: Search): Found {
    const known = statistics ?? this.statistics(question)
    const { sought, corrections } = soughtWords(known)
    const { tags } = question
    const words = sought.map(({ word }) => word)
    // Without tags and words the core finds every card.
    if (tags.length === 0 && words.length === 0) return { hits: NONE, sought: words, corrections }
    const { documents, length } = known
    const given = statistics && { documents, length, frequencies: sought.map(({ frequency }) => frequency) }
    const query = { tags, words, limit, minScore, weights, ...(given && { statistics: given }) }
    return { hits: this.#index.query(query), sought: words, corrections }
  }

  /** The index in chunks, and the words in it, sorted. */
  save(): { chunks: Uint8Array[]; words: readonly string[] } {
    return { chunks: this.#index.save(), words: this.#dictionary.words() }
  }

  /** Takes over what `save` gave. False when the chunks are not a whole index; this one stays as it is then. */
  load(chunks: readonly Uint8Array[], words: readonly string[]): boolean {
    const loaded = loadIndex(chunks)
    if (!loaded.ok) return false
    this.#index = loaded.index
    this.#dictionary = new Dictionary((sought) => this.#frequencies(sought), words)
    return true
  }

  #known(word: string, frequency: number): WordStatistics {
    return { word, frequency, near: frequency > 0 ? NONE : this.#dictionary.near(word) }
  }

  #frequencies(words: readonly string[]): readonly number[] {
    const found: number[] = []
    for (let from = 0; from < words.length; from += WORDS_AT_A_TIME) {
      found.push(...this.#index.statistics({ words: words.slice(from, from + WORDS_AT_A_TIME) }).frequencies)
    }
    return found
  }
}

/** The three factors of table 11 that are no matter of the query, and whether the agent has all the tasks it takes. */
function indexSignals(most: number | undefined, signals: AgentSignals, coldStart: ColdStart) {
  const { reputation = 0, rating = 0, completedTasks = 0, activeTasks = 0, online = false } = signals
  const boost = completedTasks < coldStart.tasks ? coldStart.reputation : 0
  return {
    reputation: Math.min(1, reputation + boost),
    availability: Number(online),
    rating,
    excluded: most !== undefined && activeTasks >= most,
  }
}
