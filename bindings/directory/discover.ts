// Queries: what of the shelf answers them, and how it is told.

import { mergeAnswers, nextDepth } from './answer.ts'
import { candidates, crowdOf, type Grouping } from './grouping.ts'
import { readQuery } from './query.ts'
import { questionOf } from './question.ts'
import { weightsFor, weightsOf } from './ranking.ts'
import { jsonOf, resultOf } from './results.ts'
import type { Settings } from './settings.ts'
import type { Shelf } from './shelf.ts'
import { shownCard } from './shown.ts'
import type { Discovered, DiscoverOptions, DiscoverQuery } from './types.ts'

/** The answer of a directory to a query; so many candidates where a depth is wanted. */
export function discover(shelf: Shelf, settings: Settings, query: DiscoverQuery, options: DiscoverOptions): Discovered {
  const { query: asked, diagnostics } = readQuery(query, options.document)
  if (asked === undefined) {
    return { status: 'INVALID_REQUEST', results: [], cut: false, corrections: [], diagnostics }
  }
  const { grouping } = settings
  const isWhole = options.depth !== undefined || grouping === undefined
  const answer = isWhole
    ? find(shelf, settings, asked, options)
    : findGrouped(shelf, settings, asked, options, grouping)
  return { ...answer, diagnostics }
}

/** Candidates are looked at until there are enough that count. */
function findGrouped(
  shelf: Shelf,
  settings: Settings,
  query: Required<DiscoverQuery>,
  options: DiscoverOptions,
  grouping: Grouping,
): Discovered {
  for (let depth = query.limit; ; ) {
    const found = find(shelf, settings, query, { ...options, depth })
    const answer = mergeAnswers([found], query, { grouping, depth })
    const next = nextDepth(answer, [found], query.limit, depth)
    if (next === undefined) return answer
    depth = next
  }
}

/** The best cards for a query. */
function find(shelf: Shelf, settings: Settings, query: Required<DiscoverQuery>, options: DiscoverOptions): Discovered {
  const { fields, coldStart, disclosure, grouping } = settings
  const { depth, caller, statistics } = options
  const question = questionOf(query)
  const weights = weightsFor(weightsOf(options.weights, settings.weights), question.tags.length > 0)
  const limit = depth ?? query.limit
  const search = { limit, minScore: query.min_score, weights, statistics }
  const { cards, sought, corrections } = shelf.search(question, search, settings.now().getTime())
  const signals = (id: string) => shelf.signals(id)
  const background = options.explain ? { question, weights, fields, coldStart, sought, signals } : undefined
  const results = cards.flatMap(({ hit, stored }) => {
    const shown = shownCard(stored.bytes, disclosure, caller)
    if (shown === undefined) return []
    const result = resultOf(hit, stored, shown, question, background)
    return depth === undefined ? result : { ...result, crowd: crowdOf(jsonOf(stored.bytes), stored.signer) }
  })
  return {
    status: 'OK',
    results: grouping === undefined || depth === undefined ? results : candidates(results, grouping),
    cut: false,
    corrections: corrections.map(({ word, instead }) => ({ word: question.written.get(word) ?? word, instead })),
    diagnostics: [],
    ...(depth !== undefined && { more: cards.length === limit }),
  }
}
