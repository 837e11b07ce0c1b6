import { readAgent } from './agents/agent.ts'
import { readCard } from './agents/card.ts'
import { readDidDocument } from './agents/did.ts'
import { readAgentDocument, removeAgentDocument } from './agents/document.ts'
import { listAgents } from './agents/list.ts'
import { publishAgentDocument } from './agents/publish.ts'
import { invoke, readRanking } from './api/adp.ts'
import { canonicalize } from './api/canonicalize.ts'
import { convert } from './api/convert.ts'
import { decide } from './api/decide.ts'
import { healthz } from './api/healthz.ts'
import { search } from './api/search.ts'
import { validate } from './api/validate.ts'
import { verify } from './api/verify.ts'
import type { Env } from './env.ts'
import { sendSignals } from './operator/signals.ts'
import { growShards, readState } from './operator/state.ts'
import { giveTokens, withdrawTokens } from './operator/tokens.ts'
import { exportCards, importCards } from './operator/transfer.ts'
import { adlAgents } from './wellknown/adl-agents.ts'
import { ownA2aCard } from './wellknown/agent-card.ts'
import { aiCatalog, apiCatalog, llmsText } from './wellknown/catalogs.ts'
import { ownDid, ownKeys } from './wellknown/identity.ts'

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
  ['/adp/describe', { POST: invoke('adp.describe') }],
  ['/adp/advertise', { POST: invoke('adp.advertise') }],
  ['/adp/discover', { POST: invoke('adp.discover') }],
  ['/adp/ranking', read(readRanking)],
  ['/search', { POST: search }],
  ['/agents', read(listAgents)],
  ['/.well-known/agent-card.json', read(ownA2aCard)],
  ['/.well-known/ai-catalog.json', read(aiCatalog)],
  ['/.well-known/ard.json', read(aiCatalog)],
  ['/.well-known/api-catalog', read(apiCatalog)],
  ['/.well-known/did.json', read(ownDid)],
  ['/.well-known/jwks.json', read(ownKeys)],
  ['/llms.txt', read(llmsText)],
  ['/v1/directory/state', read(readState)],
  ['/v1/directory/shards', { POST: growShards }],
  ['/v1/directory/signals', { POST: sendSignals }],
  ['/v1/directory/tokens', { POST: giveTokens, DELETE: withdrawTokens }],
  ['/v1/directory/export', read(exportCards)],
  ['/v1/directory/import', { POST: importCards }],
])

/** What stands behind `/agents/{name}`. */
const OF_AGENTS: Readonly<Record<string, Methods>> = {
  '': read(readAgent),
  '/card.json': read(readCard),
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
