import { DEFAULT_WEIGHTS } from '../../bindings/core/index-search.ts'
import { createDirectory } from '../../bindings/directory/directory.ts'
import { createMemoryStore } from '../../bindings/directory/memory-store.ts'
import { readQuery } from '../../bindings/directory/query.ts'
import type { Correction, FactorShare, SearchQuery, SearchResult } from '../../bindings/directory/types.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Factors } from '../../bindings/wasm/rank.ts'
import {
  type Context,
  compact,
  defineCommand,
  EXIT,
  type Options,
  type Result,
  UsageError,
  unreadable,
} from '../command.ts'
import { isUrl } from '../inputs.ts'
import { readKeys, TRUSTED_KEYS } from '../keys.ts'
import type { Reader } from '../reader.ts'
import { counted, phrase } from '../report/report.ts'
import { readServer } from '../server.ts'

const LEGEND = 'each bar is a factor from 0 to 1; the score is the sum of the numbers before each ='

const OPTIONS = {
  tag: { value: 'TAG', many: true, about: "a skill, such as nlp/translation or 'nlp/*'" },
  from: {
    value: 'PLACE',
    aliases: ['server', 'to', 'at', 'directory'],
    many: true,
    about: 'a folder, a file, or the URL of a server; --server is the same',
  },
  limit: { value: 'N', number: true, about: 'the most results, from 1 to 100 (default 10)' },
  'min-score': { value: 'SCORE', about: 'the lowest score, from 0 to 1 (default 0.1)' },
  weights: { value: 'LIST', about: 'the weights of factors, as in tags=0.5,text=0.2' },
  why: { about: 'show the factors of each score as bars' },
  key: TRUSTED_KEYS,
  unverified: { about: 'also show cards that cannot be verified' },
} as const satisfies Options

export const command = defineCommand({
  options: OPTIONS,
  async run(context) {
    const { why } = context.options
    const { query, notes: cut } = queryOf(context.positionals.join(' '), context.options)
    const { hits, corrections, problems, notes } = await find(query, context)
    context.print(showHits(hits, why))
    const lines = [
      ...corrections.map(({ word, instead }) =>
        instead.length > 0
          ? `no card has "${word}": searched ${instead.map((near) => `${near}…`).join(', ')}`
          : `no card has "${word}"`,
      ),
      ...(why && hits.length > 0 ? [LEGEND] : []),
      ...cut,
      ...notes,
    ]
    return {
      results: [...problems, ...hits.map(resultOf)],
      notes: lines,
      ...(hits.length === 0 && { exit: EXIT.findings, reason: ['no card found', ...lines].join('; ') }),
    }
  },
})

async function find(query: SearchQuery, context: Context<typeof OPTIONS>): Promise<SearchOutcome> {
  const { options, reader, host, say } = context
  const weights = weightsOf(options.weights)
  const keys = await readKeys(options.key, context)
  const places = options.from.length > 0 ? options.from : ['.']
  if (!places.some(isUrl)) {
    if (options.unverified) throw misplacedOption('unverified', 'cards in files are always shown')
    return searchFiles(places, query, reader, { keys, weights })
  }
  if (places.length > 1) {
    const message = 'expected one directory, or files and folders'
    throw new UsageError('wrong-arguments', message, 'name the directory alone')
  }
  if (weights !== undefined) throw misplacedOption('weights', 'a directory ranks with its own weights')
  const { origin } = readServer('from', places[0]!)
  say(`asking ${origin}`)
  const { searchDirectory } = await import('../search-directory.ts')
  return searchDirectory(origin, query, host, { keys, unverified: options.unverified })
}

function misplacedOption(option: string, why: string): UsageError {
  return new UsageError('wrong-arguments', `--${option} does not apply: ${why}`, `leave out --${option}`)
}

function resultOf(
  { file, agent_card: card, score, matched_tags, standing, verified, equivocations, seq, why }: Hit,
  i: number,
): Result {
  const found = { rank: i + 1, score, id: card.id, name: card.name, matchedTags: matched_tags, standing, verified }
  return {
    file,
    kind: 'card',
    valid: true,
    diagnostics: [],
    found: { ...found, equivocations, ...(seq !== undefined && { seq }), ...(why !== undefined && { why }), card },
  }
}

