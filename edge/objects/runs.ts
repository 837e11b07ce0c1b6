import { DurableObject } from 'cloudflare:workers'
import { canonicalizeValue } from 'blazon/core'
import { encodeBase64 } from 'blazon/keys'
import { checkLines, type HashedLine, hashLines, Leaves, type Line, leafHash } from 'blazon/runs'
import { sameBytes } from '../../bindings/text/bytes.ts'
import { isObject, member } from '../../bindings/text/members.ts'
import type {
  EndOfRun,
  NewRun,
  Proven,
  RunFilter,
  RunObject,
  RunRow,
  TenantObject,
  TreeLine,
} from '../contracts/runs.ts'
import { type Env, numberOf, type Serves, tenantStub } from '../env.ts'
import { diagnosed, Problem } from '../http/problem.ts'
import type { Page } from '../http/query.ts'
import { answered } from '../http/relay.ts'
import { bytesOf, readPage } from '../storage/log.ts'
import { rowsOf } from '../storage/sql.ts'

const RETRY_MS = 60_000
const DAY_MS = 86_400_000
/** Lines and bytes of one tree. */
const MOST = { rows: 250_000, bytes: 64 << 20 }
/** Starts and ends of a tenant's runs, after which no further run can start. */
const MOST_STARTS = 100_000

const decoder = new TextDecoder()

type NewLine = Pick<HashedLine, 'bytes' | 'leaf'> & { readonly step?: unknown }

/** Lines that are the leaves of a tree. None ever changes; its text can be removed. Reading creates no table. */
class TreeStore extends DurableObject<Env> {
  protected readonly sql = this.ctx.storage.sql
  protected readonly kv = this.ctx.storage.kv

  protected get tree(): { readonly rows: number; readonly bytes: number } {
    return this.kv.get('tree') ?? { rows: 0, bytes: 0 }
  }

