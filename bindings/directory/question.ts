import { normalizeTag } from '../card/tags.ts'
import { byNearness, MOST_NEAR } from './text/near.ts'
import { wordsOf } from './text/words.ts'
import type { Correction, IndexQuery, QueryStatistics, SearchQuery, WordStatistics } from './types.ts'

/** Further words of a query are ignored: no legitimate query is longer. */
const MOST_WORDS = 64
/** The maximum number of similar words that replace an unknown one. */
const MOST_INSTEAD = 4

/** Converts a checked query to the spelling of the index. */
export function indexQueryOf({ tags, query, limit, min_score: minScore }: Required<SearchQuery>): IndexQuery {
  const written = new Map<string, string>()
  const asked = tags.map((tag) => pathOf(normalizeTag(tag))).filter((tag) => tag !== '')
  const words = [...new Set(wordsOf(query, written))].slice(0, MOST_WORDS)
  return {
    tags: [...new Set(asked)],
    hasText: query.trim() !== '',
    words,
    written: words.map((word) => written.get(word) ?? word),
    limit,
    minScore,
  }
}

/** `nlp/*` means the same as `nlp` (section 3.6.1). */
const pathOf = (tag: string) => (tag.length > 2 && tag.endsWith('/*') ? tag.slice(0, -2) : tag)

/** A word to search for, and the number of cards that have it. */
export interface SoughtWord {
  readonly word: string
  readonly frequency: number
}

/** The words to search for: known words, and for unknown words the most likely similar ones, if any. */
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

/** Returns the nearest words, the most common ones first. */
function likeliest({ word, near }: WordStatistics): WordStatistics['near'] {
  const nearest = near.reduce((least, { distance }) => Math.min(least, distance), Number.POSITIVE_INFINITY)
  return near
    .filter(({ distance }) => distance === nearest)
    .sort((a, b) => b.frequency - a.frequency || byNearness(word, a, b))
    .slice(0, MOST_INSTEAD)
}

/**
 * Adds up the statistics of all shards about a query. With the sum, each shard answers as a part of one directory.
 *
 * @example
 * const statistics = sumQueryStatistics(shards.map((shard) => shard.statistics(query)))
 * const answer = mergeAnswers(shards.map((shard) => shard.rank(query, { statistics })), { limit: query.limit })
 *
 * @throws {RangeError} when `parts` is empty, or has statistics of different queries.
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
  // Shards that have the word itself did not look for similar ones.
  for (const each of frequency > 0 ? [] : parts.flatMap((part) => part.near)) {
    const before = near.get(each.word)
    near.set(each.word, { ...each, frequency: each.frequency + (before?.frequency ?? 0) })
  }
  return { word, frequency, near: [...near.values()].sort((a, b) => byNearness(word, a, b)).slice(0, MOST_NEAR) }
}
