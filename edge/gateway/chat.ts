import type { Call } from '../access/route.ts'
import { agentOrRefuse } from '../agents/find.ts'
import { Problem } from '../http/problem.ts'
import { senderOf } from '../http/sender.ts'
import { isSpokenToAt, knock } from './call.ts'

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
