// Events of LangGraph, which runs here, and of CrewAI and AutoGen, in the shapes that they document.
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RUNTIMES, runtimeEvents } from '../../bindings/agentlang/index.ts'
import { readRuns } from '../../bindings/convert/index.ts'
import { validate } from '../../bindings/verbs.ts'

const now = new Date('2026-01-01T00:00:00Z')
const timestamp = now.toISOString()
const faultsOf = (events: unknown) =>
  validate(JSON.stringify({ events }), { as: 'events' }).diagnostics.filter(({ severity }) => severity !== 'info')

/** A graph that divides ten twice, the second time in vain, and then answers. */
async function updates(): Promise<unknown[]> {
  const divide = tool(
    ({ by }: { by: number }) => {
      if (by === 0) throw new RangeError('division by zero')
      return String(10 / by)
    },
    { name: 'divide', description: 'Divides ten', schema: { type: 'object', properties: { by: { type: 'number' } } } },
  )
  const called = (by: number) => ({ id: `call_${by}`, name: 'divide', args: { by } })
  const script = [new AIMessage({ content: 'Twice.', tool_calls: [called(2), called(0)] }), new AIMessage('It is 5.')]
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', () => ({ messages: [script.shift()!] }))
    .addNode('tools', new ToolNode([divide]))
    .addEdge(START, 'agent')
    .addEdge('tools', 'agent')
    .addConditionalEdges('agent', ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END))
    .compile()
  const seen: unknown[] = []
  const input = { messages: [new HumanMessage('What is 10 / 2?')] }
  for await (const update of await graph.stream(input, { streamMode: 'updates' })) seen.push(update)
  return seen
}

describe('LangGraph', () => {
  test('gives thoughts, calls, results and messages of its nodes [agentlang/events-6]', async () => {
    const events = (await updates()).flatMap((update) => runtimeEvents('langgraph', update, { now }))
    const agent_id = 'agent'
    const call = (by: number) => ({
      type: 'tool.call',
      timestamp,
      agent_id,
      tool: 'divide',
      input: { by },
      call_id: `call_${by}`,
    })
    expect(events).toEqual([
      { type: 'agent.think', timestamp, agent_id, content: 'Twice.' },
      call(2),
      call(0),
      { type: 'tool.result', timestamp, call_id: 'call_2', output: '5' },
      { type: 'tool.result', timestamp, call_id: 'call_0', error: expect.stringContaining('division by zero') },
      { type: 'agent.message', timestamp, agent_id, role: 'assistant', content: 'It is 5.' },
    ])
    expect(faultsOf(events)).toEqual([])
    const [run] = readRuns(JSON.stringify({ events })).runs
    expect((run!['steps'] as { observation: { type: string } }[]).map(({ observation }) => observation.type)).toEqual([
      'none',
      'tool_result',
      'error',
      'none',
    ])
  })

  test('hands over by a tool named after the other agent, also in a subgraph', () => {
    const ai = { type: 'ai', content: [], tool_calls: [{ id: '1', name: 'transfer_to_writer', args: {} }] }
    expect(runtimeEvents('langgraph', [['team:1'], { boss: { messages: ai } }], { now })).toMatchObject([
      { type: 'tool.call', agent_id: 'boss', call_id: '1' },
      { type: 'agent.delegate', from: 'boss', to: 'writer', task: '' },
    ])
  })
})

