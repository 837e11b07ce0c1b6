// Tasks of agents at the Worker (ADP/1.1 section 7.3), in the real runtime: callers sign by RFC 9421 and are found in
// DNS.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { jcs, type OraclePair, pairOf, signed as signedMessage } from '../agp/oracle.ts'
import { isSigned, signedHeaders, type Wrong } from '../agp/signing.ts'
import { type Raw, raw } from '../agp/sockets.ts'
import { bind } from '../support/dns-lab.ts'
import { bearer, operator } from './tokens.ts'
import { HERE, OWN, type Sent, startWorld, type World } from './world.ts'

const BOB = 'bob.example.com'
const TASKS = `https://${BOB}/agent/tasks`
let world: World
let bobPem: string
let alice: OraclePair
let carol: OraclePair
let dora: OraclePair

beforeAll(async () => {
  world = await startWorld([
    { label: 'alice', endpoints: { tasks: 'https://work.example.net/agent/tasks' } },
    { label: 'carol' },
    { label: 'dora', endpoints: { tasks: 'https://dora.example.net/agent/tasks' } },
  ])
  ;[alice, carol, dora] = world.callers as [OraclePair, OraclePair, OraclePair]
  await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
  const endpoints = { tasks: TASKS, swarm: `https://${BOB}/agent/swarm`, chat: `wss://${BOB}/agent/chat` }
  const made = await world.at('/agents/bob/agent.json', { method: 'POST', body: { name: 'Bob', endpoints } })
  expect(made.status).toBe(201)
  bobPem = (await world.json('/agents/bob/agent.json')).identity.publicKey.full
})
afterAll(() => world?.end())
afterEach(async () => {
  world.answer((_, response) => response.writeHead(204).end())
  world.sent.length = 0
  await settings({})
})

const settings = (body: object) => world.at('/v1/agents/bob/tasks/settings', { method: 'PUT', body })
const own = (path: string, body?: object) =>
  world.at(`/v1/agents/bob/tasks${path}`, { ...(body !== undefined && { method: 'POST', body }) })

interface Asking {
  readonly of?: OraclePair
  readonly more?: Record<string, string>
  readonly wrong?: Wrong
}

async function signed(
  method: string,
  path: string,
  value?: unknown,
  { of = alice, more = {}, wrong = {} }: Asking = {},
) {
  const body = value === undefined ? '' : JSON.stringify(value)
  const headers = { ...signedHeaders({ method, url: `https://${BOB}${path}`, body }, of, wrong), ...more }
  const { status, text, headers: answered } = await world.at(path, { method, host: BOB, headers, body })
  return { status, headers: answered, body: text === '' ? undefined : JSON.parse(text) }
}
const give = (value: object, asking?: Asking) => signed('POST', '/agent/tasks', value, asking)
const review = { task: 'code-review', input: { code: 'x', language: 'python' } }
const letters = async () => (await world.json('/v1/agents/bob/state')).tasks.outbox
const sentTo = (host: string): Sent[] => world.sent.filter(({ url }) => new URL(url).hostname === host)

