import { describe, expect, it, test } from 'vitest'
import {
  DEFAULT_LIMITS,
  DEFAULT_RANKING,
  type Directory,
  type DirectoryOptions,
  type SearchOptions,
  type SearchQuery,
} from '../../bindings/directory/index.ts'
import { clock, openDirectory, put } from './cards.ts'

const CARDS = [
  { id: 'agent://translator', description: 'Chinese-English translation of contracts', skills: ['nlp/translation'] },
  { id: 'agent://reader', description: 'Reads scanned invoices', skills: ['vision/ocr', 'Python'] },
  { id: 'agent://generalist', description: 'Does everything', skills: ['nlp', 'vision', 'ML'] },
]

async function directoryOf(cards: readonly object[], options: Partial<DirectoryOptions> = {}): Promise<Directory> {
  const directory = openDirectory(options)
  for (const card of cards) await put(directory, card)
  return directory
}

const directory = await directoryOf(CARDS)
const ids = (of: Directory, query: SearchQuery, options?: SearchOptions) =>
  of.discover({ min_score: 0, ...query }, options).results.map(({ agent_card: { id } }) => id.slice('agent://'.length))

describe('an invalid query [card/4.3-4] [card/4.3-7]', () => {
  const odd: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['nothing', {}, ['CARD-191 ']],
    ['blank tags and text', { tags: [' '], query: '\n' }, ['CARD-191 ']],
    ['not an object', [], ['CARD-190 ']],
    ['null', null, ['CARD-190 ']],
    ['tags that are not an array', { tags: 'nlp' }, ['CARD-190 /tags']],
    ['a tag that is not a string', { tags: ['nlp', 7] }, ['CARD-190 /tags/1']],
    ['too many tags', { tags: Array.from({ length: 33 }, (_, i) => `t${i}`) }, ['CARD-190 /tags']],
    ['a tag that is too long', { tags: ['x'.repeat(256)] }, ['CARD-190 /tags/0']],
    ['a query that is not a string', { query: 7 }, ['CARD-190 /query']],
    ['a query that is too long', { query: 'x'.repeat(8193) }, ['CARD-190 /query']],
    ['a limit of 0', { query: 'x', limit: 0 }, ['CARD-190 /limit']],
    ['a fractional limit', { query: 'x', limit: 1.5 }, ['CARD-190 /limit']],
    ['a limit as text', { query: 'x', limit: '10' }, ['CARD-190 /limit']],
    ['a score below 0', { query: 'x', min_score: -0.1 }, ['CARD-190 /min_score']],
    ['a score above 1', { query: 'x', min_score: 1.1 }, ['CARD-190 /min_score']],
  ]

  test.each(odd)('is refused: %s', (_, query, expected) => {
    const { status, results, diagnostics } = directory.discover(query as SearchQuery)
    expect([status, results]).toEqual(['INVALID_REQUEST', []])
    expect(diagnostics.map(({ code, source }) => `${code} ${source.pointer}`)).toEqual(expected)
  })

  test.each([
    ['a member of its prototype', Object.create({ tags: ['nlp'] })],
    ['not valid JSON', { query: 'x\ud800', limit: 0, other: () => 1 }],
    ['a hole', { tags: Array(2) }],
    ['not a number', { query: 'x', min_score: Number.NaN }],
  ])('is refused: %s', (_, query) => expect(directory.discover(query).status).toBe('INVALID_REQUEST'))

  it('is not one with members that table 8 lacks: they are ignored', () => {
    expect(directory.discover({ tags: ['nlp'], sort: 'name' } as SearchQuery).status).toBe('OK')
  })
})

describe('tags', () => {
  test.each([
    [['nlp/translation'], ['translator']],
    [['nlp'], ['generalist', 'translator']],
    [['nlp/*'], ['generalist', 'translator']],
    [['NLP / Translation'], ['translator']],
    [['machine learning'], ['generalist']],
    [['py'], ['reader']],
    [['*'], []],
    [['nlp/trans'], []],
  ])('%j finds %j', (tags, expected) => expect(ids(directory, { tags })).toEqual(expected))

  it("are returned in the agent's spelling, in the order of the query [card/4.3-5]", () => {
    const [first] = directory.discover({ tags: ['python', 'vision/*', 'nlp/*', 'ml'] }).results
    expect(first).toMatchObject({ agent_card: { id: 'agent://generalist' }, matched_tags: ['vision', 'nlp', 'ML'] })
  })
})

