import { admit, confirm } from './access/admit.ts'
import type { Call, Limit, Methods, Operation, Route } from './access/route.ts'
import { agentOn, type Place, placeOf } from './agents/hosts.ts'
import type { Env } from './env.ts'
import { apiHeaders } from './http/answer.ts'
import { type BodyRule, drain, readBody } from './http/body.ts'
import { publicOrigins, routerOf } from './http/origins.ts'
import { Problem, problemResponse } from './http/problem.ts'
import { refuseOtherParameters } from './http/query.ts'
import { MINUTE, senderOf } from './http/relay.ts'
import { ROUTES } from './routes.ts'

export { Agent } from './objects/agent.ts'
export { DirectoryMap } from './objects/directory-map.ts'
export { DirectoryShard } from './objects/directory-shard.ts'
export { Documents } from './objects/documents.ts'
export { Gateway } from './objects/gateway.ts'
export { Moderation, Sender } from './objects/moderation.ts'
export { Registry } from './objects/registry.ts'
export { Run, Tenant } from './objects/runs.ts'

/** The platform serves dist/site before this runs, except the first page. */
const findRoute = routerOf(ROUTES)

const NO_BYTES = new Uint8Array(0)

type RequestContext = Pick<Call, 'request' | 'url' | 'env' | 'agent' | 'identity'>

async function answer(request: Request, { url, on }: Place, env: Env): Promise<Response> {
  const found = findRoute(url.pathname)
  if (found === undefined || (on !== undefined && found.route.ofAgents === undefined)) {
    throw new Problem('not-found', `${url.pathname} does not exist; ${url.origin}/ lists all addresses.`)
  }
  const { route, parts } = found
  try {
    const here = on ?? (route.ofAgents && (await agentOn(env, url.host)))
    return await perform(route, parts, { request, url, env, agent: here?.agent, identity: here?.identity })
  } catch (error) {
    if (route.tell === undefined) throw error
    return route.tell(asProblem(error), { request, url })
  }
}

async function perform(
  route: Route,
  parts: Readonly<Record<string, string>>,
  context: RequestContext,
): Promise<Response> {
  const { request, url, env } = context
  if (request.method === 'OPTIONS') return preflight(allowedMethods(route))
  const operation = operationOf(route, request.method)
  if (operation === undefined) {
    const allow = allowedMethods(route)
    throw new Problem('method-not-allowed', `${url.pathname} allows ${allow}; the request used ${request.method}.`, {
      headers: { allow },
    })
  }
  const { access, limit, body: rule, query } = operation
  if (limit !== undefined) await count(request, env, limit)
  const bearer = access && (await admit(request, env, access))
  const head = { ...context, parts, body: NO_BYTES, bearer }
  if (operation.before !== undefined) {
    if (access !== undefined && bearer !== undefined) await confirm(bearer, head, access)
    await operation.before(head).catch((error) => drainAndThrow(request, rule, error))
  }
  const call = rule === undefined ? head : { ...head, body: await readBody(request, rule) }
  if (access !== undefined && bearer !== undefined) await confirm(bearer, call, access)
  if (query !== undefined) refuseOtherParameters(url.searchParams, query)
  try {
    return await operation.answer(call)
  } catch (error) {
    if (rule?.isStreamed) await drainAndThrow(request, rule, error)
    throw error
  }
}

/** Reads the rest of a body that is of no use, and throws the reason. */
async function drainAndThrow({ body }: Request, rule: BodyRule | undefined, error: unknown): Promise<never> {
  if (rule !== undefined && body !== null) await drain(body.getReader(), rule.bytes)
  throw error
}

/** Counts a request before its body is read, so that a refused request costs little. */
async function count(request: Request, env: Env, limit: Limit): Promise<void> {
  if ((await env[limit].limit({ key: senderOf(request) })).success) return
  throw new Problem('too-many-requests', `Too many requests from this address within ${MINUTE} seconds.`, {
    headers: { 'retry-after': String(MINUTE) },
  })
}

function operationOf({ methods }: Route, method: string): Operation | undefined {
  const name = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, name) ? methods[name as keyof Methods] : undefined
}

function allowedMethods({ methods }: Route): string {
  const names = Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...names, 'OPTIONS'].join(', ')
}

function preflight(allow: string): Response {
  const headers = apiHeaders({
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers':
      'a2a-extensions, a2a-version, accept, authorization, blazon-size, content-type, if-match, if-none-match, last-event-id',
    'access-control-max-age': '86400',
  })
  return new Response(null, { status: 204, headers })
}

/** An unexpected error goes to the operator's log. A client gets no details. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  console.error(error)
  return new Problem('internal-error', 'The request failed because of an error on this server. It may work later.')
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const origins = publicOrigins(env)
    let [origin] = origins
    try {
      const place = await placeOf(new URL(request.url), env)
      origin = place.url.origin
      return await answer(request, place, env)
    } catch (error) {
      return problemResponse(asProblem(error), origin)
    }
  },
}
