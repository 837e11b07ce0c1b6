// Conversations over real WebSockets: between two sides of ours, and between ours and one that sends anything.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { Conversation } from '../../bindings/agp/connect.ts'
import { connect, linkMemory, type Message, openReceiver } from '../../bindings/agp/index.ts'
import { holds, jcs, line, type OraclePair, pairOf, type Said, signed, strictLine } from './oracle.ts'
import { callerOf, finder, type Published, pageSockets, type Raw, raw, type Served, serve } from './sockets.ts'

const ALICE = pairOf('agent:alice.example.com')
const BOB = pairOf('agent:bob.example.com')
const CAROL = pairOf('agent:carol.example.com')

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Hall {
  readonly served: Served
  readonly heard: Message[]
  readonly published: Published[]
  readonly asked: string[]
}

/** Starts Bob as a receiver. Alice and Carol can be found. */
async function hall(options: Partial<openReceiver.Options> = {}, security: object = {}): Promise<Hall> {
  const [heard, asked]: [Message[], string[]] = [[], []]
  const published: Published[] = [{ pair: ALICE }, { pair: CAROL }]
  const receiver = await openReceiver({
    key: BOB.pem,
    as: BOB.uri,
    discover: finder(published, asked),
    onMessage: (message) => void heard.push(message),
    ...options,
  })
  const served = await serve((socket) => receiver.accept(socket))
  stops.push(served.stop)
  published.push({ pair: BOB, chat: served.url, security: security as never })
  return { served, heard, published, asked }
}

const callAmong = callerOf(ALICE, BOB)
const call = ({ published }: Hall, options: Partial<connect.Options> = {}) => callAmong(published, options)

async function conversation(connected: Promise<connect.Result>): Promise<Conversation> {
  const outcome = await connected
  if (!outcome.ok) throw new Error(outcome.diagnostic.detail)
  stops.unshift(() => outcome.conversation.close())
  return outcome.conversation
}

const message = (from: OraclePair, to: OraclePair, type: string, content: unknown, change: object = {}) => ({
  id: randomUUID(),
  from: from.uri,
  to: to.uri,
  type,
  timestamp: new Date().toISOString(),
  body: { content: typeof content === 'string' ? content : jcs(content), contentType: 'text/plain' },
  ...change,
})
const hello = (of: OraclePair, change: object = {}) => ({
  hello: 1,
  agent: of.uri,
  fingerprint: of.fingerprint,
  protocol: 'ADP/1.1',
  nonce: randomBytes(16).toString('base64url'),
  ...change,
})
const helloTo = (to: OraclePair, change: object = {}, envelope: object = {}) =>
  signed(message(ALICE, to, 'system', hello(ALICE, change), envelope), ALICE)
const ackOf = (id: string, n?: number) => signed(message(ALICE, BOB, 'ack', { ack: id }), ALICE, n)
const chat = (content: string, n?: number, change: object = {}) =>
  signed(message(ALICE, BOB, 'chat', content, change), ALICE, n)
const contentIn = (m: Said) => JSON.parse(m.body.content)

/** Plays Alice by hand, up to the ack of Bob's hello. */
async function inside({ served }: Hall, change: object = {}): Promise<Raw & { readonly answer: Said }> {
  const socket = await raw(served.url)
  const first = helloTo(BOB, change)
  socket.send(first)
  const answer = await socket.next()
  expect(holds(line(answer), answer.signature, BOB)).toBe(true)
  expect(contentIn(answer)).toMatchObject({
    hello: 1,
    agent: BOB.uri,
    fingerprint: BOB.fingerprint,
    answers: first['id'],
  })
  const strict = 'strict' in change
  socket.send(ackOf(answer.id, strict ? contentIn(answer).strict : undefined))
  return { ...socket, answer }
}

