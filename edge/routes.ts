import { readAgent } from './agents/agent.ts'
import { readDidDocument } from './agents/did.ts'
import { readAgentDocument, removeAgentDocument } from './agents/document.ts'
import { publishAgentDocument } from './agents/publish.ts'
import { canonicalize } from './api/canonicalize.ts'
import { convert } from './api/convert.ts'
import { decide } from './api/decide.ts'
import { healthz } from './api/healthz.ts'
import { validate } from './api/validate.ts'
import { verify } from './api/verify.ts'
import type { Env } from './env.ts'
import { adlAgents } from './wellknown/adl-agents.ts'

/** `name` is the part of the path that the route leaves open; empty when there is none. */
type Handler = (request: Request, url: URL, env: Env, name: string) => Response | Promise<Response>
export type Methods = Readonly<Record<string, Handler>>

const read = (handler: Handler): Methods => ({ GET: handler, HEAD: handler })

/** Everything the Worker answers. The page, the first page and their files are static: dist/site is served before this runs. */
const EXACT = new Map<string, Methods>([
  ['/healthz', read(healthz)],
  ['/.well-known/adl-agents', read(adlAgents)],
  ['/v1/canonicalize', { POST: canonicalize }],
  ['/v1/validate', { POST: validate }],
  ['/v1/verify', { POST: verify }],
  ['/v1/convert', { POST: convert }],
  ['/v1/decide', { POST: decide }],
])

/** What stands behind `/agents/{name}`. */
const OF_AGENTS: Readonly<Record<string, Methods>> = {
  '': read(readAgent),
  '/adl.json': { ...read(readAgentDocument), PUT: publishAgentDocument, DELETE: removeAgentDocument },
  '/did.json': read(readDidDocument),
}

/** The methods of a path, and the name in it. */
export function findRoute(path: string): { readonly methods: Methods; readonly name: string } | undefined {
  const methods = EXACT.get(path)
  if (methods !== undefined) return { methods, name: '' }
  const [, name, rest] = /^\/agents\/([^/]+)(\/[^/]+)?$/.exec(path) ?? []
  if (name === undefined || !Object.hasOwn(OF_AGENTS, rest ?? '')) return undefined
  return { methods: OF_AGENTS[rest ?? '']!, name }
}
