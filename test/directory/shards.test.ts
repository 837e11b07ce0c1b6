import { describe, expect, it } from 'vitest'
import {
  createDirectory,
  createMemoryStore,
  type Directory,
  mergeAnswers,
  readQuery,
  sumQueryStatistics,
  withCard,
} from '../../bindings/directory/index.ts'
import { discoverAnswer } from '../../bindings/directory/invocation.ts'
import { inBrief } from '../../bindings/directory/results.ts'
import { casesOf } from '../support/cases.ts'
import { drawing } from './draw.ts'
import { storeOf } from './stored.ts'

describe('shards', () => {
  it('together give the same response as one directory: random ones, cards in 1 to 5 shards [card/5-6]', () => {
    for (let seed = 0; seed < casesOf(300); seed++) {
      const draw = drawing(seed)
      const cards = draw.cards(16)
      const told = cards.map(() => draw.signals())
      const query = draw.query()
      const parts = 1 + draw.below(5)
      const place = cards.map(() => draw.below(parts))
      const one = createDirectory({ store: storeOf(cards) })
      const shards = Array.from({ length: parts }, (_, part) =>
        createDirectory({ store: storeOf(cards.filter((_, i) => place[i] === part)) }),
      )
      cards.forEach(({ id }, i) => {
        one.setSignals(id, told[i]!)
        shards[place[i]!]!.setSignals(id, told[i]!)
      })
      const asked = overWire(readQuery(query).query!)
      const statistics = sumQueryStatistics(shards.map((shard) => overWire(shard.statistics(asked))))
      const answers = shards.map((shard) => shard.rank(asked, { statistics }))
      expect(mergeAnswers(answers, query), `seed ${seed}`).toEqual(one.rank(asked))
    }
  })

  it('use the card with the higher seq of two cards of one agent, whatever their scores', () => {
    const card = { id: 'agent://moved', description: 'legal contracts', skills: ['nlp'] }
    const older = createDirectory({ store: storeOf([{ ...card, seq: 4 }]) })
    const newer = createDirectory({ store: storeOf([{ ...card, description: 'contracts, mostly', seq: 5 }]) })
    const { query } = readQuery({ query: 'legal contracts' })
    const merged = mergeAnswers([older, newer].map((shard: Directory) => shard.rank(query!)))
    expect(merged.results.map((result) => withCard(result).agent_card.seq)).toEqual([5])
  })

  it.each([
    ['beyond 2^53', '9007199254740993', '9007199254740992'],
    ['the largest two', '18446744073709551615', '18446744073709551614'],
  ])(
    'use the card with the higher seq, %s, also in brief results, which then contain its digits',
    async (_, higher, lower) => {
      const card = (seq: string, more: string) =>
        `{"id":"agent://moved","name":"A","description":"legal ${more}","seq":${seq}}`
      for (const seqs of [
        [higher, lower],
        [lower, higher],
      ] as const) {
        const shards = await Promise.all(
          seqs.map(async (seq) => {
            const shard = createDirectory({ store: createMemoryStore(), acceptUnverified: true, grouping: {} })
            await shard.advertise(card(seq, seq))
            return shard
          }),
        )
        const { query } = readQuery({ query: 'legal' })
        const parts = shards.map((shard) => shard.rank(query!, { depth: 10 }))
        const brief = parts.map((part) => ({ ...part, results: part.results.map(inBrief) }))
        for (const answers of [parts, brief]) {
          const merged = mergeAnswers(answers.map(overWire))
          expect(merged.results.map(({ seq }) => seq)).toEqual([higher])
          const { bytes } = discoverAnswer(merged, { answerBytes: 65_535 })
          const text = new TextDecoder().decode(bytes)
          expect(JSON.parse(text)).toEqual({ results: merged.results.map(withCard) })
          if (answers === parts) expect(text).toContain(`"seq":${higher}}`)
        }
      }
    },
  )

  it("adopt each other's cards unchanged, with the time and proof of their arrival", () => {
    const [stored] = storeOf([{ id: 'agent://moves', skills: ['nlp'] }]).list(undefined, 1)
    const directory = createDirectory({ store: storeOf([]), clock: () => new Date(5000) })
    directory.adopt({ ...stored!, standing: 'token', retrievedAt: 1000, expiresAt: 9000 })
    expect(directory.describe('agent://moves')).toMatchObject({ standing: 'token', expiresAt: 9000 })
    expect(directory.discover({ tags: ['nlp'] }).results).toHaveLength(1)
    directory.adopt({ ...stored!, expiresAt: 4000 })
    expect(directory.size).toBe(0)
  })

  it('refuse statistics of different queries', () => {
    const directory = createDirectory({ store: storeOf([]) })
    const [first, second] = ['legal', 'contracts'].map((query) => directory.statistics(readQuery({ query }).query!))
    expect(() => sumQueryStatistics([first!, second!])).toThrow(RangeError)
    expect(() => sumQueryStatistics([])).toThrow(RangeError)
    expect(() => mergeAnswers([])).toThrow(RangeError)
  })
})

/** Shards exchange JSON. */
const overWire = <T>(value: T): T => JSON.parse(JSON.stringify(value))
