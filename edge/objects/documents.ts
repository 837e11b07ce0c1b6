import { DurableObject } from 'cloudflare:workers'
import type {
  AgentOn,
  AgentRow,
  DocumentsObject,
  Identity,
  InvitationRow,
  Listed,
  Part,
  Placement,
  PublishedDefinition,
  Redemption,
  Removed,
  StoredDefinition,
  Written,
} from '../contracts/documents.ts'
import type { Env, Serves } from '../env.ts'
import type { Condition } from '../http/published.ts'
import { Agents } from '../identity/agents.ts'
import { Invitations } from '../identity/invitations.ts'

/** More documents than the discovery document of one domain can usefully list. */
const MOST_DOCUMENTS = 10_000

/**
 * The published documents of one deployment, in a single object so that writes are ordered. A write is on disk before
 * its answer leaves (output gates), so no acknowledged write is lost.
 */
export class Documents extends DurableObject<Env> implements Serves<DocumentsObject> {
  readonly #sql: SqlStorage
  readonly #agents: Agents
  readonly #invitations: Invitations

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#sql = state.storage.sql
    this.#agents = new Agents(this.#sql)
    this.#invitations = new Invitations(this.#sql)
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS documents (
      name TEXT PRIMARY KEY, bytes BLOB NOT NULL, etag TEXT NOT NULL, type TEXT NOT NULL, updated INTEGER NOT NULL, entry TEXT NOT NULL
    ) WITHOUT ROWID`)
  }

  read(name: string): StoredDefinition {
    return { published: this.#read(name), isPrivate: this.#agents.row(name)?.isPrivate ?? false }
  }

  #read(name: string): PublishedDefinition | null {
    const [row] = this.#sql
      .exec<PublishedDefinition & Record<string, SqlStorageValue>>('SELECT * FROM documents WHERE name = ?', name)
      .toArray()
    return row ?? null
  }

  /**
   * The name and discovery entry of every document, ordered by name, and the names of private agents, which no list
   * shows.
   */
  list(): Listed {
    const entries = this.#sql
      .exec<{ name: string; entry: string }>(
        'SELECT name, entry FROM documents WHERE name NOT IN (SELECT name FROM agents WHERE private = 1) ORDER BY name',
      )
      .toArray()
    return { entries, hidden: this.#agents.hidden() }
  }

  write(document: PublishedDefinition, condition: Condition): Written {
    const present = this.#read(document.name)
    if (!holds(condition, present)) return 'condition-failed'
    if (present?.etag === document.etag && present.entry === document.entry) return 'unchanged'
    if (present === null && this.#count() >= MOST_DOCUMENTS) return 'full'
    const { name, bytes, etag, type, updated, entry } = document
    this.#sql.exec(
      'INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?)',
      name,
      bytes,
      etag,
      type,
      updated,
      entry,
    )
    return present === null ? 'created' : 'replaced'
  }

  remove(name: string, condition: Condition): Removed {
    const present = this.#read(name)
    if (present === null && condition.match === undefined) return 'absent'
    if (!holds(condition, present)) return 'condition-failed'
    this.#sql.exec('DELETE FROM documents WHERE name = ?', name)
    return 'removed'
  }

  agentOn(host: string): AgentOn | null {
    return this.#agents.identityOn(host)
  }

  agentRow(name: string): AgentRow | null {
    return this.#agents.row(name)
  }

  agentRows(after: string, limit: number, isPrivateToo: boolean): readonly AgentRow[] {
    return this.#agents.rows(after, limit, isPrivateToo)
  }

  placeAgent(row: AgentRow): Placement {
    return this.#agents.place(row)
  }

  /** Deletes the definition as well: without the row that made the agent private, it would be public. */
  forgetAgent(name: string): boolean {
    const hadDefinition = this.#sql.exec('DELETE FROM documents WHERE name = ?', name).rowsWritten > 0
    return this.#agents.forget(name) || hadDefinition
  }

  identity(name: string): Identity {
    return this.#agents.identity(name)
  }

  /** Writes metadata if the stored one is what the caller expects. */
  writeIdentity(name: string, metadata: Part, capabilities: Part, condition: Condition): Written {
    const present = this.#agents.read(name, 'agent.json')
    if (!holds(condition, present)) return 'condition-failed'
    if (present?.etag === metadata.etag) return 'unchanged'
    if (this.#agents.write(name, metadata, capabilities) === 'full') return 'full'
    return present === null ? 'created' : 'replaced'
  }

  removeIdentity(name: string, condition: Condition): Removed {
    const present = this.#agents.read(name, 'agent.json')
    if (present === null && condition.match === undefined) return 'absent'
    if (!holds(condition, present)) return 'condition-failed'
    this.#agents.remove(name)
    return 'removed'
  }

  invite(name: string, digest: string, row: InvitationRow): boolean {
    return this.#invitations.add(name, digest, row, Date.now())
  }

  invitations(name: string): readonly InvitationRow[] {
    return this.#invitations.list(name, Date.now())
  }

  redeem(name: string | null, digest: string): Redemption | null {
    return this.#invitations.redeem(name, digest, Date.now())
  }

  revokeInvitation(name: string, id: string): void {
    this.#invitations.revoke(name, id)
  }

  #count(): number {
    return this.#sql.exec<{ n: number }>('SELECT COUNT(*) AS n FROM documents').one().n
  }
}

function holds({ match, absent }: Condition, present: Pick<PublishedDefinition, 'etag'> | null): boolean {
  if (absent === true && present !== null) return false
  if (match === undefined) return true
  return present !== null && (match.includes('*') || match.includes(present.etag))
}
