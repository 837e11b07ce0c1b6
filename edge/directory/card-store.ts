import type { CardStore, StoredCard } from 'blazon/directory'
import type { Change } from '../contracts/directory.ts'
import type { Sql, SqlValue } from '../platform/types.ts'
import { numberIn, rowsOf } from '../storage/log.ts'
import { hashOf } from './layout.ts'

/** The columns of a card, in the order of COLUMNS: rows as objects take twice the time. */
type Row = [
  revision: number,
  id: string,
  bytes: ArrayBuffer,
  json: string | null,
  seq: string | null,
  standing: StoredCard['standing'],
  signer: string | null,
  retrieved: number,
  updated: number | null,
  expires: number,
  revoked: number,
  equivocations: number,
]

type ExpiryRow = { readonly id: string; readonly expires: number; readonly revision: number }

const COLUMNS = 'revision, id, bytes, json, seq, standing, signer, retrieved, updated, expires, revoked, equivocations'
/** Cards that are read at once when all are wanted. */
const BATCH = 200
/** Bytes of cards that are kept in memory. Beyond that, all are read again. */
const RECENT_BYTES = 4 << 20

/**
 * Cards in the SQLite of an object. Its statements run at once, and no answer leaves the object before their
 * writes are on disk (output gates): an acknowledged change survives any crash.
 */
export class SqlCardStore implements CardStore {
  readonly #sql: Sql
  /** The prefix of the table names. */
  readonly #name: string
  /** Cards that searches found: reading ten from SQLite takes longer than finding them in the index. */
  readonly #recent = new Map<string, StoredCard>()
  #recentBytes = 0
  #size: number
  #revision: number
  #removals: number

  constructor(sql: Sql, name = 'cards') {
    this.#sql = sql
    this.#name = name
    // AUTOINCREMENT: a card that is put again follows all others, and no number is used twice.
    sql.exec(`
      CREATE TABLE IF NOT EXISTS ${name} (
        revision INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, hash INTEGER NOT NULL, bytes BLOB NOT NULL,
        json TEXT, seq TEXT, standing TEXT NOT NULL, signer TEXT, retrieved INTEGER NOT NULL, updated INTEGER,
        expires INTEGER NOT NULL, revoked INTEGER NOT NULL, equivocations INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS ${name}_by_hash ON ${name} (hash);
      CREATE INDEX IF NOT EXISTS ${name}_by_expiry ON ${name} (expires);
      CREATE INDEX IF NOT EXISTS ${name}_by_signer ON ${name} (signer) WHERE signer IS NOT NULL;
      CREATE TABLE IF NOT EXISTS ${name}_equivocations (
        id TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (id, number)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS ${name}_removals (row INTEGER PRIMARY KEY, count INTEGER NOT NULL);
    `)
    this.#size = numberIn(this.#sql, `SELECT COUNT(*) FROM ${name}`)
    this.#revision = numberIn(this.#sql, 'SELECT IFNULL(SUM(seq), 0) FROM sqlite_sequence WHERE name = ?', name)
    this.#removals = numberIn(this.#sql, `SELECT IFNULL(SUM(count), 0) FROM ${name}_removals`)
  }

  get size(): number {
    return this.#size
  }

  get revision(): number {
    return this.#revision
  }

  get removals(): number {
    return this.#removals
  }

  /** The size of the whole object: a saved index and the signals of agents grow with the cards. */
  get bytes(): number {
    return this.#sql.databaseSize
  }

