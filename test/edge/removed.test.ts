// Limits of tokens, settings and scopes at agents of the Worker, in the real runtime.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind } from '../support/dns-lab.ts'
import { bearer } from './tokens.ts'
import { HERE, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld([{ label: 'alice' }])
})
afterAll(() => world?.end())

const place = (name: string, isPrivate = false) =>
  world.at(`/v1/agents/${name}`, { method: 'PUT', body: { host: `${name}.example.com`, private: isPrivate } })
const publish = async (name: string) => {
  const { status } = await world.at(`/agents/${name}/agent.json`, { method: 'POST', body: { name } })
  expect(status).toBe(201)
}

describe.runIf(bind.available)('agents at the Worker', () => {
  test('a token for a removed agent does not open the next agent of its name', async () => {
    const headers = bearer(HERE, { scope: 'read-one', holder: '/agents/eva' })
    const read = async () => (await world.at('/.well-known/agent.json', { host: 'eva.example.com', headers })).status
    await place('eva', true)
    await publish('eva')
    expect(await read()).toBe(200)
    expect((await world.at('/v1/agents/eva', { method: 'DELETE' })).status).toBe(204)
    await place('eva', true)
    await publish('eva')
    expect(await read()).toBe(401)
  })

  test('the scope export lists no private agents', async () => {
    await place('hidden', true)
    await place('shown')
    const names = async (scope: string) =>
      JSON.parse((await world.at('/v1/agents', { headers: bearer(HERE, { scope }) })).text).agents.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('export')).toEqual(['shown'])
    expect(await names('operate')).toContain('hidden')
  })

  test.each([
    { taker: 'https://127.0.0.1/x' },
    { taker: 'https://[::1]/x' },
    { taker: 'https://localhost/x' },
    { taker: 'https://169.254.169.254/' },
    { origins: ['https://10.0.0.1'] },
  ])('refuses to send tasks to an internal address: %o', async (settings) => {
    await place('shown')
    await publish('shown').catch(() => undefined)
    const put = (body: object) => world.at('/v1/agents/shown/tasks/settings', { method: 'PUT', body })
    expect((await put(settings)).status).toBe(400)
    expect((await put({ taker: 'https://worker.example.com/x' })).status).toBe(200)
  })

  test('a task is completed with a result, which may be null', async () => {
    const move = (body: object) => world.at('/v1/agents/shown/tasks/none', { method: 'POST', body })
    expect((await move({ state: 'completed' })).status).toBe(400)
    expect((await move({ state: 'completed', result: null })).status).toBe(404)
  })
})
