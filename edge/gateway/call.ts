// Opens a WebSocket to another agent: over the network, or to its object if this deployment serves it, because a Worker
// cannot call itself.
import { type AgentRequest, chatEndpoint, type Peer, type RequestSignature } from 'blazon/agp'
import { keptKeysOf } from '../agents/did.ts'
import { type AgentHere, findAgent } from '../agents/find.ts'
import { agentAt } from '../agents/hosts.ts'
import { type Env, gatewayStub, numberOf } from '../env.ts'

/**
 * True if `address` is the chat endpoint that the agent publishes and its key is here. A client at any other address
 * got it from someone else.
 */
export async function isSpokenToAt(env: Env, agent: AgentHere, address: string): Promise<boolean> {
  return agent.metadata.endpoints['chat'] === address && (await keptKeysOf(env, agent)).length > 0
}

/**
 * Opens a WebSocket to an agent here; the answer is 429 when there are too many. `isInvited`: the caller has a token
 * for this agent.
 */
export function knock(env: Env, { name }: AgentHere, sender: string, isInvited: boolean): Promise<Response> {
  const asked = new URLSearchParams({ name, sender, ...(isInvited && { invited: '' }) })
  return gatewayStub(env, name).fetch(`https://gateway.invalid/?${asked}`, { headers: { upgrade: 'websocket' } })
}

/** Signs a request as the calling agent. */
type Sign = (request: AgentRequest) => Promise<RequestSignature>

interface Calling {
  readonly env: Env
  readonly name: string
  readonly sign: Sign
}

/** Calls an agent at the address in its metadata. */
export async function openChat({ env, name, sign }: Calling, peer: Peer): Promise<WebSocket> {
  const address = chatEndpoint(peer)
  if (typeof address !== 'string') throw new Error(address.detail)
  const answer =
    (await answerHere(env, name, address)) ?? (await answerThere(address, sign, numberOf(env, 'STEP_PATIENCE_MS')))
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
async function answerThere(address: string, sign: Sign, patience: number): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), patience)
  try {
    const url = address.replace(/^ws/, 'http')
    const headers = { upgrade: 'websocket', ...(await sign({ method: 'GET', url })) }
    return await fetch(url, { headers, redirect: 'manual', signal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}
