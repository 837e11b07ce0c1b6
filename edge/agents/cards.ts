// The cards of agents in the directory (ADP).
import { isAgentUri } from 'blazon/card'
import type { Call } from '../access/route.ts'
import type { DescribedOrRemoved, Rule } from '../contracts/directory.ts'
import {
  CARD_TYPE,
  cardPath,
  catalogEntry,
  idOfName,
  invalidArgument,
  noSuchPage,
  readExpression,
  readFilter,
} from '../directory/listing.ts'
import { describe, list } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { apiHeaders, json, madeAnswer } from '../http/answer.ts'
import { Problem } from '../http/problem.ts'
import { badParameter, integer, pageToken, placeOf } from '../http/query.ts'
import { decide, reasonOf, wordsOfRemoval } from '../moderation/rules.ts'
import { idForm } from '../moderation/subjects.ts'
import { nameShown } from './find.ts'

/** The directory's card of the agent that a path segment names. Throws when the operator has taken it down. */
export async function findCard(env: Env, name: string): Promise<DescribedOrRemoved | undefined> {
  const described = await describe(env, idOfName(name), {})
  if (described.removed !== undefined) throw gone(described.removed)
  return described.status === 'OK' ? described : undefined
}

/** The answer for a card that was taken down. */
function gone(rule: Rule): Problem {
  const { reason, at } = rule
  return new Problem('gone', wordsOfRemoval(rule), { members: { reason, removedAt: new Date(at).toISOString() } })
}

/**
 * A card, byte for byte as its agent signed it. `Blazon-Standing` reports how it was verified. A revocation is answered
 * with 410 and the signed revocation as the proof.
 */
export function cardAnswer(
  { request, url, parts }: Call<'name'>,
  { bytes, standing = 'none', revoked }: DescribedOrRemoved,
): Response | Promise<Response> {
  const content = new Uint8Array(bytes!)
  const own = { 'blazon-standing': standing }
  if (revoked === true)
    return new Response(content, { status: 410, headers: apiHeaders({ ...own, 'content-type': CARD_TYPE }) })
  const link = `<${url.origin}${cardPath(idOfName(parts.name))}>; rel="canonical"`
  return madeAnswer(request, content, CARD_TYPE, { own: { ...own, vary: 'accept', link } })
}

/** `GET /agents/{name}/card.json`: the ADP Agent Card; `name` is its id without `agent://`. */
export async function readCard(call: Call<'name'>): Promise<Response> {
  const { url, env, parts } = call
  const described = await findCard(env, parts.name)
  if (described !== undefined) return cardAnswer(call, described)
  const all = `${url.origin}/agents`
  throw new Problem('not-found', `The directory has no card of ${nameShown(parts.name)}; ${all} lists all.`)
}

/**
 * `DELETE /agents/{name}?reason=...`: takes the card of an agent down. Its id is then blocked and answers 410 with the
 * reason, until a rule allows it again.
 */
export async function removeAgent({ url, env, parts: { name } }: Call<'name'>): Promise<Response> {
  const id = idOfName(name)
  if (!isAgentUri(id)) throw new Problem('not-found', `${nameShown(name)} is not the name of an agent.`)
  const wrong = (expected: string) => badParameter('reason', `The parameter reason: expected ${expected}.`)
  const reason = reasonOf(url.searchParams.get('reason') ?? '', (_, expected) => wrong(expected))
  if (reason.trim() === '') throw wrong('why the card is taken down; it is shown to anyone who asks for the card')
  const { status } = await describe(env, id, {})
  const at = Date.now()
  await decide(env, [{ of: 'id', value: idForm(id), verdict: 'block', reason, at }])
  return json({ id, removed: status === 'OK', reason, at: new Date(at).toISOString() })
}

const FILTERS = ['type', 'tags', 'displayName', 'standing', 'createdAfter', 'updatedAfter'] as const
const MOST_ENTRIES = 100
const EACH = Object.fromEntries(FILTERS.map((name) => [name, 'once'] as const))
export const LIST = { filter: 'once', pageSize: 'once', pageToken: 'once', orderBy: 'once', ...EACH } as const

/**
 * `GET /agents`: the agents of the directory as catalog entries (ARD section 5.3.5), ordered by id, a page at a time.
 * The answer names the page size when it is less than the request asked for. `orderBy=newest` gives one page with the
 * latest cards.
 */
export async function listAgents({ request, url, env }: Call): Promise<Response> {
  const query = url.searchParams
  const order = query.get('orderBy')
  if (order !== null && order !== 'id' && order !== 'newest') throw invalidArgument('Expected id or newest as orderBy.')
  const newest = order === 'newest'
  const wanted = integer(query, 'pageSize', 1, 999_999_999) ?? 20
  const limit = Math.min(wanted, MOST_ENTRIES)
  const token = query.get('pageToken')
  const after = token === null ? undefined : await placeOf('agents', token)
  if (token !== null && (newest || after === undefined || !isAgentUri(after))) throw noSuchPage()
  const named = FILTERS.flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value.split(',')] as const]
  })
  const filter = readFilter([...named, ...readExpression(query.get('filter') ?? '')])
  const page =
    filter === undefined
      ? { cards: [] }
      : await list(env, { ...filter, limit, newest, ...(after !== undefined && { after }) })
  const body = {
    items: page.cards.map(({ agent_card, standing }) => catalogEntry(agent_card, standing, url.origin)),
    ...(limit < wanted && { pageSize: limit }),
    ...(page.until !== undefined && { pageToken: await pageToken('agents', page.until) }),
    ...(page.missing !== undefined && { partial: page.missing }),
  }
  return madeAnswer(request, body, 'application/json')
}
