// The runs of a folder: how they are found, listed, searched and summed up.
import { describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { blazon } from './terminal.ts'

const KEY = `ghp_${'abcdefghij'.repeat(4)}`
const decoder = new TextDecoder()

interface Made {
  readonly id: string
  readonly day: string
  readonly session?: string
  readonly agent?: string
  readonly status?: string
  readonly cost?: number
  readonly steps?: readonly object[]
}

function streamOf({ id, day, session = 's-1', agent = 'coder', status, cost, steps = [] }: Made): string {
  const run = {
    run_id: id,
    tenant_id: 'local',
    version: 'adp-1',
    started_at: `${day}T10:00:00Z`,
    agent: { agent_id: agent, aip: { cert_fingerprint: 'none' } },
    context: { session_id: session, task_description: `Task of ${id}` },
  }
  const end = {
    status,
    completed_at: `${day}T10:01:00Z`,
    ...(cost !== undefined && { metadata: { total_cost_usd: cost } }),
  }
  const lines = [
    { type: 'run_started', run },
    ...steps.map((step, index) => ({ type: 'step', step: { index, timestamp: `${day}T10:00:0${index}Z`, ...step } })),
    ...(status === undefined ? [] : [{ type: 'run_completed', end }]),
  ]
  return lines.map((line, seq) => `${decoder.decode(canonicalizeValue({ ...line, run_id: id, seq }))}\n`).join('')
}

const call = (name: string, command: string, rest: object = {}) => ({
  action: { type: 'tool_call', name, input: { command } },
  observation: { type: 'tool_result', output: { stdout: 'done' } },
  ...rest,
})
const denial = {
  action: { type: 'tool_call', name: 'policy_judge', input: {} },
  observation: { type: 'tool_result', output: { version: 'pvs-1', decision: 'deny', reasoning: 'no' } },
  metadata: { kind: 'policy_verdict' },
  parent_step_index: 1,
}
const failed = { observation: { type: 'error', error: { message: 'Denied: no' } } }
const STEPS = [
  call('Bash', 'npm test', { metadata: { cost_usd: 0.5, prompt_tokens: 10 } }),
  call('Bash', `curl ${KEY}`, failed),
  denial,
  call('Read', 'x', { observation: { type: 'tool_result', output: { stdout: `${'far '.repeat(300)}Needle ${KEY}` } } }),
]
/** Verdicts stand before the end of their step in a stream, so this one has intents. */
const withIntents = (text: string) => {
  const [first, ok, denied, verdict, ...rest] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { observation: _, ...intent } = denied.step
  const lines = [first, ok, { type: 'step_started', intent, run_id: denied.run_id }, verdict, denied, ...rest]
  return lines.map((line, seq) => `${decoder.decode(canonicalizeValue({ ...line, seq }))}\n`).join('')
}

const FILES = {
  'runs/b.ndjson': withIntents(streamOf({ id: 'bbbb-2222', day: '2026-02-02', status: 'succeeded', steps: STEPS })),
  'runs/a.ndjson': streamOf({
    id: 'aaaa-1111',
    day: '2026-02-01',
    status: 'failed',
    cost: 2,
    agent: 'zed',
    steps: [call('Bash', 'ls')],
  }),
  'runs/c.ndjson': streamOf({ id: 'cccc-3333', day: '2026-02-03', session: 's-22' }),
  'runs/notes.txt': 'not a run',
  'runs/broken.ndjson': 'no JSON\n',
}
const run = (...argv: string[]) => blazon(['runs', ...argv], { files: FILES })
const jsonOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('runs list', () => {
  test('lists the latest run first, and leaves out what is not a run', async () => {
    const { stdout, stderr, code } = await run('list', 'runs')
    expect(stdout.split('\n').map((line) => line.slice(0, 26).trimEnd())).toEqual([
      'run       started',
      'cccc-333  2026-02-03 10:00',
      'bbbb-222  2026-02-02 10:00',
      'aaaa-111  2026-02-01 10:00',
      '',
    ])
    expect(stdout).toMatch(/coder +succeeded +4 +1 +\$0\.50 +Task of bbbb-2222/)
    expect([code, stderr]).toEqual([0, '3 runs\n'])
  })

  test.each([
    ['time', ['cccc-3333', 'bbbb-2222', 'aaaa-1111']],
    ['agent', ['cccc-3333', 'bbbb-2222', 'aaaa-1111']],
    ['status', ['aaaa-1111', 'cccc-3333', 'bbbb-2222']],
    ['cost', ['aaaa-1111', 'bbbb-2222', 'cccc-3333']],
  ])('--by %s sorts', async (by, ids) => {
    expect(jsonOf((await run('list', 'runs', '--by', by, '--json')).stdout).map(({ run_id }) => run_id)).toEqual(ids)
  })

  test('--agent and --status leave out others', async () => {
    const ids = async (...options: string[]) =>
      jsonOf((await run('list', 'runs', '--json', ...options)).stdout).map(({ run_id }) => run_id)
    expect([await ids('--agent', 'zed'), await ids('--status', 'open')]).toEqual([['aaaa-1111'], ['cccc-3333']])
  })

  test('a folder that is missing, and a second one, are usage errors', async () => {
    expect(await run('list', 'nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere is not a folder'),
    })
    expect((await run('list', 'https://a.example')).stderr).toContain('a browser shows the runs of a server at /runs')
    expect((await run('list', 'runs', 'more')).code).toBe(2)
  })
})

