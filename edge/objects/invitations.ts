// Invitations to agents, in SQLite. Codes are stored as hashes, and each is redeemed in one turn of the object.
import type { InvitationRow, Redemption } from '../contracts/documents.ts'

/** Invitations of one agent that are neither expired nor revoked. */
const MOST_INVITATIONS = 1000

type Row = InvitationRow & { readonly name: string }

export class Invitations {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(`CREATE TABLE IF NOT EXISTS invitations (
      digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, expires INTEGER NOT NULL, uses INTEGER NOT NULL
    ) WITHOUT ROWID`)
  }

  /** Stores an invitation; returns false when the agent has too many. */
  add(name: string, digest: string, { id, expires, uses }: InvitationRow, now: number): boolean {
    this.#sql.exec('DELETE FROM invitations WHERE expires <= ?', now)
    if (this.list(name, now).length >= MOST_INVITATIONS) return false
    this.#sql.exec('INSERT INTO invitations VALUES (?, ?, ?, ?, ?)', digest, id, name, expires, uses)
    return true
  }

  /** The invitations of an agent. A used-up one stays until it expires, because it can still be revoked. */
  list(name: string, now: number): readonly InvitationRow[] {
    return this.#sql
      .exec<Row & Record<string, SqlStorageValue>>(
        'SELECT * FROM invitations WHERE name = ? AND expires > ? ORDER BY expires, id',
        name,
        now,
      )
      .toArray()
      .map(({ id, expires, uses }) => ({ id, expires, uses }))
  }

  /**
   * Uses a code once; a null name accepts the code of any agent. Returns null for a code that is unknown, expired or
   * used up, without telling which.
   */
  redeem(name: string | null, digest: string, now: number): Redemption | null {
    const [row] = this.#sql
      .exec<Row & Record<string, SqlStorageValue>>(
        'UPDATE invitations SET uses = uses - 1 WHERE digest = ? AND name = COALESCE(?, name) AND expires > ? AND uses > 0 RETURNING *',
        digest,
        name,
        now,
      )
      .toArray()
    return row === undefined ? null : { name: row.name, id: row.id, expires: row.expires }
  }

  revoke(name: string, id: string): void {
    this.#sql.exec('DELETE FROM invitations WHERE name = ? AND id = ?', name, id)
  }
}
