// A run record as spans of OpenTelemetry: the run is the root, each step is a span.

import { toHex } from '../../text/bytes.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { sha256 } from '../../wasm/sha256.ts'
import type { LossReport } from '../types.ts'
import { Account } from './account.ts'
import names from './otlp-names.json' with { type: 'json' }
import { attribute, encode, fromNanos, type KeyValue, toNanos } from './otlp-values.ts'
import { branchOf, carriedTo, type Place, type PlacedRow, placed, spread } from './places.ts'

export interface RunExportOptions {
  /**
   * `public` (default): without inputs, outputs, thoughts and other content. `all`: with content. `nothing`: in addition,
   * without members that the format has no name for.
   */
  readonly carry?: 'public' | 'all' | 'nothing'
}

export interface OtlpExport {
  /** An ExportTraceServiceRequest in its JSON form. */
  readonly value: { readonly resourceSpans: readonly JsonObject[] }
  readonly loss: LossReport
}

export const SPANS = '/resourceSpans/*/scopeSpans/*/spans/*'
/** The attribute with everything that has no name, as JSON. */
export const REST = 'adp.rest'
/** The error type of an error without a code. */
export const OTHER = '_OTHER'
export const RUN_PLACES = placed(names.run as readonly Place[], '', SPANS, '/attributes')
export const STEP_PLACES = placed(names.step as readonly Place[], '/steps/*', SPANS, '/attributes')
const RUN_BRANCH = branchOf(RUN_PLACES)
const STEP_BRANCH = branchOf(STEP_PLACES)
const [INTERNAL, CLIENT] = [1, 3]
const [UNSET, ERROR] = [0, 2]

/** The operation of a step that the conventions name; undefined for others. */
export function operationOf(kind: string): string | undefined {
  if (kind === 'failed_call') return 'execute_tool'
  return Object.entries(names.operations).find(([, of]) => of === kind)?.[0]
}

/** What the table calls a step: its type, with two more for failed calls and for work given to another agent. */
export function kindOf(step: JsonObject): string {
  const [action, observation, metadata] = ['action', 'observation', 'metadata'].map((name) => step[name])
  const type = isObject(action) ? member(action, 'type') : undefined
  if (type === 'tool_call' && isObject(observation))
    return isObject(observation['error']) || observation['type'] === 'error' ? 'failed_call' : type
  const isDelegate = type === 'other' && isObject(metadata) && metadata['action_subtype'] === 'delegate'
  return isDelegate ? 'delegate' : String(type)
}

/**
 * Writes a valid run record as OTLP/JSON: one span for the run, and one for each step.
 *
 * @example
 * runToOtlp(record, { carry: 'all' }).value.resourceSpans[0].scopeSpans[0].spans.length // 1 + record.steps.length
 */
export function runToOtlp(run: JsonObject, { carry = 'public' }: RunExportOptions = {}): OtlpExport {
  const account = new Account()
  const { steps, version: _, ...head } = run
  account.note('kept', '/version', 'is the same in every record')
  const listed = (Array.isArray(steps) ? steps : []).filter(isObject)
  const ids = new Ids(run, listed)
  const root = new SpanWriter(ids, 0, carry, account)
  root.fill(head, RUN_BRANCH, '', 'run')
  const name = String(textAt(run, 'context', 'workflow_key') ?? textAt(run, 'agent', 'agent_id'))
  const isWorkflow = textAt(run, 'context', 'workflow_key') !== undefined
  root.named(`invoke_agent ${name}`, isWorkflow ? 'invoke_workflow' : 'invoke_agent')
  root.attributes.push(attribute('gen_ai.agent.name', name))
  const spans = listed.map((step, i) => stepSpan(step, new SpanWriter(ids, i + 1, carry, account), root))
  const resource = { attributes: [attribute('service.name', name)], droppedAttributesCount: 0 }
  const value = {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'blazon' }, spans: [root.span(), ...spans] }] }],
  }
  account.note('added', '', 'OTLP requires a name of the service', '/resourceSpans/*/resource/attributes/service.name')
  return { value, loss: account.report }
}

const textAt = (of: JsonObject, part: string, name: string) => {
  const value = isObject(of[part]) ? of[part][name] : undefined
  return isText(value) && value !== '' ? value : undefined
}

