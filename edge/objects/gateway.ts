import { DurableObject } from 'cloudflare:workers'
import {
  type FindPeer,
  Link,
  type LinkAct,
  type LinkState,
  type Message,
  type MessageFault,
  type Peer,
  type Sending,
} from 'blazon/agp'
import type { Env } from '../env.ts'
import { type Chore, Chores } from '../gateway/chores.ts'
import type { Desk } from '../gateway/desk.ts'
import { findPeers } from '../gateway/finding.ts'
import { Self } from '../gateway/self.ts'
import { type Attached, attachedTo, closeUnproved, HANDSHAKE_MS, isFull, isOpen, POLICY } from '../gateway/sockets.ts'
import { GatewayStore, type StoredMessage, type Verdict } from '../gateway/store.ts'
import { Office } from '../gateway/tasks/office.ts'

/** Messages of one socket that wait to be judged. */
const MOST_WAITING = 256
/** What comes within it is one commit and one call for signatures. */
const TOGETHER_MS = 1
const MOST_LISTED = 100

const REPLACED = 4000
const LATER = 1013
const BROKEN = 1011

/** Who may speak: anyone who is proved, or only those whom the operator has named. */
export type Speakers = 'anyone' | 'list'

export interface GatewayState {
  readonly sockets: number
  readonly unproved: number
  readonly messages: number
  readonly bytes: number
  readonly ids: number
  readonly speakers: Speakers
  readonly tasks: Office['state']
  readonly conversations: readonly { readonly agent: string; readonly since: string; readonly strict: boolean }[]
}

interface Live {
  readonly link: Link
  readonly attached: Attached
  waiting: number
  out: Promise<unknown>
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
  #arrived: Arrived[] = []

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#store = new GatewayStore(state.storage.sql)
    this.#findPeer = findPeers(env)
    this.#self = new Self(env, () => state.storage.kv.get<string>('name')!)
    this.#office = new Office({
      env,
      storage: state.storage,
      self: this.#self,
      proving: { memory: this.#store, findPeer: this.#findPeer, admit: (peer) => this.#admit(peer) },
      say: (to, message) => this.say(to, message),
      plan: () => this.#chores.plan(),
    })
    const chores: Chore[] = [...this.#office.chores]
    this.#chores = new Chores(state.storage, chores)
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
    ours.serializeAttachment({ link, sender, since: Date.now() } satisfies Attached)
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
    if (act.act === 'open') this.#opened(socket, act.peer)
    else if (act.act === 'deliver') this.#take({ socket, live, message: act.message, text: act.text })
    else if (act.act === 'close') {
      await live.out
      this.#close(socket, act.code, act.diagnostic?.code)
    }
  }

  /** An agent has one conversation. */
  #opened(socket: WebSocket, agent: string): void {
    for (const other of this.ctx.getWebSockets())
      if (other !== socket && isOpen(other, agent)) this.#close(other, REPLACED)
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

  async #liveOf(socket: WebSocket): Promise<Live> {
    const speaker = await this.#self.speaker()
    const known = this.#live.get(socket)
    if (known !== undefined) return known
    const attached = attachedTo(socket)
    const live: Live = {
      attached,
      waiting: 0,
      out: Promise.resolve(),
      link: new Link(
        speaker,
        {
          memory: this.#store,
          findPeer: this.#findPeer,
          admit: (peer) => this.#admit(peer),
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
    if (socket.readyState === WebSocket.OPEN) socket.serializeAttachment({ ...attached, link: link.state })
  }

  #close(socket: WebSocket, code: number, reason?: string): void {
    const live = this.#live.get(socket)
    if (live !== undefined) live.link.state.phase = 'over'
    socket.close(code, reason)
  }

  #admit({ uri }: Peer): MessageFault | undefined {
    const verdict = this.#store.verdict(uri)
    const isIn = verdict === undefined ? this.#speakers() === 'anyone' : verdict === 'allowed'
    if (!isIn) return NOT_LET_IN
    return this.#store.hasRoomFor(uri) ? undefined : { ...NOT_LET_IN, ...FULL }
  }

  #speakers(): Speakers {
    return this.ctx.storage.kv.get<Speakers>('speakers') ?? 'anyone'
  }

  state(): GatewayState {
    const sockets = this.ctx.getWebSockets().map(attachedTo)
    const open = sockets.filter(({ link }) => link.phase === 'open')
    return {
      sockets: sockets.length,
      unproved: sockets.length - open.length,
      ...this.#store.size,
      speakers: this.#speakers(),
      tasks: this.#office.state,
      conversations: open.slice(0, MOST_LISTED).map(({ link, since }) => ({
        agent: link.peer!.uri,
        since: new Date(since).toISOString(),
        strict: link.strict !== undefined,
      })),
    }
  }

  messages(after: number, limit: number): StoredMessage[] {
    return this.#store.messages(after, limit)
  }

  removeThrough(seq: number): number {
    return this.#store.removeThrough(seq)
  }

  /** Says something to an agent that is here; false when it is not. */
  async say(to: string, message: Sending): Promise<boolean> {
    const socket = this.ctx.getWebSockets().find((one) => isOpen(one, to))
    if (socket === undefined) return false
    const live = await this.#liveOf(socket)
    live.link.compose([message])
    this.#keep(socket, live)
    await live.out
    return true
  }

  speakers(): { readonly speakers: Speakers; readonly allowed: string[]; readonly blocked: string[] } {
    const [allowed, blocked] = [this.#store.judged('allowed'), this.#store.judged('blocked')]
    return { speakers: this.#speakers(), allowed, blocked }
  }

  /** Who is blocked is cut off at once. False when there is no room for more names. */
  letSpeak(
    speakers: Speakers | undefined,
    verdicts: readonly (readonly [agent: string, verdict: Verdict | null])[],
  ): boolean {
    if (!verdicts.every(([agent]) => this.#store.hasRoomFor(agent))) return false
    if (speakers !== undefined) this.ctx.storage.kv.put('speakers', speakers)
    for (const [agent, verdict] of verdicts) this.#store.judge(agent, verdict)
    for (const socket of this.ctx.getWebSockets()) {
      const { peer, phase } = attachedTo(socket).link
      if (phase === 'open' && this.#admit({ uri: peer!.uri } as Peer) !== undefined)
        this.#close(socket, POLICY, 'AGP-135')
    }
    return true
  }
}

const finding = (code: string, title: string) =>
  ({ id: 'agp/gateway', code, title, section: 'docs/edge.md', severity: 'error' }) as const
const FULL = { kind: finding('AGP-136', 'No room for more messages') }
const NOT_LET_IN: MessageFault = {
  kind: finding('AGP-135', 'Agent that may not speak here'),
  pointer: '/from',
  detail: 'the operator of the agent has not let it in',
}
