import { expect, test } from 'vitest'
import {
  BeginOrder,
  durationText,
  Timeline,
  type TimelineStep,
  timelineOf,
} from '../../bindings/runs/record/timeline.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import { blazon } from '../cli/terminal.ts'
import { random as randomOf } from '../support/random.ts'
import { changed, REVIEW } from './records.ts'

const HEAD = { run_id: 'r', started_at: '2026-01-02T03:04:05Z', agent: { agent_id: 'a' } }
const step = (index: number, parent: number | null = null, more: object = {}) => ({
  index,
  parent_step_index: parent,
  timestamp: `2026-01-02T03:04:0${5 + index}Z`,
  action: { type: 'tool_call', name: `tool-${index}` },
  observation: { type: 'tool_result' },
  ...more,
})
const intent = (index: number, parent: number | null = null) => {
  const { observation: _, ...begun } = step(index, parent)
  return begun
}
const NESTED = [
  { type: 'run_started', run: HEAD },
  { type: 'step_started', intent: intent(0) },
  { type: 'step_started', intent: intent(1, 0) },
  { type: 'step', step: step(1, 0, { observation: { type: 'error' }, metadata: { latency_ms: 1500 } }) },
  { type: 'step', step: step(0) },
  { type: 'step_started', intent: intent(2) },
]
const streamOf = (values: readonly object[]) =>
  `${values.map((value, seq) => canonical({ ...value, run_id: 'r', seq })).join('\n')}\n`