describe('the factors of table 11', () => {
  const scores = (of: Directory, query: SearchQuery) =>
    of.discover({ min_score: 0, ...query }).results.map(({ score }) => score)

  it('reputation, availability and rating count with their weights [card/5-2] [card/5-8]', async () => {
    const one = await directoryOf([{ id: 'agent://a', skills: ['nlp'] }])
    const tell = (signals: object) => one.setSignals('agent://a', signals)
    tell({ completedTasks: 5 })
    expect(scores(one, { tags: ['nlp'] })).toEqual([0.3])
    tell({ reputation: 0.5 })
    expect(scores(one, { tags: ['nlp'] })).toEqual([0.4])
    tell({ online: true })
    expect(scores(one, { tags: ['nlp'] })).toEqual([0.55])
    tell({ rating: 1 })
    expect(scores(one, { tags: ['nlp', 'other'] })).toEqual([0.5])
    expect(() => tell({ rating: 1.1 })).toThrow(RangeError)
    expect(one.setSignals('agent://nobody', {})).toBe(false)
  })

  it('a new agent gets a bonus, which the deployment can set [card/5-7]', async () => {
    const card = { id: 'agent://a', skills: ['nlp'] }
    const scoreOf = async (completedTasks: number, options: Partial<DirectoryOptions> = {}) => {
      const one = await directoryOf([card], options)
      one.setSignals('agent://a', { reputation: 0.95, completedTasks })
      return scores(one, { tags: ['nlp'] })[0]
    }
    expect(await scoreOf(4)).toBe(0.5)
    expect(await scoreOf(5)).toBe(0.49)
    expect(await scoreOf(5, { coldStart: { tasks: 6, reputation: 0.02 } })).toBe(0.494)
  })

  it('the other factors share the weight of tags in a query without tags [card/4.3-6]', async () => {
    const one = await directoryOf([{ id: 'agent://a', description: 'legal' }])
    one.setSignals('agent://a', { reputation: 1, online: true, rating: 1 })
    const [result] = one.discover({ query: 'legal' }, { explain: true }).results
    const weights = Object.fromEntries(result!.why!.map(({ factor, weight }) => [factor, weight.toFixed(6)]))
    expect(weights).toEqual({
      tags: '0.000000',
      text: (0.25 / 0.7).toFixed(6),
      reputation: (0.2 / 0.7).toFixed(6),
      availability: (0.15 / 0.7).toFixed(6),
      rating: (0.1 / 0.7).toFixed(6),
    })
  })

  it('fully loaded agents are left out [card/5-5]', async () => {
    const one = await directoryOf([
      { id: 'agent://a', skills: ['nlp'], constraints: { max_concurrent_tasks: 2 } },
      { id: 'agent://b', skills: ['nlp'] },
    ])
    for (const id of ['agent://a', 'agent://b']) one.setSignals(id, { activeTasks: 2 })
    expect(ids(one, { tags: ['nlp'] })).toEqual(['b'])
    one.setSignals('agent://a', { activeTasks: 1 })
    expect(ids(one, { tags: ['nlp'] })).toEqual(['a', 'b'])
  })

  it('weights are an option of the directory and of a query', async () => {
    const one = await directoryOf(CARDS, { weights: { tags: 0, text: 1 } })
    const query = { tags: ['vision'], query: 'contracts' }
    expect(ids(one, query)[0]).toBe('translator')
    expect(ids(one, query, { weights: { tags: 1, text: 0 } })[0]).not.toBe('translator')
    expect(() => one.discover(query, { weights: { tags: 2 } })).toThrow('weights.tags: expected a number from 0 to 1')
  })

  it('each factor explains its value', () => {
    const [first] = directory.discover({ tags: ['nlp', 'python'], query: 'contracts' }, { explain: true }).results
    expect(first!.why!.map(({ reason }) => reason)).toEqual([
      "1 of 2 tags match: 'nlp/translation'",
      "1 of 1 words are in the card: 'contracts'",
      'unknown, and 0.1 for a new agent',
      'not known to be online',
      'unknown',
    ])
    const sum = first!.why!.reduce((total, { contribution }) => total + contribution, 0)
    expect(Math.round(sum * 1e6) / 1e6).toBe(first!.score)
  })

  it('the profile has the factors in force, for programs [card/5-9]', async () => {
    const one = await directoryOf([], { weights: { tags: 0.5 }, coldStart: { tasks: 3 } })
    expect(one.rankingProfile()).toMatchObject({
      weights: { tags: 0.5, text: 0.25 },
      cold_start: { tasks: 3, reputation: 0.1 },
      defaults: { limit: 10, min_score: 0.1 },
    })
  })

  it('the default ranking and limits are available without a directory', () => {
    expect(DEFAULT_RANKING).toEqual(directory.rankingProfile())
    expect(DEFAULT_RANKING.weights).toEqual({ tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 })
    expect(DEFAULT_LIMITS).toEqual(directory.limits)
    expect(DEFAULT_LIMITS).toMatchObject({ cardBytes: 65_535, answerBytes: 65_535, equivocations: 4 })
  })
})

