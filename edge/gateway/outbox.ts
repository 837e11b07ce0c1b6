// Everything that an agent sends, in SQLite: each message until it is delivered or given up, when its recipient is tried
// next, and the latest failures, which the operator should see.
import type { MessageDraft } from 'blazon/agp'
import {
  type ExpiredMessage,
  type Failure,
  type MessageTimes,
  Outbox,
  type OutboxStore,
  type QueuedMessage,
  type ReadyMessage,
} from '../../bindings/agp/outbox.ts'
import type { Sql, Store } from '../platform/types.ts'
import { bytesOf, Log, rowsOf, TableSize } from '../storage/log.ts'

/** Waiting messages of all recipients, and of one. */
const MOST = { rows: 10_000, bytes: 64 << 20 }
const MOST_OF_ONE = 1000
const MOST_LISTED = 100
const FAILURES = { rows: 1000, bytes: 4 << 20, drops: true } as const

/** A recipient with waiting messages. */
type Recipient = {
  readonly recipient: string
  readonly due: number
  readonly waiting: number
  readonly failures: number
  /** Why the last try failed. */
  readonly reason: string | null
}

/** A message that was given up, after this many failed tries. */
interface GivenUp extends Omit<Failure, 'outcome'> {
  readonly id: string
  readonly to: string
  readonly tries: number
}

export class SqlOutbox<Content> implements OutboxStore<Content> {
  /** Nothing is due before this time. */
  heldUntil = 0
  readonly #sql: Sql
  readonly #name: string
  readonly #failures: Log
  readonly #size: TableSize

  /** @param name the table of the messages; the other tables begin with it. */
  constructor(sql: Sql, name: string) {
    this.#sql = sql
    this.#name = name
    sql.exec(`
      CREATE TABLE IF NOT EXISTS ${name} (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, recipient TEXT NOT NULL, until INTEGER NOT NULL,
        expires INTEGER NOT NULL, sent INTEGER, tried INTEGER, bytes INTEGER NOT NULL, content TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS ${name}_tried ON ${name} (recipient, tried);
      CREATE INDEX IF NOT EXISTS ${name}_expires ON ${name} (expires);
      CREATE TABLE IF NOT EXISTS ${name}_recipients (
        recipient TEXT PRIMARY KEY, due INTEGER NOT NULL, waiting INTEGER NOT NULL, failures INTEGER NOT NULL, reason TEXT
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS ${name}_due ON ${name}_recipients (due);
    `)
    this.#failures = new Log(sql, `${name}_failures`, FAILURES)
    this.#size = new TableSize(sql, name)
  }

  get size(): number {
    return this.#size.rows
  }

  /** The number of the latest failures. */
  get failures(): number {
    return this.#failures.size.rows
  }

  hasRoom({ to, content }: QueuedMessage<Content>): boolean {
    const own = this.recipient(to)?.waiting ?? 0
    return own < MOST_OF_ONE && this.#size.hasRoom(bytesOf(JSON.stringify(content)), MOST)
  }

  /** Undefined when no message waits for the recipient. */
  recipient(to: string): Recipient | undefined {
    return rowsOf<Recipient>(this.#sql, `SELECT * FROM ${this.#name}_recipients WHERE recipient = ?`, to)[0]
  }

  recipients(limit: number): Recipient[] {
    return rowsOf<Recipient>(this.#sql, `SELECT * FROM ${this.#name}_recipients ORDER BY recipient LIMIT ?`, limit)
  }

  /** A message with the id of a waiting one is ignored. */
  add({ id, to, content, until }: QueuedMessage<Content>, now: number): void {
    const text = JSON.stringify(content)
    const bytes = bytesOf(text)
    const added = this.#sql.exec(
      `INSERT OR IGNORE INTO ${this.#name} (id, recipient, content, bytes, until, expires) VALUES (?, ?, ?, ?, ?5, ?5)`,
      ...[id, to, text, bytes, until],
    )
    if (added.rowsWritten === 0) return
    this.#sql.exec(
      `INSERT INTO ${this.#name}_recipients VALUES (?1, ?2, 1, 0, NULL) ON CONFLICT (recipient)
       DO UPDATE SET waiting = waiting + 1, due = CASE failures WHEN 0 THEN ?2 ELSE due END`,
      ...[to, now],
    )
    this.#size.change(1, bytes)
  }

  ready(to: string, window: number): ReadyMessage<Content>[] {
    const ready = rowsOf<{ id: string; content: string; sent: number | null }>(
      this.#sql,
      `SELECT id, content, sent FROM ${this.#name} WHERE recipient = ?1 AND tried IS NULL ORDER BY seq
       LIMIT MAX(0, ?2 - (SELECT COUNT(*) FROM ${this.#name} WHERE recipient = ?1 AND tried > 0))`,
      ...[to, window],
    )
    return ready.map((message) => ({ ...message, content: JSON.parse(message.content) }))
  }

  mark(to: string, id: string, { sent, tried, expires }: MessageTimes): void {
    const change = 'SET sent = ?, tried = ?, expires = COALESCE(?, until) WHERE id = ? AND recipient = ?'
    this.#sql.exec(`UPDATE ${this.#name} ${change}`, sent, tried, expires, id, to)
  }