describe('[agp/7.2.2-1] the handshake', () => {
  test('[agp/8.1-1] opens a conversation in which both sides speak and every message is acknowledged', async () => {
    const here: Conversation[] = []
    const place = await hall({ onConversation: (one) => void here.push(one) })
    const got: Message[] = []
    const one = await conversation(call(place, { onMessage: (m) => void got.push(m) }))
    expect([one.peer, one.isStrict]).toEqual([BOB.uri, true])
    expect(await one.send({ content: 'Good morning' })).toMatchObject({ ok: true })
    expect(place.heard.map(({ from, body }) => [from, body.content])).toEqual([[ALICE.uri, 'Good morning']])
    expect(here[0]!.peer).toBe(ALICE.uri)
    const replyTo = place.heard[0]!.id
    expect(
      await here[0]!.send({ type: 'task', content: '{}', contentType: 'application/json', replyTo }),
    ).toMatchObject({ ok: true })
    expect(got[0]).toMatchObject({ type: 'task', from: BOB.uri, body: { replyTo, contentType: 'application/json' } })
  })

  test('[agp/7.2.2-2] hellos contain agent, fingerprint and protocol, and the second refers to the first', async () => {
    const socket = await inside(await hall())
    expect(Buffer.from(contentIn(socket.answer).nonce, 'base64url')).toHaveLength(16)
    expect(Object.keys(contentIn(socket.answer)).sort()).toEqual([
      'agent',
      'answers',
      'fingerprint',
      'hello',
      'nonce',
      'protocol',
    ])
    socket.send(chat('now'))
    const ack = await socket.next()
    expect([ack.type, holds(line(ack), ack.signature, BOB)]).toEqual(['ack', true])
  })

  test('nothing is delivered before it is complete', async () => {
    const place = await hall()
    for (const early of [[], [helloTo(BOB)]]) {
      const socket = await raw(place.served.url)
      for (const m of early) socket.send(m)
      socket.send(chat('too early'))
      expect(await socket.closed).toBe(1008)
    }
    expect(place.heard).toEqual([])
  })

  test.each<[string, string, () => object]>([
    ['relayed: it was said to another', 'AGP-123', () => helloTo(CAROL)],
    ['forged: signed with another key', 'AGP-124', () => signed(message(ALICE, BOB, 'system', hello(ALICE)), CAROL)],
    [
      'with a fingerprint that differs from the metadata',
      'AGP-131',
      () => helloTo(BOB, { fingerprint: CAROL.fingerprint }),
    ],
    ['of another agent than the sender', 'AGP-130', () => helloTo(BOB, { agent: CAROL.uri })],
    ['late', 'AGP-120', () => helloTo(BOB, {}, { timestamp: new Date(Date.now() - 301_000).toISOString() })],
    ['early', 'AGP-121', () => helloTo(BOB, {}, { timestamp: new Date(Date.now() + 90_000).toISOString() })],
    ['an answer to nothing', 'AGP-130', () => helloTo(BOB, { answers: randomUUID() })],
    [
      'of an unknown agent',
      'AGP-133',
      () => {
        const nobody = pairOf('agent:nobody.example.com')
        return signed(message(nobody, BOB, 'system', hello(nobody)), nobody)
      },
    ],
    ['without a nonce', 'AGP-130', () => helloTo(BOB, { nonce: '' })],
  ])('[agp/7.2.2-3] a hello %s ends the connection without an answer: %s', async (_, code, made) => {
    const socket = await raw((await hall()).served.url)
    socket.send(made())
    expect([await socket.closed, await socket.why, socket.got]).toEqual([1008, code, []])
  })

  test('[agp/8.1.1-2] refuses a replayed hello, and an ack of another hello', async () => {
    const { served } = await hall()
    const used = helloTo(BOB)
    const first = await raw(served.url)
    first.send(used)
    const answer = await first.next()
    const second = await raw(served.url)
    second.send(used)
    expect([await second.closed, await second.why, second.got]).toEqual([1008, 'AGP-125', []])
    const third = await raw(served.url)
    third.send(helloTo(BOB))
    await third.next()
    third.send(ackOf(answer.id))
    expect([await third.closed, await third.why]).toEqual([1008, 'AGP-130'])
    first.close()
  })

  test('the caller accepts only an answer to its own hello, by the key that it found', async () => {
    for (const [code, wrong] of [
      ['AGP-130', { answers: randomUUID() }],
      ['AGP-131', { fingerprint: CAROL.fingerprint }],
      ['AGP-130', { agent: CAROL.uri }],
    ] as const) {
      const heard: string[] = []
      const liar = await serve((socket) =>
        socket.addEventListener('message', ({ data }) => {
          heard.push(String(data))
          const { id } = JSON.parse(String(data))
          socket.send(JSON.stringify(signed(message(BOB, ALICE, 'system', hello(BOB, { answers: id, ...wrong })), BOB)))
        }),
      )
      stops.push(liar.stop)
      const place = { published: [{ pair: ALICE }, { pair: BOB, chat: liar.url }] } as unknown as Hall
      expect(await call(place, { reconnectSeconds: 0 })).toMatchObject({ ok: false, diagnostic: { code } })
      expect(heard).toHaveLength(1)
    }
  })

  test('[agp/6.3.5-1] a caller with a lower version gets a signed error', async () => {
    const place = await hall({ minProtocolVersion: 'ADP/1.1' })
    const socket = await raw(place.served.url)
    socket.send(helloTo(BOB, { protocol: 'ADP/1.0' }))
    const error = await socket.next()
    expect([contentIn(error).error, holds(line(error), error.signature, BOB)]).toEqual(['AGP-132', true])
    expect(await socket.closed).toBe(1008)
    const strangers = await hall({ minProtocolVersion: 'ADP/1.2' })
    const outcome = await call(strangers)
    expect(outcome).toMatchObject({ ok: false, diagnostic: { detail: expect.stringContaining('AGP-132') } })
    const later = await hall({}, { minProtocolVersion: 'ADP/2.0' })
    expect(await call(later)).toMatchObject({ ok: false, diagnostic: { code: 'AGP-132' } })
  })

  test('[agp/6.3.5-1] a receiver with a lower version gets a signed error', async () => {
    const errors: Said[] = []
    const old = await serve((socket) =>
      socket.addEventListener('message', ({ data }) => {
        const got = JSON.parse(String(data))
        const said = contentIn(got)
        if (said.error !== undefined) errors.push([said.error, holds(line(got), got.signature, ALICE)])
        else
          socket.send(
            JSON.stringify(
              signed(message(BOB, ALICE, 'system', hello(BOB, { answers: got.id, protocol: 'ADP/1.0' })), BOB),
            ),
          )
      }),
    )
    stops.push(old.stop)
    const place = { published: [{ pair: ALICE }, { pair: BOB, chat: old.url }] } as unknown as Hall
    expect(await call(place, { reconnectSeconds: 0 })).toMatchObject({ ok: false })
    await expect.poll(() => errors).toEqual([['AGP-132', true]])
  })

  test('a verified caller that may not speak gets an error', async () => {
    const place = await hall({ admit: (agent) => agent !== ALICE.uri })
    expect(await call(place)).toMatchObject({ ok: false, diagnostic: { detail: expect.stringContaining('AGP-135') } })
  })

  test('when too many agents speak, the one that was silent longest makes room for the next', async () => {
    const open: Conversation[] = []
    const place = await hall({ mostConversations: 2, onConversation: (one) => void open.push(one) })
    const dave = pairOf('agent:dave.example.com')
    place.published.push({ pair: dave })
    const callFrom = (pair: OraclePair) => callerOf(pair, BOB)(place.published, { reconnectSeconds: 0 })
    const alice = await conversation(callFrom(ALICE))
    const carol = await conversation(callFrom(CAROL))
    // A caller may be open before the receiver has its last message.
    await expect.poll(() => open.length).toBe(2)
    expect(await alice.send({ content: 'still here' })).toMatchObject({ ok: true })
    await conversation(callFrom(dave))
    expect((await carol.ended)?.detail).toContain('1013')
    expect(open.map(({ peer }) => peer)).toEqual([ALICE.uri, CAROL.uri, dave.uri])
    expect(await alice.send({ content: 'and now' })).toMatchObject({ ok: true })
  })

  test.each([0, 1.5, Number.NaN])('refuses %d as the number of conversations', async (mostConversations) => {
    await expect(hall({ mostConversations })).rejects.toThrow(RangeError)
  })
})

