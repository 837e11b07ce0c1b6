// What an agent sends over HTTP, with retries until it arrives: results, tasks for others, notices to its own program.
import { nextTry } from './pauses.ts'

const AT_ONCE = 8
const MOST_SHOWN = 100

/**
 * `result`: to the caller that gave a task. `task`: to another agent. `told`: a task or a result for the agent's own
 * program. `message`: an answer to a message.
 */
export type NotificationKind = 'result' | 'task' | 'told' | 'message'

export type Notification = {
  readonly kind: NotificationKind
  /** The id of the task. Each task has at most one notification of a kind. */
  readonly about: string
  readonly url: string
}

export type NotificationRow = Notification & {
  readonly id: number
  readonly tries: number
  /** The time of the next try; null after the last one. */
  readonly next: number | null
  readonly created: number
  readonly last: string | null
}

/** The result of a try: why it failed, and whether that is final. */
export type NotificationResult =
  | { readonly failure?: undefined }
  | { readonly failure: string; readonly isFinal: boolean }

export class Outbox {
  readonly #sql: SqlStorage
  readonly #deliver: (notification: Notification) => Promise<NotificationResult>
  readonly #plan: () => Promise<void>

  constructor(
    sql: SqlStorage,
    {
      deliver,
      plan,
    }: { deliver: (notification: Notification) => Promise<NotificationResult>; plan: () => Promise<void> },
  ) {
    this.#sql = sql
    this.#deliver = deliver
    this.#plan = plan
    sql.exec(`
      CREATE TABLE IF NOT EXISTS letters (
        id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, about TEXT NOT NULL, url TEXT NOT NULL,
        tries INTEGER NOT NULL, next INTEGER, created INTEGER NOT NULL, last TEXT, UNIQUE (kind, about)
      );
      CREATE INDEX IF NOT EXISTS letters_next ON letters (next);
    `)
  }

  /** Stores a notification in the transaction of the current turn, and sends it at once. */
  put({ kind, about, url }: Notification, now: number): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO letters (kind, about, url, tries, next, created) VALUES (?, ?, ?, 0, ?, ?)',
      ...[kind, about, url, now, now],
    )
    // Runs after the transaction.
    queueMicrotask(() => void this.#plan().catch(console.error))
  }

  due(): number | undefined {
    return this.#sql.exec<{ next: number | null }>('SELECT MIN(next) AS next FROM letters').one().next ?? undefined
  }

  async run(now: number): Promise<void> {
    const query = 'SELECT * FROM letters WHERE next <= ? ORDER BY next LIMIT ?'
    const rows = this.#sql.exec<NotificationRow>(query, now, AT_ONCE).toArray()
    await Promise.all(rows.map((row) => this.#try(row)))
  }

  async #try(row: NotificationRow): Promise<void> {
    const { failure, ...more } = await this.#delivered(row)
    if (failure === undefined) {
      this.#sql.exec('DELETE FROM letters WHERE id = ?', row.id)
      return
    }
    const isFinal = 'isFinal' in more && more.isFinal
    const next = isFinal ? undefined : nextTry(row, Date.now())
    this.#sql.exec(
      'UPDATE letters SET tries = tries + 1, next = ?, last = ? WHERE id = ?',
      next ?? null,
      failure.slice(0, 200),
      row.id,
    )
  }

  async #delivered(row: NotificationRow): Promise<NotificationResult> {
    try {
      return await this.#deliver(row)
    } catch (error) {
      console.error(error)
      return { failure: 'it could not be sent; the log has the reason', isFinal: false }
    }
  }

  /** Deletes the failed notifications of tasks that no longer exist. */
  forget(isKnown: (about: string) => boolean): void {
    for (const { id, about } of this.#sql.exec<NotificationRow>('SELECT * FROM letters WHERE next IS NULL').toArray())
      if (!isKnown(about)) this.#sql.exec('DELETE FROM letters WHERE id = ?', id)
  }

  get state() {
    const { waiting, undelivered } = this.#sql
      .exec<{ waiting: number; undelivered: number }>(
        'SELECT COUNT(next) AS waiting, COUNT(*) - COUNT(next) AS undelivered FROM letters',
      )
      .one()
    const rows = this.#sql
      .exec<NotificationRow>('SELECT * FROM letters ORDER BY next IS NOT NULL, id LIMIT ?', MOST_SHOWN)
      .toArray()
    const letters = rows.map(({ kind, about, url, tries, next, last }) => ({
      kind,
      about,
      ...(url !== '' && { url }),
      tries,
      ...(next !== null && { next: new Date(next).toISOString() }),
      ...(last !== null && { last }),
    }))
    return { waiting, undelivered, letters }
  }
}
