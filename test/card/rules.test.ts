// The two examples of every rule, which `explain` shows: the bad one breaks this rule and no other, the good one breaks
// none.
import { describe, expect, test } from 'vitest'
import schema from '../../bindings/card/schema.json' with { type: 'json' }
import { AGENT_CARD, RULES } from '../../bindings/card/specification.ts'
import { explainedRows, shapeFindings } from '../support/explained.ts'
import { told } from './clean.ts'

const rules = [...new Set(explainedRows([...RULES, ...shapeFindings(AGENT_CARD, schema)]))]

/** Rules about missing members: the clean card has these members, and the examples must not. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  'no-seq': ['seq'],
  'no-signature': ['signature'],
  'hard-to-find': ['description', 'skills'],
}

/** The card members of an example. */
function example(id: string, text: string): object {
  const members: object = JSON.parse(text)
  return { ...Object.fromEntries((ABSENT[id] ?? []).map((name) => [name, undefined])), ...members }
}

describe('the examples of rules', () => {
  test.each(rules)('$id: the bad example breaks this rule and no other', ({ id, bad }) => {
    expect(told(example(id, bad)).map((finding) => finding.split(' ')[0])).toEqual([id])
  })

  test.each(rules)('$id: the good example breaks no rule', ({ id, good }) => {
    expect(told(example(id, good))).toEqual([])
  })

  test('ids and codes are unique', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length)
    for (const { code } of rules) expect(code).toMatch(/^CARD-1[0-4]\d$/)
  })

  test('the card that the examples are added to has no findings', () => {
    expect(told({})).toEqual([])
  })
})