describe.runIf(bind.available)('[agp/7.3.1-1] POST /agent/tasks', () => {
  test('gets 202 and the address of the status, which only its caller can read', async () => {
    const { status, headers, body } = await give(review)
    expect([status, headers['location'], body.state, body.task]).toEqual([202, body.statusUrl, 'queued', 'code-review'])
    expect(body.statusUrl).toBe(`${TASKS}/${body.id}`)
    const path = new URL(body.statusUrl).pathname
    expect((await signed('GET', path)).body).toEqual(body)
    const others = [await signed('GET', path, undefined, { of: carol }), await signed('GET', `${TASKS}/x`.slice(23))]
    expect(others.map(({ status }) => status)).toEqual([404, 404])
    expect((await world.at(path, { host: BOB, headers: {} })).status).toBe(401)
    const inside = JSON.parse((await own(`/${body.id}`)).text)
    expect(inside).toMatchObject({ caller: alice.uri, input: review.input, state: 'queued' })
  })

  test('[agp/7.3.1-2] sends the result to the callback, signed by the agent', async () => {
    const callback = 'https://alice.example.net/agent/webhook'
    const { body } = await give({ ...review, callback })
    const result = { verdict: 'fine', lines: [1, 2] }
    const done = await own(`/${body.id}`, { state: 'completed', result })
    expect(JSON.parse(done.text)).toMatchObject({ state: 'completed', result })
    await expect.poll(() => sentTo('alice.example.net').length).toBe(1)
    const [sent] = sentTo('alice.example.net')
    expect([sent!.method, sent!.url]).toEqual(['POST', callback])
    expect(JSON.parse(sent!.body)).toMatchObject({ of: body.id, task: 'code-review', state: 'completed', result })
    expect(isSigned(sent!, bobPem, BOB)).toBe(true)
    expect((await signed('GET', new URL(body.statusUrl).pathname)).body).toMatchObject({ state: 'completed', result })
    await expect.poll(letters).toMatchObject({ waiting: 0, undelivered: 0 })
  })

  test('sends a result again until it arrives, even from another process, and then no more', async () => {
    world.answer((_, response) => response.writeHead(503).end())
    const { body } = await give({ ...review, callback: 'https://work.example.net/done' })
    await own(`/${body.id}`, { state: 'failed', error: 'no such language' })
    await expect.poll(() => sentTo('work.example.net').length).toBeGreaterThanOrEqual(2)
    await world.restart()
    expect(await letters()).toMatchObject({ waiting: 1, letters: [{ kind: 'result', about: body.id }] })
    world.answer((_, response) => response.writeHead(200).end())
    await expect.poll(letters).toMatchObject({ waiting: 0, undelivered: 0 })
    const tries = sentTo('work.example.net')
    expect(JSON.parse(tries.at(-1)!.body)).toMatchObject({ of: body.id, state: 'failed', error: 'no such language' })
    const nonces = tries.map(({ headers }) => /nonce="([^"]+)"/.exec(String(headers['signature-input']))![1])
    expect(new Set(nonces).size).toBe(tries.length)
  })

  test('gives up a callback that is gone, and follows no redirects', async () => {
    world.answer(({ url }, response) =>
      url.endsWith('/gone')
        ? response.writeHead(410).end()
        : response.writeHead(307, { location: 'http://169.254.169.254/latest/' }).end(),
    )
    for (const path of ['gone', 'moved']) {
      const { body } = await give({ ...review, callback: `https://alice.example.net/${path}` })
      await own(`/${body.id}`, { state: 'completed', result: 1 })
    }
    await expect.poll(letters).toMatchObject({ waiting: 1, undelivered: 1 })
    await expect.poll(async () => (await letters()).letters[1].tries).toBeGreaterThan(0)
    const [gone, moved] = (await letters()).letters
    expect([gone.last, gone.next, moved.last]).toEqual([
      'the server answered 410',
      undefined,
      expect.stringContaining('redirect'),
    ])
    expect(world.sent.filter(({ url }) => url.includes('169.254'))).toEqual([])
    world.answer((_, response) => response.writeHead(200).end())
    await expect.poll(letters).toMatchObject({ waiting: 0 })
  })

  test.each([
    'https://169.254.169.254/latest/meta-data/',
    'http://alice.example.net/agent/webhook',
    'https://user:secret@alice.example.net/',
    'https://carol.example.net/agent/webhook',
    'https://alice.example.net.evil.example/',
    'https://alice.example.net:8443/',
    'https://localhost/',
    'not an address',
  ])('refuses the callback %s', async (callback) => {
    const { status, body } = await give({ ...review, callback })
    expect([status, body.code]).toEqual([400, 'AGP-158'])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  test('allows the operator to name other origins for results', async () => {
    await settings({ origins: ['https://carol.example.net'] })
    expect((await give({ ...review, callback: 'https://carol.example.net/hook' })).status).toBe(202)
    for (const origins of [['http://x.example'], ['https://x.example/path'], 'x', [7]])
      expect((await settings({ origins })).status).toBe(400)
  })

  test('creates one task for two requests with the same Idempotency-Key; another body is refused', async () => {
    const more = { 'idempotency-key': randomUUID() }
    const [first, again, of] = [await give(review, { more }), await give(review, { more }), await give(review)]
    expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id])
    expect(of.body.id).not.toBe(first.body.id)
    expect((await give({ task: 'another' }, { more })).status).toBe(422)
    const hers = await give(review, { more, of: carol })
    expect([hers.status, hers.body.id === first.body.id]).toEqual([202, false])
    const all = await Promise.all(
      Array.from({ length: 8 }, () => give(review, { more: { 'idempotency-key': 'at-once' } })),
    )
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
    expect((await give(review, { more: { 'idempotency-key': 'x'.repeat(256) } })).status).toBe(400)
  })

  test('can be canceled by its caller, and then nobody can do it any more', async () => {
    const { body } = await give(review)
    const path = new URL(body.statusUrl).pathname
    expect((await signed('DELETE', path, undefined, { of: carol })).status).toBe(404)
    expect((await signed('DELETE', path)).body.state).toBe('canceled')
    expect((await signed('DELETE', path)).body.state).toBe('canceled')
    expect((await own(`/${body.id}`, { state: 'completed', result: 1 })).status).toBe(409)
    const done = await give(review)
    await own(`/${done.body.id}`, { state: 'completed', result: 1 })
    expect((await signed('DELETE', new URL(done.body.statusUrl).pathname)).status).toBe(409)
  })

  test.each<[string, unknown, number]>([
    ['without a task', { input: 1 }, 400],
    ['with an empty task', { task: '' }, 400],
    ['with a long task', { task: 'x'.repeat(257) }, 400],
    ['that is a list', [review], 400],
    ['that is too large', { task: 'x', input: 'x'.repeat(262_144) }, 413],
  ])('a body %s is refused', async (_, value, status) => {
    expect((await give(value as object)).status).toBe(status)
  })

  test('members of a task that the draft does not define are ignored', async () => {
    const { status, body } = await give({ ...review, priority: 'high', x_note: { a: 1 } })
    expect(status).toBe(202)
    const stored = JSON.parse((await own(`/${body.id}`)).text)
    expect([stored.input, 'priority' in stored, 'x_note' in stored]).toEqual([review.input, false, false])
  })

  test('takes a token of the agent instead of a signature; its task is hidden from other tokens', async () => {
    const token = bearer(HERE, { scope: 'read-one', holder: '/agents/bob' })
    const asked = { method: 'POST', host: BOB, headers: token, body: review }
    const given = await world.at('/agent/tasks', asked)
    expect(given.status).toBe(202)
    const path = new URL(JSON.parse(given.text).statusUrl).pathname
    expect((await world.at(path, { host: BOB, headers: token })).status).toBe(200)
    expect((await world.at(path, { host: BOB, headers: bearer(HERE, { scope: 'read' }) })).status).toBe(404)
    expect((await signed('GET', path)).status).toBe(404)
    const callback = { ...asked, body: { ...review, callback: 'https://alice.example.net/' } }
    expect((await world.at('/agent/tasks', callback)).status).toBe(400)
    const broken = { ...token, ...signedHeaders({ method: 'POST', url: TASKS, body: '' }, pairOf(alice.uri)) }
    expect((await world.at('/agent/tasks', { ...asked, headers: broken })).status).toBe(401)
  })

  test('takes tasks of anonymous callers only if the operator allows it, and then not many', async () => {
    const asked = { method: 'POST', host: BOB, headers: {}, body: review }
    expect((await world.at('/agent/tasks', asked)).status).toBe(401)
    await settings({ anonymous: true })
    const given = await world.at('/agent/tasks', asked)
    expect(given.status).toBe(202)
    expect(
      (await world.at(new URL(JSON.parse(given.text).statusUrl).pathname, { host: BOB, headers: {} })).status,
    ).toBe(200)
    const callback = { ...asked, body: { ...review, callback: 'https://alice.example.net/' } }
    expect((await world.at('/agent/tasks', callback)).status).toBe(400)
    expect((await world.at('/agent/tasks', { ...asked, headers: { 'idempotency-key': 'k' } })).status).toBe(400)
    const more = await Promise.all(
      Array.from({ length: 110 }, async () => (await world.at('/agent/tasks', asked)).status),
    )
    expect([more.filter((status) => status === 202).length, more.filter((status) => status === 507).length]).toEqual([
      99, 11,
    ])
    expect((await give(review)).status, 'who is known is not kept out by them').toBe(202)
  })

  test('exists only if the metadata has it, and not for blocked callers', async () => {
    expect((await world.at('/agents/bob/tasks', { method: 'POST', body: review })).status).toBe(404)
    expect((await world.at('/agent/tasks', { method: 'POST', host: OWN, body: review })).status).toBe(404)
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { block: [carol.uri] } })
    expect((await give(review, { of: carol })).status).toBe(403)
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { forget: [carol.uri] } })
  })

  test('[agp/speakers-1] with mode invited, takes tasks of signing callers with a token, and of no others', async () => {
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { speakers: 'invited' } })
    const more = bearer(HERE, { scope: 'read-one', holder: '/agents/bob' })
    expect((await give(review, { of: carol })).status).toBe(403)
    const { status, body } = await give(review, { of: carol, more })
    expect([status, (await own(`/${body.id}`)).text]).toEqual([202, expect.stringContaining(carol.uri)])
    await world.at('/v1/agents/bob/speakers', { method: 'POST', body: { speakers: 'anyone' } })
  })

  test('[agp/6.3.5-2] limits each caller to the rate in the metadata', async () => {
    const endpoints = { tasks: TASKS, swarm: `https://${BOB}/agent/swarm`, chat: `wss://${BOB}/agent/chat` }
    const publish = async (more: object) =>
      world.at('/agents/bob/agent.json', { method: 'POST', body: { name: 'Bob', endpoints, ...more } })
    await publish({ rateLimit: { requestsPerMinute: 2, burstSize: 3 } })
    await world.restart()
    const [first, ...others] = [await give(review), await give(review), await give(review), await give(review)]
    expect([first!.status, ...others.map(({ status }) => status)]).toEqual([202, 202, 202, 429])
    expect([others[2]!.headers['retry-after'], others[2]!.body.code]).toEqual(['30', 'AGP-134'])
    expect((await signed('GET', new URL(first!.body.statusUrl).pathname)).status).toBe(429)
    expect((await give(review, { of: carol })).status).toBe(202)
    await publish({})
    await world.restart()
    expect((await give(review)).status).toBe(202)
  })
})

