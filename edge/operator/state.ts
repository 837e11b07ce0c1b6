import type { Call } from '../access/route.ts'
import { claimsOf, MOST_SHARDS } from '../directory/layout.ts'
import { directoryMap, shardStub } from '../env.ts'
import { objectIn } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'

const MOST_CHANGES = 50

/** `GET /v1/directory/state`: the size of the directory, the state of its shards, and its latest changes. */
export async function readState({ url, env }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, {})
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
  return Response.json({ cards, growth, shards, changes }, { headers: apiHeaders({}) })
}

/** `POST /v1/directory/shards`: `{ shards: N }` grows the directory to N shards. It answers queries meanwhile. */
export async function growShards({ url, env, body }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, {})
  const { shards } = objectIn(body)
  if (typeof shards !== 'number' || !Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS) {
    throw new Problem('bad-request', `Expected { "shards": N } with N from 1 to ${MOST_SHARDS}.`)
  }
  const map = directoryMap(env)
  const { shards: present } = await map.growth()
  if (shards < present) throw new Problem('bad-request', `There are ${present} shards, and their number cannot shrink.`)
  return Response.json(await map.grow(shards), { status: 202, headers: apiHeaders({}) })
}
