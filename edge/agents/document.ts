import { isAgentName } from 'blazon/adl'
import { documents, type Env } from '../env.ts'
import { writeCondition } from '../http/conditions.ts'
import { apiHeaders } from '../http/headers.ts'
import { requireOperator } from '../http/operator.ts'
import { Problem } from '../http/problem.ts'
import type { Published } from '../objects/documents.ts'
import { publishedAnswer } from './answer.ts'
import { find } from './store.ts'

/** The document of a name, or null; names that nothing can have, have none. */
export async function findPublished(env: Env, name: string): Promise<Published | null> {
  return isAgentName(name) ? find(env, name) : null
}

/** The document of a name, or a problem. */
export async function findOrRefuse(env: Env, name: string, origin: string): Promise<Published> {
  const published = await findPublished(env, name)
  if (published !== null) return published
  throw new Problem(
    'not-found',
    `No agent is published here as ${name.slice(0, 130)}; ${origin}/.well-known/adl-agents lists all.`,
  )
}

/** `GET /agents/{name}/adl.json`: the bytes as they were published. */
export async function readAgentDocument(request: Request, url: URL, env: Env, name: string): Promise<Response> {
  const { bytes, etag, type } = await findOrRefuse(env, name, url.origin)
  return publishedAnswer(request, bytes, etag, type, {
    link: `<${url.origin}/agents/${name}>; rel="canonical"`,
  })
}

/** `DELETE /agents/{name}/adl.json`. */
export async function removeAgentDocument(request: Request, _url: URL, env: Env, name: string): Promise<Response> {
  await requireOperator(request, env)
  const outcome = await documents(env).remove(name, writeCondition(request.headers))
  if (outcome === 'condition-failed')
    throw new Problem('condition-failed', `${name} is not in the state that the request names.`)
  if (outcome === 'absent') throw new Problem('not-found', `Nothing was published as ${name}.`)
  return new Response(null, { status: 204, headers: apiHeaders({}) })
}
