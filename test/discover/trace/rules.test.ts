// Every rule keeps its two examples, which `explain` shows: the bad one breaks this rule only.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { verify } from '../../../bindings/discover/index.ts'
import { explained } from '../../../bindings/discover/trace/findings.ts'
import schema from '../../../bindings/discover/trace/schema.json' with { type: 'json' }
import { isTrace, RULES, TRACE } from '../../../bindings/discover/trace/specification.ts'
import { replay } from '../../../bindings/discover/trace/verify.ts'
import type { Trace } from '../../../bindings/discover/trust/trace.ts'
import { validate } from '../../../bindings/index.ts'
import { explainedRows, shapeFindings } from '../../support/explained.ts'
import { rulesTable } from '../../support/rules-table.ts'

const CLEAN = {
  trace: 'blazon/discovery/1',
  at: '2026-11-23T10:00:00Z',
  domain: 'alice.example.com',
  need: 'metadata',
  leastTls: 'TLSv1.3',
  private: true,
  lot: 0.5,
  steps: [],
}
const rules = explainedRows([...RULES, ...shapeFindings(TRACE, schema)])
/** `null` in an example removes the member. */
const example = (text: string) =>
  Object.fromEntries(Object.entries({ ...CLEAN, ...JSON.parse(text) }).filter(([, value]) => value !== null))
const told = (document: object) =>
  validate(JSON.stringify(document), { as: 'trace' }).diagnostics.map(({ rule }) => rule)

describe('the examples of rules', () => {
  test.each(rules)('$id: the bad one breaks only this rule', ({ id, bad }) => {
    expect(told(example(bad))).toEqual([id])
    expect(isTrace(example(bad))).toBe(false)
  })
  test.each(rules)('$id: the good one breaks none', ({ good }) => {
    expect(told(example(good))).toEqual([])
    expect(isTrace(example(good))).toBe(true)
  })
  test('reports a document that is not an object', () => expect(told([])).toEqual(['trace-root']))
})

test('the schema agrees with Ajv', () => {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
  const isValid = ajv.compile(schema)
  for (const { id, bad, good } of explainedRows(shapeFindings(TRACE, schema))) {
    // Formats are checked by our own rules.
    if (id !== 'value-pattern') expect(isValid(example(bad)), id).toBe(false)
    expect(isValid(example(good)), id).toBe(true)
  }
})

describe('an invalid trace', () => {
  const broken: unknown[] = [
    undefined,
    null,
    'trace',
    { ...CLEAN, trace: 'blazon/discovery/2' },
    { ...CLEAN, steps: [null] },
    { ...CLEAN, steps: 'x' },
    { ...CLEAN, domain: 'a b' },
    { ...CLEAN, at: 'never' },
    { ...CLEAN, steps: [{ kind: 'http', after: 0, took: 0, section: '', by: 'recorder', url: 'x', body: '*' }] },
  ]
  test.each(broken)('%j is not judged', async (trace) => {
    await expect(replay(trace as Trace)).rejects.toThrow(TypeError)
  })
  test('verify reports it', async () => {
    const proof = await verify(JSON.stringify({ ...CLEAN, steps: [1] }))
    expect(proof.verdict).toBe('failed')
    expect(proof.steps[0]!.diagnostic!.code).toBe('WK-182')
  })
})

test('a trace without answers shows nothing', async () => {
  for (const lot of [0, 1]) {
    const { agent, proof } = await replay({ ...CLEAN, lot } as unknown as Trace)
    expect(agent).toBeUndefined()
    expect(proof.verdict).toBe('unverifiable')
  }
  expect((await verify(JSON.stringify(CLEAN))).verdict).toBe('unverifiable')
})

test('docs/reference/trace-rules.md has every rule', async () => {
  const head = [
    '# Rules of traces',
    '',
    'Written from bindings/discover/trace/findings.yaml by test/discover/trace/rules.test.ts; do not edit. Each rule with its severity in each',
    'ruleset; `blazon explain ID` shows why it is there, and an example. The findings of verifying are among them.',
  ]
  const table = rulesTable(explained())
  await expect([...head, '', table].join('\n')).toMatchFileSnapshot('../../../docs/reference/trace-rules.md')
})