describe.runIf(bind.available)('the operator', () => {
  test('takes tasks one by one: no two calls get the same', async () => {
    for (;;) if ((await own('/take', {})).status === 204) break
    const given = await Promise.all(Array.from({ length: 6 }, () => give(review)))
    const taken = await Promise.all(Array.from({ length: 8 }, () => own('/take', {})))
    const ids = taken.flatMap(({ status, text }) => (status === 200 ? [JSON.parse(text).id] : []))
    expect(ids.sort()).toEqual(given.map(({ body }) => body.id).sort())
    expect((await own(`/${ids[0]}`, { state: 'taken' })).status).toBe(409)
    const { tasks } = JSON.parse((await own('?state=taken&limit=2')).text)
    expect([tasks.length, tasks[0].state]).toEqual([2, 'taken'])
    const next = JSON.parse((await own(`?after=${tasks[1].seq}&limit=1`)).text)
    expect(next.tasks[0].seq).toBeGreaterThan(tasks[1].seq)
  })

  test('reports results within limits, and needs a token', async () => {
    const { body } = await give(review)
    for (const wrong of [
      {},
      { state: 'done' },
      { state: 'failed' },
      { state: 'completed', error: 'x' },
      { state: 'taken', result: 1 },
    ])
      expect((await own(`/${body.id}`, wrong)).status).toBe(400)
    expect((await own(`/${body.id}`, { state: 'completed', result: 'x'.repeat(250_000) })).status).toBe(413)
    expect((await own(`/${randomUUID()}`, { state: 'taken' })).status).toBe(404)
    for (const path of ['', '/take', '/given', '/settings', `/${body.id}`]) {
      const method = path === '/take' ? 'POST' : 'GET'
      expect((await world.at(`/v1/agents/bob/tasks${path}`, { method, headers: {} })).status, path).toBe(401)
      const other = bearer(HERE, { scope: 'publish-one', holder: '/agents/alice' })
      expect((await world.at(`/v1/agents/bob/tasks${path}`, { method, headers: other })).status, path).toBe(403)
    }
  })

  test.each([
    ['a webhook', 'https://program.example.org/tasks', 'https://program.example.org/tasks'],
    ['a service', 'service', 'https://tasks.invalid/'],
  ])('has tasks done by %s, which answers with the result', async (_, taker, url) => {
    await settings({ taker })
    world.answer((_, response) => response.end('{"result":{"ok":true}}'))
    const { body } = await give(review)
    const path = new URL(body.statusUrl).pathname
    await expect
      .poll(async () => (await signed('GET', path)).body)
      .toMatchObject({ state: 'completed', result: { ok: true } })
    const [sent] = world.sent
    expect([sent!.url, isSigned(sent!, bobPem, BOB)]).toEqual([url, true])
    expect(JSON.parse(sent!.body)).toMatchObject({
      event: 'task',
      task: { id: body.id, caller: alice.uri, input: review.input },
    })
    world.answer((_, response) => response.writeHead(202).end())
    const later = await give(review)
    await expect.poll(async () => JSON.parse((await own(`/${later.body.id}`)).text).state).toBe('taken')
  })

  test('cannot set a program inside the network', async () => {
    for (const taker of [
      'https://169.254.169.254/',
      'https://[::1]/',
      'https://localhost/',
      'http://x.example',
      'x',
      7,
    ])
      expect((await settings({ taker })).status, String(taker)).toBe(400)
    for (const origin of ['https://10.0.0.7', 'https://printer.local'])
      expect((await settings({ origins: [origin] })).status, origin).toBe(400)
  })
})

