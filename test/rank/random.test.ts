// Random agents and queries through both builds, compared with a loop over all cards: test/rank/oracle.ts.
import { beforeAll, describe, expect, test } from 'vitest'
import { createIndex, loadIndex, type SearchIndex } from '../../bindings/core/index-search.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf } from '../support/cases.ts'
import { agree } from './compare.ts'
import { drawing } from './draw.ts'
import { ln, Oracle } from './oracle.ts'

const CORPORA = casesOf(100)
const ROUNDS = 8
const QUERIES = 6

test('the logarithm of the oracle agrees with Math.log', () => {
  const { below } = drawing(1)
  for (let n = 0; n < 10_000; n++) {
    const x = 1 + (below(1e9) + 0.5) / (below(1e6) + 0.5)
    expect(Math.abs(ln(x) / Math.log(x) - 1)).toBeLessThan(1e-15)
  }
})

describe.each(BUILDS)('[card/5-1] [card/5-2] random agents, $name', (build) => {
  beforeAll(build.use)

  test.each(Array.from({ length: CORPORA / 10 }, (_, part) => part))(
    'added, replaced, removed, rated, merged, saved: part %i',
    (part) => {
      let hits = 0
      for (let seed = part * 10; seed < part * 10 + 10; seed++) {
        const draw = drawing(seed)
        const oracle = new Oracle()
        let index = createIndex()
        for (let round = 0; round < ROUNDS; round++) {
          index = change(index, oracle, draw, round)
          for (let n = 0; n < QUERIES; n++) {
            const query = draw.query()
            agree(index, oracle, query)
            hits += oracle.query(query).length
          }
        }
        expect(index.size).toBe(oracle.size)
      }
      expect(hits).toBeGreaterThan(2000)
    },
  )
})

/** Makes some changes, and sometimes rebuilds the index, which must not change any answer. */
function change(index: SearchIndex, oracle: Oracle, draw: ReturnType<typeof drawing>, round: number): SearchIndex {
  const cards = 1 << draw.below(6)
  // Texts get longer, so that the average moves away from the reference of the first cards' bounds.
  const most = 3 + round * round
  for (let n = draw.below(60); n > 0; n--) {
    const kind = draw.below(10)
    const id = draw.id(cards)
    const signals = draw.signals()
    if (kind < 6) {
      const record = draw.record(cards, most)
      expect(index.addRecord(record, signals)).toEqual({ ok: true, replaced: oracle.ids.includes(record.id) })
      oracle.add(record, signals)
    } else if (kind < 8) expect(index.remove(id)).toBe(oracle.remove(id))
    else expect(index.setSignals(id, signals)).toBe(oracle.setSignals(id, signals))
    expect(index.has(id)).toBe(oracle.ids.includes(id))
  }
  if (draw.chance(0.2)) index.merge()
  if (!draw.chance(0.2)) return index
  const loaded = loadIndex(index.save({ chunkBytes: 4096 }))
  if (!loaded.ok) throw new Error(`chunk ${loaded.chunk}: fault ${loaded.fault.code} at ${loaded.fault.offset}`)
  return loaded.index
}

// Blocks of the scan have 8192 cards, pages 1024; chunks of postings grow; a delta of a tenth triggers a merge.
describe.each(BUILDS)('[card/5-1] many agents, $name', (build) => {
  beforeAll(build.use)

  test('base, delta, removed cards', () => {
    const draw = drawing(99)
    const oracle = new Oracle()
    const index = createIndex()
    const added = Array.from({ length: 9000 }, (_, n) => {
      const skills = draw.several(3, draw.tag)
      const description = draw.text(12)
      const signals = draw.signals()
      const id = `agent://${n}`
      const record = { id, tags: skills, text: `${skills.join(' ')} ${description}` }
      oracle.add(record, signals)
      return index.addRecord(record, signals)
    })
    expect(added.filter(({ ok }) => ok)).toHaveLength(9000)
    const ask = (times: number) => {
      for (let n = 0; n < times; n++) agree(index, oracle, draw.query())
    }
    ask(8)
    for (let n = 0; n < 300; n++) {
      const id = `agent://${draw.below(9500)}`
      expect(index.remove(id)).toBe(oracle.remove(id))
    }
    ask(8)
    for (let n = 0; n < 900; n++) {
      const record = { ...draw.record(1, 30), id: `agent://${draw.below(9500)}` }
      index.addRecord(record)
      oracle.add(record)
      if (n % 100 === 0) ask(1)
    }
    ask(8)
    expect(index.size).toBe(oracle.size)
  })
})
