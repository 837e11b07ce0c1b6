// What the command line asks for, as a query of section 4.3 of the Agent Card.
import type { Factors } from '../../bindings/core/index.ts'
import { DEFAULT_WEIGHTS } from '../../bindings/core/index-query.ts'
import type { DiscoverQuery } from '../../bindings/directory/index.ts'
import { readQuery } from '../../bindings/directory/query.ts'
import type { Arguments } from '../arguments.ts'
import { UsageError } from '../usage.ts'

const AS_IN = "as in blazon search 'translate contracts' --tag nlp/translation"

/** The query; what a directory would refuse is wrong usage. */
export function queryOf({ options, positionals }: Arguments): DiscoverQuery {
  const limit = options.number('limit')
  const minScore = numberOf('min-score', options.text('min-score'))
  const text = positionals.join(' ')
  const asked: DiscoverQuery = {
    ...(options.has('tag') && { tags: options.list('tag') }),
    ...(text !== '' && { query: text }),
    ...(limit !== undefined && { limit }),
    ...(minScore !== undefined && { min_score: minScore }),
  }
  const { query, diagnostics } = readQuery(asked)
  if (query !== undefined) return asked
  const { source, detail } = diagnostics[0]!
  const where = source.pointer === '' ? 'search' : `search, ${source.pointer.slice(1)}`
  throw new UsageError('wrong-query', `${where}: ${detail}`, AS_IN)
}

/** What `--weights tags=0.5,text=0.2` says; undefined without it. */
export function weightsOf({ options }: Arguments): Partial<Factors> | undefined {
  const text = options.text('weights')
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
