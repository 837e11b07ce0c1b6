// Conversations of a page in a real browser with its own WebSocket: with our receiver, and with peers that it refuses.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Message, openReceiver } from '../../bindings/agp/index.ts'
import type { SocketLike } from '../../bindings/agp/session.ts'
import { browser, type Visit, visit } from '../page/browser.ts'
import { holds, jcs, line, pairOf, signed } from './oracle.ts'
import { finder, type Served, serve } from './sockets.ts'

const [ALICE, BOB, CAROL] = [pairOf('agent:alice.example'), pairOf('agent:bob.example'), pairOf('agent:carol.example')]

/** `talk` sends one message to Bob, whose metadata is given, and returns the result. */
const SCRIPT = `
import { connect } from './bindings/agp/index.ts'
import { parseJson } from './bindings/document/index.ts'
globalThis.talk = async ({ key, as, uri, metadata, content }) => {
  const discover = async () => ({ uri, agent: { metadata: parseJson(metadata).document } })
  const heard = []
  const onMessage = ({ body }) => void heard.push(body.content)
  const made = await connect(uri, { key, as, discover, onMessage, WebSocket, loopback: true, reconnectSeconds: 0 })
  if (!made.ok) return { code: made.diagnostic.code }
  const sent = await made.conversation.send({ content })
  const levels = made.conversation.levels.map(({ level }) => level)
  if (sent.ok) await made.conversation.close()
  return { sent: sent.ok, levels, heard, ended: (await made.conversation.ended)?.code }
}`

const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:,">')
})
let visited: Visit
beforeAll(async () => {
  if (!browser.available) return
  const stdin = { contents: SCRIPT, resolveDir: '.', loader: 'ts' } as const
  const settings = { bundle: true, format: 'iife', target: 'es2022', platform: 'browser', write: false } as const
  const { outputFiles } = await build({ stdin, ...settings, logOverride: { 'ignored-bare-import': 'silent' } })
  // Only a page from this machine may connect to others on it, and has Web Crypto.
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  visited = await visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await visited.page.addScriptTag({ content: outputFiles[0]!.text })
})
afterAll(async () => {
  await visited?.page.goto('about:blank')
  server.close()
})

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  expect(visited?.errors ?? []).toEqual([])
  for (const stop of stops.splice(0)) await stop()
})

/** Serves Bob at a socket, and returns the code with which the page closed it. */
async function bobAt(take: (socket: SocketLike) => void): Promise<{ served: Served; hungUp: Promise<unknown> }> {
  let closed: (code: unknown) => void
  const hungUp = new Promise((done) => (closed = done))
  const served = await serve((socket) => {
    socket.addEventListener('close', ({ code }) => closed(code))
    take(socket)
  })
  stops.push(served.stop)
  return { served, hungUp }
}

async function talk({ url }: Served): Promise<unknown> {
  const found = await finder([{ pair: BOB, chat: url }])('bob.example')
  const metadata = JSON.stringify(found.agent!.metadata!.value)
  const given = { key: ALICE.pem, as: ALICE.uri, uri: BOB.uri, metadata, content: 'Good morning' }
  return visited.page.evaluate((given) => (globalThis as never as { talk(_: unknown): unknown }).talk(given), given)
}

const answering = (change: (socket: SocketLike, got: { id: string }) => string | Uint8Array) => (socket: SocketLike) =>
  socket.addEventListener('message', ({ data }) => socket.send(change(socket, JSON.parse(String(data))) as string))

/** A hello of Bob, signed by any agent. */
function hello(got: { id: string }, by = BOB): string {
  const { fingerprint } = BOB
  const content = { hello: 1, agent: BOB.uri, fingerprint, protocol: 'ADP/1.1', nonce: 'A'.repeat(22), answers: got.id }
  const head = { id: randomUUID(), from: BOB.uri, to: ALICE.uri, type: 'system' }
  const body = { content: jcs(content), contentType: 'application/json' }
  return JSON.stringify(signed({ ...head, timestamp: new Date().toISOString(), body }, by))
}

describe.runIf(browser.available)('a page', () => {
  test('[agp/7.2.2-1] [agp/8.1-1] speaks with an agent in Node, both are verified, and it says goodbye', async () => {
    const heard: Message[] = []
    const receiver = await openReceiver({
      key: BOB.pem,
      as: BOB.uri,
      discover: finder([{ pair: ALICE }]),
      onMessage: (message) => void heard.push(message),
    })
    const { served, hungUp } = await bobAt((socket) => receiver.accept(socket))
    expect(await talk(served)).toMatchObject({ sent: true, levels: expect.arrayContaining(['peer-verified']) })
    expect(heard.map(({ body }) => body.content)).toEqual(['Good morning'])
    expect(holds(line(heard[0]), heard[0]!.signature!, ALICE)).toBe(true)
    expect(await hungUp).toBe(1000)
  })

  // RFC 6455 section 7.1.5: 1005 means a frame without a code. A page may not send the codes of a server.
  test.each([
    ['a message that is not text', answering(() => new Uint8Array([0x7b, 0x7d])), 'AGP-101'],
    ['a hello signed by another agent', answering((_, got) => hello(got, CAROL)), 'AGP-124'],
    ['a hello that answers another hello', answering(() => hello({ id: randomUUID() })), 'AGP-130'],
    ['more than a message may have', answering(() => 'x'.repeat(300_000)), 'AGP-101'],
  ])('closes the connection after %s', async (_, take, code) => {
    const { served, hungUp } = await bobAt(take)
    expect(await talk(served)).toEqual({ code })
    expect(await hungUp).toBe(1005)
  })

  test('closes the connection in the middle of a conversation', async () => {
    const { served, hungUp } = await bobAt(
      answering((_, got) => ('type' in got && got.type === 'system' ? hello(got) : 'no message')),
    )
    expect(await talk(served)).toMatchObject({ sent: false })
    expect(await hungUp).toBe(1005)
  })
})
