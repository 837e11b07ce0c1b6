// Filters of ARD: fields with their allowed values, as an object (POST /search), as parameters, or as an expression
// (GET /agents).
import type { ListFilter } from '../contracts/directory.ts'
import { Problem } from '../http/problem.ts'
import { CARD_TYPE } from './catalog-entry.ts'

/** The filter of each field. `type` is missing: all entries have the same type. */
const FIELDS = {
  tags: 'tags',
  displayName: 'names',
  'metadata.standing': 'standings',
  standing: 'standings',
  createdAfter: 'createdAfter',
  updatedAfter: 'updatedAfter',
} as const

const CLAUSE = /^\s*([\w.]{1,40})\s*(?:=|>)\s*'([^']{0,200})'\s*$/
const MOST_CLAUSES = 16
/** The most values of a field, as many as a query has tags: each is compared with each card. */
const MOST_VALUES = 32

/** Invalid filters have the error code of ARD, in addition to the usual form of problems. */
export function invalidArgument(detail: string, parameter?: string): Problem {
  const place = parameter === undefined ? {} : { parameter }
  return new Problem('bad-request', detail, { members: { errorCode: 'INVALID_ARGUMENT', message: detail, ...place } })
}

export function noSuchPage(): Problem {
  return invalidArgument('pageToken is invalid: use the one of an answer.', 'pageToken')
}

/**
 * `tags = 'nlp,vision' AND updatedAfter > '2026-01-01'`: all clauses must match, each with one of its comma-separated
 * values.
 */
export function readExpression(text: string): [field: string, values: readonly string[]][] {
  if (text.trim() === '') return []
  // Matches one blank on each side, and leaves others to the clauses: matching runs of blanks takes quadratic time.
  const clauses = text.split(/\sAND\s/)
  if (clauses.length > MOST_CLAUSES) throw invalidArgument(`A filter has at most ${MOST_CLAUSES} clauses.`)
  return clauses.map((clause) => {
    const [, field, values] = CLAUSE.exec(clause) ?? []
    if (field === undefined)
      throw invalidArgument(`Expected FIELD = 'VALUE' as a clause of the filter, got ${clause.trim()}.`)
    return [field, values!.split(',').map((value) => value.trim())]
  })
}

/** The filter with these fields and values; undefined if no card can match it. */
export function readFilter(fields: Iterable<readonly [string, readonly string[]]>): ListFilter | undefined {
  const filter: { -readonly [name in keyof ListFilter]: ListFilter[name] } = {}
  for (const [field, values] of fields) {
    if (values.length > MOST_VALUES)
      throw invalidArgument(`A filter has at most ${MOST_VALUES} values of ${field.slice(0, 40)}.`)
    if (field === 'type') {
      if (!values.includes(CARD_TYPE)) return undefined
      continue
    }
    const name = Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof typeof FIELDS] : undefined
    if (name === undefined) {
      throw invalidArgument(`Unknown filter ${field}. Known: type, ${Object.keys(FIELDS).join(', ')}.`)
    }
    if (name === 'createdAfter' || name === 'updatedAfter') filter[name] = readTime(field, values)
    else filter[name] = values
  }
  return filter
}

function readTime(field: string, [value = '']: readonly string[]): number {
  const time = Date.parse(value)
  if (Number.isNaN(time)) throw invalidArgument(`${field}: expected a time (ISO 8601), got ${value}.`)
  return time
}
