import type { Env } from './env.ts'
import { apiHeaders } from './http/headers.ts'
import { publicOrigins, publicUrl } from './http/origins.ts'
import { Problem, problemResponse } from './http/problem.ts'
import { findRoute, type Methods } from './routes.ts'

export { DirectoryMap } from './objects/directory-map.ts'
export { DirectoryShard } from './objects/directory-shard.ts'
export { Documents } from './objects/documents.ts'
export { Sender } from './objects/sender.ts'

function answer(request: Request, url: URL, env: Env): Response | Promise<Response> {
  const route = findRoute(url.pathname)
  if (route === undefined) {
    throw new Problem('not-found', `There is no ${url.pathname}; ${url.origin}/ lists what there is.`)
  }
  const { methods, name } = route
  if (request.method === 'OPTIONS') return preflight(methods)
  const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
  if (handler !== undefined) return handler(request, url, env, name)
  throw new Problem('method-not-allowed', `${url.pathname} takes ${allowed(methods)}; this was ${request.method}.`, {
    headers: { allow: allowed(methods) },
  })
}

function allowed(methods: Methods): string {
  return [...Object.keys(methods), 'OPTIONS'].join(', ')
}

function preflight(methods: Methods): Response {
  const headers = apiHeaders({
    allow: allowed(methods),
    'access-control-allow-methods': allowed(methods),
    'access-control-allow-headers': 'a2a-version, accept, authorization, content-type, if-match, if-none-match',
    'access-control-max-age': '86400',
  })
  return new Response(null, { status: 204, headers })
}

/** An error that nobody expected is for the operator's log; a client learns only that there was one. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  console.error(error)
  return new Problem('internal-error', 'The request could not be answered. It may work later.')
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const origins = publicOrigins(env)
    let [origin] = origins
    try {
      const url = publicUrl(new URL(request.url), origins)
      origin = url.origin
      return await answer(request, url, env)
    } catch (error) {
      return problemResponse(asProblem(error), origin)
    }
  },
}
