import type { SearchQuery } from '../../bindings/directory/types.ts'
import { type Context, defineCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import { isUrl } from '../inputs/expand.ts'
import { readKeys, TRUSTED_KEYS } from '../keys.ts'
import { readServer } from '../net/server.ts'
import type { Options } from '../options.ts'
import type { Result } from '../outcome.ts'
import type { Hit, SearchOutcome } from '../search/found.ts'
import { queryOf, weightsOf } from '../search/query.ts'
import { showHits } from '../search/show.ts'
import { UsageError } from '../usage.ts'

const LEGEND = 'each bar is a factor from 0 to 1; the score is the sum of what stands before each ='

const OPTIONS = {
  tag: { value: 'TAG', many: true, about: "a skill, such as nlp/translation or 'nlp/*'" },
  from: {
    value: 'PLACE',
    aliases: ['server', 'to', 'at', 'directory'],
    many: true,
    about: 'a folder, a file, or the URL of a server; --server is the same',
  },
  limit: { value: 'N', number: true, about: 'at most so many, from 1 to 100 (default 10)' },
  'min-score': { value: 'SCORE', about: 'at least this score, from 0 to 1 (default 0.1)' },
  weights: { value: 'LIST', about: 'what factors count, as in tags=0.5,text=0.2' },
  why: { about: 'show the factors of each score as bars' },
  key: TRUSTED_KEYS,
  unverified: { about: 'show cards that cannot be verified, too' },
} as const satisfies Options

/** `blazon search`: finds the best agents for a task, in a folder of cards or in a directory. */
export const command = defineCommand({
  usage: '[QUERY] [--tag TAG]... [--from FOLDER | --server URL]...',
  details: [
    'Ranks Agent Cards by their tags and by what they say they do. A folder (here,',
    'when none is named) is indexed on the spot. A directory is asked for its best,',
    'and every card that comes is verified: what fails is dropped. Writes score, id,',
    'name and tags that match, with tabs between. Exits 1 when nothing is found.',
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
    const told = [
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
      notes: told,
      ...(hits.length === 0 && { exit: EXIT.findings, reason: ['no card is found', ...told].join('; ') }),
    }
  },
})

async function find(query: SearchQuery, context: Context<typeof OPTIONS>): Promise<SearchOutcome> {
  const { options, reader, host, say } = context
  const weights = weightsOf(options.weights)
  const keys = await readKeys(options.key, context)
  const places = options.from.length > 0 ? options.from : ['.']
  if (!places.some(isUrl)) {
    if (options.unverified) throw misplaced('unverified', 'cards in files are shown in any case')
    const { searchFiles } = await import('../search/here.ts')
    return searchFiles(places, query, reader, { keys, weights })
  }
  if (places.length > 1) {
    const message = 'expected one directory, or files and folders'
    throw new UsageError('wrong-arguments', message, 'name the directory alone')
  }
  if (weights !== undefined) throw misplaced('weights', 'a directory ranks with weights of its own')
  const { origin } = readServer('from', places[0]!)
  say(`asking ${origin}`)
  const { searchDirectory } = await import('../search/there.ts')
  return searchDirectory(origin, query, host, { keys, unverified: options.unverified })
}

function misplaced(option: string, why: string): UsageError {
  return new UsageError('wrong-arguments', `--${option} is of no use here: ${why}`, `leave out --${option}`)
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
