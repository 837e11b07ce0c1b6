// Ranks cards for a query: chooses by the index alone, and reads only those cards that are returned.
import type { Candidate, CardIndex } from './card-index.ts'
import { briefly, deeper, type Grouping, group, type Selection } from './grouping.ts'
import { soughtWords } from './question.ts'
import { weightsFor, weightsOf } from './ranking.ts'
import { nameIn, resultOf } from './results.ts'
import type { Settings } from './settings.ts'
import { partOf, shownTo } from './shown.ts'
import { isFindable } from './stored.ts'
import type { IndexQuery, SearchOptions, SearchResponse } from './types.ts'

/** Returns the best cards for a query, each as JSON. With a depth, returns that many candidates for a merge. */
export function rank(whole: CardIndex, settings: Settings, query: IndexQuery, options: SearchOptions): SearchResponse {
  const { disclosure, grouping, store } = settings
  const { depth, statistics, caller } = options
  const now = settings.clock().getTime()
  const show = shownTo(disclosure, caller)
  const index = whole.part(show, now)
  const weights = weightsFor(weightsOf(options.weights, settings.weights), query.tags.length > 0)
  for (;;) {
    const { sought, corrections } = soughtWords(statistics ?? index.statistics(query, now))
    const find = (limit: number) => index.find(query, sought, { limit, weights, statistics }, now)
    const { groups, more, ...counts } =
      grouping === undefined || depth !== undefined
        ? ungrouped(find, depth ?? query.limit)
        : grouped(find, query.limit, grouping)
    const ids = groups.flatMap(({ best, others }) => [best, ...others]).map(({ hit }) => hit.id)
    const found = store.getAll(ids).filter((stored) => isFindable(stored, now))
    const cards = new Map(found.map((stored) => [stored.id, { stored, shown: partOf(stored.bytes, show)! }]))
    // The store is authoritative: removes cards from the index that the store no longer has.
    const gone = ids.filter((id) => cards.get(id)?.shown === undefined)
    if (gone.length > 0) {
      for (const id of gone) index.drop(id)
      continue
    }
    const signals = (id: string) => index.signals(id)
    const words = sought.map(({ word }) => word)
    const background = options.explain ? { ...settings, weights, query, sought: words, signals } : undefined
    const results = groups.map(({ best, others, count }) => {
      const result = resultOf(best.hit, cards.get(best.hit.id)!, query, background)
      if (depth !== undefined)
        return { ...result, ...(best.groupingKey !== undefined && { groupingKey: best.groupingKey }) }
      if (count === 0) return result
      const agents = others.map(({ hit: { id, score } }) => ({ id, name: nameIn(cards.get(id)!.shown), score }))
      return { ...result, same: { count, agents } }
    })
    return {
      status: 'OK',
      results: grouping === undefined || depth === undefined ? results : briefly(results, grouping),
      cut: false,
      corrections: corrections.map(({ word, instead }) => ({
        word: query.written[query.words.indexOf(word)] ?? word,
        instead,
      })),
      diagnostics: [],
      ...(counts.same + counts.left_out > 0 && { grouped: counts }),
      ...(depth !== undefined && { more }),
    }
  }
}

type Find = (limit: number) => readonly Candidate[]

function ungrouped(find: Find, limit: number): Selection<Candidate> {
  const found = find(limit)
  const groups = found.map((best) => ({ best, others: [], count: 0 }))
  return { groups, same: 0, left_out: 0, more: found.length === limit }
}

/** Asks for more candidates until grouping leaves enough results. */
function grouped(find: Find, limit: number, grouping: Grouping): Selection<Candidate> {
  for (let depth = limit; ; ) {
    const found = find(depth)
    const selection = { ...group(found, limit, grouping), more: found.length === depth }
    const next = selection.groups.length < limit ? deeper(depth, selection.more) : undefined
    if (next === undefined) return selection
    depth = next
  }
}
