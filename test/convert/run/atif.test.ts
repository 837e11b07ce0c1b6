// Run records as trajectories of ATIF 1.7, and back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runFromAtif, runToAtif } from '../../../bindings/convert/run/atif.ts'
import { validate } from '../../../bindings/runs/index.ts'
import { REVIEW } from '../../runs/records.ts'
import { RUNS } from './random-runs.ts'

type Json = Readonly<Record<string, unknown>>

/** The members of ATIF 1.7; its models forbid others. */
const MEMBERS = {
  root: 'schema_version session_id trajectory_id agent steps notes final_metrics continued_trajectory_ref extra subagent_trajectories',
  agent: 'name version model_name tool_definitions extra',
  step: 'step_id timestamp source model_name reasoning_effort message reasoning_content tool_calls observation metrics is_copied_context llm_call_count extra',
  call: 'tool_call_id function_name arguments extra',
  result: 'source_call_id content subagent_trajectory_ref extra',
  metrics:
    'prompt_tokens completion_tokens cached_tokens cost_usd prompt_token_ids completion_token_ids logprobs extra',
}
const AGENTS_ONLY = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics']

const others = (kind: keyof typeof MEMBERS, value: unknown) =>
  Object.keys((value ?? {}) as Json).filter((name) => !MEMBERS[kind].split(' ').includes(name))

/** Checks a trajectory by the rules of ATIF. */
function expectAtif(trajectory: Json): void {
  const steps = trajectory['steps'] as readonly Json[]
  expect([others('root', trajectory), others('agent', trajectory['agent'])]).toEqual([[], []])
  expect(trajectory['agent']).toMatchObject({ name: expect.any(String), version: expect.any(String) })
  for (const [i, step] of steps.entries()) {
    expect(step).toMatchObject({
      step_id: i + 1,
      source: expect.stringMatching(/^(?:system|user|agent)$/),
      message: expect.any(String),
    })
    expect([others('step', step), others('metrics', step['metrics'])]).toEqual([[], []])
    if (step['source'] !== 'agent')
      expect(Object.keys(step)).not.toEqual(expect.arrayContaining([expect.stringMatching(AGENTS_ONLY.join('|'))]))
    const calls = (step['tool_calls'] ?? []) as readonly Json[]
    for (const call of calls) {
      expect(others('call', call)).toEqual([])
      expect(call).toMatchObject({
        tool_call_id: expect.any(String),
        function_name: expect.any(String),
        arguments: expect.any(Object),
      })
    }
    for (const result of ((step['observation'] as Json)?.['results'] ?? []) as readonly Json[]) {
      expect(others('result', result)).toEqual([])
      expect(calls.map((call) => call['tool_call_id'])).toContain(result['source_call_id'])
    }
  }
}

describe('a record that went through ATIF', () => {
  test('is the same record, and the trajectory keeps the rules of ATIF', () => {
    fc.assert(
      fc.property(RUNS, (run) => {
        const { value, loss } = runToAtif(run)
        expectAtif(JSON.parse(JSON.stringify(value)))
        expect(loss.filter(({ outcome }) => outcome === 'dropped' || outcome === 'changed')).toEqual([])
        expect(runFromAtif(JSON.parse(JSON.stringify(value))).runs).toEqual([run])
      }),
      { numRuns: 300 },
    )
  })

  test('has its counts and its costs in the metrics of ATIF', () => {
    const [step, ...steps] = REVIEW.steps
    const metadata = { prompt_tokens: 10, completion_tokens: 2, cost_usd: 0.25 }
    const run = { ...REVIEW, metadata: { total_cost_usd: 0.75 }, steps: [{ ...step, metadata }, ...steps] }
    const { value } = runToAtif(run, { carry: 'nothing' })
    expect(value).toMatchObject({ final_metrics: { total_cost_usd: 0.75 }, steps: [{ metrics: metadata }, {}, {}] })
  })

  test('loses what ATIF has no place for, when nothing is carried', () => {
    const { value, loss } = runToAtif(REVIEW, { carry: 'nothing' })
    expectAtif(value)
    expect(JSON.stringify(value)).not.toContain('"adp"')
    expect(loss.filter(({ outcome }) => outcome === 'dropped').map(({ pointer }) => pointer)).toContain('/status')
  })
})

test('a trajectory of others: several calls in one step, a call without a result, usage and thoughts', () => {
  const { runs, loss } = runFromAtif({
    schema_version: 'ATIF-v1.7',
    session_id: 's1',
    trajectory_id: 't1',
    agent: { name: 'harbor', version: '2.0' },
    steps: [
      { step_id: 1, source: 'user', message: 'hello', timestamp: '2026-01-01T00:00:00Z' },
      {
        step_id: 2,
        source: 'agent',
        message: 'two at once',
        timestamp: '2026-01-01T00:00:05Z',
        model_name: 'm',
        reasoning_content: 'hm',
        metrics: { prompt_tokens: 10, completion_tokens: 2, cost_usd: 0.5 },
        tool_calls: [
          { tool_call_id: 'a', function_name: 'ls', arguments: { path: '/' } },
          { tool_call_id: 'b', function_name: 'cat', arguments: {} },
        ],
        observation: { results: [{ source_call_id: 'a', content: [{ type: 'text', text: 'bin' }] }] },
      },
    ],
  })
  const [run] = runs
  expect(run).toMatchObject({
    run_id: 't1',
    agent: { agent_id: 'harbor', agent_version: '2.0' },
    steps: [
      { action: { type: 'message' }, observation: { type: 'user_input', output: { value: 'hello' } } },
      {
        action: { type: 'model_inference' },
        observation: { output: { value: 'two at once' } },
        reflection: { thought: 'hm' },
        metadata: { model: 'm', prompt_tokens: 10, completion_tokens: 2, cost_usd: 0.5 },
      },
      {
        parent_step_index: 1,
        action: { name: 'ls', input: { path: '/' } },
        observation: { output: { value: 'bin' } },
        metadata: { 'adp.call_id': 'a' },
      },
      {
        parent_step_index: 1,
        action: { name: 'cat' },
        observation: { type: 'none' },
        metadata: { 'adp.call_id': 'b', 'adp.unfinished': true },
      },
    ],
  })
  expect(validate(run!).valid).toBe(true)
  expect(loss).not.toEqual([])
})