describe('a conversation', () => {
  test('ends when its connection is lost, even if a message handler never completes', async () => {
    const ended: unknown[] = []
    const place = await hall({
      onMessage: () => new Promise(() => {}),
      onConversation: (one) => void one.ended.then((why) => ended.push(why)),
    })
    const socket = await inside(place)
    socket.send(signed(chat('take your time'), ALICE))
    await new Promise((done) => setTimeout(done, 200))
    socket.close()
    await expect.poll(() => ended.length).toBe(1)
  })

  test.each<[string, string, () => object | string]>([
    ['forged', 'AGP-124', () => ({ ...chat('a'), body: { content: 'b', contentType: 'text/plain' } })],
    ['of another', 'AGP-122', () => signed(message(CAROL, BOB, 'chat', 'x'), CAROL)],
    ['for another', 'AGP-123', () => signed(message(ALICE, CAROL, 'chat', 'x'), ALICE)],
    ['that is invalid', 'AGP-101', () => ({ type: 'chat' })],
    ['that is truncated', 'DOC-102', () => JSON.stringify(chat('x')).slice(0, -9)],
  ])('ends after a message %s: %s', async (_, code, made) => {
    const place = await hall()
    const socket = await inside(place)
    socket.send(made())
    expect([await socket.closed, await socket.why, place.heard, socket.got]).toEqual([1008, code, [], []])
  })

  test('[agp/8.1.1-1] answers a late or early message with a signed error, and does not deliver it', async () => {
    const place = await hall()
    const socket = await inside(place)
    for (const [shift, code] of [
      [-301_000, 'AGP-120'],
      [90_000, 'AGP-121'],
    ] as const) {
      const late = chat('late', undefined, { timestamp: new Date(Date.now() + shift).toISOString() })
      socket.send(late)
      expect(contentIn(await socket.next())).toMatchObject({ error: code, of: late['id'] })
    }
    expect(place.heard).toEqual([])
    socket.close()
  })

  test('[agp/8.1.1-2] acknowledges a repeated message again, and delivers it once', async () => {
    const place = await hall()
    const socket = await inside(place)
    const twice = chat('once')
    for (let i = 0; i < 3; i++) {
      socket.send(twice)
      expect(contentIn(await socket.next())).toEqual({ ack: twice['id'] })
    }
    socket.close()
    const again = await inside(place)
    again.send(twice)
    expect(contentIn(await again.next())).toEqual({ ack: twice['id'] })
    expect(place.heard).toHaveLength(1)
    again.close()
  })

  test('[agp/7.2.4-1] acknowledges heartbeats, and ends normally after a disconnect', async () => {
    const socket = await inside(await hall())
    const beat = signed(message(ALICE, BOB, 'system', { heartbeat: 1 }), ALICE)
    socket.send(beat)
    expect(contentIn(await socket.next())).toEqual({ ack: beat['id'] })
    socket.send(signed(message(ALICE, BOB, 'system', { disconnect: 1 }), ALICE))
    expect(await socket.closed).toBe(1000)
  })

  test('does not acknowledge a message whose handler fails, and sends an error', async () => {
    const place = await hall({
      onMessage: () => {
        throw new Error('a secret')
      },
    })
    const one = await conversation(call(place))
    const sent = await one.send({ content: 'x' })
    expect(sent).toMatchObject({ ok: false, diagnostic: { detail: expect.stringContaining('AGP-139') } })
    expect(JSON.stringify(sent)).not.toContain('secret')
  })

  test('[agp/6.3.5-2] enforces the rate limit of the metadata', async () => {
    // One per minute, so that no message becomes available while a busy machine checks four.
    const place = await hall({ rateLimit: { requestsPerMinute: 1, burstSize: 3 }, strict: false })
    const socket = await inside(place)
    for (let i = 0; i < 4; i++) socket.send(chat(`${i}`))
    const codes: unknown[] = []
    for (let i = 0; i < 4; i++) codes.push(contentIn(await socket.next()))
    expect(codes).toContainEqual(expect.objectContaining({ error: 'AGP-134' }))
    expect(await socket.closed).toBe(1013)
    expect(place.heard).toHaveLength(3)
  })

  test('[agp/6.3.5-2] the caller keeps to the rate limit of the metadata', async () => {
    const rateLimit = { requestsPerMinute: 6000, burstSize: 3 }
    const place = await hall({ rateLimit, strict: false }, { rateLimit })
    const one = await conversation(call(place))
    const sent = await Promise.all(Array.from({ length: 12 }, (_, i) => one.send({ content: `${i}` })))
    expect(sent.every(({ ok }) => ok)).toBe(true)
  })

  test('refuses an invalid message before it is queued, and continues', async () => {
    const place = await hall()
    const talk = await conversation(call(place))
    for (const utterance of [
      { content: 'x'.repeat(262_144) },
      // Each character has six bytes in JSON.
      { content: '\u0001'.repeat(50_000) },
      { content: '\ud800' },
      { content: 7 },
      { content: '', type: 'ack' },
      { content: '', type: 'system' },
      { content: '', contentType: 'image/png' },
      { content: '', replyTo: 'that one' },
    ])
      await expect(talk.send(utterance as { content: string })).rejects.toThrow(RangeError)
    const largest = 'x'.repeat(260_000)
    expect(await talk.send({ content: largest })).toMatchObject({ ok: true })
    expect(place.heard.map(({ body }) => body.content.length)).toEqual([largest.length])
  })

  test('ends after too many messages at once, a message that is not text, or one that is too large', async () => {
    let release = () => {}
    const place = await hall({ onMessage: () => new Promise<void>((done) => (release = done)) })
    const socket = await inside(place)
    for (let i = 0; i < 300; i++) socket.send(chat('x'))
    expect([await socket.closed, await socket.why]).toEqual([1013, 'AGP-136'])
    release()
    const large = await inside(place)
    large.send(`"${'x'.repeat(300_000)}"`)
    expect(await large.closed).toBe(1009)
  })

  test('a page closes it after a message that is not text, although it cannot send a close code', async () => {
    let closed = (_: number | undefined) => {}
    const code = new Promise<number | undefined>((done) => (closed = done))
    const served = await serve((socket) => {
      socket.addEventListener('close', (event) => closed(event.code))
      socket.send(Buffer.from('{}') as never)
    })
    stops.push(served.stop)
    const published = [{ pair: BOB, chat: served.url }]
    const options = { key: ALICE.pem, as: ALICE.uri, discover: finder(published), onMessage: () => {}, loopback: true }
    const outcome = await connect(BOB.uri, { ...options, WebSocket: pageSockets, reconnectSeconds: 0 })
    // RFC 6455 section 7.1.5: 1005 means a close frame without a code.
    expect([outcome.ok, await code]).toEqual([false, 1005])
  })

  test('an agent has only one: a new one ends the earlier one', async () => {
    const place = await hall()
    const [first, second] = [await inside(place), await inside(place)]
    expect(await first.closed).toBe(4000)
    second.close()
  })

  test('continues after a lost connection: sends unacknowledged messages again in order, delivered once', async () => {
    let isSlow = true
    const place = await hall({
      async onMessage(m) {
        place.heard.push(m)
        if (isSlow) await new Promise((done) => setTimeout(done, 30))
      },
    })
    const one = await conversation(call(place))
    const sent = Promise.all(Array.from({ length: 20 }, (_, i) => one.send({ content: `${i}` })))
    await expect.poll(() => place.heard.length).toBeGreaterThan(2)
    place.served.cut()
    isSlow = false
    expect((await sent).map(({ ok }) => ok)).toEqual(Array(20).fill(true))
    expect(new Set(place.heard.map(({ body }) => body.content)).size).toBe(20)
    expect(place.heard).toHaveLength(20)
  })

  test('a message without an ack fails after a while, and the sender gets an error', async () => {
    const place = await hall({ onMessage: () => new Promise(() => {}) })
    const one = await conversation(call(place, { ackSeconds: 0.2 }))
    expect(await one.send({ content: 'x' })).toMatchObject({ ok: false, diagnostic: { code: 'AGP-137' } })
  })
})

