// A run record as spans of OpenTelemetry: the run is the root, each step is a span.

import { parse } from '../../document/parse.ts'
import { timeOf } from '../../schema/times.ts'
import { toHex } from '../../text/bytes.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { sha256 } from '../../wasm/sha256.ts'
import type { LossReport } from '../formats.ts'
import { type MutableObject, put } from '../json.ts'
import names from './otlp-names.json' with { type: 'json' }
import { Account, type Branch, branchOf, carriedTo, type Place, type PlacedRow, placed, spread } from './places.ts'

export interface RunExportOptions {
  /**
   * `public` (default): without inputs, outputs, thoughts and other content. `all`: with content. `nothing`: in addition,
   * without members that the format has no name for.
   */
  readonly carry?: 'public' | 'all' | 'nothing'
}

export declare namespace runToOtlp {
  interface Result {
    /** An ExportTraceServiceRequest as JSON. */
    readonly text: string
    readonly loss: LossReport
  }
}

export const SPANS = '/resourceSpans/*/scopeSpans/*/spans/*'
/** The attribute with everything that has no name, as JSON. */
export const REST = 'adp.rest'
/** The error type of an error without a code. */
export const OTHER = '_OTHER'
export const RUN_PLACES = placed(names.run as readonly Place[], '', SPANS, '/attributes')
export const STEP_PLACES = placed(names.step as readonly Place[], '/steps/*', SPANS, '/attributes')
const RUN_BRANCH = branchOf(RUN_PLACES, '')
const STEP_BRANCH = branchOf(STEP_PLACES, '/steps/*')
const [INTERNAL, CLIENT] = [1, 3]
const [UNSET, ERROR] = [0, 2]

/** The operation of each kind of step that the conventions name: the first of the table. */
export const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['failed_call', 'execute_tool'],
  ...Object.entries(names.operations)
    .map(([operation, kind]) => [kind, operation] as const)
    .toReversed(),
])

