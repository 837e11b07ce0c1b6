// Traces of OpenTelemetry as run records: spans by the conventions for generative AI, by OpenInference, or of `runToOtlp`.
import { isObject, isText, type JsonObject } from '../../text/members.ts'
import type { LossReport } from '../formats.ts'
import { child, type MutableObject, put } from '../json.ts'
import names from './otlp-names.json' with { type: 'json' }
import { Account, fillAt, hasAt, type PlacedRow } from './places.ts'
import {
  type AnyValue,
  attributesOf,
  decode,
  fromNanos,
  inText,
  listIn,
  nanosOf,
  OPERATIONS,
  OTHER,
  plain,
  REST,
  RUN_PLACES,
  SPANS,
  STEP_PLACES,
} from './to-otlp.ts'

export declare namespace runsFromOtlp {
  interface Result {
    /** One record for each span without a parent among the others. */
    readonly runs: readonly JsonObject[]
    readonly loss: LossReport
  }

  interface Options {
    /** The tenant of runs that do not name one. Default: `local`. */
    readonly tenant?: string
  }
}

/**
 * Reads an ExportTraceServiceRequest in its JSON form. A run is a span without a parent in the request, and its steps are
 * the spans below it. Names come from the conventions v0.1.0 back to v1.36, and from OpenInference.
 *
 * @example
 * runsFromOtlp(JSON.parse(body)).runs.length // the number of root spans
 */
export function runsFromOtlp(request: unknown, { tenant = 'local' }: runsFromOtlp.Options = {}): runsFromOtlp.Result {
  const account = new Account()
  const resources = new Resources()
  const runs = treesOf(spansIn(request, account)).map((tree) => new TraceReader(tree, account, resources).run(tenant))
  return { runs, loss: account.report }
}

const textIn = (attributes: ReadonlyMap<string, AnyValue>, ...keys: readonly string[]) =>
  keys.map((key) => plain(attributes.get(key))).find((value) => isText(value) && value !== '') as string | undefined

const operationIn = ({ attributes }: Span) => textIn(attributes, 'gen_ai.operation.name', 'openinference.span.kind')

/** What the table of operations calls a span. */
function kindOf(span: Span): string {
  const operation = operationIn(span) ?? ''
  const operations: Readonly<Record<string, string>> = names.operations
  const named = Object.hasOwn(operations, operation) ? operations[operation]! : 'other'
  const type = named === 'other' ? (textIn(span.attributes, 'adp.action.type') ?? named) : named
  return type === 'tool_call' && isFailed(span) ? 'failed_call' : type
}

const isFailed = ({ value: { status } }: Span) =>
  isObject(status) && (status['code'] === 2 || status['code'] === 'STATUS_CODE_ERROR')

/** The most characters of resources that are repeated: one resource may stand for many runs. */
const MOST_REPEATED = 4 << 20

const MOST_NAME = 1000

/** A name that stands once for many runs. */
const sharedName = (name: unknown) => (isText(name) && name !== '' && name.length <= MOST_NAME ? name : undefined)

/** The resources of runs, each read once. */
class Resources {
  readonly #known = new Map<Span['resource'], { readonly value: JsonObject; readonly size: number }>()
  #left = MOST_REPEATED

  /** The plain members of a resource; undefined when it would be repeated too often. */
  take(resource: Span['resource']): JsonObject | undefined {
    const known = this.#known.get(resource)
    if (known !== undefined) {
      this.#left -= known.size
      return this.#left < 0 ? undefined : known.value
    }
    const value = plainOf(resource)
    this.#known.set(resource, { value, size: JSON.stringify(value).length })
    return value
  }
}

/** Reads the tree of spans of one run. */
class TraceReader {
  readonly #tree: readonly Span[]
  readonly #root: Span
  readonly #account: Account
  readonly #resources: Resources
  readonly #indices = new Map<string, unknown>()

  constructor(tree: readonly Span[], account: Account, resources: Resources) {
    this.#tree = tree
    this.#root = tree[0]!
    this.#account = account
    this.#resources = resources
  }

