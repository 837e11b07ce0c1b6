import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Lines } from '../../bindings/document/diagnose.ts'
import { casesOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** What an editor shows: splits the text itself and counts UTF-16 units. */
function naive(text: string, characters: number) {
  const before = [...text].slice(0, characters).join('')
  // A CR whose LF was cut off has not ended its line yet.
  const cut = before.endsWith('\r') && text[before.length] === '\n' ? `${before.slice(0, -1)}.` : before
  const lines = cut.split(/\r\n|\r|\n/)
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

const texts = fc
  .array(fc.constantFrom('a', '"', '\n', '\r', '\r\n', 'é', '€', '😀', '\u2028', '\t'), { maxLength: 40 })
  .map((parts) => parts.join(''))

describe('lines and columns', () => {
  test('agree with splitting the text, at every character', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = new Lines(bytesOf(text))
        const characters = [...text]
        for (let n = 0; n <= characters.length; n++) {
          const offset = bytesOf(characters.slice(0, n).join('')).length
          expect(lines.position(offset)).toEqual(naive(text, n))
        }
      }),
      { numRuns: casesOf(500) },
    )
  })

  test.each([1023, 1024, 1025, 2048, 2049, 5000])('agree with it in a text of %d lines', (count) => {
    const text = Array.from({ length: count }, (_, i) => 'x'.repeat(i % 3)).join('\r\n')
    const lines = new Lines(bytesOf(text))
    expect(lines.count).toBe(count)
    for (let n = text.length - 9; n <= text.length; n++) expect(lines.position(n)).toEqual(naive(text, n))
    expect(lines.position(1000)).toEqual(naive(text, 1000))
  })

  test('agree with it in any order of queries', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(40)), (text, order) => {
        const lines = new Lines(bytesOf(text))
        const characters = [...text]
        for (const n of order.filter((at) => at <= characters.length)) {
          expect(lines.position(bytesOf(characters.slice(0, n).join('')).length)).toEqual(naive(text, n))
        }
      }),
      { numRuns: casesOf(500) },
    )
  })

  test('every line has the text between its ends', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = new Lines(bytesOf(text))
        const expected = text.split(/\r\n|\r|\n/)
        expect(lines.count).toBe(expected.length)
        expect(expected.map((_, i) => lines.line(i + 1).text)).toEqual(expected)
      }),
      { numRuns: casesOf(500) },
    )
  })

  test('offsets outside the text count as its start or end', () => {
    const lines = new Lines(bytesOf('ab\nc'))
    expect(lines.position(-5)).toEqual({ line: 1, column: 1 })
    expect(lines.position(99)).toEqual({ line: 2, column: 2 })
  })

  test('throws for a line that does not exist', () => {
    expect(() => new Lines(bytesOf('a')).line(2)).toThrow(new RangeError('line: expected 1 to 1, got 2'))
  })

  test('bytes that are not UTF-8 have positions too', () => {
    const lines = new Lines(Uint8Array.of(0x22, 0xff, 0x80, 0x80, 10, 0xe2))
    for (let offset = 0; offset <= 6; offset++) expect(lines.position(offset).column).toBeGreaterThan(0)
    expect(lines.position(5)).toEqual({ line: 2, column: 1 })
  })

  test('a line of ten megabytes takes one pass, not one per finding', () => {
    const lines = new Lines(bytesOf('é'.repeat(5_000_000)))
    const begin = processorTime()
    for (let i = 0; i < 1000; i++) expect(lines.position(i * 10_000).column).toBe(i * 5000 + 1)
    expect(processorTime() - begin).toBeLessThan(2000)
  })

  test('finds a million lines in bounded time', () => {
    const lines = new Lines(bytesOf('\n'.repeat(1_000_000)))
    const begin = processorTime()
    for (let i = 0; i < 1000; i++) expect(lines.position(i * 1000)).toEqual({ line: i * 1000 + 1, column: 1 })
    expect(processorTime() - begin).toBeLessThan(2000)
  })
})
