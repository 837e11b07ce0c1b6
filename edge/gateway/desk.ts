// What the object of an agent does for requests over HTTP, as the Worker calls it.
import { RpcTarget } from 'cloudflare:workers'
import { type Answered, answered } from '../http/answered.ts'
import { agentOf, type Caller, callerOf, counted, type Proving, type SentRequest } from './callers.ts'
import { shownGiven } from './tasks/given.ts'
import type { Office } from './tasks/office.ts'
import type { TaskSettings } from './tasks/settings.ts'
import type { Outcome, TaskState } from './tasks/store.ts'
import type { Member } from './tasks/swarm.ts'
import { shown, shownInside } from './tasks/tasks.ts'

type Shown = ReturnType<typeof shown>
type ShownInside = ReturnType<typeof shownInside>
type ShownGiven = ReturnType<typeof shownGiven>

export class Desk extends RpcTarget {
  readonly #proving: Proving
  readonly #office: Office

  constructor(proving: Proving, office: Office) {
    super()
    this.#proving = proving
    this.#office = office
  }

  /** The agent that has signed a request, whether it may speak here or not. */
  prove(sent: SentRequest): Promise<Answered<string>> {
    return answered(async () => (await agentOf(sent, { ...this.#proving, admit: () => undefined })).name)
  }

  /** A task for the agent. */
  give(sent: SentRequest): Promise<Answered<Shown>> {
    return answered(async () => shown(await this.#office.tasks.give(sent, await this.#caller(sent))))
  }

  /** The status of a task, for who gave it. */
  read(sent: SentRequest, id: string): Promise<Answered<Shown>> {
    return answered(async () => shown(this.#office.tasks.of(id, await this.#caller(sent))))
  }

  cancel(sent: SentRequest, id: string): Promise<Answered<Shown>> {
    return answered(async () => {
      const { tasks } = this.#office
      return shown(tasks.cancel(tasks.of(id, await this.#caller(sent))))
    })
  }

  /** The result of a task that this agent gave to another. */
  answer(sent: SentRequest, id: string | null): Promise<Answered<null>> {
    return answered(async () => {
      const caller = await this.#agent(sent)
      this.#office.answer(sent.body, id, caller)
      return null
    })
  }

  join(sent: SentRequest): Promise<Answered<{ readonly task: string } & Member>> {
    return answered(async () => this.#office.swarms.join(sent.body, await this.#agent(sent)))
  }

  leave(sent: SentRequest): Promise<Answered<null>> {
    return answered(async () => {
      this.#office.swarms.leave(sent.body, await this.#agent(sent))
      return null
    })
  }

  members(sent: SentRequest, task: string, role: string | null): Promise<Answered<Member[]>> {
    return answered(async () => this.#office.swarms.members(task, role, await this.#agent(sent)))
  }

  /** For the operator, from here on. */
  list(after: number, limit: number, state: TaskState | undefined): ShownInside[] {
    return this.#office.tasks.list(after, limit, state).map(shownInside)
  }

  one(id: string): Promise<Answered<ShownInside>> {
    return answered(() => shownInside(this.#office.tasks.one(id)))
  }

  take(): ShownInside | null {
    const row = this.#office.tasks.take()
    return row === undefined ? null : shownInside(row)
  }

  move(id: string, state: TaskState, outcome: Outcome | null): Promise<Answered<ShownInside>> {
    return answered(() => shownInside(this.#office.tasks.move(id, state, outcome)))
  }

  /** A task for another agent. */
  giveTo(body: Uint8Array): Promise<Answered<ShownGiven>> {
    return answered(async () => shownGiven(await this.#office.given.give(body)))
  }

  given(after: number, limit: number): ShownGiven[] {
    return this.#office.given.list(after, limit).map(shownGiven)
  }

  settings(): TaskSettings {
    return this.#office.settings
  }

  set(settings: TaskSettings): TaskSettings {
    this.#office.settings = settings
    return settings
  }

  swarms(): { readonly task: string; readonly members: number }[] {
    return this.#office.swarms.all()
  }

  membersOf(task: string, role: string | null): Member[] {
    return this.#office.swarms.of(task, role)
  }

  async #caller(sent: SentRequest): Promise<Caller> {
    const caller = await callerOf(sent, this.#proving)
    const isTaken = caller.name !== 'anyone' || this.#office.settings.anonymous
    return isTaken ? counted(caller, this.#proving) : this.#agent(sent)
  }

  async #agent(sent: SentRequest): Promise<Caller> {
    return counted(await agentOf(sent, this.#proving), this.#proving)
  }
}
