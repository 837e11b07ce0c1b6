// Verdicts of PVS-1: rules, levels, creation, and the steps that hold them.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { createVerdict, upgradeVerdict, validate as validateRun, verdictStep } from '../../bindings/runs/index.ts'
import schema from '../../bindings/runs/verdict/pvs-1.json' with { type: 'json' }
import { VERDICT } from '../../bindings/runs/verdict/specification.ts'
import { validate } from '../../bindings/verbs.ts'
import { explainedRows, shapeFindings } from '../support/explained.ts'
import { REVIEW, sharedData } from './records.ts'

const DENIAL = {
  version: 'pvs-1',
  decision: 'deny',
  approved: false,
  reasoning: 'The draft has an SSN.',
  policy_violations: ['No PII'],
  confidence_score: 0.98,
}
const { decision: _, ...LEGACY } = DENIAL
const rulesOf = (value: unknown) =>
  validate(JSON.stringify(value), { as: 'verdict' }).diagnostics.map(({ rule }) => rule)

describe('[runs/pvs.1-1] [runs/pvs.1-2] [runs/pvs.1-3] [runs/pvs.1-4] [runs/pvs.1-5] [runs/pvs.1-6] the vectors of PVS-1', () => {
  const text = sharedData('acl/pvs-1-vectors.json')
  const vectors = text === undefined ? [] : JSON.parse(text).vectors

  test.skipIf(text === undefined)('there are twelve', () => expect(vectors).toHaveLength(12))

  test.each<{ id: string; valid: boolean; data: object }>(vectors)('$id', ({ valid, data }) => {
    expect(validate(JSON.stringify(data), { as: 'verdict' }).valid).toBe(valid)
    expect(new Ajv2020().compile(schema)(data)).toBe(valid)
  })
})

describe('[runs/pvs.1-7] [runs/pvs.1-8] the rules', () => {
  test.each([
    ['a verdict of PVS-2 is refused by name', { ...DENIAL, version: 'pvs-2' }, ['verdict-version']],
    ['so is revise', { ...DENIAL, decision: 'revise' }, ['verdict-revise']],
    ['an unknown decision is an unknown value', { ...DENIAL, decision: 'block' }, ['enum-value']],
    ['a verdict without a decision is a legacy one', LEGACY, ['verdict-legacy']],
    ['a denial is not approved', { ...DENIAL, approved: true }, ['verdict-consistency']],
    ['one that allows has no violations', { ...DENIAL, decision: 'allow', approved: true }, ['verdict-consistency']],
    ['a denial may name no violation', { ...DENIAL, policy_violations: [] }, []],
    ['an escalation may name violations', { ...DENIAL, decision: 'escalate' }, []],
    ['an uncertain denial should be escalated', { ...DENIAL, confidence_score: 0.89 }, ['verdict-confidence']],
    ['0.9 is enough', { ...DENIAL, confidence_score: 0.9 }, []],
    ['a verdict gives a reason', { ...DENIAL, reasoning: ' ' }, ['verdict-reasoning']],
    ['unknown members are ignored', { ...DENIAL, extra: 1, metadata: { 'acme.x': [1] } }, []],
    ['latency is an integer', { ...DENIAL, metadata: { latency_ms: 1.5 } }, ['member-type']],
  ] as const)('%s', (_, verdict, expected) => expect(rulesOf(verdict)).toEqual(expected))

  test.each(
    explainedRows([...VERDICT.rules, ...shapeFindings(VERDICT, schema)]).filter(({ id }) => id !== 'missing-member'),
  )('$id: the bad example breaks the rule, the good one does not', ({ id, bad, good }) => {
    expect(rulesOf({ ...DENIAL, ...JSON.parse(bad) })).toContain(id)
    expect(rulesOf({ ...DENIAL, ...JSON.parse(good) })).not.toContain(id)
  })
})

describe('levels', () => {
  const levelOf = (verdict: object) => validate(JSON.stringify(verdict)).conformance?.level
  const FULL = { ...DENIAL, policy_set: ['No PII'], metadata: { engine: 'the-sentry', latency_ms: 4 } }

  test('a verdict shows level 2 at most, because level 3 is about its engine', () => {
    expect(levelOf(DENIAL)).toBe(1)
    expect(levelOf(FULL)).toBe(2)
    expect(levelOf({ ...FULL, reasoning: '' })).toBe(1)
    expect(levelOf({ ...FULL, approved: true })).toBe(0)
    expect(levelOf(LEGACY)).toBeUndefined()
  })
})

