import type {
  AgentOn,
  AgentRow,
  Condition,
  DefinitionList,
  DocumentsObject,
  Identity,
  InvitationRow,
  NamedPart,
  Part,
  PartName,
  Placement,
  PublishedDefinition,
  Redemption,
  Removal,
  StoredDefinition,
  Written,
} from '../contracts/documents.ts'
import type { Env } from '../env.ts'
import { StoredObject } from '../platform/objects.ts'
import type { ObjectState, Serves, Sql, SqlValue } from '../platform/types.ts'
import { numberIn, rowsOf } from '../storage/log.ts'

/** The most rows of the operator's table, and documents of a kind: more would not fit into a discovery document. */
const MOST_AGENTS = 10_000
/** Invitations of one agent that are neither expired nor revoked. */
const MOST_INVITATIONS = 1000
/** Bytes of documents that are cached in memory: an object has 128 MB. */
const MOST_KNOWN_BYTES = 1 << 24

const METADATA = "part IN ('agent.json', 'capabilities.json')"

type Row = { readonly name: string; readonly host: string | null; readonly private: number }

/** All members are null for an agent that publishes nothing. */
type PartRow = { readonly part: PartName | null; readonly bytes: ArrayBuffer | null; readonly etag: string | null }

function identityOf(rows: readonly PartRow[]): Pick<Identity, 'metadata' | 'capabilities'> {
  const partOf = (name: PartName): Part | null => {
    const row = rows.find(({ part }) => part === name)
    return row === undefined ? null : { bytes: row.bytes!, etag: row.etag! }
  }
  return { metadata: partOf('agent.json'), capabilities: partOf('capabilities.json') }
}

const agentRowOf = ({ name, host, private: isPrivate }: Row): AgentRow => ({ name, host, isPrivate: isPrivate === 1 })

/**
 * The agents of one deployment in a single object, so that writes are ordered: the host of each, whether it is private,
 * and what it publishes. A write is on disk before its answer leaves (output gates), so no acknowledged write is lost.
 */
export class Documents extends StoredObject<Env> implements Serves<DocumentsObject> {
  readonly #sql: Sql
  /** A cache of what was read since the last write, by host. */
  readonly #known = new Map<string, AgentOn>()
  #knownBytes = 0

