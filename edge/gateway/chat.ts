import { gatewayStub } from '../env.ts'
import { Problem } from '../http/problem.ts'
import type { Call } from '../http/route.ts'
import { senderOf } from '../http/sender.ts'
import { agentOrRefuse } from '../identity/find.ts'
import { keptKeysOf } from '../identity/own-keys.ts'

const RETRY_SECONDS = '10'

/** `GET /agent/chat`: a WebSocket for messages to the agent whose host it is (ADP/1.1 section 7.2). */
export const chat = (call: Call): Promise<Response> => open(call, call.agent)

/** `GET /agents/{name}/chat`: the same of an agent that is hosted here. */
export const chatOf = (call: Call<'name'>): Promise<Response> => open(call, call.parts.name)

async function open(call: Call<never>, name: string | undefined): Promise<Response> {
  const agent = await agentOrRefuse(call, name)
  const { request, url, env } = call
  // Who speaks to an agent at another address than it publishes was sent there by somebody else.
  const isHere = agent.metadata.endpoints['chat'] === `${url.origin.replace(/^http/, 'ws')}${url.pathname}`
  if (!isHere || (await keptKeysOf(env, agent)).length === 0)
    throw new Problem('not-found', 'No agent is published here.')
  if (request.method !== 'GET' || request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new Problem('bad-request', 'This is spoken to over a WebSocket.', { headers: { upgrade: 'websocket' } })
  const asked = new URLSearchParams({ name: agent.name, sender: senderOf(request) })
  const answer = await gatewayStub(env, agent.name).fetch(`https://gateway.invalid/?${asked}`, {
    headers: { upgrade: 'websocket' },
  })
  if (answer.status !== 429) return answer
  throw new Problem('too-many-requests', 'Too many are here who have yet to say who they are, or too many at all.', {
    headers: { 'retry-after': RETRY_SECONDS },
  })
}
