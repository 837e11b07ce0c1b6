// What the audit of a record against another witness finds.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { auditRuns } from '../../../bindings/convert/run/audit.ts'
import { readRuns } from '../../../bindings/convert/run/convert-runs.ts'
import { runToOtlp } from '../../../bindings/convert/run/to-otlp.ts'
import { split } from '../../../bindings/runs/index.ts'
import { REVIEW } from '../../runs/records.ts'

type Json = Readonly<Record<string, unknown>>

const SESSION = readRuns(readFileSync('fixtures/runs/codex-session.jsonl'), { file: 'session.jsonl' }).runs

/** The calls that the hooks saw, as steps. */
const STEPS = readFileSync('fixtures/runs/codex-hook-events.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter((event) => event.hook_event_name === 'PreToolUse')
  .map((event, index) => ({
    index,
    timestamp: '2026-11-22T22:27:21Z',
    action: { type: 'tool_call', name: event.tool_name, input: event.tool_input },
    observation: { type: 'none' },
    metadata: { 'adp.call_id': event.tool_use_id },
  }))

const record = (steps: readonly unknown[], more: Json = {}): Json => ({ ...REVIEW, run_id: 'r1', steps, ...more })
const codesOf = (records: readonly Json[], witnesses = SESSION) =>
  auditRuns(records, witnesses).diagnostics.map(({ code }) => code)

describe('two copies of one run', () => {
  const step = REVIEW.steps[0]
  const withStep = (change: Json) => ({ ...REVIEW, steps: [{ ...step, ...change }, ...REVIEW.steps.slice(1)] })

  test('agree when they are equal, or one hides content', () => {
    expect(codesOf([REVIEW], [structuredClone(REVIEW)])).toEqual([])
    const { task_description: _, ...context } = REVIEW.context
    const { input: __, ...action } = step.action
    expect(codesOf([REVIEW], [{ ...withStep({ action }), context }])).toEqual([])
    const commit = { 'adp.commit': `sha256:${'0'.repeat(64)}` }
    const hidden = withStep({ observation: { ...step.observation, output: commit } })
    expect(codesOf([REVIEW], [hidden])).toEqual([])
  })

  test.each<[string, Json]>([
    ['another output', withStep({ observation: { ...step.observation, output: { rows: 40 } } })],
    ['another input', withStep({ action: { ...step.action, input: { path: '/etc/passwd' } } })],
    ['more in the input', withStep({ action: { ...step.action, input: { ...step.action.input, force: true } } })],
    ['another action', withStep({ action: { ...step.action, name: 'delete_file' } })],
    ['another status', { ...REVIEW, status: 'failed' }],
    ['another final output', { ...REVIEW, final_output: { ...REVIEW.final_output, content: 'None match.' } }],
    ['another agent', { ...REVIEW, agent: { ...REVIEW.agent, agent_id: 'mallory' } }],
    ['a step less', { ...REVIEW, steps: REVIEW.steps.slice(1) }],
  ])('%s is a fork, whichever side is first', (_, other) => {
    expect(codesOf([REVIEW], [other])).toEqual(['RUN-405'])
    expect(codesOf([other], [REVIEW])).toEqual(['RUN-405'])
  })
})

describe('[runs/7.1-3] the hooks of a Codex run, against its own session', () => {
  test('agree', () => {
    expect(auditRuns([record(STEPS)], SESSION)).toEqual({ shared: 3, withoutId: 0, diagnostics: [] })
  })

  test.each([0, 1, 2])('call %i that was cut out of the stream is found', (cut) => {
    const { diagnostics } = auditRuns([record(STEPS.filter((_, i) => i !== cut))], SESSION)
    expect(diagnostics).toMatchObject([
      { code: 'RUN-401', detail: `The call 'call_${cut}' of 'exec_command' is not in the record` },
    ])
  })

  test('in a sealed stream as well', () => {
    const lines = split(record(STEPS.slice(1).map((step, index) => ({ ...step, index })))).lines!
    const stream = `${lines.map((line) => new TextDecoder().decode(line)).join('\n')}\n`
    const { runs } = readRuns(stream, { file: 'run.ndjson' })
    expect(codesOf(runs)).toEqual(['RUN-401'])
  })

  test('a call that only the record has, a call with another input', () => {
    const other = { ...STEPS[0], index: 3, metadata: { 'adp.call_id': 'call_9' } }
    expect(codesOf([record([...STEPS, other])])).toEqual(['RUN-402'])
    const changed = { ...STEPS[1], action: { ...STEPS[1]!.action, input: { command: 'cat b.txt' } } }
    expect(codesOf([record([STEPS[0], changed, STEPS[2]])])).toEqual(['RUN-403'])
  })

  test('inputs that were removed or committed to are not compared', () => {
    const hidden = STEPS.map((step) => ({
      ...step,
      action: { type: 'tool_call', input: { 'adp.commit': 'sha256:0' } },
    }))
    expect(codesOf([record(hidden)])).toEqual([])
    expect(codesOf([record(STEPS.map((step) => ({ ...step, action: { type: 'tool_call' } })))])).toEqual([])
  })
})

test('a run without a record, whatever names it', () => {
  expect(codesOf([record([])])).toEqual(['RUN-404'])
  expect(codesOf([record([], { context: { session_id: SESSION[0]!['run_id'] } })])).toEqual([
    'RUN-401',
    'RUN-401',
    'RUN-401',
  ])
  expect(codesOf([record([])], [{ run_id: 'r1' }, { run_id: 'r2' }])).toEqual(['RUN-404'])
})

test('an own trace agrees with its record', () => {
  const own = record(STEPS, { trace: REVIEW.trace })
  const { runs } = readRuns(runToOtlp(own, { carry: 'all' }).text)
  expect(auditRuns([own], runs)).toMatchObject({ shared: 3, diagnostics: [] })
})

test('calls without an id are counted', () => {
  expect(auditRuns([record([{ ...STEPS[0], metadata: {} }])], SESSION).withoutId).toBe(1)
})

test('calls that only the record has are counted beyond the first 100', () => {
  const many = Array.from({ length: 350 }, (_, index) => ({
    ...STEPS[0],
    index,
    metadata: { 'adp.call_id': `own_${index}` },
  }))
  const { diagnostics } = auditRuns([record([...STEPS, ...many, ...many])], SESSION)
  expect(diagnostics.map(({ code }) => code)).toEqual(Array.from({ length: 101 }, () => 'RUN-402'))
  // The first 100 ids are known, so their repetitions do not count.
  expect(diagnostics.at(-1)!.detail).toBe('500 more of this kind')
})

test('a copy that is a witness next to a session leaves the findings of both', () => {
  const copy = record(STEPS)
  expect(codesOf([record(STEPS.slice(1))], [copy])).toEqual(['RUN-405'])
  expect(codesOf([record(STEPS.slice(1))], [copy, ...SESSION])).toEqual(['RUN-405', 'RUN-401'])
  expect(
    codesOf([record(STEPS)], [record(STEPS), record([], { run_id: 'other', trace: undefined, context: undefined })]),
  ).toEqual(['RUN-404'])
})
