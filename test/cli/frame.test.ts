import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Lines } from '../../bindings/document/index.ts'
import type { SourceRange } from '../../bindings/document/types.ts'
import { codeFrame } from '../../cli/report/pretty.ts'
import { casesOf } from '../support/cases.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function rangeOf(text: string, from: number, to: number): { lines: Lines; source: SourceRange } {
  const lines = new Lines(bytesOf(text))
  const [offset, endOffset] = [bytesOf(text.slice(0, from)).length, bytesOf(text.slice(0, to)).length]
  const [start, end] = [lines.position(offset), lines.position(endOffset)]
  return { lines, source: { pointer: '', offset, endOffset, ...start, endLine: end.line, endColumn: end.column } }
}

const render = (text: string, from: number, to: number, columns = 80) => {
  const { lines, source } = rangeOf(text, from, to)
  return codeFrame(lines, source, columns).map(({ gutter, text: row, role }) =>
    `${role === 'line' ? '>' : ' '} ${gutter} | ${row}`.trimEnd(),
  )
}

describe('excerpts', () => {
  test('two lines before and after, carets under the value', () => {
    expect(render('a\nb\nc\nd = 12\ne\nf\ng\n', 10, 12)).toEqual([
      '  2 | b',
      '  3 | c',
      '> 4 | d = 12',
      '    |     ^^',
      '  5 | e',
      '  6 | f',
    ])
  })

  test('the beginning and the end of the document have no lines around them', () => {
    expect(render('x', 0, 1)).toEqual(['> 1 | x', '    | ^'])
    expect(render('', 0, 0)).toEqual(['> 1 |', '    | ^'])
    expect(render('x\n', 2, 2)).toEqual(['  1 | x', '> 2 |', '    | ^'])
  })

  test('a range of several lines is marked to the end of the first', () => {
    expect(render('{\n "a": [\n 1]}', 8, 12)).toEqual(['  1 | {', '> 2 |  "a": [', '    |       ^', '  3 |  1]}'])
  })

  test('wide and combining characters and tabs keep the carets under the value', () => {
    expect(render('"中文": 1', 6, 7)).toEqual(['> 1 | "中文": 1', '    |         ^'])
    expect(render('\t"e\u0301": 1', 7, 8)).toEqual(['> 1 |   "e\u0301": 1', '    |        ^'])
    expect(render('"😀": 1', 6, 7)).toEqual(['> 1 | "😀": 1', '    |       ^'])
  })

  test('a document cannot control the terminal', () => {
    const rows = render('"\x1b[2J\u202e\x9b": x', 10, 11)
    expect(rows[0]).toBe('> 1 | "\u241b[2J\ufffd\ufffd": x')
    expect(rows[1]).toBe('    |           ^')
  })

  test('a minified document of a megabyte is cut around the value', () => {
    const text = `[${'"ab",'.repeat(200_000)}x]`
    const at = text.indexOf('x')
    const [line, caret] = render(text, at, at + 1) as [string, string]
    expect(line.length).toBeLessThanOrEqual(80)
    expect(line[caret.indexOf('^')]).toBe('x')
    expect(line).toContain('| …')
  })

  test('no row is wider than requested, and the first caret is under the first character of the range', () => {
    const texts = fc.array(fc.constantFrom('a', 'bc', '0', '\n', ' ', '"', 'é'), { maxLength: 300 })
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(30), fc.integer({ min: 30, max: 90 }), (parts, seed, length, columns) => {
        const text = parts.join('')
        const from = seed % (text.length + 1)
        const rows = render(text, from, Math.min(text.length, from + length), columns)
        for (const row of rows) expect([...row].length).toBeLessThanOrEqual(columns)
        const meant = rows.findIndex((row) => row.startsWith('>'))
        const at = rows[meant + 1]!.indexOf('^')
        const shown = rows[meant]![at] ?? ' '
        if (shown !== '…') expect(shown.trim()).toBe((text[from] ?? '').trim())
      }),
      { numRuns: casesOf(500) },
    )
  })
})
