// The tasks that an agent was given, in SQLite, until a week after they ended.

import { addressFault } from 'blazon/agp'
import { toHex } from '../../../bindings/text/bytes.ts'
import type { Outcome, TaskSettings, TaskState } from '../../contracts/gateway.ts'
import { sha256 } from '../../http/answer.ts'
import { objectIn } from '../../http/body.ts'
import { parseUrl } from '../../http/origins.ts'
import { Problem } from '../../http/problem.ts'
import type { Page } from '../../http/query.ts'
import type { SentRequest } from '../../http/relay.ts'
import type { Sql, SqlValue } from '../../platform/types.ts'
import { bytesOf, numberIn, readPage, rowsOf, TableSize } from '../../storage/log.ts'
import type { Caller } from '../callers.ts'

/** Tasks of one agent, the bytes that they hold, and the open tasks of one caller. */
const MOST = { rows: 10_000, bytes: 64 << 20 }
const MOST_OF_CALLER = 1000
/** Open tasks of all anonymous callers together. */
const MOST_OF_ANYONE = 100
const DAY_MS = 86_400_000
/** A finished task can be read for a week; an open one is given up after 30 days. */
const KEPT_MS = 7 * DAY_MS
const OPEN_MS = 30 * DAY_MS

export interface NewTask {
  readonly caller: string
  readonly task: string
  /** JSON. */
  readonly input: string
  readonly callback: string | null
  /** The id of the message that brought it; null if a request did. */
  readonly message: string | null
  /** The Idempotency-Key, and the digest of the request's body. */
  readonly key: string | null
  readonly digest: string
  /** The address of its status without the id; empty if it has none. */
  readonly place: string
}

export interface TaskRow extends NewTask {
  readonly seq: number
  readonly id: string
  readonly state: TaskState
  /** The outcome in JSON, once the task has ended. */
  readonly outcome: string | null
  /** Milliseconds since 1970. */
  readonly created: number
  readonly changed: number
  /** The size of input and outcome in UTF-8. */
  readonly bytes: number
}

export const isOver = (state: TaskState): boolean => state !== 'queued' && state !== 'taken'

export class TaskStore {
  readonly #sql: Sql
  readonly #size: TableSize

