// The state of the directory, its growth, and the signals of agents.
import type { AgentSignals } from 'blazon/directory'
import type { Call } from '../access/route.ts'
import { claimsOf, MOST_SHARDS } from '../directory/layout.ts'
import { tellSignals } from '../directory/service.ts'
import { directoryMap, shardStub } from '../env.ts'
import { json } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { Problem } from '../http/problem.ts'

const MOST_CHANGES = 50

/** `GET /v1/directory/state`: the size of the directory, the state of its shards, and its latest changes. */
export async function readState({ env }: Call): Promise<Response> {
  const map = directoryMap(env)
  const [growth, layout] = await Promise.all([map.growth(), map.layout()])
  const claims = claimsOf(layout)
  const asked = await Promise.allSettled(claims.map((claim) => shardStub(env, claim.shard).state(MOST_CHANGES)))
  const states = asked.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined))
  const changes = states
    .flatMap((state) => state?.changes ?? [])
    .sort((a, b) => b.retrievedAt - a.retrievedAt)
    .slice(0, MOST_CHANGES)
  const shards = claims.map(({ shard, from, to }, i) => {
    if (states[i] === undefined) return { shard, from, to, answers: false }
    const { changes: _inAll, ...state } = states[i]
    return { shard, from, to, answers: true, ...state }
  })
  const cards = states.reduce((sum, state) => sum + (state?.cards ?? 0), 0)
  return json({ cards, growth, shards, changes })
}

/** `POST /v1/directory/shards`: `{ shards: N }` grows the directory to N shards. It answers queries meanwhile. */
export async function growShards({ env, body }: Call): Promise<Response> {
  const { shards } = objectIn(body)
  if (typeof shards !== 'number' || !Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS) {
    throw new Problem('bad-request', `Expected { "shards": N } with N from 1 to ${MOST_SHARDS}.`)
  }
  const map = directoryMap(env)
  const { shards: present } = await map.growth()
  if (shards < present) throw new Problem('bad-request', `There are ${present} shards, and their number cannot shrink.`)
  return json(await map.grow(shards), 202)
}

const MOST_AGENTS = 500

/**
 * `POST /v1/directory/signals`: what the deployment knows about agents (ADP section 5), by id: `{ "agent://scout": {
 * "reputation": 0.8, "online": true } }`. Replaces the earlier signals of an agent.
 */
export async function sendSignals({ env, body }: Call): Promise<Response> {
  const agents = Object.entries(objectIn(body))
  if (agents.length > MOST_AGENTS)
    throw new Problem('bad-request', `Expected signals of at most ${MOST_AGENTS} agents.`)
  for (const [id, signals] of agents) {
    const wrong = faultOf(signals)
    if (wrong !== undefined) throw new Problem('bad-request', `${id.slice(0, 200)}: ${wrong}`)
    await tellSignals(env, id, signals as AgentSignals)
  }
  return json({ agents: agents.length })
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
