// Outgoing messages of an agent at the Worker: stored on disk, and delivered by its object in conversations that it
// begins.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '../../bindings/agp/connect.ts'
import { connect, type Message, openReceiver } from '../../bindings/agp/index.ts'
import type { SocketLike } from '../../bindings/agp/session.ts'
import { type OraclePair, pairOf, type Said } from '../agp/oracle.ts'
import { isSigned, signedHeaders } from '../agp/signing.ts'
import { finder, socketsWith } from '../agp/sockets.ts'
import { bind } from '../support/dns-lab.ts'
import { peer } from '../support/peers.mjs'
import { refuseUpgrade } from '../support/upgrade.ts'
import { type Sent, startWorld, type World } from './world.ts'

const BOB = pairOf('agent:bob.example.net')
const DORA = pairOf('agent:dora.example.net')
const CAROL = pairOf('agent:carol.example.net')
const ERIC = pairOf('agent:eric.example.net')

const { WebSocketServer } = await peer('ws', 'sockets')
const sockets = new WebSocketServer({ noServer: true })
/** The WebSocket servers of agents outside of the Worker; none when absent. */
const receivers = new Map<string, (socket: SocketLike) => void>()
/** Requests that asked for a WebSocket. */
const dialed: Sent[] = []

let world: World
beforeAll(async () => {
  const there = (label: string, pair: OraclePair) => {
    return { label, pair, endpoints: { chat: `wss://${label}.example.net/agent/chat` } }
  }
  const inhabitants = [
    { label: 'bob', here: 'bob', pair: BOB },
    { label: 'dora', here: 'dora', pair: DORA },
    there('carol', CAROL),
    there('eric', ERIC),
  ]
  world = await startWorld(inhabitants, {}, (url, request, socket, head) => {
    dialed.push({ method: request.method!, url: url.href, headers: request.headers, body: '' })
    const take = receivers.get(url.hostname)
    if (take === undefined) refuseUpgrade(socket)
    else sockets.handleUpgrade(request, socket, head, take)
  })
  for (const name of ['bob', 'dora']) {
    const host = `${name}.example.net`
    await world.at(`/v1/agents/${name}`, { method: 'PUT', body: { host } })
    const body = { name, endpoints: { chat: `wss://${host}/agent/chat` } }
    expect((await world.at(`/agents/${name}/agent.json`, { method: 'POST', body })).status).toBe(201)
  }
})
afterAll(() => world?.end())
afterEach(async () => {
  receivers.clear()
  // Conversations stay open for a moment, for answers.
  for (const name of ['bob', 'dora']) await expect.poll(async () => (await state(name)).called).toBe(0)
})

/** An agent on this machine that listens. */
async function listen(who: OraclePair, options: Partial<openReceiver.Options> = {}) {
  const heard: Message[] = []
  const errors: string[] = []
  const here: Conversation[] = []
  const receiver = await openReceiver({
    key: who.pem,
    as: who.uri,
    discover: finder([{ pair: BOB }, { pair: DORA }]),
    onMessage: (message) => void heard.push(message),
    onConversation: (one) => void here.push(one),
    onError: ({ code }) => void errors.push(code),
    handshakeSeconds: 60,
    ...options,
  })
  receivers.set(who.uri.slice(6), (socket) => receiver.accept(socket))
  return { heard, here, errors, receiver }
}

/** An agent on this machine that calls Bob. */
async function callFrom(who: OraclePair) {
  const heard: Message[] = []
  const connected = await connect(BOB.uri, {
    key: who.pem,
    as: who.uri,
    discover: finder([{ pair: BOB, chat: `${world.origin().replace('http', 'ws')}/agent/chat` }]),
    onMessage: (message) => void heard.push(message),
    WebSocket: socketsWith({ host: 'bob.example.net' }),
    loopback: true,
    handshakeSeconds: 60,
  })
  if (!connected.ok) throw new Error(connected.diagnostic.detail)
  // The conversation is open here before Bob has read the end of the handshake.
  await expect.poll(async () => (await state()).conversations.map(({ agent }: Said) => agent)).toContain(who.uri)
  return { heard, conversation: connected.conversation }
}

const say = async (to: string, content: string, more: object = {}, from = 'bob') => {
  const { status, text } = await world.at(`/v1/agents/${from}/messages`, {
    method: 'POST',
    body: { to, content, ...more },
  })
  return { status, id: JSON.parse(text).id as string }
}
const state = (name = 'bob'): Promise<Said> => world.json(`/v1/agents/${name}/state`)
const told = async (name: string): Promise<Said[]> => (await world.json(`/v1/agents/${name}/messages`)).messages
const texts = (heard: readonly Message[]) => heard.map(({ body }) => body.content)

