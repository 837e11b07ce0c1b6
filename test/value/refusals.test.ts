import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { VALUE_FAULTS } from '../../bindings/core/value-faults.ts'
import { DocumentError } from '../../bindings/document/finding.ts'
import { refusalOf, textOf } from './support.ts'

const bytes = 'put the bytes in a string'
const plain = 'method toJSON'

// The refusals of docs/design/decisions.md, section Values. [title, value, code, pointer, expected part of the detail, of the
// hint]
describe('refuses values that JSON lacks, with their place', () => {
  const cycle: { list: unknown[] } = { list: [{}] }
  cycle.list.push(cycle.list)
  const late = { a: { b: { c: {} as Record<string, unknown> } } }
  late.a.b.c['d'] = late.a.b
  // biome-ignore lint/suspicious/noSparseArray: it is what is refused
  const sparse = [1, , 3]

  test.each([
    ['undefined in an array', [1, undefined], 'DOC-170', '/1', '/1: expected a value, found undefined', 'null'],
    ['undefined alone', undefined, 'DOC-170', '', 'the whole value: expected a value', 'null'],
    ['undefined from toJSON in an array', [{ toJSON: () => undefined }], 'DOC-170', '/0', 'found undefined', ''],
    ['a hole', { a: sparse }, 'DOC-171', '/a/1', 'found a hole', 'null'],
    ['a hole at the end', new Array(3), 'DOC-171', '/0', 'found a hole', ''],
    ['an array that is one hole', new Array(2 ** 32 - 1), 'DOC-171', '/0', 'found a hole', ''],
    ['a function', { f: () => 1 }, 'DOC-172', '/f', 'found a function', 'leave it out'],
    ['a function with toJSON', [Object.assign(() => 1, { toJSON: () => 1 })], 'DOC-172', '/0', 'a function', ''],
    ['a class', [class {}], 'DOC-172', '/0', 'a function', ''],
    ['a symbol', { s: Symbol('x') }, 'DOC-173', '/s', 'found a symbol', 'description'],
    ['a BigInt', { n: 10n ** 30n }, 'DOC-174', '/n', 'found a BigInt', 'string'],
    ['a boxed BigInt', [Object(1n)], 'DOC-174', '/0', 'found a BigInt', ''],
    ['a boxed symbol', [Object(Symbol.iterator)], 'DOC-177', '/0', 'of type Symbol', plain],
    ['[rfc8785/3.2.2.3-2] NaN', { n: Number.NaN }, 'DOC-175', '/n', 'expected a finite number, found NaN', 'null'],
    ['[rfc8785/3.2.2.3-2] Infinity', [Number.POSITIVE_INFINITY], 'DOC-175', '/0', 'found Infinity', ''],
    ['-Infinity', Number.NEGATIVE_INFINITY, 'DOC-175', '', 'found -Infinity', ''],
    ['a boxed NaN', [Object(Number.NaN)], 'DOC-175', '/0', 'found NaN', ''],
    ['[rfc8785/3.2.2.2-3] a lone surrogate', { t: 'a\ud83d' }, 'DOC-108', '/t', 'half of a surrogate pair', 'cut text'],
    ['a low one first', ['\ude00\ud83d'], 'DOC-108', '/0', 'half of a surrogate pair', ''],
    ['two high ones', ['\ud83d\ud83d\ude00'], 'DOC-108', '/0', 'half of a surrogate pair', ''],
    ['one in a long text', [`${'x'.repeat(5000)}\ud83d${'y'.repeat(5000)}`], 'DOC-108', '/0', 'surrogate', ''],
    [
      '[rfc8785/3.2.2.2-3] one in a name',
      { a: { 'x\ud83d': 1 } },
      'DOC-108',
      '/a/x\ud83d',
      'half of a surrogate pair',
      '',
    ],
    ['a cycle', cycle, 'DOC-176', '/list/1', 'the same container as /list', 'names it'],
    ['a cycle further down', late, 'DOC-176', '/a/b/c/d', 'the same container as /a/b', ''],
    ['a Map', { m: new Map() }, 'DOC-177', '/m', 'of type Map', 'Object.fromEntries'],
    ['a Set', { m: new Set([1]) }, 'DOC-177', '/m', 'of type Set', '[...set]'],
    ['a subclass of Map', [new (class Registry extends Map {})()], 'DOC-177', '/0', 'of type Map', ''],
    ['a WeakMap', [new WeakMap()], 'DOC-177', '/0', 'of type WeakMap', plain],
    ['a typed array', { b: Uint8Array.of(1) }, 'DOC-177', '/b', 'of type Uint8Array', bytes],
    ['an array of doubles', [new Float64Array(2)], 'DOC-177', '/0', 'of type Float64Array', bytes],
    ['a Buffer, although it has toJSON', Buffer.from('{}'), 'DOC-177', '', 'of type Uint8Array', '`canonicalize`'],
    ['an ArrayBuffer', [new ArrayBuffer(1)], 'DOC-177', '/0', 'of type ArrayBuffer', bytes],
    ['a DataView', [new DataView(new ArrayBuffer(1))], 'DOC-177', '/0', 'of type DataView', bytes],
    ['a Promise', [Promise.resolve(1)], 'DOC-177', '/0', 'of type Promise', plain],
    ['a RegExp', [/x/], 'DOC-177', '/0', 'of type RegExp', plain],
    ['an Error', [new Error('x')], 'DOC-177', '/0', 'of type Error', plain],
    ['an iterator', [[1].values()], 'DOC-177', '/0', 'of type Array Iterator', plain],
    ['a Map of another realm', [runInNewContext('new Map()')], 'DOC-177', '/0', 'of type Map', ''],
    ['a Map from toJSON', [{ toJSON: () => new Map() }], 'DOC-177', '/0', 'of type Map', ''],
  ])('%s', (_, value, code, pointer, detail, hint) => {
    const diagnostic = refusalOf(value)
    expect(diagnostic).toMatchObject({ code, severity: 'error', source: { pointer, offset: 0, line: 1, column: 1 } })
    expect(diagnostic.detail).toContain(detail)
    expect(diagnostic.detail).not.toMatch(/[\n\p{Cc}]/u)
    expect(diagnostic.fix?.hint ?? '').toContain(hint)
  })

  test('the pointer is a JSON Pointer: names escaped, indices counted', () => {
    expect(refusalOf({ 'a/b': [0, { '~': [undefined] }] }).source.pointer).toBe('/a~1b/1/~0/0')
  })

  test('members before and after it do not matter', () => {
    expect(refusalOf({ z: 1, m: { y: [1], b: [[]], n: Number.NaN }, a: [{}] }).source.pointer).toBe('/m/n')
  })

  test('the finding of a cycle has the first place of the container', () => {
    expect(refusalOf(late).related).toEqual([{ pointer: '/a/b', message: 'the container that is met again' }])
  })

  test('an error thrown by a getter, toJSON or proxy becomes the cause', () => {
    const cause = new Error('closed\nfor \u001b[31mtoday')
    const thrower = () => {
      throw cause
    }
    const proxy = (handler: ProxyHandler<object>) => new Proxy({ a: 1 }, handler)
    for (const [value, pointer] of [
      [{ a: Object.defineProperty({}, 'x', { get: thrower, enumerable: true }) }, '/a/x'],
      [{ a: { toJSON: thrower } }, '/a'],
      [{ a: Object.defineProperty({}, 'toJSON', { get: thrower }) }, '/a'],
      [{ a: proxy({ ownKeys: thrower }) }, '/a'],
      [{ a: proxy({ get: (_, name) => (name === 'toJSON' ? undefined : thrower()) }) }, '/a/a'],
      [{ a: proxy({ getPrototypeOf: thrower }) }, '/a'],
    ] as const) {
      const error = caught(() => canonicalizeValue(value))
      expect(error).toBeInstanceOf(DocumentError)
      expect((error as DocumentError).cause).toBe(cause)
      expect((error as DocumentError).diagnostics[0]).toMatchObject({ code: 'DOC-178', source: { pointer } })
      expect((error as DocumentError).message).toContain('Error: closed␊for ␛[31mtoday')
    }
  })

  test('anything may be thrown, even a value that throws when it is read', () => {
    const unreadable = new Proxy(new Error('x'), {
      get: () => {
        throw unreadable
      },
    })
    for (const thing of [undefined, null, 'text', 7n, Symbol('s'), {}, unreadable, Object.create(null)]) {
      const { code, detail } = refusalOf({
        get x(): never {
          throw thing
        },
      })
      expect(code).toBe('DOC-178')
      expect(detail.length).toBeLessThan(200)
    }
  })

  test('a revoked proxy', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(refusalOf([proxy])).toMatchObject({ code: 'DOC-178', source: { pointer: '/0' } })
  })
})

