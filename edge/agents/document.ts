import { isAgentName } from 'blazon/adl'
import { documents, type Env } from '../env.ts'
import { writeCondition } from '../http/conditions.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import type { Call } from '../http/route.ts'
import type { Published } from '../objects/documents.ts'
import { publishedAnswer } from './answer.ts'
import { nameShown } from './name.ts'
import { find } from './store.ts'

/** The document of a name, or null, also for an impossible name. */
export async function findPublished(env: Env, name: string): Promise<Published | null> {
  return isAgentName(name) ? find(env, name) : null
}

/** The document of a name, or a problem. */
export async function findOrRefuse(env: Env, name: string, origin: string): Promise<Published> {
  const published = await findPublished(env, name)
  if (published !== null) return published
  throw new Problem(
    'not-found',
    `No agent is published here as ${nameShown(name)}; ${origin}/.well-known/adl-agents lists all.`,
  )
}

/** `GET /agents/{name}/adl.json`: the bytes as they were published. */
export async function readAgentDocument({ request, url, env, parts: { name } }: Call<'name'>): Promise<Response> {
  const { bytes, etag, type } = await findOrRefuse(env, name, url.origin)
  return publishedAnswer(request, bytes, etag, type, {
    link: `<${url.origin}/agents/${name}>; rel="canonical"`,
  })
}

/** `DELETE /agents/{name}/adl.json`. */
export async function removeAgentDocument({ request, env, parts: { name } }: Call<'name'>): Promise<Response> {
  const outcome = await documents(env).remove(name, writeCondition(request.headers))
  if (outcome === 'condition-failed')
    throw new Problem('condition-failed', `${nameShown(name)} is not in the state that the request names.`)
  if (outcome === 'absent') throw new Problem('not-found', `Nothing was published as ${nameShown(name)}.`)
  return new Response(null, { status: 204, headers: apiHeaders({}) })
}