function stepSpan(step: JsonObject, span: SpanWriter, root: SpanWriter): JsonObject {
  const kind = kindOf(step)
  span.start = root.start
  span.fill(step, STEP_BRANCH, '/steps/*', kind)
  const operation = operationOf(kind)
  const what = textAt(step, 'action', 'name') ?? textAt(step, 'metadata', 'model')
  const subject = kind === 'model_inference' ? textAt(step, 'metadata', 'model') : what
  const title = operation ?? textAt(step, 'metadata', 'action_subtype') ?? kind
  span.named(subject === undefined ? title : `${title} ${subject}`, operation)
  if (kind === 'model_inference') span.kind = CLIENT
  const verdict = isObject(step['observation']) ? step['observation']['output'] : undefined
  if (isObject(verdict) && verdict['version'] === 'pvs-1')
    span.judged(verdict, textAt(step, 'metadata', 'policy_engine'))
  return span.span()
}

/** The ids of the spans of a run: those of its trace, or made from its run id. */
class Ids {
  readonly trace: string
  readonly root: string
  readonly above: string | undefined
  /** True when the trace of the run says the same. */
  readonly isExact: boolean
  readonly #high: string
  readonly #positions = new Map<unknown, number>()

  constructor(run: JsonObject, steps: readonly JsonObject[]) {
    const digits = toHex(sha256(new TextEncoder().encode(String(run['run_id']))))
    const trace = isObject(run['trace']) ? run['trace'] : {}
    const { trace_id, span_id, parent_span_id, ...more } = trace
    const [own, root, above] = [id(trace_id, 32), id(span_id, 16), id(parent_span_id, 16)]
    this.trace = own ?? digits.slice(0, 32)
    this.root = root ?? digits.slice(32, 48)
    this.above = above
    const isComplete = own !== undefined && root !== undefined && Object.keys(more).length === 0
    this.isExact = isComplete && above === parent_span_id
    this.#high = digits.slice(48, 56)
    for (const [i, step] of steps.entries()) this.#positions.set(step['index'], i + 1)
  }

  of(position: number): string {
    return position === 0 ? this.root : this.#high + position.toString(16).padStart(8, '0')
  }

  parent(index: unknown, position: number): string | undefined {
    const parent = this.#positions.get(index)
    return parent === undefined || parent === position ? undefined : this.of(parent)
  }
}

const id = (value: unknown, digits: number) =>
  isText(value) && value.length === digits && /^[\da-f]+$/.test(value) && !/^0+$/.test(value) ? value : undefined

/** Builds one span. */
class SpanWriter {
  readonly attributes: KeyValue[] = []
  kind = INTERNAL
  start = 0n
  #end: bigint | undefined
  #name = ''
  #parent: string | undefined
  #message: string | undefined
  #isError = false
  readonly #events: JsonObject[] = []
  readonly #position: number
  readonly #ids: Ids
  readonly #carry: string
  readonly #account: Account

  constructor(ids: Ids, position: number, carry: string, account: Account) {
    this.#ids = ids
    this.#position = position
    this.#carry = carry
    this.#account = account
    this.#parent = position === 0 ? ids.above : ids.root
  }

