// The tasks that an agent is given (ADP/1.1 section 7.3.1), from the request or message that brings one to its result.
import type { FindPeer, Message, Peer } from 'blazon/agp'
import { canonicalizeValue } from 'blazon/core'
import { refuseAddress } from 'blazon/discover'
import { parseJson } from 'blazon/document'
import { AGP_UNTAKEN } from '../../../bindings/agp/findings.ts'
import { Outbox } from '../../../bindings/agp/outbox.ts'
import type { Outcome, TaskSettings, TaskState } from '../../contracts/gateway.ts'
import { objectIn, refuseOtherMembers } from '../../http/body.ts'
import { parseUrl } from '../../http/origins.ts'
import { Problem } from '../../http/problem.ts'
import type { Page } from '../../http/query.ts'
import type { SentRequest } from '../../http/relay.ts'
import type { Sql, SqlValue, Values } from '../../platform/types.ts'
import { bytesOf, readPage, rowsOf, TableSize } from '../../storage/log.ts'
import type { Caller } from '../callers.ts'
import { type Messages, SqlOutbox } from '../outbox.ts'
import { isOver, type NewTask, newTaskIn, parseTask, type TaskRow, type TaskStore } from './store.ts'

/** The size of a result in JSON. With its envelope, it does not exceed that of a message. */
const RESULT_BYTES = 245_760
const CONTENT_DEPTH = 32
/** The most bytes that a message may have, with its signatures. */
const MESSAGE_BYTES = 260_000
/** How long the result of a task in a message waits for the agent that gave it. */
const DAY_MS = 86_400_000

