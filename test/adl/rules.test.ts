// Every rule has two examples, which `explain` shows. The bad one breaks the rule and no other.
import { describe, expect, test } from 'vitest'
import { UNDEFINED_MEMBER } from '../../bindings/adl/findings.ts'
import schema from '../../bindings/adl/schema.json' with { type: 'json' }
import { ADL } from '../../bindings/adl/specification.ts'
import { explainedRows, shapeFindings } from '../support/explained.ts'
import { CLEAN, told } from './support.ts'

const rules = [...new Set(explainedRows([...ADL.rules, ...shapeFindings(ADL, schema), UNDEFINED_MEMBER]))]

/** The document of an example. One example is about a missing member. */
function example(id: string, text: string): object {
  const members: object = JSON.parse(text)
  return id === 'schema-member' ? { ...members, ...('$schema' in members ? {} : { $schema: undefined }) } : members
}

describe('the examples of rules', () => {
  test.each(rules)('$id: the bad one breaks it and no other rule', ({ id, bad }) => {
    expect(told(example(id, bad)).map((finding) => finding.split(' ')[0])).toEqual([id])
  })

  test.each(rules)('$id: the good one breaks no rule', ({ id, good }) => {
    expect(told(example(id, good))).toEqual([])
  })

  test('ids are unique, and codes are those of the specification or ours', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    for (const { code } of rules) expect(code).toMatch(/^(ADL-[1-5]0\d\d|BADL-1\d\d)$/)
  })

  test('the document that contains them has no findings', () => {
    expect(told(CLEAN)).toEqual([])
  })
})
