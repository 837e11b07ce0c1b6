// Tokens, each of which lets its owner put in the card of one id, unsigned, and nothing else.
import { isAgentUri } from 'blazon/card'
import { directoryMap, type Env } from '../env.ts'
import { readObject } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { requireOperator, tokenFor } from '../http/operator.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'

const MOST_IDS = 100

/** `POST /v1/directory/tokens`: `{ "ids": [...] }` gives the token of each. */
export async function giveTokens(request: Request, url: URL, env: Env): Promise<Response> {
  await requireOperator(request, env)
  refuseOtherParameters(url.searchParams, {})
  const { ids } = await readObject(request)
  const map = directoryMap(env)
  const tokens = await Promise.all(
    idsIn(ids).map(async (id) => [id, await tokenFor(env.PUBLISH_TOKEN!, id, await map.tokenGeneration(id))] as const),
  )
  return Response.json({ tokens: Object.fromEntries(tokens) }, { headers: apiHeaders({}) })
}

/** `DELETE /v1/directory/tokens?id=ID`: withdraws the token of each id; the next one that is given is another. */
export async function withdrawTokens(request: Request, url: URL, env: Env): Promise<Response> {
  await requireOperator(request, env)
  refuseOtherParameters(url.searchParams, { id: 'often' })
  const withdrawn = idsIn(url.searchParams.getAll('id'))
  await directoryMap(env).withdrawTokens(withdrawn)
  return Response.json({ withdrawn }, { headers: apiHeaders({}) })
}

function idsIn(ids: unknown): readonly string[] {
  const isList = Array.isArray(ids) && ids.length > 0 && ids.length <= MOST_IDS
  if (isList && ids.every((id) => typeof id === 'string' && isAgentUri(id))) return ids
  throw new Problem('bad-request', `Name 1 to ${MOST_IDS} ids of agents: in { "ids": [...] }, or as the parameters id.`)
}
