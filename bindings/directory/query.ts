import { normalizeTag } from '../card/tags.ts'
import { canonicalizeValue } from '../core/value.ts'
import { DocumentError, type FindingKind } from '../document/finding.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { findingAt } from '../frame/subject.ts'
import { isObject, member } from '../text/members.ts'
import { shown } from '../text/words.ts'
import { DIRECTORY_LIMIT, DIRECTORY_NOTHING_ASKED, DIRECTORY_QUERY } from './findings.ts'
import { byNearness, MOST_NEAR, wordsOf } from './text/words.ts'
import type { Correction, IndexQuery, QueryStatistics, SearchQuery, WordStatistics } from './types.ts'

/** The limits of section 4.3, and those that bound the cost of a query. */
export const QUERY_LIMITS = { limit: [1, 100], min_score: [0, 1] } as const
export const QUERY_DEFAULTS = { limit: 10, min_score: 0.1 } as const
const MOST_TAGS = 32
const LONGEST_TAG = 255
const LONGEST_QUERY = 8192

type Report = (rule: FindingKind, pointer: string, detail: string) => void

/**
 * Reads the query of a request, once for all shards. Returns it with warnings, or its errors. Members that are not in
 * table 8 are ignored.
 *
 * @example
 * readQuery({ tags: ['nlp'] }).query // { tags: ['nlp'], hasText: false, words: [], written: [], limit: 10, minScore: 0.1 }
 */
export function readQuery(
  value: unknown,
  document?: Document,
): { readonly query: IndexQuery | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const faults: Parameters<Report>[] = []
  const query = checkQuery(value, (...fault) => faults.push(fault))
  if (faults.length === 0) return { query: indexQueryOf(query!), diagnostics: [] }
  const source = document ?? asDocument(value)
  return {
    query: faults.some(([{ severity }]) => severity === 'error') ? undefined : indexQueryOf(query!),
    diagnostics: faults.map(([rule, pointer, detail]) => findingAt(source, rule, pointer, detail)),
  }
}

/** The document that findings refer to when the query was not parsed from JSON. */
function asDocument(value: unknown): Document {
  let json: Uint8Array | string = '{}'
  try {
    json = canonicalizeValue(value)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
  }
  return parse(json).document!
}

function checkQuery(value: unknown, report: Report): Required<SearchQuery> | undefined {
  if (!isObject(value)) {
    report(DIRECTORY_QUERY, '', `expected an object, found ${shown(value)}`)
    return undefined
  }
  const tags = checkTags(member(value, 'tags') ?? [], report)
  const query = member(value, 'query') ?? ''
  if (typeof query !== 'string') report(DIRECTORY_QUERY, '/query', `expected a string, found ${shown(query)}`)
  else if (query.length > LONGEST_QUERY) {
    report(DIRECTORY_QUERY, '/query', `expected at most ${LONGEST_QUERY} characters, found ${query.length}`)
  }
  const limit = member(value, 'limit') ?? QUERY_DEFAULTS.limit
  const [least, most] = QUERY_LIMITS.limit
  if (!isWithin(limit, least, Number.MAX_VALUE) || !Number.isInteger(limit)) {
    report(DIRECTORY_QUERY, '/limit', `expected an integer from ${least} to ${most}, found ${shown(limit)}`)
  } else if (limit > most) {
    report(DIRECTORY_LIMIT, '/limit', `a limit of ${limit} is cut to ${most}: more results are not given at once`)
  }
  const minScore = member(value, 'min_score') ?? QUERY_DEFAULTS.min_score
  const [lowest, highest] = QUERY_LIMITS.min_score
  if (!isWithin(minScore, lowest, highest)) {
    report(DIRECTORY_QUERY, '/min_score', `expected a number from ${lowest} to ${highest}, found ${shown(minScore)}`)
  }
  const isEmpty = Array.isArray(tags) && tags.every(isBlank) && typeof query === 'string' && isBlank(query)
  if (isEmpty) report(DIRECTORY_NOTHING_ASKED, '', 'expected tags or a query, found neither')
  return {
    tags,
    query,
    limit: typeof limit === 'number' ? Math.min(limit, most) : limit,
    min_score: minScore,
  } as Required<SearchQuery>
}

function checkTags(tags: unknown, report: Report): unknown {
  if (!Array.isArray(tags)) {
    report(DIRECTORY_QUERY, '/tags', `expected an array of strings, found ${shown(tags)}`)
    return tags
  }
  if (tags.length > MOST_TAGS) {
    report(DIRECTORY_QUERY, '/tags', `expected at most ${MOST_TAGS} tags, found ${tags.length}`)
    return tags
  }
  // Loops by index, because `forEach` skips holes.
  for (let i = 0; i < tags.length; i++) {
    const tag: unknown = tags[i]
    if (typeof tag !== 'string') report(DIRECTORY_QUERY, `/tags/${i}`, `expected a string, found ${shown(tag)}`)
    else if (tag.length > LONGEST_TAG) {
      report(DIRECTORY_QUERY, `/tags/${i}`, `expected at most ${LONGEST_TAG} characters, found ${tag.length}`)
    }
  }
  return tags
}

const isBlank = (text: unknown) => typeof text === 'string' && text.trim() === ''

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most

/** Further words of a query are ignored: no legitimate query is longer. */
const MOST_WORDS = 64
/** The maximum number of similar words that replace an unknown one. */
const MOST_INSTEAD = 4

/** Converts a checked query to the spelling of the index. */
function indexQueryOf({ tags, query, limit, min_score: minScore }: Required<SearchQuery>): IndexQuery {
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
