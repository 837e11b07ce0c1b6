// Conversations with an agent at the Worker, in the real runtime. A resolver and a server of the tests make callers
// known.
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { holds, jcs, line, type OraclePair, pairOf, type Said, signed, strictLine } from '../agp/oracle.ts'
import { type Raw, raw } from '../agp/sockets.ts'
import { type Asked, ask } from '../support/ask.ts'
import { bind, type DnsLab, startDns, startDoh, type Zone } from '../support/dns-lab.ts'
import { prepareSite, type Runtime, type Site, startRuntime } from '../support/runtime.ts'
import { checkContract } from './contract.ts'
import { operator } from './tokens.ts'

const OWN = 'agents.example.org'
const HERE = `https://${OWN}`
const BOB = 'bob.example.com'
const ALICE = pairOf('agent:alice.example.net')
const CAROL = pairOf('agent:carol.example.net')
const CALLERS = [ALICE, CAROL]

let site: Site
let runtime: Runtime
let world: Server
let dns: DnsLab
let doh: Awaited<ReturnType<typeof startDoh>>
let settings: { outbound: number; settings: Record<string, string> }
const asked: string[] = []
/** Bob's key, as in his metadata. */
let bob: OraclePair

const signedZone = (name: string, records: string): Zone => ({ name, records, algorithm: 'ECDSAP256SHA256' })

function recordsOf({ uri, fingerprint }: OraclePair): string {
  const [domain, label] = [uri.slice(6), uri.slice(6).split('.')[0]]
  const wellKnown = `https://${domain}/.well-known/agent.json`
  return `${label} A 93.184.216.34\n_agent.${label} TXT "v=ADP1.1; pk=${fingerprint}; wk=${wellKnown}"`
}

function metadataOf({ uri, fingerprint, publicPem }: OraclePair) {
  const domain = uri.slice(6)
  return {
    protocol: 'ADP/1.1',
    identity: { id: uri, domain, name: domain, publicKey: { algorithm: 'ed25519', fingerprint, full: publicPem } },
    endpoints: { wellKnown: `https://${domain}/.well-known/agent.json`, chat: `wss://${domain}/chat` },
    capabilities: [{ id: 'chat', name: 'Chat' }],
    security: { tlsRequired: true, authMethods: ['pubkey'] },
  }
}

/** The server for everything that the Worker fetches. */
function outside(): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(decodeURIComponent(request.url!.slice(2)))
    asked.push(url.href)
    const caller = CALLERS.find(({ uri }) => url.hostname === uri.slice(6))
    if (url.href.startsWith(doh.url))
      void fetch(url, { headers: { accept: 'application/dns-message' } })
        .then((answer) => answer.arrayBuffer())
        .then((bytes) => response.setHeader('content-type', 'application/dns-message').end(Buffer.from(bytes)))
    else if (caller !== undefined)
      response.setHeader('content-type', 'application/vnd.adp+json').end(JSON.stringify(metadataOf(caller)))
    else response.writeHead(404).end()
  })
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}

async function at(path: string, given: Asked = {}) {
  const answer = await ask(runtime.origin + path, { host: OWN, headers: operator(HERE), ...given })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value))
  await checkContract(
    given.method ?? 'GET',
    runtime.origin + path,
    new Response(answer.status === 204 ? null : answer.text, { status: answer.status, headers }),
  )
  return answer
}
const json = async (path: string, given: Asked = {}) => JSON.parse((await at(path, given)).text)

beforeAll(async () => {
  dns = await startDns([
    signedZone('.', ''),
    signedZone('net', ''),
    signedZone('example.net', CALLERS.map(recordsOf).join('\n')),
  ])
  doh = await startDoh(dns.port)
  world = await outside()
  const anchors = dns.anchors['.']!.map(({ keyTag, algorithm, digestType, digest }) =>
    [keyTag, algorithm, digestType, Buffer.from(digest).toString('hex')].join(' '),
  )
  site = await prepareSite('edge/worker.ts')
  settings = {
    outbound: (world.address() as AddressInfo).port,
    settings: { PUBLIC_ORIGIN: HERE, DNS_RESOLVER: doh.url, DNS_ANCHORS: anchors.join(', ') },
  }
  runtime = await startRuntime(site, settings)
  await at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
  const rateLimit = { requestsPerMinute: 600, burstSize: 60 }
  const made = { name: 'Bob', endpoints: { chat: `wss://${BOB}/agent/chat` }, rateLimit }
  expect((await at('/agents/bob/agent.json', { method: 'POST', body: made })).status).toBe(201)
  const { fingerprint, full } = (await json('/agents/bob/agent.json')).identity.publicKey
  const { createPublicKey } = await import('node:crypto')
  bob = { ...pairOf(`agent:${BOB}`), fingerprint, publicPem: full, publicKey: createPublicKey(full) }
})
afterAll(async () => {
  await runtime?.kill()
  site?.remove()
  world?.close()
  await doh?.close()
  await dns?.close()
})

