// What an agent here was told, in SQLite: messages until somebody takes them, ids beyond the window, and what is known of each agent
// that spoke.
import { type AgentRecord, type LinkMemory, REMEMBERED_MS } from 'blazon/agp'

/** Messages that nobody has taken. */
const MOST_MESSAGES = 10_000
const MOST_BYTES = 64 << 20
/** Ids of one agent and of all; agents that are remembered. */
const MOST_IDS = 10_000
const MOST_IDS_OF_ALL = 200_000
const MOST_AGENTS = 10_000
const FORGET_MS = 1000

/** Whom the operator has named; `null` of all others. */
export type Verdict = 'allowed' | 'blocked'

export interface StoredMessage {
  readonly seq: number
  readonly agent: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

type AgentRow = { next: number | null; left: number | null; at: number | null; verdict: Verdict | null }

export class GatewayStore implements LinkMemory {
  readonly #sql: SqlStorage
  #messages: number
  #bytes: number
  #ids: number
  readonly #idsOf = new Map<string, number>()
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
    this.#messages = this.#count('SELECT COUNT(*) AS n FROM messages')
    this.#bytes = this.#count('SELECT COALESCE(SUM(LENGTH(text)), 0) AS n FROM messages')
    this.#ids = this.#count('SELECT COUNT(*) AS n FROM ids')
  }

  has(agent: string, id: string): boolean {
    return this.#count('SELECT COUNT(*) AS n FROM ids WHERE agent = ? AND id = ?', agent, id.toLowerCase()) > 0
  }

  add(agent: string, id: string, now: Date): boolean {
    this.#forget(now.getTime())
    const own = this.#idsOf.get(agent) ?? this.#count('SELECT COUNT(*) AS n FROM ids WHERE agent = ?', agent)
    if (own >= MOST_IDS || this.#ids >= MOST_IDS_OF_ALL) return false
    this.#idsOf.set(agent, own + 1)
    this.#sql.exec('INSERT OR IGNORE INTO ids VALUES (?, ?, ?)', agent, id.toLowerCase(), now.getTime() + REMEMBERED_MS)
    this.#ids++
    return true
  }

  /** Once a second at the most: what was counted has to be counted anew. */
  #forget(now: number): void {
    if (now < this.#forgotten + FORGET_MS) return
    this.#forgotten = now
    this.#sql.exec('DELETE FROM ids WHERE until < ?', now)
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

  keep(agent: string, { next, bucket }: AgentRecord): void {
    this.#sql.exec(
      `INSERT INTO agents (agent, next, "left", at) VALUES (?, ?, ?, ?)
       ON CONFLICT (agent) DO UPDATE SET next = excluded.next, "left" = excluded."left", at = excluded.at`,
      agent,
      next ?? null,
      bucket?.left ?? null,
      bucket?.at ?? null,
    )
  }

  /** True when one more agent can be remembered, or this one is already. */
  hasRoomFor(agent: string): boolean {
    return this.#row(agent) !== undefined || this.#count('SELECT COUNT(*) AS n FROM agents') < MOST_AGENTS
  }

  /** Keeps a message and its id together; false when there is no room for one of them. */
  put(agent: string, { id, text, now }: { readonly id: string; readonly text: string; readonly now: Date }): boolean {
    if (this.#messages >= MOST_MESSAGES || this.#bytes + text.length > MOST_BYTES) return false
    if (!this.add(agent, id, now)) return false
    this.#sql.exec('INSERT INTO messages (agent, at, text) VALUES (?, ?, ?)', agent, now.getTime(), text)
    this.#messages++
    this.#bytes += text.length
    return true
  }

  messages(after: number, limit: number): StoredMessage[] {
    const rows = this.#sql.exec<{ seq: number; agent: string; at: number; text: string }>(
      'SELECT * FROM messages WHERE seq > ? ORDER BY seq LIMIT ?',
      after,
      limit,
    )
    return rows.toArray()
  }

  /** Removes what was taken; their ids stay. */
  removeThrough(seq: number): number {
    const { removed, bytes } = this.#sql
      .exec<{ removed: number; bytes: number }>(
        'SELECT COUNT(*) AS removed, COALESCE(SUM(LENGTH(text)), 0) AS bytes FROM messages WHERE seq <= ?',
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
    const change = 'ON CONFLICT (agent) DO UPDATE SET verdict = excluded.verdict'
    this.#sql.exec(`INSERT INTO agents (agent, verdict) VALUES (?, ?) ${change}`, agent, verdict)
  }

  judged(verdict: Verdict): string[] {
    const rows = this.#sql.exec<{ agent: string }>('SELECT agent FROM agents WHERE verdict = ? ORDER BY agent', verdict)
    return rows.toArray().map(({ agent }) => agent)
  }

  get size(): { readonly messages: number; readonly bytes: number; readonly ids: number } {
    return { messages: this.#messages, bytes: this.#bytes, ids: this.#ids }
  }

  #row(agent: string): AgentRow | undefined {
    return this.#sql.exec<AgentRow>('SELECT next, "left", at, verdict FROM agents WHERE agent = ?', agent).toArray()[0]
  }

  #count(query: string, ...given: SqlStorageValue[]): number {
    return this.#sql.exec<{ n: number }>(query, ...given).one().n
  }
}