describe('accepts values as JSON.stringify does', () => {
  class Point {
    x = 2
    y = 1
    #hidden = 3
    get sum() {
      return this.x + this.y + this.#hidden
    }
  }
  test.each([
    ['undefined members are left out', { b: undefined, a: 1, c: undefined }, '{"a":1}'],
    ['also the first, the last and all of them', [{ a: undefined, b: 1 }, { a: undefined }], '[{"b":1},{}]'],
    ['undefined from toJSON in an object', { a: { toJSON: () => undefined }, b: 1 }, '{"b":1}'],
    ['toJSON is given the name', { k: { toJSON: (name: string) => name }, l: [{ toJSON: (name: string) => name }] }],
    ['toJSON of the whole value is given an empty name', { toJSON: (name: string) => [name] }, '[""]'],
    [
      'toJSON is called once',
      { toJSON: () => Object.defineProperty({ a: 2 }, 'toJSON', { value: () => 1 }) },
      '{"a":2}',
    ],
    ['a member toJSON that is no function', { toJSON: 'text' }, '{"toJSON":"text"}'],
    ['dates', [new Date(0), new Date(Number.NaN)], '["1970-01-01T00:00:00.000Z",null]'],
    ['URL has toJSON', [new URL('https://example.com/a')], '["https://example.com/a"]'],
    ['a Map that has toJSON', [Object.assign(new Map([['a', 1]]), { toJSON: () => ({ a: 1 }) })], '[{"a":1}]'],
    ['boxed values', [Object('x'), Object(-0), Object(false), { toJSON: () => Object(1) }], '["x",0,false,1]'],
    ['instances of classes', new Point(), '{"x":2,"y":1}'],
    ['objects without a prototype', Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
    ['objects and arrays of another realm', runInNewContext('({ b: [1, {}], a: null })'), '{"a":null,"b":[1,{}]}'],
    ['inherited members are left out', Object.assign(Object.create({ a: 1 }), { b: 2 }), '{"b":2}'],
    ['names that are symbols are left out', { [Symbol('s')]: 1, b: 2 }, '{"b":2}'],
    ['hidden members are left out', Object.defineProperty({ a: 1 }, 'b', { value: 2 }), '{"a":1}'],
    ['getters are read', Object.defineProperty({}, 'x', { get: () => 7, enumerable: true }), '{"x":7}'],
    ['further members of arrays are left out', Object.assign([1, 2], { extra: 3 }), '[1,2]'],
    ['proxies', new Proxy({ b: new Proxy([1, 2], {}), a: 1 }, {}), '{"a":1,"b":[1,2]}'],
    ['one value in several places is not a cycle', ((shared) => [shared, { a: shared }, shared])({ x: [1] })],
    ['__proto__ as a name', JSON.parse('{"b":1,"__proto__":{"a":1}}'), '{"__proto__":{"a":1},"b":1}'],
    ['names of what objects inherit', { toString: 1, constructor: 2, hasOwnProperty: 3 }],
    [
      'arguments',
      (function (..._: unknown[]) {
        // biome-ignore lint/complexity/noArguments: it is what is tested
        return arguments
      })('x', 1),
      '{"0":"x","1":1}',
    ],
  ])('%s', (_, value, canonical: string | undefined = sorted(value)) => {
    expect(textOf(value)).toBe(canonical)
    expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)))
  })

  test('a polluted Object.prototype adds no members', () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>
    prototype['polluted'] = 1
    try {
      expect(textOf({ a: [{}] })).toBe('{"a":[{}]}')
    } finally {
      delete prototype['polluted']
    }
  })
})

describe('the table of faults', () => {
  test('has documentation for each code, and uses each code, rule and title once', () => {
    const page = readFileSync('docs/reference/diagnostics.md', 'utf8')
    for (const { code, id, title, section } of Object.values(VALUE_FAULTS)) {
      expect(page).toContain(`\n### ${code} ${title}\n\n\`${id}\` · error · ${section}\n`)
      expect(page.split(`### ${code} `)).toHaveLength(2)
      expect(page.split(`\`${id}\``)).toHaveLength(2)
    }
  })
})

describe('arguments', () => {
  test.each([-1, 1.5, Number.NaN, 2 ** 32])('maxDepth %s', (maxDepth) => {
    expect(() => canonicalizeValue([], { maxDepth })).toThrow(RangeError)
  })
})

function caught(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** JSON.stringify, with members sorted by JavaScript's own sort. */
function sorted(value: unknown): string {
  return JSON.stringify(JSON.parse(JSON.stringify(value)), (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
