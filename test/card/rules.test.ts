// Every rule holds the two examples that it carries, which `explain` shows: the bad one breaks it and nothing else.
import { describe, expect, test } from 'vitest'
import { RULES } from '../../bindings/card/rules/index.ts'
import { SCHEMA_RULES } from '../../bindings/card/rules/schema.ts'
import { told } from './clean.ts'

const rules = [...new Set([...RULES, ...SCHEMA_RULES.values()])]

/** Rules about what is not there: the clean card has these members, their examples may not. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  'no-seq': ['seq'],
  'no-signature': ['signature'],
  'hard-to-find': ['description', 'skills'],
}

/** What an example says of the card. */
function example(id: string, text: string): object {
  const members: object = JSON.parse(text)
  return { ...Object.fromEntries((ABSENT[id] ?? []).map((name) => [name, undefined])), ...members }
}

describe('the examples of rules', () => {
  test.each(rules)('$id: the bad one breaks it and no other', ({ id, bad }) => {
    expect(told(example(id, bad)).map((finding) => finding.split(' ')[0])).toEqual([id])
  })

  test.each(rules)('$id: the good one breaks none', ({ id, good }) => {
    expect(told(example(id, good))).toEqual([])
  })

  test('ids and codes are their own', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length)
    for (const { code } of rules) expect(code).toMatch(/^CARD-1[0-4]\d$/)
  })

  test('the card that they are put into is clean', () => {
    expect(told({})).toEqual([])
  })
})
