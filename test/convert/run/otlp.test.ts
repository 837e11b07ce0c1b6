// Run records as traces of OpenTelemetry, and back.
import {
  type AttributeValue,
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  type TimeInput,
  trace,
} from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsFromOtlp } from '../../../bindings/convert/run/from-otlp.ts'
import { runToOtlp } from '../../../bindings/convert/run/to-otlp.ts'
import { validate } from '../../../bindings/runs/index.ts'
import { REVIEW } from '../../runs/records.ts'
import { RUNS } from './random-runs.ts'

type Json = Readonly<Record<string, unknown>>

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const id = (number: number) => number.toString(16).padStart(16, '0')
const SECOND = 1_767_225_600n

/** The value of an attribute, written by hand from the protocol's definition. */
function anyOf(value: unknown): Json {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyOf) } }
  const values = Object.entries(value as Json).map(([key, inner]) => ({ key, value: anyOf(inner) }))
  return { kvlistValue: { values } }
}

/** A span that starts after some seconds and takes one. */
function span(number: number, parent: number | undefined, attributes: Json, more: Json = {}): Json {
  const start = (SECOND + BigInt(number)) * 1_000_000_000n
  return {
    traceId: TRACE,
    spanId: id(number),
    ...(parent !== undefined && { parentSpanId: id(parent) }),
    name: `span ${number}`,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 1_000_000_000n),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: anyOf(value) })),
    ...more,
  }
}

const requestOf = (...spans: readonly unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
const agent = (more: Json = {}) =>
  span(1, undefined, { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'coach' }, more)
const call = (number: number, attributes: Json = {}, more: Json = {}) =>
  span(number, 1, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', ...attributes }, more)

// biome-ignore lint/suspicious/noExplicitAny: records have any shape.
const read = (...spans: readonly unknown[]): any => runsFromOtlp(requestOf(...spans)).runs[0]
const errorsOf = (run: Json) => validate(run).diagnostics.filter(({ severity }) => severity === 'error')
const textOf = (value: unknown) => JSON.stringify(value)

interface OurSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OurValue[]
  readonly events: readonly { name: string; timeUnixNano: string; attributes: readonly OurValue[] }[]
  readonly status: { code: number; message?: string }
}
type OurValue = { readonly key: string; readonly value: Json }

const spansOf = (text: string) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans as OurSpan[]

describe('a record that went through OTLP', () => {
  test('is the same record', () => {
    fc.assert(
      fc.property(RUNS, (run) => {
        const { text, loss } = runToOtlp(run, { carry: 'all' })
        expect(loss.filter(({ outcome }) => outcome === 'dropped' || outcome === 'changed')).toEqual([])
        expect(runsFromOtlp(JSON.parse(text)).runs).toEqual([run])
      }),
      { numRuns: 300 },
    )
  })

  test('carries the reasoning of a verdict only with all other content', () => {
    const explained = (carry: 'all' | 'public') =>
      runToOtlp(REVIEW, { carry }).text.includes('gen_ai.evaluation.explanation')
    expect([explained('all'), explained('public')]).toEqual([true, false])
  })

  test.each([[new TextEncoder().encode('{"steps": []}')], ['{"steps": []}'], [[]], [undefined]])(
    '%s is refused',
    (run) => {
      expect(() => runToOtlp(run as never)).toThrow(new TypeError('run: expected a run record as an object'))
    },
  )

  test('has no content unless it is asked for', () => {
    const shown = runToOtlp(REVIEW).text
    for (const { action, observation, reflection } of REVIEW.steps)
      for (const hidden of [action.input, observation.output, reflection?.thought])
        if (hidden !== undefined) expect(shown).not.toContain(textOf(textOf(hidden)).slice(1, -1))
    expect(shown).not.toContain(REVIEW.context.task_description)
    expect(shown).not.toContain(REVIEW.final_output.content)
    const dropped = runToOtlp(REVIEW).loss.filter(({ outcome }) => outcome === 'dropped')
    expect(dropped.map(({ pointer, count }) => `${pointer} ${count}`)).toContain(
      `/steps/*/action/input ${REVIEW.steps.length}`,
    )
  })

  test('keeps only what the conventions and we have names for, when nothing is carried', () => {
    const { text, loss } = runToOtlp({ ...REVIEW, 'example.own': 1 }, { carry: 'nothing' })
    expect(text).not.toContain('example.own')
    expect(loss).toContainEqual({
      pointer: '/example.own',
      outcome: 'dropped',
      detail: 'has no name in the format',
      count: 1,
    })
  })

  test('names the agent, also when it has the key of a workflow', () => {
    const { name, attributes } = spansOf(runToOtlp(REVIEW).text)[0]!
    const named = Object.fromEntries(attributes.map(({ key, value }) => [key, value['stringValue']]))
    expect(named['gen_ai.operation.name']).toBe('invoke_agent')
    expect(named['gen_ai.agent.name']).toBe(REVIEW.agent.agent_id)
    expect(named['gen_ai.agent.id']).toBeUndefined()
    expect(name).toBe(`invoke_agent ${REVIEW.agent.agent_id}`)
  })
})

describe('our OTLP', () => {
  const plain = ({ stringValue, intValue, doubleValue, arrayValue }: Json): AttributeValue => {
    const list = (arrayValue as { values: Json[] } | undefined)?.values
    return (list?.map((value) => value['stringValue']) ?? stringValue ?? intValue ?? doubleValue) as AttributeValue
  }
  const plainOf = (attributes: readonly OurValue[]) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]))
  const hr = (nanos: string): TimeInput => [
    Number(BigInt(nanos) / 1_000_000_000n),
    Number(BigInt(nanos) % 1_000_000_000n),
  ]

  /** The same spans, made and written by OpenTelemetry. */
  function byOpenTelemetry(text: string): Json {
    const spans = spansOf(text)
    let next = spans[0]!
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({
      idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
      resource: resourceFromAttributes({ 'service.name': plainOf(spans[0]!.attributes)['gen_ai.agent.name']! }),
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    })
    const tracer = provider.getTracer('blazon')
    for (next of spans) {
      const { traceId, parentSpanId: spanId, name, kind, attributes, events, status } = next
      const parent: SpanContext | undefined = spanId === undefined ? undefined : { traceId, spanId, traceFlags: 1 }
      const context: Context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
      const made = tracer.startSpan(
        name,
        { kind: kind - 1, startTime: hr(next.startTimeUnixNano), attributes: plainOf(attributes) },
        context,
      )
      for (const event of events) made.addEvent(event.name, plainOf(event.attributes), hr(event.timeUnixNano))
      made.setStatus(status)
      made.end(hr(next.endTimeUnixNano))
    }
    return JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans())))
  }

  test('equals what OpenTelemetry writes of the same spans', () => {
    fc.assert(
      fc.property(RUNS, (run) => {
        const { text } = runToOtlp(run, { carry: 'all' })
        // A status without an error has no message there; the order of events and attributes is the same.
        expect(JSON.parse(text)).toEqual(byOpenTelemetry(text))
      }),
      { numRuns: 100 },
    )
  })
})

