// The tasks of an agent: the methods of its object for requests over HTTP, which the Worker calls, and what runs on the
// alarm.
import { RpcTarget } from 'cloudflare:workers'
import type { Message } from 'blazon/agp'
import type { Outcome, TaskMethods, TaskSettings, TaskState } from '../../contracts/gateway.ts'
import type { Env } from '../../env.ts'
import { objectIn } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import type { Page } from '../../http/query.ts'
import { answered, type ObjectAnswer, type SentRequest } from '../../http/relay.ts'
import type { Alarm } from '../alarm.ts'
import { type AgentKnowledge, type Caller, Callers } from '../callers.ts'
import type { Messages } from '../outbox.ts'
import { DelegatedTasks, shownGiven } from './delegated-tasks.ts'
import type { Notifications } from './notifications.ts'
import { Notifier } from './notifier.ts'
import { keepSettings, settingsIn } from './settings.ts'
import { TaskStore } from './store.ts'
import { Swarms } from './swarm.ts'
import { shown, shownInside, Tasks } from './tasks.ts'

/** The interval between sweeps for old and late tasks, while there are any. */
const SWEEP_MS = 3_600_000
const ANSWER_BYTES = 262_144

/** When old and late tasks are swept next. */
export class Sweep {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
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
  readonly #kv: SyncKvStorage
  readonly #queues: Queues
  readonly #callers: Callers
  readonly #store: TaskStore
  readonly #tasks: Tasks
  readonly #delegated: DelegatedTasks
  readonly #swarms: Swarms
  readonly #notifier: Notifier

  constructor({ sql, kv }: DurableObjectStorage, env: Env, known: AgentKnowledge & Queues) {
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
    return answered(async () => (await this.#callers.signer(sent)).uri)
  }

  give(sent: SentRequest) {
    return this.#change(async () => shown(await this.#tasks.give(sent, await this.#caller(sent))))
  }

  read(sent: SentRequest, id: string) {
    return answered(async () => shown(this.#tasks.of(id, await this.#caller(sent))))
  }

  cancel(sent: SentRequest, id: string) {
    return answered(async () => shown(this.#tasks.cancel(this.#tasks.of(id, await this.#caller(sent)))))
  }

  answer(sent: SentRequest, id: string | null) {
    return this.#change(async () => this.#answer(sent.body, id, await this.#callers.agent(sent)))
  }

  join(sent: SentRequest) {
    return answered(async () => this.#swarms.join(sent.body, await this.#callers.agent(sent)))
  }

  leave(sent: SentRequest) {
    return answered(async () => this.#swarms.leave(sent.body, await this.#callers.agent(sent)))
  }

  members(sent: SentRequest, task: string, role: string | null) {
    return answered(async () => this.#swarms.members(task, role, await this.#callers.agent(sent)))
  }

  /** The operator's methods, from here on. */
  async list(page: Page, state: TaskState | undefined) {
    return this.#store.list(page, state).map(shownInside)
  }

  one(id: string) {
    return answered(() => shownInside(this.#tasks.one(id)))
  }

  async take() {
    const row = this.#store.take(Date.now())
    return row === undefined ? null : shownInside(row)
  }

  move(id: string, state: TaskState, outcome: Outcome | null) {
    return this.#change(() => shownInside(this.#tasks.move(id, state, outcome)))
  }

  giveTo(body: Uint8Array) {
    return this.#change(async () => shownGiven(await this.#delegated.give(body)))
  }

  async given(page: Page) {
    return this.#delegated.list(page).map(shownGiven)
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
  heard(agent: string, message: Message): boolean {
    return message.type !== 'task' || this.#tasks.heard(agent, message)
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
    return answered(async () => {
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
