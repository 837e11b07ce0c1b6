import { diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import type { KeySource } from '../keys/read.ts'
import { openSigner } from '../keys/sign.ts'
import { CLOSE_CODES } from '../net/frames.ts'
import { PROTOCOL, publicKeyBlock } from '../wellknown/identity.ts'
import * as FINDINGS from './findings.ts'
import { Link, type LinkAct, type LinkOptions, type LinkState, type OutgoingMessage, type Speaker } from './link.ts'
import { type LinkMemory, linkMemory } from './memory.ts'
import { domainOfUri, MESSAGE_BYTES, type Message } from './message.ts'
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
export interface CarrierHooks {
  onOpen(opened: Extract<LinkAct, { readonly act: 'open' }>): void
  /** The message is acknowledged once this completes. */
  onMessage(message: Message): void | Promise<void>
  onTold(error: AgentError): void
  /** Called once. The diagnostic is from this side; code and reason are from the WebSocket. */
  onEnd(diagnostic: Diagnostic | undefined, code: number, reason: string): void
}

interface CarrierOptions extends Pick<LinkOptions, 'sender' | 'admit'> {
  readonly role: LinkState['role']
  /** The messages of this side. They may outlast the socket. */
  readonly sending: Sending
  readonly hooks: CarrierHooks
}

/** Limits of messages received but not checked yet. A sender that exceeds them is disconnected. */
const MOST_WAITING = 256
const MOST_BYTES = 4 * MESSAGE_BYTES
/**
 * How long messages received before a disconnect may take. After that, the conversation ends even if a handler still
 * runs.
 */
const JUDGING_MS = 10_000
const OPEN = 1

export class Carrier {
  readonly #socket: SocketLike
  readonly #link: Link
  readonly #sending: Sending
  readonly #hooks: CarrierHooks
  readonly #side: Side
  #timer: ReturnType<typeof setTimeout>
  #last: Promise<unknown> = Promise.resolve()
  #outgoing: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #bytes = 0
  #isOver = false

  constructor(socket: SocketLike, side: Side, { role, sending, hooks, ...options }: CarrierOptions) {
    const { memory, findPeer, clock, skewMs } = side
    this.#socket = socket
    this.#side = side
    this.#sending = sending
    this.#hooks = hooks
    const state: LinkState = { role, phase: 'waiting', owed: 0 }
    this.#link = new Link(side.self, { memory, findPeer, clock, skewMs, ...options }, state)
    const late = diagnoseNowhere(FINDINGS.AGP_LATE, { detail: 'the handshake was not done in time' })
    this.#timer = setTimeout(() => this.end(CLOSE_CODES.policy, late), side.handshakeMs)
    socket.addEventListener('message', ({ data }) => this.#take(data))
    socket.addEventListener('error', () => this.#left({}))
    socket.addEventListener('close', (event) => this.#left(event))
  }

  get isStrict(): boolean {
    return this.#link.state.strict !== undefined
  }

  greet(peer: Peer): void {
    this.#link.greet(peer)
    this.#carry()
  }

  send(messages: readonly OutgoingMessage[]): void {
    this.#link.send(messages)
    this.#carry()
  }

  /** Sends what the link has signed. */
  #carry(): void {
    for (const texts of this.#link.takeTexts()) {
      const sent = Promise.all([texts, this.#outgoing]).then(([all]) => {
        for (const text of all) this.#send(text)
      })
      this.#outgoing = sent.catch((error) => this.#fail('signed', error))
    }
  }

  #fail(done: string, error: unknown): void {
    const detail = `it could not be ${done}: ${String(error)}`
    this.end(CLOSE_CODES.broken, diagnoseNowhere(FINDINGS.AGP_ENDED, { detail }))
  }

  end(code: number, diagnostic: Diagnostic | undefined): void {
    this.#over(diagnostic, code)
    hangUp(this.#socket, code, diagnostic?.code ?? '')
  }

  /** Sends a signed disconnect message, then ends. */
  async leave(): Promise<void> {
    if (this.#link.state.phase === 'open') this.#link.leave()
    this.#carry()
    await this.#outgoing
    this.end(CLOSE_CODES.normal, undefined)
  }

  #take(data: unknown): void {
    if (this.#isOver) return
    const [code, kind, detail] = this.#refusalOf(data)
    if (code === undefined) this.#queue(data as string)
    else this.end(code, diagnoseNowhere(kind, { detail }))
  }

  /** Checks limits before anything is parsed. */
  #refusalOf(data: unknown): readonly [code: number, kind: FindingKind, detail: string] | readonly [undefined?] {
    if (typeof data !== 'string') return [CLOSE_CODES.notText, FINDINGS.AGP_SHAPE, 'messages are text']
    if (data.length > MESSAGE_BYTES)
      return [CLOSE_CODES.tooLarge, FINDINGS.AGP_SHAPE, `a message of more than ${MESSAGE_BYTES} bytes`]
    const isFull = this.#waiting >= MOST_WAITING || this.#bytes + data.length > MOST_BYTES
    return isFull ? [CLOSE_CODES.later, FINDINGS.AGP_FULL, `${this.#waiting} messages wait to be judged`] : []
  }

  #queue(data: string): void {
    this.#waiting++
    this.#bytes += data.length
    this.#last = this.#last.then(() => this.#judge(data)).catch((error) => this.#fail('judged', error))
  }

  async #judge(data: string): Promise<void> {
    try {
      if (this.#isOver) return
      const acts = await this.#link.receive(data)
      this.#carry()
      for (const act of acts) await this.#act(act)
    } finally {
      this.#waiting--
      this.#bytes -= data.length
    }
  }

  async #act(act: LinkAct): Promise<void> {
    switch (act.act) {
      case 'open':
        clearTimeout(this.#timer)
        this.#hooks.onOpen(act)
        return this.#sending.open(this, act.rate)
      case 'acked':
        return this.#sending.acked(act.id)
      case 'told':
        this.#sending.told(act)
        return this.#hooks.onTold({ code: act.code, detail: act.detail, of: act.of })
      case 'close':
        await this.#outgoing
        return this.end(act.code, act.diagnostic)
      default:
        return this.#deliver(act.message)
    }
  }

  /** Remembers the message before its delivery, so that it is delivered at most once. */
  async #deliver(message: Message): Promise<void> {
    const { memory, clock } = this.#side
    if (!memory.add(this.#link.state.peer!.uri, message.id, clock(), messageDigest(message)))
      this.#link.tell({ kind: FINDINGS.AGP_FULL }, message.id)
    else if (await this.#isTaken(message)) this.#link.ack(message.id)
    else this.#link.tell({ kind: FINDINGS.AGP_UNTAKEN }, message.id)
    this.#carry()
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
  #left({ code = CLOSE_CODES.abnormal, reason = '' }: SocketEvent): void {
    if (this.#isOver) return
    const over = () => this.#over(undefined, code, reason)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(over, JUDGING_MS)
    void this.#last.then(over)
  }

  #send(text: string): void {
    if (this.#socket.readyState === OPEN) this.#socket.send(text)
  }

  #over(diagnostic: Diagnostic | undefined, code: number, reason = ''): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#link.state.phase = 'over'
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