describe('[agp/strict-2] a strict conversation', () => {
  test('is agreed in the hellos, and its messages have both signatures and consecutive numbers', async () => {
    const place = await hall()
    const socket = await inside(place, { strict: 40 })
    expect(contentIn(socket.answer).strict).toBe(0)
    for (const n of [1, 2]) {
      socket.send(chat(`${n}`, n))
      const ack = await socket.next()
      expect([ack.body.strict.n, holds(strictLine(ack), ack.body.strict.signature, BOB)]).toEqual([39 + n, true])
    }
    socket.close()
    // The next conversation continues the numbers of this one.
    const again = await inside(place, { strict: 0 })
    expect(contentIn(again.answer).strict).toBe(3)
    again.close()
  })

  test.each<[string, () => object]>([
    ['stripped of its strict signature', () => chat('x')],
    ['out of order', () => chat('x', 2)],
    ['from before', () => chat('x', 0)],
    [
      'with another type of content',
      () => {
        const m = chat('x', 1)
        return { ...m, body: { ...m['body'], contentType: 'text/html' } }
      },
    ],
  ])('ends after a message %s', async (_, made) => {
    const place = await hall()
    const socket = await inside(place, { strict: 0 })
    socket.send(made())
    expect([await socket.closed, place.heard]).toEqual([1008, []])
  })

  test('is required for an agent that announces it or ever used it', async () => {
    const place = await hall()
    const socket = await inside(place, { strict: 0 })
    socket.close()
    const [index] = [place.published.findIndex(({ pair }) => pair === CAROL)]
    place.published[index] = { pair: CAROL, security: { strictMessages: true } }
    for (const pair of [ALICE, CAROL]) {
      const plain = await raw(place.served.url)
      plain.send(signed(message(pair, BOB, 'system', hello(pair)), pair))
      expect(contentIn(await plain.next()).error).toBe('AGP-126')
      expect(await plain.closed).toBe(1008)
    }
    const weak = await hall({ strict: false }, { strictMessages: true })
    expect((await call(weak, { reconnectSeconds: 0 })).ok).toBe(false)
  })

  test('is not used if one side does not support it: only the draft’s signature remains', async () => {
    const one = await conversation(call(await hall({ strict: false })))
    expect(one.isStrict).toBe(false)
    expect(await one.send({ content: 'x' })).toMatchObject({ ok: true })
  })
})

