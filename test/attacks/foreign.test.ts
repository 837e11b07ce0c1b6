// A short version of the long run (test/soak/foreign.mjs): data from others, randomly mutated.
import { expect, test } from 'vitest'
import { random as randomOf } from '../support/random.ts'
import { attackForeign, mutated, TARGETS } from './foreign.ts'

const COUNTS: Readonly<Record<keyof typeof TARGETS, number>> = {
  'answers of the DNS': 400,
  traces: 300,
  metadata: 2_000,
  invitations: 2_000,
  messages: 2_000,
  'strict messages': 2_000,
}

test.each(Object.keys(TARGETS) as (keyof typeof TARGETS)[])('%s', async (name) => {
  expect(await attackForeign(name, COUNTS[name], 17)).toEqual([])
})

test('the mutations change something', () => {
  const random = randomOf(7)
  const bytes = Buffer.from('{"a": [1, 2, 3], "b": "a text"}')
  const all = Array.from({ length: 100 }, () => Buffer.from(mutated(bytes, random)).toString('latin1'))
  expect(new Set(all).size).toBeGreaterThan(90)
})
