import { DurableObject } from 'cloudflare:workers'
import { CLOSE_CODES, countOne, type FindPeer, type LinkState, messageDigest } from 'blazon/agp'
import {
  FORGOTTEN,
  type GatewayObject,
  type Mode,
  type NamedAgent,
  type QueuedMessage,
  type StoredMessage,
  type Verdicts,
} from '../contracts/gateway.ts'
import { type Env, numberOf, type Serves } from '../env.ts'
import type { Proving } from '../gateway/callers.ts'
import { Chores } from '../gateway/chores.ts'
import { Conversations } from '../gateway/conversations.ts'
import { Delivery } from '../gateway/delivery.ts'
import { findPeers } from '../gateway/finding.ts'
import type { IncomingMessage } from '../gateway/live.ts'
import { OutboxStore } from '../gateway/outbox.ts'
import { onlyGone, Self } from '../gateway/self.ts'
import { closeUnproved, isFull, type SocketState } from '../gateway/sockets.ts'
import { FULL, REUSED, Speakers, type SpeakersState } from '../gateway/speakers.ts'
import { type GatewayState, stateOf } from '../gateway/state.ts'
import { GatewayStore } from '../gateway/store.ts'
import { TaskRpc } from '../gateway/task-rpc.ts'
import { AgentTasks } from '../gateway/tasks/agent-tasks.ts'
import { Problem } from '../http/problem.ts'

/** Messages that arrive within this time share one commit and one call for signatures. */
const TOGETHER_MS = 1

/** An answer to a task waits this long for the agent that gave the task. */
const DAY_MS = 86_400_000