describe('creation', () => {
  test('approval follows from the decision', () => {
    const parts = { reasoning: 'Fine.', confidence: 1 }
    for (const decision of ['allow', 'deny', 'escalate'] as const) {
      const verdict = createVerdict({ decision, ...parts })
      expect(verdict['approved']).toBe(decision === 'allow')
      expect(rulesOf(verdict)).toEqual([])
    }
  })

  test('contradictions and other words throw', () => {
    const parts = { decision: 'allow', reasoning: 'Fine.', confidence: 1 } as const
    expect(() => createVerdict({ ...parts, violations: ['No PII'] })).toThrow(RangeError)
    expect(() => createVerdict({ ...parts, confidence: 1.01 })).toThrow(RangeError)
    expect(() => createVerdict({ ...parts, confidence: Number.NaN })).toThrow(RangeError)
    expect(() => createVerdict({ ...parts, decision: 'revise' as 'allow' })).toThrow(RangeError)
  })

  test.each([
    ['an approval allows', { ...LEGACY, approved: true, policy_violations: [] }, 'allow', []],
    ['a refusal with violations denies', LEGACY, 'deny', []],
    ['a refusal without violations is escalated', { ...LEGACY, policy_violations: [] }, 'escalate', ['PVS-150']],
    ['a verdict that has a decision keeps it', DENIAL, 'deny', []],
  ] as const)('%s', (_, legacy, decision, codes) => {
    const { document, diagnostics } = upgradeVerdict(JSON.stringify(legacy))
    expect(document?.value).toEqual({ ...legacy, decision })
    expect(diagnostics.map(({ code }) => code)).toEqual(codes)
  })

  test('a verdict of PVS-2, and an invalid one, are not upgraded', () => {
    expect(upgradeVerdict(JSON.stringify({ ...LEGACY, version: 'pvs-2' })).bytes).toBeUndefined()
    expect(upgradeVerdict(JSON.stringify({ ...LEGACY, confidence_score: 7 })).bytes).toBeUndefined()
    expect(upgradeVerdict('{').bytes).toBeUndefined()
  })

  test('the fix of a legacy verdict makes it valid', () => {
    const text = JSON.stringify(LEGACY, null, 2)
    const [edit] = validate(text).diagnostics[0]!.fix!.edits!
    const fixed = text.slice(0, edit!.offset) + edit!.text + text.slice(edit!.endOffset)
    expect(JSON.parse(fixed)).toEqual(DENIAL)
  })
})

describe('[runs/5-1] [runs/5-2] verdict steps', () => {
  const at = new Date('2025-12-14T10:00:09Z')
  const withStep = (step: object) => JSON.stringify({ ...REVIEW, steps: [...REVIEW.steps, step] })
  const rules = (record: string) =>
    validateRun(record)
      .diagnostics.map(({ rule }) => rule)
      .filter((rule) => rule !== 'step-reflection')

  test('a verdict is bound to the draft that was judged', () => {
    const step = verdictStep(DENIAL, 'SSN 078-05-1120', { index: 3, at, policies: ['No PII'], engine: 'the-sentry' })
    expect(step).toMatchObject({
      action: { name: 'policy_judge', input: { draft_output: 'SSN 078-05-1120', policies: ['No PII'] } },
      observation: { type: 'tool_result', output: DENIAL },
      metadata: { kind: 'policy_verdict', policy_engine: 'the-sentry' },
    })
    expect(rules(withStep(step))).toEqual([])
    const moved = { ...step, action: { type: 'tool_call', name: 'policy_judge', input: { draft_output: 'harmless' } } }
    expect(rules(withStep(moved))).toEqual(['verdict-draft'])
  })

  const digest = `sha256:${'0'.repeat(64)}`
  test.each([
    ['a mask', '[redacted]', 'draft-hidden'],
    ['a digest as a text', `adp.commit:${digest}`, 'draft-hidden'],
    ['a digest', { 'adp.commit': digest }, 'draft-hidden'],
    ['a text about a digest', `the adp.commit:${digest}`, 'verdict-draft'],
  ])('%s for the judged draft is reported by its rule', (_, draft_output, rule) => {
    const step = verdictStep(DENIAL, 'SSN 078-05-1120', { index: 3, at, policies: ['No PII'], engine: 'the-sentry' })
    const action = { type: 'tool_call', name: 'policy_judge', input: { draft_output } }
    expect(rules(withStep({ ...step, action }))).toEqual([rule])
  })

  test("the specification's own example is a legacy verdict, and its fix makes the record valid", () => {
    const step = {
      index: 3,
      timestamp: '2025-12-14T10:00:10.678Z',
      action: { type: 'tool_call', name: 'policy_judge', input: { draft_output: '...', policies: ['No PII'] } },
      observation: {
        type: 'tool_result',
        output: {
          version: 'pvs-1',
          approved: false,
          reasoning: 'Draft contained direct SSN.',
          policy_violations: ['No PII'],
          confidence_score: 0.98,
        },
      },
      metadata: { kind: 'policy_verdict', policy_engine: 'the-gavel' },
    }
    const text = withStep(step)
    const { valid, diagnostics } = validateRun(text)
    const [legacy] = diagnostics.filter(({ code }) => code === 'PVS-107')
    expect([valid, legacy!.source.pointer]).toEqual([false, '/steps/3/observation/output'])
    const [edit] = legacy!.fix!.edits!
    expect(validateRun(text.slice(0, edit!.offset) + edit!.text + text.slice(edit!.offset)).valid).toBe(true)
  })
})