describe('lookups of agents', () => {
  test('happen once for many callers, and failures are cached', async () => {
    const place = await hall()
    const nobody = pairOf('agent:nobody.example.com')
    const sockets = await Promise.all(Array.from({ length: 8 }, () => raw(place.served.url)))
    for (const socket of sockets) socket.send(signed(message(nobody, BOB, 'system', hello(nobody)), nobody))
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual(Array(8).fill(1008))
    expect(place.asked).toEqual(['nobody.example.com'])
  })

  test('a flood of names blocks no other caller, known or not', async () => {
    const place = await hall()
    const known = await inside(place)
    known.close()
    for (let i = 0; i < 40; i++) {
      const stranger = { ...ALICE, uri: `agent:a${i}.evil.example` }
      const socket = await raw(place.served.url)
      socket.send(signed(message(stranger, BOB, 'system', hello(stranger)), stranger))
      await socket.closed
    }
    const neighbor = pairOf('agent:neighbor.evil.example')
    place.published.push({ pair: neighbor })
    const socket = await raw(place.served.url)
    socket.send(signed(message(neighbor, BOB, 'system', hello(neighbor)), neighbor))
    expect(contentIn(await socket.next())).toMatchObject({ hello: 1, agent: BOB.uri })
    socket.close()
    const again = await inside(place)
    again.close()
  })

  test('a different message with a used id gets a signed error', async () => {
    const place = await hall()
    const socket = await inside(place)
    const first = message(ALICE, BOB, 'chat', 'pay 10')
    const sent = async (one: object) => {
      socket.send(signed(one as never, ALICE))
      const answer = await socket.next()
      expect(holds(line(answer), answer.signature, BOB)).toBe(true)
      return contentIn(answer)
    }
    expect(await sent(first)).toEqual({ ack: first.id })
    expect(await sent(first)).toEqual({ ack: first.id })
    const other = { ...first, body: { content: 'pay 1000', contentType: 'text/plain' } }
    expect(await sent(other)).toMatchObject({ error: 'AGP-125', of: first.id })
    expect(await sent({ ...other, id: first.id.toUpperCase() })).toMatchObject({ error: 'AGP-125' })
    expect(place.heard.map(({ body }) => body.content)).toEqual(['pay 10'])
    socket.close()
  })

  test('an unknown system message gets a signed error, and the conversation continues', async () => {
    const place = await hall()
    const socket = await inside(place)
    const unknown = message(ALICE, BOB, 'system', { typing: 1 })
    socket.send(signed(unknown, ALICE))
    expect(contentIn(await socket.next())).toMatchObject({ error: 'AGP-109', of: unknown.id })
    const next = message(ALICE, BOB, 'chat', 'still here')
    socket.send(signed(next, ALICE))
    expect(contentIn(await socket.next())).toEqual({ ack: next.id })
    socket.close()
  })

  test('silent sockets block no other caller', async () => {
    const place = await hall()
    const silent = await Promise.all(Array.from({ length: 110 }, () => raw(place.served.url)))
    const socket = await inside(place)
    socket.close()
    expect(await silent[0]!.closed).toBe(1013)
    for (const one of silent) one.close()
  })
})

test('memory is limited, and reports when it is full', () => {
  const memory = linkMemory()
  const now = new Date()
  for (let i = 0; i < 10_000; i++) expect(memory.add('agent:a.b', `${i}`, now)).toBe(true)
  expect(memory.add('agent:a.b', 'x', now)).toBe(false)
  expect(memory.has('agent:a.b', '17')).toBe(true)
  expect(memory.add('agent:a.b', 'x', new Date(now.getTime() + 10 ** 7))).toBe(true)
  expect(memory.has('agent:a.b', '17')).toBe(false)
})
