// The agents that have an identity here, in SQLite: the host of each, whether it is private, and what it publishes in
// addition to its definition.
import type { AgentOn, AgentRow, Identity, Part, Placement } from '../contracts/documents.ts'

/** The same limit as for definitions. */
const MOST_AGENTS = 10_000
/** Bytes of documents that are cached in memory: an object has 128 MB. */
const MOST_KNOWN_BYTES = 1 << 24

/** The documents that an agent publishes, by their file names. */
export type PartName = 'agent.json' | 'capabilities.json'

type Row = { readonly name: string; readonly host: string | null; readonly private: number }

/** All members are null for an agent that publishes nothing. */
type PartRow = { readonly part: PartName | null; readonly bytes: ArrayBuffer | null; readonly etag: string | null }

function partsOf(rows: readonly PartRow[]): Pick<Identity, 'metadata' | 'capabilities'> {
  const partOf = (name: PartName): Part | null => {
    const { bytes, etag } = rows.find(({ part }) => part === name) ?? { bytes: null, etag: null }
    return bytes === null || etag === null ? null : { bytes, etag }
  }
  return { metadata: partOf('agent.json'), capabilities: partOf('capabilities.json') }
}

const shown = ({ name, host, private: isPrivate }: Row): AgentRow => ({ name, host, isPrivate: isPrivate === 1 })

export class Agents {
  readonly #sql: SqlStorage
  /** A cache of what was read since the last write, by host. */
  readonly #known = new Map<string, AgentOn>()
  #knownBytes = 0

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS agents (name TEXT PRIMARY KEY, host TEXT UNIQUE, private INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS parts (
        name TEXT NOT NULL, part TEXT NOT NULL, bytes BLOB NOT NULL, etag TEXT NOT NULL, PRIMARY KEY (name, part)
      ) WITHOUT ROWID;
    `)
  }

  on(host: string): string | null {
    const [row] = this.#sql.exec<{ name: string }>('SELECT name FROM agents WHERE host = ?', host).toArray()
    return row?.name ?? null
  }

  row(name: string): AgentRow | null {
    const [row] = this.#sql.exec<Row>('SELECT * FROM agents WHERE name = ?', name).toArray()
    return row === undefined ? null : shown(row)
  }

  rows(after: string, limit: number, isPrivateToo: boolean): readonly AgentRow[] {
    const query = 'SELECT * FROM agents WHERE name > ? AND private <= ? ORDER BY name LIMIT ?'
    return this.#sql.exec<Row>(query, after, Number(isPrivateToo), limit).toArray().map(shown)
  }

  hidden(): readonly string[] {
    return this.#sql
      .exec<{ name: string }>('SELECT name FROM agents WHERE private = 1')
      .toArray()
      .map(({ name }) => name)
  }

  /** Places an agent on a host. A host has one agent, and placing another one on it is refused. */
  place({ name, host, isPrivate }: AgentRow): Placement {
    const holder = host === null ? null : this.on(host)
    if (holder !== null && holder !== name) return 'taken'
    if (this.row(name) === null && this.#count('agents') >= MOST_AGENTS) return 'full'
    this.#change('INSERT OR REPLACE INTO agents VALUES (?, ?, ?)', name, host, Number(isPrivate))
    return 'placed'
  }

  /** Removes the row and all documents of an agent; returns false when there was nothing. */
  forget(name: string): boolean {
    const known = this.row(name) !== null || this.read(name, 'agent.json') !== null
    this.#change('DELETE FROM agents WHERE name = ?', name)
    this.#change('DELETE FROM parts WHERE name = ?', name)
    return known
  }

  /** Runs for nearly every request. */
  identityOn(host: string): AgentOn | null {
    const known = this.#known.get(host)
    if (known !== undefined) return known
    const rows = this.#sql
      .exec<Row & PartRow>('SELECT * FROM agents LEFT JOIN parts USING (name) WHERE host = ?', host)
      .toArray()
    const [row] = rows
    if (row === undefined) return null
    const found = { agent: row.name, identity: { ...shown(row), ...partsOf(rows) } }
    const bytes = rows.reduce((sum, { bytes }) => sum + (bytes?.byteLength ?? 0), 0)
    // A cache miss costs a quarter of the time of a request.
    if (this.#knownBytes + bytes > MOST_KNOWN_BYTES || this.#known.size >= MOST_AGENTS) this.#forgetKnown()
    this.#known.set(host, found)
    this.#knownBytes += bytes
    return found
  }

  identity(name: string): Identity {
    const parts = this.#sql.exec<PartRow>('SELECT part, bytes, etag FROM parts WHERE name = ?', name).toArray()
    return { host: null, isPrivate: false, ...this.row(name), ...partsOf(parts) }
  }

  read(name: string, part: PartName): Part | null {
    const [row] = this.#sql
      .exec<{ bytes: ArrayBuffer; etag: string }>(
        'SELECT bytes, etag FROM parts WHERE name = ? AND part = ?',
        name,
        part,
      )
      .toArray()
    return row ?? null
  }

  /** Writes metadata and its capability descriptor together, so that they always match. */
  write(name: string, metadata: Part, capabilities: Part): 'written' | 'full' {
    if (this.read(name, 'agent.json') === null && this.#count('parts') >= 2 * MOST_AGENTS) return 'full'
    this.#put(name, 'agent.json', metadata)
    this.#put(name, 'capabilities.json', capabilities)
    return 'written'
  }

  remove(name: string): void {
    this.#change('DELETE FROM parts WHERE name = ?', name)
  }

  #forgetKnown(): void {
    this.#known.clear()
    this.#knownBytes = 0
  }

  /** Runs every write, and clears the cache, which may be outdated afterwards. */
  #change(statement: string, ...values: SqlStorageValue[]): void {
    this.#forgetKnown()
    this.#sql.exec(statement, ...values)
  }

  #put(name: string, part: PartName, { bytes, etag }: Part): void {
    this.#change('INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?)', name, part, bytes, etag)
  }

  #count(table: 'agents' | 'parts'): number {
    return this.#sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).one().n
  }
}
