import type { NewVersion, RegistryObject, StoredBlob, StoredManifest, StoredVersion } from '../contracts/registry.ts'
import { type Env, numberOf } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { catchProblem } from '../http/relay.ts'
import { StoredObject } from '../platform/objects.ts'
import type { ObjectState, Serves, SqlValue } from '../platform/types.ts'
import { ociProblem } from '../registry/repository.ts'
import { numberIn, rowsOf } from '../storage/log.ts'

const HOUR = 3_600_000
/** Uploads, and blobs that no version names. */
const MOST_WAITING = 100

/** After this time without a sign, a writer counts as gone. */
const LONGEST_SILENCE = 60_000
/** The store of blobs is asked for each one. */
const MOST_SWEPT = 200

/** The states of a blob. An upload is a waiting blob without a digest; a finished one may have leftover chunks. */
const [FINISHED, ENDED, WAITING, USED] = [-2, -1, 0, 1]

/** The index of one developer, whose blobs are in a store of their own. A row is on disk before its answer leaves (output gates). */
export class Registry extends StoredObject<Env> implements Serves<RegistryObject> {
  readonly #sql = this.store.sql
  /** Reading creates no table: anyone may ask for any developer. */
  #hasTables = numberIn(this.#sql, "SELECT COUNT(*) FROM sqlite_master WHERE name = 'versions'") > 0

