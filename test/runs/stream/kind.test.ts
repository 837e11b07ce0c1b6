// A stream as a document: findings stand at the place in the stream, also those about the record.
import { expect, test } from 'vitest'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import { validate } from '../../../bindings/index.ts'
import { split } from '../../../bindings/runs/index.ts'
import { changed, REVIEW } from '../records.ts'

const decoder = new TextDecoder()
const LINES = split(JSON.stringify(REVIEW)).lines!.map((line) => decoder.decode(line))
const streamOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

const findings = (source: string) =>
  validate(source, { as: 'stream' }).diagnostics.map(({ code, severity, source: { pointer, line } }) => [
    code,
    severity,
    pointer,
    line,
  ])

test('a stream is detected by the ending of its name, and shows the level of its record', () => {
  const { kind, valid, conformance } = validate(streamOf(LINES), { file: 'run.ndjson' })
  expect([kind, valid, conformance?.level]).toEqual(['stream', true, 1])
})

test.each([
  ['a step', LINES[2]!, LINES[2]!.replace('"uncertainty":0.1', '"uncertainty":7'), '/2/step/reflection/uncertainty', 3],
  [
    'the start',
    LINES[0]!,
    LINES[0]!.replace('"agent_id":"invoice-checker",', '"agent_id":7,'),
    '/0/run/agent/agent_id',
    1,
  ],
  ['the end', LINES.at(-1)!, LINES.at(-1)!.replace('"succeeded"', '"done"'), '/4/end/status', 5],
])('a fault of the record in %s is found there', (_, before, after, pointer, line) => {
  const found = findings(streamOf(LINES.map((one) => (one === before ? after : one))))
  expect(before).not.toBe(after)
  expect(found).toEqual([[expect.stringMatching(/^RUN-1/), 'error', pointer, line]])
})

test('a fault of a step that ended later is found at its own line', () => {
  const line = (seq: number, index: number, type: string) => ({
    type: 'step',
    run_id: REVIEW.run_id,
    seq,
    step: { index, timestamp: REVIEW.started_at, action: { type }, observation: { type: 'none' } },
  })
  const steps = [line(1, 1, 'message'), line(2, 0, 'odd')].map((value) => decoder.decode(canonicalizeValue(value)))
  const end = LINES.at(-1)!.replace(/"seq":\d+/, '"seq":3')
  expect(findings(streamOf([LINES[0]!, ...steps, end])).filter(([, severity]) => severity === 'error')).toEqual([
    [expect.stringMatching(/^RUN-1/), 'error', '/2/step/action/type', 3],
  ])
})

test.each([
  ['another form', [`${LINES[0]} `, ...LINES.slice(1)], 'RUN-201', '/0'],
  ['a removed line', [LINES[0]!, ...LINES.slice(2)], 'RUN-202', '/1'],
  ['a line twice', [...LINES.slice(0, 2), LINES[1]!, ...LINES.slice(2)], 'RUN-203', '/2'],
  ['no end', LINES.slice(0, -1), 'RUN-204', '/3'],
])('%s is found at its line', (_, lines, code, pointer) => {
  expect(findings(streamOf(lines)).map(([found, , at]) => [found, at])).toContainEqual([code, pointer])
})

test('a line that is not JSON is a finding of the reader, at its place', () => {
  expect(findings(streamOf([LINES[0]!, '{"a":', ...LINES.slice(1)]))).toEqual([['DOC-102', 'error', '/1/a', 2]])
})

test('a record may be as deep in a stream as by itself', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })
  const depths = [59, 60].map((depth) => {
    const record = changed(REVIEW, { set: { '/metadata/x': nested(depth + 2) } })
    const { lines } = split(JSON.stringify(record))
    return lines === undefined ? 'no record' : findings(streamOf(lines.map((line) => decoder.decode(line)))).length
  })
  expect(depths).toEqual([0, 0])
})

test('no lines are no stream', () => {
  expect(findings('').map(([code]) => code)).toEqual(['RUN-202'])
})
