// The page at the root of an agent's host, and how other agents connect to it.
import { readAgentDomain } from 'blazon/discover'
import type { Call } from '../access/route.ts'
import { BUSY } from '../contracts/gateway.ts'
import { gatewayStub } from '../env.ts'
import { json, madeAnswer } from '../http/answer.ts'
import { type BodyRule, JSON_BODY, objectIn, refuseOtherMembers } from '../http/body.ts'
import { Problem } from '../http/problem.ts'
import { prefersPage } from '../http/query.ts'
import { senderOf } from '../http/relay.ts'
import { agentOrRefuse, findAgent } from './find.ts'
import { connectPage, landingPage, nothingPage } from './page.ts'

/** No script runs, whatever the page holds; a form can only go to the host of the page. */
const POLICY =
  "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** `GET /`: the page of the agent of this host (ADP/1.1 section 7.1), or else the first page of the deployment. */
export async function readLanding(call: Call): Promise<Response> {
  const { request } = call
  if (call.agent === undefined) return firstPage(call)
  const agent = await findAgent(call, call.agent)
  if (agent === undefined) return pageAnswer(request, nothingPage())
  return pageAnswer(request, landingPage(agent.metadata, new Uint8Array(agent.part.bytes)), agent.isPrivate)
}

async function firstPage({ request, env }: Call): Promise<Response> {
  if (env.ASSETS !== undefined) return env.ASSETS.fetch(request)
  throw new Problem('not-found', 'This server has no first page, because it has no static files.')
}

// A form then sends its origin to its own host only, which is how `connect` recognizes forms of other sites.
const PAGE_HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'same-origin' }

function pageAnswer(request: Request, html: string, isPrivate = false): Promise<Response> {
  return madeAnswer(request, html, 'text/html; charset=utf-8', { own: PAGE_HEADERS, isPrivate })
}

const FORM = 'application/x-www-form-urlencoded'

const RETRY_SECONDS = '60'

/** The id of an agent, from the form on the page or as JSON. */
export const CONNECT_BODY: BodyRule = { ...JSON_BODY, types: [FORM, ...JSON_BODY.types], bytes: 4096 }

/**
 * `POST /agent/connect`: explains how the agent that `from` names can write to this one. That agent is discovered by its
 * domain, as if it called. The client is not authenticated, so the answer doesn't reveal whom the operator has let in
 * or blocked.
 */
export async function connect(call: Call): Promise<Response> {
  refuseOtherSites(call)
  const { name, metadata } = await agentOrRefuse(call)
  const from = fromIn(call)
  const found = await gatewayStub(call.env, name).find(from, senderOf(call.request))
  if (found.code === BUSY)
    throw new Problem('too-many-requests', `${found.reason}.`, { headers: { 'retry-after': RETRY_SECONDS } })
  if (prefersPage(call.request)) {
    const answer = await pageAnswer(call.request, connectPage(from, metadata, found))
    answer.headers.set('cache-control', 'no-store')
    return answer
  }
  const { identity, endpoints, security } = metadata
  const { chat, tasks, swarm } = endpoints
  return json({
    agent: identity.id,
    from,
    ...(found.code === undefined
      ? { discovered: true, caller: { fingerprint: found.fingerprint } }
      : { discovered: false, reason: found.reason }),
    ...(found.isInvited && { invitation: 'needed' }),
    endpoints: { wellKnown: `${call.url.origin}/.well-known/agent.json`, chat, tasks, swarm },
    fingerprint: identity.publicKey.fingerprint,
    authMethods: security?.authMethods ?? ['pubkey'],
  })
}

/** Refuses forms on pages of other sites, which would make their visitors send requests here. */
function refuseOtherSites({ request, url }: Call): void {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const isOwn = origin === null ? site === null || site === 'same-origin' || site === 'none' : origin === url.origin
  if (!isOwn) throw new Problem('forbidden', 'Use the form on the page of the agent, or a program.')
}

function fromIn({ request, body }: Call): string {
  const isForm = request.headers.get('content-type')?.toLowerCase().startsWith(FORM) === true
  const members = isForm ? formIn(body) : objectIn(body)
  refuseOtherMembers(members, ['from'])
  const { from } = members
  const uri = typeof from === 'string' && /^agent:/i.test(from.trim()) ? uriIn(from.trim()) : undefined
  if (uri !== undefined) return uri
  throw new Problem('bad-request', 'Expected the id of an agent as the member from, such as agent:bob.example.com.')
}

/** Reads an id whose domain may be internationalized; returns undefined if it is invalid. */
function uriIn(text: string): string | undefined {
  try {
    return `agent:${readAgentDomain(text).ascii}`
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The fields of a form; duplicate fields are refused, as in JSON. */
function formIn(body: Uint8Array): Readonly<Record<string, string>> {
  const fields = [...new URLSearchParams(new TextDecoder().decode(body))]
  if (new Set(fields.map(([name]) => name)).size < fields.length)
    throw new Problem('bad-request', 'Duplicate field in the form.')
  return Object.fromEntries(fields)
}
