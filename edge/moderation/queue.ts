// Cards that wait for the operator, in the SQLite of an object.

export interface Waiting {
  readonly id: string
  readonly bytes: Uint8Array
  readonly signer: string | undefined
  /** Milliseconds. */
  readonly came: number
}

/** The time after which a waiting agent that was not let in is forgotten, and has to come again. */
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

  /** Keeps a card in the place of an earlier one of the same agent; false when `most` others wait. */
  put({ id, bytes, signer, came }: Waiting, most: number): boolean {
    this.#sql.exec('DELETE FROM waiting WHERE id = ? OR came < ?', id, came - FORGET_AFTER_MS)
    if (this.size >= most) return false
    this.#sql.exec('INSERT INTO waiting VALUES (?, ?, ?, ?)', id, new Uint8Array(bytes).buffer, signer ?? null, came)
    return true
  }

  list(after: string, limit: number): Waiting[] {
    return this.#sql
      .exec<Row>('SELECT * FROM waiting WHERE id > ? ORDER BY id LIMIT ?', after, limit)
      .toArray()
      .map(({ bytes, signer, ...row }) => ({ ...row, bytes: new Uint8Array(bytes), signer: signer ?? undefined }))
  }

  drop(ids: readonly string[]): number {
    return ids.reduce((sum, id) => sum + this.#sql.exec('DELETE FROM waiting WHERE id = ?', id).rowsWritten, 0)
  }
}
