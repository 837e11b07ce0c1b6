// The sockets of one agent. What arrives on them becomes acts, which the agent's object performs. Sockets opened by
// others survive hibernation of the object; conversations begun here last until the waiting messages are delivered.

import { CLOSE_CODES, Link, type MessageFault, type OutgoingMessage } from 'blazon/agp'
import { Carrier, Room } from '../../bindings/agp/carrier.ts'
import { type Env, numberOf } from '../env.ts'
import { pause } from '../platform/runtime.ts'
import type { ObjectState, Socket } from '../platform/types.ts'
import { type AgentKnowledge, NOT_LET_IN } from './callers.ts'
import { onlyGone, openChat } from './self.ts'
import { attachedTo, type ConversationAct, isOpen, type LeftAct, type Live, type SocketState } from './sockets.ts'

/** The characters that wait on all sockets: an object has 128 MB. */
const MOST_WAITING = 1 << 24
/** Concurrent calls that are not answered yet. */
const MOST_CALLS = 8
/** Open conversations begun here. A peer that takes messages and never acknowledges them keeps one for four minutes. */
const MOST_CALLED = 256

/** Refusals because of the rate limit and for lack of room are not final. */
const LATER = ['AGP-134', 'AGP-136']

export class Conversations {
  readonly #ctx: ObjectState
  readonly #env: Env
  readonly #known: AgentKnowledge
  readonly #live = new WeakMap<Socket, Live>()
  /** Conversations begun here, by agent. The object doesn't hibernate while they last. */
  readonly #called = new Map<string, Socket>()
  /** The agents that are being called. */
  readonly #calling = new Set<string>()
  /** The socket on which each agent was last found, among those that others opened. */
  readonly #found = new Map<string, Socket>()
  readonly #room = new Room(MOST_WAITING)

  constructor(ctx: ObjectState, env: Env, known: AgentKnowledge) {
    this.#ctx = ctx
    this.#env = env
    this.#known = known
  }

  get called(): number {
    return this.#called.size
  }

  hasCalled(agent: string): boolean {
    return this.#called.has(agent)
  }

  isCalling(agent: string): boolean {
    return this.#calling.has(agent)
  }

  get isBusy(): boolean {
    return this.#calling.size >= MOST_CALLS || this.#called.size >= MOST_CALLED
  }

  async receive(socket: Socket, data: string | ArrayBuffer): Promise<readonly ConversationAct[]> {
    try {
      return (await (await this.#liveOf(socket)).carrier.receive(data)).flat()
    } catch (error) {
      console.error(error)
      return this.#close(socket, CLOSE_CODES.broken)
    }
  }

  async #actsOf(live: Live, act: Link.Act): Promise<readonly ConversationAct[]> {
    if (act.act === 'close') {
      await live.carrier.sent
      return this.#close(live.socket, act.code, act.diagnostic?.code)
    }
    const { phase, peer } = live.carrier.link.state
    const agent = peer!.uri
    if (act.act === 'open') return [this.#admitSocket(live.socket, agent)]
    if (act.act === 'acked') return [{ ...act, agent }]
    if (act.act === 'deliver') return [{ act: 'arrived', live, message: act.message, text: act.text }]
    if (phase !== 'open') live.told = act.code
    return [{ ...act, agent }]
  }

  /**
   * Each agent has one conversation that it opened itself, and possibly a second one, begun here to deliver what waits
   * for it.
   */
  #admitSocket(socket: Socket, agent: string): ConversationAct {
    const isOurs = this.#called.get(agent) === socket
    if (isOurs) this.#calling.delete(agent)
    else
      for (const other of this.#ctx.getWebSockets())
        if (other !== socket && isOpen(other, agent)) this.#close(other, CLOSE_CODES.replaced)
    return { act: 'opened', agent, isOurs }
  }

  async #liveOf(socket: Socket, begun?: SocketState): Promise<Live> {
    const { memory, findPeer, self, speakers } = this.#known
    const speaker = await self.speaker()
    const known = this.#live.get(socket)
    if (known !== undefined) return known
    const attached = begun ?? attachedTo(socket)
    const options = {
      memory,
      findPeer,
      sender: attached.sender,
      admit: async ({ uri }: { readonly uri: string }) =>
        speakers.refusalOf(uri, attached.isInvited, (await self.speaker()).isPrivate),
      clock: () => new Date(),
      skewMs: 0,
    }
    const link = new Link(speaker, options, attached.link)
    const carrier: Live['carrier'] = new Carrier(socket, link, {
      perform: (act) => this.#actsOf(live, act),
      refuse: ({ code }) => this.#close(socket, code),
      fail: (error) => {
        console.error(error)
        // If the conversation was begun here, the event of the socket ends it.
        this.#end(socket, CLOSE_CODES.broken)
      },
      // The state survives hibernation.
      save() {
        if (link.state.role === 'receiver' && socket.readyState === WebSocket.OPEN)
          socket.serializeAttachment({ ...attached, link: link.state })
      },
      room: this.#room,
    })
    const live: Live = { socket, carrier }
    this.#live.set(socket, live)
    return live
  }

  /** Acknowledges a stored message, or refuses it with a signed error. */
  answer({ carrier }: Live, id: string, fault: Pick<MessageFault, 'kind'> | undefined): void {
    carrier.say((link) => (fault === undefined ? link.ack(id) : link.tell(fault, id)))
  }

  say({ carrier }: Live, messages: readonly OutgoingMessage[]): void {
    carrier.say((link) => link.send(messages))
  }

  #end(socket: Socket, code: number, reason?: string): void {
    const live = this.#live.get(socket)
    if (live !== undefined) live.carrier.link.state.phase = 'over'
    socket.close(code, reason)
  }