describe('traces of others', () => {
  test('a span without a parent is a run, its descendants are steps', () => {
    const { runs, loss } = runsFromOtlp(
      requestOf(
        agent(),
        span(2, 1, { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 5 }),
        call(3, {
          'gen_ai.tool.call.id': 'c1',
          'gen_ai.tool.call.arguments': '{"q": 1}',
          'gen_ai.tool.call.result': 'found',
        }),
      ),
    )
    expect(runs).toHaveLength(1)
    expect(runs[0]).toMatchObject({
      run_id: `${TRACE}-${id(1)}`,
      tenant_id: 'local',
      agent: { agent_id: 'coach', aip: { cert_fingerprint: 'none' } },
      trace: { trace_id: TRACE, span_id: id(1) },
      status: 'succeeded',
      started_at: '2026-01-01T00:00:01.000Z',
      completed_at: '2026-01-01T00:00:04.000Z',
      steps: [
        { index: 0, action: { type: 'model_inference' }, metadata: { model: 'm', prompt_tokens: 5, latency_ms: 1000 } },
        {
          index: 1,
          action: { type: 'tool_call', name: 'search', input: { q: 1 } },
          observation: { type: 'tool_result', output: { value: 'found' } },
          metadata: { 'adp.call_id': 'c1' },
        },
      ],
    })
    expect(errorsOf(runs[0]!)).toEqual([])
    expect(loss.length).toBeGreaterThan(5)
    expect(loss).toContainEqual({
      target: '/agent/aip/cert_fingerprint',
      outcome: 'added',
      detail: 'none: every record needs it',
      count: 1,
    })
  })

  test.each([
    [
      'v1.36',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': 'openai',
        'gen_ai.usage.prompt_tokens': 5,
        'gen_ai.usage.completion_tokens': 7,
        'gen_ai.request.model': 'm',
      },
    ],
    [
      'v1.41',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.usage.input_tokens': 5,
        'gen_ai.usage.output_tokens': 7,
        'gen_ai.response.model': 'm',
      },
    ],
    [
      'OpenInference',
      {
        'openinference.span.kind': 'LLM',
        'llm.provider': 'openai',
        'llm.token_count.prompt': 5,
        'llm.token_count.completion': 7,
        'llm.model_name': 'm',
      },
    ],
  ])('names of %s', (_, attributes) => {
    expect(read(agent(), span(2, 1, attributes)).steps[0]).toMatchObject({
      action: { type: 'model_inference' },
      metadata: { model: 'm', provider: 'openai', prompt_tokens: 5, completion_tokens: 7 },
    })
  })

  test('tools and agents of OpenInference', () => {
    const run = read(
      span(1, undefined, {
        'openinference.span.kind': 'AGENT',
        'agent.name': 'coach',
        'input.value': 'plan',
        'session.id': 's',
      }),
      span(2, 1, {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'search',
        'input.value': '{"q": 1}',
        'output.value': 'x',
      }),
      span(3, 1, { 'openinference.span.kind': 'RETRIEVER' }),
    )
    expect(run).toMatchObject({ agent: { agent_id: 'coach' }, context: { task_description: 'plan', session_id: 's' } })
    expect(run.steps[0]).toMatchObject({
      action: { name: 'search', input: { q: 1 } },
      observation: { output: { value: 'x' } },
    })
    expect(run.steps[1]).toMatchObject({ action: { type: 'other' }, metadata: { action_subtype: 'retriever' } })
  })

  test('attributes are structures, or JSON in a string', () => {
    for (const args of [{ q: { a: [1] } }, '{"q": {"a": [1]}}'])
      expect(read(agent(), call(2, { 'gen_ai.tool.call.arguments': args })).steps[0].action.input).toEqual({
        q: { a: [1] },
      })
    for (const text of ['{"q": ', 'plain', '42'])
      expect(read(agent(), call(2, { 'gen_ai.tool.call.arguments': text })).steps[0].action.input).toEqual({
        value: text,
      })
  })

  test('a span that ends before it starts has no duration, and the account says so', () => {
    const { runs, loss } = runsFromOtlp(requestOf(agent(), call(2, {}, { endTimeUnixNano: '1' })))
    expect(errorsOf(runs[0]!)).toEqual([])
    expect(runs[0]).not.toHaveProperty('steps.0.metadata.latency_ms')
    expect(loss.find(({ outcome }) => outcome === 'changed')).toMatchObject({ detail: 'is before the start', count: 1 })
  })

  test('children stand after their parents, even if their clock is late', () => {
    const early = {
      startTimeUnixNano: String(SECOND * 1_000_000_000n),
      endTimeUnixNano: String(SECOND * 1_000_000_000n),
    }
    const run = read(span(3, 2, {}, early), call(2), agent())
    expect(run.steps.map(({ index, parent_step_index }: Json) => [index, parent_step_index])).toEqual([
      [0, undefined],
      [1, 0],
    ])
    expect(errorsOf(run)).toEqual([])
  })

  test.each([
    ['timeout', 'timeout', undefined],
    ['cancelled', 'cancelled', undefined],
    ['RateLimit', 'failed', { code: 'RateLimit', message: 'too many' }],
  ])('a run that ends with %s is %s', (type, status, error) => {
    const root = span(1, undefined, { 'error.type': type }, { status: { code: 2, message: 'too many' } })
    expect(read(root)).toMatchObject({ status, ...(error && { error }) })
  })

  test('the exception of a failed call is its error', () => {
    const event = {
      name: 'exception',
      attributes: [
        { key: 'exception.type', value: { stringValue: 'IO' } },
        { key: 'exception.message', value: { stringValue: 'no disk' } },
      ],
    }
    const { observation } = read(agent(), call(2, {}, { status: { code: 2 }, events: [event] })).steps[0]
    expect(observation).toEqual({ type: 'error', error: { code: 'IO', message: 'no disk' } })
  })

  test('a call without an agent around it is a run of one step', () => {
    const run = read(span(1, undefined, { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' }))
    expect(run.steps).toHaveLength(1)
    expect(errorsOf(run)).toEqual([])
  })

  test('a workflow is named like an agent since v0.1.0', () => {
    const run = read(span(1, undefined, { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.agent.name': 'nightly' }))
    expect(run.context.workflow_key).toBe('nightly')
  })

  test('the tenant is that of the caller, unless the trace names one', () => {
    const tenant = 'b1c9'
    expect(runsFromOtlp(requestOf(agent()), { tenant }).runs[0]!['tenant_id']).toBe(tenant)
    expect(
      runsFromOtlp(requestOf(span(1, undefined, { 'adp.tenant_id': 'own' })), { tenant }).runs[0]!['tenant_id'],
    ).toBe('own')
  })
})

describe('hostile traces', () => {
  test('spans that are each other’s parents are one run each', () => {
    const { runs } = runsFromOtlp(requestOf(span(1, 2, {}), span(2, 1, {}), span(3, 3, {})))
    expect(runs.map(({ steps }) => (steps as unknown[]).length)).toEqual([1, 0])
  })

  test('of two spans with the same ids, the first one counts', () => {
    const { runs, loss } = runsFromOtlp(requestOf(agent(), call(2), call(2, { 'gen_ai.tool.name': 'other' })))
    expect(runs[0]).toMatchObject({ steps: [{ action: { name: 'search' } }] })
    expect(loss.filter(({ outcome }) => outcome === 'dropped')).toMatchObject([
      { detail: 'has no ids, or those of an earlier span' },
    ])
  })

  test('a chain of 20,000 spans, and values of 5,000 levels', () => {
    let deep: Json = { stringValue: 'x' }
    for (let i = 0; i < 5_000; i++) deep = { arrayValue: { values: [deep] } }
    const attributes = [
      { key: 'gen_ai.tool.call.arguments', value: deep },
      { key: 'deep', value: { stringValue: '['.repeat(5_000) } },
    ]
    const chain = Array.from({ length: 20_000 }, (_, i) => span(i + 2, i + 1, {}))
    const { runs } = runsFromOtlp(requestOf(agent(), ...chain, call(30_000, {}, { attributes })))
    expect(runs[0]!['steps']).toHaveLength(20_001)
  })

  test('2,000 roots of one resource repeat at most 4 MiB of it, and the account has the others', () => {
    const spans = Array.from({ length: 2000 }, (_, i) => span(i + 1, undefined, {}))
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'x'.repeat(200_000) } }] }
    const scope = { name: 'y'.repeat(200_000) }
    const { runs, loss } = runsFromOtlp({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] })
    expect(runs).toHaveLength(2000)
    expect(runs.reduce((sum, run) => sum + textOf(run).length, 0)).toBeLessThan(6 << 20)
    const dropped = loss.find(
      ({ outcome, pointer }) => outcome === 'dropped' && pointer === '/resourceSpans/*/resource',
    )
    expect(dropped?.['count' as never]).toBeGreaterThan(1900)
    const small = { attributes: [{ key: 'host.name', value: { stringValue: 'a' } }] }
    const all = runsFromOtlp({ resourceSpans: [{ resource: small, scopeSpans: [{ spans }] }] }).runs
    expect(all.every((run) => textOf(run).includes('"otel.resource":{"host.name":"a"}'))).toBe(true)
  })

  test.each([
    null,
    [],
    { resourceSpans: 1 },
    { resourceSpans: [null, { scopeSpans: [null, { spans: [null, 1, {}, { traceId: 1, spanId: 2 }] }] }] },
    requestOf(
      agent({
        attributes: [null, { key: 1 }, { key: 'a', value: null }, { key: '__proto__', value: { stringValue: 'x' } }],
      }),
    ),
    requestOf(
      agent({ startTimeUnixNano: '99999999999999999999999', endTimeUnixNano: -5, status: 'x', events: 7, links: {} }),
    ),
    requestOf(
      span(1, undefined, {
        'adp.rest': '{"__proto__": {"a": 1}, "steps": 5, "agent": 7, "metadata": [1]}',
        'adp.run_id': '',
      }),
    ),
    requestOf(
      agent(),
      span(2, 1, { 'adp.rest': '{"action": 5, "observation": [], "metadata": "x"}', 'adp.action.type': 'nonsense' }),
    ),
  ])('%#: ends with records or without, and never throws', (request) => {
    const { runs } = runsFromOtlp(request)
    for (const run of runs) expect(() => validate(run)).not.toThrow()
    expect(({} as Json)['a']).toBeUndefined()
  })
})