describe.runIf(bind.available)('[agp/7.3.1-3] tasks for others', () => {
  const given = async (id: string) =>
    JSON.parse((await own('/given')).text).given.find((one: { id: string }) => one.id === id)

  test('are sent, signed, until the other agent has them; its result comes to the webhook, once', async () => {
    let tries = 0
    world.answer((_, response) =>
      tries++ === 0
        ? response.writeHead(503).end()
        : response.writeHead(202).end('{"id":"theirs-7","statusUrl":"https://dora.example.net/agent/tasks/theirs-7"}'),
    )
    const made = await own('/given', { to: dora.uri, task: 'translate', input: { text: 'x' } })
    expect(made.status).toBe(202)
    const { id } = JSON.parse(made.text)
    await expect.poll(async () => (await given(id)).state).toBe('given')
    const [first, second] = sentTo('dora.example.net')
    expect([first!.url, isSigned(second!, bobPem, BOB)]).toEqual(['https://dora.example.net/agent/tasks', true])
    expect([first!.headers['idempotency-key'], second!.headers['idempotency-key']]).toEqual([id, id])
    const { callback, ...rest } = JSON.parse(first!.body)
    expect(rest).toEqual({ task: 'translate', input: { text: 'x' } })
    expect(callback).toBe(`https://${BOB}/agent/webhook?task=${id}`)

    const { pathname, search } = new URL(callback)
    const result = { of: 'theirs-7', state: 'completed', result: 'y' }
    const bring = (value: object, asking?: Asking, path = pathname + search) => signed('POST', path, value, asking)
    expect((await bring(result, { of: carol })).status, 'a stranger').toBe(404)
    const anyone = { method: 'POST', host: BOB, headers: operator(HERE), body: result }
    expect((await world.at(pathname + search, anyone)).status, 'a token is no agent').toBe(401)
    expect((await bring(result, { of: dora }, `${pathname}?task=${randomUUID()}`)).status).toBe(404)
    expect((await given(id)).state).toBe('given')
    expect((await bring(result, { of: dora })).status).toBe(204)
    expect((await bring(result, { of: dora }, pathname)).status, 'again, and by their id').toBe(204)
    expect((await bring({ ...result, result: 'z' }, { of: dora })).status).toBe(409)
    expect(await given(id)).toMatchObject({ state: 'answered', to: dora.uri, answer: result })
    const big = { ...result, result: 'x'.repeat(262_144) }
    expect((await bring(big, { of: dora })).status).toBe(413)
  })

  test('are refused if the other agent takes none, and given up when it refuses', async () => {
    expect((await own('/given', { to: carol.uri, task: 'x' })).status).toBe(404)
    expect((await own('/given', { to: 'agent:nobody.example.net', task: 'x' })).status).toBe(404)
    expect((await own('/given', { to: dora.uri })).status).toBe(400)
    world.answer((_, response) => response.writeHead(400).end())
    const { id } = JSON.parse((await own('/given', { to: dora.uri, task: 'x' })).text)
    await expect.poll(async () => (await given(id)).state).toBe('refused')
  })
})

