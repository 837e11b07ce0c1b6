// Turns a command line into a query of section 4.3 of the Agent Card.

import { DEFAULT_WEIGHTS } from '../../bindings/core/index-search.ts'
import { readQuery } from '../../bindings/directory/query.ts'
import type { SearchQuery } from '../../bindings/directory/types.ts'
import type { Factors } from '../../bindings/wasm/rank.ts'
import { given } from '../given.ts'
import { UsageError } from '../usage.ts'

const AS_IN = "as in blazon search 'translate contracts' --tag nlp/translation"

interface QueryOptions {
  readonly tag: readonly string[]
  readonly limit: number | undefined
  readonly 'min-score': string | undefined
}

/** Builds the query, and notes about it. A query that a directory would refuse is a usage error. */
export function queryOf(
  text: string,
  { tag, limit, 'min-score': score }: QueryOptions,
): { readonly query: SearchQuery; readonly notes: readonly string[] } {
  const asked: SearchQuery = {
    ...(tag.length > 0 && { tags: tag }),
    ...(text !== '' && { query: text }),
    ...given({ limit, min_score: numberOf('min-score', score) }),
  }
  const { query, diagnostics } = readQuery(asked)
  const notes = diagnostics.map((note) => note.detail)
  if (query !== undefined) return { query: { ...asked, ...(limit !== undefined && { limit: query.limit }) }, notes }
  const { source, detail } = diagnostics[0]!
  const where = source.pointer === '' ? 'search' : `search, ${source.pointer.slice(1)}`
  throw new UsageError('wrong-query', `${where}: ${detail}`, AS_IN)
}

/** Reads `--weights tags=0.5,text=0.2`; undefined without the option. */
export function weightsOf(text: string | undefined): Partial<Factors> | undefined {
  if (text === undefined) return undefined
  const names = Object.keys(DEFAULT_WEIGHTS)
  const entries = text.split(',').map((part) => {
    const [, name = '', value] = /^([a-z]+)=(.+)$/.exec(part) ?? []
    const weight = numberOf('weights', value)
    if (names.includes(name) && weight !== undefined && weight <= 1) return [name, weight] as const
    const message = `--weights: expected FACTOR=NUMBER from 0 to 1, got "${part}"`
    throw new UsageError('invalid-value', message, `as in --weights tags=0.5,text=0.2; factors are ${names.join(', ')}`)
  })
  return Object.fromEntries(entries)
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined || /^(?:\d{1,9}(?:\.\d{1,18})?|\.\d{1,18})$/.test(text))
    return text === undefined ? undefined : Number(text)
  throw new UsageError('invalid-value', `--${option}: expected a number, got "${text}"`, `as in --${option} 0.5`)
}
