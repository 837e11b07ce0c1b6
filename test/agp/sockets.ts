// Agents with keys of node:crypto, their metadata, and real WebSockets between them on this machine.
import type { AddressInfo } from 'node:net'
import type { WebSocketClass } from '../../bindings/agp/connect.ts'
import { connect } from '../../bindings/agp/index.ts'
import type { FoundPeer } from '../../bindings/agp/peer.ts'
import type { SocketLike } from '../../bindings/agp/session.ts'
import { parseJson } from '../../bindings/document/index.ts'
import { peer } from '../support/peers.mjs'
import type { OraclePair, Said } from './oracle.ts'

const ws = await peer('ws', 'sockets')
const WebSocket = ws.WebSocket as WebSocketClass & typeof globalThis.WebSocket

/** WebSockets that send these headers, such as another Host. */
export function socketsWith(headers: Readonly<Record<string, string>>): WebSocketClass {
  return class extends ws.WebSocket {
    constructor(url: string) {
      super(url, { headers })
    }
  } as unknown as WebSocketClass
}

/**
 * WebSockets like those of pages: `close` accepts 1000 and 3000 to 4999, and throws for other codes (WHATWG WebSockets,
 * section 3.1).
 */
export const pageSockets = class extends ws.WebSocket {
  close(code?: number, reason?: string): void {
    if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999))
      throw new DOMException(`the close code ${code}`, 'InvalidAccessError')
    super.close(code, reason)
  }
} as unknown as WebSocketClass

export interface Served {
  readonly url: string
  /** Drops every connection without a close frame. */
  cut(): void
  stop(): Promise<void>
}

/** A WebSocket server on a free port. */
export async function serve(take: (socket: SocketLike) => void): Promise<Served> {
  const server = new ws.WebSocketServer({ port: 0, host: '127.0.0.1', maxPayload: 1 << 22 })
  await new Promise((done) => server.once('listening', done))
  server.on('connection', take)
  const cut = () => {
    for (const client of server.clients) client.terminate()
  }
  const stop = () =>
    new Promise<void>((done) => {
      cut()
      server.close(() => done())
    })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent/chat`, cut, stop }
}

export interface Published {
  readonly pair: OraclePair
  readonly chat?: string
  readonly security?: Readonly<Record<string, unknown>>
}

/** Finds the published agents, as discovery of their domains would. */
export function finder(published: readonly Published[], asked: string[] = []) {
  return async (domain: string): Promise<FoundPeer> => {
    asked.push(domain)
    const found = published.find(({ pair }) => pair.uri === `agent:${domain}`)
    if (found === undefined) return { uri: `agent:${domain}`, agent: undefined }
    const { pair, chat, security = {} } = found
    const metadata = {
      protocol: 'ADP/1.1',
      identity: {
        id: pair.uri,
        domain,
        name: domain,
        publicKey: { algorithm: 'ed25519', fingerprint: pair.fingerprint, full: pair.publicPem },
      },
      endpoints: { wellKnown: `https://${domain}/.well-known/agent.json`, chat },
      capabilities: [],
      security: { tlsRequired: true, authMethods: ['pubkey'], ...security },
    }
    const { document } = parseJson(JSON.stringify(metadata))
    return { uri: pair.uri, agent: { metadata: document } as never }
  }
}

export interface Raw {
  readonly got: Said[]
  send(message: object | string): void
  /** The next received message. */
  next(): Promise<Said>
  readonly closed: Promise<number>
  /** The reason in the close frame of the other side. */
  readonly why: Promise<string>
  /** Drops the connection. */
  close(): void
  /** Closes the connection normally. */
  leave(): void
}

/** A connection that can send anything. */
export async function raw(url: string, init?: object): Promise<Raw> {
  const socket = new ws.WebSocket(url, init)
  const got: Said[] = []
  const waiting: ((message: Said) => void)[] = []
  let isClosed = false
  const closed = new Promise<number>((done) => socket.on('close', (code: number) => done(code)))
  const why = new Promise<string>((done) => socket.on('close', (_: number, reason: Buffer) => done(String(reason))))
  socket.on('close', (code: number) => {
    isClosed = true
    for (const next of waiting.splice(0)) next({ closed: code, body: { content: '{}' } })
  })
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(String(data))
    const next = waiting.shift()
    if (next === undefined) got.push(message)
    else next(message)
  })
  await new Promise((done, fail) => {
    socket.once('open', done)
    socket.once('error', fail)
  })
  return {
    got,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: () => {
      if (got.length > 0) return Promise.resolve(got.shift())
      if (isClosed) return Promise.resolve({ closed: true, body: { content: '{}' } })
      return new Promise((done) => waiting.push(done))
    },
    closed,
    why,
    close: () => socket.terminate(),
    leave: () => socket.close(1000),
  }
}

/** Calls one agent from another. It is found among the published ones. */
export const callerOf =
  (from: OraclePair, to: OraclePair) =>
  (published: readonly Published[], options: Partial<connect.Options> = {}): Promise<connect.Result> =>
    connect(to.uri, {
      key: from.pem,
      as: from.uri,
      discover: finder(published),
      onMessage: () => {},
      WebSocket,
      loopback: true,
      ...options,
    })
