import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeBytes, Fault, isCanonicalBytes, readTape } from '../../bindings/wasm/json.ts'
import { BUILDS } from '../support/builds.ts'

const text = (bytes: Uint8Array | Fault) => (bytes instanceof Fault ? { ...bytes } : new TextDecoder().decode(bytes))
const latin = (s: string) => Uint8Array.from(s, (c) => c.charCodeAt(0))

const FAULTS: [name: string, document: string | Uint8Array, code: number, offset: number, first?: number][] = [
  ['nothing at all', '', -11, 0],
  ['white space only', ' \n', -11, 2],
  ['a byte that begins no value', '[?]', -10, 1],
  ['a literal in capitals', '[True]', -10, 1],
  ['a literal that goes wrong', '[nuLL]', -10, 3],
  ['a literal cut short', 'fal', -11, 3],
  ['a trailing comma', '[1,]', -10, 3],
  ['a missing colon', '{"a" 1}', -10, 5],
  ['a name without quotes', '{a:1}', -10, 1],
  ['the wrong bracket', '[1}', -10, 2],
  ['an open array', '[1', -11, 2],
  ['an open string', '"abc', -11, 4],
  ['an escape cut short', '"\\u12', -11, 5],
  ['a backslash at the end', '"\\', -11, 2],
  ['a second value', '1 2', -12, 2],
  ['a comment after the value', '{} // no', -12, 3],
  ['a raw newline in a string', '"a\nb"', -19, 2],
  ['a raw NUL in a string', '["a\u0000b"]', -19, 3],
  ['an escape that JSON lacks', '"\\x41"', -18, 1],
  ['an invalid hexadecimal digit', '"ab\\u00g0"', -18, 3],
  ['a leading zero', '[012]', -20, 2],
  ['a bare minus', '[-]', -20, 2],
  ['a point without digits', '1.e3', -20, 2],
  ['an exponent without digits', '1e+', -11, 3],
  ['a plus sign', '+1', -10, 0],
  ['a point first', '.5', -10, 0],
  ['a number beyond the doubles', '[1,1e400]', -21, 3],
  ['the least number that rounds to infinity', '1.7976931348623159e308', -21, 0],
  ['two equal names', '{"a":1,"b":2,"a":3}', -16, 13, 1],
  ['names equal except for an escape', '{"a":1,"\\u0061":2}', -16, 7, 1],
  ['the first of several duplicates counts', '{"z":1,"z":2,"a":3,"a":4}', -16, 7, 1],
  ['equal in a nested object', '[{"x":{"k":1,"k":1}}]', -16, 13, 7],
  ['a lone first half', '"\\ud800"', -17, 1],
  ['a lone second half', '"ab\\udc00"', -17, 3],
  ['two first halves', '"\\ud800\\ud800"', -17, 1],
  ['an overlong sequence', latin('"\xc0\x80"'), -13, 1],
  ['an encoded surrogate', latin('"a\xed\xa0\x80"'), -13, 2],
  ['beyond U+10FFFF', latin('"\xf4\x90\x80\x80"'), -13, 1],
  ['a sequence cut short by a quote', latin('"\xe2\x82"'), -13, 1],
  ['a sequence cut short by the end', latin('"\xe2\x82'), -13, 1],
  ['a byte order mark', latin('\xef\xbb\xbf{}'), -14, 0],
  ['UTF-16, little-endian, marked', latin('\xff\xfe[\0]\0'), -15, 0],
  ['UTF-16, big-endian, unmarked', latin('\0[\0]'), -15, 0],
  ['UTF-32, little-endian', latin('[\0\0\0]\0\0\0'), -15, 0],
]

const FORMS: [name: string, document: string, canonical: string][] = [
  ['[rfc8785/3.2.2.1-1] literals', ' [ null , true , false ] ', '[null,true,false]'],
  [
    '[rfc8785/3.2.2.2-1] control characters',
    '"\\u0008\\u0009\\u000a\\u000C\\u000D\\u0000\\u001F\\u000b"',
    '"\\b\\t\\n\\f\\r\\u0000\\u001f\\u000b"',
  ],
  ['[rfc8785/3.2.2.2-2] quote, backslash, solidus', '"\\u0022\\u005c\\u002f\\/"', '"\\"\\\\//"'],
  ['[rfc8785/3.2.2.2-2] delete and line separators stay', '"\\u007f\\u2028\\u2029"', '"\u007f\u2028\u2029"'],
  ['[rfc8785/3.1-4] no composition', '"e\\u0301\\u00e9"', '"e\u0301\u00e9"'],
  [
    '[rfc8785/3.2.3-2] U+FFFF behind U+10000, as UTF-16 has it',
    '{"\\uffff":1,"\\ud800\\udc00":2}',
    '{"\u{10000}":2,"\uffff":1}',
  ],
  ['[rfc8785/3.2.3-2] the same, spelled raw', '{"\uffff":1,"\u{10000}":2}', '{"\u{10000}":2,"\uffff":1}'],
  ['[rfc8785/3.2.3-2] numbers as names', '{"10":1,"9":2,"":3}', '{"":3,"10":1,"9":2}'],
  [
    '[rfc8785/3.2.3-2] equal in their first 8 bytes',
    '{"abcdefghi":1,"abcdefgh":2,"abcdefgha":3}',
    '{"abcdefgh":2,"abcdefgha":3,"abcdefghi":1}',
  ],
  ['[rfc8785/3.2.3-2] a name with NUL', '{"a\\u0000":1,"a":2}', '{"a":2,"a\\u0000":1}'],
  [
    '[rfc8785/3.2.3-3] [rfc8785/3.2.3-4] arrays keep order, their objects do not',
    '[{"b":1,"a":2},1,[3,2]]',
    '[{"a":2,"b":1},1,[3,2]]',
  ],
  ['[rfc8785/3.2.1-1] empty containers', '{ "b" : [ ] , "a" : { } }', '{"a":{},"b":[]}'],
  ['numbers that are canonical', '[0,1,-1,1.5,0.000001,123456789012345]', '[0,1,-1,1.5,0.000001,123456789012345]'],
  ['numbers that are not', '[-0,-0.0,1.0,1e2,1E21,0.0000001,100e-2,12e-1]', '[0,0,1,100,1e+21,1e-7,1,1.2]'],
  ['neighbours that were rewritten do not melt together', '[1.0,1.0,"\\/",1e0]', '[1,1,"/",1]'],
]

