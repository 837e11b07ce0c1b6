import type { FindingKind } from '../document/finding.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { findingAt, ruleDiagnostic } from '../frame/subject.ts'
import { isObject, isText, member } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { utf8Length } from '../wasm/instance.ts'
import * as FINDINGS from './findings.ts'
import { QUERY_DEFAULTS } from './query.ts'
import { deeper, type Grouping, group, groupingOf, inBrief, resultJson, withCard } from './results.ts'
import type {
  DescribeOptions,
  DescribeResult,
  Invocable,
  SearchQuery,
  SearchResponse,
  SearchResult,
  Status,
} from './types.ts'

export declare namespace handleInvocation {
  type Target = Invocable

  /** An AITP request and its response (section 4). */
  interface Request {
    /** `adp.describe`, `adp.advertise` or `adp.discover`. */
    readonly method: string
    /** The agent:// URI that the transport authenticated, if any. */
    readonly source?: string
    /** JSON. Empty is the same as absent. */
    readonly body?: Uint8Array | string
    /** The same as in `Sender`. */
    readonly operator?: boolean
    readonly address?: string
  }

  interface Result {
    readonly status: Status
    /** AITP's status number, where the draft defines one. */
    readonly statusCode: number | undefined
    readonly body: Readonly<Record<string, unknown>>
    /** The body as JSON. A whole card is unchanged, byte for byte. */
    readonly bytes: Uint8Array
    /** The operator has taken the card down. */
    readonly gone?: true
    /** The body is a partial card without a signature. `adp.describe` without `fields` returns the whole card. */
    readonly partial?: true
    /** The signature of the whole card, if the card is partial only because of `fields`. */
    readonly signature?: string
    /** Seconds until a BUSY sender may try again, if known. */
    readonly retryAfter?: number
  }
}

const BUSY_MINUTE = 'more cards of one sender than the directory takes in a minute'
const BUSY_DAY = 'more new agents of one sender than the directory takes in a day'

/** OK is 0 wherever statuses are numbered. The draft defines two more numbers, and none for the other statuses. */
const CODES: Readonly<Partial<Record<Status, number>>> = { OK: 0, UNAUTHORIZED: 5, INVALID_REQUEST: 6 }

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Handles an AITP request (section 4). The response does not depend on the transport. The body of an error has `status`
 * and `diagnostics`.
 *
 * @example
 * await handleInvocation(directory, { method: 'adp.discover', body: '{"tags": ["nlp"]}' })
 * // { status: 'OK', statusCode: 0, body: { results: [...] }, bytes }
 *
 * @throws {TypeError} when the body is neither bytes nor text.
 */
export async function handleInvocation(
  directory: Invocable,
  invocation: handleInvocation.Request,
): Promise<handleInvocation.Result> {
  const { method, source, body = '' } = invocation
  if (method === 'adp.advertise') return advertise(directory, invocation)
  if (method !== 'adp.describe' && method !== 'adp.discover') {
    return refusal('INVALID_REQUEST', [
      nowhere(FINDINGS.DIRECTORY_METHOD, `there is no method ${quoted(String(method))}`),
    ])
  }
  const { document, diagnostics } = parse(body.length === 0 ? '{}' : body)
  if (document === undefined) return refusal('INVALID_REQUEST', diagnostics)
  return method === 'adp.describe' ? describe(directory, document, source) : discover(directory, document, source)
}

async function advertise(
  directory: Invocable,
  { source, body = '', operator, address }: handleInvocation.Request,
): Promise<handleInvocation.Result> {
  const sender = {
    ...(source !== undefined && { id: source }),
    ...(operator !== undefined && { operator }),
    ...(address !== undefined && { address }),
  }
  const { status, stored, reason, retryAfter, diagnostics } = await directory.advertise(body, sender)
  if (status === 'OK') return answer(status, { stored, reason, diagnostics })
  // A front that counts senders before it parses cards has no diagnostics of its own.
  if (status === 'BUSY' && diagnostics.length === 0) {
    const busy = refusal(status, [
      nowhere(FINDINGS.DIRECTORY_TOO_MANY, retryAfter === undefined ? BUSY_MINUTE : BUSY_DAY),
    ])
    return retryAfter === undefined ? busy : { ...busy, retryAfter }
  }
  return refusal(status, diagnostics)
}

