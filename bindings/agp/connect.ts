import type { ReachedLevel } from '../discover/trust/levels.ts'
import { diagnoseNowhere } from '../document/diagnose.ts'
import type { Diagnostic } from '../document/types.ts'
import { CLOSE_CODES } from '../net/frames.ts'
import { isLoopback, refuseAddress } from '../net/guard.ts'
import { quoted } from '../text/words.ts'
import { PROTOCOL } from '../wellknown/identity.ts'
import * as FINDINGS from './findings.ts'
import type { Link } from './link.ts'
import { domainOfUri, isFault, type MessageDraft, type MessageFault, versionOf } from './message.ts'
import { type AgentError, errorText, pauseAfter } from './outbox.ts'
import type { Peer } from './peer.ts'
import { Sending, type SendResult } from './sending.ts'
import { openSide, Session, type Side, type SocketLike, type SpeakerOptions } from './session.ts'

/** The WebSocket constructor of the platform, or a compatible one. */
export type WebSocketClass = new (url: string) => SocketLike

export declare namespace connect {
  interface Options extends SpeakerOptions {
    /** Default: the platform's WebSocket. */
    readonly WebSocket?: WebSocketClass
    /** Allows agents on this machine, also at `ws:`. For development. */
    readonly loopback?: boolean
    /** How many seconds to try again after the connection was lost. Default 300; 0 disables retries. */
    readonly reconnectSeconds?: number
    /** Called for errors that the other agent signed. */
    readonly onError?: (error: AgentError) => void
    /** Ends the conversation. */
    readonly signal?: AbortSignal
  }

  type Result =
    | { readonly ok: true; readonly conversation: Conversation }
    | { readonly ok: false; readonly diagnostic: Diagnostic }
}

/** A conversation that continues after its connection was lost. */
export interface Conversation {
  /** `agent:bob.example.com`. Proved: it has signed a challenge of this side. */
  readonly peer: string
  /**
   * How the peer was verified: the levels of its discovery, and `peer-verified`, which is as strong as the DNS that
   * binds its key.
   */
  readonly levels: readonly ReachedLevel[]
  /** Both sides sign and number every message in full. */
  readonly isStrict: boolean
  /**
   * Resolves when the other agent has acknowledged the message with a signature, or when that can no longer be
   * expected. Rejects with a RangeError for a message that is invalid or too large.
   */
  send(utterance: MessageDraft): Promise<SendResult>
  /** Tells the other agent, and ends the conversation. */
  close(): Promise<void>
  /** Resolves when the conversation is over: with the reason, or with undefined after a normal end. */
  readonly ended: Promise<Diagnostic | undefined>
}

type Opened = Extract<Link.Act, { readonly act: 'open' }>

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * Starts a conversation with an agent: finds it, opens a WebSocket to its chat endpoint, and exchanges hellos (section
 * 7.2.2).
 *
 * @example
 * const connected = await connect('agent:bob.example.com', { key, as: 'agent:alice.example.com', discover: find, onMessage })
 * if (connected.ok) await connected.conversation.send({ content: 'Good morning' })
 *
 * @throws {KeyError} for a key that cannot sign, {RangeError} for an invalid option, {TypeError} without a WebSocket.
 */
export async function connect(agent: string, options: connect.Options): Promise<connect.Result> {
  const uri = agent.startsWith('agent:') ? agent : `agent:${agent}`
  if (domainOfUri(uri) === undefined) throw new RangeError(`agent: expected agent: and a domain, got ${String(agent)}`)
  const Socket = options.WebSocket ?? (globalThis.WebSocket as unknown as WebSocketClass | undefined)
  if (Socket === undefined) throw new TypeError('WebSocket: this platform has none; give one')
  return new Caller(uri.toLowerCase(), await openSide(options), { ...options, WebSocket: Socket }).begin()
}

