// Answers queries: finds the matching cards and builds the response.
import { mergeAnswers, nextDepth } from './answer.ts'
import { candidates, crowdOf } from './grouping.ts'
import type { Indexes } from './indexes.ts'
import { readQuery } from './query.ts'
import { questionOf } from './question.ts'
import { weightsFor, weightsOf } from './ranking.ts'
import { resultOf } from './results.ts'
import type { Settings } from './settings.ts'
import { shownTo } from './shown.ts'
import type { SearchOptions, SearchQuery, SearchResponse } from './types.ts'

/** Returns the response of a directory to a query. With a depth, returns that many candidates instead. */
export function discover(
  indexes: Indexes,
  settings: Settings,
  query: SearchQuery,
  options: SearchOptions,
): SearchResponse {
  const { query: asked, diagnostics } = readQuery(query, options.document)
  if (asked === undefined) {
    return { status: 'INVALID_REQUEST', results: [], cut: false, corrections: [], diagnostics }
  }
  const { grouping } = settings
  if (options.depth !== undefined || grouping === undefined) {
    return { ...find(indexes, settings, asked, options), diagnostics }
  }
  const { limit } = asked
  // Asks for more candidates until grouping leaves enough results.
  for (let depth = limit; ; ) {
    const found = find(indexes, settings, asked, { ...options, depth })
    const answer = mergeAnswers([found], { limit, grouping, depth })
    const next = nextDepth(answer, [found], { limit, depth })
    if (next === undefined) return { ...answer, diagnostics }
    depth = next
  }
}

/** Finds the best cards for a query. */
function find(
  indexes: Indexes,
  settings: Settings,
  query: Required<SearchQuery>,
  options: SearchOptions,
): SearchResponse {
  const { disclosure, grouping } = settings
  const { depth, caller, statistics } = options
  const question = questionOf(query)
  const weights = weightsFor(weightsOf(options.weights, settings.weights), question.tags.length > 0)
  const limit = depth ?? query.limit
  const search = { limit, minScore: query.min_score, weights, statistics }
  const show = shownTo(disclosure, caller)
  const { cards, sought, corrections } = indexes.search(show, question, search, settings.clock().getTime())
  const signals = (id: string) => indexes.signals(id)
  const background = options.explain ? { ...settings, weights, question, sought, signals } : undefined
  const results = cards.map(({ hit, stored, shown }) => {
    const result = resultOf(hit, stored, shown, question, background)
    // A partial card has no signature, so the grouping data must not reveal the signer either.
    const signer = shown.partial ? undefined : stored.signer
    return depth === undefined ? result : { ...result, crowd: crowdOf(result.agent_card, signer) }
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
