// Cards that wait for the operator, in the SQLite of an object.
import { Card, compare, versionOf } from 'blazon/card'
import { parseJson } from 'blazon/document'
import type { Waiting } from '../contracts/moderation.ts'

/** A waiting card that was not allowed is deleted after this time, and must be published again. */
const FORGET_AFTER_MS = 30 * 86_400_000

type Row = { id: string; bytes: ArrayBuffer; signer: string | null; came: number }

export class Queue {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS waiting (
        id TEXT PRIMARY KEY, bytes BLOB NOT NULL, signer TEXT, came INTEGER NOT NULL
      ) WITHOUT ROWID;
    `)
  }

  get size(): number {
    return this.#sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM waiting').one().n
  }

  /** Keeps the newest card of each agent, even if an older one arrives later; returns false when `most` others wait. */
  put(card: Waiting, most: number): boolean {
    const { id, came } = card
    this.#sql.exec('DELETE FROM waiting WHERE came < ?', came - FORGET_AFTER_MS)
    const [before] = this.#read('id = ?', id)
    if (before === undefined && this.size >= most) return false
    const { bytes, signer } = before === undefined || supersedes(card, before) ? card : before
    const row = [id, new Uint8Array(bytes).buffer, signer ?? null, came]
    this.#sql.exec('INSERT OR REPLACE INTO waiting VALUES (?, ?, ?, ?)', ...row)
    return true
  }

  list(after: string, limit: number): Waiting[] {
    return this.#read('id > ? ORDER BY id LIMIT ?', after, limit)
  }

  drop(ids: readonly string[]): number {
    return ids.reduce((sum, id) => sum + this.#sql.exec('DELETE FROM waiting WHERE id = ?', id).rowsWritten, 0)
  }

  #read(condition: string, ...values: SqlStorageValue[]): Waiting[] {
    return this.#sql
      .exec<Row>(`SELECT * FROM waiting WHERE ${condition}`, ...values)
      .toArray()
      .map(({ bytes, signer, ...row }) => ({ ...row, bytes: new Uint8Array(bytes), signer: signer ?? undefined }))
  }
}

/** Compares versions. Only verified cards wait, so both count as signed. */
function supersedes(card: Waiting, before: Waiting): boolean {
  const [offered, held] = [card, before].map(({ bytes }) =>
    versionOf(new Card(parseJson(bytes).document!), { signed: true }),
  )
  return compare(held, offered!).stored
}
