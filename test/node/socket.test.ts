// Guarded WebSockets, against the package `ws` over TLS, and against servers that break the rules.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Frame, FrameFault, FrameReader } from '../../bindings/net/frames.ts'
import { guardedWebSocket } from '../../bindings/node/index.ts'
import type { GuardedSocket } from '../../bindings/node/socket.ts'
import { casesOf } from '../support/cases.ts'
import { peer } from '../support/peers.mjs'
import { random } from '../support/random.ts'
import { HOST, startTls, type TlsServer } from '../support/tls.ts'

const ws = await peer('ws', 'sockets')

let server: TlsServer
const sockets = new ws.WebSocketServer({ noServer: true, maxPayload: 1 << 22 })
const requests: IncomingMessage[] = []
/** What a server that breaks the rules writes after the handshake, and a little later; what it receives. */
let wrong: Buffer = Buffer.alloc(0)
let later: Buffer[] = []
let heard: Buffer[] = []
let hasEnded = false
/** True if the server continues only after it has received something. */
let listensFirst = false
const open = new Set<Duplex>()
let answered: (key: string) => string = () => ''

function agree(key: string): string {
  // RFC 6455 section 1.3.
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n`
}

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  requests.push(request)
  open.add(socket)
  socket.on('error', () => undefined)
  if (request.url === '/echo')
    sockets.handleUpgrade(request, socket, head, (one: GuardedSocket) =>
      one.addEventListener('message', ({ data }) => one.send(data as string)),
    )
  else if (request.url === '/wrong') {
    socket.on('data', (chunk: Buffer) => void heard.push(chunk))
    socket.on('end', () => (hasEnded = true))
    socket.write(Buffer.concat([Buffer.from(`${answered(request.headers['sec-websocket-key']!)}\r\n`), wrong]))
    const goOn = () => {
      for (const [i, chunk] of later.entries()) setTimeout(() => socket.write(chunk), 20 * (i + 1))
    }
    if (listensFirst) socket.once('data', goOn)
    else goOn()
  } else if (request.url !== '/silent') socket.end('HTTP/1.1 302 Found\r\nlocation: wss://169.254.169.254/\r\n\r\n')
}

beforeAll(async () => {
  server = await startTls((_, response) => response.end(), { onUpgrade: upgrade })
})
afterAll(() => {
  for (const socket of open) socket.destroy()
  return server.close()
})

interface Opened {
  readonly socket: GuardedSocket
  readonly got: unknown[]
  readonly opened: Promise<boolean>
  readonly closed: Promise<number | undefined>
  /** How many errors were reported. */
  readonly errors: unknown[]
}

function dial(path: string, options: guardedWebSocket.Options = {}, host = `${HOST}:${server.port}`): Opened {
  const socket = new (guardedWebSocket({ ...server.dialer, ...options }))(`wss://${host}${path}`)
  const got: unknown[] = []
  socket.addEventListener('message', ({ data }) => void got.push(data))
  const opened = new Promise<boolean>((done) => {
    socket.addEventListener('open', () => done(true))
    socket.addEventListener('close', () => done(false))
  })
  const closed = new Promise<number | undefined>((done) => socket.addEventListener('close', ({ code }) => done(code)))
  const errors: unknown[] = []
  socket.addEventListener('error', (event) => void errors.push(event))
  return { socket, got, opened, closed, errors }
}

/**
 * A socket to a server that writes these bytes; returns the codes of all frames that come back, without their masks.
 */
function meet(first: readonly number[], ...then: readonly (readonly number[])[]): Opened {
  answered = agree
  wrong = Buffer.from(first)
  later = then.map((bytes) => Buffer.from(bytes))
  heard = []
  hasEnded = false
  listensFirst = false
  return dial('/wrong')
}

