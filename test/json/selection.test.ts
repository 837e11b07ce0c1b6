import { beforeAll, describe, expect, test } from 'vitest'
import { Fault, readTape, withoutBytes } from '../../bindings/wasm/json.ts'
import { oracle } from '../oracle/json.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf } from '../support/cases.ts'
import { documents } from '../support/documents.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)

function without(document: string, ...pointers: string[]) {
  const outcome = withoutBytes(document, pointers)
  if (outcome instanceof Fault) return { ...outcome }
  return [decode(outcome.payload), ...outcome.removed.map(decode)]
}

/**
 * The pointers of all values below the root of a document, with the document's text after removing the value by hand.
 */
function pointersOf(value: unknown, at = ''): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return [pointer, ...pointersOf(member, pointer)]
  })
}

function removeByHand(value: unknown, pointer: string): unknown {
  const copy = structuredClone(value) as Record<string, unknown>
  const tokens = pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = tokens.pop()!
  let parent = copy
  for (const token of tokens) parent = parent[token] as Record<string, unknown>
  const removed = parent[last]
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
  return [copy, removed]
}

describe.each(BUILDS)('$name', ({ name, use }) => {
  beforeAll(use)

  describe('leaving out', () => {
    test.each([
      [
        '[rfc8785/5-1] the signature and its raw text',
        '{"b":1,"signature" : {"v": 1.0},"a":2}',
        ['/signature'],
        '{"a":2,"b":1}',
        '{"v": 1.0}',
      ],
      ['a missing member', '{"b":1,"a":2}', ['/c'], '{"a":2,"b":1}', undefined],
      ['the only member', '{"a":1}', ['/a'], '{}', '1'],
      ['a nested member', '{"s":{"t":{"u":1,"v":2}},"w":3}', ['/s/t/u'], '{"s":{"t":{"v":2}},"w":3}', '1'],
      ['an escaped name', '{"\\u0061/~":1,"b":2}', ['/a~1~0'], '{"b":2}', '1'],
      ['[rfc6901/4-1] ~01 is ~1, not /', '{"~1":1,"/":2}', ['/~01'], '{"/":2}', '1'],
      ['an element', '[1,[2,3,4]]', ['/1/1'], '[1,[2,4]]', '3'],
      ['the first element', '[1,2,3]', ['/0'], '[2,3]', '1'],
      ['the only element', '{"a":[7]}', ['/a/0'], '{"a":[]}', '7'],
      ['[rfc6901/4-1] no leading zeros in an index', '[1,2]', ['/01'], '[1,2]', undefined],
      ['a number as a name', '{"0":1,"1":2}', ['/1'], '{"0":1}', '2'],
      ['an empty name', '{"":1,"a":2}', ['/'], '{"a":2}', '1'],
      ['an empty object', '{"a":{},"b":1}', ['/a'], '{"b":1}', '{}'],
      ['a value below a scalar', '{"a":1}', ['/a/b'], '{"a":1}', undefined],
    ])('%s', (_, document, pointers, payload, removed) => {
      expect(without(document, ...pointers)).toEqual([payload, removed])
    })

    test('several pointers at once, one inside another', () => {
      expect(without('{"a":{"b":1,"c":2},"d":3,"e":4}', '/a/b', '/a', '/e', '/x')).toEqual([
        '{"d":3}',
        '1',
        '{"b":1,"c":2}',
        '4',
        undefined,
      ])
      const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`n${i}`, i]))
      const names = Object.keys(many).slice(0, 32)
      const [payload, ...values] = without(JSON.stringify(many), ...names.map((name) => `/${name}`)) as string[]
      expect(Object.keys(JSON.parse(payload!)).sort()).toEqual(Object.keys(many).slice(32).sort())
      expect(values).toEqual(names.map((_, i) => String(i)))
    })

    test('[rfc8785/3.1-1] reads the removed values as strictly as the rest', () => {
      expect(without('{"signature":1,"signature":2}', '/signature')).toEqual({ code: -16, offset: 15, first: 1 })
      expect(without('{"signature":[01]}', '/signature')).toEqual({ code: -20, offset: 15, first: -1 })
    })

    test('refuses too many pointers, and invalid ones', () => {
      expect(without('{}', ...Array(33).fill('/a'))).toMatchObject({ code: -23 })
      expect(without('{}', 'a')).toMatchObject({ code: -23 })
      expect(without('{"b":1,"a":2}', '')).toMatchObject({ code: -23 })
      expect(without('{}', '/~2')).toMatchObject({ code: -23 })
      expect(without('{}', '/~')).toMatchObject({ code: -23 })
      expect(without('{}', '/a'.repeat(65))).toMatchObject({ code: -23 })
    })

    test('deeper than any pointer, and back', () => {
      const deep = `{"x":${'[{"y":'.repeat(100)}1${'}]'.repeat(100)},"signature":2,"y":{"signature":3}}`
      expect(without(deep, '/signature')).toEqual([
        `{"x":${'[{"y":'.repeat(100)}1${'}]'.repeat(100)},"y":{"signature":3}}`,
        '2',
      ])
    })

    test('any value of random documents, against removal by hand', () => {
      const make = documents(name.length + 100)
      let compared = 0
      while (compared < casesOf(3_000)) {
        const value = make.value(4)
        const pointers = pointersOf(value)
        if (pointers.length === 0) continue
        const pointer = pointers[make.below(pointers.length)]!
        const [left, removed] = removeByHand(JSON.parse(JSON.stringify(value)), pointer) as [unknown, unknown]
        const [payload, text] = without(make.spell(value), pointer) as [string, string]
        const wanted = oracle(encode(JSON.stringify(left))) as { canonical: string }
        expect(payload, pointer).toBe(wanted.canonical)
        expect(oracle(encode(text)), pointer).toEqual(oracle(encode(JSON.stringify(removed))))
        compared++
      }
    })
  })

  test('the tape has the place of every value', () => {
    const make = documents(name.length + 300)
    for (let i = 0; i < casesOf(3_000); i++) {
      const value = make.value(5)
      const bytes = encode(make.spell(value))
      const { words } = readTape(bytes) as { words: Uint32Array }
      const [back, next] = rebuild(bytes, words, 0)
      expect(next).toBe(words.length / 4)
      expect(back).toEqual(JSON.parse(decode(bytes)!))
    }
  })
})

