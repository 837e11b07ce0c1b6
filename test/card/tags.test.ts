// Skill tags of Agent Cards: draft-song-anp-adp-00 section 3.6, and the vocabulary of ClawNet.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ALIASES,
  matchTag,
  normalizeTag,
  STANDARD_TAGS,
  suggestTag,
  TAG_CATEGORIES,
} from '../../bindings/card/index.ts'
import { compilePatterns } from '../../bindings/core/index.ts'
import { createIndex } from '../../bindings/core/index-search.ts'
import { processorTime } from '../support/effort.ts'

/** True if the index finds an agent with this tag for this query. */
function isFound(query: string, tag: string): boolean {
  const index = createIndex()
  expect(index.addRecord({ id: 'a', tags: [tag] })).toMatchObject({ ok: true })
  return (index.query({ tags: [query] })[0]?.matchedTags.length ?? 0) > 0
}

/** All texts of up to `length` characters of an alphabet. */
function texts(alphabet: string, length: number): string[] {
  let last = ['']
  const all = ['']
  for (let n = 0; n < length; n++) {
    last = last.flatMap((text) => [...alphabet].map((character) => text + character))
    all.push(...last)
  }
  return all
}

// The rules in docs/guide/card.md, at their edges.
const EDGES: readonly [query: string, tag: string, matches: boolean][] = [
  ['nlp/translation', 'nlp/translation', true],
  ['nlp/translation', 'nlp', false],
  ['nlp/translation', 'nlp/translations', false],
  ['nlp', 'nlp/translation', true],
  ['nlp', 'nlp/text-analysis/sentiment', true],
  ['nlp', 'nlpx', false],
  ['nlp', 'text/nlp', false],
  ['nlp/*', 'nlp/translation', true],
  ['nlp/*', 'nlp/text-analysis/sentiment', true],
  ['nlp/*', 'nlp', true],
  ['nlp/*', 'nlpx/translation', false],
  ['nlp/text-analysis/*', 'nlp/text-analysis/sentiment', true],
  ['nlp/text-analysis/*', 'nlp/text-analysis', true],
  ['nlp/text-analysis/*', 'nlp/translation', false],
  ['*', 'nlp', false],
  ['*', '*', true],
  ['/*', 'nlp', false],
  ['nlp/t*', 'nlp/translation', false],
  ['*/translation', 'nlp/translation', false],
  ['nlp/**', 'nlp/translation', false],
  ['nlp', 'nlp/', true],
  ['nlp/', 'nlp/', true],
  ['nlp/', 'nlp', false],
  ['nlp/', 'nlp/translation', false],
  ['nlp//translation', 'nlp/translation', false],
  ['nlp', 'nlp//translation', true],
  ['', 'nlp', false],
  ['', '', false],
  ['NLP', 'nlp', false],
  ['nlp', 'NLP/translation', false],
  ['c++', 'c++', true],
  ['翻訳', '翻訳/日本語', true],
]

