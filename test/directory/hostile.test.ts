import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { handleInvocation } from '../../bindings/directory/index.ts'
import { parse } from '../../bindings/document/index.ts'
import { processorTime } from '../support/effort.ts'
import { openDirectory, put } from './cards.ts'

const LIMIT_MS = 2000

describe('input of strangers', () => {
  const directory = openDirectory()
  const anything = fc.jsonValue({ maxDepth: 3 })

  it('never causes an exception: any value as a query', () => {
    fc.assert(
      fc.property(anything, anything, anything, anything, (tags, query, limit, min_score) => {
        for (const value of [tags, { tags, query, limit, min_score }]) {
          const { status, results } = directory.discover(value as object)
          expect(status === 'OK' || results.length === 0).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('is refused if the limit is not a number, even if it converts to one', () => {
    for (const limit of [{ toString: '' }, { valueOf: 1 }, [1], '1', true]) {
      expect(directory.discover({ tags: ['a'], limit } as object).status).toBe('INVALID_REQUEST')
    }
  })

  it('never causes an exception: any bytes or value as the body of any method', async () => {
    const method = fc.constantFrom('adp.describe', 'adp.advertise', 'adp.discover', '', '__proto__')
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string(),
      anything.map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(method, body, async (name, sent) => {
        const { status, bytes } = await handleInvocation(directory, { method: name, body: sent })
        expect(['OK', 'INVALID_REQUEST', 'UNAUTHORIZED', 'NOT_FOUND']).toContain(status)
        JSON.parse(new TextDecoder().decode(bytes))
      }),
      { numRuns: 300 },
    )
  })

  it('gets a response that strict JSON parsers accept, even if it is cut', async () => {
    const crowded = openDirectory()
    await put(crowded, { id: 'agent://a', description: `summarizeri${'a'.repeat(52)}𐌰𐌰` })
    const { bytes } = await handleInvocation(crowded, { method: 'adp.discover', body: '{"query": "summarizeri"}' })
    expect(parse(bytes).diagnostics).toEqual([])
  })

  it('never causes an exception: any members of a card', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('skills', 'description', 'constraints', 'seq', 'tools'), anything),
        async (members) => {
          const { status } = await put(openDirectory(), { id: 'agent://a', ...members })
          expect(['OK', 'INVALID_REQUEST']).toContain(status)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('input that is made to be slow', () => {
  const chunk = (count: number, make: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join(' ')

  test.each([
    ['words that begin alike', chunk(5000, (i) => `aaaaaaa${i}`), 'aaaaaaa'],
    [
      'words that are alike',
      chunk(4000, (i) => `b${i.toString(2).padStart(13, '0').replaceAll('0', 'x').replaceAll('1', 'y')}`),
      'bxyxyxyxyxyxyz',
    ],
    ['one long word', 'c'.repeat(60_000), `${'c'.repeat(63)}d`],
    ['characters that decompose into many', '\ufdfa'.repeat(18_000), 'صلى'],
    ['accents without end', `e${'\u0301'.repeat(25_000)}`, 'é'],
    ['nothing but signs', '+#.'.repeat(20_000), 'c++'],
    ['endings upon endings', chunk(3000, () => 'ationalizationfulness'), 'ationalizationfulnessing'],
  ])('is handled in time: %s', async (_, description, query) => {
    const directory = openDirectory()
    const start = processorTime()
    await put(directory, { id: 'agent://large', description })
    await put(directory, { id: 'agent://other', description: 'translation' })
    directory.discover({ query, tags: Array.from({ length: 32 }, (_, i) => `${'a/'.repeat(100)}${i}`) })
    expect(directory.discover({ query: 'translation' }).results).toHaveLength(1)
    expect(processorTime() - start).toBeLessThan(LIMIT_MS)
  })
})
