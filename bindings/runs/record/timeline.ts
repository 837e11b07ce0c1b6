// The steps of a run for people: one row a step, from a record or from the lines of a stream as they arrive.
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import type { Line } from '../stream/lines.ts'
import { DECISIONS } from '../verdict/specification.ts'
import { isHidden, listsRemovedOutputs, moment, NOT_SEEN, objectIn, Step } from './subject.ts'
import { brief, deedIn, resultIn } from './words.ts'

/** One step of a timeline. Members are undefined where the record does not say. */
export interface TimelineStep {
  readonly index: number
  /** The index of the step that it is inside of. */
  readonly parent: number | undefined
  /** The number of steps that it is inside of. */
  readonly depth: number
  /** The type of its action, such as `tool_call`. */
  readonly type: string
  readonly name: string | undefined
  /** What it did in a line: its command, path, URL or prompt; of a verdict, its reason. */
  readonly what: string | undefined
  /** What came of it, in a line. */
  readonly result: string | undefined
  /** Of a verdict: the pointer of the rule that decided, or what was violated. */
  readonly rule: string | undefined
  /** Milliseconds after the start of the run. */
  readonly after: number | undefined
  readonly took: number | undefined
  readonly tokens: number | undefined
  readonly costUsd: number | undefined
  readonly uncertainty: number | undefined
  /** The decision of a verdict; `invalid` for another value, `hidden` when the verdict was removed. */
  readonly verdict: 'allow' | 'deny' | 'escalate' | 'invalid' | 'hidden' | undefined
  /** `open`: it began, and no end is known. */
  readonly state: 'ended' | 'failed' | 'open'
}

/** What a run says about itself, and sums over its steps. */
export interface TimelineSummary {
  readonly agent: string
  /** What the recorder could not see, as it says. */
  readonly notSeen: readonly string[]
  readonly task: string | undefined
  /** Undefined for a run that has not ended. */
  readonly status: string | undefined
  readonly startedAt: string | undefined
  readonly took: number | undefined
  readonly steps: number
  readonly failed: number
  readonly open: number
  readonly denied: number
  readonly escalated: number
  readonly tokens: number
  readonly costUsd: number | undefined
}

/** The result of a step that a verdict denied. */
export const DENIED = 'denied'
/** Longer texts are cut where a run is described in one line. */
const LONGEST_PART = 200
/** A record may claim any parents; deeper steps are drawn at this depth. */
const MOST_DEPTH = 32

/** The depths of steps by their indices: a byte each while these are in order. */
class Depths {
  #dense = new Uint8Array(1 << 10)
  readonly #others = new Map<number, number>()

  /** That of an unknown step is 0. */
  get(index: number): number {
    return this.#others.get(index) ?? this.#dense[index] ?? 0
  }

