// Documents with very many findings: the time to look up their places grows linearly with the document.
import { describe, expect, test } from 'vitest'
import { parseJson as parse } from '../../bindings/document/index.ts'
import { parseYaml } from '../../bindings/document/yaml/parse.ts'
import { validate } from '../../bindings/index.ts'
import { IS_WHOLE } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'

const list = <Item>(length: number, make: (i: number) => Item) => Array.from({ length }, (_, i) => make(i))
/** Names that differ only in their last letters. */
const long = (i: number, length = 1_000) => 'n'.repeat(length - 8) + String(i).padStart(8, '0')
const many = (count: number, length?: number) => Object.fromEntries(list(count, (i) => [long(i, length), 1]))
const ADL = { adl_spec: '0.1.0', name: 'A', description: 'd', version: '1.0.0' }

/** Each has about a megabyte at 1,000. */
const SHAPES: Readonly<Record<string, (n: number) => string>> = {
  'unknown names, long': (n) => JSON.stringify({ ...ADL, ...many(n) }),
  'unknown names, with escapes': (n) =>
    JSON.stringify({ ...ADL, ...many(n, 300) }).replaceAll('nnnnnn', '\\u006ennnnn'),
  'unknown names, short': (n) => JSON.stringify({ ...ADL, ...Object.fromEntries(list(n * 60, (i) => [`m${i}`, 1])) }),
  'unknown names of a tool': (n) => JSON.stringify({ ...ADL, tools: [many(n)] }),
  'an array of wrong elements': (n) => JSON.stringify({ ...ADL, profiles: list(n * 150, (i) => i) }),
  'an array with one element again and again': (n) =>
    JSON.stringify({ ...ADL, profiles: list(n * 40, () => 'urn:adl:profile:x:1.0') }),
  'secrets in an array': (n) =>
    JSON.stringify({
      ...ADL,
      x_a: list(n * 15, (i) => `AKIAIOSFODNN7EXAMPL${'ABCDEFGHIJ'[i % 10]} ghp_${'a1B2'.repeat(9)}`),
    }),
  'large integers in an array': (n) =>
    `{"adl_spec":"0.1.0","x_a":[${list(n * 40, (i) => `12345678901234567${i % 10}`).join(',')}]}`,
  'references of a template': (n) =>
    JSON.stringify({ ...ADL, system_prompt: { template: list(n * 40, (i) => `{{v${i}}}`).join(' '), variables: {} } }),
  'schemas within schemas, under long names': (n) => {
    let schema: object = { properties: Object.fromEntries(list(n / 10, (i) => [long(i, 50), { type: 'x' }])) }
    for (let i = 0; i < 12; i++) schema = { properties: { [long(i, n * 60)]: schema } }
    return JSON.stringify({ ...ADL, tools: [{ name: 'a', description: 'b', parameters: schema }] })
  },
  'unknown names of a card': (n) => JSON.stringify({ id: 'agent://a', name: 'A', ...many(n) }),
  'tools of a card': (n) => JSON.stringify({ id: 'agent://a', name: 'A', tools: list(n * 100, () => ({})) }),
  'skills of an A2A card': (n) =>
    JSON.stringify({
      protocolVersion: '0.3.0',
      name: 'A',
      url: 'https://a.b',
      skills: list(n * 40, () => ({ id: 'a' })),
    }),
}

function milliseconds(source: string): number {
  const begin = processorTime()
  validate(source)
  return processorTime() - begin
}

describe('a megabyte of findings', () => {
  test.each(Object.keys(SHAPES))('%s: four times the document takes about four times as long', (name) => {
    const size = IS_WHOLE ? 1_000 : 500
    const [small, large] = [SHAPES[name]!(size / 4), SHAPES[name]!(size)]
    expect(large.length).toBeGreaterThan(3.5 * small.length)
    // If each place were searched among all, it would take sixteen times as long. The margin allows for pauses of the
    // machine, and so do up to three attempts.
    const most = Math.min(2_000, 10 * Math.min(...list(3, () => milliseconds(small))) + 50)
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < 3 && least >= most; i++) least = Math.min(least, milliseconds(large))
    expect(least).toBeLessThan(most)
  })

  test('is as fast in YAML', () => {
    const source = `adl_spec: 0.1.0\n${list(1_000, (i) => `${long(i)}: 1\n`).join('')}`
    expect(Math.min(milliseconds(source), milliseconds(source))).toBeLessThan(3_000)
  })
})

test('every place in a large container equals the one that JavaScript finds (another implementation)', () => {
  const value = {
    first: 1,
    list: list(200, (i) => (i % 3 === 0 ? { [`k${i}`]: i } : i)),
    ...Object.fromEntries(list(300, (i) => [`m${i}${i % 7 === 0 ? '/~"é\u0000' : ''}`, [i, { a: i }]])),
    '': 'empty',
    __proto__x: 1,
    constructor: 2,
  }
  const text = JSON.stringify(value)
  const documents = [parse(text).document!, parseYaml(text.replaceAll('\\u0000', '\\0')).document!]
  const visit = (part: unknown, pointer: string): void => {
    for (const document of documents) {
      const { start, end } = document.range(pointer)!
      const source = new TextDecoder().decode(document.lines.bytes.subarray(start, end))
      expect(JSON.parse(source.replaceAll('\\0', '\\u0000')), pointer).toEqual(part)
    }
    if (typeof part !== 'object' || part === null) return
    for (const [name, inner] of Object.entries(part)) {
      visit(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
    for (const absent of ['200', '-1', '01', 'm300', 'toString', '__proto__', 'm0']) {
      const has = Array.isArray(part) ? false : Object.hasOwn(part, absent)
      for (const document of documents) expect(document.range(`${pointer}/${absent}`) !== undefined, absent).toBe(has)
    }
  }
  visit(value, '')
})
