import { parseUrl } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import type { Call } from '../http/route.ts'
import { type AgentHere, agentOrRefuse } from '../identity/find.ts'
import { keptKeysOf } from '../identity/own-keys.ts'

/**
 * An agent that is asked at this address, or below it, by its metadata, and whose key is here. Who asks it elsewhere was sent there by
 * somebody else.
 */
export async function agentAt(call: Call<never>, name: string | undefined, endpoint: string): Promise<AgentHere> {
  const agent = await agentOrRefuse(call, name)
  const published = parseUrl(String(agent.metadata.endpoints[endpoint]))
  const { origin, pathname } = call.url
  const isHere = published?.origin === origin && `${pathname}/`.startsWith(`${published.pathname}/`)
  if (isHere && (await keptKeysOf(call.env, agent)).length > 0) return agent
  throw new Problem('not-found', 'No agent is published here.')
}
