import { versionOf } from '../a2a/version.ts'
import type { Call } from '../access/route.ts'
import { directoryMap } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { a2aAnswer } from '../identity/a2a.ts'
import { agentOrRefuse } from '../identity/find.ts'
import { keyOf, madeAnswer } from './own.ts'

/**
 * `GET /.well-known/agent-card.json`: the A2A card of the host's agent, or else of the directory, signed with the key in
 * jwks.json.
 */
export async function ownA2aCard(call: Call): Promise<Response> {
  const { request, url, env } = call
  const version = versionOf(call)
  if (version === undefined) throw new Problem('bad-request', 'This server supports A2A-Version 1.0 and 0.3.')
  if (call.agent !== undefined) return a2aAnswer(call, await agentOrRefuse(call, call.agent), version, 'a2a-version')
  const card = await directoryMap(env).a2aCard(version, keyOf(url))
  return madeAnswer(request, new TextDecoder().decode(card), 'application/json', { own: { vary: 'a2a-version' } })
}
