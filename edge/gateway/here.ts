import type { Call } from '../access/route.ts'
import { keptKeysOf } from '../agents/did.ts'
import { type AgentHere, agentOrRefuse } from '../agents/find.ts'
import { parseUrl } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'

/**
 * The agent whose metadata publishes this address, or a prefix of its path, as `endpoint`, and whose key is here. A
 * client at any other address got it from someone else, so it gets a 404.
 */
export async function agentAt(call: Call, endpoint: string): Promise<AgentHere> {
  const agent = await agentOrRefuse(call)
  const published = parseUrl(String(agent.metadata.endpoints[endpoint]))
  const { origin, pathname } = call.url
  const isHere = published?.origin === origin && `${pathname}/`.startsWith(`${published.pathname}/`)
  if (isHere && (await keptKeysOf(call.env, agent)).length > 0) return agent
  throw new Problem('not-found', 'No agent is published here.')
}
