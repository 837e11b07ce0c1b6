// Events of AgentLang as run records.
import { CALL_ID } from '../../runs/subject.ts'
import { escapeToken, isObject, isText, type JsonObject, valueAt } from '../../text/members.ts'
import type { LossOutcome, LossReport, LossRow } from '../convert.ts'
import { child, type MutableObject, put } from '../json.ts'
import type { RunImport, RunImportOptions } from './from-otlp.ts'
import {
  addedTo,
  filled,
  KINDS,
  kindOf,
  momentOf,
  PARTS,
  type Part,
  REST,
  type StepKind,
  TABLES,
  UNKNOWN,
} from './transcript.ts'

const EPOCH = '1970-01-01T00:00:00.000Z'

/** Reads events: those that `runToEvents` wrote give the same record, any others what a record has members for. */
export function runFromEvents(lines: readonly JsonObject[], options: RunImportOptions = {}): RunImport {
  const account = new Account()
  const [root] = lines
  const isLog = Array.isArray(root?.['events'])
  const events = (isLog ? (root!['events'] as readonly unknown[]) : lines).filter(isObject)
  const carried = isLog ? root![REST] : undefined
  const agent =
    filled(valueAt(carried, '/agent/agent_id')) ??
    events.flatMap((event) => filled(event['agent_id']) ?? filled(event['from']) ?? [])[0] ??
    UNKNOWN
  const reader = new EventReader(account, agent)
  for (const event of events) reader.join(event)
  const steps = reader.steps()
  if (isObject(carried)) {
    account.note('renamed', `/${REST}`, 'each member at its own place')
    return { runs: [{ ...structuredClone(carried), steps }], loss: account.report }
  }
  account.note('added', '', 'none: every record needs it', '/agent/aip/cert_fingerprint')
  return { runs: [{ ...headOf(events, agent, options), steps }], loss: account.report }
}

/** The members of a record that follow from events. */
function headOf(events: readonly JsonObject[], agent: string, { tenant = 'local' }: RunImportOptions): JsonObject {
  const moments = events.filter((event) => momentOf(event) !== undefined)
  const ordered = moments.toSorted((a, b) => momentOf(a)! - momentOf(b)!).map(({ timestamp }) => timestamp)
  const messages = (role: string) =>
    events.flatMap((event) => (event['type'] === 'agent.message' && event['role'] === role ? event['content'] : []))
  const task = messages('user').find(isText)
  const content = messages('assistant').findLast(isText)
  const last = events.at(-1)
  const error = last?.['type'] === 'tool.result' ? faultOf(last) : undefined
  return {
    version: 'adp-1',
    run_id: UNKNOWN,
    tenant_id: tenant,
    agent: { agent_id: agent, aip: { cert_fingerprint: 'none' } },
    ...(task !== undefined && { context: { task_description: task } }),
    ...(content !== undefined && { final_output: { type: 'text', content } }),
    status: error === undefined ? 'succeeded' : 'failed',
    ...(error !== undefined && { error }),
    started_at: ordered[0] ?? EPOCH,
    completed_at: ordered.at(-1) ?? EPOCH,
  }
}

const faultOf = ({ error }: { readonly [name: string]: unknown }): JsonObject | undefined =>
  error === undefined || error === null || error === false
    ? undefined
    : isObject(error)
      ? error
      : { message: String(error) }

/** Builds steps from events. Results are joined with their calls, in whatever order they come. */
class EventReader {
  readonly #account: Account
  readonly #agent: string
  readonly #first: JsonObject[] = []
  /** Other events of a step, by its index or call id. */
  readonly #parts = new Map<unknown, Partial<Record<Part, JsonObject>>>()
  /** The step that hands a task to an agent. */
  readonly #delegations = new Map<unknown, number>()
  #latest: unknown = EPOCH

  constructor(account: Account, agent: string) {
    this.#account = account
    this.#agent = agent
  }

  join(event: JsonObject): void {
    const part = PARTS.get(event['type'])
    const key = valueAt(event, `/${REST}/of`) ?? (part === 'result' ? filled(event['call_id']) : undefined)
    if (part === undefined || key === undefined) {
      this.#first.push(event)
      return
    }
    const parts = this.#parts.get(key) ?? {}
    this.#parts.set(key, parts)
    if (parts[part] === undefined) parts[part] = event
    else this.#account.note('dropped', '/events/*', `a second ${event['type']} of one step`)
  }