describe('text', () => {
  const words = [
    ['of another case and form', 'TRANSLATING contract', 'translator'],
    ['with letters missing and swapped', 'contrcts tranlsation', 'translator'],
    ['with an incomplete word', 'invoi', 'reader'],
    ['of a label', 'ocr', 'reader'],
  ] as const
  test.each(words)('%s: %s', (_, query, expected) => expect(ids(directory, { query })[0]).toBe(expected))

  it('reports the words that were searched instead', () => {
    expect(directory.discover({ query: 'contrcts qqq' }).corrections).toEqual([
      { word: 'contrcts', instead: ['contract'] },
      { word: 'qqq', instead: [] },
    ])
  })

  describe('corrections do not depend on words of deleted cards', () => {
    const gone: readonly (readonly [string, (of: Directory, later: () => void) => unknown])[] = [
      ['removed', (of) => of.remove('agent://gone')],
      ['changed', (of) => put(of, { id: 'agent://gone', description: 'else', seq: 2 })],
      ['revoked', (of) => put(of, { id: 'agent://gone', tools: [], endpoints: [], seq: 2 })],
      ['expired', (_, later) => later()],
    ]
    for (const [how, go] of gone) {
      it.each([
        ['forcast', 'a longer one that begins with it', 'forcastle', 'forecast'],
        ['contrcted', 'one with a letter wrong', 'contrxt', 'contract'],
      ])(`%s, if %s is in a card that was ${how}`, async (query, _, other, instead) => {
        const { now, on } = clock()
        const one = await directoryOf([{ id: 'agent://there', description: instead, metadata: { ttl: 3600 } }], {
          clock: now,
        })
        const before = one.discover({ query })
        await put(one, { id: 'agent://gone', description: other, seq: 1, metadata: { ttl: 60 } })
        expect(one.discover({ query })).not.toEqual(before)
        await go(one, () => on(61))
        if (how === 'changed') one.remove('agent://gone')
        expect(one.discover({ query })).toEqual(before)
        expect(before.corrections).toEqual([{ word: query, instead: [instead] }])
      })
    }
  })

  it('corrections stay fast despite the words of deleted cards, which may return', async () => {
    const one = await directoryOf([{ id: 'agent://there', description: 'forecast' }])
    const words = Array.from({ length: 3000 }, (_, i) => `forcast${i}`)
    const ask = () => one.discover({ query: 'forcast', min_score: 0 }).corrections[0]!.instead
    for (let seq = 1; seq <= 3; seq++) {
      await put(one, { id: 'agent://evil', description: words.join(' '), seq })
      one.remove('agent://evil')
      expect(ask()).toEqual(['forecast'])
    }
    await put(one, { id: 'agent://evil', description: words[7]! })
    expect(ask()).toEqual(['forcast7'])
  })

  it('finds nothing for unknown words and stop words', () => {
    for (const query of ['qqq', 'the', '!?']) expect(directory.discover({ query, min_score: 0 }).results).toEqual([])
  })

  it('handles scripts without spaces, accents, and names of languages', async () => {
    const one = await directoryOf([
      { id: 'agent://zh', description: '把合同翻译成英文' },
      { id: 'agent://ja', description: '契約書を日本語に翻訳します' },
      { id: 'agent://ko', description: '계약서를 번역합니다' },
      { id: 'agent://de', description: 'Übersetzt Verträge für Straßenbau' },
      { id: 'agent://cpp', description: 'Reviews C++ and C# code' },
    ])
    for (const [query, expected] of [
      ['合同翻译', 'zh'],
      ['契約', 'ja'],
      ['번역', 'ko'],
      ['ubersetzt vertrage', 'de'],
      ['STRASSENBAU', 'de'],
      ['c++', 'cpp'],
    ] as const) {
      expect([query, ids(one, { query })[0]]).toEqual([query, expected])
    }
  })

  it('uses the members that the options select', async () => {
    const named = [{ id: 'agent://a', name: 'Hermes', tools: [{ name: 'translateText', description: 'of a page' }] }]
    expect(ids(await directoryOf(named), { query: 'hermes' })).toEqual([])
    const one = await directoryOf(named, { fields: { name: 3, tools: 1 } })
    for (const query of ['hermes', 'translate', 'page']) expect(ids(one, { query })).toEqual(['a'])
    await expect(directoryOf([], { fields: { name: 1.5 } })).rejects.toThrow(RangeError)
  })
})

