// The operator decides which agents the directory accepts: takes cards down, blocks and allows, and approves waiting cards.
import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../../bindings/keys/index.ts'
import type { RuntimeOptions } from '../../support/runtime.ts'
import { workersOf } from '../../support/workers.ts'
import { checkContract } from '../contract.ts'
import { bearer, operator } from '../tokens.ts'
import { type Agent, cardOf, createAgent } from './agents.ts'

const workers = workersOf()

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, never>
}

/** A directory of its own, with the requests that the tests send to it. */
async function directoryWith(options: RuntimeOptions = {}) {
  const { origin } = await workers.start(options)
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const address = origin + path
    const response = await checkContract(init.method ?? 'GET', address, await fetch(address, init))
    const text = await response.text()
    const isJson =
      /json/.test(response.headers.get('content-type') ?? '') &&
      !/ndjson/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return send(path, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } })
  }
  return {
    origin,
    send,
    post,
    advertise: (card: string, headers = {}) => post('/adp/advertise', card, headers),
    rules: (...rules: object[]) => post('/v1/directory/rules', { rules }, operator(origin)),
    remove: (id: string, reason: string) =>
      send(`${pathOf(id)}?${new URLSearchParams({ reason })}`, { method: 'DELETE', headers: operator(origin) }),
    card: (id: string) => send(`${pathOf(id)}/card.json`),
    queue: () => send('/v1/directory/queue', { headers: operator(origin) }),
    found: async (query: string) =>
      ((await post('/adp/discover', { query })).body['results'] as unknown as { agent_card: { id: string } }[]).map(
        ({ agent_card }) => agent_card.id,
      ),
  }
}

const pathOf = (id: string) => `/agents/${encodeURIComponent(id.slice('agent://'.length))}`
const endpointAt = (...uris: string[]) => ({
  endpoints: uris.map((uri) => ({ protocol: 'http+json', uri, auth: 'none' })),
})

describe('a card that the operator takes down', () => {
  test('is in no answer, and its id returns the reason, also for a newer card, until a rule allows it', async () => {
    const { remove, card, advertise, found, rules, send, post, origin } = await directoryWith()
    const agent = await createAgent()
    await advertise(await cardOf(agent, 1, { description: 'Sells tulips.' }))
    expect(await found('tulips')).toEqual([agent.id])
    const removed = await remove(agent.id, 'sells what does not exist')
    expect(removed).toMatchObject({
      status: 200,
      body: { id: agent.id, removed: true, reason: 'sells what does not exist' },
    })
    expect(await found('tulips')).toEqual([])
    const gone = { reason: 'sells what does not exist', removedAt: removed.body['at'] }
    for (const path of [`${pathOf(agent.id)}/card.json`, pathOf(agent.id)]) {
      expect(await send(path)).toMatchObject({ status: 410, body: { title: 'It was removed or blocked', ...gone } })
    }
    const described = await post('/adp/describe', { id: agent.id })
    expect(described).toMatchObject({ status: 410, body: { status: 'NOT_FOUND' } })
    expect(described.body['diagnostics']).toMatchObject([{ detail: expect.stringContaining('does not exist') }])
    const { items } = (await send('/agents')).body as unknown as { items: object[] }
    expect(items).toEqual([])

    const again = await advertise(await cardOf(agent, 2))
    expect(again).toMatchObject({ status: 200, body: { stored: false, reason: 'blocked' } })
    expect(again.body['diagnostics']).toContainEqual(
      expect.objectContaining({
        code: 'CARD-175',
        detail: expect.stringContaining('does not exist'),
        source: expect.objectContaining({ pointer: '/id' }),
      }),
    )
    expect((await card(agent.id)).status).toBe(410)
    expect((await rules({ id: agent.id, verdict: 'allow' })).status).toBe(200)
    expect((await card(agent.id)).status).toBe(404)
    expect(await advertise(await cardOf(agent, 3))).toMatchObject({ body: { stored: true, reason: 'first' } })
    expect((await card(agent.id)).status).toBe(200)
    expect((await remove(agent.id, ' ')).status).toBe(400)
    expect((await remove('agent://a b', 'x')).status).toBe(404)
    expect(origin).toBeTruthy()
  })

  test('need not exist, and cannot be the card of the directory itself', async () => {
    const { remove, card, post } = await directoryWith()
    expect(await remove('agent://never/seen', 'known elsewhere')).toMatchObject({
      status: 200,
      body: { removed: false },
    })
    expect((await card('agent://never/seen')).status).toBe(410)
    const own = (await post('/adp/describe', {})).body['id'] as unknown as string
    expect((await remove(own, 'x')).status).toBe(400)
    expect((await card(own)).status).toBe(200)
  })

  test('a revocation is answered with 410 and the signed revocation', async () => {
    const { advertise, card, send } = await directoryWith()
    const agent = await createAgent()
    await advertise(await cardOf(agent, 1))
    const revocation = await cardOf(agent, 2, { tools: [], endpoints: [] })
    await advertise(revocation)
    for (const answer of [await card(agent.id), await send(pathOf(agent.id))]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([410, 'application/adp-agent-card+json'])
      expect(answer.body).toEqual(JSON.parse(revocation))
    }
  })
})

