// Discovery responses: merged from shards, and cut to a size.
import { utf8Length } from '../wasm/utf8.ts'
import { deeper, type Grouping, group, groupingOf, inBrief } from './grouping.ts'
import { QUERY_DEFAULTS } from './query.ts'
import { resultJson, withCard } from './results.ts'
import type { SearchResponse, SearchResult } from './types.ts'

export interface MergeOptions {
  /** The number of results. Default 10. */
  readonly limit?: number
  readonly grouping?: Partial<Grouping> | undefined
  /** With grouping: how many candidates each shard was asked for. Default: the number of results. */
  readonly depth?: number
}

/**
 * Merges the responses of all shards to one query into the response of one directory. When two shards have a card of
 * the same agent, as while cards move between them, the one with the higher `seq` counts.
 *
 * @example
 * mergeAnswers([shardA.rank(query, { statistics }), shardB.rank(query, { statistics })], { limit: query.limit })
 *
 * A directory that groups asks its shards for candidates (`depth`) and groups them here. `deeper` is the depth to ask
 * for next, if that may give more results.
 *
 * @throws {RangeError} when `parts` is empty.
 */
export function mergeAnswers(
  parts: readonly SearchResponse[],
  { limit = QUERY_DEFAULTS.limit, grouping, depth = limit }: MergeOptions = {},
): SearchResponse {
  const [first] = parts
  if (first === undefined) throw new RangeError('parts: expected the answer of one shard at least, got none')
  const refused = parts.find(({ status }) => status !== 'OK')
  if (refused !== undefined) return refused
  const results = new Map<string, SearchResult>()
  for (const result of parts.flatMap((part) => part.results)) {
    const other = results.get(result.agent_card.id)
    if (other === undefined || seqOf(result) > seqOf(other)) results.set(result.agent_card.id, result)
  }
  const ranked = [...results.values()].sort(byRank)
  const { more: _, ...answer } = { ...first, cut: parts.some(({ cut }) => cut) }
  if (grouping === undefined) return { ...answer, results: ranked.slice(0, limit) }
  const { groups, ...counts } = group(ranked.slice(0, depth), limit, groupingOf(grouping))
  const merged = groups.map(({ best: { groupingKey, ...result }, others, count }) => {
    const agents = others.map(withCard).map(({ agent_card: { id, name }, score }) => ({ id, name, score }))
    return count === 0 ? result : { ...result, same: { count, agents } }
  })
  const count = parts.reduce((sum, part) => sum + part.results.length, 0)
  const next = merged.length < limit ? deeper(depth, count > depth || parts.some(({ more }) => more)) : undefined
  return {
    ...answer,
    results: merged,
    ...(counts.same + counts.left_out > 0 && { grouped: counts }),
    ...(next !== undefined && { deeper: next }),
  }
}

const seqOf = (result: SearchResult) => BigInt(result.seq ?? withCard(result).agent_card.seq ?? -1)

function byRank(a: SearchResult, b: SearchResult): number {
  return b.score - a.score || (a.agent_card.id < b.agent_card.id ? -1 : 1)
}

/** Room for everything around the results. */
const FRAME_BYTES = 1024
/** Larger than a result in brief, unless its name or its matching tags were made to be large. */
const BULKY_BYTES = 4096

/** A response as JSON, cut to the size of a message. */
export function answerJson(answer: SearchResponse, bytes: number): string {
  const json = jsonOf(answer)
  // No UTF-16 unit takes more than three bytes, and a brief result is never a third longer than a whole one.
  return 4 * json.length + FRAME_BYTES <= bytes ? json : jsonOf(cutAnswer(answer, bytes))
}

function jsonOf({ results, cut, corrections, grouped, missing, diagnostics }: SearchResponse): string {
  const others = JSON.stringify({
    ...(cut && { cut }),
    ...(corrections.length > 0 && { corrections }),
    ...(grouped && { grouped }),
    ...(missing && { missing }),
    ...(diagnostics.length > 0 && { diagnostics }),
  })
  return `{"results":[${results.map(resultJson).join(',')}]${others === '{}' ? '' : ','}${others.slice(1)}`
}

/**
 * Cuts a response to the size of a message, as JSON (section 7.6). Cards that do not fit are reduced to `id` and
 * `name`, and `adp.describe` gives the rest, so that no result is lost. If that is not enough, results are left out:
 * first bulky ones, the largest first, then the last ones. `cut` says whether anything was reduced or left out.
 */
function cutAnswer(answer: SearchResponse, bytes: number): SearchResponse {
  const kept = answer.results.map((result) => ({ result, brief: jsonLength(inBrief(result)) + 1 }))
  let room = bytes - FRAME_BYTES - jsonLength(answer.corrections)
  for (const { brief } of kept) room -= brief
  while (room < 0 && kept.length > 0) {
    const [left] = kept.splice(leastNeeded(kept), 1)
    room += left!.brief
  }
  let cut = answer.cut || kept.length < answer.results.length
  const results = kept.map(({ result, brief }) => {
    const more = utf8Length(resultJson(result)) + 1 - brief
    if (more > room) {
      cut = true
      return inBrief(result)
    }
    room -= Math.max(more, 0)
    return result
  })
  return { ...answer, results, cut }
}

/** Returns the next result to leave out: a bulky one before any other, because it takes the room of many. */
function leastNeeded(kept: readonly { readonly brief: number }[]): number {
  let least = kept.length - 1
  let largest = BULKY_BYTES
  for (const [i, { brief }] of kept.entries()) {
    if (brief <= largest) continue
    largest = brief
    least = i
  }
  return least
}

const jsonLength = (value: unknown) => utf8Length(JSON.stringify(value))