  /** Writes all members of a run or step. */
  fill(value: JsonObject, branch: Parameters<typeof spread>[1], pointer: string, kind: string): void {
    // First the start: other times depend on it.
    this.start = toNanos(value[kind === 'run' ? 'started_at' : 'timestamp']) ?? this.start
    const target = this.#carry === 'nothing' ? undefined : `${SPANS}/attributes/${REST}`
    const write = (rows: readonly PlacedRow[], inner: unknown) => this.#write(rows, inner, value, kind)
    let rest = spread(value, branch, pointer, write, carriedTo(this.#account, target))
    if (kind === 'run' && !('trace' in value)) rest = { ...rest, trace: null }
    if (rest !== undefined && target !== undefined) this.attributes.push(attribute(REST, JSON.stringify(rest)))
    const { status = 'succeeded' } = value
    if (!this.#isError && (status !== 'succeeded' || kind === 'failed_call')) this.#fail({}, value)
  }

  #write(rows: readonly PlacedRow[], inner: unknown, whole: JsonObject, kind: string): boolean {
    for (const row of rows) {
      if (row.when !== undefined && !row.when.includes(kind)) continue
      const { as = 'text' } = row
      if (row.content === true && this.#carry !== 'all') {
        this.#account.note('dropped', row.moved.pointer!, 'content, which carry: all writes')
        return true
      }
      const value = encode(as, inner)
      if (value !== undefined) this.attributes.push({ key: row.to, value })
      else if (!this.#isExpressed(as, inner, whole)) continue
      this.#account.count(row.moved)
      return true
    }
    return false
  }

  /** Expresses what is not an attribute; true when reading gives the same back. */
  #isExpressed(form: string, value: unknown, whole: JsonObject): boolean {
    if (form === 'trace') return this.#ids.isExact
    if (form === 'start') return toNanos(value) !== undefined && fromNanos(this.start) === value
    if (form === 'parent') return this.#setParent(value)
    if (form === 'end') return typeof value === 'number' ? this.#endAfter(value) : this.#endAt(value)
    return form === 'error' && isObject(value) && this.#fail(value, whole)
  }

  #setParent(value: unknown): boolean {
    const parent = Number.isInteger(value) ? this.#ids.parent(value, this.#position) : undefined
    this.#parent = parent ?? this.#parent
    return parent !== undefined
  }

  #endAfter(milliseconds: number): boolean {
    const nanos = Math.round(milliseconds * 1e6)
    if (this.start === 0n || !(nanos > 0 && nanos <= Number.MAX_SAFE_INTEGER)) return false
    this.#end = this.start + BigInt(nanos)
    return nanos / 1e6 === milliseconds
  }

  #endAt(time: unknown): boolean {
    this.#end = toNanos(time)
    return this.#end !== undefined && this.#end >= this.start && fromNanos(this.#end) === time
  }

  #fail(error: JsonObject, { status }: JsonObject): boolean {
    if (status === 'succeeded') return false
    const { code, message, ...more } = error
    const type = isText(status) && status !== 'failed' ? status : isText(code) && code !== '' ? code : OTHER
    this.#isError = true
    this.attributes.push(attribute('error.type', type))
    if (isText(message)) this.#message = message
    const shown = [attribute('exception.type', type), attribute('exception.message', this.#message ?? type)]
    this.#event('exception', shown)
    const isExact = type === code && type !== OTHER && isText(message) && message !== ''
    return isExact && (status === undefined || status === 'failed') && Object.keys(more).length === 0
  }

  #event(name: string, attributes: readonly KeyValue[]): void {
    const timeUnixNano = String(this.#end ?? this.start)
    this.#events.push({ attributes, name, timeUnixNano, droppedAttributesCount: 0 })
  }

  /** Adds the event of a verdict; its reasoning is content. */
  judged({ decision, confidence_score, reasoning }: JsonObject, engine = 'policy'): void {
    const score = encode('number', confidence_score)
    this.#event('gen_ai.evaluation.result', [
      attribute('gen_ai.evaluation.name', engine),
      attribute('gen_ai.evaluation.score.label', String(decision)),
      ...(score === undefined ? [] : [{ key: 'gen_ai.evaluation.score.value', value: score }]),
      ...(this.#carry === 'all' ? [attribute('gen_ai.evaluation.explanation', String(reasoning))] : []),
    ])
  }

  named(name: string, operation: string | undefined): void {
    this.#name = name
    if (operation !== undefined) this.attributes.push(attribute('gen_ai.operation.name', operation))
  }

  /** The span, with the members that OpenTelemetry's own exporter writes. */
  span(): JsonObject {
    const end = this.#end ?? this.start
    return {
      traceId: this.#ids.trace,
      spanId: this.#ids.of(this.#position),
      ...(this.#parent !== undefined && { parentSpanId: this.#parent }),
      name: this.#name,
      kind: this.kind,
      startTimeUnixNano: String(this.start),
      endTimeUnixNano: String(end < this.start ? this.start : end),
      attributes: this.attributes,
      droppedAttributesCount: 0,
      events: this.#events,
      droppedEventsCount: 0,
      status: { code: this.#isError ? ERROR : UNSET, ...(this.#message !== undefined && { message: this.#message }) },
      links: [],
      droppedLinksCount: 0,
      flags: 0x101,
    }
  }
}
