// Traces of OpenTelemetry at the Worker: from an unchanged exporter, in protobuf and JSON, plain and gzip.
import { gzipSync } from 'node:zlib'
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { beforeAll, describe, expect, test } from 'vitest'
import { validate } from '../../bindings/runs/verbs.ts'
import type { Runtime } from '../support/runtime.ts'
import { usageOf } from '../support/usage.mjs'
import { workersOf } from '../support/workers.ts'
import { checkContract } from './contract.ts'
import { clientOf } from './runs-client.ts'
import { bearer } from './tokens.ts'

const workers = workersOf()
let runtime: Runtime
const PROTOBUF = 'application/x-protobuf'

beforeAll(async () => {
  runtime = await workers.start()
})

/** The finished spans of one run: a tool call, and the agent around it. */
function spansOf(agent: string): ReadableSpan[] {
  const memory = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] })
  const tracer = provider.getTracer('tests')
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent }
  const root = tracer.startSpan(`invoke_agent ${agent}`, { kind: SpanKind.INTERNAL, attributes })
  const call = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', 'gen_ai.tool.call.id': 'c1' }
  tracer.startSpan('execute_tool search', { attributes: call }, trace.setSpan(ROOT_CONTEXT, root)).end()
  root.end()
  return memory.getFinishedSpans()
}

async function send(body: Uint8Array | string, type: string, holder: string, more: Record<string, string> = {}) {
  const { origin } = runtime
  const headers = { 'content-type': type, connection: 'close', ...bearer(origin, { scope: 'write', holder }), ...more }
  const response = await fetch(`${origin}/v1/traces`, { method: 'POST', headers, body: body as BodyInit })
  return checkContract('POST', `${origin}/v1/traces`, response)
}

const runsOf = async (holder: string) => {
  const { value } = await clientOf(() => runtime, holder).get('/runs')
  return value['runs'] as unknown as { run_id: string; agent_id: string; status: string }[]
}

