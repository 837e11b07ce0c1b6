import { expect, test } from 'vitest'
import { Text } from '../../cli/lsp/text.ts'

const at = (line: number, character: number) => ({ line, character })

/** The offset of a position, by counting from the start. */
function offsetIn(text: string, { line, character }: ReturnType<typeof at>): number {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/)
  if (text === '' || /[\r\n]$/.test(text)) lines.push('')
  if (line >= lines.length) return text.length
  const before = lines.slice(0, line).join('').length
  return before + Math.min(character, lines[line]!.replace(/[\r\n]+$/, '').length)
}

/** A random number below `most`, always the same ones. */
function random(seed: number) {
  let state = seed
  return (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

test('a text after many changes is the one that splicing a string gives, with every kind of line end', () => {
  const next = random(7)
  const pieces = ['a', 'bc', '\n', '\r\n', '\r', '', '😀', '\ud83d', 'é\n\rz']
  const any = () => Array.from({ length: next(4) }, () => pieces[next(pieces.length)]).join('')
  for (let round = 0; round < 100; round++) {
    let naive = any() + any()
    const text = new Text(naive, 'utf-16')
    for (let i = 0; i < 20; i++) {
      const [start, end, added] = [at(next(6), next(6)), at(next(6), next(6)), any()]
      const [from, to] = [offsetIn(naive, start), offsetIn(naive, end)].sort((a, b) => a - b) as [number, number]
      naive = naive.slice(0, from) + added + naive.slice(to)
      text.change(added, { start, end })
      const place = at(next(8), next(8))
      expect([text.toString(), text.length, text.offsetAt(place)]).toEqual([
        naive,
        naive.length,
        offsetIn(naive, place),
      ])
    }
    const other = any() + naive.slice(0, 3)
    const edited = new Text(naive, 'utf-16')
    for (const { range, newText } of edited.editsTo(other)) edited.change(newText, range)
    expect(edited.toString()).toBe(other)
  }
})

test('positions count bytes in UTF-8, and those beyond a line or within a character have a place all the same', () => {
  const text = new Text('é😀x\ny', 'utf-8')
  expect([0, 1, 2, 3, 5, 6, 7, 99].map((byte) => text.offsetAt(at(0, byte)))).toEqual([0, 0, 1, 1, 1, 3, 4, 4])
  expect(text.offsetAt(at(9, 0))).toBe(6)
  expect(text.position(1, 4)).toEqual(at(0, 6))
  expect(text.positionAt(5)).toEqual(at(1, 0))
  text.change('!', { start: at(0, 6), end: at(0, 99) })
  expect(text.toString()).toBe('é😀!\ny')
})

test('the column of a finding does not count a byte order mark, and that of an editor does', () => {
  expect(new Text('\ufeffa: b', 'utf-16').position(1, 4)).toEqual(at(0, 4))
})