  constructor(state: ObjectState, env: Env) {
    super(state, env)
    this.#sql = state.storage.sql
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS agents (name TEXT PRIMARY KEY, host TEXT UNIQUE, private INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS parts (
        part TEXT NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL, etag TEXT NOT NULL, type TEXT, entry TEXT,
        PRIMARY KEY (part, name)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS invitations (
        digest TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, expires INTEGER NOT NULL, uses INTEGER NOT NULL
      ) WITHOUT ROWID;
    `)
  }

  read(name: string): StoredDefinition {
    return { published: this.#part(name, 'adl.json'), isPrivate: this.agentRow(name)?.isPrivate ?? false }
  }

  list(): DefinitionList {
    const hidden = rowsOf<Row>(this.#sql, 'SELECT * FROM agents WHERE private = 1').map(({ name }) => name)
    const query = `SELECT name, entry FROM parts
      WHERE part = 'adl.json' AND name NOT IN (SELECT name FROM agents WHERE private = 1) ORDER BY name`
    return { entries: rowsOf<DefinitionList['entries'][number]>(this.#sql, query), hidden }
  }

  write(name: string, parts: readonly NamedPart[], condition: Condition): Written {
    const [first] = parts as readonly [NamedPart]
    const present = this.#part(name, first.part)
    if (!conditionHolds(condition, present)) return 'condition-failed'
    if (present?.etag === first.etag && (!('entry' in first) || present.entry === first.entry)) return 'unchanged'
    if (!condition.mayReplace && isOtherOfVersion(first, present)) return 'same-version'
    if (present === null && numberIn(this.#sql, 'SELECT COUNT(*) FROM parts WHERE part = ?', first.part) >= MOST_AGENTS)
      return 'full'
    for (const part of parts) {
      const { type = null, entry = null } = part as Partial<PublishedDefinition>
      const values = [part.part, name, part.bytes, part.etag, type, entry]
      this.#change('INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?, ?)', ...values)
    }
    return present === null ? 'created' : 'replaced'
  }

  remove(name: string, parts: readonly PartName[], condition: Condition): Removal {
    const present = this.#part(name, parts[0]!)
    if (present === null && condition.match === undefined) return 'absent'
    if (!conditionHolds(condition, present)) return 'condition-failed'
    for (const part of parts) this.#change('DELETE FROM parts WHERE part = ? AND name = ?', part, name)
    return 'removed'
  }

  /** Runs for nearly every request. */
  agentOn(host: string): AgentOn | null {
    const known = this.#known.get(host)
    if (known !== undefined) return known
    const query = `SELECT agents.*, part, bytes, etag FROM agents
      LEFT JOIN parts ON parts.name = agents.name AND ${METADATA} WHERE host = ?`
    const rows = rowsOf<Row & PartRow>(this.#sql, query, host)
    const [row] = rows
    if (row === undefined) return null
    const found = { agent: row.name, identity: { ...agentRowOf(row), ...identityOf(rows) } }
    const bytes = rows.reduce((sum, { bytes }) => sum + (bytes?.byteLength ?? 0), 0)
    // A cache miss costs a quarter of the time of a request.
    if (this.#knownBytes + bytes > MOST_KNOWN_BYTES || this.#known.size >= MOST_AGENTS) this.#forgetKnown()
    this.#known.set(host, found)
    this.#knownBytes += bytes
    return found
  }

  agentRow(name: string): AgentRow | null {
    const [row] = rowsOf<Row>(this.#sql, 'SELECT * FROM agents WHERE name = ?', name)
    return row === undefined ? null : agentRowOf(row)
  }

  agentRows(after: string, limit: number, isPrivateToo: boolean): readonly AgentRow[] {
    const query = 'SELECT * FROM agents WHERE name > ? AND private <= ? ORDER BY name LIMIT ?'
    return rowsOf<Row>(this.#sql, query, after, Number(isPrivateToo), limit).map(agentRowOf)
  }

  /** Places an agent on a host. A host has one agent, and placing another one on it is refused. */
  placeAgent({ name, host, isPrivate }: AgentRow): Placement {
    const [holder] = rowsOf<Row>(this.#sql, 'SELECT * FROM agents WHERE host = ?', host)
    if (holder !== undefined && holder.name !== name) return 'taken'
    const count = 'SELECT COUNT(*) FROM agents'
    if (this.agentRow(name) === null && numberIn(this.#sql, count) >= MOST_AGENTS) return 'full'
    this.#change('INSERT OR REPLACE INTO agents VALUES (?, ?, ?)', name, host, Number(isPrivate))
    return 'placed'
  }

  /** Deletes the definition as well: without the row that made the agent private, it would be public. */
  forgetAgent(name: string): boolean {
    const rows = this.#change('DELETE FROM agents WHERE name = ?', name)
    return this.#change(`DELETE FROM parts WHERE (part = 'adl.json' OR ${METADATA}) AND name = ?`, name) + rows > 0
  }

  identity(name: string): Identity {
    const query = `SELECT part, bytes, etag FROM parts WHERE ${METADATA} AND name = ?`
    const parts = identityOf(rowsOf<PartRow>(this.#sql, query, name))
    return { host: null, isPrivate: false, ...this.agentRow(name), ...parts }
  }

  invite(name: string, digest: string, { id, expires, uses }: InvitationRow): boolean {
    this.#sql.exec('DELETE FROM invitations WHERE expires <= ?', Date.now())
    if (this.invitations(name).length >= MOST_INVITATIONS) return false
    this.#sql.exec('INSERT INTO invitations VALUES (?, ?, ?, ?, ?)', digest, id, name, expires, uses)
    return true
  }

  /** A used-up invitation stays until it expires, because it can still be revoked. */
  invitations(name: string): readonly InvitationRow[] {
    const query = 'SELECT id, expires, uses FROM invitations WHERE name = ? AND expires > ? ORDER BY expires, id'
    return rowsOf<InvitationRow>(this.#sql, query, name, Date.now())
  }

  redeem(name: string | null, digest: string): Redemption | null {
    const change = `UPDATE invitations SET uses = uses - 1
      WHERE digest = ? AND name = COALESCE(?, name) AND expires > ? AND uses > 0 RETURNING name, id, expires`
    return rowsOf<Redemption>(this.#sql, change, digest, name, Date.now())[0] ?? null
  }

  revokeInvitation(name: string, id: string): void {
    this.#sql.exec('DELETE FROM invitations WHERE name = ? AND id = ?', name, id)
  }

  #part(name: string, part: PartName): PublishedDefinition | null {
    const query = 'SELECT bytes, etag, type, entry FROM parts WHERE part = ? AND name = ?'
    return rowsOf<PublishedDefinition>(this.#sql, query, part, name)[0] ?? null
  }

  /** Runs every write, and clears the cache, which may be outdated afterwards. Returns how many rows it has written. */
  #change(statement: string, ...values: SqlValue[]): number {
    this.#forgetKnown()
    return this.#sql.exec(statement, ...values).rowsWritten
  }

  #forgetKnown(): void {
    this.#known.clear()
    this.#knownBytes = 0
  }
}

/** Whether a definition has other bytes than the stored one, and the same version. Metadata has no version. */
function isOtherOfVersion(next: NamedPart, present: PublishedDefinition | null): boolean {
  if (!('entry' in next) || present === null || present.etag === next.etag) return false
  const versionIn = (entry: string) => (JSON.parse(entry) as { readonly version: string }).version
  return versionIn(next.entry) === versionIn(present.entry)
}

function conditionHolds({ match, absent }: Condition, present: Part | null): boolean {
  if (absent === true && present !== null) return false
  if (match === undefined) return true
  return present !== null && (match.includes('*') || match.includes(present.etag))
}
