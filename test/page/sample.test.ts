import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { TAG_CATEGORIES, validate } from '../../bindings/card/index.ts'
import { createDirectory, createMemoryStore } from '../../bindings/directory/index.ts'
import { sampleSet } from '../../browser-demo/directory/sample.ts'

const { cards, signals } = sampleSet()
const NOW = new Date('2026-06-01T00:00:00Z')

test('has 304 agents with different ids, the same ones every time', () => {
  expect(cards.length).toBe(304)
  expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length)
  expect(new Set(cards.map(({ description }) => description)).size).toBe(cards.length)
  expect([...signals.keys()]).toEqual(cards.map(({ id }) => id))
  expect(sampleSet()).toEqual({ cards, signals })
})

test('has agents of every category of table 6', () => {
  for (const { name } of TAG_CATEGORIES) {
    expect(cards.filter(({ skills }) => skills!.some((tag) => tag.startsWith(`${name}/`))).length).toBeGreaterThan(20)
  }
})

test('every card is valid, with no findings except that it is unsigned and has tags outside of table 6', () => {
  const found = cards.flatMap((card) => validate(JSON.stringify(card), { now: NOW }).diagnostics)
  expect([...new Set(found.map(({ severity, rule }) => `${severity} ${rule}`))].sort()).toEqual([
    'info skill-category',
    'info skill-spelling',
    'warning no-signature',
  ])
})

test('is smaller than 20 kB when compressed', () => {
  const size = brotliCompressSync(JSON.stringify(cards)).length
  expect(size).toBeLessThan(20_000)
})

test.each([
  ['translate legal contracts', 'nlp/translation', 0],
  ['write down court hearings', 'audio/*', 86],
  ['find weaknesses in container images', 'ops/security', 272],
  ['合同翻译', 'nlp', 0],
])('the query %s finds the agent made for it', async (query, tag, n) => {
  const directory = createDirectory({ store: createMemoryStore(), acceptUnverified: true, clock: () => NOW })
  for (const card of cards) await directory.advertise(JSON.stringify(card))
  expect(directory.size).toBe(cards.length)
  const { results } = directory.discover({ query, tags: [tag] })
  expect(results[0]!.agent_card.id).toBe(cards[n]!.id)
})
