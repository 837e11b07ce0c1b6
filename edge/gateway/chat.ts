// The chat endpoints of agents: opens WebSockets to the agents here, and from them to others.
import { chatEndpoint, type Peer } from 'blazon/agp'
import type { Call } from '../access/route.ts'
import { keysOf } from '../agents/did.ts'
import { type AgentHere, agentOrRefuse, findAgent } from '../agents/find.ts'
import { agentAt } from '../agents/hosts.ts'
import { type Env, gatewayStub, numberOf } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { senderOf } from '../http/relay.ts'
import type { Self } from './self.ts'

const RETRY_SECONDS = '10'

/**
 * `GET /agent/chat`: a WebSocket for messages to the agent of this host (ADP/1.1 section 7.2). `GET /agents/{name}/chat`:
 * the same for an agent that is hosted here.
 */
export async function chat(call: Call): Promise<Response> {
  const agent = await agentOrRefuse(call)
  const { request, url, env, bearer } = call
  if (!(await isSpokenToAt(env, agent, `${url.origin.replace(/^http/, 'ws')}${url.pathname}`)))
    throw new Problem('not-found', 'No agent is published here.')
  if (request.method !== 'GET' || request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new Problem('bad-request', 'Connect with a WebSocket.', { headers: { upgrade: 'websocket' } })
  const answer = await knock(env, agent, senderOf(request), bearer !== undefined)
  if (answer.status !== 429) return answer
  throw new Problem('too-many-requests', 'Too many connections, or too many whose callers are not identified yet.', {
    headers: { 'retry-after': RETRY_SECONDS },
  })
}

/**
 * True if `address` is the chat endpoint that the agent publishes and its key is here. A client at any other address
 * got it from someone else.
 */
async function isSpokenToAt(env: Env, agent: AgentHere, address: string): Promise<boolean> {
  return agent.metadata.endpoints['chat'] === address && (await keysOf(env, agent)).kept.length > 0
}

/**
 * Opens a WebSocket to an agent here; the answer is 429 when there are too many. `isInvited`: the caller has a token
 * for this agent.
 */
function knock(env: Env, { name }: AgentHere, sender: string, isInvited: boolean): Promise<Response> {
  const asked = new URLSearchParams({ name, sender, ...(isInvited && { invited: '' }) })
  return gatewayStub(env, name).fetch(`https://gateway.invalid/?${asked}`, { headers: { upgrade: 'websocket' } })
}

/**
 * Calls an agent at the address in its metadata: over the network, or at its object if this deployment serves it, because
 * a Worker cannot call itself.
 */
export async function openChat(env: Env, self: Self, peer: Peer): Promise<WebSocket> {
  const address = chatEndpoint(peer)
  if (typeof address !== 'string') throw new Error(address.detail)
  const answer = (await answerHere(env, self.name, address)) ?? (await answerThere(env, self, address))
  if (answer.webSocket !== null) return answer.webSocket
  await answer.body?.cancel()
  throw new Error(`${address} answered ${answer.status} instead of opening a WebSocket`)
}

async function answerHere(env: Env, name: string, address: string): Promise<Response | undefined> {
  const url = new URL(address.replace(/^ws/, 'http'))
  const other = await agentAt(env, url, { own: '/agent/chat', hosted: /^\/agents\/([^/]+)\/chat$/ })
  if (other === undefined) return undefined
  const agent = await findAgent({ env, bearer: undefined }, other)
  if (agent === undefined || !(await isSpokenToAt(env, agent, address)))
    throw new Error(`${address} is on this server, but is not the address of an agent`)
  return knock(env, agent, `agent ${name}`, false)
}

/** Follows no redirects: the peer chose the address itself, so a redirect could lead anywhere. */
async function answerThere(env: Env, self: Self, address: string): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), numberOf(env, 'STEP_PATIENCE_MS'))
  try {
    const url = address.replace(/^ws/, 'http')
    const headers = { upgrade: 'websocket', ...(await self.signRequest({ method: 'GET', url })) }
    return await fetch(url, { headers, redirect: 'manual', signal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}
