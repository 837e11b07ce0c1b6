// Verifying a stream judges the record that its lines make as validating that record does.
import { expect, test } from 'vitest'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import { createVerdict, validate, verdictStep, verifyStream } from '../../../bindings/runs/index.ts'
import { joinLines } from '../../../bindings/text/bytes.ts'
import { type Change, changed, REVIEW } from '../records.ts'

const nested = (levels: number): unknown => (levels === 1 ? {} : { a: nested(levels - 1) })
const verdict = createVerdict({ decision: 'deny', reasoning: 'It has an SSN', confidence: 1, violations: ['No PII'] })
const judged = verdictStep(verdict, { text: 'a draft' }, { index: 0, at: new Date('2025-12-10T19:00:01Z') })
const moved = changed(judged, { set: { '/action/input/draft_output/text': 'another' } })

const CHANGES: readonly (readonly [what: string, isValid: boolean, change: Change])[] = [
  ['nothing', true, {}],
  ['64 levels in a step', true, { set: { '/steps/0/action/input': nested(60) } }],
  ['65 levels in a step', false, { set: { '/steps/0/action/input': nested(61) } }],
  ['66 levels in a step', false, { set: { '/steps/0/action/input': nested(62) } }],
  ['64 levels at the start', true, { set: { '/context': nested(63) } }],
  ['64 levels at the end', true, { set: { '/metadata/x': nested(62) } }],
  ['a time without a zone', true, { set: { '/steps/0/timestamp': '2025-12-10T19:00:01' } }],
  ['a day that does not exist', false, { set: { '/steps/0/timestamp': '2025-02-30T19:00:01Z' } }],
  ['an unknown type of action', false, { set: { '/steps/0/action/type': 'thought' } }],
  ['a parent that is missing', false, { set: { '/steps/1/parent_step_index': -1 } }],
  ['another version', false, { set: { '/version': 'adp-2' } }],
  ['no status', false, { without: ['/status'] }],
  ['a verdict', true, { set: { '/steps/0': judged } }],
  ['a verdict on another draft', false, { set: { '/steps/0': moved } }],
  [
    'a verdict that contradicts itself',
    false,
    { set: { '/steps/0': judged, '/steps/0/observation/output/approved': true } },
  ],
]

const END = ['status', 'final_output', 'error', 'cancellation', 'completed_at', 'metadata']

/** The lines of any record, also of one that `split` refuses. */
function linesOf({ steps, ...record }: Record<string, unknown>): Uint8Array[] {
  const [start, end] = [false, true].map((isEnd) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => END.includes(name) === isEnd)),
  )
  const contents = [
    { type: 'run_started', run: start },
    ...(steps as unknown[]).map((step) => ({ type: 'step', step })),
    { type: 'run_completed', end },
  ]
  return contents.map((content, seq) => canonicalizeValue({ ...content, run_id: record['run_id'], seq }))
}

test.each(CHANGES)('%s: a stream is refused exactly if its record is invalid', async (_, isValid, change) => {
  const record = changed(REVIEW, change) as Record<string, unknown>
  const proof = await verifyStream(joinLines(linesOf(record)), { checkpoints: new Uint8Array() })
  const { detail, outcome } = proof.steps.find(({ name }) => name === 'record')!
  const error = validate(record).diagnostics.find(({ severity }) => severity === 'error')
  expect([error === undefined, outcome]).toEqual([isValid, isValid ? 'passed' : 'failed'])
  if (error !== undefined) expect(detail).toBe(`${error.detail} (${error.code})`)
})
