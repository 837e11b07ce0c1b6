// Lists and lines are cut out of streams, wherever the chunks of these end: JSON.parse says what is in them.
import { describe, expect, test } from 'vitest'
import { MOST_BYTES } from '../../browser-demo/directory/limits.ts'
import { BrokenList, type Piece, piecesOf } from '../../browser-demo/directory/pieces.ts'

/** A blob whose stream comes in chunks of this size. */
function chunked(text: string, size: number): Blob {
  const blob = new Blob([text])
  blob.stream = () => {
    const bytes = new TextEncoder().encode(text)
    return new ReadableStream({
      start(controller) {
        for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size))
        controller.close()
      },
    }) as ReturnType<Blob['stream']>
  }
  return blob
}

async function cut(text: string, size: number, name = 'x.json'): Promise<Piece[]> {
  const pieces: Piece[] = []
  for await (const piece of piecesOf({ name, blob: chunked(text, size) })) pieces.push(piece)
  return pieces
}

const textOf = ({ bytes }: Piece) => new TextDecoder().decode(bytes)
const VALUES = [{ a: '],[\\"' }, [1, [2]], 'ü, ] "', { b: { c: ['}'] } }, '\\', 7, null]

describe('cutting', () => {
  test.each([1, 2, 3, 7, 1000])('a list in chunks of %i bytes', async (size) => {
    const pieces = await cut(`\ufeff ${JSON.stringify(VALUES, null, 1)}\n`, size)
    expect(pieces.map((piece) => JSON.parse(textOf(piece)))).toEqual(VALUES)
    expect(pieces.map(({ name }) => name)).toEqual(VALUES.map((_, i) => `x.json [${i}]`))
  })

  test.each([1, 5, 1000])('lines in chunks of %i bytes', async (size) => {
    const pieces = await cut('{"a":1}\r\n\n{"b":"\\n}"}\nnot JSON', size)
    expect(pieces.map(textOf)).toEqual(['{"a":1}\r', '{"b":"\\n}"}', 'not JSON'])
    expect(pieces.map(({ name }) => name)).toEqual(['x.json:1', 'x.json:3', 'x.json:4'])
  })

  test.each(['{"a": 1}', '{\n"a": 1}\n', 'id: x\n', ''])('%j is one document', async (text) => {
    expect((await cut(text, 4)).map(textOf)).toEqual([text])
  })

  test('an empty list has none', async () => {
    expect(await cut(' [ ] ', 2)).toEqual([])
  })

  test.each([
    ['[1, 2', 1, 'breaks off after element 0'],
    ['["1, 2]', 0, 'breaks off before its first element'],
    ['[1,,2]', 1, 'missing in the list after element 0'],
    ['[1,]', 1, 'missing in the list after element 0'],
    ['[1] 2', 1, 'behind the list after element 0'],
  ])('%s is broken, and what stands before is given', async (text, before, words) => {
    const pieces: Piece[] = []
    const read = async () => {
      for await (const piece of piecesOf({ name: 'x', blob: chunked(text, 2) })) pieces.push(piece)
    }
    const fault = await read().catch((error: Error) => error)
    expect(fault).toBeInstanceOf(BrokenList)
    expect((fault as Error).message).toContain(words)
    expect(pieces).toHaveLength(before)
  })

  test('an element and a line that are too large are passed over, those beside them are not', async () => {
    const large = `{"a": "${'x'.repeat(MOST_BYTES)}"}`
    for (const text of [`[1, ${large}, 2]`, `{"a": 1}\n${large}\n{"b": 2}`]) {
      expect((await cut(text, 1 << 20)).map(({ bytes }) => bytes === undefined)).toEqual([false, true, false])
    }
  })
})
