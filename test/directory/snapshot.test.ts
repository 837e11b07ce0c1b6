import { describe, expect, it, test } from 'vitest'
import {
  createDirectory,
  createMemoryStore,
  type DirectoryOptions,
  readQuery,
  restoreDirectory,
} from '../../bindings/directory/index.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { clock, openDirectory, put } from './cards.ts'
import { drawing } from './draw.ts'
import { storeOf } from './stored.ts'

const ALL = { query: 'legal contracts translation summary', tags: ['nlp'], min_score: 0, limit: 100 }

describe('a restored directory', () => {
  it.each<Partial<DirectoryOptions>>([{}, { grouping: { perSource: 1 } }])(
    'gives the same responses as the saved one, including signals: %j',
    (options) => {
      for (let seed = 0; seed < 20; seed++) {
        const draw = drawing(seed)
        const cards = draw.cards(12).map((card, i) => {
          return { ...card, endpoints: [{ protocol: 'mcp', uri: `https://h${i % 4}.example/` }] }
        })
        const store = storeOf(cards)
        const directory = createDirectory({ store, ...options })
        for (const { id } of cards) directory.setSignals(id, draw.signals())
        const { directory: restored, from } = restoreDirectory(directory.save(), { store, ...options })
        const queries = [ALL, ...Array.from({ length: 5 }, draw.query), { query: 'trnslate' }]
        expect(from).toBe('snapshot')
        for (const query of queries) expect(restored.discover(query)).toEqual(directory.discover(query))
        for (const { id } of cards) restored.setSignals(id, { reputation: 0.3 })
        for (const { id } of cards) directory.setSignals(id, { reputation: 0.3 })
        expect(restored.discover(ALL)).toEqual(directory.discover(ALL))
      }
    },
  )

  it('applies later changes of the store: new, changed, revoked and expired cards', async () => {
    const { now, on } = clock()
    const store = createMemoryStore()
    const options: DirectoryOptions = { store, clock: now, acceptUnverified: true }
    const directory = createDirectory(options)
    const card = (name: string, more: object = {}) => ({ id: `agent://${name}`, skills: ['nlp'], seq: 1, ...more })
    for (const name of ['stays', 'changes', 'goes']) await put(directory, card(name))
    await put(directory, card('expires', { metadata: { ttl: 60 } }))
    const chunks = directory.save()
    await put(directory, card('comes'))
    await put(directory, card('changes', { seq: 2, skills: ['vision'] }))
    await put(directory, card('goes', { seq: 2, tools: [], endpoints: [] }))
    on(61)
    const { directory: restored, from } = restoreDirectory(chunks, options)
    const ids = restored.discover({ tags: ['nlp'] }).results.map(({ agent_card: { id } }) => id)
    expect([from, ids.sort(), restored.size]).toEqual(['snapshot', ['agent://comes', 'agent://stays'], 3])
  })

  it.each(['remove', 'lose'])('does not have a card that was removed after the save: %s', async (how) => {
    const store = createMemoryStore()
    const options: DirectoryOptions = { store, acceptUnverified: true }
    const directory = createDirectory(options)
    const card = (name: string) => ({ id: `agent://${name}`, description: `legal ${name}` })
    for (const name of ['stays', 'goes', 'returns']) {
      await put(directory, card(name))
      directory.setSignals(`agent://${name}`, { reputation: 1 })
    }
    const chunks = directory.save()
    for (const name of ['goes', 'returns']) {
      if (how === 'remove') directory.remove(`agent://${name}`)
      else store.delete(`agent://${name}`)
    }
    await put(directory, card('returns'))
    const { directory: restored } = restoreDirectory(chunks, options)
    const query = { query: 'legal', min_score: 0 }
    const scores = restored
      .discover(query, { explain: true })
      .results.map((result) => [result.agent_card.id, result.factors!.reputation])
    expect([restored.size, restored.statistics(readQuery(query).query!).documents]).toEqual([2, 2])
    // A deleted agent that returns has lost its old signals.
    expect(scores).toEqual([
      ['agent://stays', 1],
      ['agent://returns', 0.1],
    ])
  })

  it('learns of signals that its source got since the save', async () => {
    const signals = new Map([['agent://a', { online: false }]])
    const source = { signals: (id: string) => signals.get(id), known: () => signals.keys() }
    const store = storeOf([{ id: 'agent://a', skills: ['nlp'] }])
    const chunks = createDirectory({ store, signals: source }).save()
    signals.set('agent://a', { online: true })
    const [result] = restoreDirectory(chunks, { store, signals: source }).directory.discover(
      { tags: ['nlp'] },
      { explain: true },
    ).results
    expect(result!.factors!.availability).toBe(1)
  })

  const store = storeOf(drawing(1).cards(12))
  const saved = createDirectory({ store }).save()
  test.each<[string, readonly Uint8Array[], Partial<DirectoryOptions>]>([
    ['nothing', [], {}],
    ['no head', saved.slice(1), {}],
    ['half of the chunks', saved.slice(0, -1), {}],
    ['one too many', [...saved, saved.at(-1)!], {}],
    ['a changed chunk', saved.map((chunk, i) => (i === saved.length - 1 ? chunk.map((byte) => byte ^ 1) : chunk)), {}],
    ['a changed head', saved.map((chunk, i) => (i === 0 ? chunk.slice(1) : chunk)), {}],
    ['other fields', saved, { fields: { name: 1 } }],
    ['nothing that groups its cards', saved, { grouping: {} }],
    ['an older store', saved, { store: createMemoryStore() }],
  ])('is built from the store if it gets %s', (_, chunks, options) => {
    const { directory, from } = restoreDirectory(chunks, { store, ...options })
    const built = createDirectory({ store, ...options })
    expect([from, directory.discover(ALL)]).toEqual(['store', built.discover(ALL)])
  })
})