/** Canonical JSON of plain test values. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

test('a record becomes one row a step, and a summary', () => {
  const { steps, summary } = timelineOf(REVIEW)
  expect(steps.map(({ index, depth, type, name, after, took }) => [index, depth, type, name, after, took])).toEqual([
    [0, 0, 'tool_call', 'read_file', 1234, 320],
    [1, 0, 'model_inference', 'compare', 5678, 1250],
    [2, 0, 'tool_call', 'policy_judge', 8901, 450],
  ])
  expect(steps.map(({ verdict }) => verdict)).toEqual([undefined, undefined, 'allow'])
  expect(summary).toMatchObject({ status: 'succeeded', took: 12_345, tokens: 1319, costUsd: 0.0089, failed: 0 })
})

const withDecision = (decision: string | undefined) =>
  changed(REVIEW, { set: { '/steps/2/observation/output/decision': decision } }) as object as JsonObject

test('a verdict says its decision, and another value is invalid', () => {
  const decisions = ['deny', 'escalate', 'revise', undefined]
  const rows = decisions.map((decision) => timelineOf(withDecision(decision)).steps[2])
  expect(rows.map((row) => row?.verdict)).toEqual(['deny', 'escalate', 'invalid', 'invalid'])
})

test('parents that make a circle or a chain without end are drawn, at a bounded depth', () => {
  const chain = Array.from({ length: 100 }, (_, index) => step(index, index === 0 ? 0 : index - 1))
  const { steps } = timelineOf({ ...HEAD, steps: chain })
  expect(Math.max(...steps.map(({ depth }) => depth))).toBe(32)
})

test('a step has the depth of its parent and one more, whatever the order and the size of indices', () => {
  const random = randomOf(45)
  const [timeline, depths] = [new Timeline(), new Map<number, number>()]
  for (let i = 0; i < 5000; i++) {
    const next = random() < 0.9 ? i : Math.floor(random() * 6000) - 10
    const index = random() < 0.02 ? 2 ** 40 + i : next
    const parent = random() < 0.3 ? null : Math.floor(random() * i)
    const depth = parent === null ? 0 : Math.min((depths.get(parent) ?? 0) + 1, 32)
    depths.set(index, depth)
    expect(timeline.add(step(index, parent)).depth).toBe(depth)
  }
})

test('a record of any shape has a timeline', () => {
  const odd = [{}, { steps: 5 }, { steps: [1, null, { index: 'x' }, { action: 3, observation: [], metadata: 'm' }] }]
  expect(odd.map((record) => timelineOf(record).steps.length)).toEqual([0, 0, 2])
})

test('steps stand in the order in which they began', () => {
  const order = new BeginOrder()
  const row = (index: number, state: TimelineStep['state']) => ({ index, state }) as TimelineStep
  const shown = [row(0, 'open'), row(1, 'open'), row(1, 'ended'), row(0, 'ended'), row(2, 'open')].map((one) =>
    order.take(one).map(({ index }) => index),
  )
  expect(shown).toEqual([[], [], [], [0, 1], []])
  expect(order.rest()).toEqual([row(2, 'open')])
})

test('a step that never ends does not hold back more than 10,000 others', () => {
  const order = new BeginOrder()
  order.take({ index: 0, state: 'open' } as TimelineStep)
  const counts = Array.from(
    { length: 10_001 },
    (_, i) => order.take({ index: i + 1, state: 'ended' } as TimelineStep).length,
  )
  expect(Math.max(...counts)).toBe(10_001)
})

test.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [12_345, '12.3 s'],
  [192_000, '3 min 12 s'],
])('%d milliseconds are written %s', (ms, text) => expect(durationText(ms)).toBe(text))

test('runs show draws a stream as a tree, with what failed and what did not end', async () => {
  const { code, stdout, stderr } = await blazon(['runs', 'show', 'r.ndjson'], {
    files: { 'r.ndjson': streamOf(NESTED) },
  })
  expect(stdout.split('\n').map((line) => line.trim())).toEqual([
    '0      +0 ms  tool-0',
    '1     +1.0 s    tool-1',
    '✕ failed (1.5 s)',
    '2     +2.0 s  tool-2',
    '… did not end',
    '',
  ])
  expect(stderr).toContain('a, 2026-01-02T03:04:05Z, not ended, 3 steps, 1 failed, 1 did not end')
  expect(code).toBe(0)
})

test('runs show keeps two lines a step, whatever its text', async () => {
  const forged = 'x\n    9       +1 ms             tool_call rm\x1b[2J\u202e'
  const record = changed(REVIEW, { set: { '/steps/0/action/name': forged, '/agent/agent_id': forged } })
  const { stdout, stderr } = await blazon(['runs', 'show', '-'], { stdin: JSON.stringify(record) })
  expect(stdout.split('\n')).toHaveLength(7)
  expect(['\x1b', '\u202e'].filter((hidden) => (stdout + stderr).includes(hidden))).toEqual([])
})

test('runs show says what the recorder could not see', async () => {
  const seen = ['calls inside Code Mode', 'exit\ncodes', 7]
  const record = changed(REVIEW, { set: { '/metadata/adp.not_seen': seen } })
  const { stderr } = await blazon(['runs', 'show', '-'], { stdin: JSON.stringify(record) })
  expect(stderr.match(/^not seen: .*$/gm)).toEqual(['not seen: calls inside Code Mode', 'not seen: exit codes'])
})

test('runs tail shows what is appended, and ends with the run', async () => {
  const whole = [...NESTED, { type: 'step', step: step(2) }, { type: 'run_completed', end: { status: 'succeeded' } }]
  const text = streamOf(whole)
  let size = text.length >> 1
  const files = { 'r.ndjson': text.slice(0, size) }
  const { code, stdout, stderr } = await blazon(['runs', 'tail', 'r.ndjson'], {
    files,
    // The file grows in the middle of a line.
    changes(all) {
      all['r.ndjson'] = text.slice(0, size)
      size += 60
      return Promise.resolve()
    },
  })
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().slice(0, 1)),
  ).toEqual(['0', '1', '1', '✕', '0', '2', '2'])
  expect(stderr).toContain('succeeded, 3 steps, 1 failed')
  expect(code).toBe(0)
})

test('a line that is not of the stream is a finding', async () => {
  const text = `${streamOf(NESTED.slice(0, 2))}{"type":"step_started"}\nno JSON\n`
  const { code, stderr } = await blazon(['runs', 'show', 'r.ndjson'], { files: { 'r.ndjson': text } })
  expect(stderr).toMatch(/RUN-201[\s\S]*r\.ndjson:4/)
  expect(code).toBe(1)
})

test('the rows of a timeline are the same from lines and from the record', () => {
  const timeline = new Timeline()
  const [head, ended] = [NESTED[0]!, NESTED.filter(({ type }) => type === 'step')]
  const rows = [head, ...ended].map((line) => timeline.take(line as never)).filter((row) => row !== undefined)
  expect(new Set(rows)).toEqual(
    new Set(timelineOf({ ...HEAD, steps: ended.map((line) => (line as { step?: unknown }).step) }).steps),
  )
})