  steps(): readonly JsonObject[] {
    const steps = this.#first.map((event, i) => this.#step(event, i))
    for (const { result, ...others } of this.#parts.values()) {
      if (result !== undefined) steps.push(this.#lone(result, steps.length))
      if (Object.keys(others).length > 0) this.#account.note('dropped', '/events/*', 'its step is not in the log')
    }
    return steps
  }

  #take(key: unknown): Partial<Record<Part, JsonObject>> {
    const parts = this.#parts.get(key) ?? {}
    this.#parts.delete(key)
    return parts
  }

  #step(event: JsonObject, position: number): JsonObject {
    const own = event[REST]
    if (!isObject(own)) return this.#foreign(event, position)
    const step = structuredClone(own) as MutableObject
    const kind = kindOf(step)
    const { result, thought, answer } = this.#take(own['index'])
    const added = addedTo(kind, position, this.#agent)
    takeBack({ ...event, result, thought, answer }, TABLES[kind].rows, step, { account: this.#account, added })
    return step
  }

  #foreign(event: JsonObject, index: number): JsonObject {
    const parts = event['type'] === 'tool.call' ? this.#take(event['call_id']) : {}
    const { result } = parts
    const kind = foreignKind(event, result !== undefined)
    const step = blank(kind, index, result)
    if (kind === 'open') fillAt(step, ['metadata', 'agentlang.unmatched'], true)
    if (kind === 'delegate' || kind === 'compact')
      fillAt(step, ['metadata', 'action_subtype'], kind === 'compact' ? 'context.compact' : kind)
    const { type, timestamp, agent_id, ...others } = event
    if (kind === 'other') {
      fillAt(step, ['metadata', 'action_subtype'], filled(type) ?? 'event')
      if (Object.keys(others).length > 0) fillAt(step, ['action', 'input'], others)
      this.#account.note('renamed', '/events/*', 'an event of another type', '/steps/*/action/input')
    } else this.#report(others, TABLES[kind].rows)
    const from = kind === 'other' ? { timestamp, agent_id } : event
    const view = { ...from, result, thought: undefined, answer: undefined }
    const added = { agent_id: this.#agent, role: kind }
    takeBack(view, TABLES[kind].rows, step, { account: this.#account, added })
    fillAt(step, ['timestamp'], this.#latest)
    this.#latest = step['timestamp']
    if (result !== undefined) fillAt(step, ['metadata', 'latency_ms'], tookOf(event, result))
    fillAt(step, ['parent_step_index'], this.#delegations.get(agent_id ?? event['from']))
    if (kind === 'delegate') this.#delegations.set(event['to'], index)
    return step
  }

  /** A result whose call is not in the log. */
  #lone(result: JsonObject, index: number): JsonObject {
    const step = blank('call', index, result)
    fillAt(step, ['metadata', 'action_subtype'], 'result_without_call')
    fillAt(step, ['metadata', CALL_ID], filled(result['call_id']))
    takeBack({ timestamp: result['timestamp'], result }, TABLES.call.rows, step, { account: this.#account })
    fillAt(step, ['timestamp'], this.#latest)
    return { ...step, action: { type: 'other' } }
  }

  #report(others: JsonObject, rows: readonly PlacedRow[]): void {
    for (const name of Object.keys(others))
      if (!rows.some(({ to }) => to === `/${name}`)) this.#account.note('dropped', `/events/*/${name}`, 'no member')
  }
}

function foreignKind({ type, role }: { readonly [name: string]: unknown }, hasResult: boolean): StepKind {
  if (type === 'tool.call') return hasResult ? 'call' : 'open'
  if (type === 'agent.message') return role === 'assistant' ? 'assistant' : 'user'
  const found = (['think', 'delegate', 'compact'] as const).find((kind) => KINDS[kind][0] === type)
  return found ?? 'other'
}

function blank(kind: StepKind, index: number, result: JsonObject | undefined): MutableObject {
  const [, action, observed] = KINDS[kind]
  const hasFailed = result !== undefined && faultOf(result) !== undefined
  return { index, action: { type: action }, observation: { type: hasFailed ? 'error' : observed } }
}

function tookOf(call: JsonObject, result: JsonObject): number | undefined {
  const took = (momentOf(result) ?? Number.NaN) - (momentOf(call) ?? Number.NaN)
  return took >= 0 ? took : undefined
}

// The account of a conversion of runs. Its rows are patterns: a record with 10,000 steps has as many rows as one with two.

/** Counts what became of the values of a source, by patterns of their places. */
export class Account {
  readonly #counts = new Map<LossRow, number>()
  readonly #rows = new Map<string, LossRow>()

  /** Counts a value under a row that the caller keeps: the fastest way. */
  count(row: LossRow): void {
    this.#counts.set(row, (this.#counts.get(row) ?? 0) + 1)
  }

  note(outcome: LossOutcome, pointer: string, detail: string, target?: string): void {
    const key = `${outcome} ${pointer} ${target} ${detail}`
    let row = this.#rows.get(key)
    if (row === undefined) {
      const from = outcome === 'added' ? {} : { pointer }
      row = { ...from, ...(target !== undefined && { target }), outcome, detail }
      this.#rows.set(key, row)
    }
    this.count(row)
  }

  /** The rows, additions last. */
  get report(): LossReport {
    const rows = Array.from(this.#counts, ([row, count]) => ({ ...row, count }))
    return [...rows.filter(({ outcome }) => outcome !== 'added'), ...rows.filter(({ outcome }) => outcome === 'added')]
  }
}

// Tables of places: which member of a run or step stands where in another format. The same table serves both ways.

/** A row of a table. */
export interface Place {
  /** The member, as a JSON Pointer into the run or step. */
  readonly at: string
  /** The name in the other format, or a JSON Pointer. */
  readonly to: string
  /** Other names to read it from. */
  readonly also?: readonly string[]
  /** The form of the value; default text. */
  readonly as?: string
  /** True for content, which is only written on request. */
  readonly content?: boolean
  /** The kinds of steps that it is for; default all. */
  readonly when?: readonly string[]
}

/** The members of an object, each with its places or its own members. */
export interface Branch {
  readonly pointer: string
  readonly members: Map<string, Branch | readonly PlacedRow[]>
}

/** A place with its path and its row of the account. */
export interface PlacedRow extends Place {
  readonly path: readonly string[]
  readonly moved: LossRow
}

/** Prepares a table; `base` and `target` are the patterns of its places in the run and in the other format. */
export function placed(places: readonly Place[], base: string, target: string, names = ''): readonly PlacedRow[] {
  return places.map((place) => {
    const pointer = base + place.at
    const to = target + (place.to.startsWith('/') ? place.to : `${names}/${escapeToken(place.to)}`)
    return {
      ...place,
      path: place.at.slice(1).split('/'),
      moved: { pointer, target: to, outcome: 'renamed', detail: 'under the name of the format' },
    }
  })
}

/** The table as a tree of members. */
export function branchOf(rows: readonly PlacedRow[], base: string): Branch {
  const root: Branch = { pointer: base, members: new Map() }
  for (const row of rows) {
    let at = root
    for (const name of row.path.slice(0, -1)) {
      if (!at.members.has(name)) at.members.set(name, { pointer: `${at.pointer}/${name}`, members: new Map() })
      at = at.members.get(name) as Branch
    }
    const last = row.path.at(-1)!
    at.members.set(last, [...((at.members.get(last) as PlacedRow[] | undefined) ?? []), row])
  }
  return root
}

/**
 * Gives each member with a place to `write`; returns the members that have none, or that `write` refuses. `left` takes
 * the patterns of these.
 */
export function spread(
  value: JsonObject,
  { pointer, members }: Branch,
  write: (rows: readonly PlacedRow[], value: unknown) => boolean,
  left: (pointer: string) => void,
): MutableObject | undefined {
  let rest: MutableObject | undefined
  for (const name of Object.keys(value)) {
    const inner = value[name]
    const next = members.get(name)
    let kept = inner
    if (next !== undefined && 'members' in next && isObject(inner) && Object.keys(inner).length > 0) {
      kept = spread(inner, next, write, left)
    } else if (Array.isArray(next) && write(next, inner)) kept = undefined
    else left(`${pointer}/${escapeToken(name)}`)
    if (kept === undefined) continue
    rest ??= {}
    put(rest, name, kept)
  }
  return rest
}

/** Forms that hold values of any type in an object of a record, and the member that a bare value is held in. */
const HOLDERS: Readonly<Record<string, string>> = { any: 'value', fault: 'message' }

/** A value of a run in the form of another format; undefined when it does not have that form. */
function outward(form: string, value: unknown): unknown {
  if (form === 'wrapped') return isHeld(value, 'value') ? outward('text', value['value']) : undefined
  if (form === 'object') return isObject(value) && Object.keys(value).length > 0 ? value : undefined
  if (form === 'text') return isText(value) && value !== '' ? value : undefined
  const holder = HOLDERS[form]
  if (holder !== undefined)
    return isHeld(value, holder) && isBare(form, value[holder]) ? value[holder] : outward('object', value)
  return typeof value === 'number' && value >= 0 && (form === 'number' || Number.isSafeInteger(value))
    ? value
    : undefined
}

/** The value of a run that `outward` made this of. */
function inward(form: string, value: unknown): unknown {
  if (form === 'wrapped') return isText(value) && value !== '' ? { value } : undefined
  const holder = HOLDERS[form]
  if (holder === undefined) return outward(form, value)
  return isBare(form, value) ? { [holder]: value } : outward('object', value)
}

const isHeld = (value: unknown, holder: string): value is JsonObject =>
  isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, holder)

const isBare = (form: string, value: unknown) =>
  form === 'fault' ? isText(value) : value !== undefined && value !== null && !isObject(value)

/** Part of a run or step in another format. */
interface Expression {
  readonly made: MutableObject
  /** What has no place there. */
  readonly rest: MutableObject | undefined
}

/**
 * Writes a run or step by a table. `added` has values that the format requires; a value that is the same stays in the
 * rest, so that reading can leave out what was added.
 */
export function express(
  of: JsonObject,
  branch: Branch,
  { account, target, kind = '', added = {} }: ExpressOptions,
): Expression {
  const made: MutableObject = {}
  const take = (places: readonly PlacedRow[], value: unknown) => {
    const place = places.find(({ when }) => when === undefined || when.includes(kind))
    const inForm = place && outward(place.as ?? 'text', value)
    if (inForm === undefined || inForm === valueAt(added, place!.to)) return false
    account.count(place!.moved)
    return fillAt(made, place!.to.slice(1).split('/'), inForm)
  }
  return { rest: spread(of, branch, take, carriedTo(account, target)), made }
}

interface ExpressOptions {
  readonly account: Account
  /** Where the rest goes; undefined when it is dropped. */
  readonly target: string | undefined
  readonly kind?: string
  readonly added?: JsonObject
}

/** Reads what `express` wrote into a run or step, which has its rest. */
export function takeBack(
  from: unknown,
  rows: readonly PlacedRow[],
  into: MutableObject,
  { account, kind = '', added = {} }: Omit<ExpressOptions, 'target'>,
): void {
  for (const { when, to, as = 'text', path, moved } of rows) {
    const value = valueAt(from, to)
    if ((when !== undefined && !when.includes(kind)) || value === undefined || value === valueAt(added, to)) continue
    if (fillAt(into, path, inward(as, value))) account.note('renamed', moved.target!, 'under its name', moved.pointer)
  }
}

/** True when a path has a value. */
export function hasAt(root: MutableObject, path: readonly string[]): boolean {
  let at: unknown = root
  for (const name of path) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return false
    at = at[name]
  }
  return true
}

/** Sets a path without a value, and creates the objects around it; returns false when there is nothing to set. */
export function fillAt(root: MutableObject, path: readonly string[], value: unknown): boolean {
  if (value === undefined || hasAt(root, path)) return false
  let at = root
  for (const name of path.slice(0, -1)) at = child(at, name)
  put(at, path.at(-1)!, value)
  return true
}

/** Counts what stays without a place: it is carried to a target, or dropped when there is no target. */
export const carriedTo = (account: Account, target: string | undefined) => (pointer: string) =>
  target === undefined
    ? account.note('dropped', pointer, 'has no name in the format')
    : account.note('renamed', pointer, 'carried along', target)
