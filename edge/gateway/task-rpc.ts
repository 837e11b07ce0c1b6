// The methods of an agent's object for requests over HTTP. The Worker calls them.
import { RpcTarget } from 'cloudflare:workers'
import type { Outcome, TaskMethods, TaskSettings, TaskState } from '../contracts/gateway.ts'
import { answered, type SentRequest } from '../http/relay.ts'
import { agentOf, type Caller, callerOf, counted, type Proving } from './callers.ts'
import type { AgentTasks } from './tasks/agent-tasks.ts'
import { shownGiven } from './tasks/delegated-tasks.ts'
import { shown, shownInside } from './tasks/tasks.ts'

export class TaskRpc extends RpcTarget implements TaskMethods {
  readonly #proving: Proving
  readonly #agentTasks: AgentTasks

  constructor(proving: Proving, agentTasks: AgentTasks) {
    super()
    this.#proving = proving
    this.#agentTasks = agentTasks
  }

  prove(sent: SentRequest) {
    return answered(async () => (await agentOf(sent, { ...this.#proving, admit: () => undefined })).name)
  }

  give(sent: SentRequest) {
    return answered(async () => shown(await this.#agentTasks.tasks.give(sent, await this.#caller(sent))))
  }

  read(sent: SentRequest, id: string) {
    return answered(async () => shown(this.#agentTasks.tasks.of(id, await this.#caller(sent))))
  }

  cancel(sent: SentRequest, id: string) {
    return answered(async () => {
      const { tasks } = this.#agentTasks
      return shown(tasks.cancel(tasks.of(id, await this.#caller(sent))))
    })
  }

  answer(sent: SentRequest, id: string | null) {
    return answered(async () => {
      const caller = await this.#agent(sent)
      this.#agentTasks.answer(sent.body, id, caller)
      return null
    })
  }

  join(sent: SentRequest) {
    return answered(async () => this.#agentTasks.swarms.join(sent.body, await this.#agent(sent)))
  }

  leave(sent: SentRequest) {
    return answered(async () => {
      this.#agentTasks.swarms.leave(sent.body, await this.#agent(sent))
      return null
    })
  }

  members(sent: SentRequest, task: string, role: string | null) {
    return answered(async () => this.#agentTasks.swarms.members(task, role, await this.#agent(sent)))
  }

  /** The operator's methods, from here on. */
  async list(after: number, limit: number, state: TaskState | undefined) {
    return this.#agentTasks.tasks.list(after, limit, state).map(shownInside)
  }

  one(id: string) {
    return answered(() => shownInside(this.#agentTasks.tasks.one(id)))
  }

  async take() {
    const row = this.#agentTasks.tasks.take()
    return row === undefined ? null : shownInside(row)
  }

  move(id: string, state: TaskState, outcome: Outcome | null) {
    return answered(() => shownInside(this.#agentTasks.tasks.move(id, state, outcome)))
  }

  giveTo(body: Uint8Array) {
    return answered(async () => shownGiven(await this.#agentTasks.given.give(body)))
  }

  async given(after: number, limit: number) {
    return this.#agentTasks.given.list(after, limit).map(shownGiven)
  }

  async settings() {
    return this.#agentTasks.settings
  }

  async set(settings: TaskSettings) {
    this.#agentTasks.settings = settings
    return settings
  }

  async swarms() {
    return this.#agentTasks.swarms.all()
  }

  async membersOf(task: string, role: string | null) {
    return this.#agentTasks.swarms.of(task, role)
  }

  async #caller(sent: SentRequest): Promise<Caller> {
    const caller = await callerOf(sent, this.#proving)
    const isTaken = caller.name !== 'anyone' || this.#agentTasks.settings.anonymous
    return isTaken ? counted(caller, this.#proving) : this.#agent(sent)
  }

  async #agent(sent: SentRequest): Promise<Caller> {
    return counted(await agentOf(sent, this.#proving), this.#proving)
  }
}
