// Sessions of agent runners as run records. A table says where each format has calls, results, messages and usage.
import { CALL_ID } from '../../runs/record/subject.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, isText, type JsonObject, valueAt } from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import names from './events-names.json' with { type: 'json' }
import type { runsFromOtlp } from './from-otlp.ts'
import { Account, type Branch, branchOf, fillAt, type PlacedRow, placed } from './places.ts'
import tables from './sessions.json' with { type: 'json' }
import { inText } from './to-otlp.ts'

type SessionFormat = 'codex-session' | 'claude-session' | 'atif'

/** A row of the table. Members other than these are pointers to values. */
interface Rule {
  readonly entry: 'head' | 'call' | 'result' | 'failure' | 'message' | 'inference' | 'usage'
  readonly each?: string
  readonly when?: Readonly<Record<string, string>>
  readonly also?: boolean
  readonly user?: boolean
  readonly [value: string]: unknown
}

type Get = (name: string) => unknown

/**
 * Reads the lines of a session, or the steps of an ATIF trajectory, as a run record.
 *
 * @example
 * runFromSession(lines, 'codex-session').runs[0].steps.length
 */
export function runFromSession(
  lines: readonly unknown[],
  format: SessionFormat,
  { tenant = 'local' }: runsFromOtlp.Options = {},
): runsFromOtlp.Result {
  const account = new Account()
  const transcript = new Transcript()
  for (const line of lines) {
    const isUsed = isObject(line) && takeLine(line, tables[format] as readonly Rule[], transcript)
    const name = ['/type', '/payload/type', '/source'].flatMap((pointer) => valueAt(line, pointer) ?? []).join(' ')
    if (isUsed) account.note('changed', '/*', `${name}: only what a run has a member for`, '/steps/*')
    else account.note('dropped', '/*', `${name}: no member`)
  }
  account.note('added', '', 'none: every record needs it', '/agent/aip/cert_fingerprint')
  return { runs: [transcript.run(format.replace(/-session$/, ''), tenant)], loss: account.report }
}

function takeLine(line: JsonObject, rules: readonly Rule[], transcript: Transcript): boolean {
  const time = valueAt(line, '/timestamp')
  if (isText(time) && timeOf(time) !== undefined) transcript.time = time
  let isUsed = false
  for (const rule of rules) {
    const list = rule.each === undefined ? [line] : valueAt(line, rule.each)
    const found = (Array.isArray(list) ? list : []).map((part) => reading(part, line))
    const fitting = found.filter((at) =>
      Object.entries(rule.when ?? {}).every(([pointer, value]) => at(pointer) === value),
    )
    for (const at of fitting) transcript.take(rule, (name) => (isText(rule[name]) ? at(rule[name]) : undefined))
    if (fitting.length > 0 && rule.entry !== 'head') isUsed = true
    if (fitting.length > 0 && rule.each === undefined && rule.also !== true) return true
  }
  return isUsed
}

const reading = (part: unknown, line: JsonObject) => (pointer: string) =>
  pointer.startsWith('^') ? valueAt(line, pointer.slice(1)) : valueAt(part, pointer)

export const filled = (value: unknown) => (isText(value) && value !== '' ? value : undefined)
const wrapped = (value: unknown) => (isObject(value) ? value : { value })

/** The text of a message: a string, or a list of parts with texts. */
const textIn = (value: unknown): string | undefined =>
  Array.isArray(value)
    ? filled(value.flatMap((part) => filled(isObject(part) && part['text']) ?? []).join('\n'))
    : filled(value)

/** Builds the steps of a run from what its session says, in any order. */
class Transcript {
  time: string | undefined
  readonly #head: MutableObject = {}
  readonly #steps: MutableObject[] = []
  readonly #times: string[] = []
  /** Calls and answers of models by their ids, and what came before them. */
  readonly #known = new Map<unknown, MutableObject>()
  readonly #early = new Map<unknown, Get>()
  #total: readonly [number, number] = [0, 0]

