// The tasks that an agent is given (ADP/1.1 section 7.3.1), from the request or message that brings one to its result.
import type { Message } from 'blazon/agp'
import { canonicalizeValue } from 'blazon/core'
import { parseJson } from 'blazon/document'
import { AGP_UNTAKEN } from '../../../bindings/agp/findings.ts'
import type { Outcome, TaskState } from '../../contracts/gateway.ts'
import { Problem } from '../../http/problem.ts'
import type { SentRequest } from '../../http/relay.ts'
import type { Caller } from '../callers.ts'
import type { Messages } from '../outbox.ts'
import type { Notifications } from './notifications.ts'
import { settingsIn } from './settings.ts'
import { isOver, type NewTask, type TaskRow, type TaskStore } from './store.ts'
import { givenIn, newTaskIn } from './task-request.ts'

/** The size of a result in JSON. With its envelope, it does not exceed that of a message. */
const RESULT_BYTES = 245_760
const CONTENT_DEPTH = 32
/** The most bytes that a message may have, with its signatures. */
const MESSAGE_BYTES = 260_000
/** How long the result of a task in a message waits for the agent that gave it. */
const DAY_MS = 86_400_000

/** A task as its caller sees it. */
export function shown(row: TaskRow) {
  const { id, task, state, place, created, changed, outcome } = row
  return {
    id,
    ...(place !== '' && { statusUrl: `${place}/${id}` }),
    task,
    state,
    created: new Date(created).toISOString(),
    changed: new Date(changed).toISOString(),
    ...(outcome === null ? {} : (JSON.parse(outcome) as Outcome)),
  }
}

/** A task as its agent sees it. */
export function shownInside(row: TaskRow) {
  const { seq, caller, callback, input } = row
  return { ...shown(row), seq, caller, ...(callback !== null && { callback }), input: JSON.parse(input) as unknown }
}

interface Queues {
  readonly messages: Messages
  readonly notifications: Notifications
}

export class Tasks {
  readonly #kv: SyncKvStorage
  readonly #store: TaskStore
  readonly #queues: Queues

  constructor(kv: SyncKvStorage, store: TaskStore, queues: Queues) {
    this.#kv = kv
    this.#store = store
    this.#queues = queues
  }

  /** Takes a task, or finds the one that an earlier copy of the request has created. */
  async give(sent: SentRequest, caller: Caller): Promise<TaskRow> {
    const given = await newTaskIn(sent, caller, settingsIn(this.#kv))
    const before = given.key === null ? undefined : this.#store.keyed(caller.name, given.key)
    if (before === undefined) return this.#add(given)
    if (before.digest === given.digest) return before
    throw new Problem('key-used', 'This caller has already used this Idempotency-Key for another request.')
  }

  #add(given: NewTask): TaskRow {
    const now = Date.now()
    const row = this.#store.add(given, now)
    if (row === undefined) throw new Problem('full', 'The limit of open tasks is reached, in all or for this caller.')
    const { taker } = settingsIn(this.#kv)
    if (taker !== null) this.#queues.notifications.put({ kind: 'told', about: row.id, url: taker }, now)
    return row
  }

  /** Takes a message of type `task`; returns false when there is no room for its task. */
  heard(agent: string, { id, body }: Message): boolean {
    const value = parseJson(body.content, { maxDepth: CONTENT_DEPTH }).document?.value
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const given = isObject ? givenIn(value as Record<string, unknown>) : undefined
    // An Idempotency-Key has no space in it, so the two can't collide.
    const key = `message ${id}`
    if (given === undefined || this.#store.keyed(agent, key) !== undefined) return true
    const { task, input } = given
    const own = { caller: agent, task, input, message: id, callback: null, key, digest: '', place: '' }
    try {
      this.#add(own)
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }

  /** A task of this caller. A task from an anonymous caller is open to anyone who knows its address. */
  of(id: string, { name }: Caller): TaskRow {
    const row = this.#store.one(id)
    if (row !== undefined && (row.caller === name || row.caller === 'anyone')) return row
    throw new Problem('not-found', 'The task does not exist, or another caller gave it.')
  }

  one(id: string): TaskRow {
    const row = this.#store.one(id)
    if (row !== undefined) return row
    throw new Problem('not-found', 'The task does not exist.')
  }

  /** Cancels a task; doing so twice does no harm. */
  cancel(row: TaskRow): TaskRow {
    if (row.state === 'canceled') return row
    if (isOver(row.state)) throw new Problem('conflict', `The task is already ${row.state}.`)
    return this.#store.move(row, 'canceled', Date.now())
  }

  /** The agent reports the state of a task. */
  move(id: string, state: TaskState, outcome: Outcome | null): TaskRow {
    const row = this.one(id)
    if (isOver(row.state) || (state === 'taken' && row.state === 'taken'))
      throw new Problem('conflict', `The task is already ${row.state}.`)
    const text = JSON.stringify(outcome)
    if (text.length > RESULT_BYTES)
      throw new Problem('body-too-large', `A result may have at most ${RESULT_BYTES} bytes.`, {
        members: { limit: RESULT_BYTES },
      })
    if (!this.#store.hasRoomFor(text)) throw new Problem('full', 'There is no room for more results.')
    const moved = this.#store.move(row, state, Date.now(), outcome)
    if (isOver(state)) this.#announce(moved)
    return moved
  }

  /** Queues the result: for the callback, and for the conversation with the agent whose message brought the task. */
  #announce({ id: about, caller: to, callback, message, outcome, changed }: TaskRow): void {
    const { messages, notifications } = this.#queues
    if (callback !== null) notifications.put({ kind: 'result', about, url: callback }, changed)
    if (message === null) return
    const text = new TextDecoder().decode(canonicalizeValue({ ...JSON.parse(outcome!), of: message }))
    const content = { type: 'task', content: text, contentType: 'application/json' } as const
    const id = crypto.randomUUID()
    // Results have the room of the task store.
    messages.add({ id, to, content, until: changed + DAY_MS }, changed)
    const detail = 'the result is too large for a message'
    if (JSON.stringify(text).length > MESSAGE_BYTES)
      messages.settle(to, id, { outcome: 'undelivered', at: changed, code: AGP_UNTAKEN.code, detail })
  }

  /** Fails overdue tasks, and forgets old ones. */
  sweep(now: number): void {
    for (const { id } of this.#store.late(now)) this.move(id, 'failed', { error: 'The task was not done in time.' })
    this.#store.forget(now)
  }
}
