// Run records as events of AgentLang, and back. A step is one event; its result, thought and answer are others.
import { EVENT_TYPES } from '../../agentlang/events/rules.ts'
import { CALL_ID } from '../../runs/call-id.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, isText, type JsonObject, valueAt } from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import type { LossReport } from '../types.ts'
import { Account } from './account.ts'
import names from './events-names.json' with { type: 'json' }
import type { RunImport, RunImportOptions } from './from-otlp.ts'
import { type Branch, branchOf, express, fillAt, type PlacedRow, placed, takeBack } from './places.ts'
import type { RunExportOptions } from './to-otlp.ts'

/** The member with everything that has no place: at the root of the run, in the first event of a step of the step. */
const REST = 'x-adp'
const UNKNOWN = 'unknown'

type StepKind = Exclude<keyof typeof names, '$comment' | 'all'>
type Part = 'result' | 'thought' | 'answer'

const PARTS: ReadonlyMap<unknown, Part> = new Map([
  ['tool.result', 'result'],
  ['agent.think', 'thought'],
  ['agent.message', 'answer'],
])

/** The type of the event for a kind of step, and the types of a step that was read from it. */
const KINDS: Readonly<Record<StepKind, readonly [event: string, action: string, observation: string]>> = {
  call: ['tool.call', 'tool_call', 'tool_result'],
  open: ['tool.call', 'tool_call', 'none'],
  think: ['agent.think', 'model_inference', 'none'],
  user: ['agent.message', 'message', 'user_input'],
  assistant: ['agent.message', 'message', 'none'],
  delegate: ['agent.delegate', 'other', 'none'],
  compact: ['context.compact', 'other', 'none'],
  other: ['other', 'other', 'none'],
}

interface Table {
  readonly rows: readonly PlacedRow[]
  readonly branch: Branch
}

function tableOf(kind: StepKind): Table {
  const rows = placed([...names.all, ...names[kind]], '/steps/*', '/events/*').map((row) => {
    const target = row.moved.target!.replace(/^(\/events\/\*)\/(?:result|thought|answer)\//, '$1/')
    return { ...row, moved: { ...row.moved, target } }
  })
  return { rows, branch: branchOf(rows, '/steps/*') }
}

const TABLES = Object.fromEntries<Table>(
  Object.keys(KINDS).map((kind) => [kind, tableOf(kind as StepKind)]),
) as Readonly<Record<StepKind, Table>>

/** Only the agent's id is in events, and `x-adp` has it as well. */
const NO_PLACES = branchOf([], '')

export interface EventsExport {
  readonly value: JsonObject
  readonly loss: LossReport
}

function kindOf(step: JsonObject): StepKind {
  const [action, observed, subtype] = ['/action/type', '/observation/type', '/metadata/action_subtype'].map((pointer) =>
    valueAt(step, pointer),
  )
  if (action === 'tool_call') return observed === 'tool_result' || observed === 'error' ? 'call' : 'open'
  if (action === 'model_inference' || action === 'plan_update') return 'think'
  if (action === 'message') return observed === 'user_input' ? 'user' : 'assistant'
  return subtype === 'delegate' ? 'delegate' : subtype === 'context.compact' ? 'compact' : 'other'
}

/** What an event requires and the step may not have. Reading leaves these out again. */
function addedTo(kind: StepKind, position: number, agent: string): JsonObject {
  const base = { agent_id: agent }
  if (kind === 'call' || kind === 'open') return { ...base, tool: UNKNOWN, input: {}, call_id: `call_${position}` }
  if (kind === 'user' || kind === 'assistant') return { ...base, role: kind, content: '' }
  if (kind === 'delegate') return { ...base, from: agent, to: UNKNOWN, task: '' }
  if (kind === 'compact') return { ...base, strategy: UNKNOWN, tokens_before: 0, tokens_after: 0 }
  return kind === 'think' ? { ...base, content: '' } : base
}

/** Writes a valid run record as a log of events, in the order of their times. It always has content. */
export function runToEvents(run: JsonObject, { carry = 'public' }: Pick<RunExportOptions, 'carry'> = {}): EventsExport {
  const account = new Account()
  const isCarried = carry !== 'nothing'
  const { steps, ...head } = run
  const agent = filled(valueAt(run, '/agent/agent_id')) ?? UNKNOWN
  const { rest } = express(head, NO_PLACES, { account, target: isCarried ? `/${REST}` : undefined })
  const eventsOf = (step: JsonObject, position: number): JsonObject[] => {
    const kind = kindOf(step)
    const added = addedTo(kind, position, agent)
    const target = isCarried ? `/events/*/${REST}` : undefined
    const { made, rest = {} } = express(step, TABLES[kind].branch, { account, target, added })
    for (const name of Object.keys(added))
      if (!Object.hasOwn(made, name)) account.note('added', '', 'AgentLang requires it', `/events/*/${name}`)
    const { result, thought, answer, ...fields } = { ...added, ...made }
    const { agent_id, call_id } = fields as Record<string, unknown>
    const timestamp = endOf(valueAt(step, '/timestamp'), valueAt(step, '/metadata/latency_ms'))
    const mark = isCarried ? { [REST]: { of: step['index'] } } : {}
    const outcome = isObject(result) && ('output' in result || 'error' in result) ? {} : { output: null }
    const other = (type: string, fields: object) => ({ type, timestamp, ...fields, ...mark })
    return [
      { type: typeOf(kind, step), ...fields, ...(isCarried && { [REST]: rest }) },
      ...(kind === 'call' ? [other('tool.result', { call_id, ...outcome, ...(result as object) })] : []),
      ...(isObject(thought) ? [other('agent.think', { agent_id, ...thought })] : []),
      ...(isObject(answer) ? [other('agent.message', { agent_id, role: 'assistant', ...answer })] : []),
    ]
  }
  const events = (Array.isArray(steps) ? steps : []).filter(isObject).map(eventsOf)
  return { value: { events: inOrder(events), ...(isCarried && { [REST]: rest ?? {} }) }, loss: account.report }
}

/** The type of a step that AgentLang has no type for is its subtype. */
function typeOf(kind: StepKind, step: JsonObject): string {
  const subtype = kind === 'other' ? filled(valueAt(step, '/metadata/action_subtype')) : undefined
  return subtype === undefined || EVENT_TYPES.has(subtype) ? KINDS[kind][0] : subtype
}

function endOf(start: unknown, took: unknown): unknown {
  const end = (isText(start) ? timeOf(start) : undefined) ?? Number.NaN
  const date = new Date(end + (typeof took === 'number' ? took : 0))
  return took === undefined || Number.isNaN(date.getTime()) ? start : date.toISOString()
}

/** Events by their times. The first events of steps stay in the order of the steps. */
function inOrder(steps: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  let latest = Number.MIN_SAFE_INTEGER
  const timed = steps.flatMap((events) => {
    latest = Math.max(latest, momentOf(events[0]!) ?? latest)
    return events.map((event) => ({ event, time: Math.max(latest, momentOf(event) ?? latest) }))
  })
  return timed.sort((a, b) => a.time - b.time).map(({ event }) => event)
}

const filled = (value: unknown) => (isText(value) && value !== '' ? value : undefined)

function momentOf({ timestamp }: { readonly [name: string]: unknown }): number | undefined {
  return isText(timestamp) ? timeOf(timestamp) : undefined
}

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

const EPOCH = '1970-01-01T00:00:00.000Z'

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
