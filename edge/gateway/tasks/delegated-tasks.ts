// The tasks that an agent has given to others, and their results.
import type { FindPeer, Peer } from 'blazon/agp'
import { parseJson } from 'blazon/document'
import { objectIn, refuseOtherMembers } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import type { Page } from '../../http/query.ts'
import { bytesOf, readPage, TableSize } from '../../storage/log.ts'
import { rowsOf } from '../../storage/sql.ts'
import type { Caller } from '../callers.ts'
import type { Notifications } from './notifications.ts'
import { settingsIn } from './settings.ts'
import { givenIn } from './task-request.ts'

/** Tasks that are remembered, and the bytes of their inputs and results. */
const MOST = { rows: 10_000, bytes: 64 << 20 }
const KEPT_MS = 30 * 86_400_000
const LONGEST_URL = 2048

/** `sending` until the other agent has confirmed it; `refused` if that agent will not take it. */
export type GivenState = 'sending' | 'given' | 'refused' | 'answered'

export type GivenRow = {
  readonly seq: number
  readonly id: string
  readonly agent: string
  readonly task: string
  /** JSON. */
  readonly input: string
  readonly state: GivenState
  /** The other agent's id for the task, and its address there. */
  readonly theirs: string | null
  readonly place: string | null
  /** The result that came back: JSON. */
  readonly answer: string | null
  readonly created: number
  readonly changed: number
  /** The size of input and answer in UTF-8. */
  readonly bytes: number
}

export function shownGiven({ seq, id, agent, task, state, place, answer, created, changed }: GivenRow) {
  return {
    seq,
    id,
    to: agent,
    task,
    state,
    ...(place !== null && { statusUrl: place }),
    created: new Date(created).toISOString(),
    changed: new Date(changed).toISOString(),
    ...(answer !== null && { answer: JSON.parse(answer) as unknown }),
  }
}

interface Sources {
  readonly notifications: Notifications
  readonly findPeer: FindPeer
}

export class DelegatedTasks {
  readonly #sql: SqlStorage
  readonly #kv: SyncKvStorage
  readonly #sources: Sources
  readonly #size: TableSize

  constructor(sql: SqlStorage, kv: SyncKvStorage, sources: Sources) {
    this.#sql = sql
    this.#kv = kv
    this.#sources = sources
    sql.exec(`
      CREATE TABLE IF NOT EXISTS given (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, task TEXT NOT NULL,
        state TEXT NOT NULL, theirs TEXT, place TEXT, created INTEGER NOT NULL, changed INTEGER NOT NULL,
        bytes INTEGER NOT NULL, input TEXT NOT NULL, answer TEXT
      );
      CREATE INDEX IF NOT EXISTS given_theirs ON given (theirs);
    `)
    this.#size = new TableSize(sql, 'given')
  }

  /**
   * `{ "to": "agent:...", "task": ..., "input": ... }`: sends a task now, with retries until the other agent has it.
   */
  async give(body: Uint8Array): Promise<GivenRow> {
    const members = objectIn(body)
    refuseOtherMembers(members, ['to', 'task', 'input'])
    const { to, ...rest } = members
    const given = givenIn(rest)
    if (given === undefined || typeof to !== 'string')
      throw new Problem('bad-request', 'Expected the members to, an agent, and task, a text of at most 256 characters.')
    const peer = await this.#sources.findPeer(to)
    if ('kind' in peer) throw new Problem('not-found', `${peer.kind.title}: ${peer.detail}.`)
    const { tasks: url = '' } = peer.endpoints
    if (url === '')
      throw new Problem('not-found', `${peer.uri} accepts no tasks: its metadata has no endpoint for them.`)
    const row = this.#add(peer, given)
    this.#sources.notifications.put({ kind: 'task', about: row.id, url }, row.created)
    return row
  }

  #add({ uri }: Peer, { task, input }: { readonly task: string; readonly input: string }): GivenRow {
    const now = Date.now()
    const bytes = bytesOf(input)
    if (!this.#size.hasRoom(bytes, MOST)) throw new Problem('full', 'The limit of delegated tasks is reached.')
    this.#sql.exec(
      "INSERT INTO given (id, agent, task, input, state, created, changed, bytes) VALUES (?, ?, ?, ?, 'sending', ?, ?, ?)",
      ...[crypto.randomUUID(), uri, task, input, now, now, bytes],
    )
    this.#size.change(1, bytes)
    return this.#one('SELECT * FROM given WHERE seq = last_insert_rowid()')!
  }

  one(id: string): GivenRow | undefined {
    return this.#one('SELECT * FROM given WHERE id = ?', id)
  }

  list(page: Page): GivenRow[] {
    return readPage(this.#sql, 'given WHERE TRUE', page)
  }

  /** Stores the other agent's response to the task: its id and its address there, if the response has them. */
  arrived(id: string, answer: Uint8Array): void {
    const value = parseJson(answer).document?.value
    const said = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
    const text = (name: string) => {
      const member = said[name]
      return typeof member === 'string' && member.length <= LONGEST_URL ? member : null
    }
    // The result may have come already.
    this.#sql.exec(
      "UPDATE given SET state = CASE state WHEN 'answered' THEN state ELSE 'given' END, theirs = ?, place = ?, changed = ? WHERE id = ?",
      ...[text('id'), text('statusUrl'), Date.now(), id],
    )
  }

  refused(id: string): void {
    this.#sql.exec("UPDATE given SET state = 'refused', changed = ? WHERE id = ?", Date.now(), id)
  }

  /** Stores a result. It must come from the agent that the task was given to; the first result stays. */
  answer(id: string, { name }: Caller, body: string): void {
    const row = this.#one('SELECT * FROM given WHERE agent = ? AND (id = ? OR theirs = ?)', name, id, id)
    if (row === undefined) throw new Problem('not-found', 'The sender of this result was not given this task.')
    if (row.answer === body) return
    if (row.answer !== null) throw new Problem('conflict', 'The task already has another result.')
    const bytes = bytesOf(body)
    if (this.#size.bytes + bytes > 2 * MOST.bytes) throw new Problem('full', 'There is no room for more results.')
    const now = Date.now()
    const change = "UPDATE given SET state = 'answered', answer = ?, changed = ?, bytes = bytes + ? WHERE id = ?"
    this.#sql.exec(change, body, now, bytes, row.id)
    this.#size.change(0, bytes)
    const { taker } = settingsIn(this.#kv)
    if (taker !== null) this.#sources.notifications.put({ kind: 'told', about: row.id, url: taker }, now)
  }

  /** Forgets tasks that have not changed for 30 days. */
  sweep(now: number): void {
    const old = 'DELETE FROM given WHERE changed <= ? RETURNING bytes'
    const rows = rowsOf<{ bytes: number }>(this.#sql, old, now - KEPT_MS)
    for (const { bytes } of rows) this.#size.change(-1, -bytes)
  }

  #one(query: string, ...given: SqlStorageValue[]): GivenRow | undefined {
    return rowsOf<GivenRow>(this.#sql, query, ...given)[0]
  }
}
