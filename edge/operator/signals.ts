import type { AgentSignals } from 'blazon/directory'
import type { Call } from '../access/route.ts'
import { tellSignals } from '../directory/service.ts'
import { objectIn } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'

const MOST_AGENTS = 500

/**
 * `POST /v1/directory/signals`: what the deployment knows about agents (ADP section 5), by id: `{ "agent://scout": {
 * "reputation": 0.8, "online": true } }`. Replaces the earlier signals of an agent.
 */
export async function sendSignals({ url, env, body }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, {})
  const agents = Object.entries(objectIn(body))
  if (agents.length > MOST_AGENTS)
    throw new Problem('bad-request', `Expected signals of at most ${MOST_AGENTS} agents.`)
  for (const [id, signals] of agents) {
    const wrong = faultOf(signals)
    if (wrong !== undefined) throw new Problem('bad-request', `${id.slice(0, 200)}: ${wrong}`)
    await tellSignals(env, id, signals as AgentSignals)
  }
  return Response.json({ agents: agents.length }, { headers: apiHeaders({}) })
}

const NUMBERS = {
  reputation: 1,
  rating: 1,
  completedTasks: Number.MAX_SAFE_INTEGER,
  activeTasks: Number.MAX_SAFE_INTEGER,
}

/** What is wrong with signals, or undefined. */
function faultOf(signals: unknown): string | undefined {
  if (typeof signals !== 'object' || signals === null) return 'expected an object'
  for (const [name, value] of Object.entries(signals)) {
    if (name === 'online' && typeof value === 'boolean') continue
    const most = Object.hasOwn(NUMBERS, name) ? NUMBERS[name as keyof typeof NUMBERS] : undefined
    if (most === undefined) return `${name} is not a known signal, or has the wrong type`
    if (!(typeof value === 'number' && value >= 0 && value <= most))
      return `${name}: expected a number from 0 to ${most}`
  }
  return undefined
}