describe('[card/3.6.1-1] [card/3.6.1-2] [card/3.6.1-3] matchTag', () => {
  test.each(EDGES)('the query %j and the tag %j: %j', (query, tag, matches) => {
    expect(matchTag(query, tag)).toBe(matches)
    expect(isFound(query, tag)).toBe(matches)
  })

  test('the index gives the same results for every short query and tag', () => {
    const queries = texts('a/*', 4)
    const wrong: string[] = []
    for (const tag of texts('a/*', 5)) {
      const index = createIndex()
      index.addRecord({ id: 'a', tags: [tag] })
      for (const query of queries) {
        const isHit = (index.query({ tags: [query] })[0]?.matchedTags.length ?? 0) > 0
        if (isHit !== matchTag(query, tag)) wrong.push(`${query} ${tag}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('patterns of the kind tag give the same results, except for a lone star', () => {
    const wrong: string[] = []
    const tags = texts('a/b', 5)
    for (const query of texts('a/*', 4)) {
      // A lone star is a pattern for everything. Patterns refuse the empty text, and stars that queries treat as
      // characters.
      if (query === '' || query === '*' || query === '/*' || /\*(?!$)|[^/]\*/.test(query)) continue
      const pattern = compilePatterns('tag', [query])
      for (const tag of tags) if (pattern.test(tag) !== matchTag(query, tag)) wrong.push(`${query} ${tag}`)
    }
    expect(wrong).toEqual([])
  })

  test('matches random tags of any characters like the index', () => {
    const segment = fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => text.replaceAll('/', ''))
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
    fc.assert(
      fc.property(path, path, fc.nat(4), fc.boolean(), (query, rest, depth, star) => {
        const tag = [...query.split('/').slice(0, depth), rest].join('/')
        const asked = star ? `${query}/*` : query
        expect(matchTag(asked, tag)).toBe(isFound(asked, tag))
      }),
      { numRuns: 300, seed: 36 },
    )
  })

  test('throws for values that are not strings', () => {
    expect(() => matchTag(1 as never, 'a')).toThrow(new TypeError('query: expected a string, got number'))
    expect(() => matchTag('a', null as never)).toThrow(TypeError)
  })
})

describe('[card/3.6.1-4] normalizeTag', () => {
  test.each([
    ['Python', 'python'],
    [' py ', 'python'],
    ['C++', 'cpp'],
    ['ML', 'machine-learning'],
    ['Machine Learning', 'machine-learning'],
    ['machine \t learning', 'machine-learning'],
    ['ops', 'devops'],
    ['ops/deployment', 'ops/deployment'],
    ['ops/*', 'ops/*'],
    ['coding/py', 'coding/py'],
    ['NLP//Text Analysis/', 'nlp/text-analysis'],
    ['/nlp/', 'nlp'],
    ['/py', 'python'],
    ['nlp/ translation', 'nlp/translation'],
    ['nlp/*', 'nlp/*'],
    ['*', '*'],
    [' / ', ''],
    ['', ''],
    ['翻訳', '翻訳'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('%j is %j', (tag, normal) => expect(normalizeTag(tag)).toBe(normal))

  test('does not change a normalized tag', () => {
    const tag = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...ALIASES.keys()))
    fc.assert(
      fc.property(tag, (text) => {
        const normal = normalizeTag(text)
        expect(normalizeTag(normal)).toBe(normal)
      }),
      { seed: 36 },
    )
  })

  test('throws for values that are not strings', () => {
    expect(() => normalizeTag(undefined as never)).toThrow(new TypeError('tag: expected a string, got undefined'))
  })
})

describe('[card/3.6.1-5] the vocabulary', () => {
  test('has 22 aliases, each for a standard tag', () => {
    const standard = Object.values(STANDARD_TAGS).flat()
    expect(ALIASES.size).toBe(22)
    expect([...ALIASES.values()].filter((tag) => !standard.includes(tag))).toEqual([])
    expect([...ALIASES].map(([alias, tag]) => normalizeTag(alias) === tag)).not.toContain(false)
  })

  test('has 53 standard tags in seven groups', () => {
    const standard = Object.values(STANDARD_TAGS).flat()
    expect([Object.keys(STANDARD_TAGS).length, standard.length, new Set(standard).size]).toEqual([7, 53, 53])
    expect(standard.filter((tag) => normalizeTag(tag) !== tag)).toEqual([])
  })

  test('has the eight categories of table 6, each with tags below it', () => {
    expect(TAG_CATEGORIES.map(({ name }) => name).join(' ')).toBe(
      'nlp vision audio analytical coding retrieval creative ops',
    )
    for (const { name, examples } of TAG_CATEGORIES) {
      for (const tag of examples) expect(matchTag(name, tag)).toBe(true)
    }
  })
})

describe('[card/3.6.1-5] suggestTag', () => {
  test.each([
    ['pyhton', 'python'],
    ['Python', 'python'],
    ['py', 'python'],
    ['machine_learning', 'machine-learning'],
    ['golnag', 'go'],
    ['transl', 'translation'],
    ['npl/tranlation', 'nlp/translation'],
    ['NLP/translation', 'nlp/translation'],
    ['visoin/my-own', 'vision/my-own'],
    ['npl/*', 'nlp/*'],
    ['nlp/generation/sumarization', 'nlp/generation/summarization'],
  ])('%j: %j', (tag, meant) => expect(suggestTag(tag)).toBe(meant))

  test.each(['python', 'nlp', 'nlp/translation', 'nlp/own-thing', 'quite-something-else', 'x/y', 'foo', '', '/', '*'])(
    'suggests nothing for %j',
    (tag) => expect(suggestTag(tag)).toBeUndefined(),
  )

  test('handles a tag that was made to be slow', () => {
    const started = processorTime()
    suggestTag('nlp/'.repeat(1 << 18))
    suggestTag('a'.repeat(1 << 20))
    expect(processorTime() - started).toBeLessThan(2000)
  })
})