/** One conversation over a series of connections. */
class Caller {
  readonly #uri: string
  readonly #side: Side
  readonly #options: connect.Options & { readonly WebSocket: WebSocketClass }
  readonly #sending: Sending
  #session: Session | undefined
  #failures = 0
  #openedAt: number | undefined
  #tryUntil: number | undefined
  #reconnect: ReturnType<typeof setTimeout> | undefined
  #isOver = false
  #last: AgentError | undefined
  #begun!: (connected: connect.Result) => void
  #ended!: (diagnostic: Diagnostic | undefined) => void
  readonly #first = new Promise<connect.Result>((done) => {
    this.#begun = done
  })
  readonly #end = new Promise<Diagnostic | undefined>((done) => {
    this.#ended = done
  })

  constructor(uri: string, side: Side, options: connect.Options & { readonly WebSocket: WebSocketClass }) {
    this.#uri = uri
    this.#side = side
    this.#options = options
    this.#sending = new Sending(side)
  }

  begin(): Promise<connect.Result> {
    const { signal } = this.#options
    signal?.addEventListener('abort', () => void this.#close(), { once: true })
    if (signal?.aborted) this.#finish(diagnoseNowhere(FINDINGS.AGP_ENDED, { detail: 'it was called off' }))
    else void this.#try()
    return this.#first
  }

  async #try(): Promise<void> {
    const peer = await this.#side.findPeer(this.#uri)
    if (this.#isOver) return
    const url = isFault(peer) ? peer : chatEndpoint(peer, this.#options.loopback)
    if (typeof url !== 'string') return this.#finish(diagnoseNowhere(url.kind, { detail: url.detail }))
    try {
      this.#open(peer as Peer, new this.#options.WebSocket(url))
    } catch (error) {
      this.#cut(diagnoseNowhere(FINDINGS.AGP_ENDED, { detail: `no connection: ${String(error)}` }))
    }
  }

  #open(peer: Peer, socket: SocketLike): void {
    this.#last = undefined
    const hooks = {
      onOpen: (opened: Opened) => this.#handleOpen(opened, session.isStrict),
      onMessage: this.#options.onMessage,
      onError: (error: AgentError) => this.#handleError(error),
      onEnd: (diagnostic: Diagnostic | undefined, code: number, reason: string) =>
        this.#handleEnd(diagnostic, code, reason),
    }
    const session: Session = new Session(socket, this.#side, { role: 'caller', sending: this.#sending, hooks })
    this.#session = session
    socket.addEventListener('open', () => session.greet(peer))
  }

  #handleOpen({ peer, levels }: Opened, isStrict: boolean): void {
    this.#openedAt = this.#side.clock().getTime()
    this.#tryUntil = undefined
    this.#begun({
      ok: true,
      conversation: {
        peer,
        levels,
        isStrict,
        send: (utterance) => this.#sending.send(utterance),
        close: () => this.#close(),
        ended: this.#end,
      },
    })
  }

  #handleError(error: AgentError): void {
    this.#last = error
    this.#options.onError?.(error)
  }

  #handleEnd(diagnostic: Diagnostic | undefined, code: number, reason: string): void {
    this.#sending.pause()
    if (this.#isOver) return
    if (code === CLOSE_CODES.normal) this.#finish(undefined)
    else if (code === CLOSE_CODES.replaced)
      this.#finish(diagnoseNowhere(FINDINGS.AGP_ENDED, { detail: 'this agent has begun another' }))
    // The other agent has refused with a signed error.
    else if (code === CLOSE_CODES.policy && this.#last !== undefined)
      this.#finish(diagnoseNowhere(FINDINGS.AGP_ENDED, { detail: errorText(this.#last) }))
    else this.#cut(diagnostic ?? diagnoseNowhere(FINDINGS.AGP_ENDED, { detail: closeDetail(this.#uri, code, reason) }))
  }

  /**
   * Reconnects after a growing pause, half of it random. The pauses start again at the shortest only after a
   * conversation that lasted longer than the longest pause. Otherwise a server that opens and drops each connection
   * would be called twice a second.
   */
  #cut(diagnostic: Diagnostic): void {
    const { reconnectSeconds = 300 } = this.#options
    const now = this.#side.clock().getTime()
    if (this.#openedAt !== undefined && now - this.#openedAt > LONGEST_PAUSE_MS) this.#failures = 0
    this.#openedAt = undefined
    this.#tryUntil ??= now + reconnectSeconds * 1000
    const pause = pauseAfter(++this.#failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
    if (now + pause > this.#tryUntil) this.#finish(diagnostic)
    else this.#reconnect = setTimeout(() => void this.#try(), pause)
  }

  async #close(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#reconnect)
    await this.#session?.leave()
    this.#isOver = false
    this.#finish(undefined)
  }

  #finish(diagnostic: Diagnostic | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sending.end(
      diagnostic === undefined ? FINDINGS.AGP_ENDED : FINDINGS.AGP_LATE,
      diagnostic?.detail ?? 'the conversation is over',
    )
    this.#ended(diagnostic)
    this.#begun({
      ok: false,
      diagnostic: diagnostic ?? diagnoseNowhere(FINDINGS.AGP_ENDED, { detail: 'it was called off' }),
    })
  }
}

/** A close frame may carry the code of a finding. */
function closeDetail(uri: string, code: number, reason: string): string {
  const kind = FINDINGS.ALL.find((one) => one.code === reason)
  const words = kind === undefined ? reason && `: ${quoted(reason)}` : `: ${kind.title} (${kind.code})`
  return `${uri} closed the connection with ${code}${words}`
}

/**
 * Returns the chat address of an agent, or why it cannot be used: its metadata may name any address.
 *
 * @param loopback allows agents on this machine, also at `ws:`. For development.
 */
export function chatEndpoint(peer: Peer, loopback = false): string | MessageFault {
  const { chat, minProtocolVersion, uri } = peer
  const fault = (kind: typeof FINDINGS.AGP_ENDED, detail: string) => ({ kind, pointer: '', detail })
  if ((versionOf(minProtocolVersion ?? '') ?? 0) > versionOf(PROTOCOL)!)
    return fault(FINDINGS.AGP_VERSION, `${uri} takes ${minProtocolVersion} at least; this is ADP/1.1`)
  if (chat === undefined || !URL.canParse(chat)) return fault(FINDINGS.AGP_UNKNOWN, `${uri} has no chat endpoint`)
  const { protocol, hostname, username, password } = new URL(chat)
  if (username !== '' || password !== '') return fault(FINDINGS.AGP_UNKNOWN, 'a chat endpoint with a user name')
  if (loopback && isLoopback(hostname)) return chat
  if (protocol !== 'wss:') return fault(FINDINGS.AGP_UNKNOWN, 'the chat endpoint is not at wss:')
  const refused = refuseAddress(hostname)
  return refused === undefined ? chat : fault(FINDINGS.AGP_UNKNOWN, refused)
}
