// Concurrent requests in random order: every answer must be true of the final state.
import { beforeAll, describe, expect, it } from 'vitest'
import { cardOf, createAgent } from '../edge/directory/agents.ts'
import { bearer, GRANTER, operator } from '../edge/tokens.ts'
import { random } from '../support/random.ts'
import type { Runtime } from '../support/runtime.ts'
import { workersOf } from '../support/workers.ts'

const AT_ONCE = 8
/** How often each race runs. */
const ROUNDS = [1, 2, 3, 4, 5]

const workers = workersOf()
let runtime: Runtime

beforeAll(async () => {
  runtime = await workers.start()
})

async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}, to = runtime) {
  const init = { method, headers: { 'content-type': 'application/json', ...headers } }
  const response = await fetch(to.origin + path, body === undefined ? init : { ...init, body })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}
const advertise = (card: string, headers?: Record<string, string>, to?: Runtime) =>
  send('POST', '/adp/advertise', card, headers, to)
const describeAgent = async (id: string) => (await send('POST', '/adp/describe', JSON.stringify({ id }))).body

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const next = random(seed)
  return list
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

describe.each(ROUNDS)('round %i:', (round) => {
  it('keeps the last revision of one card, and stores no older one after a newer one', async () => {
    const agent = await createAgent()
    const cards = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => cardOf(agent, i + 1)))
    const answers = await Promise.all(shuffled(cards, round).map((card) => advertise(card)))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect((await describeAgent(agent.id))['seq']).toBe(AT_ONCE)
  })

  it('stores one of several contradicting cards, and finds that one', async () => {
    const agent = await createAgent()
    const liars = Array.from({ length: AT_ONCE }, (_, i) => cardOf(agent, 1, { description: `I am number ${i}.` }))
    const answers = await Promise.all((await Promise.all(liars)).map((card) => advertise(card)))
    expect(answers.filter(({ body }) => body['stored'] === true)).toHaveLength(1)
    const winner = answers.findIndex(({ body }) => body['stored'] === true)
    expect((await describeAgent(agent.id))['description']).toBe(`I am number ${winner}.`)
  })

  it('a revocation during updates is final, whichever comes first', async () => {
    const agent = await createAgent()
    const updates = await Promise.all([1, 2, 3, 4].map((seq) => cardOf(agent, seq)))
    const revocation = await cardOf(agent, 5, { tools: [], endpoints: [] })
    await Promise.all(shuffled([...updates, revocation], round).map((card) => advertise(card)))
    const { endpoints, tools } = await describeAgent(agent.id)
    expect({ endpoints, tools }).toEqual({ endpoints: [], tools: [] })
    expect((await advertise(await cardOf(agent, 4))).body['stored']).not.toBe(true)
  })

  it('a withdrawn token stores nothing after the withdrawal is acknowledged', async () => {
    const id = `agent://raced/${round}`
    const bound = bearer(runtime.origin, { scope: 'publish-one', holder: id })
    const put = (seq: number) => advertise(JSON.stringify({ id, name: 'A', seq }), bound)
    const before = Array.from({ length: AT_ONCE }, (_, i) => put(i + 1))
    const withdrawn = await send('DELETE', `/v1/tokens?holder=${encodeURIComponent(id)}`, undefined, GRANTER)
    expect(withdrawn.status).toBe(200)
    const after = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => put(100 + i)))
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 401))
    for (const { status } of await Promise.all(before)) expect([200, 401, 409]).toContain(status)
  })

  it('creates one of several documents with the same name, and makes one of several changes to the same state', async () => {
    const adl = (description: string) => JSON.stringify({ ...DEFINITION, description })
    const put = (text: string, headers: Record<string, string>) =>
      send('PUT', `/agents/raced-${round}/adl.json`, text, {
        ...operator(runtime.origin),
        'content-type': 'application/adl+json',
        ...headers,
      })
    const texts = Array.from({ length: AT_ONCE }, (_, i) => adl(`The one of number ${i}.`))
    const created = await Promise.all(texts.map((text) => put(text, { 'if-none-match': '*' })))
    expect(created.map(({ status }) => status).sort()).toEqual([201, ...Array(AT_ONCE - 1).fill(412)])
    const found = await fetch(`${runtime.origin}/agents/raced-${round}/adl.json`)
    const etag = found.headers.get('etag')!
    expect(await found.text()).toBe(texts[created.findIndex(({ status }) => status === 201)])
    const changed = await Promise.all(texts.map((text) => put(`${text} `, { 'if-match': etag })))
    expect(changed.filter(({ status }) => status < 300)).toHaveLength(1)
  })
})

const DEFINITION = {
  adl_spec: '0.1.0',
  name: 'Raced',
  version: '1.0.0',
  description: 'x',
  data_classification: { sensitivity: 'internal' },
}

it('concurrent requests do not exceed the limit of an address', async () => {
  const small = await workers.start({ settings: { SENDER_CARDS: '3' } })
  const cards = await Promise.all(Array.from({ length: AT_ONCE }, async () => cardOf(await createAgent(), 1)))
  const answers = await Promise.all(cards.map((card) => advertise(card, {}, small)))
  expect(answers.filter(({ body }) => body['stored'] === true)).toHaveLength(3)
})
