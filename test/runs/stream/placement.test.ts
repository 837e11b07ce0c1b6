// Each member of a record stands in one line of a stream. Everything else is refused by every reader.
import { beforeAll, describe, expect, test } from 'vitest'
import { convertRuns } from '../../../bindings/convert/index.ts'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import { validate } from '../../../bindings/index.ts'
import { generateKey, type PrivateKey } from '../../../bindings/keys/index.ts'
import { createRecorder, memorySink } from '../../../bindings/runs/index.ts'
import { assemble, checkLines, hashLines } from '../../../bindings/runs/stream/lines.ts'
import { originOf, signCheckpoint } from '../../../bindings/runs/stream/note.ts'
import { Leaves, leafHash } from '../../../bindings/runs/stream/tree.ts'
import { verifyStream } from '../../../bindings/runs/stream/verify.ts'
import { joinLines } from '../../../bindings/text/bytes.ts'
import { REVIEW } from '../records.ts'

type Value = Record<string, unknown>

// docs/guide/runs.md names these six; the first line holds all other members but the steps.
const { steps, status, final_output, error, completed_at, metadata, ...run } = REVIEW
const END = { status, final_output, error, completed_at, metadata }
const [step] = steps
const { observation: _, reflection: __, ...intent } = step
/** A stream as the guide describes it, with changes by position. */
function linesWith(changes: Record<number, Value> = {}): Uint8Array<ArrayBuffer>[] {
  const values: Value[] = [
    { type: 'run_started', run },
    { type: 'step_started', intent },
    { type: 'step', step },
    { type: 'certificate', chain: [] },
    { type: 'run_completed', end: { ...END, metadata: { ...metadata, total_tokens: undefined } } },
  ]
  return values.map((value, seq) => canonical({ ...value, run_id: run.run_id, seq, ...changes[seq] }))
}
const canonical = (value: Value) => canonicalizeValue(JSON.parse(JSON.stringify(value)))

/** Members that the head holds, and what a forger would write. */
const FORGED: Value = {
  run_id: 'other',
  version: 'adp-2',
  tenant_id: 'mallory',
  agent: { agent_id: 'mallory', aip: { cert_fingerprint: 'none' } },
  trace: { trace_id: '0'.repeat(32) },
  context: { task_description: 'nothing' },
  started_at: '2020-01-01T00:00:00Z',
  steps: [],
  input: {},
  unknown: 1,
}
const ATTACKS: readonly (readonly [title: string, changes: Record<number, Value>])[] = [
  ...Object.entries(FORGED).map(([name, value]) => [`end.${name}`, { 4: { end: { ...END, [name]: value } } }] as const),
  ...Object.entries({ ...END, cancellation: null, steps: [] }).map(
    ([name, value]) => [`run.${name}`, { 0: { run: { ...run, [name]: value } } }] as const,
  ),
  ['a run_id in the head other than the one of the lines', { 0: { run: { ...run, run_id: 'other' } } }],
  ['no run_id in the head', { 0: { run: { ...run, run_id: undefined } } }],
  ['an end next to a step', { 2: { step, end: END } }],
  ['a head next to the end', { 4: { end: END, run } }],
  ['a step next to an intent', { 1: { intent, step } }],
  ['a chain next to the end', { 4: { end: END, chain: [] } }],
  ['a head next to a certificate', { 3: { chain: [], run } }],
  ['an intent with an observation', { 1: { intent: { ...intent, observation: { type: 'none' } } } }],
  ['an intent without an action', { 1: { intent: { ...intent, action: undefined } } }],
  ['a member that no line has', { 2: { step, note: 'x' } }],
]

let key: PrivateKey
beforeAll(async () => {
  key = await generateKey('Ed25519')
})

const stream = (lines: readonly Uint8Array<ArrayBuffer>[]) => joinLines(lines)

/** Signed by the trusted key over every line, so that only the lines themselves can be at fault. */
async function verdictOf(lines: readonly Uint8Array<ArrayBuffer>[]) {
  const tree = new Leaves()
  for (const line of lines) tree.append(leafHash(line))
  const checkpoints = await signCheckpoint({ origin: originOf(run.run_id), size: tree.size, root: tree.root() }, key)
  return (await verifyStream(stream(lines), { checkpoints, keys: [key.publicKey] })).verdict
}
const answersOf = async (lines: readonly Uint8Array<ArrayBuffer>[]) => ({
  verify: await verdictOf(lines),
  validate: validate(stream(lines), { as: 'stream' }).valid,
  append: checkLines(await hashLines(stream(lines))).diagnostics.length === 0,
  convert: convertRuns(stream(lines), { to: 'run', file: 'r.ndjson' }).documents.length,
})

test('every reader takes the stream without a change', async () => {
  expect(await answersOf(linesWith())).toEqual({ verify: 'verified', validate: true, append: true, convert: 1 })
  expect(JSON.parse(new TextDecoder().decode(assemble(linesWith())))).toMatchObject({ ...run, status })
})

describe('every reader refuses', () => {
  test.each(ATTACKS)('%s', async (_title, changes) => {
    const lines = linesWith(changes)
    expect(() => assemble(lines)).toThrow(TypeError)
    expect(await answersOf(lines)).toEqual({ verify: 'failed', validate: false, append: false, convert: 0 })
  })
})

describe('an intent', () => {
  const codes = (changes: Record<number, Value>) =>
    validate(stream(linesWith(changes)), { as: 'stream' })
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map(({ code }) => code)

  test.each([
    ['action', { action: { ...intent.action, name: 'delete_file' } }],
    ['timestamp', { timestamp: '2025-12-14T10:00:01.235Z' }],
    ['parent_step_index', { parent_step_index: 7 }],
  ])('announces the step: another %s is a finding', async (_, change) => {
    const changes = { 1: { intent: { ...intent, ...change } } }
    expect(codes(changes)).toEqual(['RUN-231'])
    expect(await verdictOf(linesWith(changes))).toBe('failed')
  })

  test('may have less metadata than the step', () => {
    expect(codes({ 1: { intent: { ...intent, metadata: {} } } })).toEqual([])
  })

  test('stands once, and before its step', () => {
    expect(codes({ 3: { type: 'step_started', chain: undefined, intent } })).toEqual(['RUN-203'])
  })
})

test('the recorder refuses a head with members that stand in another line', async () => {
  const head = { tenant_id: 't', agent: { agent_id: 'a' }, status: 'succeeded' }
  await expect(createRecorder(head, { sink: memorySink() })).rejects.toThrow(/'status'/)
})

test('what a recorder writes is taken back as it is', async () => {
  const sink = memorySink()
  const recorder = await createRecorder({ tenant_id: 't', agent: { agent_id: 'a' } }, { sink, signer: key })
  const index = await recorder.begin({ type: 'tool_call', name: 'x', input: { a: 1 } }, { parent: 0.5 })
  await recorder.end(index, { type: 'tool_result', output: 2 }, { metadata: { cost: 1 } })
  const { runId } = await recorder.complete({ output: 'Done' })
  const { stream: bytes, checkpoints } = sink.read(runId)
  expect((await verifyStream(bytes, { checkpoints, keys: [key.publicKey] })).verdict).toBe('verified')
})
