// A directory that grows: the signals of agents move to the shards of their cards.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSite, type Runtime, type Site, startRuntime } from '../../support/runtime.ts'
import { operator } from '../tokens.ts'
import { cardOf, createAgent } from './agents.ts'

let site: Site
let runtime: Runtime
beforeAll(async () => {
  site = await prepareSite('edge/worker.ts')
  runtime = await startRuntime(site)
})
afterAll(async () => {
  await runtime.kill()
  site.remove()
})

async function post(path: string, body: unknown) {
  const headers = { ...operator(runtime.origin), 'content-type': 'application/json' }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(runtime.origin + path, { method: 'POST', body: text, headers })
  return (await response.json()) as { results: { agent_card: { id: string }; factors: object }[] }
}
const isMoving = async () => {
  const response = await fetch(`${runtime.origin}/v1/directory/state`, { headers: operator(runtime.origin) })
  return ((await response.json()) as { growth: { moving: boolean } }).growth.moving
}

test('signals that were set before the cards were published still count after the directory has grown', async () => {
  const agents = await Promise.all(Array.from({ length: 12 }, createAgent))
  const signals = { reputation: 1, completedTasks: 9, online: true }
  await post('/adp/advertise', await cardOf(agents[0]!, 1, { description: 'Feeds unicorns.' }))
  await post('/v1/directory/signals', Object.fromEntries(agents.map(({ id }) => [id, signals])))
  await post('/v1/directory/shards', { shards: 4 })
  await expect.poll(isMoving).toBe(false)
  for (const agent of agents.slice(1)) {
    // In another millisecond, because the newest cards of several shards are sorted by time.
    await setTimeout(2)
    await post('/adp/advertise', await cardOf(agent, 1, { description: `Feeds unicorns, as ${agent.id.slice(-9)}.` }))
  }
  const { results } = await post('/adp/discover', { query: 'unicorns', explain: true, limit: 20 })
  expect(results.map(({ factors }) => factors)).toEqual(
    agents.map(() => expect.objectContaining({ reputation: 1, availability: 1 })),
  )
  const listed = await fetch(`${runtime.origin}/agents?orderBy=newest&pageSize=5`)
  const { items } = (await listed.json()) as { items: { metadata: { id: string } }[] }
  expect(items.map(({ metadata }) => metadata.id)).toEqual(
    agents
      .slice(-5)
      .reverse()
      .map(({ id }) => id),
  )
})