  signedBy(signer: string): number {
    return numberIn(this.#sql, `SELECT COUNT(*) FROM ${this.#name} WHERE signer = ?`, signer)
  }

  get(id: string): StoredCard | undefined {
    return this.#cards('id = ?', id)[0]
  }

  getAll(ids: readonly string[]): StoredCard[] {
    const known = ids.flatMap((id) => this.#recent.get(id) ?? [])
    if (known.length === ids.length) return known
    const others = JSON.stringify(ids.filter((id) => !this.#recent.has(id)))
    const read = this.#cards('id IN (SELECT value FROM json_each(?))', others)
    for (const card of read) if (card.equivocations.length === 0) this.#keepRecent(card)
    return [...known, ...read]
  }

  #keepRecent(card: StoredCard): void {
    if (this.#recentBytes > RECENT_BYTES) {
      this.#recent.clear()
      this.#recentBytes = 0
    }
    this.#recent.set(card.id, card)
    this.#recentBytes += card.bytes.length + 2 * (card.json?.length ?? 0)
  }

  has(id: string): boolean {
    return this.#ids('id = ?', id).length > 0
  }

  /** Every card's id and the key that signed it, without its bytes. */
  signers(): { readonly id: string; readonly signer: string | undefined }[] {
    const rows = rowsOf<{ id: string; signer: string | null }>(this.#sql, `SELECT id, signer FROM ${this.#name}`)
    return rows.map(({ id, signer }) => ({ id, signer: signer ?? undefined }))
  }

  put(card: StoredCard): void {
    const { id, bytes, json, seq, standing, signer, retrievedAt, updatedAt, expiresAt, revoked, equivocations } = card
    this.#remove(id)
    const change = `INSERT INTO ${this.#name}
      (id, hash, bytes, json, seq, standing, signer, retrieved, updated, expires, revoked, equivocations)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING revision`
    const optional = [json ?? null, seq === undefined ? null : String(seq), standing, signer ?? null]
    const times = [retrievedAt, updatedAt ?? null, expiresAt]
    const row = [id, hashOf(id), own(bytes), ...optional, ...times, revoked ? 1 : 0, equivocations.length]
    this.#revision = numberIn(this.#sql, change, ...row)
    this.#size++
    for (const [number, other] of equivocations.entries()) {
      this.#sql.exec(`INSERT INTO ${this.#name}_equivocations VALUES (?, ?, ?)`, id, number, own(other))
    }
  }

  delete(id: string): void {
    if (!this.#remove(id)) return
    this.#removals++
    const table = `${this.#name}_removals`
    this.#sql.exec(`INSERT INTO ${table} VALUES (1, 1) ON CONFLICT (row) DO UPDATE SET count = count + 1`)
  }

  #remove(id: string): boolean {
    this.#recent.delete(id)
    const change = `DELETE FROM ${this.#name} WHERE id = ? RETURNING equivocations`
    const [removed] = rowsOf<{ equivocations: number }>(this.#sql, change, id)
    if (removed === undefined) return false
    this.#size--
    if (removed.equivocations > 0) this.#sql.exec(`DELETE FROM ${this.#name}_equivocations WHERE id = ?`, id)
    return true
  }

  /** Ids are URIs in ASCII: their order in UTF-8, which SQLite uses, is that of UTF-16. */
  list(after: string | undefined, limit: number): StoredCard[] {
    return this.#cards('id > ? ORDER BY id LIMIT ?', after ?? '', limit)
  }

  *since(revision: number): Generator<StoredCard> {
    for (let last = revision; ; ) {
      const rows = this.#rows('revision > ? ORDER BY revision LIMIT ?', last, BATCH)
      for (const row of rows) yield this.#read(row)
      if (rows.length < BATCH) return
      last = rows.at(-1)![0]
    }
  }

  /** The cards that came last, the last one first; each is read when it is asked for. */
  *newest(): Generator<StoredCard> {
    const rows = this.#sql.exec(`SELECT ${COLUMNS} FROM ${this.#name} ORDER BY revision DESC`).raw<Row>()
    for (const row of rows) yield this.#read(row)
  }

  *expiring(after: number, until: number): Generator<{ readonly id: string; readonly expiresAt: number }> {
    for (let [time, last] = [after, Number.MAX_SAFE_INTEGER]; ; ) {
      const query = `SELECT id, expires, revision FROM ${this.#name}
        WHERE (expires, revision) > (?, ?) AND expires <= ? AND revoked = 0 ORDER BY expires, revision LIMIT ?`
      const rows = rowsOf<ExpiryRow>(this.#sql, query, time, last, until, BATCH)
      for (const { id, expires } of rows) yield { id, expiresAt: expires }
      if (rows.length < BATCH) return
      const { expires, revision } = rows.at(-1)!
      time = expires
      last = revision
    }
  }

  nextExpiry(after: number): number | undefined {
    const query = `SELECT expires FROM ${this.#name} WHERE expires > ? AND revoked = 0 ORDER BY expires LIMIT 1`
    return rowsOf<{ expires: number }>(this.#sql, query, after)[0]?.expires
  }

  /** The ids of cards that had expired by then, except revocations, which stay. */
  expiredBefore(time: number, limit: number): string[] {
    return this.#ids('expires < ? AND revoked = 0 LIMIT ?', time, limit)
  }

  /** The lowest of the `limit` highest hashes of a range, or its beginning when there are fewer. */
  lowestOfTop(from: number, to: number, limit: number): number {
    const query = `SELECT hash FROM ${this.#name} WHERE hash >= ? AND hash < ? ORDER BY hash DESC LIMIT 1 OFFSET ?`
    return rowsOf<{ hash: number }>(this.#sql, query, from, to, limit - 1)[0]?.hash ?? from
  }

  within(from: number, to: number): StoredCard[] {
    return this.#cards('hash >= ? AND hash < ?', from, to)
  }

  /** The ids outside of a range. */
  outside(from: number, to: number): string[] {
    return this.#ids('hash < ? OR hash >= ?', from, to)
  }

  /** The latest cards, newest first. */
  latest(limit: number): Change[] {
    return this.#cards('TRUE ORDER BY revision DESC LIMIT ?', limit).map(
      ({ id, standing, signer, revoked, retrievedAt, expiresAt }) => {
        return { id, standing, ...(signer !== undefined && { signer }), revoked, retrievedAt, expiresAt }
      },
    )
  }

  #ids(condition: string, ...values: SqlValue[]): string[] {
    const rows = rowsOf<{ id: string }>(this.#sql, `SELECT id FROM ${this.#name} WHERE ${condition}`, ...values)
    return rows.map(({ id }) => id)
  }

  #cards(condition: string, ...values: SqlValue[]): StoredCard[] {
    return this.#rows(condition, ...values).map((row) => this.#read(row))
  }

  #rows(condition: string, ...values: SqlValue[]): Row[] {
    return [...this.#sql.exec(`SELECT ${COLUMNS} FROM ${this.#name} WHERE ${condition}`, ...values).raw<Row>()]
  }

  #read(row: Row): StoredCard {
    const [, id, bytes, json, seq, standing, signer, retrievedAt, updatedAt, expiresAt, revoked, equivocations] = row
    const query = `SELECT bytes FROM ${this.#name}_equivocations WHERE id = ? ORDER BY number`
    const others = equivocations === 0 ? [] : rowsOf<{ bytes: ArrayBuffer }>(this.#sql, query, id)
    return {
      id,
      bytes: new Uint8Array(bytes),
      ...(json !== null && { json }),
      seq: seq === null ? undefined : BigInt(seq),
      standing,
      ...(signer !== null && { signer }),
      retrievedAt,
      ...(updatedAt !== null && { updatedAt }),
      expiresAt,
      revoked: revoked === 1,
      equivocations: others.map((other) => new Uint8Array(other.bytes)),
    }
  }
}

/** The bytes in a buffer of their own, since they may be a part of a larger one. */
function own(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