describe('rules', () => {
  test('about a key or a host take down all matching cards on every shard, and refuse new ones', async () => {
    // These cards have the same text, so only the rules keep some of them away.
    const { advertise, rules, found, post, send, origin } = await directoryWith({ settings: { GROUPING: 'off' } })
    const spammer = await createAgent()
    const honest = await createAgent()
    const ids = ['', '/a', '/b', '/c', '/d', '/e'].map((path) => spammer.id + path)
    for (const id of ids) await advertise(await cardOf({ id, key: spammer.key }, 1, { description: 'Buy gold.' }))
    const hosted: Agent[] = []
    for (const host of ['shop.spam.example', 'SPAM.example.', 'not-spam.example']) {
      const agent = await createAgent()
      hosted.push(agent)
      await advertise(await cardOf(agent, 1, { description: 'Buy gold.', ...endpointAt(`https://${host}/a`) }))
    }
    await advertise(await cardOf(honest, 1, { description: 'Buy gold.' }))
    await post('/v1/directory/shards', { shards: 3 }, operator(origin))
    await expect
      .poll(async () => (await send('/v1/directory/state', { headers: operator(origin) })).body['growth'])
      .toMatchObject({ moving: false, shards: 3 })
    const key = await fingerprint(spammer.key.publicKey)
    expect((await rules({ key, reason: 'spam' })).body).toMatchObject({
      rules: [{ key, verdict: 'block' }],
      entered: [],
    })
    expect((await rules({ host: '*.Spam.example' })).body).toMatchObject({ rules: [{ host: 'spam.example' }] })
    expect((await found('gold')).sort()).toEqual([honest.id, hosted[2]!.id].sort())
    expect(await advertise(await cardOf({ id: `${spammer.id}/new`, key: spammer.key }, 1))).toMatchObject({
      body: { stored: false, reason: 'blocked' },
    })
    const listed = await send('/v1/directory/rules', { headers: bearer(origin, { scope: 'export' }) })
    expect(listed.body).toMatchObject({ total: 2, rules: [{ host: 'spam.example' }, { key, reason: 'spam' }] })
    await rules({ key, verdict: 'none' }, { host: 'spam.example', verdict: 'none' })
    expect((await send('/v1/directory/rules', { headers: operator(origin) })).body).toEqual({ rules: [], total: 0 })
    expect(await advertise(await cardOf({ id: ids[0]!, key: spammer.key }, 2))).toMatchObject({
      body: { stored: true },
    })
  })

  test.each([
    [{}, 'Expected 1 to 500 rules.'],
    [{ rules: [] }, 'Expected 1 to 500 rules.'],
    [{ rules: [{ id: 'agent://a' }], more: 1 }, 'Unknown member more. Known: rules.'],
    [{ rules: [{ id: 'agent://a' }, 7] }, 'rules[1]: expected an object.'],
    [{ rules: [{}] }, 'rules[0]: expected one of id, key and host.'],
    [{ rules: [{ id: 'agent://a', host: 'a.example' }] }, 'rules[0]: expected one of id, key and host.'],
    [{ rules: [{ id: 'acme' }] }, 'rules[0].id: expected the id of an agent, agent://....'],
    [{ rules: [{ key: 'x' }] }, 'rules[0].key: expected the fingerprint of a key: 43 characters of base64url.'],
    [{ rules: [{ host: 'a*b' }] }, 'rules[0].host: expected a host or a domain, as in example.com.'],
    [{ rules: [{ host: 'a b' }] }, 'rules[0].host: expected a host or a domain, as in example.com.'],
    [
      { rules: [{ host: 'a.example', verdict: 'maybe' }] },
      'rules[0].verdict: expected one of block, hide, allow, none.',
    ],
    [{ rules: [{ host: 'a.example', reason: 7 }] }, 'rules[0].reason: expected a text of at most 500 characters.'],
    [
      { rules: [{ hosts: 'a.example' }] },
      'rules[0].hosts: expected one of the members id, key, host, verdict, reason, at.',
    ],
  ])('%j are refused with the place of the error', async (body, detail) => {
    shared ??= await directoryWith()
    expect(await shared.post('/v1/directory/rules', body, operator(shared.origin))).toMatchObject({
      status: 400,
      body: { detail },
    })
  })
  let shared: Awaited<ReturnType<typeof directoryWith>> | undefined
})

