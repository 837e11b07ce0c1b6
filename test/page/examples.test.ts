// The examples of the page are complete, and have no findings except those that show findings.
import { expect, test } from 'vitest'
import { validate } from '../../bindings/verbs.ts'
import { verify } from '../../bindings/verify.ts'
import { EXAMPLES } from '../../browser-demo/examples.ts'

const FINDINGS = ['faulty', 'rfc8785', 'duplicate', 'integer']
const whole = Object.entries(EXAMPLES).filter(([name]) => !FINDINGS.includes(name))

test.each(whole)('%s has no findings, also with strict', (_, { text }) => {
  for (const ruleset of ['recommended', 'strict'] as const) {
    expect(validate(text(), { ruleset })).toMatchObject({ valid: true, diagnostics: [] })
  }
})

test('metadata is signed with the key in it, which shows nothing about its owner', async () => {
  const { verdict, steps } = await verify(EXAMPLES['wellknown']!.text())
  const doubts = steps.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name)
  expect([verdict, doubts]).toEqual(['unverifiable', ['id', 'identity']])
})

test.each(['adl', 'card'])('the signature of %s matches', async (name) => {
  expect((await verify(EXAMPLES[name]!.text())).verdict).toBe('verified')
})
