// Sessions of Codex and Claude Code as run records: the traps of each format.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readRuns } from '../../../bindings/convert/run/convert-runs.ts'
import { validate } from '../../../bindings/runs/index.ts'

type Json = Readonly<Record<string, unknown>>

const CODEX = readFileSync('fixtures/runs/codex-session.jsonl', 'utf8')

const ndjson = (lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n')

// biome-ignore lint/suspicious/noExplicitAny: records have any shape.
function read(source: string, from?: 'claude-session' | 'codex-session'): any {
  const { runs, loss, diagnostics } = readRuns(source, { file: 'session.jsonl', ...(from && { from }) })
  expect(diagnostics).toEqual([])
  expect(loss).not.toEqual([])
  expect(runs).toHaveLength(1)
  expect(validate(runs[0]!).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return runs[0]
}

const callsOf = ({ steps }: { steps: readonly Json[] }) =>
  steps.filter(({ action }) => (action as Json)['type'] === 'tool_call') as readonly Record<string, Json>[]
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const tokensOf = ({ steps }: { steps: readonly { metadata: Record<string, number> }[] }, name: string) =>
  sum(steps.map(({ metadata }) => metadata[name] ?? 0))

describe('a session of Codex', () => {
  const run = read(CODEX)

  test('has its calls, joined with their results by call id', () => {
    expect(callsOf(run).map(({ action, metadata }) => [metadata!['adp.call_id'], action!['input']])).toEqual([
      ['call_0', { cmd: 'echo hello > a.txt' }],
      ['call_1', { cmd: 'cat a.txt' }],
      ['call_2', { cmd: 'false' }],
    ])
    expect(callsOf(run)[1]!['observation']).toMatchObject({
      output: { value: expect.stringContaining('blocked by PreToolUse hook') },
    })
  })

  test('says which call failed', () => {
    expect(callsOf(run).map(({ observation }) => observation!['type'])).toEqual(['tool_result', 'tool_result', 'error'])
  })

  test('has running totals, which repeat: each answer counts once', () => {
    // The last total of the file.
    expect(tokensOf(run, 'prompt_tokens')).toBe(400)
    expect(tokensOf(run, 'completion_tokens')).toBe(40)
  })

  test('accounts for each line', () => {
    const { loss } = readRuns(CODEX, { file: 'session.jsonl' })
    const lines = loss.filter(({ outcome }) => outcome !== 'added').map(({ count }) => count!)
    expect(sum(lines)).toBe(28)
    expect(loss.find(({ detail }) => detail.startsWith('world_state'))).toMatchObject({ outcome: 'dropped', count: 1 })
  })

  test('a total that falls is a new count', () => {
    const total = (input_tokens: number) => ({
      type: 'event_msg',
      timestamp: '2026-01-01T00:00:00Z',
      payload: { type: 'token_count', info: { total_token_usage: { input_tokens, output_tokens: 0 } } },
    })
    const session = read(ndjson([total(100), total(100), total(30), total(50)]), 'codex-session')
    expect(tokensOf(session, 'prompt_tokens')).toBe(150)
  })
})

describe('a session of Claude Code', () => {
  const line = (type: string, content: unknown, more: Json = {}, message: Json = {}) => ({
    type,
    sessionId: 's1',
    version: '2.1.0',
    timestamp: '2026-01-01T00:00:01.000Z',
    ...more,
    message: { role: type, content, ...message },
  })
  const usage = { id: 'm1', model: 'opus', usage: { input_tokens: 10, output_tokens: 4 } }
  const use = (id: string, more: Json = {}) =>
    line('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }], more, usage)
  const result = (id: string, more: Json = {}) =>
    line('user', [{ type: 'tool_result', tool_use_id: id, content: 'a.txt', ...more }], {
      timestamp: '2026-01-01T00:00:03.000Z',
    })

  test('repeats its usage in each content block: it counts once', () => {
    const run = read(
      ndjson([
        line('user', 'list the files'),
        line('assistant', [{ type: 'thinking', thinking: 'ls will do' }], {}, usage),
        line('assistant', [{ type: 'text', text: 'Looking.' }], {}, usage),
        use('t1'),
        use('t2'),
        result('t1'),
        result('t2', { is_error: true }),
      ]),
    )
    expect([tokensOf(run, 'prompt_tokens'), tokensOf(run, 'completion_tokens')]).toEqual([10, 4])
    expect(run).toMatchObject({
      run_id: 's1',
      agent: { agent_id: 'claude', agent_version: '2.1.0' },
      steps: [
        { observation: { type: 'user_input', output: { value: 'list the files' } } },
        {
          reflection: { thought: 'ls will do' },
          observation: { output: { value: 'Looking.' } },
          metadata: { model: 'opus' },
        },
        {
          parent_step_index: 1,
          action: { name: 'Bash', input: { command: 'ls' } },
          observation: { output: { value: 'a.txt' } },
          metadata: { latency_ms: 2000 },
        },
        { parent_step_index: 1, observation: { type: 'error', output: { value: 'a.txt' } } },
      ],
    })
  })

  test('results before calls, calls without results, results without calls', () => {
    const run = read(ndjson([result('t1'), use('t1'), use('t2'), result('t9')]))
    expect(
      callsOf(run).map(({ observation, metadata }) => [observation!['type'], metadata!['adp.unfinished']]),
    ).toEqual([
      ['tool_result', undefined],
      ['none', true],
    ])
    expect(run.steps.at(-1)).toMatchObject({
      action: { type: 'other' },
      metadata: { action_subtype: 'result_without_call', 'adp.call_id': 't9' },
    })
  })

  test('the file of a sub-agent repeats the session id, and is another run', () => {
    const ids = [read(ndjson([use('t1')])), read(ndjson([use('t1', { agentId: 'a7', isSidechain: true })]))]
    expect(ids.map(({ run_id, context }) => [run_id, context.session_id])).toEqual([
      ['s1', 's1'],
      ['s1-a7', 's1'],
    ])
  })
})

test.each([
  ['nothing that is known', '{"a": 1}\n{"b": 2}'],
  ['a line that is not JSON', '{"type": "session_meta"}\nnonsense'],
  ['no line', ''],
])('refuses a session with %s', (_, source) => {
  const { runs, diagnostics } = readRuns(source, { file: 'session.jsonl' })
  expect(runs).toEqual([])
  expect(diagnostics.map(({ severity }) => severity)).toContain('error')
})

test('hostile lines end with a record, and never throw', () => {
  const hostile = [
    { type: 'session_meta', payload: { id: { a: 1 } } },
    {
      type: 'response_item',
      payload: { type: 'function_call', call_id: ['x'], name: 5, arguments: '{"__proto__": {"a": 1}}' },
    },
    {
      type: 'response_item',
      payload: { type: 'function_call', call_id: '__proto__', name: 'x', arguments: '['.repeat(2_000) },
    },
    { type: 'response_item', payload: { type: 'function_call_output', call_id: '__proto__', output: null } },
    { type: 'token_usage_record', payload: { thread_token_usage: { input_tokens: 'x', output_tokens: -1 } } },
    { type: 'event_msg', timestamp: '9999-99-99', payload: null },
    [1],
    7,
  ]
  expect(read(ndjson(hostile), 'codex-session').steps).toHaveLength(2)
  expect(({} as Json)['a']).toBeUndefined()
})
