import { describe, expect, test } from 'vitest'
import { firstDifference } from '../../bindings/document/difference.ts'
import { type Document, parseJson as parse } from '../../bindings/document/index.ts'
import { documents } from '../support/documents.ts'

const read = (text: string): Document => parse(text).document!
const differ = (a: string, b: string) => firstDifference(read(a), read(b))

describe('the first difference of two canonical forms', () => {
  test('equal documents with different spelling have none', () => {
    expect(differ('{"b": 1.0, "a": "\\u0041", "z": -0}', '{"a":"A",\n"z":0.0,"b":1e0}')).toBeUndefined()
  })

  test.each([
    ['a number', '{"x": [1, 2.50]}', '{"x":[1.0,2.25]}', { kind: 'value', pointer: '/x/1', a: 10, b: 10 }],
    ['a type', '{"x": "1"}', '{"x": 1}', { kind: 'type', pointer: '/x', a: 6, b: 6 }],
    ['true and false', '[true]', '[false]', { kind: 'value', pointer: '/0', a: 1, b: 1 }],
    ['null and false', '[null]', '[false]', { kind: 'type', pointer: '/0', a: 1, b: 1 }],
    ['a member of the first', '{"c":1,"a":2}', '{"c":1}', { kind: 'member', pointer: '/a', only: 'a', a: 11, b: 0 }],
    ['a member of the second', '{"a":2}', '{"a":2,"b":{}}', { kind: 'member', pointer: '/b', only: 'b', a: 0, b: 11 }],
    ['renamed', '{"a~b":2}', '{"a/b":2}', { kind: 'member', pointer: '/a~1b', only: 'b', a: 0, b: 7 }],
    ['a longer array', '[1, 2]', '[1]', { kind: 'element', pointer: '/1', only: 'a', a: 4, b: 0 }],
    ['whole documents', '1', '[]', { kind: 'type', pointer: '', a: 0, b: 0 }],
    // RFC 8785 section 3.2.3: U+FB33 comes after the surrogates of U+1F600.
    ['UTF-16 order', '{"\\ufb33":1,"😀":1}', '{"😀":2,"\\ufb33":2}', { kind: 'value', pointer: '/😀', a: 19, b: 8 }],
  ])('%s', (_, a, b, expected) => {
    const { kind, pointer, only, a: inA, b: inB } = differ(a, b)!
    expect({ kind, pointer, ...(only && { only }), a: inA.offset, b: inB.offset }).toEqual(expected)
  })

  test('two strings: points to the first character that differs, even after escapes', () => {
    const difference = differ('{"t": "aé\\u20AC\\n😀x"}', '{"t": "\\u0061\\u00e9€\\u000a\\ud83d\\ude00y"}')!
    expect(difference).toMatchObject({ kind: 'value', pointer: '/t' })
    expect(difference.a.column).toBe('{"t": "aé\\u20AC\\n😀'.length + 1)
    expect(difference.b.column).toBe('{"t": "\\u0061\\u00e9€\\u000a\\ud83d\\ude00'.length + 1)
  })

  test('two strings that differ in the second half of a pair differ in the character', () => {
    const difference = differ('"😀"', '"😁"')!
    expect([difference.a.offset, difference.b.offset]).toEqual([1, 1])
    expect(difference.canonicalOffset).toBe(4)
  })

  test('agrees with the tape of the canonical form on random pairs', () => {
    const make = documents(5)
    let different = 0
    for (let n = 0; n < 600; n++) {
      const value = make.value(3)
      const changed = make.next() < 0.5 ? make.value(3) : mutate(value, make.below)
      const [a, b] = [read(make.spell(value)), read(make.spell(changed))]
      const difference = firstDifference(a, b)
      expect(difference === undefined).toBe(Buffer.compare(a.canonical, b.canonical) === 0)
      if (difference === undefined) continue
      different++
      const owner = difference.only === 'b' ? b : a
      const canonical = parse(owner.canonical).document!
      const range = canonical.range(difference.pointer)!
      const start = difference.kind === 'member' ? range.keyStart! : range.start
      // A comma, or a number that continues where the other ends, is right at the border.
      expect(difference.canonicalOffset).toBeGreaterThanOrEqual(start - 1)
      expect(difference.canonicalOffset).toBeLessThanOrEqual(range.end)
      expect(owner.pointerAt(difference[difference.only ?? 'a'].offset)).toBe(difference.pointer)
    }
    expect(different).toBeGreaterThan(300)
  })

  test('a hundred thousand levels', () => {
    const nest = (inner: string) =>
      parse('[1,'.repeat(100_000) + inner + ']'.repeat(100_000), { maxDepth: 100_000 }).document!
    const difference = firstDifference(nest('2'), nest('3'))!
    expect(difference.pointer).toBe('/1'.repeat(100_000))
  })
})

/** The value with one of its parts changed. */
function mutate(value: unknown, below: (n: number) => number): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const at = below(value.length)
    return value.map((item, i) => (i === at ? mutate(item, below) : item))
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const names = Object.keys(value)
    const at = names[below(names.length)]!
    return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, name === at ? mutate(v, below) : v]))
  }
  return [value, 'other', 7, null][below(4)]
}
