// What an agent remembers of others, in SQLite: the ids of recent messages, and a record of each agent that spoke.
import { type AgentRecord, type LinkMemory, REMEMBERED_MS } from 'blazon/agp'
import type { Verdict } from '../contracts/gateway.ts'
import { numberIn, rowsOf } from '../storage/sql.ts'

/** Ids of one agent, ids of all agents, and agents that are remembered. */
const MOST_IDS = 10_000
const MOST_IDS_OF_ALL = 200_000
const MOST_AGENTS = 10_000
const FORGET_MS = 1000
/** The delay before counts are written on their own, without a message. */
const COUNTED_MS = 100

type AgentRow = { next: number | null; left: number | null; at: number | null; verdict: Verdict | null }

export class AgentMemory implements LinkMemory {
  readonly #sql: SqlStorage
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
      CREATE TABLE IF NOT EXISTS ids (
        agent TEXT, id TEXT, until INTEGER NOT NULL, digest TEXT, PRIMARY KEY (agent, id)
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS ids_until ON ids (until);
      CREATE TABLE IF NOT EXISTS agents (
        agent TEXT PRIMARY KEY, next INTEGER, "left" REAL, at INTEGER, verdict TEXT
      ) WITHOUT ROWID;
    `)
    this.#ids = numberIn(sql, 'SELECT COUNT(*) FROM ids')
  }

  has(agent: string, id: string): boolean {
    return this.#remembered(agent, id) !== undefined
  }

  digestOf(agent: string, id: string): string | undefined {
    return this.#remembered(agent, id)?.digest ?? undefined
  }

  #remembered(agent: string, id: string): { readonly digest: string | null } | undefined {
    return rowsOf<{ digest: string | null }>(
      this.#sql,
      'SELECT digest FROM ids WHERE agent = ? AND id = ?',
      agent,
      id.toLowerCase(),
    )[0]
  }

  add(agent: string, id: string, now: Date, digest?: string): boolean {
    this.#forget(now.getTime())
    const own = this.#idsOf.get(agent) ?? numberIn(this.#sql, 'SELECT COUNT(*) FROM ids WHERE agent = ?', agent)
    if (own >= MOST_IDS || this.#ids >= MOST_IDS_OF_ALL) return false
    const until = now.getTime() + REMEMBERED_MS
    const row = [agent, id.toLowerCase(), until, digest ?? null]
    if (this.#sql.exec('INSERT OR IGNORE INTO ids VALUES (?, ?, ?, ?)', ...row).rowsWritten > 0) {
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
    this.#ids = numberIn(this.#sql, 'SELECT COUNT(*) FROM ids')
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
    return numberIn(this.#sql, 'SELECT COUNT(*) FROM agents') < MOST_AGENTS
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
    const query = 'SELECT agent FROM agents WHERE verdict = ? ORDER BY agent'
    return rowsOf<{ agent: string }>(this.#sql, query, verdict).map(({ agent }) => agent)
  }

  /** The number of remembered ids. */
  get ids(): number {
    return this.#ids
  }

  #row(agent: string): AgentRow | undefined {
    if (this.#rows.has(agent)) return this.#rows.get(agent)
    const query = 'SELECT next, "left", at, verdict FROM agents WHERE agent = ?'
    const [row] = rowsOf<AgentRow>(this.#sql, query, agent)
    if (this.#rows.size >= MOST_AGENTS) {
      this.writeCounts()
      this.#rows.clear()
    }
    this.#rows.set(agent, row)
    return row
  }
}
