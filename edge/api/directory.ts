// Queries to the directory: the methods of ADP over HTTP (section 4), whose bodies are those of the invocation, and the
// search of ARD.
import { DEFAULT_RANKING, handleInvocation, type InvocationAnswer, type SearchQuery, withCard } from 'blazon/directory'
import type { Call } from '../access/route.ts'
import { CARD_TYPE, cardPath, catalogEntry } from '../directory/catalog-entry.ts'
import { invalidArgument, noSuchPage, readFilter } from '../directory/filter.ts'
import { discover, shardedDirectory } from '../directory/service.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { madeAnswer } from '../http/published.ts'
import { pageToken, placeOf } from '../http/query.ts'
import { MINUTE, senderOf } from '../http/sender.ts'

type Method = 'adp.describe' | 'adp.advertise' | 'adp.discover'

const STATUS: Readonly<Record<InvocationAnswer['status'], number>> = {
  OK: 200,
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 403,
  NOT_FOUND: 404,
  BUSY: 429,
  FULL: 507,
}

/** `POST /adp/describe`, `/adp/advertise`, `/adp/discover`. */
export function invoke(method: Method): (call: Call) => Promise<Response> {
  return async ({ request, url, env, body, bearer }) => {
    const sender = { operator: bearer !== undefined, address: senderOf(request) }
    const answer = await handleInvocation(shardedDirectory(env), { method, body, ...sender })
    const { status, gone, bytes, partial, signature, retryAfter = MINUTE } = answer
    const isCard = method === 'adp.describe' && status === 'OK'
    const headers = apiHeaders({
      'content-type': isCard ? CARD_TYPE : 'application/json',
      ...(status === 'BUSY' && { 'retry-after': String(retryAfter) }),
      // A partial card is marked outside of it, with the place of the whole (sections 4.1 and 7.2).
      ...(partial === true && {
        'blazon-partial': 'true',
        link: `<${url.origin}${cardPath(String(answer.body['id']))}>; rel="canonical"`,
        // The signature is base64url from the sender, so anything else is kept out of the header.
        ...(signature !== undefined && /^[\w-]+$/.test(signature) && { 'blazon-signature': signature }),
      }),
    })
    return new Response(new Uint8Array(bytes), { status: gone === true ? 410 : STATUS[status], headers })
  }
}

/**
 * `GET /adp/ranking`: the ranking formula, its weights and the inputs of each factor (section 5). Shards are opened
 * without ranking options.
 */
export function readRanking({ request }: Call): Promise<Response> {
  return madeAnswer(request, DEFAULT_RANKING, 'application/json')
}

/** Paging ends after that many results; `GET /agents` lists all agents. */
const MOST_RESULTS = 100

/** `POST /search`: the results of `adp.discover`, in the request and answer form of ARD (section 5.3.1). */
export async function search({ url, env, body }: Call): Promise<Response> {
  const { query, federation = 'auto', pageSize: wanted = 10, pageToken: token, ...others } = objectIn(body)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalidArgument(`Unknown member ${unknown}.`)
  if (!['auto', 'referrals', 'none'].includes(federation as string)) {
    throw invalidArgument('Expected auto, referrals or none as federation.')
  }
  if (!isInteger(wanted) || wanted < 1) throw invalidArgument('Expected an integer of at least 1 as pageSize.')
  const pageSize = Math.min(wanted, MOST_RESULTS)
  const place = token === undefined ? '0' : await placeOf('search', typeof token === 'string' ? token : '')
  if (place === undefined || !/^\d{1,2}$/.test(place)) throw noSuchPage()
  const from = Number(place)
  const adpQuery = readQuery(query)
  if (adpQuery === undefined) return json({ results: [] })

  const end = from + pageSize
  // Tags affect the rank in ADP, but are a filter in ARD: cards without any of them are removed here.
  const limit = adpQuery.tags === undefined ? Math.min(end + 1, MOST_RESULTS) : MOST_RESULTS
  const { status, results, diagnostics, missing } = await discover(env, { ...adpQuery, limit, min_score: 0 }, {})
  if (status !== 'OK') throw invalidArgument(diagnostics[0]?.detail ?? 'The query is invalid.')
  const fitting = adpQuery.tags === undefined ? results : results.filter((result) => result.matched_tags.length > 0)
  const items = fitting
    .slice(from, end)
    .map(withCard)
    .map(({ agent_card, score, standing }) => ({
      ...catalogEntry(agent_card, standing, url.origin),
      score: Math.round(100 * score),
      source: `${url.origin}/`,
    }))
  const headers = apiHeaders(missing === undefined ? {} : { 'blazon-partial': `${missing.answered}/${missing.asked}` })
  const answer = {
    results: items,
    ...(pageSize < wanted && { pageSize }),
    ...(fitting.length > end && { pageToken: await pageToken('search', String(end)) }),
  }
  return Response.json(answer, { headers })
}

/** The query as ADP has it; undefined if no card can match its filter. */
function readQuery(query: unknown): SearchQuery | undefined {
  const { text, filter = {} } = (query ?? {}) as { text?: unknown; filter?: unknown }
  if (typeof text !== 'string' || text.trim() === '') throw invalidArgument('Expected a text as query.text.')
  if (typeof filter !== 'object' || filter === null) throw invalidArgument('Expected an object as query.filter.')
  const fields = Object.entries(filter).map(([name, value]) => [name, textsOf(name, value)] as const)
  const other = fields.find(([name]) => name !== 'type' && name !== 'tags')
  if (other !== undefined) throw invalidArgument(`Unknown filter ${other[0]}: a search can filter by type and tags.`)
  const read = readFilter(fields)
  return read && { query: text, ...(read.tags !== undefined && { tags: read.tags }) }
}

function textsOf(name: string, value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value]
  if (values.every((one) => typeof one === 'string')) return values
  throw invalidArgument(`Expected a text or a list of texts as query.filter.${name}.`)
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value)
}
