// The tasks of an agent: the methods of its object for requests over HTTP, which the Worker calls, and what runs on the
// alarm.

import { type Message, sendRequest } from 'blazon/agp'
import { parseJson } from 'blazon/document'
import { AGP_UNTAKEN } from '../../../bindings/agp/findings.ts'
import type { Outcome, TaskMethods, TaskSettings, TaskState } from '../../contracts/gateway.ts'
import { type Env, numberOf } from '../../env.ts'
import { objectIn } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import type { Page } from '../../http/query.ts'
import { catchProblem, type ObjectAnswer, type SentRequest } from '../../http/relay.ts'
import { RpcTarget } from '../../platform/objects.ts'
import type { Store, Values } from '../../platform/types.ts'
import { type AgentKnowledge, type Caller, Callers } from '../callers.ts'
import type { Alarm, Messages } from '../outbox.ts'
import type { Self } from '../self.ts'
import { isOver, TaskStore } from './store.ts'
import { Swarms } from './swarm.ts'
import {
  DelegatedTasks,
  delegatedTaskView,
  keepSettings,
  type Notification,
  type Notifications,
  notificationIn,
  ownTaskView,
  SERVICE,
  settingsIn,
  Tasks,
  taskView,
} from './tasks.ts'

/** The interval between sweeps for old and late tasks, while there are any. */
const SWEEP_MS = 3_600_000
const ANSWER_BYTES = 262_144

/** When old and late tasks are swept next. */
export class Sweep {
  readonly #storage: Store

  constructor(storage: Store) {
    this.#storage = storage
  }

  get nextDue(): number | undefined {
    const { kv, sql } = this.#storage
    const isEmpty = sql.exec('SELECT 1 FROM tasks UNION ALL SELECT 1 FROM given LIMIT 1').toArray().length === 0
    return isEmpty ? undefined : (kv.get<number>('swept') ?? 0) + SWEEP_MS
  }

  done(now: number): void {
    this.#storage.kv.put('swept', now)
  }
}

interface Queues {
  readonly messages: Messages
  readonly notifications: Notifications
  readonly sweep: Sweep
  readonly alarm: Alarm
}

export class AgentTasks extends RpcTarget implements TaskMethods {
  readonly #kv: Values
  readonly #queues: Queues
  readonly #callers: Callers
  readonly #store: TaskStore
  readonly #tasks: Tasks
  readonly #delegated: DelegatedTasks
  readonly #swarms: Swarms
  readonly #notifier: Notifier

