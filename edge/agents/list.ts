import { isAgentUri } from 'blazon/card'
import type { Call } from '../access/route.ts'
import { catalogEntry } from '../directory/catalog-entry.ts'
import { invalidArgument, noSuchPage, readExpression, readFilter } from '../directory/filter.ts'
import { list } from '../directory/service.ts'
import { etagOf, publishedAnswer } from '../http/published.ts'
import { integer, pageToken, placeOf, refuseOtherParameters } from '../http/query.ts'

const FILTERS = ['type', 'tags', 'displayName', 'standing', 'createdAfter', 'updatedAfter'] as const
const MOST_ENTRIES = 100

/**
 * `GET /agents`: the agents of the directory as catalog entries (ARD section 5.3.5), ordered by id, a page at a time.
 * The answer names the page size when it is less than the request asked for. `orderBy=newest` gives one page with the
 * latest cards.
 */
export async function listAgents({ request, url, env }: Call): Promise<Response> {
  const query = url.searchParams
  const once = Object.fromEntries(FILTERS.map((name) => [name, 'once'] as const))
  refuseOtherParameters(query, { filter: 'once', pageSize: 'once', pageToken: 'once', orderBy: 'once', ...once })
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
  const body = new TextEncoder().encode(
    JSON.stringify({
      items: page.cards.map(({ agent_card, standing }) => catalogEntry(agent_card, standing, url.origin)),
      ...(limit < wanted && { pageSize: limit }),
      ...(page.until !== undefined && { pageToken: await pageToken('agents', page.until) }),
      ...(page.missing !== undefined && { partial: page.missing }),
    }),
  )
  return publishedAnswer(request, body, await etagOf(body), 'application/json')
}
