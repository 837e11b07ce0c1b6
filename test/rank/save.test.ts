// A saved index: complete, in chunks of any size, and damaged in every way.
import { beforeAll, describe, expect, test } from 'vitest'
import { createIndex, loadIndex, type SearchIndex, sumStatistics } from '../../bindings/core/index-search.ts'
import { ownInstance } from '../../bindings/wasm/instance.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf } from '../support/cases.ts'
import { agree } from './compare.ts'
import { drawing } from './draw.ts'
import { best, Oracle } from './oracle.ts'

const CHUNK = -71
const ORDER = -72
const CHECKSUM = -73
const HEADER = 24

/** An index with everything: removed and excluded cards, repeated words, long ids. */
function filled(seed: number, cards: number) {
  const draw = drawing(seed)
  const index = createIndex()
  const oracle = new Oracle()
  for (let n = 0; n < cards; n++) {
    const record = { ...draw.record(1, 30), id: `agent://${'long/'.repeat(draw.below(20))}${n}` }
    const signals = draw.signals()
    index.addRecord(record, signals)
    oracle.add(record, signals)
  }
  for (const id of oracle.ids.filter(() => draw.chance(0.1))) {
    index.remove(id)
    oracle.remove(id)
  }
  return { draw, index, oracle }
}

function loaded(chunks: Iterable<Uint8Array>): SearchIndex {
  const answer = loadIndex(chunks)
  if (!answer.ok) throw new Error(`chunk ${answer.chunk}: fault ${answer.fault.code} at ${answer.fault.offset}`)
  return answer.index
}

const bytesOf = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks)