  constructor({ sql, kv }: Store, env: Env, known: AgentKnowledge & Queues) {
    super()
    this.#kv = kv
    this.#queues = known
    this.#callers = new Callers(known)
    this.#store = new TaskStore(sql)
    this.#tasks = new Tasks(kv, this.#store, known)
    this.#delegated = new DelegatedTasks(sql, kv, known)
    this.#swarms = new Swarms(sql)
    const sources = { ...known, store: this.#store, tasks: this.#tasks, delegated: this.#delegated }
    this.#notifier = new Notifier(env, sources)
  }

  prove(sent: SentRequest) {
    return catchProblem(async () => (await this.#callers.signer(sent)).uri)
  }

  give(sent: SentRequest) {
    return this.#change(async () => taskView(await this.#tasks.give(sent, await this.#caller(sent))))
  }

  read(sent: SentRequest, id: string) {
    return catchProblem(async () => taskView(this.#tasks.findFor(id, await this.#caller(sent))))
  }

  cancel(sent: SentRequest, id: string) {
    return catchProblem(async () => taskView(this.#tasks.cancel(this.#tasks.findFor(id, await this.#caller(sent)))))
  }

  answer(sent: SentRequest, id: string | null) {
    return this.#change(async () => this.#answer(sent.body, id, await this.#callers.agent(sent)))
  }

  join(sent: SentRequest) {
    return catchProblem(async () => this.#swarms.join(sent.body, await this.#callers.agent(sent)))
  }

  leave(sent: SentRequest) {
    return catchProblem(async () => this.#swarms.leave(sent.body, await this.#callers.agent(sent)))
  }

  members(sent: SentRequest, task: string, role: string | null) {
    return catchProblem(async () => this.#swarms.members(task, role, await this.#callers.agent(sent)))
  }

  /** The operator's methods, from here on. */
  async list(page: Page, state: TaskState | undefined) {
    return this.#store.list(page, state).map(ownTaskView)
  }

  find(id: string) {
    return catchProblem(() => ownTaskView(this.#tasks.find(id)))
  }

  async take() {
    const row = this.#store.take(Date.now())
    return row === undefined ? null : ownTaskView(row)
  }

  move(id: string, state: TaskState, outcome: Outcome | null) {
    return this.#change(() => ownTaskView(this.#tasks.move(id, state, outcome)))
  }

  giveTo(body: Uint8Array) {
    return this.#change(async () => delegatedTaskView(await this.#delegated.give(body)))
  }

  async listDelegated(page: Page) {
    return this.#delegated.list(page).map(delegatedTaskView)
  }

  async settings() {
    return settingsIn(this.#kv)
  }

  async set(settings: TaskSettings) {
    return keepSettings(this.#kv, settings)
  }

  async swarms() {
    return this.#swarms.all()
  }

  async membersOf(task: string, role: string | null) {
    return this.#swarms.of(task, role)
  }

  /** Takes a message; one of type `task` may bring a task. Returns false when there is no room for it. */
  takeMessage(agent: string, message: Message): boolean {
    return message.type !== 'task' || this.#tasks.takeMessage(agent, message)
  }

  /** Sends the notifications that are due. */
  notify(now: number): Promise<void> {
    return this.#notifier.run(now)
  }

  /** Fails overdue tasks, and forgets old ones. */
  async sweep(now: number): Promise<void> {
    const { sweep } = this.#queues
    if (sweep.nextDue === undefined || sweep.nextDue > now) return
    sweep.done(now)
    this.#tasks.sweep(now)
    this.#delegated.sweep(now)
    this.#swarms.sweep(now)
  }

  get state() {
    return { ...this.#store.size, outbox: this.#queues.notifications.state }
  }

  #caller(sent: SentRequest): Promise<Caller> {
    return this.#callers.caller(sent, settingsIn(this.#kv).anonymous)
  }

  /** Runs a change, and sets the alarm for what it has queued. */
  #change<Value>(work: () => Value | Promise<Value>): Promise<ObjectAnswer<Value>> {
    return catchProblem(async () => {
      const value = await work()
      await this.#queues.alarm.plan()
      return value
    })
  }

  /**
   * Takes a result from the agent that the task was given to. The address of the request names the task, or else its
   * member `of`.
   */
  #answer(body: Uint8Array, named: string | null, caller: Caller): null {
    if (body.length > ANSWER_BYTES)
      throw new Problem('body-too-large', `A result may have at most ${ANSWER_BYTES} bytes.`, {
        members: { limit: ANSWER_BYTES },
      })
    const members = objectIn(body)
    const id = named ?? members['of']
    if (typeof id !== 'string') throw new Problem('bad-request', 'Expected the id of the task as the member of.')
    this.#delegated.answer(id, caller, JSON.stringify(members))
    return null
  }
}

// What an agent sends over HTTP, with retries until it arrives: results, tasks for others, notices to its own program.
// Notifications are signed by the agent, never go to an internal address, and follow no redirects.

const AT_ONCE = 8
const GONE = 410
const LONGEST_REASON = 200

/** Why a try failed. */
interface Failure {
  readonly reason: string
  readonly isFinal: boolean
}

const DELETED: Failure = { reason: 'the task was deleted', isFinal: true }

interface Sources {
  readonly notifications: Notifications
  readonly self: Self
  readonly store: TaskStore
  readonly tasks: Tasks
  readonly delegated: DelegatedTasks
}

class Notifier {
  readonly #env: Env
  readonly #sources: Sources

  constructor(env: Env, sources: Sources) {
    this.#env = env
    this.#sources = sources
  }

  async run(now: number): Promise<void> {
    const { notifications } = this.#sources
    notifications.outbox.expire(now)
    await Promise.all(notifications.due(now, AT_ONCE).map((to) => this.#try(to, now)))
  }

  async #try(to: string, now: number): Promise<void> {
    const { outbox } = this.#sources.notifications
    const [message] = outbox.batch(to, undefined, now)
    if (message === undefined) return
    const failure = await this.#deliver(notificationIn(to))
    if (failure === undefined) return void outbox.acknowledge(to, message.id)
    const [at, detail] = [Date.now(), failure.reason.slice(0, LONGEST_REASON)]
    outbox.failed(to, detail, at)
    if (failure.isFinal) outbox.end(to, { outcome: 'undelivered', at, code: AGP_UNTAKEN.code, detail })
  }

  async #deliver(notification: Notification): Promise<Failure | undefined> {
    try {
      if (notification.kind === 'result') return await this.#result(notification)
      return await (notification.kind === 'task' ? this.#task(notification) : this.#notifyProgram(notification))
    } catch (error) {
      console.error(error)
      return { reason: 'it could not be sent; the log has the reason', isFinal: false }
    }
  }

  async #result({ url, about }: Notification): Promise<Failure | undefined> {
    const row = this.#sources.store.find(about)
    return row === undefined ? DELETED : failureOf(await this.#post(url, { of: row.id, ...taskView(row) }))
  }

  async #task({ url, about }: Notification): Promise<Failure | undefined> {
    const { delegated, self } = this.#sources
    const row = delegated.find(about)
    if (row === undefined) return DELETED
    const webhook = await self.webhook()
    const callback = webhook !== undefined && { callback: `${webhook}?task=${row.id}` }
    const body = { task: row.task, input: JSON.parse(row.input), ...callback }
    const sent = await this.#post(url, body, { 'idempotency-key': row.id })
    const failure = failureOf(sent)
    if (!sent.ok || (failure !== undefined && !isRefusal(sent.status))) return failure
    if (failure === undefined) delegated.recordAcceptance(row.id, sent.bytes)
    else delegated.recordRefusal(row.id)
    return failure && { ...failure, isFinal: true }
  }

  /**
   * Notifies the agent's program of a new task, which may answer with the result, or of the result of a task that the
   * agent gave.
   */
  async #notifyProgram({ url, about }: Notification): Promise<Failure | undefined> {
    const { tasks, delegated, store } = this.#sources
    const [own, other] = [store.find(about), delegated.find(about)]
    if (own === undefined && other === undefined) return DELETED
    const body =
      own === undefined
        ? { event: 'result', given: delegatedTaskView(other!) }
        : { event: 'task', task: ownTaskView(own) }
    const sent = await this.#post(url, body)
    const failure = failureOf(sent)
    const now = store.find(about)
    if (failure !== undefined || !sent.ok || now === undefined || isOver(now.state)) return failure
    const outcome = resultIn(sent.bytes)
    if (outcome !== undefined) tasks.move(about, 'error' in outcome ? 'failed' : 'completed', outcome)
    else if (now.state === 'queued') tasks.move(about, 'taken', null)
    return undefined
  }

  async #post(url: string, value: object, more: Readonly<Record<string, string>> = {}): Promise<sendRequest.Result> {
    const body = JSON.stringify(value)
    const address = url === SERVICE ? 'https://tasks.invalid/' : url
    const signature = await this.#sources.self.signRequest({ method: 'POST', url: address, body })
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...more, ...signature }, body }
    if (url !== SERVICE) {
      const timeoutMs = numberOf(this.#env, 'STEP_PATIENCE_MS')
      return sendRequest(address, { ...request, timeoutMs, maxBytes: ANSWER_BYTES })
    }
    const { TASKS: service } = this.#env
    if (service === undefined) throw new Error('the tasks need a service, but the Worker has no binding TASKS')
    const response = await service.fetch(address, request)
    return { ok: true, status: response.status, headers: response.headers, bytes: await response.bytes() }
  }
}

/** True for a status that another try would get again. */
const isRefusal = (status: number) => status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)

function failureOf(sent: sendRequest.Result): Failure | undefined {
  if (!sent.ok) return { reason: sent.diagnostic.detail, isFinal: sent.diagnostic.code === 'DOC-180' }
  const isTaken = sent.status >= 200 && sent.status < 300
  return isTaken ? undefined : { reason: `the server answered ${sent.status}`, isFinal: sent.status === GONE }
}

/** `{ "result": ... }` or `{ "error": "..." }`. */
function resultIn(bytes: Uint8Array): { readonly result: unknown } | { readonly error: string } | undefined {
  const value = bytes.length === 0 ? undefined : parseJson(bytes).document?.value
  if (typeof value !== 'object' || value === null) return undefined
  const { result, error } = value as Record<string, unknown>
  if (typeof error === 'string') return { error }
  return result === undefined ? undefined : { result }
}