  run(tenant: string): JsonObject {
    const root = this.#root
    // A call without an agent around it is a run of one step.
    const isStep = /_call$|inference/.test(kindOf(root))
    const spans = inOrder(this.#tree).filter((span) => span !== root || isStep)
    const agent = this.#agentName()
    for (const [i, { id, attributes }] of spans.entries()) {
      const index = attributes.get('adp.step.index')
      this.#indices.set(id, index === undefined ? i : plain(index))
    }
    const steps = spans.map((span, i) => this.#step(span, i))
    const run = this.#restOf(root, { version: 'adp-1' })
    const isOwn = root.attributes.has('adp.run_id')
    this.#nameOf(root, run, isOwn)
    const error = isFailed(root) ? this.#error(root, isOwn) : undefined
    if (!isStep) this.#readPlaces(root, run, RUN_PLACES, 'run', '/metadata')
    this.#complete(run, error, agent, isOwn)
    this.#require(run, tenant)
    return { ...run, steps }
  }

  /** Since v0.1.0, a workflow is named like an agent. */
  #nameOf({ attributes, resource }: Span, run: MutableObject, isOwn: boolean): void {
    const operation = textIn(attributes, 'gen_ai.operation.name')
    if (operation === 'invoke_workflow' && !isOwn)
      fillAt(run, ['context', 'workflow_key'], textIn(attributes, 'gen_ai.workflow.name', 'gen_ai.agent.name'))
    if (isOwn || operation === 'invoke_agent') attributes.delete('gen_ai.operation.name')
    if (isOwn) attributes.delete('gen_ai.agent.name')
    else if (resource.size > 0) {
      const taken = this.#resources.take(resource)
      if (taken === undefined) {
        this.#account.note('dropped', '/resourceSpans/*/resource', `repeated: more than ${MOST_REPEATED} characters`)
        return
      }
      child(run, 'metadata')['otel.resource'] = taken
    }
    const outcome = isOwn ? 'kept' : 'renamed'
    this.#account.note(outcome, '/resourceSpans/*/resource', 'carried along', '/metadata/otel.resource')
  }

  /** Sets what does not stand in an attribute. */
  #complete(run: MutableObject, error: JsonObject | undefined, agent: string | undefined, isOwn: boolean): void {
    const root = this.#root
    const end = isOwn ? root.end : this.#tree.reduce((last, span) => (span.end > last ? span.end : last), root.end)
    fillAt(run, ['run_id'], `${root.trace}-${root.id}`)
    fillAt(run, ['agent', 'agent_id'], agent)
    if (!isOwn) fillAt(run, ['agent', 'framework'], sharedName(root.scope))
    fillAt(run, ['started_at'], fromNanos(root.start))
    fillAt(run, ['completed_at'], fromNanos(end))
    const { trace, id, parent } = root
    fillAt(run, ['trace'], { trace_id: trace, span_id: id, ...(parent !== undefined && { parent_span_id: parent }) })
    if (run['trace'] === null) delete run['trace']
    const type = String(error?.['code'])
    fillAt(run, ['status'], error === undefined ? 'succeeded' : /^(?:timeout|cancelled)$/.test(type) ? type : 'failed')
    if (run['status'] === 'failed' && error !== undefined && hasMembers(error)) fillAt(run, ['error'], error)
  }

