import { DurableObject } from 'cloudflare:workers'
import { type FindPeer, Link, type LinkAct, type LinkState, type Message, type Sending } from 'blazon/agp'
import type { Env } from '../env.ts'
import { openChat } from '../gateway/call.ts'
import { Chores } from '../gateway/chores.ts'
import { Delivery, reasonOf, Unwanted } from '../gateway/delivery.ts'
import type { Desk } from '../gateway/desk.ts'
import { findPeers } from '../gateway/finding.ts'
import { type Kept, OutboxStore } from '../gateway/outbox.ts'
import { Self } from '../gateway/self.ts'
import { type Attached, attachedTo, closeUnproved, HANDSHAKE_MS, isFull, isOpen, POLICY } from '../gateway/sockets.ts'
import { FULL, type Mode, Speakers, type SpeakersState } from '../gateway/speakers.ts'
import { type GatewayState, stateOf } from '../gateway/state.ts'
import { GatewayStore, type StoredMessage, type Verdict } from '../gateway/store.ts'
import { Office } from '../gateway/tasks/office.ts'

/** Messages of one socket that wait to be judged. */
const MOST_WAITING = 256
/** What comes within it is one commit and one call for signatures. */
const TOGETHER_MS = 1

/** Answers to messages are kept so long for who gave a task. */
const DAY_MS = 86_400_000

const REPLACED = 4000
const LATER = 1013
const BROKEN = 1011
const NORMAL = 1000

interface Live {
  readonly link: Link
  readonly attached: Attached
  waiting: number
  out: Promise<unknown>
  /** The error that the other agent signed in place of a conversation. */
  told?: string
}

interface Arrived {
  readonly socket: WebSocket
  readonly live: Live
  readonly message: Message
  readonly text: string
}