describe.runIf(bind.available)('a message from an agent at the Worker', () => {
  test('[agp/7.2.2-1] [agp/requests-2] reaches an agent elsewhere, which its object calls, signed and strict, with both sides verified', async () => {
    const { heard, here } = await listen(CAROL)
    const [one, two] = [await say(CAROL.uri, 'one'), await say(CAROL.uri, 'two', { type: 'task' })]
    expect([one.status, two.status]).toEqual([202, 202])
    await expect.poll(() => heard.map(({ id }) => id)).toEqual([one.id, two.id])
    expect([here[0]!.peer, here[0]!.isStrict]).toEqual([BOB.uri, true])
    const [call] = dialed
    expect(isSigned({ ...call!, headers: { ...call!.headers } }, BOB.publicPem, 'bob.example.net')).toBe(true)
    await expect.poll(async () => (await state()).outbox).toEqual({ waiting: 0, agents: [] })
    expect(await here[0]!.ended).toBeUndefined()
    expect((await state()).called).toBe(0)
  })

  test('gets its answer in the same conversation', async () => {
    const { here } = await listen(CAROL, { onConversation: (one) => void one.send({ content: 'and you?' }) })
    await say(CAROL.uri, 'how are you?')
    await expect
      .poll(async () => (await told('bob')).map(({ agent, text }) => [agent, JSON.parse(text).body.content]))
      .toEqual([[CAROL.uri, 'and you?']])
    expect(here).toEqual([])
  })

  test('reaches another agent of this deployment through its object, without a fetch to itself', async () => {
    for (const list of [world.asked, world.sent, dialed]) list.length = 0
    const { id } = await say(DORA.uri, 'hello, neighbour')
    await expect
      .poll(async () => (await told('dora')).map(({ agent, text }) => [agent, JSON.parse(text).id]))
      .toEqual([[BOB.uri, id]])
    const urls = [...world.sent, ...dialed].map(({ url }) => url)
    expect([...world.asked, ...urls].filter((url) => /(bob|dora)\.example\.net/.test(url))).toEqual([])
    const back = await say(BOB.uri, 'hello to you', {}, 'dora')
    await expect.poll(async () => (await told('bob')).some(({ text }) => JSON.parse(text).id === back.id)).toBe(true)
  })

  test('[agp/outbox-1] waits for an absent agent, even if the process dies, and arrives once', async () => {
    const { id } = await say(ERIC.uri, 'when you are back')
    await expect.poll(async () => (await state()).outbox.agents[0]?.failures).toBeGreaterThan(0)
    expect((await state()).outbox).toMatchObject({
      waiting: 1,
      agents: [{ agent: ERIC.uri, waiting: 1, reason: expect.stringContaining('503') }],
    })
    await world.restart()
    const { heard } = await listen(ERIC)
    await expect.poll(() => heard.map((one) => one.id)).toEqual([id])
    await expect.poll(async () => (await state()).outbox.waiting).toBe(0)
    expect(heard).toHaveLength(1)
  })

  test('is listed in the state if it was not delivered in time, or was refused', async () => {
    expect((await say(CAROL.uri, 'now or never', { retainSeconds: 0 })).status).toBe(404)
    await listen(ERIC, { admit: () => false })
    dialed.length = 0
    const { id } = await say(ERIC.uri, 'let me in')
    const refused = { id, agent: ERIC.uri, code: 'AGP-135', detail: expect.stringContaining('AGP-135') }
    await expect.poll(async () => (await state()).refused[0]).toMatchObject(refused)
    expect(dialed).toHaveLength(1)
    await listen(CAROL, {
      onMessage: () => {
        throw new Error('no')
      },
    })
    const second = await say(CAROL.uri, 'take this')
    await expect.poll(async () => (await state()).refused[0]).toMatchObject({ id: second.id, code: 'AGP-139' })
    expect((await state()).outbox.waiting).toBe(0)
  })

  test('two agents that call each other at once both receive everything once, and both hang up', async () => {
    const before = [(await told('bob')).length, (await told('dora')).length]
    const rounds = 4
    const said = Array.from({ length: rounds }, async (_, i) => {
      await say(DORA.uri, `to dora ${i}`)
      await say(BOB.uri, `to bob ${i}`, {}, 'dora')
    })
    await Promise.all(said)
    for (const [i, name] of ['bob', 'dora'].entries()) {
      await expect.poll(async () => (await told(name)).length).toBe(before[i]! + rounds)
      await expect.poll(async () => (await state(name)).outbox.waiting).toBe(0)
    }
  })

  test('a call that is answered after the messages were delivered another way is ended as well', async () => {
    const receiver = await openReceiver({
      key: CAROL.pem,
      as: CAROL.uri,
      discover: finder([{ pair: BOB }]),
      onMessage: () => {},
    })
    let answer!: () => void
    const later = new Promise<void>((done) => {
      answer = done
    })
    receivers.set('carol.example.net', (socket) => {
      const held = socket as typeof socket & { pause(): void; resume(): void }
      held.pause()
      void later.then(() => {
        receiver.accept(held)
        held.resume()
      })
    })
    const { id } = await say(CAROL.uri, 'on its way')
    await expect.poll(async () => (await state()).called).toBe(1)
    const { heard, conversation } = await callFrom(CAROL)
    await expect.poll(() => heard.map((one) => one.id)).toEqual([id])
    await expect.poll(async () => (await state()).outbox.waiting).toBe(0)
    // Longer than a conversation stays open for answers.
    await new Promise((done) => setTimeout(done, 2500))
    answer()
    await expect.poll(() => receiver.conversations.size).toBe(1)
    await expect.poll(() => receiver.conversations.size).toBe(0)
    await expect.poll(async () => (await state()).called).toBe(0)
    await conversation.close()
  })

  test('respects the rate limit of the other agent', async () => {
    const { heard, errors } = await listen(CAROL, { rateLimit: { requestsPerMinute: 60, burstSize: 3 } })
    const sent = await Promise.all(Array.from({ length: 8 }, (_, i) => say(CAROL.uri, `${i}`)))
    await expect.poll(() => new Set(heard.map(({ id }) => id)).size).toBe(8)
    expect(new Set(heard.map(({ id }) => id))).toEqual(new Set(sent.map(({ id }) => id)))
    expect([heard.length, errors]).toEqual([8, []])
    expect(new Set(texts(heard)).size).toBe(8)
  })

  test('uses a conversation that the other agent has begun', async () => {
    dialed.length = 0
    const { heard, conversation } = await callFrom(CAROL)
    const { id } = await say(CAROL.uri, 'you are here already')
    await expect.poll(() => heard.map((one) => one.id)).toEqual([id])
    await expect.poll(async () => (await state()).outbox.waiting).toBe(0)
    expect(dialed).toEqual([])
    await conversation.close()
  })

  test('is not sent to a blocked agent, nor to the agent itself', async () => {
    const change = (body: object) => world.json('/v1/agents/bob/speakers', { method: 'POST', body })
    await change({ block: [ERIC.uri] })
    expect((await say(ERIC.uri, 'x')).status).toBe(403)
    await change({ forget: [ERIC.uri] })
    expect((await say(BOB.uri, 'x')).status).toBe(400)
    for (const retainSeconds of [-1, 604_801, 'x'])
      expect((await say(ERIC.uri, 'x', { retainSeconds })).status).toBe(400)
    expect((await say(ERIC.uri, 'x'.repeat(261_000))).status).toBe(413)
  })

  test('[agp/speakers-1] with mode invited, holders of a token for the agent may speak, and so may agents on the list', async () => {
    const change = (body: object) => world.json('/v1/agents/bob/speakers', { method: 'POST', body })
    await change({ speakers: 'invited' })
    const invitation = await world.json('/agents/bob/invitations', { method: 'POST', body: {} })
    const { code } = invitation.invitation.invite
    const body = JSON.stringify({ code })
    const url = 'https://bob.example.net/agent/invite'
    const headers = { 'content-type': 'application/json', ...signedHeaders({ method: 'POST', url, body }, CAROL) }
    const { token } = await world.json('/agent/invite', { method: 'POST', host: 'bob.example.net', headers, body })
    const call = (headers: object) =>
      connect(BOB.uri, {
        key: CAROL.pem,
        as: CAROL.uri,
        discover: finder([{ pair: BOB, chat: `${world.origin().replace('http', 'ws')}/agent/chat` }]),
        onMessage: () => {},
        WebSocket: socketsWith({ host: 'bob.example.net', ...headers }),
        loopback: true,
        handshakeSeconds: 60,
        reconnectSeconds: 0,
      })
    expect(await call({})).toMatchObject({ ok: false, diagnostic: { detail: expect.stringContaining('AGP-135') } })
    const invited = await call({ authorization: `Bearer ${token}` })
    expect(invited.ok && (await invited.conversation.send({ content: 'I am invited' }))).toMatchObject({ ok: true })
    await change({ speakers: 'list' })
    expect(invited.ok && (await invited.conversation.ended)).toMatchObject({ code: 'AGP-138' })
    await change({ speakers: 'invited', block: [CAROL.uri] })
    expect((await call({ authorization: `Bearer ${token}` })).ok).toBe(false)
    await change({ speakers: 'anyone', forget: [CAROL.uri] })
  })
})
