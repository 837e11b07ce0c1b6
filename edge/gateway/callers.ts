// The sender of a request to an agent here: the agent that signed it, the holder of a token, or an anonymous caller.
import type { Diagnostic } from 'blazon'
import {
  countOne,
  type FindPeer,
  type LinkMemory,
  type MessageFault,
  type Peer,
  REMEMBERED_MS,
  verifyRequest,
} from 'blazon/agp'
import { AGP_FULL, AGP_REFUSED } from '../../bindings/agp/findings.ts'
import { BUSY, type Mode, type Verdict, type Verdicts } from '../contracts/gateway.ts'
import { Problem } from '../http/problem.ts'
import type { SentRequest } from '../http/relay.ts'
import type { Sql, Values } from '../platform/types.ts'
import { numberIn, rowsOf } from '../storage/log.ts'
import { onlyGone, type Self } from './self.ts'

export interface Caller {
  /**
   * `agent:alice.example.com`, `token:` and its holder, or `anyone`. The prefixes keep agents and token holders apart.
   */
  readonly name: string
  /** Set for agents only. */
  readonly peer: Peer | undefined
}

/** What an agent knows about itself and about others. */
export interface AgentKnowledge {
  readonly self: Self
  readonly memory: AgentMemory
  readonly speakers: Speakers
  readonly findPeer: FindPeer
}

/** RFC 9421 section 5.1: the signature that this server accepts. */
const WANTED = 'sig1=("@method" "@target-uri" "content-digest" "signature-agent");created;expires;nonce;keyid'
const RATE = 'AGP-134'

function unprovedProblem(diagnostic: Diagnostic): Problem {
  if (diagnostic.code === BUSY)
    return new Problem('too-many-requests', `${diagnostic.detail}.`, { headers: { 'retry-after': '60' } })
  return new Problem('unauthorized', `${diagnostic.title}: ${diagnostic.detail}.`, {
    members: { diagnostics: [diagnostic] },
    headers: { 'www-authenticate': 'Signature realm="blazon"', 'accept-signature': WANTED },
  })
}

function refusalProblem({ kind, detail }: MessageFault): Problem {
  return new Problem('forbidden', `${kind.title}: ${detail}.`, { members: { code: kind.code } })
}

export class Callers {
  readonly #known: AgentKnowledge

  constructor(known: AgentKnowledge) {
    this.#known = known
  }

  /**
   * The caller of a request. A signature takes precedence over a token, because the token may only serve to open a
   * private agent.
   */
  async caller(sent: SentRequest, isOpenToAnyone: boolean): Promise<Caller> {
    const { headers, holder } = sent
    const isSigned = headers['signature-input'] !== undefined || headers['signature'] !== undefined
    if (isSigned || (holder === undefined && !isOpenToAnyone)) return this.agent(sent)
    return this.#countRequest({ name: holder === undefined ? 'anyone' : `token:${holder}`, peer: undefined })
  }

  /** The agent that signed a request, if it may speak here. */
  async agent(sent: SentRequest): Promise<Caller> {
    const peer = await this.signer(sent)
    const refusal = this.#known.speakers.refusalOf(peer.uri, sent.holder !== undefined)
    if (refusal !== undefined) throw refusalProblem(refusal)
    return this.#countRequest({ name: peer.uri, peer })
  }

  /** The agent that signed a request, whether or not it may speak here. Each signed request is accepted only once. */
  async signer(sent: SentRequest): Promise<Peer> {
    const { method, url, body, sender } = sent
    const { findPeer, memory } = this.#known
    const request = { method, url, headers: { get: (name: string) => sent.headers[name] ?? null } }
    const verified = await verifyRequest(request, { body, findPeer, memory, sender })
    if (!verified.ok) throw unprovedProblem(verified.diagnostic)
    return verified.peer
  }

  /** Counts a request against the rate limit in the agent's metadata, and refuses a caller that exceeds it. */
  async #countRequest(caller: Caller): Promise<Caller> {
    const { self, memory } = this.#known
    const own = await self.speaker().catch(onlyGone)
    if (own === undefined) throw new Problem('not-found', 'No agent is published here.')
    const { advertised: rate } = own
    if (rate === undefined || countOne(memory, caller.name, { rate, now: new Date() })) return caller
    throw new Problem('too-many-requests', 'The rate limit in the metadata of this agent is exceeded.', {
      members: { code: RATE },
      headers: { 'retry-after': String(Math.ceil(60 / rate.requestsPerMinute)) },
    })
  }
}

