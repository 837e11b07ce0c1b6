import { normalizeTag } from '../card/tags/normalize.ts'
import { byNearness, MOST_NEAR } from './text/near.ts'
import { wordsOf } from './text/words.ts'
import type { Correction, DiscoverQuery, QueryStatistics, WordStatistics } from './types.ts'

/** A query as the index is asked. */
export interface Question {
  /** Normalized, without `/*` at the end, each once. */
  readonly tags: readonly string[]
  /** True when there is text at all: its words may all be ones that say nothing. */
  readonly hasText: boolean
  /** Folded and without their endings, each once. */
  readonly words: readonly string[]
  /** As the query writes the words. */
  readonly written: ReadonlyMap<string, string>
}

/** Words of a query beyond these are not looked for: who asks does not type so many. */
const MOST_WORDS = 64
/** Near words that stand for one that no card has. */
const MOST_INSTEAD = 4

/** The question of a query, in the spelling of the index. */
export function questionOf({ tags = [], query = '' }: DiscoverQuery): Question {
  const written = new Map<string, string>()
  const asked = tags.map((tag) => pathOf(normalizeTag(tag))).filter((tag) => tag !== '')
  return {
    tags: [...new Set(asked)],
    hasText: query.trim() !== '',
    words: [...new Set(wordsOf(query, written))].slice(0, MOST_WORDS),
    written,
  }
}

/** `nlp/*` asks for the same as `nlp` (section 3.6.1). */
const pathOf = (tag: string) => (tag.length > 2 && tag.endsWith('/*') ? tag.slice(0, -2) : tag)

/** A word that is looked for, and how many cards have it. */
export interface SoughtWord {
  readonly word: string
  readonly frequency: number
}

/** The words that are looked for: those that cards have, and for the others the likeliest ones near them, if there are any. */
export function soughtWords({ words }: QueryStatistics): { sought: SoughtWord[]; corrections: Correction[] } {
  const sought = new Map<string, SoughtWord>()
  const corrections: Correction[] = []
  for (const asked of words) {
    if (asked.frequency > 0) sought.set(asked.word, asked)
    else {
      const instead = likeliest(asked)
      for (const near of instead) if (!sought.has(near.word)) sought.set(near.word, near)
      corrections.push({ word: asked.word, instead: instead.map(({ word }) => word) })
    }
  }
  return { sought: [...sought.values()], corrections }
}

/** Of the nearest words those that most cards have. */
function likeliest({ word, near }: WordStatistics): WordStatistics['near'] {
  const nearest = Math.min(...near.map(({ distance }) => distance))
  return near
    .filter(({ distance }) => distance === nearest)
    .sort((a, b) => b.frequency - a.frequency || byNearness(word, a, b))
    .slice(0, MOST_INSTEAD)
}

/**
 * The knowledge of all shards about a query: each that is given it answers as a part of one directory.
 *
 * @example
 * const statistics = sumQueryStatistics(shards.map((shard) => shard.statistics(query)))
 * const answer = mergeAnswers(shards.map((shard) => shard.discover(query, { statistics })), { limit: query.limit })
 *
 * @throws {RangeError} when there are none, or they are not of the same query.
 */
export function sumQueryStatistics(parts: readonly QueryStatistics[]): QueryStatistics {
  const [first] = parts
  if (first === undefined) throw new RangeError('parts: expected the statistics of one shard at least, got none')
  const isSame = (part: QueryStatistics) =>
    part.words.length === first.words.length && part.words.every(({ word }, i) => word === first.words[i]!.word)
  if (!parts.every(isSame)) throw new RangeError('parts: expected statistics of the same query, got different words')
  const sum = (of: (part: QueryStatistics) => number) => parts.reduce((total, part) => total + of(part), 0)
  return {
    documents: sum(({ documents }) => documents),
    length: sum(({ length }) => length),
    words: first.words.map(({ word }, i) =>
      sumWord(
        word,
        parts.map((part) => part.words[i]!),
      ),
    ),
  }
}

function sumWord(word: string, parts: readonly WordStatistics[]): WordStatistics {
  const frequency = parts.reduce((total, part) => total + part.frequency, 0)
  const near = new Map<string, WordStatistics['near'][number]>()
  // Shards that have the word itself looked for nothing near it.
  for (const each of frequency > 0 ? [] : parts.flatMap((part) => part.near)) {
    const before = near.get(each.word)
    near.set(each.word, { ...each, frequency: each.frequency + (before?.frequency ?? 0) })
  }
  return { word, frequency, near: [...near.values()].sort((a, b) => byNearness(word, a, b)).slice(0, MOST_NEAR) }
}