it('limit and minimum score bound the results; the defaults are ten and 0.1 [card/4.3-1] [card/4.3-2]', async () => {
  const one = await directoryOf(Array.from({ length: 30 }, (_, i) => ({ id: `agent://a${i}`, skills: ['nlp'] })))
  const count = (query: SearchQuery) => one.discover(query).results.length
  expect([count({ tags: ['nlp'] }), count({ tags: ['nlp'], limit: 3 }), count({ tags: ['nlp'], limit: 100 })]).toEqual([
    10, 3, 30,
  ])
  const three = ['nlp', 'x', 'y', 'z']
  expect([
    count({ tags: three }),
    count({ tags: three, min_score: 0.094 }),
    count({ tags: three, min_score: 0.095 }),
  ]).toEqual([0, 10, 10])
})

it.each([101, 2 ** 53, 1e300])('cuts a limit of %d to a hundred, and reports it [card/4.3-7]', async (limit) => {
  const many = Array.from({ length: 120 }, (_, i) => ({ id: `agent://a${i}`, skills: ['nlp'] }))
  for (const options of [{}, { grouping: { identical: false } }]) {
    const answer = (await directoryOf(many, options)).discover({ tags: ['nlp'], limit })
    expect([answer.status, answer.results.length]).toEqual(['OK', 100])
    expect(answer.diagnostics).toMatchObject([
      {
        code: 'CARD-177',
        severity: 'info',
        source: { pointer: '/limit' },
        detail: `a limit of ${limit} is cut to 100: more results are not given at once`,
      },
    ])
  }
})

it('a large and odd card does not affect others', async () => {
  const tags = Array.from({ length: 3000 }, (_, i) => `deep/${'x/'.repeat(i % 20)}t${i}`)
  const one = await directoryOf([
    ...CARDS,
    { id: 'agent://large', description: 'word '.repeat(6000), skills: tags.slice(0, 500) },
    { id: 'agent://odd', description: '\u0000\u202e', skills: ['__proto__', 'constructor', '/', '*'] },
  ])
  expect(one.size).toBe(5)
  expect(ids(one, { tags: ['nlp/translation'], query: 'contracts' })[0]).toBe('translator')
  expect(ids(one, { tags: ['__proto__'] })).toEqual(['odd'])
  expect(ids(one, { query: 'constructor' })).toEqual(['odd'])
})

it('does not find cards that the store has lost', async () => {
  const one = await directoryOf(CARDS)
  expect(one.remove('agent://reader')).toBe(true)
  expect([one.remove('agent://reader'), one.size, ids(one, { tags: ['vision'] })]).toEqual([false, 2, ['generalist']])
})
