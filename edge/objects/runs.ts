import { canonicalizeValue } from 'blazon/core'
import { parseJson } from 'blazon/document'
import { encodeBase64 } from 'blazon/keys'
import { checkLines, type HashedLine, hashLines, Leaves, type Line, leafHash } from 'blazon/runs'
import { sameBytes } from '../../bindings/text/bytes.ts'
import { isObject, type JsonObject, member, valueAt } from '../../bindings/text/members.ts'
import type {
  CollectedSpan,
  NewRun,
  Proven,
  RunObject,
  RunPlace,
  RunRow,
  TenantObject,
  TreeLine,
} from '../contracts/runs.ts'
import { type Env, numberOf, tenantStub } from '../env.ts'
import { diagnosed, Problem } from '../http/problem.ts'
import type { Page } from '../http/query.ts'
import { catchProblem } from '../http/relay.ts'
import { StoredObject } from '../platform/objects.ts'
import type { ObjectState, Serves, SqlValue } from '../platform/types.ts'
import { bytesOf, Log, readPage, rowsOf } from '../storage/log.ts'

const RETRY_MS = 60_000
const DAY_MS = 86_400_000
/** No alarm can be set for much later. */
const MOST_DAYS = 36_500
/** Lines and bytes of one tree. */
const MOST = { rows: 250_000, bytes: 64 << 20 }
/** Starts and ends of a tenant's runs, after which no further run can start. */
const MOST_STARTS = 100_000
/** Spans of traces that go on, for a day; the oldest make room. */
const SPANS = { rows: 100_000, bytes: 64 << 20, drops: true } as const

/** The index of the step that a line announces. */
const INTENT = "json_extract(text, '$.intent.index')"

const decoder = new TextDecoder()

type NewLine = Pick<HashedLine, 'bytes' | 'leaf'> & { readonly step?: unknown }

