// `POST /agent/connect` of an agent at the Worker: the named agent is looked up in DNS, within limits, in the real
// runtime.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind } from '../support/dns-lab.ts'
import { startWorld, type World } from './world.ts'

const BOB = 'bob.example.com'
let world: World

beforeAll(async () => {
  const many = Array.from({ length: 70 }, (_, i) => ({ label: `a${i}.d${i % 8}`, zone: 'test' }))
  world = await startWorld([{ label: 'alice' }, { label: 'carol' }, ...many])
  await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
  const endpoints = { chat: `wss://${BOB}/agent/chat` }
  expect((await world.at('/agents/bob/agent.json', { method: 'POST', body: { name: 'Bob', endpoints } })).status).toBe(
    201,
  )
})
afterAll(() => world?.end())

const connect = (from: string, headers = {}) =>
  world.at('/agent/connect', { method: 'POST', host: BOB, headers, body: { from } })
const answerTo = async (from: string) => JSON.parse((await connect(from)).text)

describe.runIf(bind.available)('POST /agent/connect', () => {
  test('finds the given agent, and tells how it can connect', async () => {
    const [alice] = world.callers
    const answer = await answerTo(alice!.uri)
    expect(answer).toMatchObject({ discovered: true, from: alice!.uri, caller: { fingerprint: alice!.fingerprint } })
    expect(answer.endpoints.chat).toBe(`wss://${BOB}/agent/chat`)
    expect(answer.invitation).toBeUndefined()
    const page = await connect(alice!.uri, { accept: 'text/html' })
    expect(page.text).toContain(alice!.fingerprint)
    const nobody = await answerTo('agent:nobody.example.net')
    expect(nobody).toMatchObject({ discovered: false, reason: expect.stringContaining('nobody.example.net') })
    expect(nobody.caller).toBeUndefined()
    const written = await answerTo('agent:Bücher.example.org')
    expect(written).toMatchObject({ discovered: false, from: 'agent:xn--bcher-kva.example.org' })
  })

  test('tells that an invitation is needed, and reveals to nobody whom the operator has named', async () => {
    const [alice, carol] = world.callers
    const change = (body: object) => world.at('/v1/agents/bob/speakers', { method: 'POST', body })
    await change({ speakers: 'invited', block: [alice!.uri], allow: [carol!.uri] })
    const answers = [await answerTo(alice!.uri), await answerTo(carol!.uri)]
    expect(answers.map(({ invitation }) => invitation)).toEqual(['needed', 'needed'])
    expect(answers.map((answer) => Object.keys(answer))).toEqual([Object.keys(answers[0]), Object.keys(answers[0])])
    await change({ speakers: 'anyone', forget: [alice!.uri, carol!.uri] })
  })

  test('[agp/callers-1] contacts one address at most 60 times a minute, however many domains lead there', async () => {
    const [, , ...many] = world.callers
    world.asked.length = 0
    const begun = Date.now()
    for (let i = 0; i < many.length; i += 7) await Promise.all(many.slice(i, i + 7).map(({ uri }) => connect(uri)))
    expect(world.asked.length).toBeGreaterThan(50)
    // One more each second of the Worker's clock: all of them, if this takes ten seconds.
    expect(world.asked.length).toBeLessThanOrEqual(60 + Math.ceil((Date.now() - begun) / 1000))
  })

  test('contacts no internal address, and limits the names per client; callers are found regardless', async () => {
    const [, carol] = world.callers
    world.sent.length = 0
    for (const from of ['agent:169.254.169.254', 'agent:localhost', 'agent:printer.local'])
      expect([200, 400], from).toContain((await connect(from)).status)
    const flood = await Promise.all(Array.from({ length: 30 }, (_, i) => connect(`agent:a${i}.example.net`)))
    const statuses = flood.map(({ status }) => status)
    // Eight at once: most of them ended in favor of a later one.
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10)
    expect(flood.find(({ status }) => status === 429)!.headers['retry-after']).toBe('60')
    expect(world.sent).toEqual([])
    // The flood locks nobody out, not even a caller from the same address.
    expect(await answerTo(carol!.uri)).toMatchObject({ discovered: true })
    // Lookups by the agent itself have their own limits.
    const given = await world.at('/v1/agents/bob/tasks/given', { method: 'POST', body: { to: carol!.uri, task: 'x' } })
    expect([given.status, given.text.includes('no endpoint')]).toEqual([404, true])
  })
})
