// Run records of ADP-1: rules, levels and bounds.
import { existsSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { validate } from '../../bindings/runs/index.ts'
import schema from '../../bindings/runs/record/adp-1.json' with { type: 'json' }
import { RULES } from '../../bindings/runs/record/rules.ts'
import { RUN } from '../../bindings/runs/record/specification.ts'
import { validate as validateAny } from '../../bindings/verbs.ts'
import { casesOf } from '../support/cases.ts'
import { explainedRows } from '../support/explained.ts'
import { type Change, changed, merged, REVIEW, sharedData } from './records.ts'

interface Case extends Change {
  readonly name: string
  readonly expect: readonly string[]
}
const CASES: readonly Case[] = parseYaml(readFileSync('fixtures/runs/cases.yaml', 'utf8'))
const found = (value: unknown, options = {}) =>
  validate(JSON.stringify(value), options).diagnostics.map(({ rule, source }) => `${rule} ${source.pointer}`)
const codes = (source: string | Uint8Array) => validateAny(source, { as: 'run' }).diagnostics.map(({ code }) => code)

describe('the rules', () => {
  test.each(CASES)('$name', (row) => {
    expect(found(changed(REVIEW, row)).sort()).toEqual([...row.expect].sort())
  })
})

describe('required paths and closed lists', () => {
  const paths = CASES.filter(({ without, expect }) => without?.length === 1 && expect[0]?.startsWith('missing-member'))

  test('[runs/3.1.1-1] [runs/3.1.1-2] [runs/3.1.1-3] [runs/3.1.1-4] [runs/3.1.1-5] [runs/3.1.1-6] [runs/3.1.1-7] [runs/3.1.1-8] [runs/3.1.1-9] the cases leave out each required path of a run', () => {
    const run = [
      'version',
      'run_id',
      'tenant_id',
      'agent/agent_id',
      'agent/aip/cert_fingerprint',
      'steps',
      'status',
      'started_at',
      'completed_at',
    ]
    const left = paths.flatMap(({ without = [] }) => without)
    expect(left).toEqual(expect.arrayContaining(run.map((path) => `/${path}`)))
  })

  test('[runs/3.2.1-1] [runs/3.2.1-2] [runs/3.2.1-3] [runs/3.2.1-4] and each of a step', () => {
    const left = paths.flatMap(({ without = [] }) => without)
    const step = ['index', 'timestamp', 'action/type', 'observation/type']
    expect(left).toEqual(expect.arrayContaining(step.map((path) => `/steps/1/${path}`)))
  })

  test('[runs/3.1.1-10] [runs/3.2.1-5] a record with nothing else is valid', () => {
    const { version, run_id, tenant_id, status, started_at, completed_at } = REVIEW
    const agent = { agent_id: 'a', aip: { cert_fingerprint: REVIEW.agent.aip.cert_fingerprint } }
    const step = { index: 0, timestamp: started_at, action: { type: 'message' }, observation: { type: 'none' } }
    const record = { version, run_id, tenant_id, status, started_at, completed_at, agent, steps: [step] }
    expect(found(record)).toEqual(['step-reflection /steps/0', 'step-metadata /steps/0'])
    expect(found(record, { ruleset: 'spec' })).toEqual([])
  })

  test('[runs/3.2.2-1] [runs/3.2.2-2] [runs/3.2.2-3] [runs/3.2.2-4] [runs/3.2.2-5] [runs/3.2.3-1] [runs/3.2.3-2] [runs/3.2.3-3] [runs/3.2.3-4] [runs/3.2.3-5] all types are valid, and no other', () => {
    const withTypes = (action: string, observation: string) => {
      const set = {
        '/steps/0/action/type': action,
        '/steps/0/observation/type': observation,
        '/steps/0/observation/error': {},
      }
      return found(changed(REVIEW, { set: { ...set, '/steps/0/metadata/action_subtype': 'x' } }))
    }
    for (const type of ['tool_call', 'message', 'plan_update', 'model_inference', 'other'])
      expect(withTypes(type, 'none')).toEqual([])
    for (const type of ['tool_result', 'environment', 'user_input', 'error', 'none'])
      expect(withTypes('message', type)).toEqual([])
    expect(withTypes('Tool_Call', 'nothing')).toEqual([
      'enum-value /steps/0/action/type',
      'enum-value /steps/0/observation/type',
    ])
  })

  test('[runs/4-2] [runs/4-4] [runs/6-1] [runs/6-2] extensions are ignored, and two tenants are reported', () => {
    const set = { '/agent/aip/serial': '7', '/agent/aip/tenant_id': 'x', '/context/a': [], '/metadata/openai.org': 1 }
    expect(found(changed(REVIEW, { set }))).toEqual(['run-tenant /agent/aip/tenant_id'])
  })
})

describe('findings', () => {
  const rules = explainedRows([...RULES, ...RUN.words.rules.values()]).filter(({ bad, good }) =>
    [bad, good].every((text) => text.startsWith('{')),
  )
  /** Examples show the members in question; the rest is that of a valid record. */
  const example = (text: string) => {
    const { steps, action, observation, metadata, ...rest } = JSON.parse(text)
    if (action !== undefined || observation !== undefined)
      return {
        ...REVIEW,
        metadata: {},
        steps: [{ ...REVIEW.steps[0], ...JSON.parse(text), action: merged(REVIEW.steps[0].action, action) }],
      }
    const given = steps?.map((step: object, index: number) => merged({ ...REVIEW.steps[1], index }, step))
    return merged(
      { ...REVIEW, metadata: {}, ...(given && { steps: given }) },
      { ...rest, ...(metadata && { metadata }) },
    )
  }
  const withoutStep = ['step-reflection', 'step-metadata']

  test.each(rules.filter(({ id }) => ![...withoutStep, 'missing-member'].includes(id)))(
    '$id: the bad example breaks the rule, the good one does not',
    ({ id, bad, good }) => {
      const told = (text: string) => found(example(text)).map((finding) => finding.split(' ')[0])
      expect(told(bad)).toContain(id)
      expect(told(good)).not.toContain(id)
    },
  )
})

/** Forms of ISO 8601-1:2019 sections 5.2 and 5.3, and no others. */
const ISO_8601 = [
  ...['2025', '2025-02', '2025-02-28', '20250228', '2024-02-29', '2025-365', '2024-366', '2025059', '2025-W09'],
  ...['2025-W09-5', '2025W095', '2020-W53-5', '2026-W53', '2025-02-28T10', '2025-02-28T10:30', '20250228T1030'],
  ...['2025-02-28T10:30:05', '2025-02-28 10:30', '2025-02-28T10.5Z', '2025-02-28T10:30,5', '2025-02-28T10:30+01'],
  ...['2025-02-28T24:00:00Z', '2025-02-28T24:00', '2025-W09-5T10:30Z', '2025-059T10:30Z', '20161231T235960Z'],
]
const IMPOSSIBLE = [
  ...[
    '2025-02-30',
    '20250230',
    '2025-02-29',
    '2025-13',
    '2025-00-01',
    '2025-W54-1',
    '2025-W53-1',
    '2025-W00',
    '2025-366',
  ],
  ...['2024-367', '2025-000', '2025-W09-0', '2025-W09-8', '25:00', '10:30', '2025-02-28T25:00', '2025-02-28T24:01'],
  ...[
    '2025-02-28T24:00:00.1Z',
    '2025-02-28T10:60',
    '2025-02-28T10:30:61',
    '2025-02-28T10:30:60Z',
    '2025-02-30T10:00:00Z',
  ],
  ...[
    '2025-02-28T10:30+25',
    '2025-02-28T10:30+01:60',
    '2025-02T10:30',
    '2025T10',
    '2025-W09T10',
    '2025-02-28T',
    '202502',
  ],
  ...[
    'yesterday',
    '',
    '1733857200',
    '2025-02-28Z',
    '2025-02-28T10:30Zx',
    '2025-2-8',
    `2025-02-28T10:30.${'1'.repeat(99)}`,
  ],
]

describe('[runs/3.1.1-8] times', () => {
  const places = ['/started_at', '/completed_at', '/steps/0/timestamp']
  const codesOf = (time: string, pointer: string) =>
    validate(JSON.stringify(changed(REVIEW, { set: { [pointer]: time } })))
      .diagnostics.filter(({ code }) => /RUN-11[01]/.test(code))
      .map(({ code, severity, source }) => [code, severity, source.pointer])

  test.each(ISO_8601)('%s is a form of ISO 8601: a warning', (time) => {
    for (const at of places) expect(codesOf(time, at)).toEqual([['RUN-111', 'warning', at]])
    expect(validate(JSON.stringify(changed(REVIEW, { set: { '/started_at': time } }))).conformance?.level).toBe(1)
  })

  test.each(IMPOSSIBLE)('%j does not exist: an error', (time) => {
    for (const at of places) expect(codesOf(time, at)).toEqual([['RUN-110', 'error', at]])
  })
})

describe('the schema', () => {
  const reconstructed = sharedData('acl/adp-1.reconstructed.schema.json')
  // Whether a time exists is not a matter of the schema: it would refuse what is only a warning.
  const options = { strict: false, validateFormats: false }

  test('accepts every record without an error, in all forms of times', () => {
    const accepts = new Ajv2020({ strict: true }).compile(schema)
    for (const time of [...ISO_8601, '2025-12-10T19:00:00Z'])
      expect([time, accepts(changed(REVIEW, { set: { '/started_at': time } }))]).toEqual([time, true])
  })

  test.skipIf(reconstructed === undefined)('[runs/8.2-1] refuses what the reconstructed one refuses', () => {
    const [ours, theirs] = [schema, JSON.parse(reconstructed!)].map((one) => new Ajv2020(options).compile(one))
    for (const row of CASES) {
      const record = changed(REVIEW, row)
      expect([row.name, ours!(record)]).toEqual([row.name, theirs!(record)])
    }
  })
})

describe('[runs/8.1-1] [runs/8.1-2] [runs/8.1-3] [runs/8.1-4] [runs/8.1-5] [runs/8.1-6] [runs/8.1-7] [runs/8.1-8] [runs/8.1-9] [runs/8.1-10] levels', () => {
  const levelOf = (value: unknown) => validate(JSON.stringify(value)).conformance!
  const outcomes = (value: unknown) => levelOf(value).demands.map(({ level, outcome }) => `${level} ${outcome}`)

  test('a valid record shows level 1, and leaves open what only its certificate shows', () => {
    expect(levelOf(REVIEW).level).toBe(1)
    expect(outcomes(REVIEW)).toEqual([
      ...['1 met', '1 met', '1 met'],
      ...['2 unknown', '2 unknown', '2 unknown'],
      ...['3 unknown', '3 met', '3 met'],
    ])
  })

  test('a record without a required field shows level 0', () => {
    const lacks = changed(REVIEW, { without: ['/status'] })
    expect([levelOf(lacks).level, outcomes(lacks)[1]]).toEqual([0, '1 unmet'])
    expect(outcomes(changed(REVIEW, { without: ['/steps/0/index'] }))[2]).toBe('1 unmet')
  })

  test.each([
    ['no certificate', { set: { '/agent/aip/cert_fingerprint': 'none' } }, 3],
    ['no capabilities', { without: ['/agent/aip/capabilities'] }, 4],
    ['another tenant', { set: { '/agent/aip/tenant_id': 'other' } }, 5],
    ['a gap', { set: { '/steps/2/index': 4 } }, 6],
    ['a reflection without uncertainty', { without: ['/steps/0/reflection/uncertainty'] }, 7],
    ['a verdict that is not valid', { without: ['/steps/2/observation/output/decision'] }, 8],
  ] as const)('does not meet a demand with %s', (_, change, at) => {
    expect(outcomes(changed(REVIEW, change))[at]).toMatch(/unmet/)
  })

  test('does not claim a level for a record of another version', () => {
    expect(levelOf({ ...REVIEW, version: 'adp-2' })).toBeUndefined()
  })
})

describe("the specification's own examples", () => {
  const path = '../shared/specs/4-adp-1-agent-data.md'
  const [run, step] = existsSync(path)
    ? Array.from(readFileSync(path, 'utf8').matchAll(/```jsonc\n([^`]*)```/g), ([, json]) => json!)
    : []

  test.skipIf(run === undefined)('the run of section 3.1 shows level 1, with a warning about its fingerprint', () => {
    const { valid, diagnostics, conformance } = validate(run!)
    expect([valid, diagnostics.map(({ code }) => code), conformance?.level]).toEqual([true, ['RUN-123'], 1])
  })

  test.skipIf(step === undefined)('the step of section 3.2 is valid', () => {
    expect(found({ ...REVIEW, metadata: {}, started_at: '2025-12-10T19:00:00Z', steps: [JSON.parse(step!)] })).toEqual(
      [],
    )
  })

  const sample = sharedData('acl/adp-sample-run.json')
  test.skipIf(sample === undefined)('the sample of its authors has no finding', () => {
    expect(validate(sample!).diagnostics).toEqual([])
  })
})

describe('bounds', () => {
  const text = JSON.stringify(REVIEW)
  const deep = (levels: number) => text.replace('"rows":41', `"rows":${'['.repeat(levels)}${']'.repeat(levels)}`)
  const steps = (count: number) => ({
    ...REVIEW,
    metadata: {},
    steps: Array.from({ length: count }, (_, index) => ({ ...REVIEW.steps[1], index, timestamp: REVIEW.started_at })),
  })

  test('each limit has a code of its own', () => {
    expect(codes(`\ufeff${text}`)).toEqual(['DOC-105'])
    expect(codes(text.replace('"status"', '"version":"adp-1","status"'))).toEqual(['DOC-107'])
    expect(codes(deep(59))).toEqual([])
    expect(codes(deep(60))).toEqual(['DOC-113'])
    expect(codes(text.replace('"rows":41', `"rows":"${'x'.repeat(2 ** 26)}"`))).toEqual(['DOC-114'])
  })

  test('takes 100,000 steps, and refuses one more as a whole', () => {
    expect(codes(JSON.stringify(steps(casesOf(100_000))))).toEqual([])
    const emptySteps = (count: number) =>
      JSON.stringify({ ...steps(0), steps: Array.from({ length: count }, () => ({})) })
    expect(codes(emptySteps(100_000))).not.toContain('RUN-108')
    expect(codes(emptySteps(100_001))).toEqual(['RUN-108'])
  })
})
