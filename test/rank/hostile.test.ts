// Hostile bytes and calls on the bare exports: each gets an answer or a fault, never a trap.
import { beforeAll, describe, expect, test } from 'vitest'
import { createIndex } from '../../bindings/core/index-search.ts'
import { ownInstance } from '../../bindings/wasm/instance.ts'
import { BUILDS } from '../support/builds.ts'
import { agree } from './compare.ts'
import { drawing } from './draw.ts'
import { Oracle } from './oracle.ts'

const RECORD = -65
const WORD = -66
const SIGNAL = -67
const QUERY = -69
const STATISTICS = -70

/** Claimed lengths, followed by bytes. */
function record(words: readonly number[], text = ''): Uint8Array {
  return new Uint8Array([...new Uint8Array(new Uint32Array(words).buffer), ...new TextEncoder().encode(text)])
}

describe.each(BUILDS)('$name', (build) => {
  beforeAll(build.use)

  function index() {
    const core = ownInstance()
    const { exports } = core
    const write = (bytes: Uint8Array | string) =>
      typeof bytes === 'string' ? core.writeText(bytes) : core.write(bytes)
    return {
      core,
      exports,
      offset() {
        core.renew()
        return core.word(1)
      },
      add: (bytes: Uint8Array, rating = Number.NaN, excluded = -1) =>
        exports.indexAddRecord(write(bytes), Number.NaN, Number.NaN, rating, excluded),
      query: (bytes: Uint8Array, limit = 10, given = 0, least = 0, weight = 1) =>
        exports.indexQuery(write(bytes), limit, least, weight, weight, weight, weight, weight, given),
      statistics: (bytes: Uint8Array) => exports.indexStatistics(write(bytes)),
      has: (id: string) => exports.indexHas(write(id)),
    }
  }

  test.each<[name: string, bytes: Uint8Array, code: number, offset: number]>([
    ['nothing', new Uint8Array(), RECORD, 0],
    ['15 bytes', new Uint8Array(15), RECORD, 15],
    ['an id beyond the end', record([2, 0, 0, 0], 'a'), RECORD, 17],
    ['a text beyond the end', record([1, 0, 0, 0xffffffff], 'a'), RECORD, 17],
    ['tags beyond the end', record([1, 0x40000000, 0, 0], 'a'), RECORD, 4],
    ['words beyond the end', record([1, 0xffffffff, 0xffffffff, 0], 'a'), RECORD, 4],
    ['lengths whose sum overflows', record([1, 2, 0, 0, 0xffffffff, 0xfffffff0], 'a'.repeat(9)), RECORD, 33],
    ['an empty word', record([1, 0, 1, 0, 0], 'a'), WORD, 21],
    ['a word of 256 bytes', record([1, 0, 1, 0, 256], 'a'.repeat(257)), WORD, 21],
    ['no id', record([0, 0, 0, 0]), -61, 16],
    ['257 tags', record([1, 257, 0, 0, ...new Array(257).fill(0)], 'a'), -63, 4],
    ['a tag of 256 bytes', record([1, 1, 0, 0, 256], 'a'.repeat(257)), -62, 21],
    ['65,536 bytes', new Uint8Array(65_536), -64, 65_535],
  ])('a record with %s', (_name, bytes, code, offset) => {
    const { add, exports, offset: at } = index()
    expect(add(bytes)).toBe(code)
    expect(at()).toBe(offset)
    expect(exports.indexSize()).toBe(0)
  })

  test('signals out of range', () => {
    const { add, exports, core } = index()
    const bytes = record([1, 0, 0, 0], 'a')
    expect([1.01, -0.01, Number.POSITIVE_INFINITY].map((rating) => add(bytes, rating))).toEqual([
      SIGNAL,
      SIGNAL,
      SIGNAL,
    ])
    expect(add(bytes, 0, 2)).toBe(SIGNAL)
    expect(add(bytes)).toBe(0)
    expect(exports.indexSignals(core.writeText('a'), 0, 0, 2, 0)).toBe(SIGNAL)
    expect(exports.indexSignals(core.writeText('b'), 0, 0, 1, 0)).toBe(0)
    expect(exports.indexSignals(core.writeText('a'), 0, 0, 1, 0)).toBe(1)
  })

  test('queries out of bounds', () => {
    const { add, query, statistics } = index()
    add(record([1, 1, 0, 1, 1], 'axx'))
    const asked = record([0, 1, 0, 1, 1], 'xx')
    expect(query(asked)).toBe(1)
    expect(query(asked, 1001)).toBe(QUERY)
    expect(query(asked, 10, 0, Number.NaN)).toBe(QUERY)
    expect(query(asked, 10, 0, 1001)).toBe(QUERY)
    expect([-1, 1001, Number.NaN].map((weight) => query(asked, 10, 0, 0, weight))).toEqual([QUERY, QUERY, QUERY])
    expect(query(record([1, 0, 0, 0], 'a'))).toBe(QUERY)
    expect(query(record([0, 33, 0, 0, ...new Array(33).fill(0)]))).toBe(QUERY)
    expect(query(new Uint8Array(65_536))).toBe(QUERY)
    expect(query(new Uint8Array(3))).toBe(RECORD)
    expect(statistics(new Uint8Array(3))).toBe(RECORD)
    // Announced statistics that are missing, and the reverse.
    expect(query(asked, 10, 1)).toBe(STATISTICS)
    expect(query(record([0, 1, 0, 1, 1], 'xx????'))).toBe(STATISTICS)
    const given = (...numbers: number[]) =>
      new Uint8Array([...asked, ...new Uint8Array(new Float64Array(numbers).buffer)])
    expect(query(given(5, 9, 2), 10, 1)).toBe(1)
    expect(query(given(5, 9, 6), 10, 1)).toBe(STATISTICS)
    expect(query(given(Number.NaN, 9, 2), 10, 1)).toBe(STATISTICS)
    expect(query(given(5, Number.POSITIVE_INFINITY, 2), 10, 1)).toBe(STATISTICS)
    expect(query(given(5, 1e-300, 2), 10, 1)).toBe(1)
  })

  test('random bytes as cards, records, queries and chunks', () => {
    const { below, chance } = drawing(17)
    const { add, query, statistics, exports, core } = index()
    for (let n = 0; n < 3000; n++) {
      const bytes = Uint8Array.from({ length: below(90) }, () => (chance(0.6) ? below(4) : below(256)))
      for (const call of [add, query, statistics]) expect(call(bytes)).toBeGreaterThan(-100)
      expect(exports.indexHas(core.write(bytes))).toBeGreaterThanOrEqual(0)
    }
    const other = ownInstance()
    for (let n = 0; n < 300; n++) {
      const chunk = Uint8Array.from({ length: below(60) }, () => below(256))
      expect(other.exports.indexLoad(other.write(chunk))).toBeLessThan(0)
    }
  })

  test('words and ids with a common prefix, and a card with very many words', () => {
    const index = createIndex()
    const oracle = new Oracle()
    const stem = 'a'.repeat(240)
    for (let n = 0; n < 100; n++) {
      const card = { id: stem + n, tags: [stem + n, `${stem}/${n}`], text: `${stem}${n} ${stem}` }
      index.addRecord(card)
      oracle.add(card)
    }
    const wide = { id: 'wide', text: Array.from({ length: 9000 }, (_, n) => n.toString(36)).join(' ') }
    index.addRecord(wide)
    oracle.add(wide)
    agree(index, oracle, { tags: [stem, `${stem}7`], text: `${stem}3 zz ${stem}`, limit: 200 })
    agree(index, oracle, { text: Array.from({ length: 400 }, (_, n) => n.toString(36)).join(' ') })
  })

  test('memory stays bounded while one agent is replaced 10,000 times', () => {
    const memories: WebAssembly.Memory[] = []
    const Original = WebAssembly.Instance
    WebAssembly.Instance = class extends Original {
      constructor(module: WebAssembly.Module) {
        super(module, {})
        memories.push(this.exports['memory'] as WebAssembly.Memory)
      }
    }
    try {
      const index = createIndex()
      for (let n = 0; n < 10_000; n++) {
        index.addRecord({ id: 'a', tags: [`t/${n}`], text: `t/${n} word${n} again` })
      }
      expect(index.size).toBe(1)
      expect(index.query({ text: 'word9999' })).toHaveLength(1)
      expect(index.query({ text: 'word9998' })).toEqual([])
      expect(Math.max(...memories.map((memory) => memory.buffer.byteLength))).toBeLessThan(8 << 20)
    } finally {
      WebAssembly.Instance = Original
    }
  })
})