/**
 * The first four bytes in encodings other than UTF-8, from the table of RFC 4627 section 3; `0` stands for a zero byte.
 */
const OTHER_ENCODINGS = ['000x', '0x0x', 'x000', 'x0x0']

describe.each(BUILDS)('$name', ({ use }) => {
  beforeAll(use)

  test.each(FAULTS)(
    '[rfc8259/2-1] [rfc8259/4-1] [rfc8785/3.2.2.2-3] [rfc8259/8.1-2] refuses %s',
    (_, document, code, offset, first = -1) => {
      const bytes = typeof document === 'string' ? new TextEncoder().encode(document) : document
      expect(text(canonicalizeBytes(bytes))).toEqual({ code, offset, first })
      expect({ ...(readTape(bytes) as Fault) }).toEqual({ code, offset, first })
      expect({ ...(isCanonicalBytes(bytes) as Fault) }).toEqual({ code, offset, first })
    },
  )

  test('[rfc8259/8.1-1] reports UTF-16 or UTF-32 exactly for the zero bytes of the table', () => {
    const called: string[] = []
    for (let shape = 0; shape < 16; shape++) {
      const zeroes = shape.toString(2).padStart(4, '0').replaceAll('1', 'x')
      const bytes = latin(zeroes.replaceAll('0', '\0').replaceAll('x', '['))
      const { code, offset } = canonicalizeBytes(bytes) as Fault
      if (code === -15) called.push(zeroes)
      expect(code).toBeLessThan(0)
      if (code === -15) expect(offset).toBe(0)
    }
    expect(called).toEqual(OTHER_ENCODINGS)
  })

  test.each(FORMS)('%s', (_, document, canonical) => {
    expect(text(canonicalizeBytes(document))).toBe(canonical)
    expect(isCanonicalBytes(canonical)).toBe(true)
    expect(isCanonicalBytes(document)).toBe(document === canonical)
  })

  test('[rfc8785/3.1-2] a lone surrogate in a JavaScript string, which has no UTF-8', () => {
    expect(text(canonicalizeBytes('{"é":"\ud800"}'))).toEqual({ code: -17, offset: 7, first: -1 })
    expect(text(canonicalizeBytes('"😀\udc00"'))).toEqual({ code: -17, offset: 5, first: -1 })
    expect(text(canonicalizeBytes('"😀"'))).toBe('"😀"')
  })

  test('[rfc8259/9-1] depth is an argument and counts containers', () => {
    expect(text(canonicalizeBytes('[[[]]]', 3))).toBe('[[[]]]')
    expect(text(canonicalizeBytes('[[[]]]', 2))).toEqual({ code: -22, offset: 2, first: -1 })
    expect(text(canonicalizeBytes('{"a":[1]}', 1))).toEqual({ code: -22, offset: 5, first: -1 })
    expect(text(canonicalizeBytes('7', 0))).toBe('7')
    expect(text(canonicalizeBytes('[]', 0))).toEqual({ code: -22, offset: 0, first: -1 })
    expect(text(canonicalizeBytes('[]', 0xffffffff))).toBe('[]')
    const deep = `${'['.repeat(1024)}${']'.repeat(1024)}`
    expect(text(canonicalizeBytes(deep))).toBe(deep)
    expect(text(canonicalizeBytes(`[${deep}]`))).toEqual({ code: -22, offset: 1024, first: -1 })
  })

  test('[rfc8785/3.1-3] warns about numbers that a double cannot hold', () => {
    const warnings = (document: string) =>
      (readTape(new TextEncoder().encode(document)) as { warnings: unknown }).warnings
    expect(warnings('[9007199254740991,-9007199254740991]')).toEqual([])
    expect(warnings('[9007199254740992,-9007199254740993]')).toEqual([
      { code: 1, offset: 1 },
      { code: 1, offset: 18 },
    ])
    expect(warnings('[1e16,9007199254740993.5,0e-999,0.0]')).toEqual([])
    expect(warnings('[1e-400,-0.5e-330]')).toEqual([
      { code: 2, offset: 1 },
      { code: 2, offset: 8 },
    ])
    expect(warnings(`[${Array(100).fill('1e-999').join()}]`)).toHaveLength(64)
  })
})
