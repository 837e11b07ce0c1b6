import { diagnoseNowhere } from '../document/diagnose.ts'
import type { Diagnostic } from '../document/types.ts'
import type { KeySource } from '../keys/read.ts'
import { openSigner } from '../keys/sign.ts'
import { CLOSE_CODES } from '../net/frames.ts'
import { PROTOCOL, publicKeyBlock } from '../wellknown/identity.ts'
import { Carrier } from './carrier.ts'
import * as FINDINGS from './findings.ts'
import { Link, type OutgoingMessage, type Speaker } from './link.ts'
import { type LinkMemory, linkMemory } from './memory.ts'
import { domainOfUri, type Message } from './message.ts'
import type { AgentError, MessageRate } from './outbox.ts'
import { type FindAgent, type FindPeer, type Peer, rememberPeers } from './peer.ts'
import type { Sending } from './sending.ts'
import { messageDigest, sign } from './sign.ts'
import { skewOf } from './verify.ts'

/** The members of a WebSocket that are used here. Browsers, Workers and Node have them. */
export interface SocketLike {
  readonly readyState: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void
}

export interface SocketEvent {
  readonly data?: unknown
  readonly code?: number
  /** The reason in a close frame. */
  readonly reason?: string
}

/** Callbacks for the events of a conversation. */
export interface SessionHooks {
  onOpen(opened: Extract<Link.Act, { readonly act: 'open' }>): void
  /** The message is acknowledged once this completes. */
  onMessage(message: Message): void | Promise<void>
  onError(error: AgentError): void
  /** Called once. The diagnostic is from this side; code and reason are from the WebSocket. */
  onEnd(diagnostic: Diagnostic | undefined, code: number, reason: string): void
}

interface SessionOptions extends Pick<Link.Options, 'sender' | 'admit'> {
  readonly role: Link.State['role']
  /** The messages of this side. They may outlast the socket. */
  readonly sending: Sending
  readonly hooks: SessionHooks
}

/**
 * How long messages received before a disconnect may take. After that, the conversation ends even if a handler still
 * runs.
 */
const JUDGING_MS = 10_000

/** A conversation over one socket. */
export class Session {
  readonly #socket: SocketLike
  readonly #carrier: Carrier<void>
  readonly #sending: Sending
  readonly #hooks: SessionHooks
  readonly #side: Side
  #timer: ReturnType<typeof setTimeout>
  #isOver = false

