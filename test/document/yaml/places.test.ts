import { describe, expect, test } from 'vitest'
import { parse as reference, stringify } from 'yaml'
import { firstDifference } from '../../../bindings/document/difference.ts'
import type { Document } from '../../../bindings/document/index.ts'
import { formatPointer } from '../../../bindings/document/index.ts'
import { read } from '../../../bindings/document/read.ts'
import { parseYaml } from '../../../bindings/document/yaml/parse.ts'
import { isWellFormed } from '../../../bindings/wasm/instance.ts'
import { documents } from '../../support/documents.ts'

/** Every value with its path. */
function* values(value: unknown, path: (string | number)[] = []): Generator<[(string | number)[], unknown]> {
  yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    yield* values(member, [...path, Array.isArray(value) ? Number(name) : name])
  }
}

/** The source text of a value, and of its name. */
function textAt(document: Document, pointer: string): [value: string, name: string | undefined] {
  const { start, end, keyStart, keyEnd } = document.range(pointer)!
  const source = Buffer.from(document.lines.bytes)
  const slice = (from: number, to: number) => source.subarray(from, to).toString()
  return [slice(start, end), keyStart === undefined ? undefined : slice(keyStart, keyEnd!)]
}

/** Line and column of an offset, counted from the beginning. */
function positionOf(source: string, offset: number) {
  const before = Buffer.from(source)
    .subarray(0, offset)
    .toString()
    .split(/\r\n|\n/)
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

const SOURCE = `# a comment with é, € and 😀
name: Scout # behind
"quoted é": 'single ''😀'''   # behind
list:
  - plain text
    over lines
  -   1.50
  - # an empty one
  - - nested
    - ~
flow: {a: [x, "y,z" ], 'b': , c: 0x1F,}
literal: |  # header
  first é

  second

folded: >-
  one
  two
? explicit
: - [p: q]
? |
  block name
: last
`

const PLACES: Record<string, [string, string?]> = {
  '/name': ['Scout', 'name'],
  '/quoted é': ["'single ''😀'''", '"quoted é"'],
  '/list': ['- plain text\n    over lines\n  -   1.50\n  - # an empty one\n  - - nested\n    - ~', 'list'],
  '/list/0': ['plain text\n    over lines'],
  '/list/1': ['1.50'],
  '/list/2': [''],
  '/list/3': ['- nested\n    - ~'],
  '/list/3/0': ['nested'],
  '/list/3/1': ['~'],
  '/flow': [`{a: [x, "y,z" ], 'b': , c: 0x1F,}`, 'flow'],
  '/flow/a': ['[x, "y,z" ]', 'a'],
  '/flow/a/0': ['x'],
  '/flow/a/1': ['"y,z"'],
  '/flow/b': ['', "'b'"],
  '/flow/c': ['0x1F', 'c'],
  '/literal': ['|  # header\n  first é\n\n  second', 'literal'],
  '/folded': ['>-\n  one\n  two', 'folded'],
  '/explicit': ['- [p: q]', 'explicit'],
  '/explicit/0': ['[p: q]'],
  '/explicit/0/0': ['p: q'],
  '/explicit/0/0/p': ['q', 'p'],
  '/block name\n': ['last', '|\n  block name'],
}

describe('places in YAML', () => {
  test.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
  ])('finds every value and name in a document with all styles (%s)', (_, end) => {
    const source = SOURCE.replaceAll('\n', end)
    const document = parseYaml(source, { file: 'a.yaml' }).document!
    const pointers = [...values(document.value)].map(([path]) => formatPointer(path))
    expect(pointers.slice(1).sort()).toEqual(Object.keys(PLACES).sort())
    for (const [pointer, [value, name]] of Object.entries(PLACES)) {
      expect(textAt(document, pointer)).toEqual([value.replaceAll('\n', end), name?.replaceAll('\n', end)])
      const { offset, endOffset, ...place } = document.source(pointer)
      const [from, to] = [positionOf(source, offset), positionOf(source, endOffset)]
      expect(place).toEqual({ file: 'a.yaml', pointer, ...from, endLine: to.line, endColumn: to.column })
    }
    expect(textAt(document, '')[0]).toBe(source.slice(source.indexOf('name:'), source.indexOf('last') + 4))
  })

  test('offsets lead back to pointers', () => {
    const document = parseYaml(SOURCE).document!
    const at = (text: string) => document.pointerAt(Buffer.from(SOURCE.slice(0, SOURCE.indexOf(text))).length)
    expect(at('# a comment')).toBe('')
    expect(at('name')).toBe('/name')
    expect(at('Scout')).toBe('/name')
    expect(at("'single")).toBe('/quoted é')
    expect(at('over lines')).toBe('/list/0')
    expect(at('nested')).toBe('/list/3/0')
    expect(at('"y,z"')).toBe('/flow/a/1')
    expect(at('second')).toBe('/literal')
    expect(at('q]')).toBe('/explicit/0/0/p')
    expect(at('last')).toBe('/block name\n')
  })

  test('values expanded from an alias have the place of the alias', () => {
    const document = parseYaml('a: &x\n  b: [1, {c: 2}]\nd: *x\n? &n e\n: *n\n').document!
    for (const pointer of ['/d', '/d/b', '/d/b/0', '/d/b/1/c']) expect(textAt(document, pointer)[0]).toBe('*x')
    expect(textAt(document, '/a/b/1/c')).toEqual(['2', 'c'])
    expect(textAt(document, '/e')).toEqual(['*n', 'e'])
    expect(document.pointerAt(document.range('/d')!.start)).toBe('/d')
  })

  test('an alias as a name', () => {
    const document = parseYaml('- &n name\n- {*n : 1}\n').document!
    expect(document.value).toEqual(['name', { name: 1 }])
    expect(textAt(document, '/1/name')).toEqual(['1', '*n'])
  })

  test('every scalar of random documents, read again from its place alone, is the value (oracle: the yaml package)', () => {
    const make = documents(21)
    let checked = 0
    for (let n = 0; n < 120; n++) {
      const source = stringify(make.value(4), {
        lineWidth: [0, 80][make.below(2)]!,
        collectionStyle: (['any', 'flow'] as const)[make.below(2)]!,
        defaultStringType: (['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'] as const)[make.below(3)]!,
      })
      const document = isWellFormed(source) ? parseYaml(source).document : undefined
      if (document === undefined) continue
      for (const [path, value] of values(document.value)) {
        const pointer = formatPointer(path)
        const [text, name] = textAt(document, pointer)
        // Only its own indentation shows what belongs to a block.
        if (!/^[|>]/.test(text) && !(typeof value === 'object' && text.includes('\n')) && !/\n/.test(text)) {
          expect(JSON.stringify(reference(text)), text).toBe(JSON.stringify(value))
        }
        if (name !== undefined && !name.includes('\n')) expect(String(reference(name))).toBe(path.at(-1))
        const start = document.range(pointer)!.start
        expect(document.source(pointer)).toMatchObject(positionOf(source, start))
        if (value === null || typeof value !== 'object') expect(document.pointerAt(start)).toBe(pointer)
        checked++
      }
    }
    expect(checked).toBeGreaterThan(900)
  })

  test('differences point into the source of each user', () => {
    const a = parseYaml('b: [1, 2.50]\na: "x\\u0041"\n').document!
    expect(firstDifference(a, read('{"a": "xA", "b": [1, 2.5]}').document!)).toBeUndefined()
    expect(firstDifference(a, read('{"a": "xB", "b": [1, 2.5]}').document!)).toMatchObject({
      pointer: '/a',
      a: { line: 2, column: 4, endColumn: 13 },
      b: { line: 1, column: 9, endColumn: 11 },
    })
  })

  test('a byte order mark counts as bytes and has no column', () => {
    const source = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('é: x\n')])
    for (const input of [source, source.toString()]) {
      const { document, diagnostics } = parseYaml(input, { bom: 'warn' })
      expect(diagnostics).toMatchObject([{ code: 'DOC-105', severity: 'warning', source: { offset: 0, endOffset: 3 } }])
      expect(document!.source('/é')).toMatchObject({ offset: 7, endOffset: 8, line: 1, column: 4 })
      expect(parseYaml(input).diagnostics).toMatchObject([{ code: 'DOC-105', severity: 'error' }])
    }
    const json = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"é": [1]}')])
    const { document, diagnostics } = read(json, { bom: 'warn' })
    expect(diagnostics).toMatchObject([{ code: 'DOC-105', severity: 'warning' }])
    expect(document!.source('/é/0')).toMatchObject({ offset: 11, line: 1, column: 8 })
    expect(new TextDecoder().decode(document!.canonical)).toBe('{"é":[1]}')
    expect(read(json).diagnostics).toMatchObject([{ code: 'DOC-105', severity: 'error' }])
  })
})
