// Events of AgentLang as run records.

import { CALL_ID } from '../../runs/record/subject.ts'
import { isObject, isText, type JsonObject, valueAt } from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import type { runsFromOtlp } from './from-otlp.ts'
import { Account, fillAt, type PlacedRow, takeBack } from './places.ts'
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
export function runFromEvents(lines: readonly JsonObject[], options: runsFromOtlp.Options = {}): runsFromOtlp.Result {
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
function headOf(events: readonly JsonObject[], agent: string, { tenant = 'local' }: runsFromOtlp.Options): JsonObject {
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
