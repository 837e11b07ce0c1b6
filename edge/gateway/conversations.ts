// The conversations of one agent. Sockets opened by others survive hibernation of the object; conversations begun here
// last until the waiting messages are delivered.
import {
  type AgentRequest,
  CLOSE_CODES,
  type FindPeer,
  Link,
  type LinkAct,
  type LinkState,
  type Sending,
} from 'blazon/agp'
import { type Env, numberOf } from '../env.ts'
import { openChat } from './call.ts'
import { type Delivery, type Exchange, PeerBlocked, reasonOf, type Talk } from './delivery.ts'
import type { IncomingMessage, Live } from './live.ts'
import { onlyGone, type Self } from './self.ts'
import { attachedTo, isOpen, type SocketState } from './sockets.ts'
import { NOT_LET_IN, type Speakers } from './speakers.ts'
import type { GatewayStore } from './store.ts'

/** Texts above this length are not read. */
const LONGEST = 262_144
/** Waiting messages of one socket, their characters, and the characters of all sockets: an object has 128 MB. */
const MOST_WAITING = 256
const MOST_CHARACTERS = 4 * LONGEST
const MOST_OF_ALL = 64 * LONGEST

interface Parts {
  readonly env: Env
  readonly name: () => string
  readonly self: Self
  readonly store: GatewayStore
  readonly speakers: Speakers
  readonly findPeer: FindPeer
  readonly delivery: () => Delivery
  take(arrived: IncomingMessage): void
}

export class Conversations implements Exchange {
  readonly #ctx: DurableObjectState
  readonly #parts: Parts
  readonly #live = new WeakMap<WebSocket, Live>()
  /** Conversations begun here, by agent. The object doesn't hibernate while they last. */
  readonly #called = new Map<string, WebSocket>()
  /** The socket on which each agent was last found, among those that others opened. */
  readonly #found = new Map<string, WebSocket>()
  #characters = 0

  constructor(ctx: DurableObjectState, parts: Parts) {
    this.#ctx = ctx
    this.#parts = parts
  }

  /** The number of conversations begun here. */
  get called(): number {
    return this.#called.size
  }

  hasCalled(agent: string): boolean {
    return this.#called.has(agent)
  }