// Searches cards in files, with the directory that servers run.

interface FileSearchOptions {
  readonly keys: readonly Key[]
  readonly weights: Partial<Factors> | undefined
}

/**
 * Searches the cards of files and folders. Documents of other kinds are skipped in folders, and are problems if named
 * one by one. The user's own files need no proof of origin: unsigned cards are found, and marked.
 */
async function searchFiles(
  names: readonly string[],
  query: SearchQuery,
  reader: Reader,
  { keys, weights }: FileSearchOptions,
): Promise<SearchOutcome> {
  // A stopped clock: no card expires during the search.
  const now = new Date()
  const directory = createDirectory({
    store: createMemoryStore(),
    clock: () => now,
    acceptUnverified: true,
    ...(keys.length > 0 && { keys: () => keys }),
  })
  const problems: Result[] = []
  const files = new Map<string, string>()
  let others = 0
  let passedOver = 0
  for await (const read of reader.documents(await reader.inputs(names, { names: 'all' }))) {
    const { file, kind, document } = read
    if (kind !== 'card' && !names.includes(file)) others++
    else if (document === undefined) problems.push(unreadable(read))
    else {
      const { status, stored, diagnostics: found } = await directory.advertise(document.bytes)
      if (status !== 'OK') problems.push({ file, kind: 'card', valid: false, diagnostics: errorsIn(document, found) })
      else if (stored) files.set((document.value as { id: string }).id, file)
      else passedOver++
    }
  }
  const { results, corrections } = directory.discover(query, { explain: true, ...(weights && { weights }) })
  return {
    hits: results.map((result) => ({ ...result, file: files.get(result.agent_card.id) ?? null })),
    corrections,
    problems,
    notes: [
      phrase([
        `${counted(directory.size, 'card')} searched`,
        others > 0 && `${counted(others, 'file')} of another kind`,
        passedOver > 0 && `${counted(passedOver, 'card')} not newer than another of the same agent`,
      ]),
    ],
  }
}

/** The errors at their places in the file: the directory got the card as JSON. */
function errorsIn(document: Document, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => ({ ...diagnostic, source: document.source(diagnostic.source.pointer) }))
}

/** A found agent, with the file of its card if it is local. */
export interface Hit extends SearchResult {
  readonly file: string | null
}

/** The outcome of a search, wherever the cards are. */
export interface SearchOutcome {
  /** Best first. */
  readonly hits: readonly Hit[]
  readonly corrections: readonly Correction[]
  /** Results for inputs that could not be searched. */
  readonly problems: readonly Result[]
  readonly notes: readonly string[]
}

// Turns a command line into a query of section 4.3 of the Agent Card.

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
    ...compact({ limit, min_score: numberOf('min-score', score) }),
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

const BAR = 20
const NAME = 13

/** A line for each hit, with tabs between columns; with `why`, a bar for each factor of the score below it. */
const showHits = (hits: readonly Hit[], why: boolean): string =>
  hits.map((hit) => [hitLine(hit), ...(why ? (hit.why ?? []).map(showShare) : [])].join('')).join('')

function hitLine({ score, agent_card: { id, name }, matched_tags: tags, verified, equivocations }: Hit): string {
  const marks = [...(verified ? [] : ['unverified']), ...(equivocations > 0 ? ['equivocal'] : [])]
  const columns = [score.toFixed(6), id, name, tags.join(', '), marks.join(', ')]
  return `${columns.map(visible).join('\t').trimEnd()}\n`
}

/** The bar shows the factor from 0 to 1, the numbers its contribution. */
function showShare({ factor, value, weight, contribution, reason }: FactorShare): string {
  const filled = Math.round(BAR * Math.min(1, Math.max(0, value)))
  const bar = '#'.repeat(filled).padEnd(BAR, '.')
  const sum = `${contribution.toFixed(3)} = ${weight.toFixed(3)} * ${value.toFixed(3)}`
  return `  ${visible(factor).slice(0, NAME).padEnd(NAME)}${bar}  ${sum}  ${visible(reason)}\n`
}