  constructor(state: ObjectState, env: Env) {
    super(state, env)
    // An older version of this class made fewer tables.
    if (this.#hasTables) this.#createTables()
  }

  startUpload(name: string, key: string) {
    return catchProblem(async () => {
      this.#createTables()
      if (numberIn(this.#sql, 'SELECT COUNT(*) FROM blobs WHERE state IN (?, ?)', ENDED, WAITING) >= MOST_WAITING)
        throw new Problem('too-many-requests', `At most ${MOST_WAITING} uploads may wait for a version, an hour each.`)
      this.#sql.exec('INSERT INTO blobs VALUES (?, ?, NULL, 0, ?, ?)', key, name, Date.now(), WAITING)
      if ((await this.store.getAlarm()) === null) await this.store.setAlarm(Date.now() + HOUR)
    })
  }

  hasUpload(key: string): boolean {
    return this.#rows('SELECT 1 FROM blobs WHERE key = ? AND digest IS NULL AND state = ?', key, WAITING).length > 0
  }

  holdUpload(key: string, writer: string) {
    return catchProblem(() => {
      if (!this.hasUpload(key)) throw ociProblem('not-found', 'BLOB_UPLOAD_UNKNOWN', 'The upload has ended.')
      const now = Date.now()
      const take = `INSERT INTO writers VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET writer = ?2, until = ?3
        WHERE writer = ?2 OR until <= ?4 RETURNING key`
      if (this.#rows(take, key, writer, now + LONGEST_SILENCE, now).length === 0)
        throw new Problem('too-many-requests', 'Another request is writing this upload.', {
          headers: { 'retry-after': '1' },
        })
    })
  }

  releaseUpload(key: string, writer: string): void {
    this.#rows('DELETE FROM writers WHERE key = ? AND writer = ?', key, writer)
  }

  finishUpload(upload: string, { key, digest, size }: StoredBlob & { readonly digest: string }) {
    const finish = () => {
      if (!this.hasUpload(upload)) throw ociProblem('not-found', 'BLOB_UPLOAD_UNKNOWN', 'The upload has ended.')
      if (numberIn(this.#sql, 'SELECT TOTAL(bytes) FROM blobs') + size > numberOf(this.env, 'REGISTRY_BYTES'))
        throw new Problem('full', 'The developer has as many bytes as REGISTRY_BYTES allows.')
      const add = 'INSERT INTO blobs SELECT ?, name, ?, ?, ?, ? FROM blobs WHERE key = ?'
      this.#sql.exec(add, key, digest, size, Date.now(), WAITING, upload)
      this.#sql.exec('UPDATE blobs SET state = ?, at = ? WHERE key = ?', FINISHED, Date.now(), upload)
    }
    return catchProblem(() => this.store.transactionSync(finish))
  }

  blob(name: string, digest: string): StoredBlob | undefined {
    const query = `SELECT key, bytes AS size FROM blobs WHERE name = ? AND digest = ? AND state > ?
      ORDER BY state DESC, at DESC LIMIT 1`
    return this.#rows<StoredBlob>(query, name, digest, ENDED)[0]
  }

  publish({ name, tag, digest, manifest, blobs, inspection }: NewVersion) {
    const store = () => {
      const query = 'SELECT digest, yanked FROM versions WHERE name = ? AND tag = ?'
      const [known] = this.#rows<{ digest: string; yanked: number }>(query, name, tag)
      if (known?.digest === digest && known.yanked === 0) return
      if (known !== undefined) throw new Problem('conflict', `${tag} was published, and never changes.`)
      if (numberIn(this.#sql, 'SELECT COUNT(*) FROM versions') >= numberOf(this.env, 'REGISTRY_VERSIONS'))
        throw new Problem('full', 'The developer has as many versions as REGISTRY_VERSIONS allows.')
      for (const blob of blobs) {
        const stored = this.blob(name, blob)
        if (stored === undefined) throw ociProblem('not-found', 'MANIFEST_BLOB_UNKNOWN', `There is no blob ${blob}.`)
        this.#sql.exec('UPDATE blobs SET state = ? WHERE key = ?', USED, stored.key)
      }
      this.#sql.exec('INSERT INTO versions VALUES (?, ?, ?, ?, 0)', name, tag, digest, manifest)
      if (inspection !== undefined) this.#sql.exec('INSERT INTO inspections VALUES (?, ?, ?)', name, digest, inspection)
    }
    return catchProblem(() => this.store.transactionSync(store))
  }

  manifest(name: string, reference: string): StoredManifest | undefined {
    const query = `SELECT digest, manifest AS bytes FROM versions WHERE name = ?1 AND tag = ?2 AND yanked = 0
      UNION ALL SELECT digest, manifest FROM versions WHERE name = ?1 AND digest = ?2`
    return this.#rows<StoredManifest>(query, name, reference)[0]
  }

  isYanked(name: string, tag: string): boolean {
    return this.#rows('SELECT 1 FROM versions WHERE name = ? AND tag = ? AND yanked = 1', name, tag).length > 0
  }

  tags(name: string, after: string, limit: number): readonly string[] | undefined {
    if (this.#rows('SELECT 1 FROM versions WHERE name = ? LIMIT 1', name).length === 0) return undefined
    const query = 'SELECT tag FROM versions WHERE name = ? AND tag > ? AND yanked = 0 ORDER BY tag LIMIT ?'
    return this.#rows<{ tag: string }>(query, name, after, limit).map(({ tag }) => tag)
  }

  versions(name: string): readonly StoredVersion[] {
    return this.#rows('SELECT tag, digest, yanked AS isYanked FROM versions WHERE name = ?', name)
  }

  inspection(name: string, digest: string): string | undefined {
    const query = 'SELECT json FROM inspections WHERE name = ? AND digest = ?'
    return this.#rows<{ json: string }>(query, name, digest)[0]?.json
  }

  yank(name: string, tag: string): boolean {
    const change = 'UPDATE versions SET yanked = 1 WHERE name = ? AND tag = ? AND yanked = 0 RETURNING tag'
    return this.#rows(change, name, tag).length > 0
  }

  /**
   * Deletes what ended at the alarm before, an hour ago, and what uploads that finished an hour ago left: by now no
   * request uses it. Then ends what waits too long.
   */
  override async alarm(): Promise<void> {
    const ended = 'SELECT key FROM blobs WHERE state = ? OR (state = ? AND at <= ?) ORDER BY state DESC LIMIT ?'
    const anHourAgo = Date.now() - HOUR
    for (const { key } of this.#rows<{ key: string }>(ended, ENDED, FINISHED, anHourAgo, MOST_SWEPT)) {
      const { objects } = await this.env.BLOBS.list({ prefix: key })
      const unused = objects.filter((object) => object.key === key || !this.#hasBlob(object.key))
      if (unused.length > 0) await this.env.BLOBS.delete(unused.map((object) => object.key))
      this.#sql.exec('DELETE FROM blobs WHERE key = ?', key)
      this.#sql.exec('DELETE FROM writers WHERE key = ?', key)
    }
    this.#sql.exec('UPDATE blobs SET state = ? WHERE state = ? AND at <= ?', ENDED, WAITING, anHourAgo)
    if (numberIn(this.#sql, 'SELECT COUNT(*) FROM blobs WHERE state < ?', USED) > 0)
      await this.store.setAlarm(Date.now() + HOUR)
  }

  #hasBlob(key: string): boolean {
    return this.#rows('SELECT 1 FROM blobs WHERE key = ?', key).length > 0
  }

  #rows<Row extends object>(query: string, ...values: SqlValue[]): Row[] {
    return this.#hasTables ? rowsOf<Row>(this.#sql, query, ...values) : []
  }

  #createTables(): void {
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS blobs (
        key TEXT PRIMARY KEY, name TEXT NOT NULL, digest TEXT, bytes INTEGER NOT NULL, at INTEGER NOT NULL,
        state INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS blobs_digest ON blobs (name, digest);
      CREATE TABLE IF NOT EXISTS writers (
        key TEXT PRIMARY KEY, writer TEXT NOT NULL, until INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS versions (
        name TEXT NOT NULL, tag TEXT NOT NULL, digest TEXT NOT NULL, manifest BLOB NOT NULL, yanked INTEGER NOT NULL,
        PRIMARY KEY (name, tag), UNIQUE (name, digest)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS inspections (
        name TEXT NOT NULL, digest TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (name, digest)
      ) WITHOUT ROWID;
    `)
    this.#hasTables = true
  }
}
