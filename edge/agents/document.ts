import { isAgentName } from 'blazon/adl'
import type { Call } from '../access/route.ts'
import { documents } from '../env.ts'
import { noContent } from '../http/answer.ts'
import { Problem } from '../http/problem.ts'
import { publishedAnswer, writeCondition } from '../http/published.ts'
import { nameShown } from './name.ts'
import { find, type StoredDocument } from './store.ts'

type Reader = Pick<Call<'name'>, 'env' | 'bearer' | 'parts' | 'url'>

/** The document that a call names; null if it is missing or the name is invalid. */
export async function findPublished({ env, bearer, parts: { name } }: Reader): Promise<StoredDocument | null> {
  return isAgentName(name) ? find(env, name, bearer !== undefined) : null
}

/** The document that a call names. Throws a problem if it is missing. */
export async function findOrRefuse(call: Reader): Promise<StoredDocument> {
  const published = await findPublished(call)
  if (published !== null) return published
  throw new Problem(
    'not-found',
    `No agent is published here as ${nameShown(call.parts.name)}; ${call.url.origin}/.well-known/adl-agents lists all.`,
  )
}

/** `GET /agents/{name}/adl.json`: the bytes as they were published. */
export async function readAgentDocument(call: Call<'name'>): Promise<Response> {
  const { request, url, parts } = call
  const { bytes, etag, type, isPrivate } = await findOrRefuse(call)
  const link = `<${url.origin}/agents/${parts.name}>; rel="canonical"`
  return publishedAnswer(request, bytes, etag, type, { own: { link }, isPrivate })
}

/** `DELETE /agents/{name}/adl.json`. */
export async function removeAgentDocument({ request, env, parts: { name } }: Call<'name'>): Promise<Response> {
  const outcome = await documents(env).remove(name, writeCondition(request.headers))
  if (outcome === 'condition-failed')
    throw new Problem('condition-failed', `${nameShown(name)} is not in the state that the request names.`)
  if (outcome === 'absent') throw new Problem('not-found', `Nothing was published as ${nameShown(name)}.`)
  return noContent()
}