describe.runIf(bind.available)('[agp/7.2.4-2] a message of type task', () => {
  const open: Raw[] = []
  afterEach(() => {
    for (const socket of open.splice(0)) socket.close()
  })
  const said = (type: string, content: object) => ({
    id: randomUUID(),
    from: alice.uri,
    to: `agent:${BOB}`,
    type,
    timestamp: new Date().toISOString(),
    body: { content: jcs(content), contentType: 'application/json' },
  })
  async function inside(): Promise<Raw> {
    const socket = await raw(`${world.origin().replace('http', 'ws')}/agent/chat`, { headers: { host: BOB } })
    open.push(socket)
    const nonce = randomBytes(16).toString('base64url')
    const { uri, fingerprint } = alice
    const hello = { hello: 1, agent: uri, fingerprint, protocol: 'ADP/1.1', nonce }
    socket.send(signedMessage(said('system', hello), alice))
    const answer = await socket.next()
    socket.send(signedMessage(said('ack', { ack: answer.id }), alice))
    return socket
  }

  test('is a task like those of requests; its result comes back as a message, possibly in a later conversation', async () => {
    const first = await inside()
    const message = signedMessage(said('task', { task: 'summary', input: { text: 'x' } }), alice)
    first.send(message)
    expect(JSON.parse((await first.next()).body.content)).toEqual({ ack: message.id })
    first.send(message)
    await first.next()
    const { tasks } = JSON.parse((await own('?state=queued')).text)
    const [task, ...more] = tasks.filter((one: { task: string }) => one.task === 'summary')
    expect([task.caller, task.input, more]).toEqual([alice.uri, { text: 'x' }, []])
    first.close()
    await expect.poll(async () => (await world.json('/v1/agents/bob/state')).conversations).toEqual([])
    await own(`/${task.id}`, { state: 'completed', result: 'short' })
    // It waits among the outgoing messages, and the agent tries to call meanwhile.
    await expect.poll(async () => (await world.json('/v1/agents/bob/state')).outbox.waiting).toBe(1)
    const second = await inside()
    const result = await second.next()
    expect([result.type, JSON.parse(result.body.content)]).toEqual(['task', { of: message.id, result: 'short' }])
    second.send(signedMessage(said('ack', { ack: result.id }), alice))
    await expect.poll(async () => (await world.json('/v1/agents/bob/state')).outbox.waiting).toBe(0)
    expect(await letters()).toMatchObject({ waiting: 0 })
  })

  test('whose content is not a task is an ordinary message', async () => {
    const socket = await inside()
    const message = signedMessage(said('task', { something: 'else' }), alice)
    socket.send(message)
    expect(JSON.parse((await socket.next()).body.content)).toEqual({ ack: message.id })
  })
})

