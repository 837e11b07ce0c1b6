// Lists and lines are split into documents, wherever the chunks of a stream end. The expected values come from JSON.parse.
import { describe, expect, test } from 'vitest'
import { documentsIn, InvalidListError, MOST_BYTES, type SourceDocument } from '../../browser-demo/directory/split.ts'

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

async function split(text: string, size: number, name = 'x.json'): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = []
  for await (const document of documentsIn({ name, blob: chunked(text, size) })) documents.push(document)
  return documents
}

const textOf = ({ bytes }: SourceDocument) => new TextDecoder().decode(bytes)
const VALUES = [{ a: '],[\\"' }, [1, [2]], 'ü, ] "', { b: { c: ['}'] } }, '\\', 7, null]

describe('splitting a source', () => {
  test.each([1, 2, 3, 7, 1000])('returns the elements of a list in chunks of %i bytes', async (size) => {
    const documents = await split(`\ufeff ${JSON.stringify(VALUES, null, 1)}\n`, size)
    expect(documents.map((document) => JSON.parse(textOf(document)))).toEqual(VALUES)
    expect(documents.map(({ name }) => name)).toEqual(VALUES.map((_, i) => `x.json [${i}]`))
  })

  test.each([1, 5, 1000])('returns the lines of a file in chunks of %i bytes', async (size) => {
    const documents = await split('{"a":1}\r\n\n{"b":"\\n}"}\nnot JSON', size)
    expect(documents.map(textOf)).toEqual(['{"a":1}\r', '{"b":"\\n}"}', 'not JSON'])
    expect(documents.map(({ name }) => name)).toEqual(['x.json:1', 'x.json:3', 'x.json:4'])
  })

  test.each(['{"a": 1}', '{\n"a": 1}\n', 'id: x\n', ''])('%j is one document', async (text) => {
    expect((await split(text, 4)).map(textOf)).toEqual([text])
  })

  test('an empty list has no documents', async () => {
    expect(await split(' [ ] ', 2)).toEqual([])
  })

  test.each([
    ['[1, 2', 1, 'without a closing ], after element 0'],
    ['["1, 2]', 0, 'without a closing ], before its first element'],
    ['[1,,2]', 1, 'comma without an element, after element 0'],
    ['[1,]', 1, 'comma without an element, after element 0'],
    ['[1] 2', 1, 'after the end of the list, after element 0'],
  ])('returns the documents before the place where %s is malformed', async (text, before, words) => {
    const documents: SourceDocument[] = []
    const read = async () => {
      for await (const document of documentsIn({ name: 'x', blob: chunked(text, 2) })) documents.push(document)
    }
    const fault = await read().catch((error: Error) => error)
    expect(fault).toBeInstanceOf(InvalidListError)
    expect((fault as Error).message).toContain(words)
    expect(documents).toHaveLength(before)
  })

  test('an element and a line that are too large have no bytes; their neighbours have', async () => {
    const large = `{"a": "${'x'.repeat(MOST_BYTES)}"}`
    for (const text of [`[1, ${large}, 2]`, `{"a": 1}\n${large}\n{"b": 2}`]) {
      expect((await split(text, 1 << 20)).map(({ bytes }) => bytes === undefined)).toEqual([false, true, false])
    }
  })
})
