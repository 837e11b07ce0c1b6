// Answers to discovery: joined from shards, cut to a size.
import { utf8Length } from '../wasm/utf8.ts'
import { deeper, type Grouping, group, inBrief } from './grouping.ts'
import { QUERY_DEFAULTS } from './query.ts'
import type { Discovered, DiscoverResult } from './types.ts'

export interface MergeOptions {
  /** Results wanted: 10. */
  readonly limit?: number
  readonly grouping?: Grouping | undefined
  /** Candidates that each was asked for, where answers are grouped: as many as results. */
  readonly depth?: number
}

/**
 * The answers of all shards to one query as the answer of one directory. When two shards have a card of one agent, as
 * while cards move between them, the card with the higher `seq` counts.
 *
 * @example
 * mergeAnswers([shardA.discover(query, { statistics }), shardB.discover(query, { statistics })], { limit: query.limit })
 *
 * In a directory that groups, the shards are asked for candidates (`depth`), which are grouped here; `more` says that a greater
 * depth may give more results (`nextDepth`).
 *
 * @throws {RangeError} when there is no answer.
 */
export function mergeAnswers(
  parts: readonly Discovered[],
  { limit = QUERY_DEFAULTS.limit, grouping, depth = limit }: MergeOptions = {},
): Discovered {
  const [first] = parts
  if (first === undefined) throw new RangeError('parts: expected the answer of one shard at least, got none')
  const refused = parts.find(({ status }) => status !== 'OK')
  if (refused !== undefined) return refused
  const results = new Map<string, DiscoverResult>()
  for (const result of parts.flatMap((part) => part.results)) {
    const other = results.get(result.agent_card.id)
    if (other === undefined || seqOf(result) > seqOf(other)) results.set(result.agent_card.id, result)
  }
  const ranked = [...results.values()].sort(byRank)
  const { more: _, ...answer } = { ...first, cut: parts.some(({ cut }) => cut) }
  if (grouping === undefined) return { ...answer, results: ranked.slice(0, limit) }
  const { results: grouped, ...counts } = group(ranked.slice(0, depth), limit, grouping)
  return { ...answer, results: grouped, ...(counts.same + counts.left_out > 0 && { grouped: counts }) }
}

/** The number of candidates to ask for next; nothing when a greater depth gives an answer no more results. */
export function nextDepth(
  answer: Discovered,
  parts: readonly Discovered[],
  { limit, depth }: { readonly limit: number; readonly depth: number },
): number | undefined {
  const candidates = parts.reduce((sum, { results }) => sum + results.length, 0)
  const hasMore = candidates > depth || parts.some(({ more }) => more === true)
  return answer.results.length < limit ? deeper(depth, hasMore) : undefined
}

const seqOf = ({ seq, agent_card: card }: DiscoverResult) => BigInt(seq ?? card.seq ?? -1)

function byRank(a: DiscoverResult, b: DiscoverResult): number {
  return b.score - a.score || (a.agent_card.id < b.agent_card.id ? -1 : 1)
}

/** Room for all that stands around the results. */
const FRAME_BYTES = 1024
/** More than a result in brief has, unless a name or the tags that serve are made to be large. */
const BULKY_BYTES = 4096

/**
 * An answer that is not larger, as JSON, than a message may be (section 7.6). Cards for which there is no room become `id` and
 * `name`, which `adp.describe` completes, so that all results are there; only when even these are too many, the bulky ones
 * are left out, the largest first, and then the last. `cut` says whether anything was.
 */
export function cutAnswer(answer: Discovered, bytes: number): Discovered {
  const kept = answer.results.map((result) => ({ result, brief: jsonLength(inBrief(result)) + 1 }))
  let room = bytes - FRAME_BYTES - jsonLength(answer.corrections)
  for (const { brief } of kept) room -= brief
  while (room < 0 && kept.length > 0) {
    const [left] = kept.splice(leastNeeded(kept), 1)
    room += left!.brief
  }
  let cut = answer.cut || kept.length < answer.results.length
  const results = kept.map(({ result, brief }) => {
    const more = jsonLength(result) + 1 - brief
    if (more > room) {
      cut = true
      return inBrief(result)
    }
    room -= Math.max(more, 0)
    return result
  })
  return { ...answer, results, cut }
}

/** The one that is left out next: a card that takes the room of many others goes before any of these. */
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
