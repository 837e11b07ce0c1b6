// Sources that are not one JSON or YAML document: a document in each line, and Markdown with front matter. Their places are
// in the source.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyOf } from '../../bindings/document/front-matter.ts'
import { type ParseResult, parse } from '../../bindings/document/parse.ts'
import { parseText } from '../../bindings/document/parse-text.ts'
import { parseLines } from '../../bindings/document/split-lines.ts'
import { casesOf } from '../support/cases.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const codes = ({ diagnostics }: ParseResult) =>
  diagnostics.map(({ code, source: { pointer, offset, line, column } }) => [code, pointer, offset, line, column])

describe('a document in each line', () => {
  test.each([
    ['', []],
    ['\n \r\n', []],
    ['{"a":1}', [{ a: 1 }]],
    ['{"a":1}\n[2]\n', [{ a: 1 }, [2]]],
    ['\n\n {"a":1}\r\n\n3\r\n"x"', [{ a: 1 }, 3, 'x']],
  ])('%j is an array of them', (text, value) => {
    for (const source of [text, bytesOf(text)]) expect(parseLines(source).document!.value).toEqual(value)
  })

  test('a value has the place of its line', () => {
    const text = '\n{"a":[1,"é"]}\r\n  {"b":2}'
    const { document } = parseLines(text, { file: 'x.jsonl' })
    const cut = (pointer: string) => {
      const { start, end } = document!.range(pointer)!
      return textOf(bytesOf(text).subarray(start, end))
    }
    expect(['/0', '/0/a/1', '/1', '/1/b'].map(cut)).toEqual(['{"a":[1,"é"]}', '"é"', '{"b":2}', '2'])
    expect(document!.source('/1/b')).toMatchObject({ file: 'x.jsonl', line: 3, column: 8 })
    expect(document!.pointerAt(text.indexOf('2') + 1)).toBe('/1/b')
    expect(textOf(document!.canonical)).toBe('[{"a":[1,"é"]},{"b":2}]')
  })

  test.each([
    ['{"a":1}\n{"a":', 'DOC-102', '/1/a', 13, 2, 6],
    ['{"a":1\n,"b":2}', 'DOC-102', '/0', 6, 1, 7],
    ['[1\n2]', 'DOC-102', '/0', 2, 1, 3],
    ['1,2', 'DOC-103', '/0', 1, 1, 2],
    ['\n{"a":1,"a":2}', 'DOC-107', '/0/a', 8, 2, 8],
    ['{}\n\ud800', 'DOC-108', '', 3, 2, 1],
  ])('%j is refused at its place', (text, ...place) => {
    const found = parseLines(text)
    expect(found.document).toBeUndefined()
    expect(codes(found)).toEqual([place])
  })

  test('a repeated member is placed in its line, with the first one', () => {
    const [{ related, detail }] = parseLines('{}\n{"a":1,"a":2}').diagnostics as [ParseResult['diagnostics'][number]]
    expect([related, detail.includes('line 2') || related![0]!.message.includes('2')]).toEqual([
      [{ pointer: '/1/a', message: expect.any(String) }],
      true,
    ])
  })

  test('limits count the array as a level, and all bytes', () => {
    expect(codes(parseLines('[]\n[[]]', { maxDepth: 2 }))).toEqual([['DOC-113', '/1/0', 4, 2, 2]])
    expect(parseLines('[]\n[]', { maxDepth: 2 }).document!.value).toEqual([[], []])
    expect(codes(parseLines('[]\n[]', { maxBytes: 4 }))).toEqual([['DOC-114', '', 0, 1, 1]])
  })

  test('a byte order mark is refused, or ignored with a warning', () => {
    expect(codes(parseLines('\ufeff{}'))[0]![0]).toBe('DOC-105')
    const { document, diagnostics } = parseLines('\ufeff{}\n{"a":9007199254740993}', { bom: 'warn' })
    expect([document!.value, diagnostics.map(({ code }) => code)]).toEqual([
      [{}, { a: 9007199254740992 }],
      ['DOC-105', 'DOC-120'],
    ])
    expect(diagnostics[1]!.source).toMatchObject({ pointer: '/1/a', line: 2, column: 6 })
  })

  test('gives the documents that each line alone gives', () => {
    const line = fc.json({ maxDepth: 3 }).map((text) => text.replaceAll('\n', ' '))
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\n\n'), (documents, between) => {
        const expected = documents.map((text) => parse(text).document?.value)
        fc.pre(!expected.includes(undefined))
        const { document } = parseLines(documents.join(between))
        expect(document!.value).toEqual(expected)
        for (const [i, text] of documents.entries()) {
          const { start, end } = document!.range(`/${i}`)!
          expect(textOf(document!.lines.bytes.subarray(start, end))).toBe(text.trim())
        }
      }),
    )
  })
})

describe('Markdown with front matter', () => {
  const open = parseText

  test.each([
    ['---\nname: x\n---\n# Title\n', { name: 'x' }, '# Title\n'],
    ['---\r\nname: x\r\n---\r\nTitle', { name: 'x' }, 'Title'],
    ['---\nname: x\n---', { name: 'x' }, ''],
    ['---\nname: x\n', { name: 'x' }, ''],
    ['# Title\n---\nname: x\n---\n', {}, '# Title\n---\nname: x\n---\n'],
    ['{"name": "x"}', {}, '{"name": "x"}'],
    ['', {}, ''],
  ])('%j', (text, value, body) => {
    for (const source of [text, bytesOf(text)]) {
      const { document } = open(source)
      expect([document!.value, textOf(bodyOf(document!))]).toEqual([value, body])
    }
  })

  test('its places are in the whole text, which the document keeps', () => {
    const text = '---\nname: x\ntags: [a, b]\n---\nBody\n'
    const { document } = open(text, { file: 'SKILL.md' })
    expect(document!.source('/tags/1')).toMatchObject({ file: 'SKILL.md', line: 3, column: 11 })
    expect(textOf(document!.lines.bytes)).toBe(text)
  })

  test.each([
    ['---\nname: [x\n---\nBody', 'DOC-190'],
    ['---\nname: x\nname: y\n---\n', 'DOC-107'],
    ['---\nname: x\n---\n\ud800', 'DOC-108'],
  ])('%j is refused', (text, code) => {
    const { document, diagnostics } = open(text)
    expect([document, diagnostics.map((one) => one.code)]).toEqual([undefined, [code]])
  })

  test('its size includes the body', () => {
    expect(codes(open('---\na: 1\n---\nBody', { maxBytes: 16 }))).toEqual([['DOC-114', '', 0, 1, 1]])
  })

  test('a document from a value has no body', () => {
    expect(bodyOf(parse('{"name": "x"}').document!)).toHaveLength(0)
  })
})

test('no bytes make them throw, and every finding has a place in the source', () => {
  const parts = fc.constantFrom('---\n', '{"a":1}', '\n', '\r\n', 'a: [', '\ufeff', '\ud800', '"', ']', '---')
  const source = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.array(parts, { maxLength: 12 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(source, fc.constantFrom(parseLines, parseText), (source, read) => {
      const { length } = typeof source === 'string' ? bytesOf(source) : source
      const { document, diagnostics } = read(source, { bom: 'warn', maxDepth: 8 })
      for (const { source } of diagnostics) expect(source.endOffset).toBeLessThanOrEqual(Math.max(length, 1))
      expect(document === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
      if (document !== undefined) expect(document.range('')!.end).toBeLessThanOrEqual(length)
    }),
    { numRuns: casesOf(2000) },
  )
})
