// Agents that work together on a task (ADP/1.1 section 7.3.2): the members, their roles, and how long they stay.
import { objectIn } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import type { Sql } from '../../platform/types.ts'
import { numberIn, rowsOf } from '../../storage/log.ts'
import type { Caller } from '../callers.ts'

/** Swarms, members of one, and swarms that one agent is in. */
const MOST_SWARMS = 1000
const MOST_MEMBERS = 1000
const MOST_OF_AGENT = 100
/** A member stays this long; joining again renews it. */
const KEPT_MS = 7 * 86_400_000
const LONGEST_NAME = 256
const ROLE = /^[a-z0-9][a-z0-9._-]{0,63}$/

export interface Member {
  readonly agent: string
  readonly role: string
  readonly joined: string
  readonly until: string
}

type Row = { readonly agent: string; readonly role: string; readonly joined: number; readonly until: number }

const memberView = ({ agent, role, joined, until }: Row): Member => ({
  agent,
  role,
  joined: new Date(joined).toISOString(),
  until: new Date(until).toISOString(),
})

export class Swarms {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS members (
        task TEXT, agent TEXT, role TEXT NOT NULL, joined INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (task, agent)
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS members_agent ON members (agent);
    `)
  }

  /** `{ "agent": ..., "task": ..., "role": ... }`; joining again changes the role. */
  join(body: Uint8Array, caller: Caller): { readonly task: string } & Member {
    const { task, role } = read(body, caller, ['agent', 'task', 'role'])
    const now = Date.now()
    this.sweep(now)
    const before = rowsOf<Row>(this.#sql, 'SELECT * FROM members WHERE task = ? AND agent = ?', task, caller.name)[0]
    if (before === undefined && !this.#hasRoom(task, caller))
      throw new Problem(
        'full',
        'A limit is reached: of swarms, of members of this swarm, or of swarms that you are in.',
      )
    const row = { agent: caller.name, role, joined: before?.joined ?? now, until: now + KEPT_MS }
    this.#sql.exec(
      'INSERT OR REPLACE INTO members VALUES (?, ?, ?, ?, ?)',
      ...[task, row.agent, role, row.joined, row.until],
    )
    return { task, ...memberView(row) }
  }

  #hasRoom(task: string, { name }: Caller): boolean {
    const own = numberIn(this.#sql, 'SELECT COUNT(*) FROM members WHERE agent = ?', name)
    const members = numberIn(this.#sql, 'SELECT COUNT(*) FROM members WHERE task = ?', task)
    if (own >= MOST_OF_AGENT || members >= MOST_MEMBERS) return false
    return members > 0 || numberIn(this.#sql, 'SELECT COUNT(DISTINCT task) FROM members') < MOST_SWARMS
  }

  /** `{ "agent": ..., "task": ... }`. */
  leave(body: Uint8Array, caller: Caller): null {
    const { task } = read(body, caller, ['agent', 'task'])
    this.#member(task, caller)
    this.#sql.exec('DELETE FROM members WHERE task = ? AND agent = ?', task, caller.name)
    return null
  }

  /** The members of a swarm, for one of them. */
  members(task: string, role: string | null, caller: Caller): Member[] {
    this.sweep(Date.now())
    this.#member(task, caller)
    return this.of(task, role)
  }

  /** The members of a swarm, for the operator. */
  of(task: string, role: string | null): Member[] {
    const query = 'SELECT * FROM members WHERE task = ? AND role = COALESCE(?, role) ORDER BY joined, agent'
    return rowsOf<Row>(this.#sql, query, task, role).map(memberView)
  }

  /** All swarms, with the number of their members. */
  all(): { readonly task: string; readonly members: number }[] {
    return rowsOf(this.#sql, 'SELECT task, COUNT(*) AS members FROM members GROUP BY task ORDER BY task')
  }

  sweep(now: number): void {
    this.#sql.exec('DELETE FROM members WHERE until <= ?', now)
  }

  /** Refuses callers that are not members. An unknown swarm gets the same answer, so nobody can probe for swarms. */
  #member(task: string, { name }: Caller): void {
    if (numberIn(this.#sql, 'SELECT COUNT(*) FROM members WHERE task = ? AND agent = ?', task, name) === 0)
      throw new Problem('not-found', 'The swarm does not exist, or you are not a member.')
  }
}

function read(body: Uint8Array, { name }: Caller, names: readonly string[]) {
  const members = objectIn(body, names)
  const { agent, task, role = 'participant' } = members
  if (typeof task !== 'string' || task === '' || task.length > LONGEST_NAME)
    throw new Problem('bad-request', `Expected a text of at most ${LONGEST_NAME} characters as the member task.`)
  if (typeof role !== 'string' || !ROLE.test(role))
    throw new Problem('bad-request', 'Expected up to 64 of a-z, 0-9, ".", "_" and "-" as the member role.')
  if (typeof agent !== 'string' || agent.toLowerCase() !== name)
    throw new Problem('forbidden', 'The member agent must be the agent that signed the request.')
  return { task, role }
}
