// Run records as events of AgentLang, and back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertRuns, readRuns, runToEvents } from '../../../bindings/convert/run/convert-runs.ts'
import { runFromEvents } from '../../../bindings/convert/run/from-events.ts'
import { validate as validateRun } from '../../../bindings/runs/index.ts'
import { validate } from '../../../bindings/verbs.ts'
import { REVIEW } from '../../runs/records.ts'
import { casesOf } from '../../support/cases.ts'
import { RUNS } from './random-runs.ts'

type Json = Readonly<Record<string, unknown>>

const errorsOf = (value: unknown) =>
  validate(JSON.stringify(value), { as: 'events' }).diagnostics.filter(
    // Random records may have one call id twice, or times that are not complete.
    ({ severity, code }) => severity === 'error' && code !== 'AL-256',
  )

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`

// biome-ignore lint/suspicious/noExplicitAny: records have any shape.
function read(events: readonly unknown[]): any {
  const { runs, from, diagnostics } = readRuns(JSON.stringify({ events }))
  expect([from, diagnostics]).toEqual(['events', []])
  expect(validateRun(runs[0]!).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return runs[0]
}

describe('a record that went through events', () => {
  test('is the same record, and the events are valid [agentlang/events-5]', () => {
    fc.assert(
      fc.property(RUNS, (run) => {
        const { value, loss } = runToEvents(run)
        const events = JSON.parse(JSON.stringify(value))
        expect(errorsOf(events)).toEqual([])
        expect(loss.filter(({ outcome }) => outcome === 'dropped' || outcome === 'changed')).toEqual([])
        expect(runFromEvents([events]).runs).toEqual([run])
      }),
      { numRuns: casesOf(2000) },
    )
  })

  test('has its events in the order of their times, and steps in their own order', () => {
    const step = (index: number, second: number, latency_ms: number) => ({
      index,
      timestamp: at(second),
      action: { type: 'tool_call', name: `t${index}`, input: { index } },
      observation: { type: 'tool_result', output: { value: index } },
      metadata: { latency_ms, 'adp.call_id': `c${index}` },
    })
    const run = { ...REVIEW, steps: [step(0, 0, 5000), step(1, 1, 1000), step(2, 2, 0)] }
    const { events } = runToEvents(run).value as { events: readonly Json[] }
    expect(events.map(({ type, call_id }) => `${type} ${call_id}`)).toEqual([
      'tool.call c0',
      'tool.call c1',
      'tool.result c1',
      'tool.call c2',
      'tool.result c2',
      'tool.result c0',
    ])
    expect(events.at(-1)).toMatchObject({ timestamp: '2026-01-01T00:00:05.000Z', duration_ms: 5000, output: 0 })
  })

  test('loses what events have no place for, when nothing is carried', () => {
    const { value, loss } = runToEvents(REVIEW, { carry: 'nothing' })
    expect(errorsOf(value)).toEqual([])
    expect(JSON.stringify(value)).not.toContain('x-adp')
    expect(loss.filter(({ outcome }) => outcome === 'dropped').map(({ pointer }) => pointer)).toContain('/status')
  })
})

test('findings about a record that was made of events have no place in the events', () => {
  const events = [{ type: 'agent.think', timestamp: '2025-01-29T10:00:00Z', agent_id: 'a', content: 'b' }]
  const { diagnostics } = convertRuns(JSON.stringify({ events }), { to: 'run', file: 'a.json' })
  expect(diagnostics.map(({ source: { file, line, column, offset } }) => [file, line, column, offset])).toEqual(
    diagnostics.map(() => ['a.json', 1, 1, 0]),
  )
  expect(diagnostics.map(({ source }) => source.pointer)).toContain('/run_id')
})

describe('events of a runtime [agentlang/events-4]', () => {
  test('the example of the specification is a run with a call, a delegation and an answer', () => {
    const run = read([
      { type: 'agent.think', timestamp: '2025-01-29T10:00:00Z', agent_id: 'researcher', content: 'search' },
      {
        ...{ type: 'tool.call', timestamp: '2025-01-29T10:00:01Z', agent_id: 'researcher', tool: 'web_search' },
        ...{ input: { query: 'transformer' }, call_id: 'abc123' },
      },
      {
        ...{ type: 'tool.result', timestamp: '2025-01-29T10:00:03Z', call_id: 'abc123' },
        ...{ output: { results: [] }, duration_ms: 2000 },
      },
      {
        ...{ type: 'agent.delegate', timestamp: '2025-01-29T10:00:05Z', from: 'orchestrator' },
        ...{ to: 'academic-researcher', task: 'Analyze' },
      },
      {
        type: 'agent.message',
        timestamp: '2025-01-29T10:00:10Z',
        agent_id: 'researcher',
        role: 'assistant',
        content: 'a',
      },
    ])
    expect(run).toMatchObject({
      agent: { agent_id: 'researcher' },
      started_at: '2025-01-29T10:00:00Z',
      completed_at: '2025-01-29T10:00:10Z',
      final_output: { content: 'a' },
      status: 'succeeded',
    })
    expect(run.steps).toEqual([
      {
        index: 0,
        timestamp: '2025-01-29T10:00:00Z',
        action: { type: 'model_inference' },
        observation: { type: 'none' },
        reflection: { thought: 'search' },
      },
      {
        index: 1,
        timestamp: '2025-01-29T10:00:01Z',
        action: { type: 'tool_call', name: 'web_search', input: { query: 'transformer' } },
        observation: { type: 'tool_result', output: { results: [] } },
        metadata: { 'adp.call_id': 'abc123', latency_ms: 2000 },
      },
      {
        index: 2,
        timestamp: '2025-01-29T10:00:05Z',
        action: { type: 'other', input: { from: 'orchestrator', to: 'academic-researcher', task: 'Analyze' } },
        observation: { type: 'none' },
        metadata: { action_subtype: 'delegate' },
      },
      {
        index: 3,
        timestamp: '2025-01-29T10:00:10Z',
        action: { type: 'message', input: { value: 'a' } },
        observation: { type: 'none' },
      },
    ])
  })

  const call = (call_id: string, more: Json = {}) => {
    return { type: 'tool.call', timestamp: at(1), agent_id: 'a', tool: 't', input: { x: 1 }, call_id, ...more }
  }
  const result = (call_id: string, more: Json) => ({ type: 'tool.result', timestamp: at(3), call_id, ...more })

  test('a call without a result is marked, a result without a call is a step of its own', () => {
    const { steps } = read([call('a'), result('b', { output: 'x' })])
    expect(steps).toMatchObject([
      { observation: { type: 'none' }, metadata: { 'agentlang.unmatched': true } },
      { action: { type: 'other' }, observation: { output: { value: 'x' } } },
    ])
    expect(steps[1].metadata).toEqual({ action_subtype: 'result_without_call', 'adp.call_id': 'b' })
  })

  test('a result before its call is joined with it, and times give the duration', () => {
    const { steps } = read([result('a', { output: { value: 5 } }), call('a')])
    expect(steps).toMatchObject([{ observation: { output: { value: 5 } }, metadata: { latency_ms: 2000 } }])
  })

  test('an error at the end is the error of the run', () => {
    expect(read([call('a'), result('a', { error: 'no network' })])).toMatchObject({
      status: 'failed',
      error: { message: 'no network' },
      steps: [{ observation: { type: 'error', error: { message: 'no network' } } }],
    })
  })

  test('steps of an agent are inside of the delegation to it', () => {
    const delegate = { type: 'agent.delegate', timestamp: at(0), from: 'o', to: 'a', task: 'x' }
    const { steps } = read([delegate, call('a'), { ...delegate, from: 'a', to: 'b' }])
    expect(steps.map((step: Json) => step['parent_step_index'])).toEqual([undefined, 0, 0])
  })

  test('other types and roles are kept', () => {
    const { steps } = read([
      { type: 'runtime.start', timestamp: at(0), agent_id: 'a', host: 'b' },
      { type: 'agent.message', timestamp: at(0), agent_id: 'a', role: 'system', content: 'c' },
    ])
    expect(steps).toMatchObject([
      { action: { type: 'other', input: { host: 'b' } }, metadata: { action_subtype: 'runtime.start' } },
      { observation: { type: 'user_input', output: { value: 'c' } }, metadata: { 'agentlang.role': 'system' } },
    ])
  })

  test('members that a record has no place for are in the account', () => {
    const { loss } = readRuns(JSON.stringify({ events: [call('a', { cost: 1 })] }))
    expect(loss).toContainEqual({ pointer: '/events/*/cost', outcome: 'dropped', detail: 'no member', count: 1 })
  })

  test('YAML, and lines of JSON, are read as well', () => {
    const yaml = 'events:\n  - {type: agent.think, timestamp: 2026-01-01T00:00:00Z, agent_id: a, content: b}\n'
    expect(readRuns(yaml, { file: 'a.events.yaml' }).runs[0]!['steps']).toHaveLength(1)
    const lines = [call('a'), result('a', { output: 1 })].map((event) => JSON.stringify(event)).join('\n')
    expect(readRuns(lines, { file: 'a.events.jsonl' }).runs[0]!['steps']).toHaveLength(1)
  })

  test('hostile events give a record or findings, and never throw', () => {
    const own = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.record({ of: fc.jsonValue(), index: fc.jsonValue() }))
    const types = fc.constantFrom('tool.call', 'tool.result', 'agent.think', 'agent.message', '__proto__', 'x', 7)
    const event = fc
      .tuple(fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 })), types, own, fc.jsonValue())
      .map(([more, type, rest, call_id]) => ({ ...more, type, 'x-adp': rest, call_id, content: call_id }))
    fc.assert(
      fc.property(fc.array(event), own, (events, rest) => {
        const source = JSON.stringify({ events, 'x-adp': rest })
        for (const to of ['run', 'otlp', 'events'] as const) expect(convertRuns(source, { to })).toBeDefined()
      }),
      { numRuns: 300 },
    )
  })
})