// What an agent remembers of others, in SQLite: the ids of recent messages, and a record of each agent that spoke.

/** Ids of one agent, ids of all agents, and agents that are remembered. */
const MOST_IDS = 10_000
const MOST_IDS_OF_ALL = 200_000
const MOST_AGENTS = 10_000
const FORGET_MS = 1000
/** The delay before counts are written on their own, without a message. */
const COUNTED_MS = 100

type AgentRow = { next: number | null; left: number | null; at: number | null; verdict: Verdict | null }

export class AgentMemory implements LinkMemory {
  readonly #sql: Sql
  #ids: number
  readonly #idsOf = new Map<string, number>()
  /** A cache of the records: each message reads the one of its sender. */
  readonly #rows = new Map<string, AgentRow | undefined>()
  /** Agents whose counts are not on disk yet. */
  readonly #counted = new Set<string>()
  #willWrite = false
  #forgotten = 0

  constructor(sql: Sql) {
    this.#sql = sql
    sql.exec(`
      CREATE TABLE IF NOT EXISTS ids (
        agent TEXT, id TEXT, until INTEGER NOT NULL, digest TEXT, PRIMARY KEY (agent, id)
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS ids_until ON ids (until);
      CREATE TABLE IF NOT EXISTS agents (
        agent TEXT PRIMARY KEY, next INTEGER, "left" REAL, at INTEGER, verdict TEXT
      ) WITHOUT ROWID;
    `)
    this.#ids = numberIn(sql, 'SELECT COUNT(*) FROM ids')
  }

  has(agent: string, id: string): boolean {
    return this.#remembered(agent, id) !== undefined
  }

  digestOf(agent: string, id: string): string | undefined {
    return this.#remembered(agent, id)?.digest ?? undefined
  }