it('chunks fit into every storage', async () => {
  const directory = openDirectory()
  for (let i = 0; i < 500; i++) await put(directory, { id: `agent://a${i}`, description: `w${i} x${i}` })
  for (const chunk of nonEmpty(directory.save())) expect(chunk.length).toBeLessThan(1.5 * 2 ** 20)
})

describe('a memory store', () => {
  it('lists cards by id, in UTF-16 order, in pages', () => {
    const ids = ['agent://b', 'agent://a', 'agent://\u{1f600}', 'agent://\uffee', 'agent://B']
    const own = storeOf(ids.map((id) => ({ id })))
    const pages: string[] = []
    for (let after: string | undefined; ; ) {
      const page = own.list(after, 2).map(({ id }) => id)
      if (page.length === 0) break
      pages.push(...page)
      after = page.at(-1)
    }
    expect(pages).toEqual([...ids].sort())
    own.delete('agent://a')
    expect(own.list(undefined, 1)[0]!.id).toBe('agent://B')
  })

  it('counts expiry times correctly, however often cards are stored again', () => {
    const own = storeOf([])
    const [card] = storeOf([{ id: 'agent://a' }]).list(undefined, 1)
    for (let time = 1; time <= 5000; time++) own.put({ ...card!, expiresAt: time })
    expect(Array.from(own.expiring(0, 9999), ({ expiresAt }) => expiresAt)).toEqual([5000])
    expect(own.nextExpiry(4999)).toBe(5000)
  })

  it('lists later changes, and cards by expiry time', () => {
    const own = storeOf([])
    const [card] = storeOf([{ id: 'agent://a' }]).list(undefined, 1)
    for (const [id, expiresAt, revoked] of [
      ['agent://a', 30, false],
      ['agent://b', 10, false],
      ['agent://a', 20, false],
      ['agent://c', 15, true],
    ] as const) {
      own.put({ ...card!, id, expiresAt, revoked })
    }
    const names = (cards: Iterable<{ id: string }>) => Array.from(cards, ({ id }) => id.at(-1))
    expect([own.revision, own.size]).toEqual([4, 3])
    expect([names(own.since(0)), names(own.since(2)), names(own.since(4))]).toEqual([['b', 'a', 'c'], ['a', 'c'], []])
    expect([names(own.expiring(0, 30)), names(own.expiring(10, 19))]).toEqual([['b', 'a'], []])
    expect([own.nextExpiry(0), own.nextExpiry(30)]).toEqual([10, undefined])
  })
})
