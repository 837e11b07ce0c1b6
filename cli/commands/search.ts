import type { SearchQuery } from '../../bindings/directory/types.ts'
import { type Context, defineCommand, type Options } from '../command.ts'
import { isUrl } from '../inputs/url.ts'
import { readKeys, TRUSTED_KEYS } from '../keys.ts'
import { readServer } from '../net/server.ts'
import type { Result } from '../outcome.ts'
import { type Hit, queryOf, type SearchOutcome, showHits, weightsOf } from '../search/here.ts'
import { EXIT, UsageError } from '../usage.ts'

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

/** `blazon search`: finds the best agents for a task in a folder of cards or in a directory. */
export const command = defineCommand({
  usage: '[QUERY] [--tag TAG]... [--from FOLDER | --server URL]...',
  details: [
    'Ranks Agent Cards by their tags and descriptions. A folder (default: the current',
    'one) is indexed for the search. A directory is queried for its best cards, and',
    'each is verified: cards that fail are dropped. Writes score, id, name and',
    'matching tags, separated by tabs. Exits 1 if nothing is found.',
  ],
  options: OPTIONS,
  examples: [
    "blazon search 'translate contracts' --tag nlp/translation --from cards/ --why",
    "blazon search 'translate contracts' --server https://agents.example.com --format json",
  ],
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
    if (options.unverified) throw misplaced('unverified', 'cards in files are always shown')
    const { searchFiles } = await import('../search/here.ts')
    return searchFiles(places, query, reader, { keys, weights })
  }
  if (places.length > 1) {
    const message = 'expected one directory, or files and folders'
    throw new UsageError('wrong-arguments', message, 'name the directory alone')
  }
  if (weights !== undefined) throw misplaced('weights', 'a directory ranks with its own weights')
  const { origin } = readServer('from', places[0]!)
  say(`asking ${origin}`)
  const { searchDirectory } = await import('../search/there.ts')
  return searchDirectory(origin, query, host, { keys, unverified: options.unverified })
}

function misplaced(option: string, why: string): UsageError {
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