/** Frames of a client that are shorter than 126 bytes (RFC 6455 section 5.2), as text in hex. */
function framesHeard(): string[] {
  const all = Buffer.concat(heard)
  const found: string[] = []
  for (let at = 0; at < all.length; ) {
    const length = all[at + 1]! & 0x7f
    const mask = all.subarray(at + 2, at + 6)
    const data = all.subarray(at + 6, at + 6 + length).map((byte, i) => byte ^ mask[i % 4]!)
    found.push(
      `${(all[at + 1]! & 0x80) === 0 ? 'bare ' : ''}${all[at]!.toString(16)} ${Buffer.from(data).toString('hex')}`,
    )
    at += 6 + length
  }
  return found
}

describe('a guarded WebSocket', () => {
  test('carries text of every length, both ways, and closes', async () => {
    const { socket, got, opened, closed } = dial('/echo', { headers: { authorization: 'Bearer x' } })
    expect(await opened).toBe(true)
    expect(requests.at(-1)!.headers['authorization']).toBe('Bearer x')
    const texts = ['', 'a', '\ufeffä 🙂', ...[125, 126, 127, 65_535, 65_536, 1_000_000].map((n) => 'x'.repeat(n))]
    for (const text of texts) socket.send(text)
    await expect.poll(() => got.length).toBe(texts.length)
    expect(got.map(String)).toEqual(texts)
    socket.close(1000)
    expect([await closed, socket.readyState]).toEqual([1000, 3])
  })

  test('reports why the other side closes, and answers pings', async () => {
    const { socket, opened, closed } = dial('/echo')
    await opened
    const [other] = sockets.clients
    const ponged = new Promise((done) => other.once('pong', (data: Buffer) => done(String(data))))
    other.ping('are you there?')
    expect(await ponged).toBe('are you there?')
    const code = new Promise((done) => other.once('close', done))
    const why = new Promise((done) => socket.addEventListener('close', ({ reason }) => done(reason)))
    other.close(4000, 'another')
    expect([await closed, await code, await why]).toEqual([4000, 4000, 'another'])
  })

  test('connects only to public addresses, and only over TLS', async () => {
    for (const host of ['127.0.0.1:1', '169.254.169.254', 'localhost', '[::1]', '10.0.0.1'])
      expect(await dial('/echo', {}, host).opened).toBe(false)
    const inside = dial('/echo', { resolve: async () => ['10.0.0.7'] })
    expect(await inside.opened).toBe(false)
    expect(() => dial('', {}, 'x@y z')).toThrow(TypeError)
    expect(() => new (guardedWebSocket())('ws://example.com/')).toThrow(TypeError)
    expect(() => guardedWebSocket({ maxBytes: Number.NaN })).toThrow(RangeError)
  })

  test('trusts no other certificate, follows no redirect, and does not wait forever', async () => {
    const { ca: _, ...other } = server.dialer
    expect(await dial('/echo', { ...other, ca: '' }).opened).toBe(false)
    expect(await dial('/elsewhere').opened).toBe(false)
    expect(await dial('/silent', { timeoutMs: 200 }).closed).toBe(1006)
    const called = dial('/silent')
    called.socket.close()
    expect(await called.closed).toBe(1006)
  })

  test.each<[string, (key: string) => string]>([
    ['another key', () => agree('x')],
    ['an extension', (key) => `${agree(key)}sec-websocket-extensions: permessage-deflate\r\n`],
    ['a protocol', (key) => `${agree(key)}sec-websocket-protocol: chat\r\n`],
  ])('refuses a handshake with %s', async (_, made) => {
    answered = made
    expect(await dial('/wrong').opened).toBe(false)
  })

  test.each<[string, number[]]>([
    ['masked', [0x81, 0x81, 0, 0, 0, 0, 65]],
    ['with reserved bits', [0xc1, 1, 65]],
    ['of an unknown opcode', [0x83, 0]],
    ['of text that is not UTF-8', [0x81, 1, 0xff]],
    ['that is too large', [0x81, 127, 0, 0, 0, 0, 0x7f, 0, 0, 0]],
    ['with a longer length than it takes', [0x81, 126, 0, 1, 65]],
    ['that continues nothing', [0x80, 1, 65]],
    ['of control in parts', [0x09, 0]],
    ['that closes without a whole code', [0x88, 1, 3]],
    ['of data inside of a message in parts', [0x01, 1, 65, 0x81, 1, 66]],
    ['that closes with a code for nobody to send', [0x88, 2, 3, 0xed]],
    ['that closes for a reason that is not UTF-8', [0x88, 3, 3, 0xe8, 0xff]],
  ])('a frame %s closes it with a code, and nothing after it counts', async (_, bytes) => {
    const { got, closed, errors } = meet([...bytes, 0x89, 0, 0x81, 1, 65], [0x81, 1, 65])
    const code = (await closed)!
    expect([[1002, 1007, 1009].includes(code), got, errors]).toEqual([true, [], []])
    await expect.poll(() => hasEnded).toBe(true)
    expect(framesHeard()).toEqual([`88 ${code.toString(16).padStart(4, '0')}`])
  })

  // RFC 6455 sections 5.5.1 and 5.5.2: no pong after the other side's close frame, which gets one answer.
  test.each<[string, number[], number, string]>([
    ['with a code', [0x88, 2, 0x03, 0xe8], 1000, '88 03e8'],
    ['without', [0x88, 0], 1005, '88 03e8'],
    ['with a reason', [0x88, 4, 0x0f, 0xa0, 97, 98], 4000, '88 0fa0'],
  ])('nothing counts after a close frame %s', async (_, bytes, code, answer) => {
    const { got, closed, errors } = meet([0x81, 1, 65, ...bytes, 0x89, 0, 0x89, 0, 0x81, 1, 66], [0x89, 0, 0x81, 1, 67])
    expect([await closed, got, errors]).toEqual([code, ['A'], []])
    await expect.poll(() => hasEnded).toBe(true)
    expect(framesHeard()).toEqual([answer])
  })

  test('answers pings inside a message at once, in order, masked', async () => {
    const { got, opened, socket, closed } = meet(
      [0x01, 1, 65, 0x89, 1, 49],
      [0x89, 1, 50, 0x8a, 1, 51, 0x00, 0],
      [0x80, 1, 66, 0x88, 0],
    )
    await opened
    expect([await closed, got, socket.readyState]).toEqual([1005, ['AB'], 3])
    expect(framesHeard()).toEqual(['8a 31', '8a 32', '88 03e8'])
  })

  test('closes without an answer to its close frame, and ignores messages in between', async () => {
    const { got, opened, socket, closed, errors } = meet([], [], [0x81, 1, 65])
    listensFirst = true
    await opened
    socket.close(4001)
    expect(() => socket.send('x')).toThrow(TypeError)
    // As on the platform: without the other side's close frame there is no code.
    expect([await closed, got, errors]).toEqual([1006, [], []])
    expect(framesHeard()).toEqual(['88 0fa1'])
  })

  test.each<[string, string]>([
    ['no Connection', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n'],
    ['another status', 'HTTP/1.1 200 OK\r\nupgrade: websocket\r\nconnection: Upgrade\r\ncontent-length: 0\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: Upgrade\r\n'],
  ])('refuses a handshake with %s', async (_, head) => {
    const accept = (key: string) =>
      agree(key)
        .split('\r\n')
        .find((line) => line.startsWith('sec-websocket-accept'))
    answered = (key) => `${head}${accept(key)}\r\n`
    wrong = Buffer.alloc(0)
    later = []
    const { opened, closed } = dial('/wrong', { timeoutMs: 500 })
    expect([await opened, await closed]).toEqual([false, 1006])
  })

  test('refuses a URL with a user name', async () => {
    const before = requests.length
    expect(await dial('/echo', {}, `user:secret@${HOST}:${server.port}`).opened).toBe(false)
    expect(requests.length).toBe(before)
  })
})

/** Frames as servers write them, some of them damaged. */
function frames(next: () => number): Buffer {
  const below = (n: number) => Math.floor(next() * n)
  const parts = Array.from({ length: 1 + below(6) }, () => {
    const data = Buffer.from(
      Array.from({ length: [0, 1, 5, 125, 126, 300, 600, 990][below(8)]! }, () => 97 + below(26)),
    )
    const opcode = [0, 1, 1, 1, 2, 8, 9, 10][below(8)]!
    const body = opcode === 8 ? Buffer.from([3, 232 + below(20), ...data.subarray(0, 20)]) : data
    const head = body.length < 126 ? [body.length] : [126, body.length >> 8, body.length & 255]
    return Buffer.concat([Buffer.from([(below(5) === 0 ? 0 : 0x80) | opcode, ...head]), body])
  })
  const all = Buffer.concat(parts)
  if (below(3) === 0) all[below(all.length)] = below(256)
  return all
}

/** The messages up to the end, or to the first fault. */
function read(chunks: readonly Uint8Array[]): unknown[] {
  const reader = new FrameReader(1000)
  const got: unknown[] = []
  try {
    for (const chunk of chunks)
      for (const frame of reader.read(chunk)) {
        got.push(shown(frame))
        if (frame.is === 'close') return got
      }
  } catch (error) {
    if (!(error instanceof FrameFault)) throw error
    got.push('fault')
  }
  return got
}
const shown = (frame: Frame) =>
  frame.is === 'close'
    ? `close ${frame.code}`
    : frame.is === 'text'
      ? frame.data
      : `${frame.is} ${Buffer.from(frame.data).toString('hex')}`

/** The same with the package `ws`. */
async function readByWs(bytes: Buffer): Promise<unknown[]> {
  const receiver = new ws.Receiver({ isServer: false, maxPayload: 1000, allowSynchronousEvents: true })
  const got: unknown[] = []
  await new Promise<void>((done) => {
    receiver.on('message', (data: Buffer, isBinary: boolean) =>
      got.push(isBinary ? `binary ${data.toString('hex')}` : String(data)),
    )
    receiver.on('ping', (data: Buffer) => got.push(`ping ${data.toString('hex')}`))
    receiver.on('conclude', (code: number) => {
      got.push(`close ${code}`)
      done()
    })
    receiver.on('error', () => {
      got.push('fault')
      done()
    })
    receiver.write(bytes, () => done())
  })
  return got
}

/** `ws` accepts lengths in more bytes than needed; we do not (section 5.2: MUST). */
const isStricter = (ours: readonly unknown[], bytes: Buffer) =>
  ours.at(-1) === 'fault' && bytes.some((byte, i) => (byte & 0x7f) >= 126 && bytes[i + 1] === 0)

test('reads frames like `ws`, however they are split', async () => {
  const next = random(7)
  const cases = casesOf(3000)
  let faults = 0
  for (let i = 0; i < cases; i++) {
    const bytes = frames(next)
    const ours = read([bytes])
    expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(ours)
    if (ours.at(-1) === 'fault') faults++
    const theirs = await readByWs(bytes)
    if (!isStricter(ours, bytes))
      expect({ bytes: bytes.toString('hex'), got: ours }).toEqual({ bytes: bytes.toString('hex'), got: theirs })
  }
  expect(faults).toBeGreaterThan(cases / 10)
  expect(faults).toBeLessThan(0.9 * cases)
})

test('reads or refuses random bytes, and keeps nothing above the limit', () => {
  const next = random(11)
  for (let i = 0; i < casesOf(20_000); i++)
    read([Uint8Array.from({ length: 1 + Math.floor(next() * 40) }, () => Math.floor(next() * 256))])
  const reader = new FrameReader(1000)
  const one = Uint8Array.of(0x00, 0)
  expect(() => {
    for (const _ of reader.read(Uint8Array.of(0x01, 0)));
    for (let i = 0; i < 2000; i++) for (const _ of reader.read(one));
  }).toThrow(/1024 parts/)
})

test('control frames in between do not count as part of a message', () => {
  const part = Buffer.concat([Buffer.from([0x01, 126, 1000 >> 8, 1000 & 255]), Buffer.alloc(1000, 65)])
  const ping = Buffer.concat([Buffer.from([0x89, 125]), Buffer.alloc(125, 66)])
  const all = [part, ping, Buffer.from([0x80, 0])]
  expect(read(all)).toEqual([`ping ${'42'.repeat(125)}`, 'A'.repeat(1000)])
  expect(read([part, Buffer.from([0x80, 1, 65])])).toEqual(['fault'])
})
