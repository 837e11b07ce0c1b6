import { describe, expect, it } from 'vitest'
import type { disclose } from '../../bindings/card/disclosure.ts'
import {
  createDirectory,
  type Directory,
  type DirectoryOptions,
  handleInvocation,
  mergeAnswers,
  readQuery,
  sumQueryStatistics,
} from '../../bindings/directory/index.ts'
import { EXAMPLE } from '../card/support.ts'
import { casesOf } from '../support/cases.ts'
import { openDirectory } from './cards.ts'
import { drawing } from './draw.ts'
import { storeOf } from './stored.ts'

type Draw = ReturnType<typeof drawing>

/** A policy for anyone, and a function that draws new content for the hidden members. */
const POLICIES: readonly (readonly [string, readonly disclose.Rule[], (draw: Draw) => object])[] = [
  [
    'descriptions alone',
    [{ to: 'anyone', show: { fields: ['description'] } }],
    (draw) => ({ ...tags(draw), ...others(draw) }),
  ],
  ['tags alone', [{ to: 'anyone', show: { fields: ['skills'] } }], (draw) => ({ ...text(draw), ...others(draw) })],
  ['names alone', [], (draw) => ({ ...text(draw), ...tags(draw), ...others(draw) })],
  [
    'everything except a tool',
    [{ to: 'anyone', show: { hideTools: ['admin.reset'] } }],
    (draw) => ({ tools: [{ name: 'admin.reset', description: draw.words() }] }),
  ],
  ['nothing', [{ to: 'anyone', show: 'nothing' }], (draw) => ({ ...text(draw), ...tags(draw), ...others(draw) })],
]
const text = (draw: Draw) => ({ description: draw.words() })
const tags = (draw: Draw) => ({ skills: draw.skills() })
const others = (draw: Draw) => ({
  constraints: { max_concurrent_tasks: 1 + draw.below(3) },
  endpoints: [{ transport: 'http', uri: `https://h${draw.below(3)}.example/` }],
})

const OPTIONS: readonly (readonly [string, Partial<DirectoryOptions>])[] = [
  ['a directory', { fields: { name: 1, tools: 1 } }],
  ['one that groups', { fields: { tools: 1 }, grouping: { perSource: 2 } }],
]

describe('two directories whose visible content is the same', () => {
  for (const [how, options] of OPTIONS) {
    it.each(POLICIES)(`give equal responses, to the byte: %s, ${how} [card/7.5-1]`, async (_, disclosure, hidden) => {
      for (let seed = 0; seed < casesOf(40); seed++) {
        const draw = drawing(seed)
        const shown = draw.cards(10).map((card) => ({ ...card, name: draw.words() || 'an agent' }))
        const signals = shown.map(() => draw.signals())
        const queries = [{ query: 'transl contrct', min_score: 0 }, draw.query(), { ...draw.query(), limit: 2 }]
        const place = shown.map(() => draw.below(2))
        const [one, other] = [0, 1].map(() => {
          const cards = shown.map((card, i) => ({
            ...card,
            ...hidden(draw),
            signer: `key ${draw.below(2)}`,
            shard: place[i],
          }))
          return [cards, ...[0, 1].map((shard) => cards.filter((card) => card.shard === shard))].map((some) => {
            const store = storeOf(some.map(({ shard: _, signer: __, ...card }) => card))
            for (const { id, signer } of some) store.put({ ...store.get(id)!, signer })
            const directory = createDirectory({ store, disclosure, ...options })
            shown.forEach(({ id }, i) => void directory.setSignals(id, signals[i]!))
            return directory
          })
        })
        for (const query of queries) {
          const told = `seed ${seed}: ${JSON.stringify(query)}`
          expect(await toldOf(one![0]!, query), told).toEqual(await toldOf(other![0]!, query))
          expect(ofShards(one!.slice(1), query), told).toEqual(ofShards(other!.slice(1), query))
        }
        for (const { id } of shown) expect(one![0]!.describe(id)).toEqual(other![0]!.describe(id))
      }
    })
  }

  async function toldOf(directory: Directory, query: object): Promise<string> {
    const body = JSON.stringify({ ...query, explain: true })
    const { bytes } = await handleInvocation(directory, { method: 'adp.discover', body })
    return new TextDecoder().decode(bytes)
  }

  function ofShards(shards: readonly Directory[], query: object): string {
    const { query: asked } = readQuery(query)
    if (asked === undefined) return 'invalid'
    const statistics = sumQueryStatistics(shards.map((shard) => shard.statistics(asked)))
    const parts = shards.map((shard) => shard.rank(asked, { statistics, explain: true }))
    return JSON.stringify([statistics, mergeAnswers(parts)])
  }
})

describe('a caller with a partial view', () => {
  const guarded = async (show: disclose.Rule['show']) => {
    const directory = openDirectory({
      disclosure: [
        { to: ['agent://auditor'], show: 'whole' },
        { to: 'anyone', show },
      ],
    })
    await directory.advertise(JSON.stringify(EXAMPLE))
    return directory
  }

  it('finds a card only by its visible part [card/7.2-1]', async () => {
    const directory = await guarded({ fields: ['description'] })
    const [part] = directory.discover({ tags: ['nlp'], query: 'translation analysis' }, { explain: true }).results
    expect(part!.matched_tags).toEqual([])
    const [byTag, byText] = part!.why!.map(({ reason }) => reason)
    expect([byTag, byText]).toEqual(['0 of 1 tags match', "1 of 1 words are in the card: 'translation'"])
    expect(JSON.stringify(part)).not.toMatch(/analys|nlp/i)
    expect(directory.discover({ tags: ['nlp'] }).results).toEqual([])
    expect(directory.discover({ tags: ['nlp'] }, { caller: 'agent://auditor' }).results).toHaveLength(1)
  })

  it('never sees a hidden word as a correction', async () => {
    const directory = await guarded({ fields: ['description'] })
    const asked = { query: 'ana' }
    expect(directory.discover(asked).corrections).toEqual([{ word: 'ana', instead: [] }])
    expect(directory.discover(asked, { caller: 'agent://auditor' }).corrections[0]!.instead).not.toEqual([])
  })

  it('finds cards that were added or changed after its first query, and no removed ones', async () => {
    const directory = openDirectory({ disclosure: [{ to: 'anyone', show: { fields: ['description'] } }] })
    const found = (query: string) =>
      directory.discover({ query, min_score: 0 }).results.map(({ agent_card: { id } }) => id.slice('agent://'.length))
    const put = (id: string, description: string, seq: number) =>
      directory.advertise(JSON.stringify({ id: `agent://${id}`, name: 'A', description, skills: ['nlp'], seq }))
    expect(found('legal')).toEqual([])
    await put('a', 'legal', 1)
    await put('b', 'legal', 1)
    expect(found('legal')).toEqual(['a', 'b'])
    directory.setSignals('agent://b', { online: true })
    expect(found('legal')).toEqual(['b', 'a'])
    await put('b', 'medical', 2)
    expect([found('legal'), found('medical')]).toEqual([['a'], ['b']])
    directory.remove('agent://a')
    expect(found('legal')).toEqual([])
  })

  it('cannot find out which agents exist if it may see nothing', async () => {
    const directory = await guarded('nothing')
    expect(directory.describe('agent://nobody')).toEqual(directory.describe(EXAMPLE.id))
    expect(directory.describe(EXAMPLE.id).status).toBe('UNAUTHORIZED')
  })
})
