import { CLOSE_CODES, type FindPeer, type MessageDraft, messageDigest } from 'blazon/agp'
import { AGP_FULL, AGP_REPLAYED } from '../../bindings/agp/findings.ts'
import type { QueuedMessage } from '../../bindings/agp/outbox.ts'
import { FORGOTTEN, type GatewayObject, type Mode, type NamedAgent, type Verdicts } from '../contracts/gateway.ts'
import { type Env, numberOf } from '../env.ts'
import { AgentMemory, Speakers } from '../gateway/callers.ts'
import { Conversations } from '../gateway/conversations.ts'
import { findPeers } from '../gateway/finding.ts'
import { Alarm, Messages } from '../gateway/outbox.ts'
import { onlyGone, Self } from '../gateway/self.ts'
import {
  acceptCaller,
  type ConversationAct,
  isFull,
  type LeftAct,
  type Live,
  socketsIn,
  watchUnproved,
} from '../gateway/sockets.ts'
import { AgentTasks, Sweep } from '../gateway/tasks/agent-tasks.ts'
import { Notifications } from '../gateway/tasks/tasks.ts'
import type { Page } from '../http/query.ts'
import { StoredObject } from '../platform/objects.ts'
import type { ObjectState, Serves, Socket } from '../platform/types.ts'
import { bytesOf, Log } from '../storage/log.ts'

/** Messages that nobody has taken yet. */
const INBOX = { rows: 10_000, bytes: 64 << 20 }
/** Messages that arrive within this time share one commit and one call for signatures. */
const TOGETHER_MS = 1
/** How long a call may take until it is open or has failed. */
const CALL_MS = 60_000
/** The pause before the next call when no further one can begin. */
const BUSY_MS = 1000
/** Agents handled in one run of the alarm, so that the object stays responsive. */
const MOST_AT_ONCE = 64
/** Time to keep a conversation open for an immediate reply. */
const LINGER_MS = 2000

type Arrived = Extract<ConversationAct, { readonly act: 'arrived' }>

/**
 * The conversations of one agent. The object hibernates when no message comes, and its sockets stay open.
 *
 * A text on a socket becomes acts (Conversations). The object performs them: it stores messages, and then acknowledges
 * them. What it sends waits in an outbox, which says what goes when.
 */
export class Gateway extends StoredObject<Env> implements Serves<GatewayObject> {
  readonly #self: Self
  readonly #memory: AgentMemory
  readonly #inbox: Log
  readonly #messages: Messages
  readonly #speakers: Speakers
  readonly #conversations: Conversations
  readonly #alarm: Alarm
  readonly #tasks: AgentTasks
  /** Looks up agents that `find` names. It has its own limits, so it takes nothing away from actual callers. */
  readonly #findNamed: FindPeer
  #arrived: Arrived[] = []