/** A task as its caller sees it. */
export function taskView(row: TaskRow) {
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
export function ownTaskView(row: TaskRow) {
  const { seq, caller, callback, input } = row
  return { ...taskView(row), seq, caller, ...(callback !== null && { callback }), input: JSON.parse(input) as unknown }
}

interface Queues {
  readonly messages: Messages
  readonly notifications: Notifications
}

export class Tasks {
  readonly #kv: Values
  readonly #store: TaskStore
  readonly #queues: Queues

  constructor(kv: Values, store: TaskStore, queues: Queues) {
    this.#kv = kv
    this.#store = store
    this.#queues = queues
  }

  /** Takes a task, or finds the one that an earlier copy of the request has created. */
  async give(sent: SentRequest, caller: Caller): Promise<TaskRow> {
    const given = await newTaskIn(sent, caller, settingsIn(this.#kv))
    const before = given.key === null ? undefined : this.#store.findByKey(caller.name, given.key)
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
  takeMessage(agent: string, { id, body }: Message): boolean {
    const value = parseJson(body.content, { maxDepth: CONTENT_DEPTH }).document?.value
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const given = isObject ? parseTask(value as Record<string, unknown>) : undefined
    // An Idempotency-Key has no space in it, so the two can't collide.
    const key = `message ${id}`
    if (given === undefined || this.#store.findByKey(agent, key) !== undefined) return true
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
  findFor(id: string, { name }: Caller): TaskRow {
    const row = this.#store.find(id)
    if (row !== undefined && (row.caller === name || row.caller === 'anyone')) return row
    throw new Problem('not-found', 'The task does not exist, or another caller gave it.')
  }

  find(id: string): TaskRow {
    const row = this.#store.find(id)
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
    const row = this.find(id)
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
    for (const { id } of this.#store.findOverdue(now))
      this.move(id, 'failed', { error: 'The task was not done in time.' })
    this.#store.forget(now)
  }
}

/** A try is over before the alarm runs again; only one that died with the object is repeated after a second. */
const DELIVERY = { resend: { afterMs: 1000, forMs: DAY_MS }, longestPauseMs: 3_600_000 }
const MOST_LISTED = 100

export interface Notification {
  /** `result`: to the caller that gave a task. `task`: to another agent. `told`: a task or a result for the agent's own program. */
  readonly kind: 'result' | 'task' | 'told'
  /** The id of the task. Each task has at most one notification of a kind. */
  readonly about: string
  readonly url: string
}

/** Each notification is its own recipient: one that fails does not hold up others. */
export class Notifications extends SqlOutbox<null> {
  readonly outbox = new Outbox(this, DELIVERY)

  put({ kind, about, url }: Notification, now: number): void {
    const id = `${kind} ${about}`
    this.add({ id, to: `${id} ${url}`, content: null, until: now + DAY_MS }, now)
  }

  get state() {
    const failed = this.givenUp('undelivered', MOST_LISTED).map(({ to, tries, detail }) => {
      return { ...notificationIn(to), tries, last: detail }
    })
    const waiting = this.recipients(MOST_LISTED).map(({ recipient, due, failures, reason }) => {
      const next = new Date(due).toISOString()
      return { ...notificationIn(recipient), tries: failures, next, ...(reason !== null && { last: reason }) }
    })
    const letters = [...failed, ...waiting].slice(0, MOST_LISTED)
    return { waiting: this.size, undelivered: this.failures, letters }
  }
}

export function notificationIn(recipient: string): Notification {
  const [kind, about = '', ...url] = recipient.split(' ')
  return { kind: kind as Notification['kind'], about, url: url.join(' ') }
}

// The tasks that an agent has given to others, and their results.

/** Tasks that are remembered, and the bytes of their inputs and results. */
const MOST = { rows: 10_000, bytes: 64 << 20 }
const KEPT_MS = 30 * 86_400_000

/** `sending` until the other agent has confirmed it; `refused` if that agent will not take it. */
type GivenState = 'sending' | 'given' | 'refused' | 'answered'

type GivenRow = {
  readonly seq: number
  readonly id: string
  readonly agent: string
  readonly task: string
  /** JSON. */
  readonly input: string
  readonly state: GivenState
  /** The other agent's id for the task, and its address there. */
  readonly theirs: string | null
  readonly place: string | null
  /** The result that came back: JSON. */
  readonly answer: string | null
  readonly created: number
  readonly changed: number
  /** The size of input and answer in UTF-8. */
  readonly bytes: number
}

export function delegatedTaskView({ seq, id, agent, task, state, place, answer, created, changed }: GivenRow) {
  return {
    seq,
    id,
    to: agent,
    task,
    state,
    ...(place !== null && { statusUrl: place }),
    created: new Date(created).toISOString(),
    changed: new Date(changed).toISOString(),
    ...(answer !== null && { answer: JSON.parse(answer) as unknown }),
  }
}

interface Sources {
  readonly notifications: Notifications
  readonly findPeer: FindPeer
}

export class DelegatedTasks {
  readonly #sql: Sql
  readonly #kv: Values
  readonly #sources: Sources
  readonly #size: TableSize

  constructor(sql: Sql, kv: Values, sources: Sources) {
    this.#sql = sql
    this.#kv = kv
    this.#sources = sources
    sql.exec(`
      CREATE TABLE IF NOT EXISTS given (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, task TEXT NOT NULL,
        state TEXT NOT NULL, theirs TEXT, place TEXT, created INTEGER NOT NULL, changed INTEGER NOT NULL,
        bytes INTEGER NOT NULL, input TEXT NOT NULL, answer TEXT
      );
      CREATE INDEX IF NOT EXISTS given_theirs ON given (theirs);
    `)
    this.#size = new TableSize(sql, 'given')
  }

  /**
   * `{ "to": "agent:...", "task": ..., "input": ... }`: sends a task now, with retries until the other agent has it.
   */
  async give(body: Uint8Array): Promise<GivenRow> {
    const members = objectIn(body)
    refuseOtherMembers(members, ['to', 'task', 'input'])
    const { to, ...rest } = members
    const given = parseTask(rest)
    if (given === undefined || typeof to !== 'string')
      throw new Problem('bad-request', 'Expected the members to, an agent, and task, a text of at most 256 characters.')
    const peer = await this.#sources.findPeer(to)
    if ('kind' in peer) throw new Problem('not-found', `${peer.kind.title}: ${peer.detail}.`)
    const { tasks: url = '' } = peer.endpoints
    if (url === '')
      throw new Problem('not-found', `${peer.uri} accepts no tasks: its metadata has no endpoint for them.`)
    const row = this.#add(peer, given)
    this.#sources.notifications.put({ kind: 'task', about: row.id, url }, row.created)
    return row
  }

  #add({ uri }: Peer, { task, input }: { readonly task: string; readonly input: string }): GivenRow {
    const now = Date.now()
    const bytes = bytesOf(input)
    if (!this.#size.hasRoom(bytes, MOST)) throw new Problem('full', 'The limit of delegated tasks is reached.')
    this.#sql.exec(
      "INSERT INTO given (id, agent, task, input, state, created, changed, bytes) VALUES (?, ?, ?, ?, 'sending', ?, ?, ?)",
      ...[crypto.randomUUID(), uri, task, input, now, now, bytes],
    )
    this.#size.change(1, bytes)
    return this.#one('SELECT * FROM given WHERE seq = last_insert_rowid()')!
  }

  find(id: string): GivenRow | undefined {
    return this.#one('SELECT * FROM given WHERE id = ?', id)
  }

  list(page: Page): GivenRow[] {
    return readPage(this.#sql, 'given WHERE TRUE', page)
  }

  /** Stores the other agent's response to the task: its id and its address there, if the response has them. */
  recordAcceptance(id: string, answer: Uint8Array): void {
    const value = parseJson(answer).document?.value
    const said = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
    const text = (name: string) => {
      const member = said[name]
      return typeof member === 'string' && member.length <= LONGEST_URL ? member : null
    }
    // The result may have come already.
    this.#sql.exec(
      "UPDATE given SET state = CASE state WHEN 'answered' THEN state ELSE 'given' END, theirs = ?, place = ?, changed = ? WHERE id = ?",
      ...[text('id'), text('statusUrl'), Date.now(), id],
    )
  }

  recordRefusal(id: string): void {
    this.#sql.exec("UPDATE given SET state = 'refused', changed = ? WHERE id = ?", Date.now(), id)
  }

  /** Stores a result. It must come from the agent that the task was given to; the first result stays. */
  answer(id: string, { name }: Caller, body: string): void {
    const row = this.#one('SELECT * FROM given WHERE agent = ? AND (id = ? OR theirs = ?)', name, id, id)
    if (row === undefined) throw new Problem('not-found', 'The sender of this result was not given this task.')
    if (row.answer === body) return
    if (row.answer !== null) throw new Problem('conflict', 'The task already has another result.')
    const bytes = bytesOf(body)
    if (this.#size.bytes + bytes > 2 * MOST.bytes) throw new Problem('full', 'There is no room for more results.')
    const now = Date.now()
    const change = "UPDATE given SET state = 'answered', answer = ?, changed = ?, bytes = bytes + ? WHERE id = ?"
    this.#sql.exec(change, body, now, bytes, row.id)
    this.#size.change(0, bytes)
    const { taker } = settingsIn(this.#kv)
    if (taker !== null) this.#sources.notifications.put({ kind: 'told', about: row.id, url: taker }, now)
  }

  /** Forgets tasks that have not changed for 30 days. */
  sweep(now: number): void {
    const old = 'DELETE FROM given WHERE changed <= ? RETURNING bytes'
    const rows = rowsOf<{ bytes: number }>(this.#sql, old, now - KEPT_MS)
    for (const { bytes } of rows) this.#size.change(-1, -bytes)
  }

  #one(query: string, ...given: SqlValue[]): GivenRow | undefined {
    return rowsOf<GivenRow>(this.#sql, query, ...given)[0]
  }
}

// The operator's settings for the tasks of an agent.

const DEFAULTS: TaskSettings = { anonymous: false, origins: [], taker: null }
export const SERVICE = 'service'

const MOST_ORIGINS = 100
const LONGEST_URL = 2048

export const settingsIn = (kv: Values): TaskSettings => kv.get<TaskSettings>('tasks') ?? DEFAULTS

export function keepSettings(kv: Values, settings: TaskSettings): TaskSettings {
  kv.put('tasks', settings)
  return settings
}

export function readSettings(members: Readonly<Record<string, unknown>>): TaskSettings {
  refuseOtherMembers(members, Object.keys(DEFAULTS))
  const { anonymous, origins, taker } = { ...DEFAULTS, ...members }
  if (typeof anonymous !== 'boolean')
    throw new Problem('bad-request', 'Expected true or false as the member anonymous.')
  if (!Array.isArray(origins) || origins.length > MOST_ORIGINS || !origins.every(isOrigin))
    throw new Problem(
      'bad-request',
      `Expected a list of at most ${MOST_ORIGINS} public origins, https://HOST, as the member origins.`,
    )
  if (taker !== null && taker !== SERVICE && !isAddress(taker))
    throw new Problem('bad-request', 'Expected service, a public https address, or null as the member taker.')
  return { anonymous, origins, taker }
}

const isOrigin = (text: unknown) => isAddress(text) && parseUrl(text)!.origin === text

function isAddress(text: unknown): text is string {
  const url = typeof text === 'string' && text.length <= LONGEST_URL ? parseUrl(text) : undefined
  return url?.protocol === 'https:' && refuseAddress(url.hostname) === undefined
}