  take(rule: Rule, get: Get): void {
    if (this.time !== undefined) this.#times.push(this.time)
    const id = get('id') ?? undefined
    if (rule.entry === 'head')
      for (const name of ['session', 'version', 'model', 'part', 'agent']) this.#head[name] ??= filled(get(name))
    else if (rule.entry === 'call') this.#call(id, get)
    else if (rule.entry === 'result') this.#result(id, get)
    else if (rule.entry === 'failure') this.#fail(this.#known.get(id), get('code'))
    else if (rule.entry === 'message') this.#message(textIn(get('text')), rule.user === true)
    else if (rule.entry === 'inference') this.#inference(id, get)
    else this.#usage(get('total'))
  }

  #add(type: string, observed: string): MutableObject {
    const step = {
      index: this.#steps.length,
      timestamp: this.time,
      action: { type },
      observation: { type: observed },
      metadata: {},
    }
    this.#steps.push(step)
    return step
  }

  #call(id: unknown, get: Get): void {
    if (id !== undefined && this.#known.has(id)) return
    const step = this.#add('tool_call', 'none')
    fillAt(step, ['action', 'name'], filled(get('name')))
    if (get('input') !== undefined) fillAt(step, ['action', 'input'], wrapped(inText(get('input'))))
    fillAt(step, ['metadata', CALL_ID], id === undefined ? undefined : String(id))
    fillAt(step, ['metadata', 'adp.unfinished'], true)
    fillAt(step, ['parent_step_index'], this.#known.get(`of ${get('of')}`)?.['index'])
    this.#known.set(id, step)
    const early = this.#early.get(id)
    if (early !== undefined) this.#finish(step, early)
    this.#early.delete(id)
  }

  #result(id: unknown, get: Get): void {
    const step = this.#known.get(id)
    if (step !== undefined) this.#finish(step, get)
    else this.#early.set(id, get)
  }

  #finish(step: MutableObject, get: Get): void {
    const { observation, metadata, timestamp } = step as Record<string, MutableObject>
    const output = get('output')
    observation!['type'] = observation!['type'] === 'error' ? 'error' : 'tool_result'
    if (output !== undefined && output !== null) observation!['output'] = wrapped(textIn(output) ?? output)
    delete metadata!['adp.unfinished']
    const taken = Date.parse(String(this.time)) - Date.parse(String(timestamp))
    if (taken > 0) metadata!['latency_ms'] = taken
    if (get('failed') === true) this.#fail(step, undefined)
  }

  #fail(step: MutableObject | undefined, code: unknown): void {
    if (step === undefined) return
    const error = { message: 'the runner says that the call failed', ...(code !== undefined && { code }) }
    step['observation'] = { ...(step['observation'] as object), type: 'error', error }
  }

  #message(text: string | undefined, isUser: boolean): void {
    if (text === undefined) return
    const step = this.#add('message', isUser ? 'user_input' : 'none')
    fillAt(step, isUser ? ['observation', 'output'] : ['action', 'input'], { value: text })
  }

  /** An answer of a model: runners repeat its usage in each of its parts. */
  #inference(id: unknown, get: Get): void {
    const key = `of ${id}`
    const step = (id === undefined ? undefined : this.#known.get(key)) ?? this.#add('model_inference', 'none')
    if (id !== undefined) this.#known.set(key, step)
    const text = textIn(get('text'))
    const said = valueAt(step, '/observation/output/value')
    if (text !== undefined)
      step['observation'] = { type: 'tool_result', output: { value: isText(said) ? `${said}\n${text}` : text } }
    fillAt(step, ['reflection', 'thought'], filled(get('thought')))
    fillAt(step, ['metadata', 'model'], filled(get('model')))
    for (const [name, of] of [
      ['prompt_tokens', 'prompt'],
      ['completion_tokens', 'completion'],
      ['cost_usd', 'cost'],
    ] as const) {
      const count = Number(get(of) ?? Number.NaN)
      const metadata = step['metadata'] as MutableObject
      if (count >= 0) metadata[name] = Math.max(count, Number(metadata[name] ?? 0))
    }
  }

  /** A running total: what was added since the one before is the usage of an answer. */
  #usage(total: unknown): void {
    if (!isObject(total)) return
    const now = [Number(total['input_tokens'] ?? 0), Number(total['output_tokens'] ?? 0)] as const
    const isReset = now[0] < this.#total[0] || now[1] < this.#total[1]
    const [prompt, completion] = now.map((count, i) => count - (isReset ? 0 : this.#total[i]!))
    this.#total = now
    if (prompt! + completion! > 0)
      this.#inference(undefined, (name) => ({ prompt, completion, model: this.#head['model'] })[name])
  }

  run(agent: string, tenant: string): JsonObject {
    for (const [id, get] of this.#early) {
      const step = this.#add('other', 'tool_result')
      step['metadata'] = { action_subtype: 'result_without_call', [CALL_ID]: String(id) }
      this.#finish(step, get)
    }
    const times = this.#times.toSorted((a, b) => Date.parse(a) - Date.parse(b))
    const { session = 'unknown', part, version, agent: name } = this.#head
    const started = times[0] ?? '1970-01-01T00:00:00.000Z'
    for (const step of this.#steps) step['timestamp'] ??= started
    return {
      version: 'adp-1',
      run_id: part === undefined ? session : `${session}-${part}`,
      tenant_id: tenant,
      agent: {
        agent_id: agent,
        ...(version !== undefined && { agent_version: version }),
        framework: name ?? agent,
        aip: { cert_fingerprint: 'none' },
      },
      context: { session_id: session },
      steps: this.#steps,
      status: 'succeeded',
      started_at: started,
      completed_at: times.at(-1) ?? started,
    }
  }
}

// The steps of run records as events of AgentLang: a step is one event; its result, thought and answer are others.

/** The member with everything that has no place: at the root of the run, in the first event of a step of the step. */
export const REST = 'x-adp'
export const UNKNOWN = 'unknown'

export type StepKind = Exclude<keyof typeof names, '$comment' | 'all'>
export type Part = 'result' | 'thought' | 'answer'

export const PARTS: ReadonlyMap<unknown, Part> = new Map([
  ['tool.result', 'result'],
  ['agent.think', 'thought'],
  ['agent.message', 'answer'],
])

/** The type of the event for a kind of step, and the types of a step that was read from it. */
export const KINDS: Readonly<Record<StepKind, readonly [event: string, action: string, observation: string]>> = {
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

export const TABLES = Object.fromEntries<Table>(
  Object.keys(KINDS).map((kind) => [kind, tableOf(kind as StepKind)]),
) as Readonly<Record<StepKind, Table>>

export function kindOf(step: JsonObject): StepKind {
  const [action, observed, subtype] = ['/action/type', '/observation/type', '/metadata/action_subtype'].map((pointer) =>
    valueAt(step, pointer),
  )
  if (action === 'tool_call') return observed === 'tool_result' || observed === 'error' ? 'call' : 'open'
  if (action === 'model_inference' || action === 'plan_update') return 'think'
  if (action === 'message') return observed === 'user_input' ? 'user' : 'assistant'
  return subtype === 'delegate' ? 'delegate' : subtype === 'context.compact' ? 'compact' : 'other'
}

/** What an event requires and the step may not have. Reading leaves these out again. */
export function addedTo(kind: StepKind, position: number, agent: string): JsonObject {
  const base = { agent_id: agent }
  if (kind === 'call' || kind === 'open') return { ...base, tool: UNKNOWN, input: {}, call_id: `call_${position}` }
  if (kind === 'user' || kind === 'assistant') return { ...base, role: kind, content: '' }
  if (kind === 'delegate') return { ...base, from: agent, to: UNKNOWN, task: '' }
  if (kind === 'compact') return { ...base, strategy: UNKNOWN, tokens_before: 0, tokens_after: 0 }
  return kind === 'think' ? { ...base, content: '' } : base
}

export function momentOf({ timestamp }: { readonly [name: string]: unknown }): number | undefined {
  return isText(timestamp) ? timeOf(timestamp) : undefined
}