  async receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    try {
      const live = await this.#liveOf(socket)
      if (typeof data !== 'string') return this.#close(socket, CLOSE_CODES.notText)
      const refusal = this.#refusalOf(live, data.length)
      if (refusal !== undefined) return this.#close(socket, refusal)
      const judged = this.#judge(socket, live, data)
      live.judged = Promise.allSettled([live.judged, judged])
      await judged
    } catch (error) {
      console.error(error)
      this.#close(socket, CLOSE_CODES.broken)
    }
  }

  /** Checks a message before it is parsed. An unidentified peer may send one message and must wait for the answer. */
  #refusalOf({ link, waiting, characters }: Live, length: number): number | undefined {
    if (length > LONGEST) return CLOSE_CODES.tooLarge
    if (link.state.phase === 'waiting' && waiting > 0) return CLOSE_CODES.policy
    const isFull =
      waiting >= MOST_WAITING || characters + length > MOST_CHARACTERS || this.#characters + length > MOST_OF_ALL
    return isFull ? CLOSE_CODES.later : undefined
  }

  async #judge(socket: WebSocket, live: Live, data: string): Promise<void> {
    live.waiting++
    live.characters += data.length
    this.#characters += data.length
    try {
      for (const act of await live.link.receive(data)) await this.#perform(socket, live, act)
    } finally {
      live.waiting--
      live.characters -= data.length
      this.#characters -= data.length
      this.keep(socket, live)
    }
  }

  async #perform(socket: WebSocket, live: Live, act: LinkAct): Promise<void> {
    if (act.act === 'open') await this.#opened(socket, live, act.peer)
    else if (act.act === 'acked') await this.#parts.delivery().acked(live.link.state.peer!.uri, act.id)
    else if (act.act === 'told') this.#told(live, act)
    else if (act.act === 'deliver') this.#parts.take({ socket, live, message: act.message, text: act.text })
    else if (act.act === 'close') {
      await live.out
      this.#close(socket, act.code, act.diagnostic?.code)
    }
  }

  /**
   * Each agent has one conversation that it opened itself, and possibly a second one, begun here to deliver what waits
   * for it.
   */
  async #opened(socket: WebSocket, live: Live, agent: string): Promise<void> {
    this.keep(socket, live)
    const isOurs = this.#called.get(agent) === socket
    if (!isOurs)
      for (const other of this.#ctx.getWebSockets())
        if (other !== socket && isOpen(other, agent)) this.#close(other, CLOSE_CODES.replaced)
    await this.#parts.delivery().opened(agent, isOurs)
  }

  #told(live: Live, told: Extract<LinkAct, { readonly act: 'told' }>): void {
    if (live.link.state.phase !== 'open') live.told = told.error
    this.#parts.delivery().told(live.link.state.peer!.uri, told.error, told)
  }

  async #liveOf(socket: WebSocket, begun?: SocketState): Promise<Live> {
    const speaker = await this.#parts.self.speaker()
    const known = this.#live.get(socket)
    if (known !== undefined) return known
    const attached = begun ?? attachedTo(socket)
    const live: Live = {
      attached,
      waiting: 0,
      characters: 0,
      judged: Promise.resolve(),
      out: Promise.resolve(),
      link: new Link(
        speaker,
        {
          memory: this.#parts.store,
          findPeer: this.#parts.findPeer,
          sender: attached.sender,
          admit: async ({ uri }) =>
            this.#parts.speakers.refusalOf(uri, attached.isInvited, (await this.#parts.self.speaker()).isPrivate),
          clock: () => new Date(),
          skewMs: 0,
          out: (texts) => this.#send(socket, live, texts),
        },
        attached.link,
      ),
    }
    this.#live.set(socket, live)
    return live
  }

  #send(socket: WebSocket, live: Live, texts: Promise<readonly string[]>): void {
    const sent = Promise.all([texts, live.out]).then(([all]) => {
      // The caller may have left while its acks were stored and signed.
      if (socket.readyState === WebSocket.OPEN) for (const text of all) socket.send(text)
    })
    live.out = sent.catch((error) => {
      console.error(error)
      this.#close(socket, CLOSE_CODES.broken)
    })
  }

  /** Saves the state of a conversation, so that it survives hibernation. */
  keep(socket: WebSocket, { attached, link }: Live): void {
    if (link.state.role === 'receiver' && socket.readyState === WebSocket.OPEN)
      socket.serializeAttachment({ ...attached, link: link.state })
  }

  #close(socket: WebSocket, code: number, reason?: string): void {
    const live = this.#live.get(socket)
    if (live !== undefined) live.link.state.phase = 'over'
    this.#left(socket)
    socket.close(code, reason)
  }

  /** There are many sockets, and reading the state of each is slow, so the one found last time is tried first. */
  #socketOf(agent: string): WebSocket | undefined {
    const before = this.#found.get(agent)
    if (before !== undefined && isOpen(before, agent)) return before
    const socket = this.#ctx.getWebSockets().find((one) => isOpen(one, agent))
    if (socket === undefined) this.#found.delete(agent)
    else this.#found.set(agent, socket)
    return socket
  }

  async talkWith(agent: string): Promise<Talk | undefined> {
    const socket = this.#socketOf(agent) ?? this.#called.get(agent)
    if (socket === undefined) return undefined
    const live = await this.#liveOf(socket)
    const { state } = live.link
    if (state.phase !== 'open') return undefined
    const say = (messages: readonly Sending[]) => {
      live.link.compose(messages)
      this.keep(socket, live)
    }
    return { rate: state.peer!.rate, say }
  }

  /**
   * Begins a conversation to deliver what waits. It uses the same kind of link and the same checks, with the roles
   * reversed.
   */
  async call(agent: string): Promise<void> {
    if (this.#parts.speakers.isShutOut(agent))
      throw new PeerBlocked('AGP-135', 'the operator of this agent has not allowed it')
    const peer = await this.#parts.findPeer(agent)
    if ('kind' in peer) throw new Error(peer.detail)
    const { env, name, self } = this.#parts
    const patience = numberOf(env, 'STEP_PATIENCE_MS')
    const sign = (request: AgentRequest) => self.signRequest(request)
    const socket = await openChat({ env, name: name(), sign }, peer)
    const link: LinkState = { role: 'caller', phase: 'waiting', owed: 0 }
    const live = await this.#liveOf(socket, { link, sender: '', isInvited: true, since: Date.now() })
    this.#called.set(agent, socket)
    socket.accept()
    socket.addEventListener('message', ({ data }) => void this.receive(socket, data))
    // Messages received before the close still count, for example an error that the peer signed before it hung up.
    const left = () => {
      const over = () => this.#close(socket, CLOSE_CODES.normal)
      const late = setTimeout(over, patience)
      void live.judged.then(() => clearTimeout(late)).then(over)
    }
    socket.addEventListener('close', left)
    socket.addEventListener('error', left)
    live.link.greet(peer)
    setTimeout(
      () => live.link.state.phase === 'greeted' && this.#close(socket, CLOSE_CODES.policy, 'AGP-137'),
      patience,
    )
  }

  /** Ends a conversation. Nothing more is said in it: new messages begin another one. */
  async hangUp(agent: string): Promise<void> {
    const socket = this.#called.get(agent)
    const live = socket && this.#live.get(socket)
    if (live?.link.state.phase !== 'open') return
    this.#called.delete(agent)
    live.link.leave()
    live.link.state.phase = 'over'
    await live.out
    this.#close(socket!, CLOSE_CODES.normal)
  }

  /** Handles the end of a conversation that was begun here. */
  #left(socket: WebSocket): void {
    const [agent] = [...this.#called].find(([, one]) => one === socket) ?? []
    if (agent === undefined) return
    this.#called.delete(agent)
    void this.#parts.delivery().left(agent, reasonOf(this.#live.get(socket)?.told))
  }

  /** Disconnects every peer that may not speak any more: all of them when the agent is gone. */
  async cutOff(): Promise<void> {
    const { self, speakers } = this.#parts
    if (this.#ctx.getWebSockets().length === 0 && this.#called.size === 0) return
    const here = await self.speaker().catch(onlyGone)
    for (const socket of this.#ctx.getWebSockets()) {
      const { link, isInvited } = attachedTo(socket)
      const agent = link.phase === 'open' ? link.peer!.uri : undefined
      const isIn =
        here !== undefined &&
        (agent === undefined
          ? isInvited || !here.isPrivate
          : speakers.refusalOf(agent, isInvited, here.isPrivate) === undefined)
      if (!isIn) await this.#shutOut(socket)
    }
    for (const [agent, socket] of this.#called)
      if (here === undefined || speakers.isShutOut(agent)) await this.#shutOut(socket)
  }

  /** Closes a socket. A verified peer gets a signed error first, if this agent still exists and can sign one. */
  async #shutOut(socket: WebSocket): Promise<void> {
    const live = await this.#liveOf(socket).catch(onlyGone)
    if (live?.link.state.phase === 'open') {
      live.link.tell(NOT_LET_IN)
      live.link.state.phase = 'over'
      await live.out
    }
    this.#close(socket, CLOSE_CODES.policy, 'AGP-135')
  }

  /** Disconnects all peers that came with a token. They must reconnect with a valid one. */
  dismissInvited(): void {
    for (const socket of this.#ctx.getWebSockets())
      if (attachedTo(socket).isInvited) this.#close(socket, CLOSE_CODES.policy, 'AGP-135')
  }
}