/** What the table calls a step: its type, with two more for failed calls and for work given to another agent. */
function kindOf(step: JsonObject): string {
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
 * JSON.parse(runToOtlp(record).text).resourceSpans[0].scopeSpans[0].spans.length // 1 + record.steps.length
 *
 * @throws {TypeError} for a record that is not a plain object. `convertRuns` reads text and bytes.
 */
export function runToOtlp(run: JsonObject, { carry = 'public' }: RunExportOptions = {}): runToOtlp.Result {
  // Bytes would count as a record with a member for each of them.
  if (!isObject(run) || ArrayBuffer.isView(run)) throw new TypeError('run: expected a run record as an object')
  const account = new Account()
  const { steps, version: _, ...head } = run
  account.note('kept', '/version', 'is the same in every record')
  const listed = (Array.isArray(steps) ? steps : []).filter(isObject)
  const ids = idsOf(run, listed)
  const name = textAt(run, 'agent', 'agent_id') ?? 'unknown'
  const resource = `{"attributes":[${attribute('service.name', name)}],"droppedAttributesCount":0}`
  const root = new SpanWriter(ids, 0, carry, account)
  root.fill(head, RUN_BRANCH, 'run')
  root.named(`invoke_agent ${name}`, 'invoke_agent')
  root.addText('gen_ai.agent.name', name)
  const spans = listed.map((step, i) => stepSpan(step, new SpanWriter(ids, i + 1, carry, account), root.start))
  account.note('added', '', 'OTLP requires a name of the service', '/resourceSpans/*/resource/attributes/service.name')
  const scope = `{"scope":{"name":"blazon"},"spans":[${[root.end(), ...spans].join(',')}]}`
  return { text: `{"resourceSpans":[{"resource":${resource},"scopeSpans":[${scope}]}]}`, loss: account.report }
}

const textAt = (of: JsonObject, part: string, name: string) => {
  const value = isObject(of[part]) ? of[part][name] : undefined
  return isText(value) && value !== '' ? value : undefined
}

function stepSpan(step: JsonObject, span: SpanWriter, start: bigint): string {
  const kind = kindOf(step)
  span.start = start
  span.fill(step, STEP_BRANCH, kind)
  const operation = OPERATIONS.get(kind)
  const model = textAt(step, 'metadata', 'model')
  const subject = kind === 'model_inference' ? model : (textAt(step, 'action', 'name') ?? model)
  const title = operation ?? textAt(step, 'metadata', 'action_subtype') ?? kind
  span.named(subject === undefined ? title : `${title} ${subject}`, operation)
  if (kind === 'model_inference') span.kind = CLIENT
  const verdict = isObject(step['observation']) ? step['observation']['output'] : undefined
  if (isObject(verdict) && verdict['version'] === 'pvs-1')
    span.judged(verdict, textAt(step, 'metadata', 'policy_engine'))
  return span.end()
}

/** The ids of the spans of a run: those of its trace, or made from its run id. */
function idsOf(run: JsonObject, steps: readonly JsonObject[]) {
  const digits = toHex(sha256(new TextEncoder().encode(String(run['run_id']))))
  const { trace_id, span_id, parent_span_id, ...more } = isObject(run['trace']) ? run['trace'] : {}
  const [own, root, above] = [idIn(trace_id, 32), idIn(span_id, 16), idIn(parent_span_id, 16)]
  const positions = new Map<unknown, number>(steps.map((step, i) => [step['index'], i + 1]))
  return {
    trace: own ?? digits.slice(0, 32),
    root: root ?? digits.slice(32, 48),
    above,
    /** True when the trace of the run says the same. */
    isExact: own !== undefined && root !== undefined && above === parent_span_id && Object.keys(more).length === 0,
    of: (position: number) => digits.slice(48, 56) + position.toString(16).padStart(8, '0'),
    positionOf: (index: unknown) => positions.get(index),
  }
}

const idIn = (value: unknown, digits: number) =>
  isText(value) && value.length === digits && /^[\da-f]+$/.test(value) && !/^0+$/.test(value) ? value : undefined

const HEADS = new Map<string, Record<string, string>>()

/** What stands before the value of an attribute; keys come from the table. */
function headOf(key: string, type: string): string {
  const known = HEADS.get(key)?.[type]
  if (known !== undefined) return known
  const head = `{"key":"${key}","value":{"${type}":`
  HEADS.set(key, { ...HEADS.get(key), [type]: head })
  return head
}

/** Builds one span. */
class SpanWriter {
  readonly #parts: string[] = ['{"attributes":[']
  kind = INTERNAL
  start = 0n
  #end: bigint | undefined
  #name = ''
  #parent: string | undefined
  #message: string | undefined
  #isError = false
  #isTimed = false
  #events = ''
  readonly #position: number
  readonly #ids: ReturnType<typeof idsOf>
  readonly #carry: string
  readonly #account: Account

  constructor(ids: ReturnType<typeof idsOf>, position: number, carry: string, account: Account) {
    this.#ids = ids
    this.#position = position
    this.#carry = carry
    this.#account = account
    this.#parent = position === 0 ? ids.above : ids.root
  }

  add(key: string, type: string, value: string): void {
    this.#parts.push(headOf(key, type), value, '}},')
  }

  addText(key: string, value: string): void {
    this.add(key, 'stringValue', JSON.stringify(value))
  }

  /** Writes all members of a run or step. */
  fill(value: JsonObject, branch: Branch, kind: string): void {
    // First the start: other times depend on it.
    const start = toNanos(value[kind === 'run' ? 'started_at' : 'timestamp'])
    this.#isTimed = start !== undefined
    this.start = start ?? this.start
    const target = this.#carry === 'nothing' ? undefined : `${SPANS}/attributes/${REST}`
    const write = (rows: readonly PlacedRow[], inner: unknown) => this.#write(rows, inner, value, kind)
    let rest = spread(value, branch, write, carriedTo(this.#account, target))
    if (kind === 'run' && !('trace' in value)) rest = { ...rest, trace: null }
    if (rest !== undefined && target !== undefined) this.addText(REST, JSON.stringify(rest))
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
      if (value !== undefined) this.add(row.to, typeIn(as, inner), value)
      else if (!this.#isExpressed(as, inner, whole)) continue
      this.#account.count(row.moved)
      return true
    }
    return false
  }

  /** Expresses what is not an attribute; true when reading gives the same back. */
  #isExpressed(form: string, value: unknown, whole: JsonObject): boolean {
    if (form === 'trace') return this.#ids.isExact
    if (form === 'start') return this.#isTimed && isExactTime(value, this.start)
    if (form === 'parent') return this.#setParent(value)
    if (form === 'end') return typeof value === 'number' ? this.#endAfter(value) : this.#endAt(value)
    return form === 'error' && isObject(value) && this.#fail(value, whole)
  }

  #setParent(index: unknown): boolean {
    const position = Number.isInteger(index) ? this.#ids.positionOf(index) : undefined
    if (position === undefined || position === this.#position) return false
    this.#parent = this.#ids.of(position)
    return true
  }

  #endAfter(milliseconds: number): boolean {
    const nanos = Math.round(milliseconds * 1e6)
    if (this.start === 0n || !(nanos > 0 && nanos <= Number.MAX_SAFE_INTEGER)) return false
    this.#end = this.start + BigInt(nanos)
    return nanos / 1e6 === milliseconds
  }

  #endAt(time: unknown): boolean {
    this.#end = toNanos(time)
    return this.#end !== undefined && this.#end >= this.start && isExactTime(time, this.#end)
  }

  #fail(error: JsonObject, { status }: JsonObject): boolean {
    if (status === 'succeeded') return false
    const { code, message, ...more } = error
    const type = isText(status) && status !== 'failed' ? status : isText(code) && code !== '' ? code : OTHER
    this.#isError = true
    this.#message = isText(message) ? message : undefined
    this.addText('error.type', type)
    this.#event('exception', attribute('exception.type', type), attribute('exception.message', this.#message ?? type))
    const isExact = type === code && type !== OTHER && isText(message) && message !== ''
    return isExact && (status === undefined || status === 'failed') && Object.keys(more).length === 0
  }

  #event(name: string, ...attributes: readonly string[]): void {
    const time = this.#end ?? this.start
    const comma = this.#events === '' ? '' : ','
    this.#events += `${comma}{"attributes":[${attributes}],"name":"${name}","timeUnixNano":"${time}","droppedAttributesCount":0}`
  }

  /** Adds the event of a verdict; its reasoning is content. */
  judged({ decision, confidence_score, reasoning }: JsonObject, engine = 'policy'): void {
    const score = encode('number', confidence_score)
    this.#event(
      'gen_ai.evaluation.result',
      attribute('gen_ai.evaluation.name', engine),
      attribute('gen_ai.evaluation.score.label', String(decision)),
      ...(score === undefined
        ? []
        : [keyed('gen_ai.evaluation.score.value', typeIn('number', confidence_score), score)]),
      ...(this.#carry === 'all' ? [attribute('gen_ai.evaluation.explanation', String(reasoning))] : []),
    )
  }

  named(name: string, operation: string | undefined): void {
    this.#name = name
    if (operation !== undefined) this.addText('gen_ai.operation.name', operation)
  }

  /** The span as JSON, with the members that OpenTelemetry's own exporter writes. */
  end(): string {
    const { trace, root, of } = this.#ids
    // Every span has attributes; no comma follows the last one.
    this.#parts[this.#parts.length - 1] = '}}'
    const id = this.#position === 0 ? root : of(this.#position)
    const parent = this.#parent === undefined ? '' : `"parentSpanId":"${this.#parent}",`
    const end = this.#end === undefined || this.#end < this.start ? this.start : this.#end
    const message = this.#message === undefined ? '' : `,"message":${JSON.stringify(this.#message)}`
    this.#parts.push(`],"traceId":"${trace}","spanId":"${id}",${parent}"name":${JSON.stringify(this.#name)},"kind":${this.kind},\
"startTimeUnixNano":"${this.start}","endTimeUnixNano":"${end}","droppedAttributesCount":0,"events":[${this.#events}],\
"droppedEventsCount":0,"status":{"code":${this.#isError ? ERROR : UNSET}${message}},"links":[],"droppedLinksCount":0,"flags":257}`)
    // Joining the pieces of each span by itself keeps them young: the collector never copies them.
    return this.#parts.join('')
  }
}

// Values, times and ids of OTLP/JSON.

/** A value of an attribute. */
export type AnyValue = JsonObject

/** The nesting of values that is read; deeper ones are empty. */
const MOST_DEPTH = 60

const json = JSON.stringify
const text = (value: string) => `{"stringValue":${json(value)}}`
const messages = (role: string, content: string, more: object = {}) =>
  json(json([{ role, parts: [{ type: 'text', content }], ...more }]))

/** The value in one of the forms of the table, as JSON; undefined when it does not have that form. */
function encode(form: string, value: unknown): string | undefined {
  if (form === 'text') return isText(value) && value !== '' ? json(value) : undefined
  if (form === 'json') return isObject(value) ? json(json(value)) : undefined
  if (form === 'number') return typeof value === 'number' && value >= 0 ? String(value) : undefined
  if (form === 'texts') return isTexts(value) ? `{"values":[${value.map(text)}]}` : undefined
  if (form === 'messages') return isMessages(value) ? json(json(value['messages'])) : undefined
  if (!isText(value) || value === '') return undefined
  if (form === 'user') return messages('user', value)
  return form === 'assistant' ? messages('assistant', value, { finish_reason: 'stop' }) : undefined
}

/** The member of OTLP for a value that `encode` wrote. */
function typeIn(form: string, value: unknown): string {
  if (form === 'number') return Number.isSafeInteger(value) ? 'intValue' : 'doubleValue'
  return form === 'texts' ? 'arrayValue' : 'stringValue'
}

/** A key, which needs no escapes, and its value, as JSON. */
const keyed = (key: string, type: string, value: string) => `{"key":"${key}","value":{"${type}":${value}}}`
const attribute = (key: string, value: string) => keyed(key, 'stringValue', json(value))

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)
const isMessages = (value: unknown): value is JsonObject =>
  isObject(value) && Object.keys(value).length === 1 && Array.isArray(value['messages'])

/** Reads a value in one of the forms of the table; undefined when it does not have that form. */
export function decode(form: string, any: AnyValue): unknown {
  const value = plain(any)
  if (form === 'text') return value === '' || typeof value === 'object' ? undefined : String(value)
  if (form === 'number') return typeof value === 'number' && value >= 0 ? value : undefined
  const read = inText(value)
  if (form === 'json') return isObject(read) ? read : { value: read }
  if (form === 'texts') return isTexts(read) ? read : undefined
  if (form === 'messages') return Array.isArray(read) ? { messages: read } : undefined
  return Array.isArray(read) ? messageText(read, form) : isText(read) ? read : undefined
}

/** The first text of a role. */
function messageText(list: readonly unknown[], role: string): string | undefined {
  for (const message of list) {
    if (!isObject(message) || member(message, 'role') !== role || !Array.isArray(message['parts'])) continue
    const part = message['parts'].find((part) => isObject(part) && isText(part['content']))
    if (part !== undefined) return part['content']
  }
  return undefined
}

/** The value of a JSON text: attributes hold structures as JSON where the exporter does not support them. */
export function inText(value: unknown): unknown {
  return isText(value) && /^\s*[[{"]/.test(value)
    ? (parse(value, { maxDepth: MOST_DEPTH }).document?.value ?? value)
    : value
}

/** The plain value of an attribute; null for an empty or unknown one. */
export function plain(any: unknown, depth = 0): unknown {
  if (!isObject(any) || depth > MOST_DEPTH) return null
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = any
  if (isText(stringValue) || isText(bytesValue)) return stringValue ?? bytesValue
  if (typeof boolValue === 'boolean') return boolValue
  // 64-bit integers are texts in JSON; one that a double cannot hold stays a text.
  if (intValue !== undefined) return Number.isSafeInteger(Number(intValue)) ? Number(intValue) : String(intValue)
  if (doubleValue !== undefined) return typeof doubleValue === 'number' ? doubleValue : String(doubleValue)
  if (isObject(arrayValue)) return listIn(arrayValue, 'values').map((value) => plain(value, depth + 1))
  if (!isObject(kvlistValue)) return null
  const object: MutableObject = {}
  for (const [key, value] of attributesOf(kvlistValue, 'values')) put(object, key, plain(value, depth + 1))
  return object
}

/** A list that may be missing. */
export function listIn(of: unknown, name: string): readonly unknown[] {
  const value = isObject(of) ? member(of, name) : undefined
  return Array.isArray(value) ? value : []
}

/** A list of keys and values; of two with one key, the last counts. */
export function attributesOf(of: unknown, name = 'attributes'): Map<string, AnyValue> {
  const found = new Map<string, AnyValue>()
  for (const entry of listIn(of, name))
    if (isObject(entry) && isText(entry['key']) && isObject(entry['value'])) found.set(entry['key'], entry['value'])
  return found
}

/** Nanoseconds since 1970; undefined for a time that is not a moment since then. */
function toNanos(time: unknown): bigint | undefined {
  const at = isText(time) ? timeOf(time) : undefined
  if (at === undefined || at < 0) return undefined
  const below = /\.\d{3}(\d{1,6})/.exec(time as string)?.[1] ?? ''
  return BigInt(at) * 1_000_000n + BigInt(below.padEnd(6, '0'))
}

/** The time of nanoseconds since 1970, with as many digits as it needs. */
export function fromNanos(nanos: bigint): string {
  const [time, below] = [new Date(Number(nanos / 1_000_000n)).toISOString(), nanos % 1_000_000n]
  return below === 0n
    ? time
    : time.replace(
        'Z',
        `${String(below)
          .padStart(6, '0')
          .replace(/0{1,5}$/, '')}Z`,
      )
}

const WITH_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z$/

/** True when `fromNanos` gives exactly this valid time. */
const isExactTime = (time: unknown, nanos: bigint) =>
  isText(time) && (WITH_MILLISECONDS.test(time) || fromNanos(nanos) === time)

/** Reads nanoseconds, a text or a number; undefined for anything else, for 0, and after the year 9999. */
export function nanosOf(value: unknown): bigint | undefined {
  const digits = String(value)
  const nanos = /^\d{1,21}$/.test(digits) ? BigInt(digits) : 0n
  return nanos > 0n && nanos < 253_402_300_800_000_000_000n ? nanos : undefined
}
