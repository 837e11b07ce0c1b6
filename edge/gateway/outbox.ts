// An agent's outgoing messages, in SQLite: each message until it is delivered or has failed, when its recipient is
// tried next, and the failures that the operator should see.
import type { QueuedMessage } from '../contracts/gateway.ts'
import { bytesOf } from './columns.ts'

/** Waiting messages of all agents, and of one. */
const MOST_WAITING = 10_000
const MOST_OF_ONE = 1000
const MOST_BYTES = 64 << 20
/** Only the latest failures are kept. */
const MOST_FATES = 1000
/**
 * A message keeps the timestamp of its first sending, so that no recipient takes it twice. After this time it is too
 * old to be taken, and nobody knows whether it was.
 */
const SENT_MS = 240_000
const OVER = `COALESCE(sent + ${SENT_MS}, until)`

export interface Waiting {
  readonly id: string
  readonly utterance: QueuedMessage['utterance']
  /** When it was first sent; null before that. */
  readonly sent: number | null
}

export type Outcome = 'undelivered' | 'refused'

export interface DeliveryResult {
  readonly id: string
  readonly agent: string
  readonly at: number
  readonly code: string
  readonly detail: string
}

export interface Absent {
  readonly agent: string
  readonly waiting: number
  readonly due: number
  readonly failures: number
  readonly reason: string | null
}

type Row<T> = T & Record<string, SqlStorageValue>

