// Capabilities of CTX-1.
import { describe, expect, test } from 'vitest'
import { covers, parseCapability } from '../../bindings/runs/index.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { sharedData } from './records.ts'

describe('[runs/ctx.1-1] [runs/ctx.1-2] the grammar', () => {
  test('a capability is at least two words', () => {
    expect(parseCapability('perm:files:read')).toEqual({ prefix: 'perm', segments: ['files', 'read'] })
    for (const text of ['perm', 'perm:', ':perm', 'perm::read', 'perm:*:*', 'budget:usd:0.50', 'perm:files:read\n', ''])
      expect([text, parseCapability(text)]).toEqual([text, undefined])
  })

  const contract = sharedData('acl/ctx-1-contract.json')
  test.skipIf(contract === undefined)("CTX-1's own examples", () => {
    const { reservedPrefixes, invalidExamples } = JSON.parse(contract!)
    for (const { prefix, examples } of nonEmpty<{ prefix: string; examples: string[] }>(reservedPrefixes))
      for (const text of nonEmpty(examples)) expect(parseCapability(text)?.prefix).toBe(prefix)
    for (const text of nonEmpty<string>(invalidExamples)) expect(parseCapability(text)).toBeUndefined()
  })

  test('takes time in proportion to the text', () => {
    expect(parseCapability(`a${':a'.repeat(100_000)}!`)).toBeUndefined()
  })
})

describe('[runs/4-3] [runs/ctx.1-3] covering', () => {
  test.each([
    [['perm:files:read'], ['perm:files:read'], true],
    [['perm:files:read', 'agent:a'], ['agent:a'], true],
    [['perm:files'], ['perm:files:read'], false],
    [['perm:files:read'], ['perm:files'], false],
    [['perm:files:read'], [], true],
    [[], ['perm:files:read'], false],
    [['budget:usd:100'], ['budget:usd:100'], true],
    [['budget:usd:100'], ['budget:usd:20'], true],
    [['budget:usd:100'], ['budget:usd:101'], false],
    [['budget:usd:100'], ['budget:eur:1'], false],
    [['budget:usd:100', 'budget:usd:10'], ['budget:usd:50'], false],
    [['budget:usd:9'], ['budget:usd:10'], false],
    [['budget:usd:100'], ['budget:usd:020'], false],
    [['role:admin'], ['perm:files:read'], false],
    [['env:staging', 'agent:a'], ['agent:a'], true],
  ])('%j cover %j: %s', (granted, needed, expected) => {
    expect(covers(granted, needed).covered).toBe(expected)
  })

  test('a restriction that is not understood denies everything', () => {
    for (const restriction of ['budget:usd:0.50', 'budget:usd:lots', 'budget:100', 'env:', 'env:a:b', 'ENV:staging'])
      expect(covers([restriction, 'agent:a'], ['agent:a'])).toEqual({
        covered: false,
        missing: [],
        notUnderstood: [restriction],
      })
    expect(covers(['region:eu', 'agent:a'], ['agent:a'], { restrictions: ['region'] }).covered).toBe(false)
    expect(covers(['region:eu', 'agent:a'], ['agent:a']).covered).toBe(true)
  })
})
