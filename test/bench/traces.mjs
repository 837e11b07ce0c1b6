// A run record with 10,000 steps as OTLP/JSON, with the account of every member, against OpenTelemetry's SDK and transformer.
import { isDeepStrictEqual } from 'node:util'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { runToOtlp } from 'blazon/convert'

export const title = 'Runs as traces'

export const notes = [
  'The peer maps the same members by hand and keeps no account. Its spans are made by the SDK, without a processor that' +
    ' copies them, and written by the transformer. Both write the same spans with all content.',
  'The collector of garbage takes a fifth of the time, and decides from run to run: the fastest rounds give 1.56x.',
]

const STEPS = 10_000
const [INTERNAL, CLIENT] = [0, 2]

function makeRecord() {
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    index,
    timestamp: new Date(1_767_225_600_000 + index * 50).toISOString(),
    action: {
      type: index % 3 === 0 ? 'model_inference' : 'tool_call',
      name: `tool-${index % 17}`,
      input: { path: `/src/file-${index}.ts`, limit: index },
    },
    observation: { type: 'tool_result', output: { content: `// line ${index}\nexport {}`, size: index * 3 } },
    reflection: { thought: `The file ${index} has nothing to fix.`, uncertainty: 0.25 },
    metadata: { model: 'gpt-5', prompt_tokens: 100 + index, completion_tokens: 20, latency_ms: 12 },
  }))
  return {
    version: 'adp-1',
    run_id: 'e7e5c9a4-1c6f-4e4e-9a9a-52f9f0d7e0f1',
    tenant_id: 'acme',
    trace: { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' },
    agent: { agent_id: 'reviewer', aip: { cert_fingerprint: 'none' } },
    steps,
    status: 'succeeded',
    started_at: '2026-01-01T00:00:00.000Z',
    completed_at: '2026-01-01T00:10:00.000Z',
  }
}

/** Milliseconds as the SDK takes exact times: seconds and nanoseconds. */
const hr = (ms) => [Math.floor(ms / 1000), (ms % 1000) * 1e6]

function attributesOf({ index, action, observation, reflection, metadata }) {
  const isCall = action.type === 'tool_call'
  return {
    'adp.step.index': index,
    'adp.action.type': action.type,
    [isCall ? 'gen_ai.tool.name' : 'adp.action.name']: action.name,
    [isCall ? 'gen_ai.tool.call.arguments' : 'adp.action.input']: JSON.stringify(action.input),
    'adp.observation.type': observation.type,
    [isCall ? 'gen_ai.tool.call.result' : 'adp.observation.output']: JSON.stringify(observation.output),
    'adp.reflection.thought': reflection.thought,
    'adp.reflection.uncertainty': reflection.uncertainty,
    'gen_ai.request.model': metadata.model,
    'gen_ai.usage.input_tokens': metadata.prompt_tokens,
    'gen_ai.usage.output_tokens': metadata.completion_tokens,
    'gen_ai.operation.name': isCall ? 'execute_tool' : 'chat',
  }
}

function byOpenTelemetry(run, high) {
  const ids = { next: run.trace.span_id }
  const provider = new BasicTracerProvider({
    idGenerator: { generateTraceId: () => run.trace.trace_id, generateSpanId: () => ids.next },
    resource: resourceFromAttributes({ 'service.name': run.agent.agent_id }),
  })
  const tracer = provider.getTracer('blazon')
  const root = tracer.startSpan(`invoke_agent ${run.agent.agent_id}`, {
    kind: INTERNAL,
    startTime: hr(Date.parse(run.started_at)),
    attributes: {
      'adp.run_id': run.run_id,
      'adp.tenant_id': run.tenant_id,
      'adp.agent_id': run.agent.agent_id,
      'adp.aip.cert_fingerprint': run.agent.aip.cert_fingerprint,
      'adp.status': run.status,
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': run.agent.agent_id,
    },
  })
  const context = trace.setSpan(ROOT_CONTEXT, root)
  const spans = run.steps.map((step) => {
    ids.next = high + (step.index + 1).toString(16).padStart(8, '0')
    const isCall = step.action.type === 'tool_call'
    const start = Date.parse(step.timestamp)
    const span = tracer.startSpan(
      isCall ? `execute_tool ${step.action.name}` : `chat ${step.metadata.model}`,
      { kind: isCall ? INTERNAL : CLIENT, startTime: hr(start), attributes: attributesOf(step) },
      context,
    )
    span.end(hr(start + step.metadata.latency_ms))
    return span
  })
  root.end(hr(Date.parse(run.completed_at)))
  return JsonTraceSerializer.serializeRequest([root, ...spans])
}

export function cases() {
  const run = makeRecord()
  const encoder = new TextEncoder()
  const ours = () => {
    const { text, loss } = runToOtlp(run, { carry: 'all' })
    if (loss.length === 0) throw new Error('no account')
    return encoder.encode(text)
  }
  const read = (bytes) => JSON.parse(new TextDecoder().decode(bytes))
  const high = read(ours()).resourceSpans[0].scopeSpans[0].spans[1].spanId.slice(0, 8)
  return [
    {
      name: `${STEPS} steps to OTLP/JSON, with the account`,
      ours,
      peers: { 'OpenTelemetry SDK, transformer': () => byOpenTelemetry(run, high) },
      check() {
        if (!isDeepStrictEqual(read(ours()), read(byOpenTelemetry(run, high)))) throw new Error('not the same trace')
      },
      floor: 1.5,
      aim: 2.5,
    },
  ]
}
