// Invalid arguments throw an error that names the argument, what was expected and what was passed.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createIndex, loadIndex, type SearchIndex } from '../../bindings/core/index-search.ts'

const card = { id: 'agent://a', tags: ['x'] }
/** Arguments that the types do not allow. */
const any = <T>(value: unknown) => value as T

describe('invalid arguments', () => {
  let index: SearchIndex
  beforeEach(() => {
    index = createIndex()
    index.addRecord(card)
  })
  afterEach(() => {
    expect(index.query({ tags: ['x'] }).map(({ id, score }) => [id, score])).toEqual([['agent://a', 0.3]])
  })

  test.each<[message: string, kind: typeof TypeError | typeof RangeError, call: (i: SearchIndex) => unknown]>([
    ['reputation: expected a number from 0 to 1, got 1.5', RangeError, (i) => i.addRecord(card, { reputation: 1.5 })],
    ['reputation: expected a number from 0 to 1, got -0.1', RangeError, (i) => i.addRecord(card, { reputation: -0.1 })],
    ['rating: expected a number from 0 to 1, got NaN', RangeError, (i) => i.addRecord(card, { rating: Number.NaN })],
    [
      'availability: expected a number from 0 to 1, got string',
      RangeError,
      (i) => i.addRecord(card, any({ availability: '1' })),
    ],
    [
      'rating: expected a number from 0 to 1, got null',
      RangeError,
      (i) => i.setSignals('agent://a', any({ rating: null })),
    ],
    ['excluded: expected a boolean, got 1', TypeError, (i) => i.addRecord(card, any({ excluded: 1 }))],
    ['id: expected a string, got undefined', TypeError, (i) => i.addRecord(any({}))],
    [
      'id: expected well-formed text, got a lone surrogate in "\\ud800"',
      RangeError,
      (i) => i.addRecord({ id: '\ud800' }),
    ],
    ['tags: expected an array of strings, got string', TypeError, (i) => i.addRecord({ id: 'a', tags: any('x') })],
    ['tags[1]: expected a string, got number', TypeError, (i) => i.addRecord({ id: 'a', tags: any(['x', 7]) })],
    ['words[0]: expected a string, got object', TypeError, (i) => i.addRecord({ id: 'a', words: any([{}]) })],
    ['text: expected a string, got null', TypeError, (i) => i.addRecord({ id: 'a', text: any(null) })],
    ['tags: expected an array of strings, got string', TypeError, (i) => i.query({ tags: any('x') })],
    ['tags[0]: expected a string, got undefined', TypeError, (i) => i.query({ tags: new Array(1) })],
    ['words: expected an array of strings, got object', TypeError, (i) => i.query({ words: any({ length: 1 }) })],
    ['text: expected a string, got 7', TypeError, (i) => i.statistics({ text: any(7) })],
    ['tags: expected 32 at the most, got 33', RangeError, (i) => i.query({ tags: new Array(33).fill('x') })],
    ['query: expected 65535 bytes at the most', RangeError, (i) => i.query({ text: 'x'.repeat(65_536) })],
    ['query: expected 65535 bytes at the most', RangeError, (i) => i.query({ text: 'é'.repeat(32_768) })],
    ['query: expected 65535 bytes at the most', RangeError, (i) => i.query({ words: new Array(1e6).fill('') })],
    ['query: expected 65535 bytes at the most', RangeError, (i) => i.statistics({ words: ['é'.repeat(32_768)] })],
    ['limit: expected an integer from 0 to 1000, got 1001', RangeError, (i) => i.query({ limit: 1001 })],
    ['limit: expected an integer from 0 to 1000, got -1', RangeError, (i) => i.query({ limit: -1 })],
    ['limit: expected an integer from 0 to 1000, got 1.5', RangeError, (i) => i.query({ limit: 1.5 })],
    ['limit: expected an integer from 0 to 1000, got string', RangeError, (i) => i.query({ limit: any('1') })],
    ['minScore: expected a number from -1000 to 1000, got NaN', RangeError, (i) => i.query({ minScore: Number.NaN })],
    ['minScore: expected a number from -1000 to 1000, got string', RangeError, (i) => i.query({ minScore: any('1') })],
    ['weights.tags: expected a number from 0 to 1000, got -1', RangeError, (i) => i.query({ weights: { tags: -1 } })],
    [
      'weights.text: expected a number from 0 to 1000, got 1001',
      RangeError,
      (i) => i.query({ weights: { text: 1001 } }),
    ],
    [
      'weights.rating: expected a number from 0 to 1000',
      RangeError,
      (i) => i.query({ weights: any({ rating: undefined }) }),
    ],
    ['chunkBytes: expected an integer from 4096 to 16777216', RangeError, (i) => i.save({ chunkBytes: 4095 })],
    ['chunkBytes: expected an integer from 4096 to 16777216', RangeError, (i) => i.save({ chunkBytes: 2 ** 24 + 1 })],
    ['chunks: expected a Uint8Array, got string', TypeError, () => loadIndex(any(['x']))],
    ['query: expected an object, got undefined', TypeError, (i) => i.query(any(undefined))],
  ])('%s', (message, kind, call) => {
    expect(() => call(index)).toThrow(kind)
    expect(() => call(index)).toThrow(message)
  })

  test('an invalid id matches no card', () => {
    for (const id of ['', '\ud800', 'i'.repeat(2049), 'é'.repeat(2048), any<string>(undefined), any<string>({})]) {
      expect([index.has(id), index.remove(id), index.setSignals(id, { rating: 1 })]).toEqual([false, false, false])
    }
  })

  test('weights and members with the names of inherited ones change nothing', () => {
    const weights = JSON.parse('{"__proto__":{"tags":0},"constructor":5,"toString":7}')
    expect(index.query({ tags: ['x'], weights })).toEqual(index.query({ tags: ['x'] }))
    expect(index.addRecord({ id: '__proto__', tags: ['toString'] })).toEqual({ ok: true, replaced: false })
    expect(index.query({ tags: ['toString'] }).map(({ id }) => id)).toEqual(['__proto__'])
    expect(index.remove('__proto__')).toBe(true)
  })

  test('lone surrogates in tags and text become U+FFFD, as in encoders', () => {
    index.addRecord({ id: 'b', tags: ['\ud83d', 'y'], text: 'w\udc00' })
    expect(index.query({ tags: ['\ufffd'] }).map(({ id }) => id)).toEqual(['b'])
    expect(index.query({ text: 'w\ufffd' }).map(({ id }) => id)).toEqual(['b'])
  })

  test('two halves of a pair in different tags do not become a pair', () => {
    index.addRecord({ id: 'b', tags: ['x\ud83d', '\ude00y'] })
    expect(index.query({ tags: ['x\ufffd'] }).map(({ id }) => id)).toEqual(['b'])
    expect(index.query({ tags: ['x\ud83d', '\ude00y'] })[0]?.factors.tags).toBe(1)
  })
})