describe('ADMISSION', () => {
  test('list accepts agents that rules allow, by id, by key or by the hosts of all endpoints', async () => {
    const { advertise, rules } = await directoryWith({ settings: { ADMISSION: 'list' } })
    const [byId, byKey, byHost, nobody] = await Promise.all(Array.from({ length: 4 }, createAgent))
    const key = await fingerprint(byKey!.key.publicKey)
    await rules(...[{ id: byId!.id }, { key }, { host: 'acme.example' }].map((rule) => ({ ...rule, verdict: 'allow' })))
    const own = endpointAt('https://api.acme.example/x')
    const both = endpointAt('https://api.acme.example/x', 'https://elsewhere.example')
    const reasons = []
    for (const [agent, more] of [[byId], [byKey], [byHost, own], [nobody, both], [nobody]] as const) {
      reasons.push((await advertise(await cardOf(agent!, 1, more))).body['reason'])
    }
    expect(reasons).toEqual(['first', 'first', 'first', 'policy', 'policy'])
  })

  test('domains accepts agents whose endpoints are all in the domains of the setting', async () => {
    const settings = { ADMISSION: 'domains', ADMISSION_DOMAINS: 'acme.example Bücher.example' }
    const { advertise, origin } = await directoryWith({ settings })
    const reasons = []
    for (const uris of [
      ['https://a.acme.example'],
      ['https://xn--bcher-kva.example/'],
      ['https://evilacme.example'],
      [],
    ]) {
      reasons.push((await advertise(await cardOf(await createAgent(), 1, endpointAt(...uris)))).body['reason'])
    }
    expect(reasons).toEqual(['first', 'first', 'policy', 'policy'])
    // The holder of a token vouches for the card.
    const vouched = await advertise(await cardOf(await createAgent(), 1), bearer(origin, { scope: 'publish' }))
    expect(vouched.body['reason']).toBe('first')
  })

  test('an invalid policy accepts no cards', async () => {
    const { advertise } = await directoryWith({ settings: { ADMISSION: 'opne' } })
    expect((await advertise(await cardOf(await createAgent(), 1))).body['reason']).toBe('policy')
  })

  test('queue keeps cards until the operator has decided', async () => {
    const { advertise, queue, rules, found, send, origin } = await directoryWith({ settings: { ADMISSION: 'queue' } })
    const [one, two] = [await createAgent(), await createAgent()]
    const card = await cardOf(one, 1, { description: 'Waters plants.' })
    const waits = await advertise(card)
    expect(waits).toMatchObject({ status: 200, body: { stored: false, reason: 'waiting' } })
    await advertise(await cardOf(two, 1))
    expect(await found('plants')).toEqual([])
    const { waiting, total } = (await queue()).body as unknown as { waiting: Record<string, string>[]; total: number }
    expect(total).toBe(2)
    const shown = waiting.find(({ id }) => id === one.id)!
    expect(Buffer.from(shown['card']!, 'base64url').toString()).toBe(card)
    expect(shown).toMatchObject({ description: 'Waters plants.', key: await fingerprint(one.key.publicKey) })
    expect((await rules({ id: one.id, verdict: 'allow' })).body['entered']).toEqual([one.id])
    expect(await found('plants')).toEqual([one.id])
    // An accepted agent can update its card itself.
    expect((await advertise(await cardOf(one, 2))).body['reason']).toBe('newer')
    const dropped = await send(`/v1/directory/queue?id=${encodeURIComponent(two.id)}`, {
      method: 'DELETE',
      headers: operator(origin),
    })
    expect(dropped.body).toEqual({ dropped: 1 })
    expect((await queue()).body).toEqual({ waiting: [], total: 0 })
    expect((await send('/v1/directory/queue', { method: 'DELETE', headers: operator(origin) })).status).toBe(400)
  })

  test('a blocked card leaves the queue', async () => {
    const { advertise, queue, rules } = await directoryWith({ settings: { ADMISSION: 'queue' } })
    for (let i = 0; i < 3; i++) {
      await advertise(await cardOf(await createAgent(), 1, endpointAt(`https://a${i}.spam.example`)))
    }
    expect((await queue()).body['total']).toBe(3)
    await rules({ host: 'spam.example' })
    expect((await queue()).body['total']).toBe(0)
  })
})

describe('searches and checks of one address', () => {
  test.each([
    ['/adp/discover', { query: 'x' }],
    ['/adp/describe', {}],
    ['/search', { query: { text: 'x' } }],
    ['/v1/validate', {}],
    ['/v1/convert?to=card', {}],
    ['/v1/verify', {}],
    ['/v1/canonicalize', {}],
  ])('%s answers too many requests with 429 and Retry-After', async (path, body) => {
    limited ??= await directoryWith({ requests: 5 })
    // The minute of the rate limit may end between two requests, but not twice.
    let last = await limited.post(path, body)
    for (let i = 1; i < 12 && last.status !== 429; i++) last = await limited.post(path, body)
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '60'])
    expect(last.body).toMatchObject({ title: 'Too many requests' })
    expect((await limited.send('/healthz')).status).toBe(200)
  })
  let limited: Awaited<ReturnType<typeof directoryWith>> | undefined
})
