// A graph of LangGraph with a scripted model, traced by OpenInference, becomes a record.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain'
import * as callbacks from '@langchain/core/callbacks/manager'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { tool } from '@langchain/core/tools'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect, test } from 'vitest'
import { runsFromOtlp } from '../../../bindings/convert/run/from-otlp.ts'
import { validate } from '../../../bindings/runs/index.ts'

type Json = Readonly<Record<string, unknown>>

/** Gives one message after the other. */
class Scripted extends BaseChatModel {
  readonly #messages: AIMessage[]
  constructor(messages: readonly AIMessage[]) {
    super({})
    this.#messages = [...messages]
  }
  _llmType() {
    return 'scripted'
  }
  async _generate(): Promise<ChatResult> {
    const message = this.#messages.shift()!
    return { generations: [{ text: String(message.content), message }] }
  }
}

/** Runs a graph that calls a tool twice, the second time in vain, and then answers; returns its spans as OTLP/JSON. */
async function traced(): Promise<unknown> {
  const spans = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  new LangChainInstrumentation({ tracerProvider }).manuallyInstrument(callbacks)
  const divide = tool(
    ({ by }: { by: number }) => {
      if (by === 0) throw new RangeError('division by zero')
      return String(10 / by)
    },
    { name: 'divide', description: 'Divides ten', schema: { type: 'object', properties: { by: { type: 'number' } } } },
  )
  const called = (by: number) => ({ id: `call_${by}`, name: 'divide', args: { by } })
  const model = new Scripted([
    Object.assign(new AIMessage({ content: '', tool_calls: [called(2), called(0)] }), {
      usage_metadata: { input_tokens: 10, output_tokens: 4, total_tokens: 14 },
    }),
    new AIMessage('It is 5.'),
  ])
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode([divide]))
    .addEdge(START, 'agent')
    .addEdge('tools', 'agent')
    .addConditionalEdges('agent', ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END))
    .compile({ name: 'divider' })
  await graph.invoke({ messages: [new HumanMessage('What is 10 / 2?')] })
  return JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans.getFinishedSpans())))
}

test('a graph of LangGraph becomes a valid record with its calls, their results and tokens', async () => {
  const { runs } = runsFromOtlp(await traced())
  expect(runs).toHaveLength(1)
  const run = runs[0] as Json
  expect(validate(run).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(run).toMatchObject({ agent: { agent_id: 'divider' }, status: 'succeeded' })

  // biome-ignore lint/suspicious/noExplicitAny: steps have any shape.
  const steps = run['steps'] as any[]
  const calls = steps.filter(({ action }) => action.type === 'tool_call')
  expect(calls.map(({ action }) => [action.name, action.input])).toEqual([
    ['divide', { by: 2 }],
    ['divide', { by: 0 }],
  ])
  expect(JSON.stringify(calls[0].observation.output)).toContain('"content":"5"')
  expect(calls[1].observation.type).toBe('error')
  const models = steps.filter(({ metadata }) => metadata?.prompt_tokens !== undefined)
  expect(models.map(({ metadata }) => [metadata.prompt_tokens, metadata.completion_tokens])).toEqual([[10, 4]])
})

test('the steps of a graph are nested as its nodes were', async () => {
  const { runs } = runsFromOtlp(await traced())
  // biome-ignore lint/suspicious/noExplicitAny: steps have any shape.
  const steps = (runs[0] as Json)['steps'] as any[]
  const calls = steps.filter(({ action }) => action.type === 'tool_call')
  const parents = calls.map(({ parent_step_index }) => steps[parent_step_index])
  expect(parents.map(({ metadata }) => metadata['otel.attributes'].metadata)).toEqual(
    calls.map(() => expect.stringContaining('"langgraph_node":"tools"')),
  )
})
