// Flooding a directory, and competing for the first places in its answers.
import { describe, expect, it, test } from 'vitest'
import { normalizeTag } from '../../bindings/card/index.ts'
import {
  createDirectory,
  createMemoryStore,
  type DirectoryOptions,
  mergeAnswers,
  readQuery,
  sumQueryStatistics,
  withCard,
} from '../../bindings/directory/index.ts'
import { KEY_ID, signedCard } from '../card/support.ts'
import { clock, openDirectory, put } from '../directory/cards.ts'
import { drawing } from '../directory/draw.ts'
import { storeOf } from '../directory/stored.ts'
import { casesOf } from '../support/cases.ts'

const MONTH = 30 * 86_400
const closed = (options: Partial<DirectoryOptions> = {}) => createDirectory({ store: createMemoryStore(), ...options })

describe('a card that tries to stay forever', () => {
  it.each([1e308, 1e9, MONTH + 1, Number.MAX_SAFE_INTEGER])('is dropped after 30 days: ttl %s', async (ttl) => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now })
    const answer = await put(directory, { id: 'agent://a', skills: ['nlp'], metadata: { ttl } })
    expect(answer).toMatchObject({ stored: true, expiresAt: now().getTime() + 1000 * MONTH })
    expect(answer.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'CARD-176', source: expect.objectContaining({ pointer: '/metadata/ttl' }) }),
    )
    on(MONTH)
    expect([directory.size, directory.describe('agent://a').status]).toEqual([0, 'NOT_FOUND'])
  })

  it('stays as long as the operator allows; a shorter ttl applies without a warning', async () => {
    const { now } = clock()
    const directory = openDirectory({ clock: now, limits: { ttl: 100 } })
    for (const [ttl, kept] of [
      [99, 99],
      [100, 100],
      [101, 100],
    ] as const) {
      const { expiresAt, diagnostics } = await put(directory, { id: `agent://a${kept}${ttl}`, metadata: { ttl } })
      expect(expiresAt).toBe(now().getTime() + 1000 * kept)
      expect(diagnostics.some(({ code }) => code === 'CARD-176')).toBe(ttl > 100)
    }
    const answer = await put(openDirectory({ clock: now, limits: { ttl: 100 } }), { id: 'agent://a' })
    expect(answer.expiresAt).toBe(now().getTime() + 100_000)
  })
})

describe('bytes', () => {
  const of = (bytes: number, more: object = {}) => ({ id: 'agent://a', description: 'x'.repeat(bytes), ...more })

  it('are bounded for new cards, for larger ones that replace small ones, and for contradicting cards', async () => {
    const store = createMemoryStore()
    const directory = openDirectory({ store, limits: { bytes: 10_000 } })
    expect(await put(directory, of(4_000))).toMatchObject({ stored: true })
    expect(await put(directory, of(4_000, { id: 'agent://b' }))).toMatchObject({ stored: true })
    expect(await put(directory, of(4_000, { id: 'agent://c' }))).toMatchObject({ status: 'FULL', stored: false })
    expect(await put(directory, of(8_000))).toMatchObject({ status: 'FULL', stored: false })
    expect(await put(directory, of(3_000))).toMatchObject({ status: 'OK', stored: true })
    expect(await put(directory, of(2_500, { id: 'agent://c' }))).toMatchObject({ stored: true })
    expect(store.bytes).toBeLessThanOrEqual(10_000)
  })

  it('of other cards with the same seq count; an agent may always revoke its card', async () => {
    const store = createMemoryStore()
    const directory = closed({ store, limits: { bytes: 3_000 } })
    const own = (more: object) => signedCard({ id: KEY_ID, seq: 5, ...more })
    await directory.advertise(await own({}))
    for (let i = 0; i < 4; i++) await directory.advertise(await own({ description: `${i} ${'x'.repeat(900)}` }))
    expect(store.bytes).toBeLessThanOrEqual(3_000)
    const gone = await directory.advertise(
      await own({ seq: 6, tools: [], endpoints: [], description: 'y'.repeat(2_900) }),
    )
    expect(gone).toMatchObject({ status: 'OK', stored: true })
    expect(directory.describe(KEY_ID).revoked).toBe(true)
  })

  it('match what is stored, whatever was put, replaced and deleted', () => {
    const store = createMemoryStore()
    const [card] = storeOf([{ id: 'agent://a' }]).list(undefined, 1)
    store.put({ ...card!, bytes: new Uint8Array(10), signer: 'k', equivocations: [new Uint8Array(5)] })
    store.put({ ...card!, bytes: new Uint8Array(7), signer: 'k' })
    store.put({ ...card!, id: 'agent://b', bytes: new Uint8Array(100), signer: 'k' })
    expect([store.bytes, store.signedBy('k')]).toEqual([107, 2])
    store.delete('agent://b')
    store.delete('agent://b')
    expect([store.bytes, store.signedBy('k'), store.signedBy('other')]).toEqual([7, 1, 0])
  })
})

