// The methods of an agent's object for requests over HTTP. The Worker calls them.
import { RpcTarget } from 'cloudflare:workers'
import { answered, type ObjectAnswer } from '../http/answered.ts'
import { agentOf, type Caller, callerOf, counted, type Proving, type SentRequest } from './callers.ts'
import type { AgentTasks } from './tasks/agent-tasks.ts'
import { shownGiven } from './tasks/delegated-tasks.ts'
import type { TaskSettings } from './tasks/settings.ts'
import type { Outcome, TaskState } from './tasks/store.ts'
import type { Member } from './tasks/swarm.ts'
import { shown, shownInside } from './tasks/tasks.ts'

type TaskView = ReturnType<typeof shown>
type ShownInside = ReturnType<typeof shownInside>
type ShownGiven = ReturnType<typeof shownGiven>

export class TaskRpc extends RpcTarget {
  readonly #proving: Proving
  readonly #agentTasks: AgentTasks

  constructor(proving: Proving, agentTasks: AgentTasks) {
    super()
    this.#proving = proving
    this.#agentTasks = agentTasks
  }

  /** The agent that signed a request, whether or not it may speak here. */
  prove(sent: SentRequest): Promise<ObjectAnswer<string>> {
    return answered(async () => (await agentOf(sent, { ...this.#proving, admit: () => undefined })).name)
  }

  /** Gives the agent a task. */
  give(sent: SentRequest): Promise<ObjectAnswer<TaskView>> {
    return answered(async () => shown(await this.#agentTasks.tasks.give(sent, await this.#caller(sent))))
  }

  /** The status of a task, for the caller that gave it. */
  read(sent: SentRequest, id: string): Promise<ObjectAnswer<TaskView>> {
    return answered(async () => shown(this.#agentTasks.tasks.of(id, await this.#caller(sent))))
  }

  cancel(sent: SentRequest, id: string): Promise<ObjectAnswer<TaskView>> {
    return answered(async () => {
      const { tasks } = this.#agentTasks
      return shown(tasks.cancel(tasks.of(id, await this.#caller(sent))))
    })
  }

  /** Takes the result of a task that this agent gave to another. */
  answer(sent: SentRequest, id: string | null): Promise<ObjectAnswer<null>> {
    return answered(async () => {
      const caller = await this.#agent(sent)
      this.#agentTasks.answer(sent.body, id, caller)
      return null
    })
  }

  join(sent: SentRequest): Promise<ObjectAnswer<{ readonly task: string } & Member>> {
    return answered(async () => this.#agentTasks.swarms.join(sent.body, await this.#agent(sent)))
  }

  leave(sent: SentRequest): Promise<ObjectAnswer<null>> {
    return answered(async () => {
      this.#agentTasks.swarms.leave(sent.body, await this.#agent(sent))
      return null
    })
  }

  members(sent: SentRequest, task: string, role: string | null): Promise<ObjectAnswer<Member[]>> {
    return answered(async () => this.#agentTasks.swarms.members(task, role, await this.#agent(sent)))
  }

  /** The operator's methods, from here on. */
  list(after: number, limit: number, state: TaskState | undefined): ShownInside[] {
    return this.#agentTasks.tasks.list(after, limit, state).map(shownInside)
  }

  one(id: string): Promise<ObjectAnswer<ShownInside>> {
    return answered(() => shownInside(this.#agentTasks.tasks.one(id)))
  }

  take(): ShownInside | null {
    const row = this.#agentTasks.tasks.take()
    return row === undefined ? null : shownInside(row)
  }

  move(id: string, state: TaskState, outcome: Outcome | null): Promise<ObjectAnswer<ShownInside>> {
    return answered(() => shownInside(this.#agentTasks.tasks.move(id, state, outcome)))
  }

  /** Gives another agent a task. */
  giveTo(body: Uint8Array): Promise<ObjectAnswer<ShownGiven>> {
    return answered(async () => shownGiven(await this.#agentTasks.given.give(body)))
  }

  given(after: number, limit: number): ShownGiven[] {
    return this.#agentTasks.given.list(after, limit).map(shownGiven)
  }

  settings(): TaskSettings {
    return this.#agentTasks.settings
  }

  set(settings: TaskSettings): TaskSettings {
    this.#agentTasks.settings = settings
    return settings
  }

  swarms(): { readonly task: string; readonly members: number }[] {
    return this.#agentTasks.swarms.all()
  }

  membersOf(task: string, role: string | null): Member[] {
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