async function describe(
  directory: Invocable,
  document: Document,
  caller: string | undefined,
): Promise<handleInvocation.Result> {
  const { value } = document
  const refuse = (pointer: string, expected: string, found: unknown) =>
    refusal('INVALID_REQUEST', [
      findingAt(document, FINDINGS.DIRECTORY_DESCRIBE, pointer, `expected ${expected}, found ${shown(found)}`),
    ])
  if (!isObject(value)) return refuse('', 'an object', value)
  const id = member(value, 'id')
  const fields = member(value, 'fields')
  if (id !== undefined && typeof id !== 'string') return refuse('/id', 'a string', id)
  if (fields !== undefined && !(Array.isArray(fields) && fields.every(isText))) {
    return refuse('/fields', 'an array of strings', fields)
  }
  const options: DescribeOptions = {
    ...(fields !== undefined && { fields }),
    ...(caller !== undefined && { caller }),
  }
  const described = await directory.describe(id, options)
  if (described.status === 'OK') return cardAnswer(described)
  const [rule, detail] =
    described.status === 'UNAUTHORIZED'
      ? [FINDINGS.DIRECTORY_NOT_PERMITTED, `the card of ${quoted(id!)} is not for this caller`]
      : [FINDINGS.DIRECTORY_UNKNOWN_AGENT, described.gone ?? `there is no card of ${quoted(id!)}`]
  const refused = refusal(described.status, [ruleDiagnostic(document, rule, 'error', '/id', detail)])
  return described.gone === undefined ? refused : { ...refused, gone: true }
}

function cardAnswer({ agent_card: card, bytes, partial, signature }: DescribeResult): handleInvocation.Result {
  const marks = { ...(partial && { partial }), ...(signature !== undefined && { signature }) }
  return { status: 'OK', statusCode: CODES.OK, body: card!, bytes: bytes!, ...marks }
}

async function discover(
  directory: Invocable,
  document: Document,
  caller: string | undefined,
): Promise<handleInvocation.Result> {
  const explain = isObject(document.value) && member(document.value, 'explain') === true
  const found = await directory.discover(document.value as SearchQuery, {
    document,
    explain,
    ...(caller !== undefined && { caller }),
  })
  return discoverAnswer(found, directory.limits)
}

/**
 * Builds the response to `adp.discover` from the results of one directory or of all shards, cut to the size of a
 * message.
 *
 * @example
 * discoverAnswer(mergeAnswers(parts, { limit }), { answerBytes: 65_535 }) // { status: 'OK', statusCode: 0, body: { results: [...] }, bytes }
 */
export function discoverAnswer(found: SearchResponse, { answerBytes }: Invocable['limits']): handleInvocation.Result {
  if (found.status !== 'OK') return refusal(found.status, found.diagnostics)
  const bytes = found.bytes ?? encoder.encode(answerJson(found, answerBytes))
  return {
    status: 'OK',
    statusCode: CODES.OK,
    // Most transports need only the bytes.
    get body() {
      return JSON.parse(decoder.decode(bytes))
    },
    bytes,
  }
}

function refusal(status: Status, diagnostics: readonly Diagnostic[]): handleInvocation.Result {
  return answer(status, { status, diagnostics })
}

function answer(status: Status, body: handleInvocation.Result['body']): handleInvocation.Result {
  return { status, statusCode: CODES[status], body, bytes: encoder.encode(JSON.stringify(body)) }
}

/** A finding that has no position in the body. */
function nowhere(rule: FindingKind, detail: string): Diagnostic {
  return findingAt(parse('{}').document!, rule, '', detail)
}

// Discovery responses: merged from shards, and cut to a size.

export declare namespace mergeAnswers {
  interface Options {
    /** The number of results. Default 10. */
    readonly limit?: number
    readonly grouping?: Partial<Grouping> | undefined
    /** With grouping: how many candidates each shard was asked for. Default: the number of results. */
    readonly depth?: number
  }
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
  { limit = QUERY_DEFAULTS.limit, grouping, depth = limit }: mergeAnswers.Options = {},
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
function answerJson(answer: SearchResponse, bytes: number): string {
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