test('CrewAI gives calls with the results of their events [agentlang/events-6]', () => {
  const at = '2026-01-01T10:00:00.123456+00:00'
  const base = { timestamp: at, agent_role: 'Researcher', tool_name: 'search', tool_args: { query: 'x' } }
  const events = [
    { ...base, type: 'agent_execution_started', event_id: 'e0' },
    { ...base, type: 'agent_reasoning_completed', event_id: 'e1', plan: 'Search first.', ready: true },
    { ...base, type: 'tool_usage_started', event_id: 'e2' },
    {
      ...base,
      type: 'tool_usage_finished',
      event_id: 'e3',
      started_event_id: 'e2',
      output: 'found',
      from_cache: false,
    },
    { ...base, type: 'tool_usage_started', event_id: 'e4', tool_args: '{"query": "y"}' },
    { ...base, type: 'tool_usage_error', event_id: 'e5', started_event_id: 'e4', error: 'timeout' },
    { ...base, type: 'agent_execution_completed', event_id: 'e6', output: 'Done.' },
  ].flatMap((record) => runtimeEvents('crewai', record))
  const agent_id = 'Researcher'
  expect(events).toEqual([
    { type: 'agent.think', timestamp: at, agent_id, content: 'Search first.' },
    { type: 'tool.call', timestamp: at, agent_id, tool: 'search', input: { query: 'x' }, call_id: 'e2' },
    { type: 'tool.result', timestamp: at, call_id: 'e2', output: 'found' },
    { type: 'tool.call', timestamp: at, agent_id, tool: 'search', input: { query: 'y' }, call_id: 'e4' },
    { type: 'tool.result', timestamp: at, call_id: 'e4', error: 'timeout' },
    { type: 'agent.message', timestamp: at, agent_id, role: 'assistant', content: 'Done.' },
  ])
  expect(faultsOf(events)).toEqual([])
})

test('AutoGen gives messages, thoughts, calls, results and handoffs [agentlang/events-6]', () => {
  const at = '2026-01-01T10:00:00Z'
  const message = (type: string, source: string, content: unknown, more = {}) => ({
    type,
    source,
    content,
    created_at: at,
    ...more,
  })
  const events = [
    message('TextMessage', 'user', 'Hi.'),
    message('ThoughtEvent', 'planner', 'A search helps.'),
    message('ToolCallRequestEvent', 'planner', [{ id: 'c1', name: 'search', arguments: '{"query": "x"}' }]),
    message('ToolCallExecutionEvent', 'planner', [
      { content: 'found', name: 'search', call_id: 'c1', is_error: false },
    ]),
    message('HandoffMessage', 'planner', 'Write it up.', { target: 'writer', context: [] }),
    message('TextMessage', 'writer', 'Done.'),
    message('StopMessage', 'writer', 'TERMINATE'),
  ].flatMap((record) => runtimeEvents('autogen', record))
  expect(events).toEqual([
    { type: 'agent.message', timestamp: at, agent_id: 'user', role: 'user', content: 'Hi.' },
    { type: 'agent.think', timestamp: at, agent_id: 'planner', content: 'A search helps.' },
    { type: 'tool.call', timestamp: at, agent_id: 'planner', tool: 'search', input: { query: 'x' }, call_id: 'c1' },
    { type: 'tool.result', timestamp: at, call_id: 'c1', output: 'found' },
    { type: 'agent.delegate', timestamp: at, from: 'planner', to: 'writer', task: 'Write it up.' },
    { type: 'agent.message', timestamp: at, agent_id: 'writer', role: 'assistant', content: 'Done.' },
  ])
  expect(faultsOf(events)).toEqual([])
})

test('a record without a required member gives no event, and nothing throws', () => {
  expect(runtimeEvents('crewai', { type: 'tool_usage_started', tool_name: 'search', tool_args: {} })).toEqual([])
  expect(runtimeEvents('autogen', { type: '__proto__', source: 'a' })).toEqual([])
  const types = ['TextMessage', 'ToolCallRequestEvent', 'HandoffMessage', 'tool_usage_started', 'tool_usage_error']
  const record = fc.record({
    type: fc.constantFrom(...types),
    source: fc.jsonValue(),
    content: fc.jsonValue(),
    target: fc.jsonValue(),
  })
  fc.assert(
    fc.property(fc.constantFrom(...RUNTIMES), fc.oneof(record, fc.jsonValue()), (runtime, value) => {
      const events = runtimeEvents(runtime, value, { now })
      expect(faultsOf(events).filter(({ severity }) => severity === 'error')).toEqual([])
    }),
    { numRuns: 200 },
  )
  expect(() => runtimeEvents('other' as 'crewai', {})).toThrow(RangeError)
})