describe('POST /v1/traces', () => {
  test('takes what the exporter of OpenTelemetry sends, as a complete and valid run', async () => {
    const url = `${runtime.origin}/v1/traces`
    const exporter = new OTLPTraceExporter({
      url,
      headers: { ...bearer(runtime.origin, { scope: 'write', holder: 'sdk' }) },
    })
    const { code } = await new Promise<{ code: number }>((done) => exporter.export(spansOf('scout'), done))
    expect(code).toBe(0)
    await exporter.shutdown()
    const [run] = await runsOf('sdk')
    expect(run).toMatchObject({ agent_id: 'scout', status: 'succeeded' })
    const { text } = await clientOf(() => runtime, 'sdk').get(`/runs/${run!.run_id}`)
    expect(validate(text).valid).toBe(true)
    expect(JSON.parse(text)).toMatchObject({
      tenant_id: 'sdk',
      steps: [{ action: { type: 'tool_call', name: 'search' } }],
    })
  })

  test.each([
    ['protobuf', PROTOBUF, false],
    ['gzip protobuf', PROTOBUF, true],
    ['JSON', 'application/json', false],
    ['gzip JSON', 'application/json', true],
  ])('takes %s, and answers in the same form', async (holder, type, isZipped) => {
    const spans = spansOf('scout')
    const serializer = type === PROTOBUF ? ProtobufTraceSerializer : JsonTraceSerializer
    const body = serializer.serializeRequest(spans)!
    const name = holder.replace(' ', '-').toLowerCase()
    const coding: Record<string, string> = isZipped ? { 'content-encoding': 'gzip' } : {}
    for (let i = 0; i < 2; i++) {
      const response = await send(isZipped ? gzipSync(body) : body, type, name, coding)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
      expect(await response.text()).toBe(type === PROTOBUF ? '' : '{}')
    }
    expect(await runsOf(name), 'repeated, it is the same run').toHaveLength(1)
  })

  test('keeps spans until the root of their trace has ended', async () => {
    const [call, root] = spansOf('slow') as [ReadableSpan, ReadableSpan]
    await send(ProtobufTraceSerializer.serializeRequest([call])!, PROTOBUF, 'batches')
    expect(await runsOf('batches')).toEqual([])
    await send(ProtobufTraceSerializer.serializeRequest([root])!, PROTOBUF, 'batches')
    const [run] = await runsOf('batches')
    const { text } = await clientOf(() => runtime, 'batches').get(`/runs/${run!.run_id}`)
    expect(JSON.parse(text).steps).toHaveLength(1)
  })

  test('refuses a gzip bomb, broken codings, nested protobuf, and other types', async () => {
    const zipped = { 'content-encoding': 'gzip' }
    const status = async (body: Uint8Array | string, type: string, more = {}) =>
      (await send(body, type, 'attacker', more)).status
    expect(await status(gzipSync(new Uint8Array(64 << 20)), PROTOBUF, zipped), '64 MiB of zeros in 64 KiB').toBe(413)
    expect(await status(gzipSync(gzipSync(new Uint8Array(1000))).subarray(0, 40), PROTOBUF, zipped)).toBe(400)
    expect(await status('not gzip', PROTOBUF, zipped)).toBe(400)
    expect(await status('x', PROTOBUF, { 'content-encoding': 'br' })).toBe(415)
    expect(await status('x', 'text/xml')).toBe(415)
    expect(await status(new Uint8Array(1 << 20).fill(0x0a), PROTOBUF)).toBe(400)
    expect(await status('[]', 'application/json')).toBe(400)
    expect(await status(`{"resourceSpans":${'['.repeat(100_000)}`, 'application/json')).toBe(400)
    expect(
      await status('{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"00"},null,7]}]}]}', 'application/json'),
    ).toBe(200)
    expect(await runsOf('attacker')).toEqual([])
  })

  /** OTLP/JSON by hand, of one resource. */
  const request = (spans: readonly object[], resource = 'x') =>
    JSON.stringify({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: resource } }] },
          scopeSpans: [{ scope: { name: 's' }, spans }],
        },
      ],
    })
  const json = (spans: readonly object[], holder: string, resource?: string) =>
    send(gzipSync(request(spans, resource)), 'application/json', holder, { 'content-encoding': 'gzip' })
  const ID = '0af7651916cd43dd8448eb211c80319c'

  test('a resource of 1 MB is kept once, whatever the number of spans that share it', async () => {
    const children = Array.from({ length: 9000 }, (_, i) => ({ traceId: ID, spanId: `${i + 2}`, parentSpanId: '1' }))
    const before = usageOf(runtime)
    const response = await json([{ traceId: ID, spanId: '1' }, ...children], 'shared', 'x'.repeat(990_000))
    expect(response.status).toBe(200)
    const after = usageOf(runtime)
    expect(after.memory - before.memory).toBeLessThan(512 * 1024)
    expect(after.cpu - before.cpu).toBeLessThan(10_000)
    expect((await json([{ traceId: ID, spanId: '1' }], 'alive')).status).toBe(200)
  })

  test('more than 100 roots, 10,000 spans, or 16 MiB are refused as a whole', async () => {
    const roots = Array.from({ length: 2000 }, (_, i) => ({ traceId: `${i}`, spanId: '1' }))
    const before = usageOf(runtime).cpu
    expect((await json(roots, 'many')).status).toBe(413)
    expect((await json(roots.slice(0, 50), 'many', 'x'.repeat(990_000))).status).toBe(413)
    const spans = Array.from({ length: 10_001 }, (_, i) => ({ traceId: ID, spanId: `${i}`, parentSpanId: 'a' }))
    expect((await json(spans, 'many')).status).toBe(413)
    expect(await runsOf('many')).toEqual([])
    expect(usageOf(runtime).cpu - before).toBeLessThan(5000)
    expect((await json(roots.slice(0, 100), 'many')).status).toBe(200)
    expect(await runsOf('many')).toHaveLength(100)
  })

  test('a root with 10,000 spans without parents makes no run, and the next trace makes one', async () => {
    const orphans = Array.from({ length: 9999 }, (_, i) => ({ traceId: ID, spanId: `${i + 2}`, parentSpanId: `b${i}` }))
    expect((await json([{ traceId: ID, spanId: '1' }, ...orphans], 'orphans')).status).toBe(413)
    expect(await runsOf('orphans')).toEqual([])
    expect((await json([{ traceId: ID, spanId: '1' }], 'orphans')).status).toBe(200)
    expect(await runsOf('orphans')).toHaveLength(1)
  })

  test('a trace whose waiting spans exceed 8 MiB is dropped when its root ends', async () => {
    expect((await json([{ traceId: ID, spanId: '1', name: 'é'.repeat(600_000) }], 'waits')).status).toBe(413)
    for (let i = 0; i < 9; i++)
      expect(
        (await json([{ traceId: ID, spanId: `${i}`, parentSpanId: 'a', name: 'x'.repeat(990_000) }], 'waits')).status,
      ).toBe(200)
    expect((await json([{ traceId: ID, spanId: 'a' }], 'waits')).status).toBe(413)
    expect((await json([{ traceId: ID, spanId: 'a' }], 'waits')).status).toBe(200)
    expect(await runsOf('waits')).toHaveLength(1)
  })
})