test('one key signs a limited number of cards, whose contents may still change', async () => {
  const directory = closed({ limits: { cardsPerSigner: 3 } })
  const send = async (path: string, seq = 1) => directory.advertise(await signedCard({ id: `${KEY_ID}${path}`, seq }))
  for (const path of ['', '/a', '/b']) expect(await send(path)).toMatchObject({ stored: true, reason: 'first' })
  const refused = await send('/c')
  expect(refused).toMatchObject({ status: 'OK', stored: false, reason: 'quota' })
  expect(refused.diagnostics.at(-1)).toMatchObject({ code: 'CARD-199', severity: 'error' })
  expect(await send('/a', 2)).toMatchObject({ stored: true, reason: 'newer' })
})

describe('places in an answer', () => {
  const GROUPING = { identical: true, perSource: 2 }
  const say = { description: 'Translates legal contracts.', skills: ['nlp/translation'] }
  const QUERY = { tags: ['nlp/translation'], query: 'legal contracts', limit: 5 }

  /** Thirty cards with the same text, and five agents with their own texts. */
  const crowded = [
    ...Array.from({ length: 30 }, (_, i) => ({ id: `agent://a${i + 10}`, name: `Copy ${i}`, ...say })),
    ...Array.from({ length: 5 }, (_, i) => ({
      id: `agent://z${i}`,
      ...say,
      description: `Legal contracts, number ${i}.`,
    })),
  ]
  const idsOf = ({ results }: { results: readonly { agent_card: { id: string } }[] }) =>
    results.map(({ agent_card: { id } }) => id)

  it('thirty cards with the same text share one place, with the others listed under it; scores stay the same', () => {
    const plain = createDirectory({ store: storeOf(crowded) }).discover(QUERY)
    expect(idsOf(plain)).toEqual(['agent://a10', 'agent://a11', 'agent://a12', 'agent://a13', 'agent://a14'])
    const grouped = createDirectory({ store: storeOf(crowded), grouping: GROUPING }).discover(QUERY)
    expect(idsOf(grouped)).toEqual(['agent://a10', 'agent://z0', 'agent://z1', 'agent://z2', 'agent://z3'])
    expect(grouped.results[0]!.score).toBe(plain.results[0]!.score)
    expect(grouped.results[0]!.same).toMatchObject({ count: 29 })
    expect(grouped.results[0]!.same!.agents.map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, i) => `agent://a${i + 11}`),
    )
    expect(grouped.grouped).toEqual({ same: 29, left_out: 0 })
    expect(JSON.stringify(grouped)).not.toContain('crowd')
  })

  it('another spelling, order of tags or name is not a different text', () => {
    const cards = [
      { ...say, id: 'agent://a', skills: ['nlp/translation', 'legal'] },
      {
        ...say,
        id: 'agent://b',
        name: 'Other',
        skills: ['Legal', 'NLP/Translation'],
        description: ' translates  LEGAL contracts.',
      },
      { ...say, id: 'agent://c', skills: ['nlp/translation'] },
    ]
    const { results } = createDirectory({ store: storeOf(cards), grouping: {} }).discover(QUERY)
    expect(results.map(({ agent_card: { id }, same }) => [id, same?.count])).toContainEqual(['agent://a', 1])
    expect(results).toHaveLength(2)
  })

  it('cards without a description are distinguished by their names', () => {
    const cards = ['Ada', 'Bob'].map((name) => ({ id: `agent://${name}`, name, skills: say.skills }))
    expect(createDirectory({ store: storeOf(cards), grouping: {} }).discover(QUERY).results).toHaveLength(2)
  })

  it('one host has a limited number of places, and so has one key', () => {
    const at = (host: string, i: number) => ({
      id: `agent://${host}${i}`,
      ...say,
      description: `Legal contracts ${i} ${host}`,
      endpoints: [{ protocol: 'mcp', uri: `https://${i % 2 ? host.toUpperCase() : host}./mcp/${i}` }],
    })
    const cards = [...Array.from({ length: 8 }, (_, i) => at('a.example', i)), at('b.example', 9)]
    const answer = createDirectory({ store: storeOf(cards), grouping: GROUPING }).discover(QUERY)
    expect(idsOf(answer)).toEqual(['agent://a.example0', 'agent://a.example1', 'agent://b.example9'])
    expect(answer.grouped).toEqual({ same: 0, left_out: 6 })

    const store = storeOf([])
    for (const card of storeOf(crowded.slice(30)).list(undefined, 10)) store.put({ ...card, signer: 'k' })
    const signed = createDirectory({ store, grouping: GROUPING }).discover(QUERY)
    expect(idsOf(signed)).toEqual(['agent://z0', 'agent://z1'])
    expect(signed.grouped).toEqual({ same: 0, left_out: 3 })
  })

  it('shards give the same random answers as one directory, and as a list that is filtered by hand', () => {
    for (let seed = 0; seed < casesOf(250); seed++) {
      const draw = drawing(seed)
      const cards = draw.cards(60).map((card) => ({
        ...card,
        ...(draw.below(3) > 0 && { description: `contracts ${draw.below(4)}`, skills: ['nlp/translation'] }),
        endpoints: [{ protocol: 'mcp', uri: `https://h${draw.below(4)}.example/` }],
      }))
      const grouping = { identical: draw.below(4) > 0, perSource: 1 + draw.below(4) }
      const query = { query: 'contracts', tags: ['nlp'], limit: 1 + draw.below(6), min_score: 0 }
      const { query: asked } = readQuery(query)
      const parts = 1 + draw.below(4)
      const place = cards.map(() => draw.below(parts))
      const one = createDirectory({ store: storeOf(cards), grouping })
      const shards = Array.from({ length: parts }, (_, part) =>
        createDirectory({ store: storeOf(cards.filter((_, i) => place[i] === part)), grouping }),
      )
      const statistics = sumQueryStatistics(shards.map((shard) => shard.statistics(asked!)))
      const joined = () => {
        for (let depth = query.limit; ; ) {
          const answers = shards.map((shard) => shard.rank(asked!, { statistics, depth }))
          const merged = mergeAnswers(answers, { limit: query.limit, grouping, depth })
          if (merged.deeper === undefined) return { ...merged, results: merged.results.map(withCard) }
          depth = merged.deeper
        }
      }
      const ranked = createDirectory({ store: storeOf(cards) }).discover({ ...query, limit: 100 }).results
      const answer = one.discover(query)
      expect(joined(), `seed ${seed}`).toEqual(answer)
      expect(
        answer.results.map(({ agent_card: { id }, score }) => [id, score]),
        `seed ${seed}`,
      ).toEqual(byHand(ranked, query.limit, grouping))
    }
  })
})

interface Ranked {
  readonly agent_card: {
    readonly id: string
    readonly description?: string
    readonly skills?: readonly string[]
    readonly name: string
  }
  readonly score: number
}

/** The entries that a reader would remove from a ranked list. */
function byHand(
  ranked: readonly Ranked[],
  limit: number,
  { identical, perSource }: { identical: boolean; perSource: number },
) {
  const texts = new Set<string>()
  const hosts: string[] = []
  const kept: [string, number][] = []
  for (const { agent_card: card, score } of ranked) {
    const {
      description,
      skills = [],
      name,
      endpoints,
    } = card as Ranked['agent_card'] & { endpoints: { uri: string }[] }
    const said = description?.trim() ? description.toLowerCase().trim().split(/\s+/).join(' ') : name.toLowerCase()
    const text = JSON.stringify([said, [...new Set(skills.map(normalizeTag))].sort()])
    const host = endpoints[0]!.uri
    if (identical && texts.has(text)) continue
    texts.add(text)
    if (hosts.filter((other) => other === host).length >= perSource) continue
    if (kept.length === limit) continue
    hosts.push(host)
    kept.push([card.id, score])
  }
  return kept
}
