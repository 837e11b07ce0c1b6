// Every rule holds the two examples that it carries, which `explain` shows: the bad one breaks it and nothing else.
import { describe, expect, test } from 'vitest'
import { RULES } from '../../bindings/adl/rules/index.ts'
import { SCHEMA_RULES, UNDEFINED_MEMBER } from '../../bindings/adl/rules/schema.ts'
import { CLEAN, told } from './support.ts'

const rules = [...new Set([...RULES, ...SCHEMA_RULES.values(), UNDEFINED_MEMBER])]

/** What an example says of the document; one is about a member that is not there. */
function example(id: string, text: string): object {
  const members: object = JSON.parse(text)
  return id === 'schema-member' ? { ...members, ...('$schema' in members ? {} : { $schema: undefined }) } : members
}

describe('the examples of rules', () => {
  test.each(rules)('$id: the bad one breaks it and no other', ({ id, bad }) => {
    expect(told(example(id, bad)).map((finding) => finding.split(' ')[0])).toEqual([id])
  })

  test.each(rules)('$id: the good one breaks none', ({ id, good }) => {
    expect(told(example(id, good))).toEqual([])
  })

  test('ids are their own, and codes are those of the specification or ours', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    for (const { code } of rules) expect(code).toMatch(/^(ADL-[1-5]0\d\d|BADL-1\d\d)$/)
  })

  test('the document that they are put into is clean', () => {
    expect(told(CLEAN)).toEqual([])
  })
})
