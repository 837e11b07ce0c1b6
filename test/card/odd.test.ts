// Whatever a card contains, validation gives a report within its limits and does not throw.
import { describe, expect, test } from 'vitest'
import { mutations, withOddValues } from '../adl/sound.ts'
import { casesOf } from '../support/cases.ts'
import { CLEAN } from './clean.ts'
import { CARDS, FULL, flaw } from './sound.ts'

/** Members that many cards share. They are replaced in only one card. */
const COMMON = new Set(Object.keys(CLEAN))

function expectSound(sources: Iterable<string>): void {
  for (const source of sources) {
    const found = flaw(source)
    if (found !== undefined) expect([source, found]).toEqual([source, undefined])
  }
}

describe('odd values', () => {
  test('are handled at every place of a card with every member', () => {
    expectSound(withOddValues(FULL, new Set()))
  })

  test('are handled at every place of the catalogue', () => {
    for (const card of CARDS) expectSound(withOddValues(card, COMMON))
  })

  test('are handled at random places, one after the other (100,000 in npm run soak)', () => {
    const next = mutations(CARDS, 11)
    for (let i = 0; i < casesOf(2000); i++) {
      const bytes = next()
      const found = flaw(bytes)
      if (found !== undefined) expect([new TextDecoder().decode(bytes), found]).toEqual(['', undefined])
    }
  })
})

describe('validates slow cards in time', () => {
  const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join()
  const sources: readonly (readonly [string, string])[] = [
    ['many members', `{${many(60_000, (i) => `"m${i}":1`)}}`],
    ['very many members in capitals', `{"tools":[{${many(60_000, (i) => `"M${i}":1`)}}]}`],
    ['very many skills', `{"skills":[${many(60_000, (i) => `"Skill ${i}"`)}]}`],
    ['a skill of very many segments', `{"skills":["${'a/'.repeat(200_000)}"]}`],
    [
      'many methods without a tool',
      `{"tools":[${many(9_000, (i) => `{"name":"t${i}"}`)}],"endpoints":[{"protocol":"ws","uri":"wss://a","methods":[${many(30_000, (i) => `"u${i}"`)}]}]}`,
    ],
    ['many endpoints', `{"endpoints":[${many(20_000, () => '{"protocol":"ws","uri":"x y"}')}]}`],
    ['heavy members with names that terminals obey', `{"\\u001b[31m\\u202e":"${'x'.repeat(70_000)}"}`],
    ['tags that terminals obey', '{"skills":["ndl/\\u001b[31m\\u202e","nlp//\\u202e"]}'],
    ['very many namespaces', `{"extensions":{${many(40_000, (i) => `"A b${i}":1`)}}}`],
    ['a very long id', `{"id":"agent://${'a-'.repeat(300_000)}!"}`],
    ['a very long namespace', `{"extensions":{"${'a.'.repeat(300_000)}":{}}}`],
    ['a very long rate limit', `{"constraints":{"rate_limit":"${'1 '.repeat(300_000)}"}}`],
    ['a very long seq', `{"seq":1${'0'.repeat(300)}}`],
    ['a seq of very many digits', `{"seq":0.${'0'.repeat(500_000)}1}`],
    ['a very long version and did', `{"version":"${'1.'.repeat(200_000)}","did":"did:a:${'%41'.repeat(100_000)}%"}`],
  ]

  test.each(sources)('%s', (_, source) => {
    expect(source.length).toBeLessThan(1_048_576)
    expect(flaw(source)).toBeUndefined()
  })
})