/** The value of the entry at `i`, read from the tape with JSON.parse only for scalars; and the entry after it. */
function rebuild(bytes: Uint8Array, words: Uint32Array, i: number): [unknown, number] {
  const [start, end, kind, next] = words.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number]
  const source = decode(bytes.subarray(start, end))!
  if ((kind & 8) !== 0) expect(source).toContain('\\')
  if ((kind & 7) <= 4 || (kind & 7) === 7) {
    expect(next).toBe(i + 1)
    const value = JSON.parse(source)
    const kinds = ['null', 'false', 'true', 'number', 'string']
    expect(kinds[kind & 7] ?? 'string').toBe(kinds.includes(source) ? source : typeof value)
    return [value, next]
  }
  let child = i + 1
  if ((kind & 7) === 5) {
    const items: unknown[] = []
    while (child < next) {
      const [item, behind] = rebuild(bytes, words, child)
      items.push(item)
      child = behind
    }
    expect(source).toMatch(/^\[.*\]$/s)
    return [items, child]
  }
  expect(source).toMatch(/^\{.*\}$/s)
  const members: [string, unknown][] = []
  while (child < next) {
    expect(words[4 * child + 2]! & 7).toBe(7)
    const [name] = rebuild(bytes, words, child)
    const [member, behind] = rebuild(bytes, words, child + 1)
    members.push([name as string, member])
    child = behind
  }
  return [Object.fromEntries(members), child]
}