/** The conversations of one agent. The object hibernates when no message comes, and its sockets stay open. */
export class Gateway extends DurableObject<Env> implements Serves<GatewayObject> {
  readonly #store: GatewayStore
  readonly #findPeer: FindPeer
  /** Looks up agents that `find` names. It has its own limits, so it takes nothing away from actual callers. */
  readonly #findNamed: FindPeer
  readonly #self: Self
  readonly #chores: Chores
  readonly #agentTasks: AgentTasks
  readonly #taskRpc: TaskRpc
  readonly #speakers: Speakers
  readonly #outbox: OutboxStore
  readonly #delivery: Delivery
  readonly #conversations: Conversations
  #arrived: IncomingMessage[] = []

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#store = new GatewayStore(state.storage.sql)
    this.#findPeer = findPeers(env)
    this.#findNamed = findPeers(env)
    this.#self = new Self(env, this.#name)
    this.#speakers = new Speakers(this.#store, state.storage.kv)
    this.#outbox = new OutboxStore(state.storage.sql)
    this.#conversations = new Conversations(state, {
      env,
      name: this.#name,
      self: this.#self,
      store: this.#store,
      speakers: this.#speakers,
      findPeer: this.#findPeer,
      delivery: () => this.#delivery,
      take: (arrived) => this.#take(arrived),
    })
    this.#delivery = new Delivery(this.#outbox, this.#conversations, () => this.#chores.plan())
    this.#agentTasks = new AgentTasks({
      env,
      storage: state.storage,
      self: this.#self,
      findPeer: this.#findPeer,
      say: (agent, utterance) =>
        this.#keepToSay({ id: crypto.randomUUID(), agent, utterance, until: Date.now() + DAY_MS }),
      plan: () => this.#chores.plan(),
    })
    const proving: Proving = {
      memory: this.#store,
      findPeer: this.#findPeer,
      admit: ({ uri }, isInvited) => this.#speakers.refusalOf(uri, isInvited),
      count: (caller) => this.#count(caller),
    }
    this.#taskRpc = new TaskRpc(proving, this.#agentTasks)
    this.#chores = new Chores(state.storage, [this.#delivery, ...this.#agentTasks.chores])
  }

  taskRpc(name: string): TaskRpc {
    this.ctx.storage.kv.put('name', name)
    return this.#taskRpc
  }

  /** Opens a WebSocket to this agent; answers 429 when there are too many. */
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    this.ctx.storage.kv.put('name', searchParams.get('name')!)
    const sender = searchParams.get('sender')!
    const patience = numberOf(this.env, 'STEP_PATIENCE_MS')
    if (isFull(this.ctx, sender, patience)) return new Response(null, { status: 429 })
    const { 0: theirs, 1: ours } = new WebSocketPair()
    this.ctx.acceptWebSocket(ours)
    const link: LinkState = { role: 'receiver', phase: 'waiting', owed: 0 }
    const isInvited = searchParams.has('invited')
    ours.serializeAttachment({ link, sender, isInvited, since: Date.now() } satisfies SocketState)
    setTimeout(() => closeUnproved(this.ctx, Date.now() - patience), patience)
    return new Response(null, { status: 101, webSocket: theirs })
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    await this.#conversations.receive(socket, data)
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    try {
      socket.close(code)
    } catch {
      // The runtime reports codes that must not be sent, such as 1005 for a close without a code. The close is answered
      // anyway.
      socket.close(CLOSE_CODES.normal)
    }
  }

  override webSocketError(socket: WebSocket): void {
    socket.close(CLOSE_CODES.broken)
  }

  override async alarm(): Promise<void> {
    await this.#chores.run(Date.now())
  }

  #take(arrived: IncomingMessage): void {
    this.#arrived.push(arrived)
    if (this.#arrived.length === 1) setTimeout(() => this.#commit(), TOGETHER_MS)
  }

  /**
   * Stores all messages that have arrived in one transaction. The runtime holds the acks back until they are on disk.
   */
  #commit(): void {
    const [all, now] = [this.#arrived, new Date()]
    this.#arrived = []
    const faults = this.ctx.storage.transactionSync(() => {
      this.#store.writeCounts()
      return all.map(({ live, message, text }) => {
        const agent = live.link.state.peer!.uri
        const { id } = message
        const digest = messageDigest(message)
        // Two copies may have arrived together.
        if (this.#store.has(agent, id))
          return (this.#store.digestOf(agent, id) ?? digest) === digest ? undefined : REUSED
        return this.#agentTasks.heard(agent, message) && this.#store.put(agent, { id, text, digest, now })
          ? undefined
          : FULL
      })
    })
    for (const [i, { socket, live, message }] of all.entries()) {
      const fault = faults[i]
      if (fault === undefined) live.link.ack([message.id])
      else live.link.tell(fault, message.id)
      this.#conversations.keep(socket, live)
    }
  }

  async #count(caller: string): Promise<number | undefined> {
    const own = await this.#self.speaker().catch(onlyGone)
    if (own === undefined) throw new Problem('not-found', 'No agent is published here.')
    const { advertised: rate } = own
    if (rate === undefined || countOne(this.#store, caller, { rate, now: new Date() })) return undefined
    return Math.ceil(60 / rate.requestsPerMinute)
  }

  readonly #name = (): string => this.ctx.storage.kv.get<string>('name')!

  messages(after: number, limit: number): StoredMessage[] {
    return this.#store.messages(after, limit)
  }

  removeThrough(seq: number): number {
    return this.#store.removeThrough(seq)
  }

  async say(name: string, message: QueuedMessage, mustBeHere: boolean) {
    this.ctx.storage.kv.put('name', name)
    const own = await this.#self.speaker().catch(onlyGone)
    if (own === undefined) return 'gone'
    if (message.agent === own.uri) return 'self'
    if (this.#speakers.isShutOut(message.agent)) return 'shut-out'
    if (mustBeHere && (await this.#conversations.talkWith(message.agent)) === undefined) return 'absent'
    return (await this.#keepToSay(message)) ? 'kept' : 'full'
  }

  async #keepToSay(message: QueuedMessage): Promise<boolean> {
    if (!this.#outbox.put(message, Date.now())) return false
    const begun = this.#delivery.begin(message.agent)
    await this.#chores.plan()
    // The alarm tries again.
    void begun.catch(console.error)
    return true
  }

  state(): GatewayState {
    const { mode } = this.#speakers
    return stateOf(this.ctx, {
      store: this.#store,
      outbox: this.#outbox,
      speakers: mode,
      called: this.#conversations.called,
      agentTasks: this.#agentTasks,
    })
  }

  async find(agent: string, sender: string): Promise<NamedAgent> {
    const found = await this.#findNamed(agent, { sender })
    const isInvited = this.#speakers.mode === 'invited'
    if ('kind' in found) return { isInvited, code: found.kind.code, reason: found.detail }
    return { isInvited, fingerprint: found.fingerprint }
  }

  speakers(): SpeakersState {
    return this.#speakers.state()
  }

  async letSpeak(mode: Mode | undefined, verdicts: Verdicts): Promise<boolean> {
    if (!this.#speakers.change(mode, verdicts)) return false
    await this.#conversations.cutOff()
    return true
  }

  async changed(): Promise<void> {
    this.#self.forget()
    await this.#conversations.cutOff()
  }

  dismissInvited(): void {
    this.#conversations.dismissInvited()
  }

  async forget(): Promise<void> {
    await this.changed()
    // Writes the pending counts now: later there would be no table for them.
    this.#store.writeCounts()
    await this.ctx.storage.deleteAll()
    await this.ctx.storage.sync()
    this.ctx.abort(FORGOTTEN)
  }
}
