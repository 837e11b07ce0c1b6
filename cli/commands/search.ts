import type { Context, Outcome, Result } from '../context.ts'
import { EXIT } from '../exit.ts'
import { isUrl } from '../inputs/expand.ts'
import { readKeys } from '../keys.ts'
import { readServer } from '../net/server.ts'
import type { Found, Hit } from '../search/found.ts'
import { queryOf, weightsOf } from '../search/query.ts'
import { showHits } from '../search/show.ts'
import { UsageError } from '../usage.ts'

const LEGEND = 'each bar is a factor from 0 to 1; the score is the sum of what stands before each ='

/** `blazon search`: the agents that are best for a task, of a folder of cards or of a directory. */
export async function run(context: Context): Promise<Outcome> {
  const why = context.options.has('why')
  const { hits, corrections, problems, notes } = await find(context)
  return {
    results: [...problems, ...hits.map(resultOf)],
    output: [showHits(hits, why)],
    notes: [
      ...corrections.map(({ word, instead }) =>
        instead.length > 0
          ? `no card has "${word}": searched ${instead.map((near) => `${near}…`).join(', ')}`
          : `no card has "${word}"`,
      ),
      ...(why && hits.length > 0 ? [LEGEND] : []),
      ...notes,
    ],
    ...(hits.length === 0 && { exit: EXIT.findings }),
  }
}

async function find(context: Context): Promise<Found> {
  const { options, reader, host } = context
  const query = queryOf(context)
  const weights = weightsOf(context)
  const keys = await readKeys(context)
  const places = options.has('from') ? options.list('from') : ['.']
  if (!places.some(isUrl)) {
    if (options.has('unverified')) throw misplaced('unverified', 'cards in files are shown in any case')
    const { searchFiles } = await import('../search/here.ts')
    return searchFiles(places, query, reader, { keys, weights })
  }
  if (places.length > 1) {
    const message = 'expected one directory, or files and folders'
    throw new UsageError('wrong-arguments', message, 'name the directory alone')
  }
  if (weights !== undefined) throw misplaced('weights', 'a directory ranks with weights of its own')
  const { origin } = readServer('from', places[0]!)
  if (!options.has('quiet')) host.stderr.write(`asking ${origin}\n`)
  const { searchDirectory } = await import('../search/there.ts')
  return searchDirectory(origin, query, host, { keys, unverified: options.has('unverified') })
}

function misplaced(option: string, why: string): UsageError {
  return new UsageError('wrong-arguments', `--${option} is of no use here: ${why}`, `leave out --${option}`)
}

function resultOf(
  { file, agent_card: card, score, matched_tags, standing, verified, equivocations, why }: Hit,
  i: number,
): Result {
  const found = { rank: i + 1, score, id: card.id, name: card.name, matchedTags: matched_tags, standing, verified }
  return {
    file,
    kind: 'card',
    valid: true,
    diagnostics: [],
    found: { ...found, equivocations, ...(why !== undefined && { why }), card },
  }
}