  /** Closes a socket; returns the act for a conversation that was begun here. */
  #close(socket: Socket, code: number, reason?: string): LeftAct[] {
    this.#end(socket, code, reason)
    const [agent] = [...this.#called].find(([, one]) => one === socket) ?? []
    if (agent === undefined) return []
    this.#called.delete(agent)
    this.#calling.delete(agent)
    const { told } = this.#live.get(socket)!
    if (told === undefined) return [{ act: 'left', agent, reason: 'the conversation was cut' }]
    return [
      { act: 'left', agent, reason: `the other agent answered ${told}`, code: LATER.includes(told) ? undefined : told },
    ]
  }

  /** There are many sockets, and reading the state of each is slow, so the one found last time is tried first. */
  #socketOf(agent: string): Socket | undefined {
    const before = this.#found.get(agent)
    if (before !== undefined && isOpen(before, agent)) return before
    const socket = this.#ctx.getWebSockets().find((one) => isOpen(one, agent))
    if (socket === undefined) this.#found.delete(agent)
    else this.#found.set(agent, socket)
    return socket
  }

  /** The open conversation with an agent, if there is one. */
  async talkWith(agent: string): Promise<Live | undefined> {
    const socket = this.#socketOf(agent) ?? this.#called.get(agent)
    const live = socket && (await this.#liveOf(socket))
    return live?.carrier.link.state.phase === 'open' ? live : undefined
  }

  /**
   * Begins a conversation to deliver what waits, with the same kind of link and the same checks as one that others begin.
   * The caller listens to the returned socket, and accepts it.
   */
  async call(agent: string): Promise<Socket | LeftAct> {
    const { self, speakers, findPeer } = this.#known
    if (speakers.isShutOut(agent))
      return { act: 'left', agent, reason: 'the operator of this agent has not allowed it', code: 'AGP-135' }
    this.#calling.add(agent)
    try {
      const peer = await findPeer(agent)
      if ('kind' in peer) throw new Error(peer.detail)
      const socket = await openChat(this.#env, self, peer)
      const begun = { sender: '', isInvited: true, since: Date.now() }
      const live = await this.#liveOf(socket, { ...begun, link: { role: 'caller', phase: 'waiting', owed: 0 } })
      this.#called.set(agent, socket)
      live.carrier.say((link) => link.greet(peer))
      return socket
    } catch (error) {
      this.#calling.delete(agent)
      return { act: 'left', agent, reason: error instanceof Error ? error.message : String(error) }
    }
  }

  /** A called agent has not opened the conversation in time. */
  giveUp(agent: string, socket: Socket): readonly ConversationAct[] {
    const isLate = this.#calling.has(agent) && this.#called.get(agent) === socket
    return isLate ? this.#close(socket, CLOSE_CODES.policy, 'AGP-137') : []
  }

  /** The other agent has closed a socket. What arrived before still counts, for example a signed error. */
  async receiveClose(socket: Socket): Promise<readonly ConversationAct[]> {
    const enough = new AbortController()
    const late = pause(numberOf(this.#env, 'STEP_PATIENCE_MS'), enough.signal)
    await Promise.race([this.#live.get(socket)?.carrier.judged, late.catch(() => undefined)])
    enough.abort()
    return this.#close(socket, CLOSE_CODES.normal)
  }

  /** Ends a conversation that was begun here. Nothing more is said in it: new messages begin another one. */
  async hangUp(agent: string): Promise<void> {
    const socket = this.#called.get(agent)
    const live = socket && this.#live.get(socket)
    if (live?.carrier.link.state.phase !== 'open') return
    this.#called.delete(agent)
    const sent = live.carrier.leave()
    live.carrier.link.state.phase = 'over'
    await sent
    this.#end(live.socket, CLOSE_CODES.normal)
  }

  /** Disconnects every peer that may not speak any more: all of them when the agent is gone. */
  async cutOff(): Promise<readonly ConversationAct[]> {
    const { self, speakers } = this.#known
    const sockets = this.#ctx.getWebSockets()
    if (sockets.length === 0 && this.#called.size === 0) return []
    const here = await self.speaker().catch(onlyGone)
    const isOut = (socket: Socket) => {
      const { link, isInvited } = attachedTo(socket)
      if (here === undefined) return true
      if (link.phase !== 'open') return !isInvited && here.isPrivate
      return speakers.refusalOf(link.peer!.uri, isInvited, here.isPrivate) !== undefined
    }
    const called = [...this.#called].filter(([agent]) => here === undefined || speakers.isShutOut(agent))
    const out = [...sockets.filter(isOut), ...called.map(([, socket]) => socket)]
    return (await Promise.all(out.map((socket) => this.#shutOut(socket)))).flat()
  }

  /** Closes a socket. A verified peer gets a signed error first, if this agent still exists and can sign one. */
  async #shutOut(socket: Socket): Promise<readonly ConversationAct[]> {
    const live = await this.#liveOf(socket).catch(onlyGone)
    if (live?.carrier.link.state.phase === 'open') {
      live.carrier.say((link) => link.tell(NOT_LET_IN))
      live.carrier.link.state.phase = 'over'
      await live.carrier.sent
    }
    return this.#close(socket, CLOSE_CODES.policy, 'AGP-135')
  }

  /** Disconnects all peers that came with a token. They must reconnect with a valid one. */
  dismissInvited(): void {
    for (const socket of this.#ctx.getWebSockets())
      if (attachedTo(socket).isInvited) this.#end(socket, CLOSE_CODES.policy, 'AGP-135')
  }
}
