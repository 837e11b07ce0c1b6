import type { Env } from '../env.ts'
import { readObject } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { requireOperator, tokenFor } from '../http/operator.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'

const MOST_IDS = 100

/** `POST /v1/directory/tokens`: `{ "ids": [...] }` gives tokens, each of which lets its owner put in the card of one id, unsigned. */
export async function giveTokens(request: Request, url: URL, env: Env): Promise<Response> {
  await requireOperator(request, env)
  refuseOtherParameters(url.searchParams, {})
  const { ids } = await readObject(request)
  if (!Array.isArray(ids) || ids.length > MOST_IDS || !ids.every((id) => typeof id === 'string')) {
    throw new Problem('bad-request', `The body is { "ids": [...] }: at most ${MOST_IDS} ids of agents.`)
  }
  const tokens = await Promise.all(ids.map(async (id: string) => [id, await tokenFor(env.PUBLISH_TOKEN!, id)]))
  return Response.json({ tokens: Object.fromEntries(tokens) }, { headers: apiHeaders({}) })
}