  #remembered(agent: string, id: string): { readonly digest: string | null } | undefined {
    return rowsOf<{ digest: string | null }>(
      this.#sql,
      'SELECT digest FROM ids WHERE agent = ? AND id = ?',
      agent,
      id.toLowerCase(),
    )[0]
  }

  add(agent: string, id: string, now: Date, digest?: string): boolean {
    this.#forget(now.getTime())
    const own = this.#idsOf.get(agent) ?? numberIn(this.#sql, 'SELECT COUNT(*) FROM ids WHERE agent = ?', agent)
    if (own >= MOST_IDS || this.#ids >= MOST_IDS_OF_ALL) return false
    const until = now.getTime() + REMEMBERED_MS
    const row = [agent, id.toLowerCase(), until, digest ?? null]
    if (this.#sql.exec('INSERT OR IGNORE INTO ids VALUES (?, ?, ?, ?)', ...row).rowsWritten > 0) {
      if (this.#idsOf.size >= MOST_AGENTS) this.#idsOf.clear()
      this.#idsOf.set(agent, own + 1)
      this.#ids++
    }
    return true
  }

  /** Deletes expired ids, at most once a second, and recounts after deletions. */
  #forget(now: number): void {
    if (now < this.#forgotten + FORGET_MS) return
    this.#forgotten = now
    if (this.#sql.exec('DELETE FROM ids WHERE until < ?', now).rowsWritten === 0) return
    this.#ids = numberIn(this.#sql, 'SELECT COUNT(*) FROM ids')
    this.#idsOf.clear()
  }

  record(agent: string): ReturnType<LinkMemory['record']> {
    const row = this.#row(agent)
    return {
      ...(row?.next != null && { next: row.next }),
      ...(row?.left != null && row.at !== null && { bucket: { left: row.left, at: row.at } }),
    }
  }

  /**
   * A sequence number is on disk before the message is answered. Counts are written with the next stored message or
   * after a short delay: written on their own, each would cost a commit.
   */
  keep(agent: string, { next: number, bucket }: ReturnType<LinkMemory['record']>): void {
    const before = this.#row(agent)
    const [next, left, at] = [number ?? null, bucket?.left ?? null, bucket?.at ?? null]
    this.#rows.set(agent, { verdict: before?.verdict ?? null, next, left, at })
    this.#counted.add(agent)
    if (next !== (before?.next ?? null)) this.writeCounts()
    else this.#writeSoon()
  }

  writeCounts(): void {
    for (const agent of this.#counted) {
      const { next, left, at } = this.#rows.get(agent)!
      this.#sql.exec(
        `INSERT INTO agents (agent, next, "left", at) VALUES (?, ?, ?, ?)
         ON CONFLICT (agent) DO UPDATE SET next = excluded.next, "left" = excluded."left", at = excluded.at`,
        agent,
        next,
        left,
        at,
      )
    }
    this.#counted.clear()
  }

  /** The object doesn't hibernate before the timer fires. */
  #writeSoon(): void {
    if (this.#willWrite) return
    this.#willWrite = true
    setTimeout(() => {
      this.#willWrite = false
      this.writeCounts()
    }, COUNTED_MS)
  }

  /** True if there is room to remember one more agent, or this one is remembered already. */
  hasRoomFor(agent: string): boolean {
    if (this.#row(agent) !== undefined) return true
    this.writeCounts()
    return numberIn(this.#sql, 'SELECT COUNT(*) FROM agents') < MOST_AGENTS
  }

  verdict(agent: string): Verdict | undefined {
    return this.#row(agent)?.verdict ?? undefined
  }

  judge(agent: string, verdict: Verdict | null): void {
    this.writeCounts()
    const change = 'ON CONFLICT (agent) DO UPDATE SET verdict = excluded.verdict'
    this.#sql.exec(`INSERT INTO agents (agent, verdict) VALUES (?, ?) ${change}`, agent, verdict)
    this.#rows.delete(agent)
  }

  agentsWith(verdict: Verdict): string[] {
    const query = 'SELECT agent FROM agents WHERE verdict = ? ORDER BY agent'
    return rowsOf<{ agent: string }>(this.#sql, query, verdict).map(({ agent }) => agent)
  }

  /** The number of remembered ids. */
  get ids(): number {
    return this.#ids
  }

  #row(agent: string): AgentRow | undefined {
    if (this.#rows.has(agent)) return this.#rows.get(agent)
    const query = 'SELECT next, "left", at, verdict FROM agents WHERE agent = ?'
    const [row] = rowsOf<AgentRow>(this.#sql, query, agent)
    if (this.#rows.size >= MOST_AGENTS) {
      this.writeCounts()
      this.#rows.clear()
    }
    this.#rows.set(agent, row)
    return row
  }
}

// Who may speak to an agent here. The operator decides.

export class Speakers {
  readonly #memory: AgentMemory
  readonly #kv: Values

  constructor(memory: AgentMemory, kv: Values) {
    this.#memory = memory
    this.#kv = kv
  }

  get mode(): Mode {
    return this.#kv.get<Mode>('speakers') ?? 'anyone'
  }

  /**
   * Returns undefined to let an agent in. `isInvited`: it has a token for this agent, which a private agent always
   * requires.
   */
  refusalOf(agent: string, isInvited: boolean, isPrivate = false): MessageFault | undefined {
    if (isPrivate && !isInvited) return NOT_LET_IN
    const verdict = this.#memory.verdict(agent)
    const isNamed = verdict === undefined ? this.mode === 'anyone' : verdict === 'allowed'
    const isIn = isNamed || (isInvited && verdict === undefined && this.mode === 'invited')
    if (!isIn) return NOT_LET_IN
    return this.#memory.hasRoomFor(agent) ? undefined : { ...NOT_LET_IN, kind: AGP_FULL }
  }

  /** True for an agent that is blocked, or that is missing from a required list: it could not answer. */
  isShutOut(agent: string): boolean {
    const verdict = this.#memory.verdict(agent)
    return verdict === 'blocked' || (verdict === undefined && this.mode === 'list')
  }

  /** Changes the mode and the verdicts; returns false when there is no room for more names. */
  change(mode: Mode | undefined, verdicts: Verdicts): boolean {
    if (!verdicts.every(([agent]) => this.#memory.hasRoomFor(agent))) return false
    if (mode !== undefined) this.#kv.put('speakers', mode)
    for (const [agent, verdict] of verdicts) this.#memory.judge(agent, verdict)
    return true
  }

  state() {
    const [allowed, blocked] = [this.#memory.agentsWith('allowed'), this.#memory.agentsWith('blocked')]
    return { speakers: this.mode, allowed, blocked }
  }
}

export const NOT_LET_IN: MessageFault = {
  kind: AGP_REFUSED,
  pointer: '/from',
  detail: 'the operator of the agent has not allowed it',
}