  constructor(state: ObjectState, env: Env) {
    super(state, env)
    const { sql, kv } = state.storage
    this.#self = new Self(env, kv)
    this.#memory = new AgentMemory(sql)
    this.#inbox = new Log(sql, 'messages', INBOX)
    this.#messages = new Messages(sql, 'outbox')
    this.#speakers = new Speakers(this.#memory, kv)
    this.#findNamed = findPeers(env)
    const known = { self: this.#self, memory: this.#memory, speakers: this.#speakers, findPeer: findPeers(env) }
    this.#conversations = new Conversations(state, env, known)
    const [notifications, sweep] = [new Notifications(sql, 'notifications'), new Sweep(state.storage)]
    this.#alarm = new Alarm(state.storage, [this.#messages, notifications, sweep])
    const queues = { messages: this.#messages, notifications, sweep, alarm: this.#alarm }
    this.#tasks = new AgentTasks(state.storage, env, { ...known, ...queues })
  }

  taskRpc(name: string): AgentTasks {
    this.#self.name = name
    return this.#tasks
  }

  /** Opens a WebSocket to this agent; answers 429 when there are too many. */
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    this.#self.name = searchParams.get('name')!
    const caller = { sender: searchParams.get('sender')!, isInvited: searchParams.has('invited') }
    const patience = numberOf(this.env, 'STEP_PATIENCE_MS')
    if (isFull(this.ctx, caller.sender, patience)) return new Response(null, { status: 429 })
    watchUnproved(this.ctx, patience)
    return acceptCaller(this.ctx, caller)
  }

  override async webSocketMessage(socket: Socket, data: string | ArrayBuffer): Promise<void> {
    await this.#perform(await this.#conversations.receive(socket, data))
  }

  override webSocketClose(socket: Socket, code: number): void {
    try {
      socket.close(code)
    } catch {
      // The runtime reports codes that must not be sent, such as 1005 for a close without a code. The close is answered
      // anyway.
      socket.close(CLOSE_CODES.normal)
    }
  }

  override webSocketError(socket: Socket): void {
    socket.close(CLOSE_CODES.broken)
  }

  /** Work that fails does not stop the other. */
  override async alarm(): Promise<void> {
    const now = Date.now()
    const work = [this.#deliver(now), this.#tasks.notify(now), this.#tasks.sweep(now)]
    const ended = await Promise.allSettled(work)
    for (const one of ended) if (one.status === 'rejected') console.error(one.reason)
    await this.#alarm.plan()
  }

  async #perform(acts: readonly ConversationAct[]): Promise<void> {
    for (const act of acts) {
      if (act.act === 'arrived') this.#take(act)
      else if (act.act === 'left') await this.#handleLeft(act)
      else await this.#handle(act)
    }
  }

  async #handle(act: Exclude<ConversationAct, Arrived | LeftAct>): Promise<void> {
    const { agent } = act
    if (act.act === 'told') this.#messages.outbox.takeError(agent, act, Date.now())
    else if (act.act === 'acked' && !this.#messages.outbox.acknowledge(agent, act.id)) return
    else if (act.act === 'opened') this.#messages.outbox.reopen(agent)
    if (act.act === 'opened' && act.isOurs) this.#messages.heldUntil = 0
    // The waiting messages may have been delivered in another conversation meanwhile.
    if (this.#messages.recipient(agent) === undefined) this.#hangUpSoon(agent)
    else if (act.act === 'told') await this.#alarm.plan()
    else await this.#reach(agent, Date.now())
  }

  #take(arrived: Arrived): void {
    this.#arrived.push(arrived)
    if (this.#arrived.length === 1) setTimeout(() => this.#commit(), TOGETHER_MS)
  }

  /**
   * Stores all messages that have arrived in one transaction. The runtime holds the acks back until they are on disk.
   */
  #commit(): void {
    const [all, now] = [this.#arrived, new Date()]
    this.#arrived = []
    const faults = this.store.transactionSync(() => {
      this.#memory.writeCounts()
      return all.map((arrived) => this.#store(arrived, now))
    })
    for (const [i, { live, message }] of all.entries()) this.#conversations.answer(live, message.id, faults[i])
    void this.#alarm.plan().catch(console.error)
  }

  #store({ live, message, text }: Arrived, now: Date) {
    const agent = live.carrier.link.state.peer!.uri
    const { id } = message
    const digest = messageDigest(message)
    // Two copies may have arrived together.
    if (this.#memory.has(agent, id))
      return (this.#memory.digestOf(agent, id) ?? digest) === digest ? undefined : { kind: AGP_REPLAYED }
    const isStored =
      this.#tasks.takeMessage(agent, message) &&
      this.#inbox.hasRoom(bytesOf(text)) &&
      this.#memory.add(agent, id, now, digest) &&
      this.#inbox.append({ at: now.getTime(), about: agent, text })
    return isStored ? undefined : { kind: AGP_FULL }
  }

  /** Delivers what is due, and gives up what has expired. */
  async #deliver(now: number): Promise<void> {
    for (const agent of this.#messages.outbox.expire(now)) this.#hangUpSoon(agent)
    if (now < this.#messages.heldUntil) return
    await Promise.all(this.#messages.due(now, MOST_AT_ONCE).map((agent) => this.#reach(agent, now)))
  }

  /** If it fails or the object hibernates meanwhile, the alarm tries again. */
  async #reach(agent: string, now: number): Promise<void> {
    this.#messages.plan(agent, now + CALL_MS)
    const live = await this.#conversations.talkWith(agent)
    if (live !== undefined) this.#send(agent, live, now)
    else if (!this.#conversations.isCalling(agent)) this.#begin(agent, now)
    await this.#alarm.plan()
  }

  #send(agent: string, live: Live, now: number): void {
    const batch = this.#messages.outbox.batch(agent, live.carrier.link.state.peer!.rate, now)
    if (batch.length > 0) this.#conversations.say(live, batch)
  }

  /** Starts a call without waiting for it. */
  #begin(agent: string, now: number): void {
    if (!this.#conversations.isBusy) return void this.#call(agent)
    this.#messages.heldUntil = now + BUSY_MS
    this.#messages.plan(agent, now + BUSY_MS)
  }

  async #call(agent: string): Promise<void> {
    const socket = await this.#conversations.call(agent)
    if ('act' in socket) return this.#handleLeft(socket)
    const gone = async () => this.#perform(await this.#conversations.receiveClose(socket))
    socket.addEventListener('message', ({ data }) => void this.webSocketMessage(socket, data))
    socket.addEventListener('close', () => void gone())
    socket.addEventListener('error', () => void gone())
    socket.accept()
    const giveUp = () => this.#perform(this.#conversations.giveUp(agent, socket))
    setTimeout(() => void giveUp(), numberOf(this.env, 'STEP_PATIENCE_MS'))
  }

  async #handleLeft({ agent, reason, code }: LeftAct): Promise<void> {
    this.#messages.heldUntil = 0
    const now = Date.now()
    if (code !== undefined) this.#messages.outbox.end(agent, { outcome: 'refused', at: now, code, detail: reason })
    // The call counts as failed only if the agent has no other open conversation.
    else if ((await this.#conversations.talkWith(agent)) === undefined) this.#messages.outbox.failed(agent, reason, now)
    await this.#alarm.plan()
  }

  #hangUpSoon(agent: string): void {
    if (!this.#conversations.hasCalled(agent)) return
    const isDone = () => this.#messages.recipient(agent) === undefined
    setTimeout(() => isDone() && void this.#conversations.hangUp(agent), LINGER_MS)
  }

  messages(page: Page) {
    return this.#inbox.read(page)
  }

  removeThrough(seq: number): number {
    return this.#inbox.removeThrough(seq)
  }

  async say(name: string, message: QueuedMessage<MessageDraft>, mustBeHere: boolean) {
    this.#self.name = name
    const own = await this.#self.speaker().catch(onlyGone)
    const { to } = message
    if (own === undefined) return 'gone'
    if (to === own.uri) return 'self'
    if (this.#speakers.isShutOut(to)) return 'shut-out'
    if (mustBeHere && (await this.#conversations.talkWith(to)) === undefined) return 'absent'
    if (!this.#messages.hasRoom(message)) return 'full'
    const now = Date.now()
    this.#messages.add(message, now)
    // Sends it now if possible. The alarm covers the other cases, but other work may delay it for seconds.
    if (this.#messages.recipient(to)!.due <= now) void this.#reach(to, now).catch(console.error)
    await this.#alarm.plan()
    return 'kept'
  }

  state() {
    const { rows, bytes } = this.#inbox.size
    return {
      ...socketsIn(this.ctx),
      called: this.#conversations.called,
      messages: rows,
      bytes,
      ids: this.#memory.ids,
      speakers: this.#speakers.mode,
      ...this.#messages.state,
      tasks: this.#tasks.state,
    }
  }

  async find(agent: string, sender: string): Promise<NamedAgent> {
    const found = await this.#findNamed(agent, { sender })
    const isInvited = this.#speakers.mode === 'invited'
    if ('kind' in found) return { isInvited, code: found.kind.code, reason: found.detail }
    return { isInvited, fingerprint: found.fingerprint }
  }

  speakers() {
    return this.#speakers.state()
  }

  async letSpeak(mode: Mode | undefined, verdicts: Verdicts): Promise<boolean> {
    if (!this.#speakers.change(mode, verdicts)) return false
    await this.#perform(await this.#conversations.cutOff())
    return true
  }

  async changed(): Promise<void> {
    this.#self.forget()
    await this.#perform(await this.#conversations.cutOff())
  }

  dismissInvited(): void {
    this.#conversations.dismissInvited()
  }

  async forget(): Promise<void> {
    await this.changed()
    // Writes the pending counts now: later there would be no table for them.
    this.#memory.writeCounts()
    await this.store.deleteAll()
    await this.store.sync()
    this.ctx.abort(FORGOTTEN)
  }
}