  set(index: number, depth: number): void {
    if (index === this.#dense.length) {
      const larger = new Uint8Array(2 * index)
      larger.set(this.#dense)
      this.#dense = larger
    }
    if (index >= 0 && index < this.#dense.length && !this.#others.has(index)) this.#dense[index] = depth
    else this.#others.set(index, depth)
  }
}

/** Reads steps one after the other, in the memory of their depths. */
export class Timeline {
  readonly #depths = new Depths()
  readonly #open = new Map<number, TimelineStep>()
  /** The steps that a verdict denied: their result repeats its reason. */
  readonly #denied = new Set<number>()
  /** True when outputs were removed from the record. */
  #hasRemoved = false
  readonly #sums = { steps: 0, failed: 0, denied: 0, escalated: 0, tokens: 0, costUsd: 0 }
  readonly #reveal: (pointer: string) => unknown
  #head: JsonObject = {}
  #end: JsonObject = {}

  /** @param reveal the value behind a commitment, by its pointer; by default such a value stays hidden. */
  constructor(reveal: (pointer: string) => unknown = () => undefined) {
    this.#reveal = reveal
  }

  /** The members of the record that are known at its start. */
  start(head: JsonObject): void {
    this.#head = head
    this.#hasRemoved = listsRemovedOutputs(objectIn(head, 'metadata'))
  }

  begin(intent: JsonObject): TimelineStep {
    const row = this.#row(new Step({ pointer: '', value: intent }), 'open')
    this.#open.set(row.index, row)
    return row
  }

  /** A step that has ended. */
  add(value: JsonObject): TimelineStep {
    const step = new Step({ pointer: '', value })
    const observation = step.part('observation')
    const hasFailed = member(observation, 'type') === 'error' || isObject(member(observation, 'error'))
    const row = this.#row(step, hasFailed ? 'failed' : 'ended')
    this.#open.delete(row.index)
    this.#count(row)
    if (row.verdict === 'deny' && this.#open.has(step.parent!)) this.#denied.add(step.parent!)
    return row
  }

  /** Steps that verdicts deny. A stream has such a verdict before the end of its step, a record after the step. */
  expectDenied(steps: readonly JsonObject[]): void {
    for (const value of steps) {
      const step = new Step({ pointer: '', value })
      if (step.isVerdict && step.parent !== undefined && decisionOf(step, this.#hasRemoved) === 'deny')
        this.#denied.add(step.parent)
    }
  }

  /** The members of the record that are known at its end. */
  end(end: JsonObject): void {
    this.#end = end
  }

  /** Takes a line of a stream; returns the step that begins or ends with it. */
  take({ type, run, intent, step, end }: Line): TimelineStep | undefined {
    if (type === 'run_started') this.start(run as JsonObject)
    if (type === 'run_completed') this.end(end as JsonObject)
    if (type === 'step_started') return this.begin(intent as JsonObject)
    return type === 'step' ? this.add(step as JsonObject) : undefined
  }

  /** The steps that began and have not ended. */
  get open(): readonly TimelineStep[] {
    return [...this.#open.values()]
  }

  get summary(): TimelineSummary {
    const head = this.#head
    const [agent, context, metadata] = ['agent', 'context', 'metadata'].map((name) =>
      objectIn(name === 'metadata' ? this.#end : head, name),
    )
    const [from, to] = [moment(head, 'started_at'), moment(this.#end, 'completed_at')]
    return {
      ...this.#sums,
      agent: brief([member(agent, 'agent_id'), member(agent, 'agent_version')].filter(isText).join(' ')),
      notSeen: listTexts(metadata, NOT_SEEN),
      task: wordsOf([textIn(context, 'task_description'), textIn(context, 'workflow_key')]),
      status: textIn(this.#end, 'status'),
      startedAt: textIn(head, 'started_at'),
      took: from === undefined || to === undefined ? undefined : to - from,
      steps: this.#sums.steps + this.#open.size,
      open: this.#open.size,
      tokens: numberIn(metadata, 'total_tokens') ?? this.#sums.tokens,
      costUsd: numberIn(metadata, 'total_cost_usd') ?? (this.#sums.costUsd || undefined),
    }
  }

  #row(step: Step, state: TimelineStep['state']): TimelineStep {
    const { isVerdict } = step
    const [action, metadata] = [step.part('action'), step.part('metadata')]
    const index = step.index ?? this.#sums.steps
    const depth = Math.min(step.parent === undefined ? 0 : this.#depths.get(step.parent) + 1, MOST_DEPTH)
    this.#depths.set(index, depth)
    const start = moment(this.#head, 'started_at')
    const name = textIn(action, 'name') ?? textIn(metadata, 'action_subtype')
    return {
      index,
      parent: step.parent,
      depth,
      state,
      type: brief(textIn(action, 'type') ?? 'other'),
      name: name && brief(name),
      ...(isVerdict && state !== 'open' ? verdictWords(step, this.#hasRemoved) : this.#words(step, index, state)),
      after: start === undefined || step.time === undefined ? undefined : step.time - start,
      // Nobody waits for a prompt: the time is that of its recorder.
      took: textIn(step.part('observation'), 'type') === 'user_input' ? undefined : numberIn(metadata, 'latency_ms'),
      tokens: sum(numberIn(metadata, 'prompt_tokens'), numberIn(metadata, 'completion_tokens')),
      costUsd: numberIn(metadata, 'cost_usd'),
      uncertainty: numberIn(step.part('reflection'), 'uncertainty'),
    }
  }

  /** What a step did, and what came of it. A prompt is what the user did; the text of a model came of its step. */
  #words(step: Step, index: number, state: TimelineStep['state']) {
    const [observation, thought] = [step.part('observation'), textIn(step.part('reflection'), 'thought')]
    const shown = (value: unknown, place: string) =>
      value !== undefined && isHidden(value) ? (this.#reveal(`/steps/${index}/${place}`) ?? value) : value
    const output = shown(member(observation, 'output'), 'observation/output')
    const input = shown(member(step.part('action'), 'input'), 'action/input')
    const isPrompt = member(observation, 'type') === 'user_input'
    const what = deedIn(input) ?? (isPrompt ? resultIn(output) : thought && brief(thought))
    // Asked for each step: the reason stands in the verdict.
    const isDenied = this.#denied.delete(index) && state === 'failed'
    const result = isDenied ? DENIED : (resultIn(member(observation, 'error')) ?? resultIn(output))
    return { what, result: isPrompt && result === what ? undefined : result, rule: undefined, verdict: undefined }
  }

  #count({ state, verdict, result, tokens, costUsd }: TimelineStep): void {
    const sums = this.#sums
    sums.steps++
    if (state === 'failed' && result !== DENIED) sums.failed++
    if (verdict === 'deny') sums.denied++
    if (verdict === 'escalate') sums.escalated++
    sums.tokens += tokens ?? 0
    sums.costUsd += costUsd ?? 0
  }
}

export function timelineOf(record: JsonObject): { steps: readonly TimelineStep[]; summary: TimelineSummary } {
  const timeline = new Timeline()
  timeline.start(record)
  timeline.end(record)
  const list = member(record, 'steps')
  const steps = Array.isArray(list) ? list.filter(isObject) : []
  timeline.expectDenied(steps)
  return { steps: steps.map((step) => timeline.add(step)), summary: timeline.summary }
}

/** Steps that wait for one before them to end. With more, they are shown as they are. */
const MOST_WAITING = 10_000

/** Puts steps in the order in which they began, so that a step stands before those inside of it. */
export class BeginOrder {
  readonly #waiting = new Map<number, TimelineStep>()

  /** Takes a step that begins or ends; returns those whose turn it is. */
  take(row: TimelineStep): readonly TimelineStep[] {
    if (row.state !== 'open' && this.#waiting.size === 0) return [row]
    this.#waiting.set(row.index, row)
    if (this.#waiting.size > MOST_WAITING) return this.rest()
    const ready: TimelineStep[] = []
    for (const [index, first] of this.#waiting) {
      if (first.state === 'open') break
      ready.push(first)
      this.#waiting.delete(index)
    }
    return ready
  }

  /** All that wait, also those that never ended. */
  rest(): readonly TimelineStep[] {
    const rows = [...this.#waiting.values()]
    this.#waiting.clear()
    return rows
  }
}

function decisionOf(step: Step, hasRemoved: boolean): TimelineStep['verdict'] {
  if (step.isOutputRedacted || (hasRemoved && step.isOutputMissing)) return 'hidden'
  const decision = member(outputOf(step), 'decision')
  return DECISIONS.find((one) => one === decision) ?? 'invalid'
}

const outputOf = (step: Step) => objectIn(step.part('observation') ?? {}, 'output')

/** The decision of a verdict, its reason, and what decided. */
function verdictWords(step: Step, hasRemoved: boolean) {
  const output = outputOf(step)
  const draft = member(objectIn(step.part('action') ?? {}, 'input'), 'draft_output')
  const [reason, metadata] = [textIn(output, 'reasoning'), objectIn(output ?? {}, 'metadata')]
  const rule = textIn(metadata, 'adl.pointer') ?? listTexts(output, 'policy_violations').join(', ')
  return {
    verdict: decisionOf(step, hasRemoved),
    what: reason && brief(withoutSubject(reason, draft)),
    result: undefined,
    rule: rule === '' || rule === reason ? undefined : brief(rule),
  }
}

/** A cut subject with so many characters of the request is the same. */
const ALIKE = 20

/** A reason without the command, path or host in front of it: the row of the call has it. */
function withoutSubject(reason: string, request: unknown): string {
  for (const text of isObject(request) ? Object.values(request) : []) {
    if (!isText(text) || text === '') continue
    if (reason.startsWith(`'${text}' `)) return reason.slice(text.length + 3)
    // A recorder may have put stars into the rest.
    const end = reason.indexOf("…' ")
    if (end > 1 && text.startsWith(reason.slice(1, Math.min(end, ALIKE)))) return reason.slice(end + 3)
  }
  return reason
}

/** The name of a row: of the tool, or what else it did. */
export function labelOf({ type, name, verdict }: Pick<TimelineStep, 'type' | 'name' | 'verdict'>): string {
  if (verdict !== undefined) return VERDICT_LABELS[verdict]
  if (name === 'UserPromptSubmit') return 'prompt'
  return type === 'tool_call' ? (name ?? type) : name === undefined ? type : `${type} ${name}`
}

const VERDICT_LABELS = {
  allow: '✓ allow',
  deny: '✕ deny',
  escalate: '! escalate',
  invalid: '✕ invalid verdict',
  hidden: '? hidden verdict',
} as const

/** How a row ended, what it took and what it cost, in words. */
export function factsOf({ state, took, tokens, costUsd, uncertainty }: TimelineStep): readonly string[] {
  return [
    state === 'open' && 'did not end',
    took !== undefined && took > 0 && durationText(took),
    tokens !== undefined && `${tokens.toFixed()} tokens`,
    costUsd !== undefined && dollars(costUsd),
    uncertainty !== undefined && `uncertainty ${uncertainty}`,
  ].filter(isText)
}

/** An amount of money: two digits, or as many as a small amount needs. */
export const dollars = (amount: number): string =>
  `$${amount >= 0.1 || amount === 0 ? amount.toFixed(2) : Number(amount.toPrecision(2)).toString()}`

/** The first text that is there, without credentials. */
function wordsOf(texts: readonly (string | undefined)[]): string | undefined {
  const text = texts.find((one) => !isHidden(one))
  return text && brief(text)
}

function textIn(of: JsonObject | undefined, name: string): string | undefined {
  const value = member(of, name)
  return isText(value) && value !== '' ? value : undefined
}

function listTexts(of: JsonObject | undefined, name: string): readonly string[] {
  const value = member(of, name)
  return Array.isArray(value) ? value.filter(isText) : []
}

function numberIn(of: JsonObject | undefined, name: string): number | undefined {
  const value = member(of, name)
  return typeof value === 'number' ? value : undefined
}

const sum = (a: number | undefined, b: number | undefined) =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)

/** A time for people: `350 ms`, `12.3 s`, `3 min 12 s`. */
export function durationText(milliseconds: number): string {
  const ms = Math.round(milliseconds)
  // V8 keeps the texts of integers for long, but not those of toFixed: a stream has millions.
  if (Math.abs(ms) < 1000) return `${ms.toFixed()} ms`
  const seconds = ms / 1000
  if (Math.abs(seconds) < 60) return `${seconds.toFixed(1)} s`
  return `${Math.trunc(seconds / 60)} min ${Math.round(Math.abs(seconds) % 60)} s`
}

/** A run in one line. */
export function runInWords({ agent, task, status, startedAt, took, ...sums }: TimelineSummary): string {
  const { steps, failed, open, denied, escalated, tokens, costUsd } = sums
  const end = status === undefined ? 'not ended' : took === undefined ? status : `${status} after ${durationText(took)}`
  const parts = [
    agent === '' ? 'an unnamed agent' : agent,
    task,
    startedAt,
    end,
    steps === 1 ? '1 step' : `${steps} steps`,
    failed > 0 && `${failed} failed`,
    open > 0 && `${open} did not end`,
    denied > 0 && `${denied} denied`,
    escalated > 0 && `${escalated} escalated`,
    tokens > 0 && `${tokens} tokens`,
    costUsd !== undefined && dollars(costUsd),
  ]
  return parts
    .filter(isText)
    .map((part) => part.slice(0, LONGEST_PART))
    .join(', ')
}
