// Puts together everything in an agent's object that has to do with tasks.
import type { FindPeer, Message, Sending } from 'blazon/agp'
import type { TaskSettings } from '../../contracts/gateway.ts'
import type { Env } from '../../env.ts'
import { objectIn } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import type { Caller } from '../callers.ts'
import type { Chore } from '../chores.ts'
import type { Self } from '../self.ts'
import { DelegatedTasks } from './delegated-tasks.ts'
import { Delivery } from './delivery.ts'
import { Outbox } from './outbox.ts'
import { DEFAULTS } from './settings.ts'
import { TaskStore } from './store.ts'
import { Swarms } from './swarm.ts'
import { Tasks } from './tasks.ts'

/** The interval between sweeps for old and late tasks, while there are any. */
const SWEEP_MS = 3_600_000
const ANSWER_BYTES = 262_144

interface AgentTasksOptions {
  readonly env: Env
  readonly storage: DurableObjectStorage
  readonly self: Self
  readonly findPeer: FindPeer
  readonly say: (to: string, message: Sending) => Promise<boolean>
  /** Sets the alarm of the object. */
  readonly plan: () => Promise<void>
}

export class AgentTasks {
  readonly tasks: Tasks
  readonly given: DelegatedTasks
  readonly swarms: Swarms
  /** The work that runs on the object's alarm. */
  readonly chores: readonly Chore[]
  readonly #storage: DurableObjectStorage
  readonly #store: TaskStore
  readonly #outbox: Outbox

  constructor({ env, storage, self, findPeer, say, plan }: AgentTasksOptions) {
    const { sql } = storage
    const store = new TaskStore(sql)
    const delivery = new Delivery({
      env,
      tasks: () => this.tasks,
      given: () => this.given,
      row: (id) => store.one(id),
      sign: (request) => self.signRequest(request),
      webhook: () => self.webhook(),
      say,
    })
    const outbox = new Outbox(sql, { deliver: (notification) => delivery.deliver(notification), plan })
    this.#storage = storage
    this.#store = store
    this.#outbox = outbox
    this.tasks = new Tasks({ store, outbox, settings: () => this.settings })
    this.given = new DelegatedTasks(sql, { outbox, findPeer, taker: () => this.settings.taker })
    this.swarms = new Swarms(sql)
    const sweeping: Chore = { due: () => this.#sweepDue(), run: async (now) => this.#sweep(now) }
    this.chores = [{ due: () => outbox.due(), run: (now) => outbox.run(now) }, sweeping]
  }

  get settings(): TaskSettings {
    return this.#storage.kv.get<TaskSettings>('tasks') ?? DEFAULTS
  }

  set settings(settings: TaskSettings) {
    this.#storage.kv.put('tasks', settings)
  }

  /** Takes a message; one of type `task` may bring a task. Returns false when there is no room for it. */
  heard(agent: string, message: Message): boolean {
    return message.type !== 'task' || this.tasks.heard(agent, message)
  }

  /**
   * Takes a result from the agent that the task was given to. The address of the request names the task, or else its
   * member `of`.
   */
  answer(body: Uint8Array, named: string | null, caller: Caller): void {
    if (body.length > ANSWER_BYTES)
      throw new Problem('body-too-large', `A result may have at most ${ANSWER_BYTES} bytes.`, {
        members: { limit: ANSWER_BYTES },
      })
    const members = objectIn(body)
    const id = named ?? members['of']
    if (typeof id !== 'string') throw new Problem('bad-request', 'Expected the id of the task as the member of.')
    this.given.answer(id, caller, JSON.stringify(members))
  }

  get state() {
    return { ...this.#store.size, outbox: this.#outbox.state }
  }

  #sweepDue(): number | undefined {
    if (this.#store.size.tasks === 0 && this.given.isEmpty) return undefined
    return (this.#storage.kv.get<number>('swept') ?? 0) + SWEEP_MS
  }

  #sweep(now: number): void {
    this.#storage.kv.put('swept', now)
    this.tasks.sweep(now)
    this.given.sweep(now)
    this.swarms.sweep(now)
    this.#outbox.forget((id) => this.#store.one(id) !== undefined || this.given.one(id) !== undefined)
  }
}