  constructor(socket: SocketLike, side: Side, { role, sending, hooks, ...options }: SessionOptions) {
    const { memory, findPeer, clock, skewMs } = side
    this.#socket = socket
    this.#side = side
    this.#sending = sending
    this.#hooks = hooks
    const state: Link.State = { role, phase: 'waiting', owed: 0 }
    const link = new Link(side.self, { memory, findPeer, clock, skewMs, ...options }, state)
    this.#carrier = new Carrier(socket, link, {
      perform: (act) => this.#perform(act),
      refuse: ({ code, diagnostic }) => this.end(code, diagnostic),
      fail: (error) => this.#fail('signed', error),
    })
    const late = diagnoseNowhere(FINDINGS.AGP_LATE, { detail: 'the handshake was not done in time' })
    this.#timer = setTimeout(() => this.end(CLOSE_CODES.policy, late), side.handshakeMs)
    socket.addEventListener('message', ({ data }) => this.#take(data))
    socket.addEventListener('error', () => this.#handleClose({}))
    socket.addEventListener('close', (event) => this.#handleClose(event))
  }

  get isStrict(): boolean {
    return this.#carrier.link.state.strict !== undefined
  }

  greet(peer: Peer): void {
    this.#carrier.say((link) => link.greet(peer))
  }

  send(messages: readonly OutgoingMessage[]): void {
    this.#carrier.say((link) => link.send(messages))
  }

  #fail(done: string, error: unknown): void {
    const detail = `it could not be ${done}: ${String(error)}`
    this.end(CLOSE_CODES.broken, diagnoseNowhere(FINDINGS.AGP_ENDED, { detail }))
  }

  end(code: number, diagnostic: Diagnostic | undefined): void {
    this.#handleEnd(diagnostic, code)
    hangUp(this.#socket, code, diagnostic?.code ?? '')
  }

  /** Sends a signed disconnect message, then ends. */
  async leave(): Promise<void> {
    await this.#carrier.leave()
    this.end(CLOSE_CODES.normal, undefined)
  }

  #take(data: unknown): void {
    if (!this.#isOver) this.#carrier.receive(data).catch((error) => this.#fail('judged', error))
  }

  async #perform(act: Link.Act): Promise<void> {
    switch (act.act) {
      case 'open':
        clearTimeout(this.#timer)
        this.#hooks.onOpen(act)
        return this.#sending.open(this, act.rate)
      case 'acked':
        return this.#sending.acknowledge(act.id)
      case 'told':
        this.#sending.takeError(act)
        return this.#hooks.onError({ code: act.code, detail: act.detail, of: act.of })
      case 'close':
        await this.#carrier.sent
        return this.end(act.code, act.diagnostic)
      default:
        return this.#deliver(act.message)
    }
  }

  /** Remembers the message before its delivery, so that it is delivered at most once. */
  async #deliver(message: Message): Promise<void> {
    const { memory, clock } = this.#side
    const { link } = this.#carrier
    const hasRoom = memory.add(link.state.peer!.uri, message.id, clock(), messageDigest(message))
    if (hasRoom && (await this.#isTaken(message))) this.#carrier.say(() => link.ack(message.id))
    else this.#carrier.say(() => link.tell({ kind: hasRoom ? FINDINGS.AGP_UNTAKEN : FINDINGS.AGP_FULL }, message.id))
  }

  async #isTaken(message: Message): Promise<boolean> {
    try {
      await this.#hooks.onMessage(message)
      return true
    } catch {
      return false
    }
  }

  /** Messages received before the disconnect still count, such as a signed error. The wait for them is limited. */
  #handleClose({ code = CLOSE_CODES.abnormal, reason = '' }: SocketEvent): void {
    if (this.#isOver) return
    const over = () => this.#handleEnd(undefined, code, reason)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(over, JUDGING_MS)
    void this.#carrier.judged.then(over)
  }

  #handleEnd(diagnostic: Diagnostic | undefined, code: number, reason = ''): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#carrier.link.state.phase = 'over'
    clearTimeout(this.#timer)
    this.#hooks.onEnd(diagnostic, code, reason)
  }
}

/**
 * Browsers let a page close only with 1000 or 3000 to 4999, and throw for other codes. Then it closes without a code.
 */
function hangUp(socket: SocketLike, code: number, reason: string): void {
  try {
    socket.close(code, reason)
  } catch {
    socket.close()
  }
}

// The local agent: its key, opened once, and its requirements for others.

/** Options of both sides of a conversation. */
export interface SpeakerOptions {
  /** The Ed25519 key in the agent's metadata. */
  readonly key: KeySource
  /** The local agent: `agent:alice.example.com`. */
  readonly as: string
  /**
   * Finds agents by their domain, like `discover` with `require: 'key-verified'`. Results are cached for at most five
   * minutes.
   */
  readonly discover: FindAgent
  /** The message is acknowledged once this completes. If it fails, the other agent gets an error. */
  readonly onMessage: (message: Message) => void | Promise<void>
  /** Makes conversations strict if both sides support it. Default true. */
  readonly strict?: boolean
  /** Default `ADP/1.1`. */
  readonly minProtocolVersion?: string
  /** The rate limit in the agent's own metadata. It is enforced. */
  readonly rateLimit?: MessageRate
  readonly skewSeconds?: number
  /** Keeps its state between conversations. Default: in memory. */
  readonly memory?: LinkMemory
  /** Seconds for the handshake. Default 10. */
  readonly handshakeSeconds?: number
  /** Seconds to wait for the ack of a message. Default 60, at most 240. */
  readonly ackSeconds?: number
  readonly clock?: () => Date
}

/** The validated options, with defaults. */
export interface Side {
  readonly self: Speaker
  readonly findPeer: FindPeer
  readonly memory: LinkMemory
  readonly clock: () => Date
  readonly skewMs: number
  readonly handshakeMs: number
  readonly patienceMs: number
}

/** A message that is sent again keeps its first time. It must still be recent enough to be accepted. */
const MOST_ACK_SECONDS = 240

export async function openSide(options: SpeakerOptions): Promise<Side> {
  const { as, key, strict = true, minProtocolVersion = PROTOCOL, rateLimit, discover, skewSeconds = 0 } = options
  const { clock = () => new Date(), memory = linkMemory(), handshakeSeconds = 10, ackSeconds = 60 } = options
  if (domainOfUri(as) === undefined) throw new RangeError(`as: expected agent: and a domain, got ${String(as)}`)
  const signer = await openSigner(key, { algorithm: 'Ed25519' })
  return {
    self: {
      uri: as.toLowerCase(),
      fingerprint: publicKeyBlock(signer.publicKey).fingerprint,
      strict,
      minProtocolVersion,
      rate: rateLimit,
      sign: (drafts) =>
        Promise.all(drafts.map(async ({ draft, n }) => (await sign(draft, signer, n === undefined ? {} : { n })).text)),
    },
    findPeer: rememberPeers(discover, { clock }),
    memory,
    clock,
    skewMs: skewOf(skewSeconds),
    handshakeMs: seconds('handshakeSeconds', handshakeSeconds, 60),
    patienceMs: seconds('ackSeconds', ackSeconds, MOST_ACK_SECONDS),
  }
}

function seconds(name: string, value: number, most: number): number {
  if (value > 0 && value <= most) return value * 1000
  throw new RangeError(`${name}: expected a number above 0, at most ${most}, got ${value}`)
}