  /** Call it in a transaction. */
  protected add(lines: readonly NewLine[]): void {
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS lines (
        seq INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, step INTEGER, leaf BLOB NOT NULL, text TEXT
      );
      CREATE UNIQUE INDEX IF NOT EXISTS lines_step ON lines (step) WHERE step IS NOT NULL;
    `)
    let { rows, bytes: sum } = this.tree
    for (const { bytes, leaf, step } of lines) {
      sum += bytes!.length
      if (++rows > MOST.rows || sum > MOST.bytes)
        throw new Problem('full', 'There are too many lines, or bytes of them.')
      const values = [rows, bytes!.length, (step as number | undefined) ?? null, leaf.buffer, decoder.decode(bytes)]
      this.sql.exec('INSERT INTO lines VALUES (?, ?, ?, ?, ?)', ...values)
    }
    this.kv.put('tree', { rows, bytes: sum })
  }

  lines(page: Page): TreeLine[] {
    return this.tree.rows === 0 ? [] : readPage<TreeLine>(this.sql, 'lines WHERE TRUE', page)
  }

  prove({ index, from }: Proven) {
    const size = this.tree.rows
    if (size === 0 || !((index ?? 0) < size && (from ?? 0) <= size)) return undefined
    const leaves = this.leaves(0, size)
    const growth = from === undefined ? [] : leaves.consistencyProof(from, size)
    return { size, root: leaves.root(), hashes: index === undefined ? growth : leaves.inclusionProof(index, size) }
  }

  protected leaves(from: number, count: number): Leaves {
    const leaves = new Leaves()
    const query = 'SELECT leaf FROM lines WHERE seq > ? ORDER BY seq LIMIT ?'
    for (const { leaf } of this.sql.exec<{ leaf: ArrayBuffer }>(query, from, count)) leaves.append(new Uint8Array(leaf))
    return leaves
  }
}

interface RunState {
  readonly tenant: string
  readonly id: string
  /** The time of the last line. */
  readonly changed: number
  readonly status?: string
  /** True once the tenant's tree has the end. */
  readonly isClosed?: true
  readonly isRemoved?: true
}

/** The lines of one run. */
export class Run extends TreeStore implements Serves<RunObject> {
  async append(run: { tenant: string; id: string; isNew?: true }, at: number, body: Uint8Array) {
    const lines = await hashLines(body)
    return answered(async () => {
      const size = this.#append(run, at, lines)
      await this.#close().catch(console.error)
      return size
    })
  }

  #append(
    { tenant, id, isNew }: { tenant: string; id: string; isNew?: true },
    at: number,
    lines: readonly HashedLine[],
  ) {
    const { rows: size } = this.tree
    if (size === 0 && !isNew) throw new Problem('not-found', 'There is no such run.')
    const held = at < size ? this.leaves(at, lines.length) : new Leaves()
    if (at > size || lines.slice(0, held.size).some(({ leaf }, i) => !sameBytes(leaf, held.at(i))))
      throw new Problem('conflict', `The run has ${size} lines, or others than these.`, { members: { size } })
    const added = lines.slice(held.size)
    if (added.length === 0) return size
    const { status, isRemoved } = this.#state ?? {}
    if (isRemoved) throw new Problem('gone', 'The lines of this run were removed when their time was over.')
    const hasStep = (step: number) =>
      size > 0 && rowsOf(this.sql, 'SELECT seq FROM lines WHERE step = ?', step).length > 0
    const { values, diagnostics } = checkLines(added, { size, runId: id, isComplete: status !== undefined, hasStep })
    if (diagnostics.length > 0) throw diagnosed('invalid-document', diagnostics)
    const end = endOf(values.at(-1)!)
    this.ctx.storage.transactionSync(() => {
      this.add(added.map((line, i) => ({ ...line, step: indexOf(values[i]!) })))
      this.kv.put<RunState>('run', { tenant, id, changed: Date.now(), ...(end !== undefined && { status: end }) })
    })
    if (size === 0 || end !== undefined) this.#plan()
    return size + added.length
  }

  get #state() {
    return this.kv.get<RunState>('run')
  }

  steps(page: Page): TreeLine[] {
    const steps = '(SELECT step + 1 AS seq, bytes, text FROM lines WHERE step IS NOT NULL) WHERE TRUE'
    return readPage<TreeLine>(this.sql, steps, page)
  }

  /** Adds the end of the run to the tenant's tree. The alarm repeats it if that fails. */
  async #close(): Promise<void> {
    const { tenant, id, status, isClosed } = this.#state!
    if (status === undefined || isClosed) return
    const size = this.tree.rows
    await tenantStub(this.env, tenant).close({ id, status, size, root: encodeBase64(this.leaves(0, size).root()) })
    this.kv.put<RunState>('run', { ...this.#state!, isClosed: true })
  }

  /** Sets the alarm for what is due next. */
  #plan(): void {
    const { status, isClosed, isRemoved, changed } = this.#state!
    const days = numberOf(this.env, 'RUN_DAYS')
    if (status !== undefined && !isClosed) void this.ctx.storage.setAlarm(Date.now() + RETRY_MS)
    else if (days > 0 && !isRemoved) void this.ctx.storage.setAlarm(changed + days * DAY_MS)
  }

  override async alarm(): Promise<void> {
    await this.#close().catch(console.error)
    const days = numberOf(this.env, 'RUN_DAYS')
    if (days > 0 && this.#state!.changed + days * DAY_MS <= Date.now()) {
      this.sql.exec('UPDATE lines SET text = NULL')
      this.kv.put<RunState>('run', { ...this.#state!, isRemoved: true })
    }
    this.#plan()
  }
}

const indexOf = ({ type, step }: Line) => (type === 'step' && isObject(step) ? member(step, 'index') : undefined)
const endOf = ({ end }: Line) => (isObject(end) ? String(member(end, 'status')).slice(0, 20) : undefined)

/** What a member of a filter asks for. */
const CONDITIONS: Readonly<Record<keyof RunFilter, string>> = {
  agent: 'agent = ?',
  status: 'status = ?',
  label: 'EXISTS (SELECT 1 FROM json_each(labels) WHERE value = ?)',
  since: 'started >= ?',
  until: 'started < ?',
  linkage: 'linkage = ?',
}

/** The runs of one tenant. Its tree has a line for each start and each end, so no run can vanish unseen. */
export class Tenant extends TreeStore implements Serves<TenantObject> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS runs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, labels TEXT NOT NULL,
        started INTEGER, status TEXT NOT NULL, size INTEGER, linkage TEXT, bytes INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS runs_agent ON runs (agent);
      CREATE INDEX IF NOT EXISTS runs_status ON runs (status);
    `)
  }

  open({ id, agent, labels, started, linkage }: NewRun): boolean {
    if (this.run(id) !== undefined) return true
    if (this.tree.rows >= MOST_STARTS) return false
    this.ctx.storage.transactionSync(() => {
      const row = 'INSERT INTO runs (id, agent, labels, started, status, linkage, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)'
      this.sql.exec(row, id, agent, labels, started, 'open', linkage, bytesOf(id + agent + labels))
      this.#add({ opened: true, run_id: id, at: new Date().toISOString() })
    })
    return true
  }

  close({ id, status, size, root }: EndOfRun): void {
    if (this.run(id)?.size !== null) return
    this.ctx.storage.transactionSync(() => {
      this.sql.exec('UPDATE runs SET status = ?, size = ? WHERE id = ?', status, size, id)
      this.#add({ closed: true, run_id: id, size, root })
    })
  }

  #add(leaf: object): void {
    const bytes = canonicalizeValue(leaf)
    this.add([{ bytes, leaf: leafHash(bytes) }])
  }

  run(id: string): RunRow | undefined {
    return rowsOf<RunRow>(this.sql, 'SELECT * FROM runs WHERE id = ?', id)[0]
  }

  runs(filter: RunFilter, page: Page): RunRow[] {
    const given = Object.entries(filter) as [keyof RunFilter, string | number][]
    const conditions = given.map(([name]) => CONDITIONS[name])
    const rows = `runs WHERE ${['TRUE', ...conditions].join(' AND ')}`
    return readPage<RunRow>(this.sql, rows, page, ...given.map(([, value]) => value))
  }
}