describe.each(BUILDS)('$name', (build) => {
  beforeAll(build.use)

  test.each([4096, 5000, 65_536, 1 << 20])('loads unchanged from chunks of %i bytes', (chunkBytes) => {
    const { draw, index, oracle } = filled(chunkBytes, 400)
    const chunks = index.save({ chunkBytes })
    expect(chunks.every((chunk) => chunk.length <= chunkBytes)).toBe(true)
    expect(chunks.length > 1).toBe(chunkBytes < 65_536)
    const copy = loaded(chunks)
    expect(copy.size).toBe(oracle.size)
    for (let n = 0; n < 30; n++) agree(copy, oracle, draw.query())
    // It continues like the index that was saved.
    expect(copy.addRecord({ id: 'new', text: 'alpha' })).toEqual({ ok: true, replaced: false })
    oracle.add({ id: 'new', text: 'alpha' })
    for (let n = 0; n < 10; n++) agree(copy, oracle, draw.query())
    // Saving again gives the same bytes: only the keys of the hash tables are random.
    expect(bytesOf(loaded(chunks).save({ chunkBytes }))).toEqual(bytesOf(chunks))
  })

  test('an empty index', () => {
    const copy = loaded(createIndex().save())
    expect(copy.size).toBe(0)
    expect(copy.addRecord({ id: 'a' })).toEqual({ ok: true, replaced: false })
  })

  test('refuses a changed or missing byte in its own chunk', () => {
    const chunks = filled(7, 60).index.save({ chunkBytes: 4096 })
    expect(chunks.length).toBeGreaterThan(2)
    chunks.forEach((chunk, number) => {
      for (let at = 0; at < chunk.length; at += at < HEADER ? 1 : 211) {
        const changed = chunk.slice()
        changed[at]! ^= 1 << (at & 7)
        for (const wrong of [changed, chunk.subarray(0, at)]) {
          const answer = loadIndex(chunks.with(number, wrong))
          expect(answer).toMatchObject({ ok: false, chunk: number })
          if (answer.ok) continue
          expect([CHUNK, ORDER, CHECKSUM]).toContain(answer.fault.code)
          expect(answer.fault.offset).toBeLessThanOrEqual(wrong.length)
        }
      }
    })
  })

  test('refuses chunks that are reordered, repeated, of another save, missing or added', () => {
    const chunks = filled(7, 60).index.save({ chunkBytes: 4096 })
    const [first, second] = chunks as [Uint8Array, Uint8Array]
    const refused = (list: readonly Uint8Array[], chunk: number, code: number) =>
      expect(loadIndex(list)).toMatchObject({ ok: false, chunk, fault: { code } })
    refused([], 0, ORDER)
    refused([second, first, ...chunks.slice(2)], 0, ORDER)
    refused([first, first, ...chunks.slice(1)], 1, ORDER)
    refused(chunks.slice(0, -1), chunks.length - 1, ORDER)
    refused([...chunks, first], chunks.length, ORDER)
    refused([first, filled(8, 60).index.save({ chunkBytes: 4096 })[1]!], 1, CHECKSUM)
    refused([new Uint8Array()], 0, CHUNK)
    refused([new TextEncoder().encode('{"not":"an index","of":"cards"}')], 0, CHUNK)
  })

  // Anyone who writes a snapshot can give it a correct checksum.
  test('invented content with correct checksums neither traps nor loads an inconsistent index', () => {
    const [chunk] = filled(3, 6).index.save() as [Uint8Array]
    const { below } = drawing(5)
    let core = ownInstance()
    const load = (changed: Uint8Array) => {
      const answer = core.exports.indexLoad(core.write(changed))
      core.renew()
      if (answer < 0) expect(core.word(1)).toBeLessThanOrEqual(changed.length)
      return answer
    }
    let taken = 0
    const apart = 5 / casesOf(5)
    for (let at = HEADER; at < chunk.length; at += apart) {
      for (const value of [0, 0x7f, 0xff, below(256)]) {
        const changed = signed(chunk.with(at, value))
        if (load(changed) < 0) continue
        core = ownInstance()
        // Ids, texts and signals can change without becoming invalid.
        if (taken++ % 20 > 0) continue
        const index = loaded([changed])
        index.query({ tags: ['nlp', 'vision'], text: 'translate contracts to the x1' })
        index.remove(index.query({ limit: 1 })[0]?.id ?? '')
        expect(loadIndex(index.save()).ok).toBe(true)
      }
    }
    expect(taken).toBeGreaterThan(100 / apart)
    for (let length = HEADER; length < chunk.length; length += apart) {
      // A cut after a term gives a valid index with fewer terms.
      if (load(signed(chunk.slice(0, length))) >= 0) core = ownInstance()
    }
  })

  test('after a refused chunk the index is empty and accepts cards', () => {
    const chunks = filled(7, 60).index.save({ chunkBytes: 4096 })
    const core = ownInstance()
    const load = (chunk: Uint8Array) => core.exports.indexLoad(core.write(chunk))
    const add = () => core.exports.indexAddRecord(core.write(record('a')), 0, 0, 0, 0)
    expect(load(chunks[0]!)).toBe(0)
    // While loading, an index answers no queries.
    expect(core.exports.indexOpen(6, 1, 2)).toBe(-2)
    expect(add()).toBe(-2)
    expect(core.exports.indexHas(core.write(new TextEncoder().encode('a')))).toBe(0)
    expect(core.exports.indexRemove(core.write(new TextEncoder().encode('a')))).toBe(0)
    expect(core.exports.indexQuery(core.write(record('')), 10, 0, 1, 1, 1, 1, 1, 0)).toBe(-2)
    expect(core.exports.indexStatistics(core.write(record('')))).toBe(-2)
    expect(core.exports.indexSave(4096, 1)).toBe(-2)
    expect(load(chunks[2]!)).toBe(ORDER)
    expect(core.exports.indexSize()).toBe(0)
    for (const chunk of chunks.slice(0, -1)) expect(load(chunk)).toBe(0)
    expect(load(chunks.at(-1)!)).toBe(1)
    expect(core.exports.indexSize()).toBe(loaded(chunks).size)
    expect(load(chunks[0]!)).toBe(-2)
    expect(core.exports.indexOpen(6, 1, 2)).toBe(-2)
    expect(add()).toBe(0)
  })

  test.each([1, 2, 3, 7])('[card/5-6] %i shards answer as one index', (count) => {
    const draw = drawing(count)
    const oracle = new Oracle()
    const shards = Array.from({ length: count }, () => createIndex())
    for (let n = 0; n < 300; n++) {
      const record = { ...draw.record(1, 30), id: `agent://${n}` }
      const signals = draw.signals()
      oracle.add(record, signals)
      shards[n % count]!.addRecord(record, signals)
    }
    for (let n = 0; n < 300; n += 11)
      expect(shards[n % count]!.remove(`agent://${n}`)).toBe(oracle.remove(`agent://${n}`))
    for (let n = 0; n < 60; n++) {
      const query = draw.query()
      const statistics = sumStatistics(shards.map((shard) => shard.statistics(query)))
      expect(statistics).toEqual(oracle.statistics(query))
      const hits = shards.flatMap((shard) => shard.query({ ...query, statistics }))
      expect(best(hits, query.limit!)).toEqual(oracle.query(query))
    }
  })

  test('refuses impossible statistics from elsewhere', () => {
    const { index } = filled(4, 20)
    const ask = (documents: number, length: number, frequencies: number[]) =>
      index.query({ text: 'the x1', statistics: { documents, length, frequencies } })
    expect(ask(1e9, 1e11, [5e8, 1])).not.toEqual([])
    expect(ask(0, 0, [0, 0])).not.toEqual([])
    const refused = (...args: Parameters<typeof ask>) => expect(() => ask(...args)).toThrow(RangeError)
    refused(10, 100, [1])
    refused(10, 100, [1, 2, 3])
    refused(10, 100, [1, 11])
    refused(10, 100, [1, -1])
    refused(10, 100, [1, Number.NaN])
    refused(-1, 100, [0, 0])
    refused(10, Number.POSITIVE_INFINITY, [0, 0])
    refused(2 ** 41, 100, [0, 0])
    expect(() => sumStatistics([])).toThrow('parts: expected the statistics of one shard at least')
    expect(() => sumStatistics([index.statistics({ text: 'a' }), index.statistics({ text: 'a b' })])).toThrow(
      RangeError,
    )
  })
})

/** A record with only an id. */
function record(id: string): Uint8Array {
  return Uint8Array.from([id.length, 0, 0, 0, ...new Array(12).fill(0), ...new TextEncoder().encode(id)])
}

const MASK = (1n << 64n) - 1n
const mix = (h: bigint, word: bigint) => {
  const product = ((h ^ word) * 0x9e3779b97f4a7c15n) & MASK
  return product ^ (product >> 32n)
}

/** The single chunk of a save, with its checksum corrected by the rule of core/rank/save.ts. */
function signed(chunk: Uint8Array): Uint8Array {
  const padded = new DataView(new ArrayBuffer((chunk.length + 15) & ~7))
  new Uint8Array(padded.buffer).set(chunk)
  let h = 0n
  for (let at = 8; at < chunk.length; at += 8) h = mix(h, padded.getBigUint64(at, true))
  padded.setBigUint64(0, h, true)
  return new Uint8Array(padded.buffer, 0, chunk.length)
}
