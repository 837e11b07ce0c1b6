// The end of conversations: nothing keeps a program alive, reconnects back off, and the reason of a refusal is shown.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openReceiver } from '../../bindings/agp/index.ts'
import { Pace } from '../../bindings/agp/outbox.ts'
import { Sending } from '../../bindings/agp/sending.ts'
import { openSide, Session, type SessionHooks, type SocketEvent, type SocketLike } from '../../bindings/agp/session.ts'
import { pairOf } from './oracle.ts'
import { callerOf, finder, type Published, type Served, serve } from './sockets.ts'

const ALICE = pairOf('agent:alice.example.com')
const BOB = pairOf('agent:bob.example.com')

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const stop of stops.splice(0)) await stop()
})

async function bobAt(take: (socket: SocketLike) => void): Promise<Served & { readonly published: Published[] }> {
  const served = await serve(take)
  stops.push(served.stop)
  return { ...served, published: [{ pair: ALICE }, { pair: BOB, chat: served.url }] }
}

const call = callerOf(ALICE, BOB)

const receiverOfBob = (options: Partial<openReceiver.Options> = {}) =>
  openReceiver({ key: BOB.pem, as: BOB.uri, discover: finder([{ pair: ALICE }]), onMessage: () => {}, ...options })

/** A socket that the test opens and closes by hand. */
class HandSocket implements SocketLike {
  readyState = 1
  readonly #listeners: [string, (event: SocketEvent) => void][] = []
  addEventListener(type: string, listener: (event: SocketEvent) => void): void {
    this.#listeners.push([type, listener])
  }
  send(): void {}
  close(): void {
    this.readyState = 3
    this.tell('close', { code: 1000 })
  }
  tell(type: string, event: SocketEvent): void {
    for (const [name, listener] of this.#listeners) if (name === type) listener(event)
  }
}

describe('a program ends with its last conversation', () => {
  test('a closed session leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const hooks: SessionHooks = { onOpen() {}, onMessage() {}, onError() {}, onEnd() {} }
    const side = await openSide({ key: ALICE.pem, as: ALICE.uri, discover: finder([]), onMessage() {} })
    const socket = new HandSocket()
    new Session(socket, side, { role: 'receiver', sending: new Sending(side), hooks }).end(1000, undefined)
    socket.tell('error', {})
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a caller that is closed while it waits to reconnect leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const abort = new AbortController()
    const sockets: HandSocket[] = []
    const connected = call([{ pair: BOB, chat: 'ws://127.0.0.1:1/' }], {
      signal: abort.signal,
      WebSocket: class extends HandSocket {
        constructor() {
          super()
          sockets.push(this)
        }
      },
    })
    await vi.waitUntil(() => sockets.length > 0)
    sockets[0]!.tell('close', { code: 1006 })
    // Waits for the reconnect timer, which runs for at most half a second.
    await vi.waitUntil(() => vi.getTimerCount() === 1)
    abort.abort()
    expect((await connected).ok).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a message after the end fails at once, on both sides', async () => {
    const receiver = await receiverOfBob()
    const { published } = await bobAt((socket) => receiver.accept(socket))
    const connected = await call(published)
    if (!connected.ok) throw new Error(connected.diagnostic.detail)
    await expect.poll(() => receiver.conversations.size).toBe(1)
    const [there] = [...receiver.conversations.values()]
    await connected.conversation.close()
    await there!.ended
    const ended = { ok: false, diagnostic: { code: 'AGP-138' } }
    expect(await connected.conversation.send({ content: 'x' })).toMatchObject(ended)
    expect(await there!.send({ content: 'x' })).toMatchObject(ended)
  })
})

describe('[agp/6.3.5-2] a caller that is refused because of a rate limit', () => {
  test('keeps to an unadvertised limit after the first refusal', async () => {
    let conversations = 0
    const heard: string[] = []
    const receiver = await receiverOfBob({
      rateLimit: { requestsPerMinute: 600, burstSize: 60 },
      onConversation: () => void conversations++,
      onMessage: ({ body }) => void heard.push(body.content),
    })
    const { published } = await bobAt((socket) => receiver.accept(socket))
    const connected = await call(published)
    if (!connected.ok) throw new Error(connected.diagnostic.detail)
    const contents = Array.from({ length: 64 }, (_, i) => `${i}`)
    const sent = await Promise.all(contents.map((content) => connected.conversation.send({ content })))
    await connected.conversation.close()
    expect(sent.filter(({ ok }) => !ok)).toEqual([])
    expect(heard).toEqual(contents)
    // Two, unless the machine is so slow that the limit refuses again; without a pace there were fifteen.
    expect(conversations).toBeLessThan(6)
  })

  test('halves a learned limit, once per burst', () => {
    const pace = new Pace()
    const messagesWithin = (from: number, ms: number) => {
      let count = 0
      for (let now = from; now < from + ms; now += 10) while (pace.takeOne(now)) if (++count > 1000) return count
      return count
    }
    expect(messagesWithin(0, 10)).toBeGreaterThan(1000)
    for (let i = 0; i < 64; i++) pace.slowDown(1000)
    // 0.95 of 600 per minute, in time steps of 10 ms.
    expect(messagesWithin(1000, 20_000)).toBeCloseTo(190, -1)
    pace.adopt(undefined)
    pace.slowDown(40_000)
    expect(messagesWithin(40_000, 20_000)).toBeCloseTo(95, -1)
    pace.adopt({ requestsPerMinute: 6000, burstSize: 10 })
    pace.slowDown(70_000)
    expect(messagesWithin(70_000, 1000)).toBeCloseTo(95, -1)
  })
})

test('pauses grow while conversations are cut early, and start over after a long one', async () => {
  let [conversations, later] = [0, 0]
  const receiver = await receiverOfBob({
    onConversation() {
      // The fourth conversation is a long one.
      if (++conversations === 4) later = 31_000
      setImmediate(() => served.cut())
    },
  })
  const served = await bobAt((socket) => receiver.accept(socket))
  const pauses: number[] = []
  const wait = globalThis.setTimeout
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((then: () => void, ms = 0) => {
    const isPause = [375, 750, 1500, 3000].includes(ms)
    if (!isPause) return wait(then, ms)
    pauses.push(ms)
    return wait(then, 0)
  }) as typeof setTimeout)
  const connected = await call(served.published, { clock: () => new Date(Date.now() + later) })
  await expect.poll(() => pauses.length).toBeGreaterThanOrEqual(5)
  expect(pauses.slice(0, 5)).toEqual([375, 750, 1500, 375, 750])
  if (connected.ok) await connected.conversation.close()
})

test.each([
  ['AGP-133', 'agent:bob.example.com closed the connection with 1008: Agent that was not found (AGP-133)'],
  ['go\u001b[31m away', "agent:bob.example.com closed the connection with 1008: 'go␛[31m away'"],
  ['', 'agent:bob.example.com closed the connection with 1008'],
])('a refusal shows the reason %j of the close frame', async (reason, detail) => {
  const { published } = await bobAt((socket) => socket.addEventListener('message', () => socket.close(1008, reason)))
  const connected = await call(published, { reconnectSeconds: 0 })
  expect(connected).toMatchObject({ ok: false, diagnostic: { code: 'AGP-138', detail } })
})
