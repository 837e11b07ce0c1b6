import { canonicalize } from './api/canonicalize.ts'
import { healthz } from './api/healthz.ts'
import { apiHeaders } from './http/headers.ts'
import { Problem, problemResponse } from './http/problem.ts'

type Handler = (request: Request, url: URL) => Response | Promise<Response>
type Methods = Readonly<Record<string, Handler>>

/** Everything the Worker answers. The page, the first page and their files are static: dist/site is served before this runs. */
const ROUTES = new Map<string, Methods>([
  ['/healthz', { GET: healthz, HEAD: healthz }],
  ['/v1/canonicalize', { POST: canonicalize }],
])

function route(request: Request, url: URL): Response | Promise<Response> {
  const methods = ROUTES.get(url.pathname)
  if (methods === undefined)
    throw new Problem('not-found', `There is no ${url.pathname}; ${url.origin}/ lists what there is.`)
  if (request.method === 'OPTIONS') return preflight(methods)
  const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
  if (handler !== undefined) return handler(request, url)
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
    'access-control-allow-headers': 'accept, content-type',
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
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url)
    try {
      return await route(request, url)
    } catch (error) {
      return problemResponse(asProblem(error), url.origin)
    }
  },
}