/** The conversations of one agent. Nothing in it runs while nobody speaks, and its sockets stay when it is put away. */
export class Gateway extends DurableObject<Env> {
  readonly #store: GatewayStore
  readonly #live = new WeakMap<WebSocket, Live>()
  readonly #findPeer: FindPeer
  readonly #self: Self
  readonly #chores: Chores
  readonly #office: Office
  readonly #speakers: Speakers
  readonly #outbox: OutboxStore
  readonly #delivery: Delivery
  /** Conversations that were begun here, by agent: while these last, the object is not put away. */
  readonly #called = new Map<string, WebSocket>()
  #arrived: Arrived[] = []

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#store = new GatewayStore(state.storage.sql)
    this.#findPeer = findPeers(env)
    this.#self = new Self(env, this.#name)
    this.#speakers = new Speakers(this.#store, state.storage.kv)
    this.#outbox = new OutboxStore(state.storage.sql)
    this.#delivery = new Delivery(this.#outbox, {
      talkWith: (agent) => this.#talkWith(agent),
      call: (agent) => this.#call(agent),
      hangUp: (agent) => void this.#hangUp(agent),
      planned: () => this.#chores.plan(),
    })
    this.#office = new Office({
      env,
      storage: state.storage,
      self: this.#self,
      proving: {
        memory: this.#store,
        findPeer: this.#findPeer,
        admit: ({ uri }) => this.#speakers.refusalOf(uri, false),
      },
      say: (agent, utterance) =>
        this.#keepToSay({ id: crypto.randomUUID(), agent, utterance, until: Date.now() + DAY_MS }),
      plan: () => this.#chores.plan(),
    })
    this.#chores = new Chores(state.storage, [this.#delivery, ...this.#office.chores])
  }

  /** For requests over HTTP. */
  desk(name: string): Desk {
    this.ctx.storage.kv.put('name', name)
    return this.#office.desk
  }

  /** A WebSocket for this agent; 429 when too many are here already. */
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    this.ctx.storage.kv.put('name', searchParams.get('name')!)
    const sender = searchParams.get('sender')!
    if (isFull(this.ctx, sender)) return new Response(null, { status: 429 })
    const { 0: theirs, 1: ours } = new WebSocketPair()
    this.ctx.acceptWebSocket(ours)
    const link: LinkState = { role: 'receiver', phase: 'waiting', owed: 0 }
    const isInvited = searchParams.has('invited')
    ours.serializeAttachment({ link, sender, isInvited, since: Date.now() } satisfies Attached)
    setTimeout(() => closeUnproved(this.ctx, Date.now() - HANDSHAKE_MS), HANDSHAKE_MS)
    return new Response(null, { status: 101, webSocket: theirs })
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const live = await this.#liveOf(socket)
    if (typeof data !== 'string') return this.#close(socket, 1003)
    if (live.waiting >= MOST_WAITING) return this.#close(socket, LATER)
    live.waiting++
    try {
      for (const act of await live.link.receive(data)) await this.#perform(socket, live, act)
    } finally {
      live.waiting--
      this.#keep(socket, live)
    }
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // 1005 and 1006 say that there was no code: they cannot be sent.
    socket.close(code === 1005 || code === 1006 ? 1000 : code)
  }

  override webSocketError(socket: WebSocket): void {
    socket.close(BROKEN)
  }

  override async alarm(): Promise<void> {
    await this.#chores.run(Date.now())
  }

  async #perform(socket: WebSocket, live: Live, act: LinkAct): Promise<void> {
    if (act.act === 'open') await this.#opened(socket, live, act.peer)
    else if (act.act === 'acked') await this.#delivery.acked(live.link.state.peer!.uri, act.id)
    else if (act.act === 'told') this.#told(live, act)
    else if (act.act === 'deliver') this.#take({ socket, live, message: act.message, text: act.text })
    else if (act.act === 'close') {
      await live.out
      this.#close(socket, act.code, act.diagnostic?.code)
    }
  }

  /** An agent has one conversation, beside the one in which it is told what waited for it. */
  async #opened(socket: WebSocket, live: Live, agent: string): Promise<void> {
    this.#keep(socket, live)
    if (this.#called.get(agent) !== socket)
      for (const other of this.ctx.getWebSockets())
        if (other !== socket && isOpen(other, agent)) this.#close(other, REPLACED)
    await this.#delivery.opened(agent)
  }

  #told(live: Live, told: Extract<LinkAct, { readonly act: 'told' }>): void {
    if (live.link.state.phase !== 'open') live.told = told.error
    this.#delivery.told(live.link.state.peer!.uri, told.error, told)
  }

  #take(arrived: Arrived): void {
    this.#arrived.push(arrived)
    if (this.#arrived.length === 1) setTimeout(() => this.#commit(), TOGETHER_MS)
  }

  /** Everything that has come is stored at once. The runtime holds the acks back until it is on disk. */
  #commit(): void {
    const [all, now] = [this.#arrived, new Date()]
    this.#arrived = []
    const kept = this.ctx.storage.transactionSync(() =>
      all.map(({ live, message, text }) => {
        const agent = live.link.state.peer!.uri
        if (this.#store.has(agent, message.id)) return true
        return this.#office.heard(agent, message) && this.#store.put(agent, { id: message.id, text, now })
      }),
    )
    for (const [i, { socket, live, message }] of all.entries()) {
      if (kept[i] === true) live.link.ack([message.id])
      else live.link.tell(FULL, message.id)
      this.#keep(socket, live)
    }
  }

  async #liveOf(socket: WebSocket, begun?: Attached): Promise<Live> {
    const speaker = await this.#self.speaker()
    const known = this.#live.get(socket)
    if (known !== undefined) return known
    const attached = begun ?? attachedTo(socket)
    const live: Live = {
      attached,
      waiting: 0,
      out: Promise.resolve(),
      link: new Link(
        speaker,
        {
          memory: this.#store,
          findPeer: this.#findPeer,
          admit: ({ uri }) => this.#speakers.refusalOf(uri, attached.isInvited),
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
      for (const text of all) socket.send(text)
    })
    live.out = sent.catch((error) => {
      console.error(error)
      this.#close(socket, BROKEN)
    })
  }

  #keep(socket: WebSocket, { attached, link }: Live): void {
    if (link.state.role === 'receiver' && socket.readyState === WebSocket.OPEN)
      socket.serializeAttachment({ ...attached, link: link.state })
  }

  #close(socket: WebSocket, code: number, reason?: string): void {
    const live = this.#live.get(socket)
    if (live !== undefined) live.link.state.phase = 'over'
    socket.close(code, reason)
    this.#left(socket)
  }

  readonly #name = (): string => this.ctx.storage.kv.get<string>('name')!

  async #talkWith(agent: string) {
    const socket = this.ctx.getWebSockets().find((one) => isOpen(one, agent)) ?? this.#called.get(agent)
    if (socket === undefined) return undefined
    const live = await this.#liveOf(socket)
    const { state } = live.link
    if (state.phase !== 'open') return undefined
    const say = (messages: readonly Sending[]) => {
      live.link.compose(messages)
      this.#keep(socket, live)
    }
    return { rate: state.peer!.rate, say }
  }

  /** Begins a conversation to deliver what waits: the same link, the same questions, in the other role. */
  async #call(agent: string): Promise<void> {
    if (this.#speakers.isShutOut(agent)) throw new Unwanted('AGP-135', 'the operator of this agent has not let it in')
    const peer = await this.#findPeer(agent)
    if ('kind' in peer) throw new Error(peer.detail)
    const socket = await openChat(this.env, this.#name(), peer)
    const link: LinkState = { role: 'caller', phase: 'waiting', owed: 0 }
    const live = await this.#liveOf(socket, { link, sender: '', isInvited: true, since: Date.now() })
    this.#called.set(agent, socket)
    socket.accept()
    socket.addEventListener('message', ({ data }) => void this.webSocketMessage(socket, data))
    socket.addEventListener('close', () => this.#close(socket, NORMAL))
    socket.addEventListener('error', () => this.#left(socket))
    live.link.greet(peer)
    setTimeout(() => live.link.state.phase === 'greeted' && this.#close(socket, POLICY, 'AGP-137'), HANDSHAKE_MS)
  }

  async #hangUp(agent: string): Promise<void> {
    const socket = this.#called.get(agent)
    const live = socket && this.#live.get(socket)
    if (live?.link.state.phase !== 'open') return
    live.link.leave()
    await live.out
    this.#close(socket!, NORMAL)
  }

  /** A conversation that was begun here is over. */
  #left(socket: WebSocket): void {
    const [agent] = [...this.#called].find(([, one]) => one === socket) ?? []
    if (agent === undefined) return
    this.#called.delete(agent)
    void this.#delivery.left(agent, reasonOf(this.#live.get(socket)?.told))
  }

  messages(after: number, limit: number): StoredMessage[] {
    return this.#store.messages(after, limit)
  }

  removeThrough(seq: number): number {
    return this.#store.removeThrough(seq)
  }

  /** Takes what is to be said, to disk; it is on its way when this object has a moment. */
  async say(
    name: string,
    message: Kept,
    mustBeHere: boolean,
  ): Promise<'kept' | 'absent' | 'self' | 'shut-out' | 'full'> {
    this.ctx.storage.kv.put('name', name)
    if (message.agent === (await this.#self.speaker()).uri) return 'self'
    if (this.#speakers.isShutOut(message.agent)) return 'shut-out'
    if (mustBeHere && (await this.#talkWith(message.agent)) === undefined) return 'absent'
    return (await this.#keepToSay(message)) ? 'kept' : 'full'
  }

  async #keepToSay(message: Kept): Promise<boolean> {
    if (!this.#outbox.put(message, Date.now())) return false
    await this.#chores.plan()
    return true
  }

  state(): GatewayState {
    const { mode } = this.#speakers
    return stateOf(this.ctx, {
      store: this.#store,
      outbox: this.#outbox,
      speakers: mode,
      called: this.#called.size,
      office: this.#office,
    })
  }

  speakers(): SpeakersState {
    return this.#speakers.state()
  }

  /** Who is blocked is cut off at once. False when there is no room for more names. */
  letSpeak(mode: Mode | undefined, verdicts: readonly (readonly [agent: string, verdict: Verdict | null])[]): boolean {
    if (!this.#speakers.change(mode, verdicts)) return false
    for (const socket of this.ctx.getWebSockets()) {
      const { link, isInvited } = attachedTo(socket)
      if (link.phase === 'open' && this.#speakers.refusalOf(link.peer!.uri, isInvited) !== undefined)
        this.#close(socket, POLICY, 'AGP-135')
    }
    for (const [agent, socket] of this.#called)
      if (this.#speakers.isShutOut(agent)) this.#close(socket, POLICY, 'AGP-135')
    return true
  }
}
