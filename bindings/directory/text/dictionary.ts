import type { SearchIndex } from '../../core/index-search.ts'
import type { NearWord } from '../types.ts'
import { MOST_NEAR, type Near, nearWords } from './words.ts'

/** How many words of deleted cards may remain, in addition to as many as are in use. */
const MOST_GONE = 10_000
/** How many similar words are looked up at a time. Most of them are still in use. */
const BATCH = 4 * MOST_NEAR

/** The core counts at most this many different words at a time. */
const WORDS_AT_A_TIME = 256

/**
 * The words of an index, used to find words similar to unknown ones. The index knows how many cards have each word.
 * Words that no card has any more are detected when they matter.
 */
export class Dictionary {
  readonly #index: SearchIndex
  #known: Set<string>
  #sorted: readonly string[] = []
  /** Words that are not merged into the sorted list yet. */
  #added: string[]
  #mostKnown = MOST_GONE

  constructor(index: SearchIndex, words: readonly string[] = []) {
    this.#index = index
    this.#known = new Set(words)
    this.#added = [...this.#known]
    this.#mostKnown += 2 * words.length
  }

  add(words: Iterable<string>): void {
    for (const word of words) {
      if (this.#known.has(word)) continue
      this.#known.add(word)
      this.#added.push(word)
    }
    if (this.#known.size > this.#mostKnown) this.#forget()
  }

  /** Returns words similar to a word, best first, each with the number of cards that have it. */
  near(word: string): readonly NearWord[] {
    this.#sort()
    return nearWords(this.#sorted, word, (candidates) => this.#had(candidates))
  }

  /** Returns the words in use, sorted. */
  words(): readonly string[] {
    this.#forget()
    this.#sort()
    return this.#sorted
  }

  /** Returns the candidates that are in use, at most as many as shards exchange. */
  #had(candidates: readonly Near[]): NearWord[] {
    const found: NearWord[] = []
    const gone: string[] = []
    for (let from = 0; from < candidates.length && found.length < MOST_NEAR; from += BATCH) {
      const batch = candidates.slice(from, from + BATCH)
      const frequencies = this.#frequencies(batch.map((near) => near.word))
      batch.forEach((near, i) => {
        if (frequencies[i]! > 0) found.push({ ...near, frequency: frequencies[i]! })
        else gone.push(near.word)
      })
    }
    // Otherwise every query like this would look at all of them again.
    if (gone.length > BATCH) this.#drop(gone)
    return found.slice(0, MOST_NEAR)
  }

  #sort(): void {
    if (this.#added.length === 0) return
    this.#sorted = [...this.#sorted, ...this.#added].sort()
    this.#added = []
  }

  #drop(words: readonly string[]): void {
    for (const word of words) this.#known.delete(word)
    this.#sorted = this.#sorted.filter((word) => this.#known.has(word))
  }

  #forget(): void {
    const words = [...this.#known]
    const frequencies = this.#frequencies(words)
    const there = words.filter((_, i) => frequencies[i]! > 0)
    this.#known = new Set(there)
    this.#sorted = []
    this.#added = there
    this.#mostKnown = MOST_GONE + 2 * there.length
  }

  /** The number of cards that have each of the words, which must be distinct. */
  #frequencies(words: readonly string[]): readonly number[] {
    const found: number[] = []
    for (let from = 0; from < words.length; from += WORDS_AT_A_TIME) {
      for (const one of this.#index.statistics({ words: words.slice(from, from + WORDS_AT_A_TIME) }).frequencies)
        found.push(one)
    }
    return found
  }
}