  /** Adds what every record needs. */
  #require(run: MutableObject, tenant: string): void {
    const needed = { '/agent/agent_id': 'unknown', '/tenant_id': tenant, '/agent/aip/cert_fingerprint': 'none' }
    for (const [pointer, value] of Object.entries(needed))
      if (fillAt(run, pointer.slice(1).split('/'), value))
        this.#account.note('added', '', `${value}: every record needs it`, pointer)
  }

  /** The agent that the root names, or the first one below it, or the service. */
  #agentName(): string | undefined {
    for (const { attributes } of this.#tree) {
      const name = textIn(attributes, 'gen_ai.agent.id', 'gen_ai.agent.name', 'agent.name')
      if (name !== undefined) return name
    }
    const service = sharedName(textIn(this.#root.resource, 'service.name'))
    // What OpenTelemetry calls a service without a name.
    return service?.startsWith('unknown_service') ? String(this.#root.value['name']) : service
  }

  #step(span: Span, position: number): JsonObject {
    const kind = kindOf(span)
    const isOwn = span.attributes.has('adp.action.type')
    const operation = operationIn(span)
    const step = this.#restOf(span, {})
    if (operation !== undefined && operation === OPERATIONS.get(kind)) span.attributes.delete('gen_ai.operation.name')
    const error = isFailed(span) ? this.#error(span, isOwn) : undefined
    this.#readPlaces(span, step, STEP_PLACES, kind, '/steps/*/metadata')
    fillAt(step, ['index'], position)
    fillAt(step, ['timestamp'], fromNanos(span.start))
    if (span.end > span.start) fillAt(step, ['metadata', 'latency_ms'], Number(span.end - span.start) / 1e6)
    if (span.parent !== this.#root.id) fillAt(step, ['parent_step_index'], this.#indices.get(span.parent!))
    const type = kind === 'failed_call' ? 'tool_call' : kind === 'delegate' ? 'other' : kind
    fillAt(step, ['action', 'type'], type)
    if (type === 'other' && !isOwn)
      fillAt(
        step,
        ['metadata', 'action_subtype'],
        kind === 'delegate' ? kind : (operation?.toLowerCase() ?? String(span.value['name'])),
      )
    const hasOutput = hasAt(step, ['observation', 'output'])
    const observed = error !== undefined ? 'error' : hasOutput || kind === 'tool_call' ? 'tool_result' : 'none'
    fillAt(step, ['observation', 'type'], observed)
    if (error !== undefined && hasMembers(error)) fillAt(step, ['observation', 'error'], error)
    const events = listIn(span.value, 'events').filter(isObject)
    if (events.length > 0 && !isOwn)
      child(step, 'metadata')['otel.events'] = events.map((event) => ({
        name: event['name'],
        attributes: plainOf(attributesOf(event)),
      }))
    return step
  }

  /** The error of a failed span: its type, and the message of its status or exception. */
  #error({ attributes, value }: Span, isOwn: boolean): JsonObject {
    const exception = listIn(value, 'events').find((event) => isObject(event) && event['name'] === 'exception')
    const thrown = attributesOf(exception)
    const code = textIn(attributes, 'error.type') ?? textIn(thrown, 'exception.type')
    const { message } = value['status'] as JsonObject
    const shown =
      isText(message) && message !== '' ? message : code === OTHER ? undefined : textIn(thrown, 'exception.message')
    attributes.delete('error.type')
    const isKnown = code !== undefined && code !== OTHER
    return { ...(isKnown ? { code } : isOwn ? {} : { code: OTHER }), ...(shown !== undefined && { message: shown }) }
  }

  /** What `runToOtlp` had no name for. */
  #restOf({ attributes }: Span, start: MutableObject): MutableObject {
    const rest = inText(plain(attributes.get(REST)))
    if (!isObject(rest)) return start
    attributes.delete(REST)
    this.#account.note('renamed', `${SPANS}/attributes/${REST}`, 'each member at its own place')
    return { ...start, ...structuredClone(rest) }
  }

  /** Moves attributes to their places; keeps the others in the metadata. */
  #readPlaces(
    { attributes }: Span,
    into: MutableObject,
    rows: readonly PlacedRow[],
    kind: string,
    metadata: string,
  ): void {
    for (const { when, to, also = [], as = 'text', path, moved } of rows) {
      if (when !== undefined && !when.includes(kind)) continue
      for (const name of [to, ...also]) {
        const any = attributes.get(name)
        const value = any && decode(as, any)
        if (value === undefined || !fillAt(into, path, value)) continue
        attributes.delete(name)
        this.#account.note('renamed', `${SPANS}/attributes/${name}`, 'under its name', moved.pointer!)
      }
    }
    for (const name of attributes.keys())
      this.#account.note('renamed', `${SPANS}/attributes/${name}`, 'carried along', `${metadata}/otel.attributes`)
    if (attributes.size > 0) child(into, 'metadata')['otel.attributes'] = plainOf(attributes)
  }
}

const hasMembers = (object: JsonObject) => Object.keys(object).length > 0