export class OutboxStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS outbox (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, until INTEGER NOT NULL,
        sent INTEGER, tried INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL, utterance TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS outbox_agent ON outbox (agent, tried, bytes);
      CREATE INDEX IF NOT EXISTS outbox_over ON outbox (${OVER});
      CREATE TABLE IF NOT EXISTS tries (
        agent TEXT PRIMARY KEY, due INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0, reason TEXT
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS tries_due ON tries (due);
      CREATE TABLE IF NOT EXISTS fates (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, agent TEXT NOT NULL, at INTEGER NOT NULL,
        outcome TEXT NOT NULL, code TEXT NOT NULL, detail TEXT NOT NULL
      );
    `)
  }

  /** Returns false when there is no room. For an agent that failed before, the time of the next try stays as it was. */
  put({ id, agent, utterance, until }: QueuedMessage, now: number): boolean {
    const text = JSON.stringify(utterance)
    const size = bytesOf(text)
    const { n, bytes, own } = this.#sql
      .exec<Row<{ n: number; bytes: number; own: number }>>(
        'SELECT COUNT(*) AS n, COALESCE(SUM(bytes), 0) AS bytes, COALESCE(SUM(agent = ?), 0) AS own FROM outbox',
        agent,
      )
      .one()
    if (n >= MOST_WAITING || own >= MOST_OF_ONE || bytes + size > MOST_BYTES) return false
    const row = 'INSERT INTO outbox (id, agent, until, bytes, utterance) VALUES (?, ?, ?, ?, ?)'
    this.#sql.exec(row, id, agent, until, size, text)
    this.#sql.exec(
      'INSERT INTO tries (agent, due) VALUES (?1, ?2) ON CONFLICT (agent) DO UPDATE SET due = CASE failures WHEN 0 THEN ?2 ELSE due END',
      agent,
      now,
    )
    return true
  }

  /** The next messages for an agent that are not in transit. Those sent before `before` count as lost. */
  next(agent: string, before: number, limit: number): Waiting[] {
    return this.#sql
      .exec<Row<{ id: string; utterance: string; sent: number | null }>>(
        'SELECT id, utterance, sent FROM outbox WHERE agent = ? AND tried <= ? ORDER BY seq LIMIT ?',
        agent,
        before,
        limit,
      )
      .toArray()
      .map(({ id, utterance, sent }) => ({ id, utterance: JSON.parse(utterance), sent }))
  }

  onTheWay(agent: string, after: number): number {
    return this.#count('SELECT COUNT(*) AS n FROM outbox WHERE agent = ? AND tried > ?', agent, after)
  }

  isEmptyFor(agent: string): boolean {
    return this.#count('SELECT COUNT(*) AS n FROM outbox WHERE agent = ?', agent) === 0
  }

  markSent(id: string, now: number): void {
    this.#sql.exec('UPDATE outbox SET sent = COALESCE(sent, ?1), tried = ?1 WHERE id = ?2', now, id)
  }

  /** The recipient has signed that it did not take the message, so it may be sent again with a new timestamp. */
  goAgain(agent: string, id: string): void {
    this.#sql.exec('UPDATE outbox SET sent = NULL WHERE agent = ? AND id = ?', agent, id)
  }

  /** For a new conversation: sends everything again that was in transit in another one. */
  startOver(agent: string): void {
    this.#sql.exec('UPDATE outbox SET tried = 0 WHERE agent = ?', agent)
  }

  /** A message was acknowledged; returns false for a message that was never sent to this agent. */
  delivered(agent: string, id: string): boolean {
    const isOurs = this.#sql.exec('DELETE FROM outbox WHERE agent = ? AND id = ?', agent, id).rowsWritten > 0
    if (isOurs) this.#sql.exec('UPDATE tries SET failures = 0, reason = NULL WHERE agent = ?', agent)
    this.#tidy(agent)
    return isOurs
  }

  /** Gives up one message, or all messages for an agent. */
  end(agent: string, id: string | undefined, fate: Pick<DeliveryResult, 'at' | 'code' | 'detail'>): void {
    const ended = this.#sql
      .exec<Row<{ id: string }>>(
        'DELETE FROM outbox WHERE agent = ?1 AND id = COALESCE(?2, id) RETURNING id',
        agent,
        id ?? null,
      )
      .toArray()
    for (const one of ended) this.#tell('refused', { ...fate, id: one.id, agent })
    this.#tidy(agent)
  }

  /** Gives up expired messages and returns the agents they were for. */
  expire(now: number): ReadonlySet<string> {
    const over = this.#sql
      .exec<Row<{ id: string; agent: string; sent: number | null }>>(
        `DELETE FROM outbox WHERE ${OVER} <= ? RETURNING id, agent, sent`,
        now,
      )
      .toArray()
    for (const { id, agent, sent } of over) {
      const detail =
        sent === null ? this.#reasonOf(agent) : 'it was sent but not acknowledged; the recipient may have received it'
      this.#tell('undelivered', { id, agent, at: now, code: 'AGP-137', detail })
    }
    const agents = new Set(over.map(({ agent }) => agent))
    for (const agent of agents) this.#tidy(agent)
    return agents
  }

  plan(agent: string, due: number): void {
    this.#sql.exec('UPDATE tries SET due = ? WHERE agent = ?', due, agent)
  }

  failed(agent: string, reason: string, dueAfter: (failures: number) => number): void {
    const [row] = this.#sql
      .exec<Row<{ failures: number }>>(
        'UPDATE tries SET failures = failures + 1, reason = ? WHERE agent = ? RETURNING failures',
        reason,
        agent,
      )
      .toArray()
    if (row !== undefined) this.plan(agent, dueAfter(row.failures))
  }

  nextDue(): number | undefined {
    return this.#sql.exec<Row<{ due: number | null }>>('SELECT MIN(due) AS due FROM tries').one().due ?? undefined
  }

  due(now: number, limit: number): string[] {
    const query = 'SELECT agent FROM tries WHERE due <= ? ORDER BY due LIMIT ?'
    return this.#sql
      .exec<Row<{ agent: string }>>(query, now, limit)
      .toArray()
      .map(({ agent }) => agent)
  }

  isDue(agent: string, now: number): boolean {
    return this.#count('SELECT COUNT(*) AS n FROM tries WHERE agent = ? AND due <= ?', agent, now) > 0
  }

  absent(limit: number): Absent[] {
    return this.#sql
      .exec<Row<Absent>>(
        `SELECT agent, (SELECT COUNT(*) FROM outbox WHERE outbox.agent = tries.agent) AS waiting, due, failures, reason
         FROM tries ORDER BY agent LIMIT ?`,
        limit,
      )
      .toArray()
  }

  /** The latest first. */
  fates(outcome: Outcome, limit: number): DeliveryResult[] {
    const query = 'SELECT id, agent, at, code, detail FROM fates WHERE outcome = ? ORDER BY seq DESC LIMIT ?'
    return this.#sql.exec<Row<DeliveryResult>>(query, outcome, limit).toArray()
  }

  get waiting(): number {
    return this.#count('SELECT COUNT(*) AS n FROM outbox')
  }

  #tell(outcome: Outcome, { id, agent, at, code, detail }: DeliveryResult): void {
    const columns = 'INSERT INTO fates (id, agent, at, outcome, code, detail) VALUES (?, ?, ?, ?, ?, ?)'
    this.#sql.exec(columns, id, agent, at, outcome, code, detail)
    this.#sql.exec('DELETE FROM fates WHERE seq <= (SELECT MAX(seq) FROM fates) - ?', MOST_FATES)
  }

  /** Stops trying an agent for which no message waits. */
  #tidy(agent: string): void {
    if (this.isEmptyFor(agent)) this.#sql.exec('DELETE FROM tries WHERE agent = ?', agent)
  }

  #reasonOf(agent: string): string {
    const [row] = this.#sql
      .exec<Row<{ reason: string | null }>>('SELECT reason FROM tries WHERE agent = ?', agent)
      .toArray()
    return row?.reason ?? 'it was not reached in time'
  }

  #count(query: string, ...given: SqlStorageValue[]): number {
    return this.#sql.exec<{ n: number }>(query, ...given).one().n
  }
}
