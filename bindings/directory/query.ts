import { canonicalizeValue } from '../core/value.ts'
import { DocumentError, type FindingKind } from '../document/finding.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { isObject, member } from '../text/members.ts'
import { shown } from '../text/words.ts'
import { DIRECTORY_LIMIT, DIRECTORY_NOTHING_ASKED, DIRECTORY_QUERY } from './findings.ts'
import { indexQueryOf } from './question.ts'
import type { IndexQuery, SearchQuery } from './types.ts'

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
    diagnostics: faults.map(([rule, pointer, detail]) => ruleDiagnostic(source, rule, rule.severity, pointer, detail)),
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