  release(to: string, tried: number): void {
    this.#sql.exec(`UPDATE ${this.#name} SET tried = NULL WHERE recipient = ? AND tried <= ?`, to, tried)
  }

  expired(now: number): ExpiredMessage[] {
    return rowsOf<ExpiredMessage>(
      this.#sql,
      `SELECT recipient AS "to", id, sent, reason FROM ${this.#name} JOIN ${this.#name}_recipients USING (recipient)
       WHERE expires <= ?`,
      now,
    )
  }

  settle(to: string, id: string | undefined, failure?: Failure): boolean {
    const which = id === undefined ? 'recipient = ?' : 'recipient = ? AND id = ?'
    const settled = rowsOf<{ id: string; bytes: number }>(
      this.#sql,
      `DELETE FROM ${this.#name} WHERE ${which} RETURNING id, bytes`,
      ...[to, ...(id === undefined ? [] : [id])],
    )
    const recipient = this.recipient(to)
    if (settled.length === 0 || recipient === undefined) return false
    for (const { id, bytes } of settled) {
      this.#size.change(-1, -bytes)
      if (failure !== undefined) this.#keepFailure({ id, to, tries: recipient.failures }, failure)
    }
    const waiting = recipient.waiting - settled.length
    const change = failure === undefined ? ', failures = 0, reason = NULL' : ''
    if (waiting === 0) this.#sql.exec(`DELETE FROM ${this.#name}_recipients WHERE recipient = ?`, to)
    else this.#sql.exec(`UPDATE ${this.#name}_recipients SET waiting = ?${change} WHERE recipient = ?`, waiting, to)
    return true
  }

  #keepFailure(message: Omit<GivenUp, keyof Failure>, { outcome, at, code, detail }: Failure): void {
    this.#failures.append({ at, about: outcome, text: JSON.stringify({ ...message, code, detail }) })
  }

  /** The messages that were given up, the latest first. */
  givenUp(outcome: Failure['outcome'], limit: number): GivenUp[] {
    return this.#failures.latest(outcome, limit).map(({ at, text }) => ({ ...JSON.parse(text), at }))
  }

  failed(to: string, reason: string): number {
    const change = 'SET failures = failures + 1, reason = ? WHERE recipient = ? RETURNING failures'
    const [row] = rowsOf<{ failures: number }>(this.#sql, `UPDATE ${this.#name}_recipients ${change}`, reason, to)
    return row?.failures ?? 1
  }

  plan(to: string, due: number): void {
    this.#sql.exec(`UPDATE ${this.#name}_recipients SET due = ? WHERE recipient = ?`, due, to)
  }

  /** Recipients to try now, the longest overdue first. */
  due(now: number, limit: number): string[] {
    const query = `SELECT recipient FROM ${this.#name}_recipients WHERE due <= ? ORDER BY due LIMIT ?`
    return rowsOf<{ recipient: string }>(this.#sql, query, now, limit).map(({ recipient }) => recipient)
  }

  /** When the next recipient is due, or the next message expires. */
  get nextDue(): number | undefined {
    const query = `SELECT (SELECT MIN(due) FROM ${this.#name}_recipients) AS due, (SELECT MIN(expires) FROM ${this.#name}) AS expires`
    const { due, expires } = this.#sql.exec<{ due: number | null; expires: number | null }>(query).one()
    return due === null || expires === null ? undefined : Math.max(this.heldUntil, Math.min(due, expires))
  }
}

/**
 * How long to wait for the ack of a message before it is sent again. It keeps its first time, so that no recipient takes
 * it twice. After `forMs` it is too old to be taken, and nobody knows whether it was.
 */
const DELIVERY = { resend: { afterMs: 60_000, forMs: 240_000 }, longestPauseMs: 900_000 }

/** The messages that an agent sends in conversations. */
export class Messages extends SqlOutbox<MessageDraft> {
  readonly outbox = new Outbox(this, DELIVERY)

  /** For the operator. */
  get state() {
    const agents = this.recipients(MOST_LISTED).map(({ recipient: agent, due, ...rest }) => {
      return { agent, ...rest, next: new Date(due).toISOString() }
    })
    const givenUp = (outcome: Failure['outcome']) =>
      this.givenUp(outcome, MOST_LISTED).map(({ id, to, at, code, detail }) => {
        return { id, agent: to, at: new Date(at).toISOString(), code, detail }
      })
    const outbox = { waiting: this.size, agents }
    return { outbox, undelivered: givenUp('undelivered'), refused: givenUp('refused') }
  }
}

/** Something that is done later: the time is in milliseconds since 1970, or undefined when there is nothing to do. */
interface Due {
  readonly nextDue: number | undefined
}

/** The single alarm of an object, which all of its later work shares. */
export class Alarm {
  readonly #storage: Store
  readonly #work: readonly Due[]

  constructor(storage: Store, work: readonly Due[]) {
    this.#storage = storage
    this.#work = work
  }

  /** Sets the alarm for the first work that is due. Call it after every change. */
  async plan(): Promise<void> {
    const times = this.#work.map(({ nextDue }) => nextDue).filter((time) => time !== undefined)
    if (times.length === 0) await this.#storage.deleteAlarm()
    // The alarm ignores fractions of a millisecond and would run early; setting it to the same time again has no effect.
    else await this.#storage.setAlarm(Math.ceil(Math.min(...times)))
  }
}
