import { describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { casesOf } from '../support/cases.ts'
import { refusalOf, textOf } from './support.ts'

/** 200,000 are twenty times what a stack holds. */
const MANY = casesOf(1_000_000)

const nested = (depth: number, wrap: (inner: unknown) => unknown = (inner) => [inner]) => {
  let value: unknown = wrap(0)
  for (let i = 1; i < depth; i++) value = wrap(value)
  return value
}

describe('depth', () => {
  test('[rfc8259/9-1] accepts 1024 nested containers, and refuses one more at its place', () => {
    expect(textOf(nested(1024))).toBe(`${'['.repeat(1024)}0${']'.repeat(1024)}`)
    expect(refusalOf(nested(1025))).toMatchObject({ code: 'DOC-113', source: { pointer: '/0'.repeat(1024) } })
  })

  test.each([0, 1, 2, 31, 32, 33])('as in `canonicalize`, the limit %i counts containers, even empty ones', (limit) => {
    const at = nested(limit + 1, (inner) => ({ a: inner === 0 ? {} : inner }))
    expect(refusalOf(at, limit)).toMatchObject({ code: 'DOC-113', source: { pointer: '/a'.repeat(limit) } })
    expect(refusalOf(at, limit).detail).toContain(`at most ${limit} containers`)
    expect(textOf(limit === 0 ? 'x' : nested(limit), limit)).not.toBe('')
  })

  test(`${MANY} containers neither overflow the stack nor take long`, () => {
    expect(refusalOf(nested(MANY))).toMatchObject({ code: 'DOC-113' })
    const objects = nested(MANY, (a) => ({ a }))
    expect(canonicalizeValue(objects, { maxDepth: MANY })).toHaveLength(6 * MANY + 1)
    expect(refusalOf(objects, MANY - 1)).toMatchObject({ code: 'DOC-113' })
  })
})

describe('cycles', () => {
  // Compares the check against a single ancestor with a naive search through all of them: a chain that leads into a
  // ring.
  test('are found where they close, for every length of the ring and of the chain before it', () => {
    for (let lead = 0; lead < 20; lead++) {
      for (let ring = 1; ring < 40; ring++) {
        const links = Array.from({ length: lead + ring }, () => ({}) as { n?: object })
        links.forEach((link, i) => {
          link.n = links[i + 1] ?? links[lead]!
        })
        const { code, source, related } = refusalOf(links[0])
        expect([code, source.pointer, related![0]!.pointer]).toEqual([
          'DOC-176',
          '/n'.repeat(lead + ring),
          '/n'.repeat(lead),
        ])
      }
    }
  })

  test('are reported as too deep when they are longer than the depth limit', () => {
    const links = Array.from({ length: 2000 }, () => [] as unknown[])
    links.forEach((link, i) => {
      link.push(links[(i + 1) % 2000])
    })
    expect(refusalOf(links[0])).toMatchObject({ code: 'DOC-113' })
    expect(refusalOf(links[0], 1_000_000)).toMatchObject({ code: 'DOC-176', source: { pointer: '/0'.repeat(2000) } })
  })

  test('are reported as cycles even if only the depth limit stops them', () => {
    const ring: unknown[] = []
    ring.push([[ring]])
    expect(refusalOf(ring, 3)).toMatchObject({ code: 'DOC-176', source: { pointer: '/0/0/0' } })
  })

  test('do not write large neighbours again and again', () => {
    const object: Record<string, unknown> = { a: Array.from({ length: 100_000 }, (_, i) => i) }
    object['z'] = { z: { z: object } }
    expect(refusalOf(object)).toMatchObject({ code: 'DOC-176', source: { pointer: '/z/z/z' } })
  })

  test('of new objects at each step stop at the depth limit', () => {
    const anew = (): unknown => new Proxy({ a: 1 }, { get: (_, name) => (name === 'a' ? anew() : undefined) })
    expect(refusalOf(anew())).toMatchObject({ code: 'DOC-113' })
    const again = { toJSON: () => ({ again }) }
    expect(refusalOf(again)).toMatchObject({ code: 'DOC-113' })
  })
})

describe('size', () => {
  test(`${MANY} members`, () => {
    const members: [string, number][] = []
    for (let i = 0; i < MANY; i++) members.push([`k${9_999_999 - i}`, i])
    const wanted = members
      .slice()
      .reverse()
      .map(([name, i]) => `"${name}":${i}`)
    expect(textOf(Object.fromEntries(members)) === `{${wanted.join(',')}}`).toBe(true)
  })

  test('a million elements, and a string of 10 MB', () => {
    expect(textOf(new Array(1_000_000).fill(0))).toHaveLength(2_000_001)
    const string = 'text "é" '.repeat(1_000_000)
    expect(textOf(string) === JSON.stringify(string)).toBe(true)
  })

  test('refuses a value whose shared parts expand to 2^40 elements', () => {
    let shared: unknown = 'x'.repeat(2 ** 20)
    for (let i = 0; i < 40; i++) shared = [shared, shared]
    expect(refusalOf(shared)).toMatchObject({ code: 'DOC-114', source: { pointer: '' } })
    expect(textOf([1])).toBe('[1]')
  })
})

describe('values that change while they are walked', () => {
  test('as in JSON.stringify, writes the members at the start, except deleted ones', () => {
    const object: Record<string, unknown> = {
      get b() {
        delete object['c']
        object['d'] = 1
        return 1
      },
      c: 2,
    }
    expect(textOf(object)).toBe('{"b":1}')
  })

  test('writes an array that grows with its first length, and finds a hole in one that shrinks', () => {
    const growing: unknown[] = [{ toJSON: () => growing.push(1) }, 'x']
    expect(textOf(growing)).toBe('[3,"x"]')
    const shrinking: unknown[] = [{ toJSON: () => shrinking.pop() }, 'x']
    expect(refusalOf(shrinking)).toMatchObject({ code: 'DOC-171', source: { pointer: '/1' } })
  })

  test('proxies may give any length and any names', () => {
    const lengths = [Number.NaN, 0, 1.5, 2, 'x', null, undefined, {}]
    for (const length of lengths) {
      const proxy = new Proxy([1, 2, 3], {
        get: (array, name) => (name === 'length' ? length : Reflect.get(array, name)),
      })
      const wanted = [1, 2, 3].slice(0, Number(length) >>> 0)
      expect(textOf(proxy)).toBe(JSON.stringify(wanted))
    }
    const names = new Proxy(
      {},
      {
        ownKeys: () => ['b', 'a'],
        getOwnPropertyDescriptor: (_, name) => ({ value: name, enumerable: true, configurable: true }),
        get: (_, name) => (name === 'toJSON' ? undefined : name),
      },
    )
    expect(textOf(names)).toBe('{"a":"a","b":"b"}')
  })
})

describe('nested calls', () => {
  test('toJSON may canonicalize: buffers are not shared', () => {
    const inner = { toJSON: () => textOf({ y: ['z'.repeat(100)], x: 1 }) }
    const canonical = JSON.stringify(textOf({ x: 1, y: ['z'.repeat(100)] }))
    expect(textOf({ a: 'before', b: inner, c: [inner] })).toBe(`{"a":"before","b":${canonical},"c":[${canonical}]}`)
  })

  test('the next call after a refusal starts fresh', () => {
    for (let i = 0; i < 3; i++) {
      expect(refusalOf({ a: 'x'.repeat(1000), b: Number.NaN }).code).toBe('DOC-175')
      expect(textOf({ b: 1 })).toBe('{"b":1}')
    }
  })

  test('the caller owns the results', () => {
    const first = canonicalizeValue(['first'])
    canonicalizeValue(['other'])
    expect(new TextDecoder().decode(first)).toBe('["first"]')
    expect(first.buffer.byteLength).toBe(first.length)
  })
})
