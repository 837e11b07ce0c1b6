import { describe, expect, test } from 'vitest'
import { formatPointer, parseJson as parse } from '../../bindings/document/index.ts'
import { documents } from '../support/documents.ts'

/** Every value inside a JavaScript value, with its path. */
function* values(
  value: unknown,
  path: (string | number)[] = [],
): Generator<[path: (string | number)[], value: unknown]> {
  yield [path, value]
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    yield* values(member, [...path, Array.isArray(value) ? Number(name) : name])
  }
}

describe('Document', () => {
  test('every pointer of random documents finds its value, and the value its pointer (oracle: JSON.parse)', () => {
    const make = documents(1)
    let checked = 0
    for (let n = 0; n < 600; n++) {
      const text = make.spell(make.value(4))
      const document = parse(text).document!
      const source = Buffer.from(text)
      expect(document.value).toEqual(JSON.parse(text))
      for (const [path, value] of values(JSON.parse(text))) {
        const pointer = formatPointer(path)
        const range = document.range(pointer)!
        expect(JSON.parse(source.subarray(range.start, range.end).toString())).toEqual(value)
        expect(document.pointerAt(range.start)).toBe(pointer)
        expect(document.pointerAt(range.end - 1)).toBe(pointer)
        if (typeof path.at(-1) === 'string') {
          expect(JSON.parse(source.subarray(range.keyStart, range.keyEnd).toString())).toBe(path.at(-1))
          expect(document.pointerAt(range.keyStart!)).toBe(pointer)
        } else expect(range.keyStart).toBeUndefined()
        checked++
      }
    }
    expect(checked).toBeGreaterThan(4000)
  })

  test('an offset between values belongs to their container', () => {
    const document = parse(' {"a" : [1 , 2] } ').document!
    const at = (offset: number) => document.pointerAt(offset)
    expect([0, 1, 16, 17].map(at)).toEqual(['', '', '', ''])
    expect([2, 5, 6, 7, 8, 10, 11, 12, 14].map(at)).toEqual(Array(9).fill('/a'))
    expect([9, 13].map(at)).toEqual(['/a/0', '/a/1'])
  })

  test('the place of a missing value is its innermost existing parent', () => {
    const document = parse('{\n  "a": [1]\n}', { file: 'x.json' }).document!
    const source = document.source('/a/7/b')
    expect(source).toEqual({
      file: 'x.json',
      pointer: '/a/7/b',
      offset: 9,
      endOffset: 12,
      line: 2,
      column: 8,
      endLine: 2,
      endColumn: 11,
    })
  })

  test('__proto__ is an ordinary member', () => {
    const value = parse('{"__proto__": {"admin": true}}').document!.value as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(value['admin']).toBeUndefined()
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  test('distinguishes names that differ in one letter, in length or in spelling', () => {
    const names = ['', 'a', 'ab', 'b', 'é', 'e\u0301', 'ê', 'aé', 'aê', 'éa', '😀', '😁', '😀a', 'ab\u0000', '"', 'ab"']
    const value = Object.fromEntries(names.map((name, i) => [name, i]))
    for (const source of [JSON.stringify(value), JSON.stringify(value).replace('"aé"', '"a\\u00e9"')]) {
      const { document } = parse(source)
      for (const name of names) {
        const { start, end } = document!.range(formatPointer([name]))!
        expect([name, source.length, new TextDecoder().decode(document!.bytes.subarray(start, end))]).toEqual([
          name,
          source.length,
          String(value[name]),
        ])
      }
      for (const name of ['abc', 'è', 'a\u0301', '😂', '\ud83d', 'A'])
        expect(document!.range(formatPointer([name]))).toBeUndefined()
    }
  })

  test('a name may begin with U+FEFF', () => {
    const document = parse('{"\ufeffa": {"b": 1}}').document!
    expect(document.pointerAt(11)).toBe('/\ufeffa/b')
    expect(document.range('/\ufeffa/b')).toMatchObject({ start: 15, end: 16 })
  })

  test('canonical bytes and value are computed only once', () => {
    const document = parse('{"b": 1.0, "a": "\\u0041"}').document!
    expect(new TextDecoder().decode(document.canonical)).toBe('{"a":"A","b":1}')
    expect(document.canonical).toBe(document.canonical)
    expect(document.value).toBe(document.value)
  })

  test('limits: depth and size', () => {
    expect(parse('[[1]]', { maxDepth: 2 }).document).toBeDefined()
    expect(parse('[[1]]', { maxDepth: 1 }).diagnostics[0]).toMatchObject({ code: 'DOC-113', source: { pointer: '/0' } })
    expect(parse('[1]', { maxBytes: 3 }).document).toBeDefined()
    expect(parse('[1]', { maxBytes: 2 }).diagnostics[0]).toMatchObject({
      code: 'DOC-114',
      detail: 'expected at most 2 bytes, found 3',
    })
  })

  test('a hundred thousand levels are read and located when the caller allows them', () => {
    const depth = 100_000
    const { document, diagnostics } = parse(`${'['.repeat(depth)}1e400${']'.repeat(depth)}`, { maxDepth: depth })
    expect(document).toBeUndefined()
    expect(diagnostics[0]!.source).toMatchObject({ offset: depth, pointer: '/0'.repeat(depth) })
  })

  test('misuse throws before anything is read', () => {
    expect(() => parse(7 as never)).toThrow(new TypeError('source: expected a string or Uint8Array, got number'))
    expect(() => parse(null as never)).toThrow(new TypeError('source: expected a string or Uint8Array, got null'))
    expect(() => parse('1', { maxDepth: 1.5 })).toThrow(RangeError)
    expect(() => parse('1', { maxBytes: -1 })).toThrow(RangeError)
    expect(() => parse('1').document!.range('a')).toThrow(RangeError)
  })
})
