// Lines of a source, however its bytes arrive.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitLines } from '../../bindings/document/split-lines.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function linesIn(chunks: readonly Uint8Array[], most?: number) {
  const found: [number, number, string | undefined][] = []
  for await (const { number, offset, bytes: line } of splitLines(chunks, most === undefined ? {} : { most }))
    found.push([number, offset, line && new TextDecoder('utf-8', { ignoreBOM: true }).decode(line)])
  return found
}

describe('lines of a source', () => {
  test.each([
    ['nothing', '', []],
    ['a line without an end', 'a', [[1, 0, 'a']]],
    [
      'empty lines',
      '\n\na\n',
      [
        [1, 0, ''],
        [2, 1, ''],
        [3, 2, 'a'],
      ],
    ],
    [
      'CR LF',
      'a\r\nb\r\n',
      [
        [1, 0, 'a'],
        [2, 3, 'b'],
      ],
    ],
    ['a carriage return alone', 'a\rb\n', [[1, 0, 'a\rb']]],
    [
      'a byte order mark, which counts in offsets',
      '\ufeffa\n\ufeffb',
      [
        [1, 0, 'a'],
        [2, 5, '\ufeffb'],
      ],
    ],
    [
      'a line beyond the limit, without its bytes',
      '12345\r\n123456\nab',
      [
        [1, 0, '12345'],
        [2, 7, undefined],
        [3, 14, 'ab'],
      ],
    ],
  ] as const)('%s', async (_, text, expected) => {
    expect(await linesIn([bytes(text)], 5)).toEqual(expected)
  })

  test('are the same for every way in which the bytes arrive', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'ä', ' '), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(80), { maxLength: 8 }), async (source, cuts) => {
        const whole = bytes(source)
        const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
        const chunks = places.slice(1).map((to, i) => whole.subarray(places[i], to))
        const lines = source.split('\n')
        if (lines.at(-1) === '') lines.pop()
        expect((await linesIn(chunks)).map(([, , line]) => line)).toEqual(lines.map((line) => line.replace(/\r$/, '')))
      }),
    )
  })

  test('need the memory of one line, even for a line that never ends', async () => {
    const chunk = new Uint8Array(1 << 16).fill(0x61)
    let given = 0
    function* endless() {
      for (; given < 1 << 15; given++) yield chunk
    }
    const before = process.memoryUsage().arrayBuffers
    for await (const line of splitLines(endless())) expect(line.bytes).toBeUndefined()
    expect(given).toBe(1 << 15)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 24)
  })
})
