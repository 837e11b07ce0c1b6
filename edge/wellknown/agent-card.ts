import { versionOf } from '../a2a/version.ts'
import { directoryMap } from '../env.ts'
import { Problem } from '../http/problem.ts'
import type { Call } from '../http/route.ts'
import { a2aAnswer } from '../identity/a2a.ts'
import { agentOrRefuse } from '../identity/find.ts'
import { keyOf, madeAnswer } from './own.ts'

/**
 * `GET /.well-known/agent-card.json`: the card of the agent whose host this is, else of the directory, for A2A; signed with the
 * key of jwks.json.
 */
export async function ownA2aCard(call: Call): Promise<Response> {
  const { request, url, env } = call
  const version = versionOf(call)
  if (version === undefined) throw new Problem('bad-request', 'A2A-Version is 1.0 or 0.3 here.')
  if (call.agent !== undefined) return a2aAnswer(call, await agentOrRefuse(call, call.agent), version, 'a2a-version')
  const card = await directoryMap(env).a2aCard(`a2a-${version}`, keyOf(url))
  return madeAnswer(request, new TextDecoder().decode(card), 'application/json', { own: { vary: 'a2a-version' } })
}