/** Lines that are the leaves of a tree. None ever changes; its text can be removed. Reading creates no table. */
class TreeStore extends StoredObject<Env> {
  protected readonly sql = this.store.sql
  protected readonly kv = this.store.kv

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
      CREATE INDEX IF NOT EXISTS lines_intent ON lines (${INTENT}) WHERE ${INTENT} IS NOT NULL;
    `)
    let { rows, bytes: sum } = this.tree
    for (const { bytes, leaf, step = null } of lines) {
      sum += bytes!.length
      if (++rows > MOST.rows || sum > MOST.bytes) throw new Problem('full', 'There are too many lines, or bytes.')
      const values = [rows, bytes!.length, step as number | null, leaf.buffer, decoder.decode(bytes)]
      this.sql.exec('INSERT INTO lines VALUES (?, ?, ?, ?, ?)', ...values)
    }
    this.kv.put('tree', { rows, bytes: sum })
  }

  lines(page: Page): TreeLine[] {
    return this.tree.rows === 0 ? [] : readPage<TreeLine>(this.sql, 'lines WHERE TRUE', page)
  }

  prove({ index = 0, from }: Proven) {
    const size = this.tree.rows
    if (!(index < size && (from ?? 0) <= size)) return undefined
    const leaves = this.leaves(0, size)
    const hashes = from === undefined ? leaves.inclusionProof(index, size) : leaves.consistencyProof(from, size)
    return { size, root: leaves.root(), hashes }
  }

  protected leaves(from: number, count: number): Leaves {
    const leaves = new Leaves()
    const query = 'SELECT leaf FROM lines WHERE seq > ? ORDER BY seq LIMIT ?'
    for (const { leaf } of this.sql.exec<{ leaf: ArrayBuffer }>(query, from, count)) leaves.append(new Uint8Array(leaf))
    return leaves
  }
}

interface RunState extends RunPlace {
  /** The time of the last line. */
  readonly changed: number
  readonly status?: string
  /** True once the tenant's tree has the end. */
  readonly isClosed?: true
  readonly isRemoved?: true
}

/** The lines of one run. */
export class Run extends TreeStore implements Serves<RunObject> {
  async append(place: RunPlace, at: number, body: Uint8Array) {
    const lines = await hashLines(body)
    return catchProblem(async () => {
      const size = this.#append(place, at, lines)
      await this.#close()
      return size
    })
  }

  #append(place: RunPlace, at: number, lines: readonly HashedLine[]): number {
    const { rows: size } = this.tree
    if (size === 0 && !place.isNew) throw new Problem('not-found', 'There is no such run.')
    const held = at < size ? this.leaves(at, lines.length) : new Leaves()
    if (at > size || lines.slice(0, held.size).some(({ leaf }, i) => !sameBytes(leaf, held.at(i))))
      throw new Problem('conflict', `The run has ${size} lines, or others than these.`, { members: { size } })
    const added = lines.slice(held.size)
    if (added.length > 0) this.#store(place, size, added)
    return size + added.length
  }

  #store(place: RunPlace, size: number, lines: readonly HashedLine[]): void {
    const { status: before, isRemoved } = this.#state ?? {}
    if (isRemoved) throw new Problem('gone', 'The lines of this run were removed when their time was over.')
    const ofStep = 'SELECT seq FROM lines WHERE step = ?'
    const hasStep = (step: number) => size > 0 && rowsOf(this.sql, ofStep, step).length > 0
    const intentOf = (step: number) => (size === 0 ? undefined : this.#intentOf(step))
    const start = { size, runId: place.id, isComplete: before !== undefined, hasStep, intentOf }
    const { values, diagnostics } = checkLines(lines, start)
    if (diagnostics.length > 0) throw diagnosed('invalid-document', diagnostics)
    const { type, ...last } = values.at(-1)!
    const end = type === 'run_completed' && { status: String(valueAt(last, '/end/status')).slice(0, 20) }
    this.store.transactionSync(() => {
      this.add(lines.map((line, i) => ({ ...line, step: indexOf(values[i]!) })))
      this.kv.put<RunState>('run', { ...place, changed: Date.now(), ...end })
    })
    if (size === 0 || end) this.#plan()
  }

  #intentOf(step: number): JsonObject | undefined {
    const [row] = rowsOf<{ text: string }>(this.sql, `SELECT text FROM lines WHERE ${INTENT} = ?`, step)
    return row && ((parseJson(row.text).document!.value as Line)['intent'] as JsonObject)
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
    try {
      await tenantStub(this.env, tenant).close(id, status, size, encodeBase64(this.leaves(0, size).root()))
      this.kv.put<RunState>('run', { ...this.#state!, isClosed: true })
    } catch (error) {
      console.error(error)
    }
  }

  /** When the lines are removed. */
  get #removal(): number | undefined {
    const days = Math.min(numberOf(this.env, 'RUN_DAYS'), MOST_DAYS)
    return days === 0 || this.#state!.isRemoved ? undefined : this.#state!.changed + days * DAY_MS
  }

  /** Sets the alarm for what is due next. */
  #plan(): void {
    const { status, isClosed } = this.#state!
    const next = status === undefined || isClosed ? this.#removal : Date.now() + RETRY_MS
    if (next !== undefined) void this.store.setAlarm(next)
  }

  override async alarm(): Promise<void> {
    await this.#close()
    if ((this.#removal ?? Number.POSITIVE_INFINITY) <= Date.now()) {
      this.sql.exec('UPDATE lines SET text = NULL')
      this.kv.put<RunState>('run', { ...this.#state!, isRemoved: true })
    }
    this.#plan()
  }
}

const indexOf = ({ type, step }: Line) => (type === 'step' && isObject(step) ? member(step, 'index') : undefined)

/** What each member of a filter asks for. */
const CONDITIONS: Readonly<Record<string, string>> = {
  label: 'EXISTS (SELECT 1 FROM json_each(labels) WHERE value = ?)',
  agent: 'agent_id = ?',
  status: 'status = ?',
  since: 'started_at >= ?',
  until: 'started_at < ?',
  linkage: 'linkage = ?',
}

/** The runs of one tenant. Its tree has a line for each start and each end, so no run can vanish unseen. */
export class Tenant extends TreeStore implements Serves<TenantObject> {
  readonly #spans = new Log(this.sql, 'spans', SPANS)

  constructor(state: ObjectState, env: Env) {
    super(state, env)
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS runs (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, labels TEXT NOT NULL,
        started_at TEXT NOT NULL, linkage TEXT, bytes INTEGER NOT NULL, status TEXT NOT NULL DEFAULT 'open', size INTEGER
      );
      CREATE INDEX IF NOT EXISTS runs_agent ON runs (agent_id);
      CREATE INDEX IF NOT EXISTS runs_status ON runs (status);
      CREATE INDEX IF NOT EXISTS spans_about ON spans (about);
      CREATE INDEX IF NOT EXISTS spans_at ON spans (at);
    `)
  }

  open({ run_id, agent_id, labels, started_at, linkage }: NewRun): boolean {
    if (this.run(run_id) !== undefined) return true
    if (this.tree.rows >= MOST_STARTS) return false
    const values = [run_id, agent_id, labels, started_at, linkage, bytesOf(run_id + agent_id + labels)]
    const row = 'INSERT INTO runs (run_id, agent_id, labels, started_at, linkage, bytes) VALUES (?, ?, ?, ?, ?, ?)'
    this.#record({ opened: true, run_id, at: new Date().toISOString() }, row, values)
    return true
  }

  close(run_id: string, status: string, size: number, root: string): void {
    if (this.run(run_id)?.size !== null) return
    const change = 'UPDATE runs SET status = ?, size = ? WHERE run_id = ?'
    this.#record({ closed: true, run_id, size, root }, change, [status, size, run_id])
  }

  /** Changes the list together with the tree. */
  #record(leaf: object, change: string, values: readonly SqlValue[]): void {
    const bytes = canonicalizeValue(leaf)
    this.store.transactionSync(() => {
      this.sql.exec(change, ...values)
      this.add([{ bytes, leaf: leafHash(bytes) }])
    })
  }

  run(id: string): RunRow | undefined {
    return rowsOf<RunRow>(this.sql, 'SELECT * FROM runs WHERE run_id = ?', id)[0]
  }

  runs(filter: readonly (readonly [name: string, value: string])[], page: Page): RunRow[] {
    const rows = `runs WHERE ${['TRUE', ...filter.map(([name]) => CONDITIONS[name])].join(' AND ')}`
    return readPage<RunRow>(this.sql, rows, page, ...filter.map(([, value]) => value))
  }

  collect(spans: readonly CollectedSpan[]) {
    const at = Date.now()
    this.#spans.remove('at < ?', at - DAY_MS)
    for (const { trace, text } of spans) this.#spans.append({ at, about: trace, text })
    return [...new Set(spans.filter(({ isRoot }) => isRoot).map(({ trace }) => trace))]
  }

  waiting(trace: string, page: Page) {
    return this.#spans.read(page, 'about = ?', trace)
  }

  forget(trace: string): void {
    this.#spans.remove('about = ?', trace)
  }
}