describe('runs show finds', () => {
  test.each([
    [['runs'], ['Task of cccc-3333']],
    [['latest', '--in', 'runs'], ['Task of cccc-3333']],
    [['bbbb', '--in', 'runs'], ['Task of bbbb-2222']],
    [['s-22', '--in', 'runs'], ['Task of cccc-3333']],
    [['s-1', '--in', 'runs'], []],
    [['s-1x', '--in', 'runs'], []],
  ])('%j', async (argv, tasks) => {
    const { stderr, code } = await run('show', ...argv)
    expect(stderr.match(/Task of \S+(?=,)/g) ?? []).toEqual(tasks)
    expect(code === 2 || code === 3).toBe(tasks.length === 0)
  })

  test('all runs of a session, the earliest first', async () => {
    const files = {
      ...FILES,
      'runs/d.ndjson': streamOf({ id: 'dddd', day: '2026-01-01', session: 's-22', status: 'failed' }),
    }
    const { stdout, stderr } = await blazon(['runs', 'show', 's-22', '--in', 'runs'], { files })
    expect(stderr.match(/Task of \S+(?=,)/g)).toEqual(['Task of dddd', 'Task of cccc-3333'])
    expect(stdout.match(/^runs\/.*/gm)).toEqual(['runs/d.ndjson', 'runs/c.ndjson'])
  })
})

describe('runs search', () => {
  test('shows the steps with a text, whatever its case, and where it is', async () => {
    const { stdout, stderr, code } = await run('search', 'nEEdle', 'runs')
    expect(stdout.split('\n')).toHaveLength(5)
    expect(stdout).toMatch(/^bbbb-222 {2}2026-02-02 10:00 {2}coder {2}Task of bbbb-2222\n +3 .*Read/)
    expect(stdout).toContain('Needle ****')
    expect([code, stderr]).toEqual([0, '1 step\n'])
  })

  test('shows a call before its verdict, which ends first', async () => {
    const { stdout } = await run('search', 'o', 'runs', '--json')
    const indexes = jsonOf(stdout).flatMap(({ run_id, index }) => (run_id === 'bbbb-2222' ? [index] : []))
    expect(indexes).toEqual([...indexes].sort())
    expect(indexes).toContain(2)
  })

  test('says that nothing was found, and shows no credential that was searched for', async () => {
    expect(await run('search', 'nothing of this', 'runs')).toMatchObject({ code: 1, stdout: '' })
    const { stdout } = await run('search', KEY, 'runs', '--json')
    expect([stdout.includes('ghp_'), jsonOf(stdout).length]).toEqual([false, 2])
    // Names of members do not count.
    expect((await run('search', 'observation', 'runs')).code).toBe(1)
    expect((await run('search')).code).toBe(2)
  })
})

test('diff compares streams by the steps that they make', async () => {
  const given = (command: string) =>
    streamOf({ id: 'x', day: '2026-02-02', status: 'succeeded', steps: [call('Bash', command)] })
  const files = { 'a.ndjson': given('ls'), 'b.ndjson': given('pwd'), 'c.ndjson': given('ls') }
  const { code, stdout } = await blazon(['diff', 'a.ndjson', 'b.ndjson'], { files })
  expect([code, stdout]).toEqual([
    1,
    'the runs part at step 0: /steps/0/action/input\n  {"command":"ls"}\n  {"command":"pwd"}\n',
  ])
  expect((await blazon(['diff', 'a.ndjson', 'c.ndjson'], { files })).code).toBe(0)
})

test('runs stats sums up by tool and day; a verdict counts with its call', async () => {
  const { stdout } = await run('stats', 'runs', '--json')
  expect(jsonOf(stdout)).toEqual([
    { tool: 'Bash', steps: 3, failed: 0, denied: 1, tokens: 10, costUsd: 0.5 },
    { tool: 'Read', steps: 1, failed: 0, denied: 0, tokens: 0, costUsd: 0 },
    { day: '2026-02-01', runs: 1, steps: 1, failed: 0, denied: 0, tokens: 0, costUsd: 2 },
    { day: '2026-02-02', runs: 1, steps: 3, failed: 0, denied: 1, tokens: 10, costUsd: 0.5 },
    { day: '2026-02-03', runs: 1, steps: 0, failed: 0, denied: 0, tokens: 0, costUsd: 0 },
  ])
  const { stdout: text } = await run('stats', 'runs')
  expect(text.split('\n').map((line) => line.trimEnd())).toEqual([
    'tool  steps  failed  denied  tokens   cost',
    'Bash      3               1      10  $0.50',
    'Read      1',
    '',
    'day         runs  steps  failed  denied  tokens   cost',
    '2026-02-01     1      1                          $2.00',
    '2026-02-02     1      3               1      10  $0.50',
    '2026-02-03     1',
    '',
  ])
})

test('a stream may name any number of tools, and their sums stay few', async () => {
  const steps = Array.from({ length: 3000 }, (_, i) => call(`t${i}`, 'x', { timestamp: '2026-02-02T10:00:00Z' }))
  const files = { 'r/a.ndjson': streamOf({ id: 'aaaa', day: '2026-02-02', steps }) }
  const { stdout } = await blazon(['runs', 'stats', 'r', '--json'], { files })
  const tools = jsonOf(stdout).filter(({ tool }) => tool !== undefined)
  expect([tools.length, tools[0]]).toEqual([1001, expect.objectContaining({ tool: 'others', steps: 2000 })])
})
