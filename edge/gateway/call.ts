// A WebSocket to another agent: over the network, or to the object of one that is served here, for a Worker cannot call itself.
import { type AgentRequest, chatEndpoint, type Peer, type RequestSignature } from 'blazon/agp'
import { type Env, gatewayStub } from '../env.ts'
import { type AgentHere, findAgent } from '../identity/find.ts'
import { agentAt } from '../identity/hosts.ts'
import { keptKeysOf } from '../identity/own-keys.ts'
import { numberOf } from '../settings.ts'

/** Who speaks to an agent at another address than it publishes was sent there by somebody else. */
export async function isSpokenToAt(env: Env, agent: AgentHere, address: string): Promise<boolean> {
  return agent.metadata.endpoints['chat'] === address && (await keptKeysOf(env, agent)).length > 0
}

/** A WebSocket of an agent here; 429 when there are too many. `isInvited`: with a token for this agent. */
export function knock(env: Env, { name }: AgentHere, sender: string, isInvited: boolean): Promise<Response> {
  const asked = new URLSearchParams({ name, sender, ...(isInvited && { invited: '' }) })
  return gatewayStub(env, name).fetch(`https://gateway.invalid/?${asked}`, { headers: { upgrade: 'websocket' } })
}

/** Signs a request as the agent that calls. */
type Sign = (request: AgentRequest) => Promise<RequestSignature>

interface Calling {
  readonly env: Env
  readonly name: string
  readonly sign: Sign
}

/** Calls an agent at the address that its metadata has. */
export async function openChat({ env, name, sign }: Calling, peer: Peer): Promise<WebSocket> {
  const address = chatEndpoint(peer)
  if (typeof address !== 'string') throw new Error(address.detail)
  const answer =
    (await answerHere(env, name, address)) ?? (await answerThere(address, sign, numberOf(env, 'STEP_PATIENCE_MS')))
  if (answer.webSocket !== null) return answer.webSocket
  await answer.body?.cancel()
  throw new Error(`${address} answers ${answer.status} and no WebSocket`)
}

async function answerHere(env: Env, name: string, address: string): Promise<Response | undefined> {
  const url = new URL(address.replace(/^ws/, 'http'))
  const other = await agentAt(env, url, { own: '/agent/chat', hosted: /^\/agents\/([^/]+)\/chat$/ })
  if (other === undefined) return undefined
  const agent = await findAgent({ env, bearer: undefined }, other)
  if (agent === undefined || !(await isSpokenToAt(env, agent, address)))
    throw new Error(`${address} is here, and nobody is spoken to there`)
  return knock(env, agent, `agent ${name}`, false)
}

/** Redirects are not followed: the address is the agent's own word. */
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
