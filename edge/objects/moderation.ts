import { Card, compare, versionOf } from 'blazon/card'
import { parseJson } from 'blazon/document'
import {
  MOST_RULES,
  type ModerationObject,
  type Quota,
  type Rule,
  type SenderObject,
  type Waiting,
} from '../contracts/directory.ts'
import { directoryMap, type Env, shardStub } from '../env.ts'
import { factsOf, Rules } from '../moderation/rules.ts'
import { cardIn } from '../moderation/subjects.ts'
import { StoredObject } from '../platform/objects.ts'
import type { ObjectState, Serves, Sql, SqlValue } from '../platform/types.ts'
import { numberIn, rowsOf } from '../storage/log.ts'

/** Waiting cards that are read at once. */
const BATCH = 50
/** A waiting card that was not allowed is deleted after this time, and must be published again. */
const FORGET_AFTER_MS = 30 * 86_400_000

type Row = { id: string; bytes: ArrayBuffer; signer: string | null; came: number }

/**
 * The operator's rules, and the waiting cards. Every shard has a copy of the rules, so that a card is judged in the
 * turn in which it is stored. A change is acknowledged once all shards have it.
 */
export class Moderation extends StoredObject<Env> implements Serves<ModerationObject> {
  readonly #rules: Rules
  readonly #sql: Sql

  constructor(state: ObjectState, env: Env) {
    super(state, env)
    this.#rules = new Rules(state.storage)
    this.#sql = state.storage.sql
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS waiting (
        id TEXT PRIMARY KEY, bytes BLOB NOT NULL, signer TEXT, came INTEGER NOT NULL
      ) WITHOUT ROWID;
    `)
  }

  rules(): { readonly rules: readonly Rule[]; readonly version: number } {
    return { rules: this.#rules.all(), version: this.#rules.version }
  }

  async change(changes: readonly Rule[]): Promise<boolean> {
    const added = changes.filter((change) => change.verdict !== 'none' && !this.#rules.has(change)).length
    if (this.#rules.size + added > MOST_RULES) return false
    const version = this.#rules.version + 1
    this.#rules.change(changes, version)
    this.#dropBlocked()
    const shards = await directoryMap(this.env).shards()
    await Promise.all(shards.map((shard) => shardStub(this.env, shard).applyRules(changes, version)))
    return true
  }

  async teach(shard: number): Promise<void> {
    await shardStub(this.env, shard).applyRules([], this.#rules.version)
  }

  /** Keeps the newest card of each agent, even if an older one arrives later. */
  async wait(card: Waiting, most: number): Promise<boolean> {
    const { id, came } = card
    this.#sql.exec('DELETE FROM waiting WHERE came < ?', came - FORGET_AFTER_MS)
    const [before] = this.#read('id = ?', id)
    if (before === undefined && this.#size >= most) return false
    const { bytes, signer } = before === undefined || supersedes(card, before) ? card : before
    const row = [id, new Uint8Array(bytes).buffer, signer ?? null, came]
    this.#sql.exec('INSERT OR REPLACE INTO waiting VALUES (?, ?, ?, ?)', ...row)
    return true
  }

  waiting(after: string, limit: number): { readonly cards: readonly Waiting[]; readonly size: number } {
    return { cards: this.#read('id > ? ORDER BY id LIMIT ?', after, limit), size: this.#size }
  }

  drop(ids: readonly string[]): number {
    return ids.reduce((sum, id) => sum + this.#sql.exec('DELETE FROM waiting WHERE id = ?', id).rowsWritten, 0)
  }

  get #size(): number {
    return numberIn(this.#sql, 'SELECT COUNT(*) FROM waiting')
  }

  #read(condition: string, ...values: SqlValue[]): Waiting[] {
    const rows = rowsOf<Row>(this.#sql, `SELECT * FROM waiting WHERE ${condition}`, ...values)
    return rows.map((row) => ({ ...row, bytes: new Uint8Array(row.bytes), signer: row.signer ?? undefined }))
  }

  #dropBlocked(): void {
    for (let after = ''; ; ) {
      const { cards } = this.waiting(after, BATCH)
      const blocked = cards.filter((card) => this.#rules.blocking(factsOf(cardIn(card), card.signer)) !== undefined)
      this.drop(blocked.map(({ id }) => id))
      if (cards.length < BATCH) return
      after = cards.at(-1)!.id
    }
  }
}

/** Compares versions. Only verified cards wait, so both count as signed. */
function supersedes(card: Waiting, before: Waiting): boolean {
  const [offered, held] = [card, before].map(({ bytes }) =>
    versionOf(new Card(parseJson(bytes).document!), { signed: true }),
  )
  return compare(held, offered!).stored
}

const DAY_MS = 86_400_000

const NOTHING: Quota = { cards: 0, bytes: 0 }

/** The new cards from one address within a day: one object per address, deleted when the day is over. */
export class Sender extends StoredObject<Env> implements Serves<SenderObject> {
  async take(bytes: number, most: Quota): Promise<{ readonly retryAfter: number } | undefined> {
    const { kv } = this.store
    const taken = kv.get<Quota>('taken') ?? NOTHING
    const next = { cards: taken.cards + 1, bytes: taken.bytes + bytes }
    const over = await this.store.getAlarm()
    if (next.cards > most.cards || next.bytes > most.bytes) {
      return { retryAfter: Math.ceil(((over ?? Date.now()) - Date.now()) / 1000) }
    }
    kv.put('taken', next)
    if (over === null) await this.store.setAlarm(Date.now() + DAY_MS)
    return undefined
  }

  async giveBack(bytes: number): Promise<void> {
    const taken = this.store.kv.get<Quota>('taken')
    if (taken === undefined) return
    this.store.kv.put('taken', { cards: Math.max(0, taken.cards - 1), bytes: Math.max(0, taken.bytes - bytes) })
  }

  override async alarm(): Promise<void> {
    await this.store.deleteAll()
  }
}
