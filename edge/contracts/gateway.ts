// The object with the conversations and tasks of an agent.
import type { MessageDraft } from 'blazon/agp'
import type { QueuedMessage } from '../../bindings/agp/outbox.ts'
import type { Page } from '../http/query.ts'
import type { ObjectAnswer, SentRequest } from '../http/relay.ts'

/** A message that the agent received. */
export interface StoredMessage {
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** The agent that sent it. */
  readonly about: string
  /** As it was signed. */
  readonly text: string
}

/**
 * `anyone`: every verified agent. `list`: agents that the operator has named. `invited`: those, and holders of a token
 * from an invitation.
 */
export const MODES = ['anyone', 'list', 'invited'] as const
export type Mode = (typeof MODES)[number]

/** The operator's decisions about agents; `null` takes one back. */
export type Verdict = 'allowed' | 'blocked'
export type Verdicts = readonly (readonly [agent: string, verdict: Verdict | null])[]

/** The result of looking up an agent by its id: its key, or why it was not found. */
export type NamedAgent = { readonly isInvited: boolean } & (
  | { readonly fingerprint: string; readonly code?: undefined }
  | { readonly code: string; readonly reason: string }
)

/** The code when too many peers are being looked up or remembered, through no fault of the caller. */
export const BUSY = 'AGP-135'

/** The message of the error with which the object ends once everything is erased. */
export const FORGOTTEN = 'the data of the agent was erased'

/** Objects are for the answers of routes, as JSON. */
export interface GatewayObject {
  /** For requests over HTTP. */
  taskRpc(name: string): TaskMethods
  messages(page: Page): Promise<readonly StoredMessage[]>
  removeThrough(seq: number): Promise<number>
  /** Stores an outgoing message. It is sent as soon as this object has time. */
  say(
    name: string,
    message: QueuedMessage<MessageDraft>,
    mustBeHere: boolean,
  ): Promise<'kept' | 'gone' | 'absent' | 'self' | 'shut-out' | 'full'>
  state(): Promise<object>
  /** Looks up an agent by its id, and tells whether it needs an invitation to speak here. */
  find(agent: string, sender: string): Promise<NamedAgent>
  speakers(): Promise<object>
  /**
   * Changes who may speak, and disconnects blocked agents at once. Returns false when there is no room for more names.
   */
  letSpeak(mode: Mode | undefined, verdicts: Verdicts): Promise<boolean>
  /** The agent's metadata has changed, or it is private now: disconnects everyone who may not speak to it any more. */
  changed(): Promise<void>
  /** A token for the agent was withdrawn. */
  dismissInvited(): Promise<void>
  /** The agent is gone: ends its conversations, and deletes its messages and tasks. Throws FORGOTTEN at the end. */
  forget(): Promise<void>
}

export type TaskState = 'queued' | 'taken' | 'completed' | 'failed' | 'canceled'

/** How a task ended. */
export type Outcome = { readonly result: unknown } | { readonly error: string }

/** A task as its caller sees it. */
export interface TaskView {
  readonly statusUrl?: string
}

export interface TaskSettings {
  /** Anonymous callers may give tasks as well. */
  readonly anonymous: boolean
  /** Origins that results may go to, in addition to those of the caller that gave the task. */
  readonly origins: readonly string[]
  /**
   * What does the tasks: `service` is the Worker's binding TASKS; otherwise an address, or null when the operator
   * fetches them.
   */
  readonly taker: string | null
}

type Answer<T> = Promise<ObjectAnswer<T>>

/** The methods for requests over HTTP. The Worker calls them. */
export interface TaskMethods {
  /** The agent that signed a request, whether or not it may speak here. */
  prove(sent: SentRequest): Answer<string>
  /** Gives the agent a task. */
  give(sent: SentRequest): Answer<TaskView>
  /** The status of a task, for the caller that gave it. */
  read(sent: SentRequest, id: string): Answer<TaskView>
  cancel(sent: SentRequest, id: string): Answer<TaskView>
  /** Takes the result of a task that this agent gave to another. */
  answer(sent: SentRequest, id: string | null): Answer<null>
  join(sent: SentRequest): Answer<object>
  leave(sent: SentRequest): Answer<null>
  members(sent: SentRequest, task: string, role: string | null): Answer<object[]>
  /** The operator's methods, from here on. */
  list(page: Page, state: TaskState | undefined): Promise<object[]>
  find(id: string): Answer<object>
  take(): Promise<object | null>
  move(id: string, state: TaskState, outcome: Outcome | null): Answer<object>
  /** Gives another agent a task. */
  giveTo(body: Uint8Array): Answer<object>
  listDelegated(page: Page): Promise<object[]>
  settings(): Promise<TaskSettings>
  set(settings: TaskSettings): Promise<TaskSettings>
  swarms(): Promise<object[]>
  membersOf(task: string, role: string | null): Promise<object[]>
}