function plainOf(attributes: ReadonlyMap<string, AnyValue>): JsonObject {
  const object: MutableObject = {}
  for (const [name, any] of attributes) put(object, name, plain(any))
  return object
}

// The spans of a trace, and the order in which they become steps.

interface Span {
  readonly value: JsonObject
  /** Its position in the request. */
  readonly order: number
  readonly trace: string
  readonly id: string
  readonly parent: string | undefined
  readonly start: bigint
  readonly end: bigint
  /** Attributes without a place so far. */
  readonly attributes: Map<string, AnyValue>
  readonly resource: ReadonlyMap<string, AnyValue>
  readonly scope: unknown
  readonly children: Span[]
}

/** The spans of a request, each with those directly below it. */
function spansIn(request: unknown, account: Account): readonly Span[] {
  const found = new Map<string, Span>()
  for (const group of listIn(request, 'resourceSpans')) {
    const resource = attributesOf(isObject(group) ? group['resource'] : undefined)
    for (const of of listIn(group, 'scopeSpans')) {
      const scope = isObject(of) && isObject(of['scope']) ? of['scope']['name'] : undefined
      for (const value of listIn(of, 'spans')) {
        const span = readSpan(value, found.size, { resource, scope }, account)
        const key = span && `${span.trace} ${span.id}`
        if (key === undefined || found.has(key))
          account.note('dropped', SPANS, 'has no ids, or those of an earlier span')
        else found.set(key, span!)
      }
    }
  }
  for (const span of found.values()) found.get(`${span.trace} ${span.parent}`)?.children.push(span)
  return [...found.values()]
}

function readSpan(
  value: unknown,
  order: number,
  around: Pick<Span, 'resource' | 'scope'>,
  account: Account,
): Span | undefined {
  if (!isObject(value) || !isText(value['traceId']) || !isText(value['spanId'])) return undefined
  const { traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano } = value
  const start = nanosOf(startTimeUnixNano) ?? nanosOf(endTimeUnixNano) ?? 0n
  const end = nanosOf(endTimeUnixNano) ?? start
  if (end < start) account.note('changed', `${SPANS}/endTimeUnixNano`, 'is before the start')
  for (const name of Object.keys(value)) {
    const target = (names.members as Readonly<Record<string, string>>)[name]
    if (target !== undefined) account.note('renamed', `${SPANS}/${name}`, 'in another form', target)
    else if (name !== 'attributes') account.note('dropped', `${SPANS}/${name}`, 'has no member')
  }
  const parent = isText(parentSpanId) && !/^0*$/.test(parentSpanId) ? parentSpanId.toLowerCase() : undefined
  const ids = { trace: traceId.toLowerCase(), id: spanId.toLowerCase(), parent }
  const attributes = attributesOf(value)
  return { value, order, ...around, ...ids, start, end: end < start ? start : end, attributes, children: [] }
}

/**
 * The trees of spans, parents first: one for each span without a parent, and one for each circle of spans that are each
 * other's parents.
 */
function treesOf(spans: readonly Span[]): readonly (readonly Span[])[] {
  const below = new Set(spans.flatMap(({ children }) => children))
  const seen = new Set<Span>()
  const tree = (root: Span): readonly Span[] => {
    if (seen.has(root)) return []
    const found = new Set([root])
    // A set yields what is added while it is read.
    for (const span of found) for (const inner of span.children) if (!seen.has(inner)) found.add(inner)
    for (const span of found) seen.add(span)
    return [...found]
  }
  const roots = spans.filter((span) => !below.has(span))
  return [...roots, ...spans].map(tree).filter(({ length }) => length > 0)
}

/** The order of steps: that of the record they came from, or by time, but never before their parents. */
function inOrder(tree: readonly Span[]): readonly Span[] {
  if (tree.slice(1).every(({ attributes }) => attributes.has('adp.step.index')))
    return [...tree].sort((a, b) => a.order - b.order)
  const times = new Map<Span, bigint>()
  for (const span of tree) {
    const own = times.get(span) ?? span.start
    times.set(span, own)
    for (const inner of span.children) times.set(inner, inner.start > own ? inner.start : own)
  }
  return [...tree].sort((a, b) => Number(times.get(a)! - times.get(b)!))
}
