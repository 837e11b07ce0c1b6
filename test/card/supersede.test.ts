import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Card } from '../../bindings/card/subject.ts'
import { type CardVersion, versionOf as cardVersion, compare } from '../../bindings/card/supersede.ts'
import { parse } from '../../bindings/document/parse.ts'
import { signedCard } from './support.ts'

const ROWS = Array.from(readFileSync('fixtures/card/supersede.md', 'utf8').matchAll(/^\| (.+) \|$/gm), ([, row]) =>
  row!.split(' | '),
)
  .slice(1)
  .filter(([first]) => !/^-+/.test(first!))

/** Converts a description in the table, such as `signed, seq 5, revoked`. */
function versionOf(words: string, side: 'held' | 'offered'): CardVersion | undefined {
  if (words === 'nothing') return undefined
  const seq = /seq (\d+)/.exec(words)?.[1]
  const time = /updated (\d+)/.exec(words)?.[1]
  const card = {
    id: 'agent://a',
    name: words.includes('same content') ? 'same' : side,
    ...(words.includes('revoked') && { tools: [], endpoints: [] }),
    ...(time !== undefined && { metadata: { updated_at: `2026-01-0${time}T00:00:00Z` } }),
  }
  const text = JSON.stringify(card).replace('{', seq === undefined ? '{' : `{"seq":${seq},`)
  return cardVersion(new Card(parse(text).document!), { signed: /^signed/.test(words) })
}

describe('[card/3.2-6] [card/3.2-7] [card/6.3-4] [card/6.3-5] [card/6.4-2] [card/7.3-1] [card/7.3-2] the table of fixtures/card/supersede.md', () => {
  test('has rows', () => expect(ROWS.length).toBeGreaterThan(25))

  test.each(ROWS)('%s | %s', (held, offered, stored, reason) => {
    const options: compare.Options = offered!.includes('allowUnsigned') ? { allowUnsigned: true } : {}
    const both = offered!.includes('same content') ? `${held}, same content` : held!
    const answer = compare(versionOf(both, 'held'), versionOf(offered!, 'offered')!, options)
    expect({ stored: answer.stored, reason: answer.reason }).toEqual({
      stored: stored === 'yes',
      reason: reason!.replaceAll('`', ''),
    })
    expect(answer.detail).not.toBe('')
  })
})

describe('for all cards', () => {
  const version: fc.Arbitrary<CardVersion> = fc.record({
    id: fc.constant('agent://a'),
    seq: fc.option(fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(2n ** 53n, 2n ** 53n + 2n)), { nil: undefined }),
    updatedAt: fc.option(fc.nat(2), { nil: undefined }),
    signed: fc.boolean(),
    revoked: fc.boolean(),
    content: fc.uint8Array({ maxLength: 1 }),
  })

  // The sentences of the draft, one by one.
  test('[card/3.2-7] an unsigned card replaces a signed one only with the option and a higher seq', () => {
    fc.assert(
      fc.property(version, version, fc.boolean(), (held, offered, allowUnsigned) => {
        const { stored } = compare(held, offered, { allowUnsigned })
        if (!stored || offered.signed || !held.signed) return
        expect(allowUnsigned).toBe(true)
        expect(offered.seq === undefined ? -1n : offered.seq).toBeGreaterThan(held.seq ?? -1n)
      }),
    )
  })

  test('[card/7.3-1] a lower seq never replaces a card, whatever the times say', () => {
    fc.assert(
      fc.property(version, version, (held, offered) => {
        if (held.seq === undefined || offered.seq === undefined || offered.seq >= held.seq) return
        expect(compare(held, offered, { allowUnsigned: true }).stored).toBe(false)
      }),
    )
  })

  test('[card/6.4-2] a revoked agent returns only with a signed card and a higher seq', () => {
    fc.assert(
      fc.property(version, version, (held, offered) => {
        const { stored } = compare({ ...held, revoked: true }, { ...offered, revoked: false }, { allowUnsigned: true })
        if (stored) expect([offered.signed, (offered.seq ?? -1n) > (held.seq ?? -1n)]).toEqual([true, true])
      }),
    )
  })

  test('the card with the highest seq stays, in whatever order signed cards arrive', () => {
    const signed = version.map((card) => ({ ...card, signed: true, revoked: false, seq: card.seq ?? 0n }))
    fc.assert(
      fc.property(fc.array(signed, { minLength: 1, maxLength: 8 }), (cards) => {
        let held: CardVersion | undefined
        for (const card of cards) if (compare(held, card).stored) held = card
        const highest = cards
          .map(({ seq }) => seq)
          .sort((a, b) => (a < b ? -1 : 1))
          .at(-1)
        expect(held!.seq).toBe(highest)
      }),
    )
  })
})

test('cardVersion reads the properties of ordinary and odd cards', async () => {
  const read = (text: string) => cardVersion(new Card(parse(text).document!), { signed: false })
  expect(read(await signedCard({ seq: 7 }))).toMatchObject({
    id: 'agent://translator-zh-en',
    seq: 7n,
    updatedAt: Date.UTC(2026, 2, 24, 12),
    revoked: false,
  })
  expect(read('{"seq": 18446744073709551615}').seq).toBe(2n ** 64n - 1n)
  const odd = read('{"id": 7, "seq": "1", "metadata": {"updated_at": "yesterday"}, "tools": [], "endpoints": {}}')
  expect(odd).toMatchObject({ id: '', seq: undefined, updatedAt: undefined, revoked: false })
  expect(() => compare(read('{"id":"agent://a"}'), read('{"id":"agent://b"}'))).toThrow(RangeError)
})
