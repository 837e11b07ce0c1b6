// A WebSocket with the guard of `guardedFetch`: it connects to the address that was checked, over TLS, and judges the
// certificate. Node 20 has no WebSocket.
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { checkLimit } from '../net/deadline.ts'
import { CLOSE_CODES, clientFrame, closeData, FrameFault, FrameReader, OPCODE } from '../net/frames.ts'
import { addressesFor, type guardedFetch, requestOver, secure } from './fetch.ts'

export declare namespace guardedWebSocket {
  interface Options extends Pick<guardedFetch.Options, 'resolve' | 'ca' | 'dial'> {
    /** The limit for a message; default 1,048,576. */
    readonly maxBytes?: number
    /** Until it is open; default 10,000. */
    readonly timeoutMs?: number
    /** Headers of the opening request, such as a token. */
    readonly headers?: Readonly<Record<string, string>>
    /** Allows a server on this machine with a self-signed certificate, for development. */
    readonly loopback?: boolean
  }

  type Result = new (url: string) => GuardedSocket
}

type EventName = 'open' | 'message' | 'close' | 'error'
interface SocketEvents {
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
}

/** The members of a WebSocket that conversations use. */
export interface GuardedSocket {
  /** 0 to 3, with the meaning of the platform. */
  readonly readyState: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: EventName, listener: (event: SocketEvents) => void): void
}

const LARGEST = 1 << 20
const PATIENCE_MS = 10_000
/** How long to wait for the other side's close frame. */
const GOODBYE_MS = 2000
/** The most bytes of unread pongs. */
const MOST_UNSENT = 1 << 24
/** RFC 6455 section 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3]

/**
 * A WebSocket class for URLs from strangers: `wss:` only, public addresses only, no redirects, no extensions, and
 * limits on messages and time. Pass it to `connect` of `blazon/agp`.
 *
 * @example
 * await connect('agent:bob.example.com', { key, as, discover: find, onMessage, WebSocket: guardedWebSocket() })
 *
 * @throws {RangeError} for a malformed limit.
 */
export function guardedWebSocket(options: guardedWebSocket.Options = {}): guardedWebSocket.Result {
  for (const name of ['maxBytes', 'timeoutMs'] as const) checkLimit(name, options[name])
  return class extends Socket {
    constructor(url: string) {
      super(url, options)
    }
  }
}

class Socket implements GuardedSocket {
  readyState: number = CONNECTING
  readonly #listeners: [EventName, (event: SocketEvents) => void][] = []
  readonly #abort = new AbortController()
  readonly #reader: FrameReader
  #socket: Duplex | undefined
  /** Nothing counts after the other side's close frame, or after a fault (RFC 6455 sections 5.5.1 and 7.1.7). */
  #isDone = false
  #code: number = CLOSE_CODES.abnormal
  #reason = ''

  constructor(url: string, options: guardedWebSocket.Options) {
    const { maxBytes = LARGEST, timeoutMs = PATIENCE_MS } = options
    this.#reader = new FrameReader(maxBytes)
    const target = new URL(url)
    if (target.protocol !== 'wss:') throw new TypeError(`url: expected wss:, got ${target.protocol}`)
    target.protocol = 'https:'
    const timer = setTimeout(() => this.#abort.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    this.#open(target, options)
      .then(([socket, head]) => this.#opened(socket, head))
      .catch(() => this.#over('error'))
      .finally(() => clearTimeout(timer))
  }

  addEventListener(type: EventName, listener: (event: SocketEvents) => void): void {
    this.#listeners.push([type, listener])
  }

  send(text: string): void {
    if (this.readyState !== OPEN) throw new TypeError('the WebSocket is not open')
    this.#write(OPCODE.text, new TextEncoder().encode(text))
  }

  /** The reason is for people who read the code; it is not sent. */
  close(code: number = CLOSE_CODES.normal): void {
    if (this.readyState === CONNECTING) this.#abort.abort(new Error('it was canceled'))
    if (this.readyState !== OPEN) return
    this.readyState = CLOSING
    this.#write(OPCODE.close, closeData(code))
    setTimeout(() => this.#socket!.destroy(), GOODBYE_MS).unref()
  }

  async #open(url: URL, { ca, headers, loopback, ...guard }: guardedWebSocket.Options): Promise<[Duplex, Buffer]> {
    const { signal } = this.#abort
    const addresses = await addressesFor(url, signal, { ...guard, loopback, known: undefined })
    const { socket: connection } = await secure(url, { addresses, ca, loopback, signal, leastTls: undefined })
    const key = randomBytes(16).toString('base64')
    const asked = {
      ...headers,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    }
    return new Promise<[Duplex, Buffer]>((resolve, reject) => {
      const outgoing = requestOver(connection, url, { headers: asked, signal })
      outgoing.once('upgrade', (answer, socket, head) => {
        if (isAgreed(answer, key)) resolve([socket, head])
        else reject(new Error('it accepts another protocol than WebSocket'))
      })
      outgoing.once('response', (answer) => reject(new Error(`it answers ${answer.statusCode}`)))
      outgoing.once('error', reject)
      outgoing.end()
    }).catch((error) => {
      connection.destroy()
      throw error
    })
  }

  #opened(socket: Duplex, head: Buffer): void {
    this.#socket = socket
    this.readyState = OPEN
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', () => this.#over('error'))
    socket.once('close', () => this.#over('close'))
    this.#tell('open', {})
    if (head.length > 0) this.#take(head)
  }

  #take(chunk: Uint8Array): void {
    if (this.#isDone) return
    try {
      for (const frame of this.#reader.read(chunk)) {
        if (frame.is === 'close') {
          this.#left(frame.code, frame.reason)
          return
        }
        if (frame.is === 'ping') this.#write(OPCODE.pong, frame.data)
        else if (this.readyState === OPEN) this.#tell('message', { data: frame.data })
      }
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error
      this.#left(error.code)
    }
  }

  /** Sends a close frame, unless one was sent, and ends. */
  #left(code: number, reason = ''): void {
    this.#isDone = true
    this.close(code === CLOSE_CODES.noCode ? CLOSE_CODES.normal : code)
    this.#code = code
    this.#reason = reason
    this.#socket!.end()
  }

  #write(opcode: number, data: Uint8Array): void {
    if (this.#socket!.writableLength > MOST_UNSENT) this.#socket!.destroy()
    else this.#socket!.write(clientFrame(opcode, data))
  }

  #over(event: 'close' | 'error'): void {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSED
    this.#socket?.destroy()
    if (event === 'error') this.#tell('error', {})
    this.#tell('close', { code: this.#code, reason: this.#reason })
  }

  #tell(type: EventName, event: SocketEvents): void {
    for (const [name, listener] of this.#listeners) if (name === type) listener(event)
  }
}

function isAgreed({ headers }: IncomingMessage, key: string): boolean {
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64')
  const isPlain = headers['sec-websocket-extensions'] === undefined && headers['sec-websocket-protocol'] === undefined
  return isPlain && headers.upgrade?.toLowerCase() === 'websocket' && headers['sec-websocket-accept'] === accept
}