describe.runIf(bind.available)('[agp/7.3.2-1] swarms', () => {
  const join = (of: OraclePair, task: string, more: object = {}) =>
    signed('POST', '/agent/swarm/join', { agent: of.uri, task, role: 'participant', ...more }, { of })
  const members = (of: OraclePair, task: string, role = '') =>
    signed('GET', `/agent/swarm/members?task=${task}${role && `&role=${role}`}`, undefined, { of })

  test('are joined with a signature, and shown to members, by role', async () => {
    const joined = await join(alice, 'analysis')
    expect([joined.status, joined.body]).toEqual([
      200,
      expect.objectContaining({ agent: alice.uri, role: 'participant' }),
    ])
    expect((await members(carol, 'analysis')).status, 'from outside').toBe(404)
    expect((await join(carol, 'analysis', { role: 'reviewer' })).status).toBe(200)
    expect((await join(carol, 'analysis', { role: 'leader' })).status, 'another role').toBe(200)
    const { body } = await members(alice, 'analysis')
    expect(body.members.map(({ agent, role }: Record<string, string>) => [agent, role])).toEqual([
      [alice.uri, 'participant'],
      [carol.uri, 'leader'],
    ])
    expect((await members(alice, 'analysis', 'leader')).body.members).toHaveLength(1)
    expect((await world.json('/v1/agents/bob/swarms')).swarms).toContainEqual({ task: 'analysis', members: 2 })
    const leave = { agent: alice.uri, task: 'analysis' }
    expect((await signed('POST', '/agent/swarm/leave', leave)).status).toBe(204)
    expect((await signed('POST', '/agent/swarm/leave', leave)).status).toBe(404)
    expect((await members(alice, 'analysis')).status).toBe(404)
    expect((await world.json('/v1/agents/bob/swarms?task=analysis')).members).toHaveLength(1)
  })

  test('refuse other agents’ names and tokens, and are limited in number', async () => {
    expect((await signed('POST', '/agent/swarm/join', { agent: carol.uri, task: 'x' })).status).toBe(403)
    const token = { method: 'POST', host: BOB, headers: operator(HERE), body: { agent: alice.uri, task: 'x' } }
    expect((await world.at('/agent/swarm/join', token)).status).toBe(401)
    for (const wrong of [{ task: '' }, { role: 'A B' }, { role: 'x'.repeat(65) }, { more: 1 }])
      expect((await join(alice, 'x', wrong)).status).toBe(400)
    const many = await Promise.all(Array.from({ length: 102 }, async (_, i) => (await join(dora, `s${i}`)).status))
    expect([many.filter((status) => status === 200).length, many.filter((status) => status === 507).length]).toEqual([
      100, 2,
    ])
  })
})
