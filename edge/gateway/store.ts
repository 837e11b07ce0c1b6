// An agent's incoming messages, in SQLite: messages until the operator takes them, the ids of recent messages, and a
// record of each agent that spoke.
import { type AgentRecord, type LinkMemory, REMEMBERED_MS } from 'blazon/agp'
import type { StoredMessage, Verdict } from '../contracts/gateway.ts'
import { addColumn, bytesIn, bytesOf, pageOf } from './columns.ts'

/** Messages that nobody has taken yet. */
const MOST_MESSAGES = 10_000
const MOST_BYTES = 64 << 20
/** Ids of one agent, ids of all agents, and agents that are remembered. */
const MOST_IDS = 10_000
const MOST_IDS_OF_ALL = 200_000
const MOST_AGENTS = 10_000
const FORGET_MS = 1000
/** The delay before counts are written on their own, without a message. */
const COUNTED_MS = 100

interface NewMessage {
  readonly id: string
  readonly text: string
  readonly digest: string
  readonly now: Date
}

type AgentRow = { next: number | null; left: number | null; at: number | null; verdict: Verdict | null }

export class GatewayStore implements LinkMemory {
  readonly #sql: SqlStorage
  #messages: number
  #bytes: number
  #ids: number
  readonly #idsOf = new Map<string, number>()
  /** A cache of the records: each message reads the one of its sender. */
  readonly #rows = new Map<string, AgentRow | undefined>()
  /** Agents whose counts are not on disk yet. */
  readonly #counted = new Set<string>()
  #willWrite = false
  #forgotten = 0

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS messages (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL
      );
      CREATE TABLE IF NOT EXISTS ids (agent TEXT, id TEXT, until INTEGER NOT NULL, PRIMARY KEY (agent, id)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS ids_until ON ids (until);
      CREATE TABLE IF NOT EXISTS agents (
        agent TEXT PRIMARY KEY, next INTEGER, "left" REAL, at INTEGER, verdict TEXT
      ) WITHOUT ROWID;
    `)
    addColumn(sql, 'messages', 'bytes INTEGER NOT NULL DEFAULT 0', bytesIn('text'))
    addColumn(sql, 'ids', 'digest TEXT')
    this.#messages = this.#count('SELECT COUNT(*) AS n FROM messages')
    this.#bytes = this.#count('SELECT COALESCE(SUM(bytes), 0) AS n FROM messages')
    this.#ids = this.#count('SELECT COUNT(*) AS n FROM ids')
  }

  has(agent: string, id: string): boolean {
    const found = this.#sql.exec('SELECT 1 FROM ids WHERE agent = ? AND id = ?', agent, id.toLowerCase())
    return found.toArray().length > 0
  }

  digestOf(agent: string, id: string): string | undefined {
    const [row] = this.#sql
      .exec<{ digest: string | null }>('SELECT digest FROM ids WHERE agent = ? AND id = ?', agent, id.toLowerCase())
      .toArray()
    return row?.digest ?? undefined
  }

  add(agent: string, id: string, now: Date, digest?: string): boolean {
    this.#forget(now.getTime())
    const own = this.#idsOf.get(agent) ?? this.#count('SELECT COUNT(*) AS n FROM ids WHERE agent = ?', agent)
    if (own >= MOST_IDS || this.#ids >= MOST_IDS_OF_ALL) return false
    const until = now.getTime() + REMEMBERED_MS
    const row = [agent, id.toLowerCase(), until, digest ?? null]
    if (
      this.#sql.exec('INSERT OR IGNORE INTO ids (agent, id, until, digest) VALUES (?, ?, ?, ?)', ...row).rowsWritten > 0
    ) {
      if (this.#idsOf.size >= MOST_AGENTS) this.#idsOf.clear()
      this.#idsOf.set(agent, own + 1)
      this.#ids++
    }
    return true
  }

  /** Deletes expired ids, at most once a second, and recounts after deletions. */
  #forget(now: number): void {
    if (now < this.#forgotten + FORGET_MS) return
    this.#forgotten = now
    if (this.#sql.exec('DELETE FROM ids WHERE until < ?', now).rowsWritten === 0) return
    this.#ids = this.#count('SELECT COUNT(*) AS n FROM ids')
    this.#idsOf.clear()
  }

  record(agent: string): AgentRecord {
    const row = this.#row(agent)
    return {
      ...(row?.next != null && { next: row.next }),
      ...(row?.left != null && row.at !== null && { bucket: { left: row.left, at: row.at } }),
    }
  }

  /**
   * A sequence number is on disk before the message is answered. Counts are written with the next stored message or
   * after a short delay: written on their own, each would cost a commit.
   */
  keep(agent: string, { next: number, bucket }: AgentRecord): void {
    const before = this.#row(agent)
    const [next, left, at] = [number ?? null, bucket?.left ?? null, bucket?.at ?? null]
    this.#rows.set(agent, { verdict: before?.verdict ?? null, next, left, at })
    this.#counted.add(agent)
    if (next !== (before?.next ?? null)) this.writeCounts()
    else this.#writeSoon()
  }

  writeCounts(): void {
    for (const agent of this.#counted) {
      const { next, left, at } = this.#rows.get(agent)!
      this.#sql.exec(
        `INSERT INTO agents (agent, next, "left", at) VALUES (?, ?, ?, ?)
         ON CONFLICT (agent) DO UPDATE SET next = excluded.next, "left" = excluded."left", at = excluded.at`,
        agent,
        next,
        left,
        at,
      )
    }
    this.#counted.clear()
  }

  /** The object doesn't hibernate before the timer fires. */
  #writeSoon(): void {
    if (this.#willWrite) return
    this.#willWrite = true
    setTimeout(() => {
      this.#willWrite = false
      this.writeCounts()
    }, COUNTED_MS)
  }

  /** True if there is room to remember one more agent, or this one is remembered already. */
  hasRoomFor(agent: string): boolean {
    if (this.#row(agent) !== undefined) return true
    this.writeCounts()
    return this.#count('SELECT COUNT(*) AS n FROM agents') < MOST_AGENTS
  }

  /** Stores a message and its id together; returns false when there is no room for either. */
  put(agent: string, { id, text, digest, now }: NewMessage): boolean {
    const bytes = bytesOf(text)
    if (this.#messages >= MOST_MESSAGES || this.#bytes + bytes > MOST_BYTES) return false
    if (!this.add(agent, id, now, digest)) return false
    this.#sql.exec(
      'INSERT INTO messages (agent, at, text, bytes) VALUES (?, ?, ?, ?)',
      agent,
      now.getTime(),
      text,
      bytes,
    )
    this.#messages++
    this.#bytes += bytes
    return true
  }

  /** Returns at most `limit` messages, and fewer when they are large. */
  messages(after: number, limit: number): StoredMessage[] {
    const query = 'SELECT * FROM messages WHERE seq > ? ORDER BY seq LIMIT ?'
    return pageOf(this.#sql.exec<{ -readonly [Name in keyof StoredMessage]: StoredMessage[Name] }>(query, after, limit))
  }

  /** Removes messages that were taken; their ids stay. */
  removeThrough(seq: number): number {
    const { removed, bytes } = this.#sql
      .exec<{ removed: number; bytes: number }>(
        'SELECT COUNT(*) AS removed, COALESCE(SUM(bytes), 0) AS bytes FROM messages WHERE seq <= ?',
        seq,
      )
      .one()
    this.#sql.exec('DELETE FROM messages WHERE seq <= ?', seq)
    this.#messages -= removed
    this.#bytes -= bytes
    return removed
  }

  verdict(agent: string): Verdict | undefined {
    return this.#row(agent)?.verdict ?? undefined
  }

  judge(agent: string, verdict: Verdict | null): void {
    this.writeCounts()
    const change = 'ON CONFLICT (agent) DO UPDATE SET verdict = excluded.verdict'
    this.#sql.exec(`INSERT INTO agents (agent, verdict) VALUES (?, ?) ${change}`, agent, verdict)
    this.#rows.delete(agent)
  }

  judged(verdict: Verdict): string[] {
    const rows = this.#sql.exec<{ agent: string }>('SELECT agent FROM agents WHERE verdict = ? ORDER BY agent', verdict)
    return rows.toArray().map(({ agent }) => agent)
  }

  get size(): { readonly messages: number; readonly bytes: number; readonly ids: number } {
    return { messages: this.#messages, bytes: this.#bytes, ids: this.#ids }
  }

  #row(agent: string): AgentRow | undefined {
    if (this.#rows.has(agent)) return this.#rows.get(agent)
    const [row] = this.#sql
      .exec<AgentRow>('SELECT next, "left", at, verdict FROM agents WHERE agent = ?', agent)
      .toArray()
    if (this.#rows.size >= MOST_AGENTS) {
      this.writeCounts()
      this.#rows.clear()
    }
    this.#rows.set(agent, row)
    return row
  }

  #count(query: string, ...given: SqlStorageValue[]): number {
    return this.#sql.exec<{ n: number }>(query, ...given).one().n
  }
}
