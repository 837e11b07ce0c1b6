// The rules and numbers of the specification: draft-song-anp-adp-00, sections 3.6.1, 4.3 and 5.
import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_WEIGHTS } from '../../bindings/core/index.ts'
import { createIndex, type Query } from '../../bindings/core/index-search.ts'
import type { Signals } from '../../bindings/wasm/rank.ts'
import { BUILDS } from '../support/builds.ts'

/** An index of agents by id, given their tags or their text. */
function indexOf(agents: Record<string, readonly string[] | string>, signals: Record<string, Signals> = {}) {
  const index = createIndex()
  for (const [id, value] of Object.entries(agents)) {
    const card = typeof value === 'string' ? { id, text: value } : { id, tags: value }
    expect(index.addRecord(card, signals[id])).toEqual({ ok: true, replaced: false })
  }
  return index
}

describe.each(BUILDS)('$name', (build) => {
  beforeAll(build.use)

  test.each<[asked: string, tag: string, matches: boolean]>([
    ['nlp/translation', 'nlp/translation', true],
    ['nlp/translation', 'nlp/translations', false],
    ['nlp/translation', 'nlp', false],
    ['nlp/translation', 'text/nlp/translation', false],
    ['python', 'python', true],
    ['Python', 'python', false],
    ['c++', 'c++', true],
    ['翻訳', '翻訳', true],
    ['nlp/*', 'nlp/translation', true],
    ['nlp/*', 'nlp/text-analysis/sentiment', true],
    ['nlp/*', 'nlp', true],
    ['nlp/*', 'nlpx/translation', false],
    ['nlp/*', 'vision/nlp', false],
    ['nlp/text-analysis/*', 'nlp/text-analysis/sentiment', true],
    ['nlp/text-analysis/*', 'nlp/translation', false],
    ['nlp', 'nlp/translation', true],
    ['nlp', 'nlp/text-analysis/sentiment', true],
    ['nlp/text-analysis', 'nlp/text-analysis/sentiment', true],
    ['nlp', 'nlpx', false],
    ['nl', 'nlp/translation', false],
    ['translation', 'nlp/translation', false],
    ['py', 'python', false],
    // Stars at other places are ordinary characters.
    ['*', 'nlp', false],
    ['*', '*', true],
    ['/*', 'nlp', false],
    ['nlp/t*', 'nlp/translation', false],
    ['*/translation', 'nlp/translation', false],
    ['', '', false],
  ])(
    '[card/3.6.1-1] [card/3.6.1-2] [card/3.6.1-3] [card/3.6.1-4] a query for %j, an agent with %j: %j',
    (asked, tag, matches) => {
      const [hit] = indexOf({ a: [tag] }).query({ tags: [asked] })
      expect(hit?.matchedTags ?? []).toEqual(matches ? [asked] : [])
    },
  )

  test('[card/5-3] tags: the fraction of the requested tags that matched', () => {
    const index = indexOf({ two: ['a', 'b/c'], one: ['b'], none: ['d'] })
    const answer = index.query({ tags: ['a', 'b', 'x', 'y'] })
    expect(answer.map(({ id, factors, matchedTags }) => [id, factors.tags, matchedTags])).toEqual([
      ['two', 0.5, ['a', 'b']],
      ['one', 0.25, ['b']],
    ])
    // Repeating a tag changes nothing.
    expect(index.query({ tags: ['a', 'b', 'a', 'x', 'y', 'y'] })).toEqual(answer)
  })

  test('[card/5-1] [card/5-2] the score is the weighted sum of the five factors', () => {
    expect(DEFAULT_WEIGHTS).toEqual({ tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 })
    const index = indexOf({ a: ['x'] }, { a: { reputation: 0.5, availability: 1, rating: 0.2 } })
    const query: Query = { tags: ['x', 'y'] }
    expect(index.query(query)[0]).toEqual({
      id: 'a',
      // 0.3 * 1/2 + 0.25 * 0 + 0.2 * 0.5 + 0.15 * 1 + 0.1 * 0.2
      score: 0.42,
      factors: { tags: 0.5, text: 0, reputation: 0.5, availability: 1, rating: 0.2 },
      matchedTags: ['x'],
    })
    const scores = (weights: Query['weights']) => index.query({ ...query, ...(weights && { weights }) })[0]?.score
    expect(scores({ tags: 1 })).toBe(0.77)
    expect(scores({ tags: 0, text: 0, reputation: 0, availability: 0, rating: 0 })).toBe(0)
    expect(scores({ rating: 1000 })).toBe(200.4)
  })

  // Computed by hand with k1 = 1.2 and b = 0.75. Two agents of 2 words each, so the length does not matter. idf(alpha),
  // in one of two: ln(1 + 1.5/1.5) = ln 2. idf(beta), in both: ln(1 + 0.5/2.5) = ln 1.2.
  test('[card/5-4] text: BM25 as a fraction of the maximum for the query', () => {
    const index = indexOf({ one: 'alpha beta', two: 'beta beta' })
    const [one, two] = index.query({ text: 'Alpha, beta!' })
    const rare = Math.log(2)
    const common = Math.log(1.2)
    const most = 2.2 * (rare + common)
    expect(one?.id).toBe('one')
    expect(one?.factors.text).toBeCloseTo((rare + common) / most, 14)
    expect(two?.factors.text).toBeCloseTo((common * ((2 * 2.2) / (2 + 1.2))) / most, 14)
    expect(two?.score).toBe(Math.round(0.25e6 * two!.factors.text) / 1e6)
  })

  test('[card/5-4] words: ASCII ignores case, other characters count as they are, the rest separates', () => {
    const index = indexOf({ a: 'GPT-4o translates "Übersetzung" 翻訳。Ende' })
    const asks = (text: string) => index.query({ text }).length > 0
    expect(['gpt', '4O', 'TRANSLATES', 'Übersetzung', 'ende'].map(asks)).toEqual([true, true, true, true, false])
    // In a script without spaces a whole run is one word; callers with a tokenizer pass words.
    expect(asks('翻訳')).toBe(false)
    expect(asks('翻訳。ende')).toBe(true)
    expect(asks('übersetzung')).toBe(false)
    index.addRecord({ id: 'b', words: ['翻訳', 'New York'] })
    expect(index.query({ words: ['翻訳'] }).map(({ id }) => id)).toEqual(['b'])
    expect(index.query({ words: ['New York'] }).map(({ id }) => id)).toEqual(['b'])
  })

  test('[card/5-5] an agent at its capacity is excluded', () => {
    const index = indexOf({ a: ['x'], b: ['x'] }, { a: { excluded: true } })
    const ids = () => index.query({ tags: ['x'] }).map(({ id }) => id)
    expect(ids()).toEqual(['b'])
    expect([index.size, index.has('a')]).toEqual([2, true])
    expect(index.setSignals('a', { excluded: false })).toBe(true)
    expect(ids()).toEqual(['a', 'b'])
  })

  test('signals belong to the agent: a new card keeps them', () => {
    const index = indexOf({ a: ['x'] }, { a: { reputation: 0.5, rating: 1, excluded: true } })
    expect(index.addRecord({ id: 'a', tags: ['y'] }, { rating: 0.25, excluded: false })).toEqual({
      ok: true,
      replaced: true,
    })
    expect(index.query({})[0]?.factors).toEqual({ tags: 0, text: 0, reputation: 0.5, availability: 0, rating: 0.25 })
    expect(index.remove('a')).toBe(true)
    index.addRecord({ id: 'a', tags: ['y'] })
    expect(index.query({})[0]?.factors.reputation).toBe(0)
  })

  test('[card/4.3-1] returns at most ten hits by default', () => {
    const index = indexOf(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`a${n}`, ['x']])))
    expect(index.query({ tags: ['x'] })).toHaveLength(10)
    expect(index.query({ tags: ['x'], limit: 12 })).toHaveLength(12)
    expect(index.query({ tags: ['x'], limit: 0 })).toEqual([])
  })

  test('[card/4.3-2] no hit is below the minimal score', () => {
    const index = indexOf({ a: ['x', 'y'], b: ['x'] })
    const ids = (minScore: number) => index.query({ tags: ['x', 'y'], minScore }).map(({ id }) => id)
    expect([0, 0.15, 0.150001, 0.3, 0.300001].map(ids)).toEqual([['a', 'b'], ['a', 'b'], ['a'], ['a'], []])
  })

  test('[card/4.3-3] scores lie between 0 and 1 under the default weights', () => {
    const all = { reputation: 1, availability: 1, rating: 1 }
    const index = indexOf({ a: ['x'] }, { a: all })
    expect(index.query({ tags: ['x'] })[0]?.score).toBe(0.75)
    index.addRecord({ id: 'a', tags: ['x'], text: 'word '.repeat(2000) })
    const [hit] = index.query({ tags: ['x'], text: 'word' })
    expect(hit?.score).toBeGreaterThan(0.99)
    expect(hit?.score).toBeLessThanOrEqual(1)
  })

  test('equal scores: by id, in the order of UTF-16 units', () => {
    // U+FF21 sorts after the surrogates of U+1F600, whose code point is higher.
    const ids = ['b', 'a', '\uff21', '😀', 'B', 'ab', '\u{10000}', 'é']
    const index = indexOf(Object.fromEntries(ids.map((id) => [id, ['x']])))
    const wanted = ['B', 'a', 'ab', 'b', 'é', '\u{10000}', '😀', '\uff21']
    expect(index.query({ tags: ['x'] }).map(({ id }) => id)).toEqual(wanted)
    expect(index.query({ tags: ['x'], limit: 3 }).map(({ id }) => id)).toEqual(wanted.slice(0, 3))
  })

  test('scores that round to the same millionth are equal', () => {
    const index = indexOf(
      { a: [], b: [], c: [] },
      { a: { reputation: 0.5 }, b: { reputation: 0.500002 }, c: { reputation: 0.50001 } },
    )
    // 0.1, 0.1000004 and 0.100002
    expect(index.query({}).map(({ id, score }) => [id, score])).toEqual([
      ['c', 0.100002],
      ['a', 0.1],
      ['b', 0.1],
    ])
  })

  test('without tags and words every agent is a hit, without a match none', () => {
    const index = indexOf({ a: ['x'], b: 'text' })
    expect(index.query({}).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(index.query({ text: ' ,.' })).toHaveLength(2)
    expect(index.query({ tags: ['z'], text: 'nothing' })).toEqual([])
    expect(createIndex().query({ tags: ['x'] })).toEqual([])
    expect(createIndex().statistics({ text: 'x y x' })).toEqual({ documents: 0, length: 0, frequencies: [0, 0] })
  })
})