  constructor(sql: Sql) {
    this.#sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS tasks (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, caller TEXT NOT NULL, key TEXT, digest TEXT NOT NULL,
        state TEXT NOT NULL, created INTEGER NOT NULL, changed INTEGER NOT NULL, bytes INTEGER NOT NULL, task TEXT NOT NULL,
        callback TEXT, message TEXT, place TEXT NOT NULL, input TEXT NOT NULL, outcome TEXT
      );
      CREATE UNIQUE INDEX IF NOT EXISTS tasks_key ON tasks (caller, key) WHERE key IS NOT NULL;
      CREATE INDEX IF NOT EXISTS tasks_caller ON tasks (caller, state);
      CREATE INDEX IF NOT EXISTS tasks_state ON tasks (state);
      CREATE INDEX IF NOT EXISTS tasks_changed ON tasks (state, changed);
    `)
    this.#size = new TableSize(sql, 'tasks')
  }

  /** The task of an earlier request with the same key. */
  findByKey(caller: string, key: string): TaskRow | undefined {
    return this.#one('SELECT * FROM tasks WHERE caller = ? AND key = ?', caller, key)
  }

  find(id: string): TaskRow | undefined {
    return this.#one('SELECT * FROM tasks WHERE id = ?', id)
  }

  /** Stores a task; returns undefined when there is no room for it, or no more for this caller. */
  add(given: NewTask, now: number): TaskRow | undefined {
    const most = given.caller === 'anyone' ? MOST_OF_ANYONE : MOST_OF_CALLER
    const bytes = bytesOf(given.input)
    const own = "SELECT COUNT(*) FROM tasks WHERE caller = ? AND state IN ('queued', 'taken')"
    const open = numberIn(this.#sql, own, given.caller)
    if (open >= most || !this.#size.hasRoom(bytes, MOST)) return undefined
    const { caller, key, digest, task, input, callback, message, place } = given
    this.#sql.exec(
      `INSERT INTO tasks (id, caller, key, digest, task, input, callback, message, place, state, created, changed, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?)`,
      ...[crypto.randomUUID(), caller, key, digest, task, input, callback, message, place, now, now, bytes],
    )
    this.#size.change(1, bytes)
    return this.#one('SELECT * FROM tasks WHERE seq = last_insert_rowid()')
  }

  /** The tasks after a number, in the order in which they were given. */
  list(page: Page, state: TaskState | undefined): TaskRow[] {
    if (state === undefined) return readPage(this.#sql, 'tasks WHERE TRUE', page)
    return readPage(this.#sql, 'tasks WHERE state = ?', page, state)
  }

  /** Takes the oldest waiting task. */
  take(now: number): TaskRow | undefined {
    const first = this.#one("SELECT * FROM tasks WHERE state = 'queued' ORDER BY seq LIMIT 1")
    return first && this.move(first, 'taken', now)
  }

  /** Results come from the agent itself, so they get as much room again. */
  hasRoomFor(text: string): boolean {
    return this.#size.bytes + bytesOf(text) <= 2 * MOST.bytes
  }

  /** Moves a task to its next state; the last one brings the outcome. */
  move({ id, input, bytes: before }: TaskRow, state: TaskState, now: number, outcome: Outcome | null = null): TaskRow {
    const text = outcome === null ? null : JSON.stringify(outcome)
    const bytes = bytesOf(input) + bytesOf(text ?? '')
    const change = 'UPDATE tasks SET state = ?, outcome = ?, changed = ?, bytes = ? WHERE id = ?'
    this.#sql.exec(change, state, text, now, bytes, id)
    this.#size.change(0, bytes - before)
    return this.find(id)!
  }

  /** Tasks that are overdue. */
  findOverdue(now: number): TaskRow[] {
    const query = "SELECT * FROM tasks WHERE state IN ('queued', 'taken') AND created <= ? LIMIT 100"
    return rowsOf(this.#sql, query, now - OPEN_MS)
  }

  /** Forgets tasks that ended more than a week ago. */
  forget(now: number): void {
    const old = "DELETE FROM tasks WHERE state IN ('completed', 'failed', 'canceled') AND changed <= ? RETURNING bytes"
    const rows = rowsOf<{ bytes: number }>(this.#sql, old, now - KEPT_MS)
    for (const { bytes } of rows) this.#size.change(-1, -bytes)
  }

  get size(): { readonly tasks: number; readonly queued: number } {
    return { tasks: this.#size.rows, queued: numberIn(this.#sql, "SELECT COUNT(*) FROM tasks WHERE state = 'queued'") }
  }

  #one(query: string, ...given: SqlValue[]): TaskRow | undefined {
    return rowsOf<TaskRow>(this.#sql, query, ...given)[0]
  }
}

// Reads and checks a request that gives a task (ADP/1.1 section 7.3.1).

const LONGEST_NAME = 256
const LONGEST_URL = 2048
const CALLBACK_CODE = 'AGP-158'
const KEY = /^[\x21-\x7e]{1,255}$/

/** The members that a task has in a request and in a message. */
interface TaskRequest {
  readonly task: string
  /** JSON. */
  readonly input: string
  readonly callback: string | undefined
}

/**
 * Reads a task; returns undefined if its members are invalid. Other members are ignored, as everywhere in the draft.
 */
export function parseTask({
  task,
  input = null,
  callback,
}: Readonly<Record<string, unknown>>): TaskRequest | undefined {
  const isRight =
    typeof task === 'string' &&
    task !== '' &&
    task.length <= LONGEST_NAME &&
    (callback === undefined || typeof callback === 'string')
  return isRight ? { task, input: JSON.stringify(input), callback } : undefined
}

export async function newTaskIn(sent: SentRequest, caller: Caller, settings: TaskSettings): Promise<NewTask> {
  const members = objectIn(sent.body)
  const given = parseTask(members)
  if (given === undefined)
    throw new Problem(
      'bad-request',
      `Expected a text of at most ${LONGEST_NAME} characters as the member task, and an address as callback.`,
    )
  const { task, input, callback = null } = given
  const fault = callback === null ? undefined : callbackFault(callback, caller, settings.origins)
  if (fault !== undefined) throw new Problem('bad-request', `${fault}.`, { members: { code: CALLBACK_CODE } })
  const digest = toHex(await sha256(sent.body))
  const place = sent.url.replace(/\?.*$/, '')
  return { caller: caller.name, task, input, callback, message: null, key: keyIn(sent, caller), digest, place }
}

/** The caller's Idempotency-Key. Keys belong to one caller each, so anonymous callers cannot use them. */
function keyIn({ headers }: SentRequest, { name }: Caller): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (name === 'anyone') throw new Problem('bad-request', 'Anonymous callers cannot use an Idempotency-Key.')
  if (KEY.test(key)) return key
  throw new Problem('bad-request', 'Expected an Idempotency-Key of 1 to 255 printable characters.')
}

/**
 * Why no result of this caller may go to this address; undefined if it may. A server that sends anywhere could be used to
 * attack others.
 */
function callbackFault(callback: string, { peer }: Caller, origins: readonly string[]): string | undefined {
  const url = callback.length > LONGEST_URL ? undefined : parseUrl(callback)
  if (url === undefined) return 'The callback is not a valid address'
  const why = addressFault(url.href)
  if (why !== undefined) return `The callback is not allowed: ${why}`
  const own = peer === undefined ? [] : [`https://${peer.uri.slice('agent:'.length)}`, ...Object.values(peer.endpoints)]
  const isOwn = own.some((address) => parseUrl(address)?.origin === url.origin)
  if (isOwn || origins.includes(url.origin)) return undefined
  return 'The callback has neither an origin of the caller’s metadata nor one that the operator allows'
}