const open: Raw[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

async function dial(): Promise<Raw> {
  const socket = await raw(`${runtime.origin.replace('http', 'ws')}/agent/chat`, { headers: { host: BOB } })
  open.push(socket)
  return socket
}

const message = (from: OraclePair, type: string, content: unknown, change: object = {}) => ({
  id: randomUUID(),
  from: from.uri,
  to: `agent:${BOB}`,
  type,
  timestamp: new Date().toISOString(),
  body: { content: typeof content === 'string' ? content : jcs(content), contentType: 'text/plain' },
  ...change,
})
const helloOf = (of: OraclePair, change: object = {}, envelope: object = {}) => {
  const nonce = randomBytes(16).toString('base64url')
  const hello = { hello: 1, agent: of.uri, fingerprint: of.fingerprint, protocol: 'ADP/1.1', nonce, ...change }
  return signed(message(of, 'system', hello, envelope), of)
}
const contentIn = (m: Said) => JSON.parse(m.body.content)
const say = (content: string, n?: number, change: object = {}) =>
  signed(message(ALICE, 'chat', content, change), ALICE, n)

/** A manual caller, up to the ack of Bob's hello; `n` is the number of its next strict message. */
async function inside(
  of: OraclePair = ALICE,
  change: Said = {},
): Promise<Raw & { readonly answer: Said; readonly n: number }> {
  const socket = await dial()
  const hello = helloOf(of, change)
  socket.send(hello)
  const answer = await socket.next()
  expect(contentIn(answer)).toMatchObject({ hello: 1, agent: `agent:${BOB}`, answers: hello.id })
  expect([contentIn(answer).fingerprint, holds(line(answer), answer.signature, bob)]).toEqual([bob.fingerprint, true])
  const { strict } = contentIn(answer)
  socket.send(signed(message(of, 'ack', { ack: answer.id }), of, change.strict === undefined ? undefined : strict))
  return { ...socket, answer, n: (strict ?? 0) + 1 }
}
const told = async () => (await json('/v1/agents/bob/messages')).messages as Said[]
const clear = () => at('/v1/agents/bob/messages?through=999999999', { method: 'DELETE' })

describe.runIf(bind.available)('GET /agent/chat', () => {
  test('logs nothing when a caller leaves before its acks', async () => {
    const socket = await inside()
    const sent = Array.from({ length: 20 }, (_, i) => message(ALICE, 'chat', `leaving ${i}`))
    for (const one of sent) socket.send(signed(one, ALICE))
    socket.leave()
    await socket.closed
    await expect.poll(async () => (await told()).length).toBe(20)
    await clear()
    expect(runtime.log()).toBe('')
  })

  test('stores a message byte for byte, and then acknowledges it, signed', async () => {
    await clear()
    const socket = await inside()
    const said = say('Good morning')
    socket.send(said)
    const ack = await socket.next()
    expect([ack.type, contentIn(ack), holds(line(ack), ack.signature, bob)]).toEqual(['ack', { ack: said.id }, true])
    const [stored] = await told()
    expect([stored.agent, stored.text]).toEqual([ALICE.uri, JSON.stringify(said)])
    const { conversations, messages } = await json('/v1/agents/bob/state')
    expect([messages, conversations]).toEqual([1, [{ agent: ALICE.uri, since: expect.any(String), strict: false }]])
  })

  test('an acknowledged message survives the death of the process, and a repeated one is recognized', async () => {
    await clear()
    const socket = await inside()
    const said = say('before the end')
    socket.send(said)
    await socket.next()
    await runtime.kill()
    runtime = await startRuntime(site, settings)
    expect((await told()).map(({ text }) => JSON.parse(text).id)).toEqual([said.id])
    const again = await inside()
    again.send(said)
    expect(contentIn(await again.next())).toEqual({ ack: said.id })
    expect(await told()).toHaveLength(1)
  })

  test('a conversation survives hibernation of the object', async () => {
    await clear()
    const socket = await inside(ALICE)
    const [before, after] = [say('before'), say('after')]
    socket.send(before)
    await socket.next()
    // workerd hibernates an object that was idle for ten seconds.
    await new Promise((done) => setTimeout(done, 12_000))
    for (const said of [before, after]) {
      socket.send(said)
      expect(contentIn(await socket.next())).toEqual({ ack: said.id })
    }
    expect((await told()).map(({ text }) => JSON.parse(text).id)).toEqual([before.id, after.id])
  })

  test('supports strict mode, and continues with the number that it names', async () => {
    await clear()
    const first = await inside(ALICE, { strict: 5 })
    first.send(say('one', first.n))
    const ack = await first.next()
    expect([ack.body.strict.n, holds(strictLine(ack), ack.body.strict.signature, bob)]).toEqual([5, true])
    const second = await inside(ALICE, { strict: 6 })
    expect(second.n).toBe(first.n + 2)
    expect(await first.closed).toBe(4000)
    second.send(say('stripped'))
    expect(await second.closed).toBe(1008)
    const plain = await dial()
    plain.send(helloOf(ALICE))
    expect(contentIn(await plain.next()).error).toBe('AGP-126')
    expect(await plain.closed).toBe(1008)
    expect((await told()).map(({ text }) => JSON.parse(text).body.content)).toEqual(['one'])
  })

  test.each<[string, string, () => Said]>([
    ['for another recipient', 'AGP-123', () => helloOf(CAROL, {}, { to: 'agent:dora.example.net' })],
    ['signed with another key', 'AGP-124', () => signed(message(CAROL, 'system', contentIn(helloOf(CAROL))), ALICE)],
    ['naming an agent that is not the sender', 'AGP-130', () => ({ ...helloOf(ALICE), from: CAROL.uri })],
    ['late', 'AGP-120', () => helloOf(CAROL, {}, { timestamp: new Date(Date.now() - 301_000).toISOString() })],
    ['early', 'AGP-121', () => helloOf(CAROL, {}, { timestamp: new Date(Date.now() + 90_000).toISOString() })],
    ['by an unknown agent', 'AGP-133', () => helloOf(pairOf('agent:nobody.example.net'))],
    ['cut in two', 'DOC-102', () => JSON.stringify(helloOf(CAROL)).slice(0, 200)],
    ['that is a chat', 'AGP-130', () => signed(message(CAROL, 'chat', 'x'), CAROL)],
  ])('a hello %s ends the conversation without a message: %s', async (_, code, made) => {
    const socket = await dial()
    socket.send(made())
    expect([await socket.closed, await socket.why, socket.got]).toEqual([1008, code, []])
  })

  test('forged messages, and messages to others, end the conversation, and none of them is stored', async () => {
    await clear()
    for (const made of [
      { ...signed(message(CAROL, 'chat', 'a'), CAROL), body: { content: 'b' } },
      signed(message(ALICE, 'chat', 'x'), ALICE),
      signed(message(CAROL, 'chat', 'x', { to: CAROL.uri }), CAROL),
    ]) {
      const socket = await inside(CAROL)
      socket.send(made)
      expect([await socket.closed, socket.got]).toEqual([1008, []])
    }
    const late = await inside(CAROL)
    const old = signed(message(CAROL, 'chat', 'x', { timestamp: new Date(Date.now() - 400_000).toISOString() }), CAROL)
    late.send(old)
    expect(contentIn(await late.next())).toMatchObject({ error: 'AGP-120', of: old.id })
    expect(await told()).toEqual([])
  })

  test('a caller is looked up once, and never at an address that a message names', async () => {
    asked.length = 0
    await inside(CAROL)
    expect(asked.filter((url) => url.includes('evil'))).toEqual([])
    expect(asked.length).toBeLessThan(30)
  })

  test('more messages than the metadata allows get a signed error, and close the conversation', async () => {
    const socket = await inside(CAROL)
    for (let i = 0; i < 240; i++) socket.send(signed(message(CAROL, 'chat', `${i}`), CAROL))
    expect(await socket.closed).toBe(1013)
    const errors = socket.got.filter(({ type }) => type === 'system')
    expect(errors.map(contentIn)).toEqual([expect.objectContaining({ error: 'AGP-134' })])
    await clear()
  })

  test('an unidentified peer may send one message, and nobody may send more than the largest message', async () => {
    const hasty = await dial()
    for (let i = 0; i < 3; i++) hasty.send(helloOf(ALICE))
    expect(await hasty.closed).toBe(1008)
    const strange = await dial()
    strange.send(helloOf(CAROL, { more: 'x'.repeat(300_000) }))
    expect(await strange.closed).toBe(1009)
    const proved = await inside(CAROL)
    proved.send(' '.repeat(262_145))
    expect(await proved.closed).toBe(1009)
  })

  test('a peer that does not identify itself in time is disconnected', async () => {
    await runtime.kill()
    runtime = await startRuntime(site, { ...settings, settings: { ...settings.settings, STEP_PATIENCE_MS: '200' } })
    const silent = await dial()
    expect([await silent.closed, await silent.why, silent.got]).toEqual([1008, 'AGP-137', []])
    await runtime.kill()
    runtime = await startRuntime(site, settings)
  })

  test('a flood of unidentified peers gets 429, and ends', async () => {
    const flood = await Promise.allSettled(Array.from({ length: 20 }, dial))
    const refused = flood.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(refused.length).toBeGreaterThanOrEqual(10)
    expect(refused.every((reason) => reason.includes('429'))).toBe(true)
    for (const socket of open.splice(0)) socket.close()
    await expect.poll(async () => (await json('/v1/agents/bob/state')).unproved).toBe(0)
    await inside(CAROL)
  })

  test.each([
    [1000, 1000],
    [3007, 3007],
    [undefined, 1000],
    [0, 1000],
    [1004, 1000],
    [1015, 1000],
    [65_535, 1000],
  ])('a close with the code %s gets %s', async (code, answer) => {
    const socket = connect(Number(new URL(runtime.origin).port), '127.0.0.1')
    const key = randomBytes(16).toString('base64')
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
    socket.write(`GET /agent/chat HTTP/1.1\r\nHost: ${BOB}\r\n${upgrade}\r\nSec-WebSocket-Key: ${key}\r\n\r\n`)
    const [head] = (await once(socket, 'data')) as [Buffer]
    expect(String(head)).toContain(' 101 ')
    const payload = Buffer.alloc(code === undefined ? 0 : 2)
    if (code !== undefined) payload.writeUInt16BE(code)
    // A last frame of type close, masked with zeros (RFC 6455 section 5.2).
    socket.write(Buffer.concat([Buffer.from([0x88, 0x80 | payload.length, 0, 0, 0, 0]), payload]))
    const [frame] = (await once(socket, 'data')) as [Buffer]
    expect([frame[0], frame.readUInt16BE(2)]).toEqual([0x88, answer])
    socket.destroy()
  })

  test('sends a message to a connected agent', async () => {
    const socket = await inside(CAROL)
    await expect.poll(async () => (await json('/v1/agents/bob/state')).conversations.length).toBeGreaterThan(0)
    const body = { to: CAROL.uri, content: 'and you?' }
    const { id } = await json('/v1/agents/bob/messages', { method: 'POST', body })
    const heard = await socket.next()
    expect([heard.id, heard.body.content, holds(line(heard), heard.signature, bob)]).toEqual([id, 'and you?', true])
    const nobody = { to: 'agent:nobody.example.net', content: '', retainSeconds: 0 }
    expect((await at('/v1/agents/bob/messages', { method: 'POST', body: nobody })).status).toBe(404)
  })

  test('the operator decides who may speak: with a list, and blocked agents are disconnected', async () => {
    const change = (body: object) => json('/v1/agents/bob/speakers', { method: 'POST', body })
    const socket = await inside(CAROL)
    await expect.poll(async () => (await json('/v1/agents/bob/state')).conversations.length).toBeGreaterThan(0)
    expect(await change({ block: [CAROL.uri] })).toMatchObject({ blocked: [CAROL.uri] })
    expect(await socket.closed).toBe(1008)
    const refused = await dial()
    refused.send(helloOf(CAROL))
    const answer = await refused.next()
    expect([contentIn(answer).error, holds(line(answer), answer.signature, bob)]).toEqual(['AGP-135', true])
    await change({ speakers: 'list', forget: [CAROL.uri] })
    const unknown = await dial()
    unknown.send(helloOf(CAROL))
    expect(contentIn(await unknown.next()).error).toBe('AGP-135')
    await change({ allow: [CAROL.uri] })
    await inside(CAROL)
    expect(await json('/v1/agents/bob/speakers')).toEqual({ speakers: 'list', allowed: [CAROL.uri], blocked: [] })
    await change({ speakers: 'anyone', forget: [CAROL.uri] })
  })

  test('exists only at the address in the metadata, for callers that may see the agent, and as a WebSocket', async () => {
    expect((await at('/agent/chat', { host: BOB })).status).toBe(400)
    expect((await at('/agents/bob/chat')).status).toBe(404)
    expect((await at('/agent/chat', { host: OWN })).status).toBe(404)
    expect((await at('/v1/agents/bob/state', { headers: {} })).status).toBe(401)
    for (const body of [
      {},
      { to: 'bob', content: 'x' },
      { to: CAROL.uri, content: 7 },
      { to: CAROL.uri, content: '', x: 1 },
    ])
      expect((await at('/v1/agents/bob/messages', { method: 'POST', body })).status).toBe(400)
    expect((await at('/v1/agents/bob/speakers', { method: 'POST', body: { allow: 'x' } })).status).toBe(400)
    expect((await at('/v1/agents/bob/messages', { method: 'DELETE' })).status).toBe(400)
  })
})
