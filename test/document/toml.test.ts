import { describe, expect, test } from 'vitest'
import { parseToml } from '../../bindings/document/toml/parse.ts'
import { random as randomOf } from '../support/random.ts'

const readValue = (text: string) => parseToml(text).document?.value
const faultOf = (text: string) => {
  const { document, diagnostics } = parseToml(text)
  const [{ code, source }] = diagnostics as [(typeof diagnostics)[number]]
  return [document, code, `${source.line}:${source.column}`]
}

/** The examples of https://toml.io/en/v1.0.0, each with the value that the page gives in words or in JSON. */
const EXAMPLES: readonly (readonly [toml: string, value: unknown])[] = [
  [
    '# This is a full-line comment\nkey = "value"  # a comment\nother = "# This is not a comment"',
    { key: 'value', other: '# This is not a comment' },
  ],
  [
    'key = "value"\nbare_key = "value"\nbare-key = "value"\n1234 = "value"',
    { 1234: 'value', key: 'value', bare_key: 'value', 'bare-key': 'value' },
  ],
  [
    `"127.0.0.1" = 1\n"character encoding" = 2\n"ʎǝʞ" = 3\n'key2' = 4\n'quoted "value"' = 5`,
    { '127.0.0.1': 1, 'character encoding': 2, ʎǝʞ: 3, key2: 4, 'quoted "value"': 5 },
  ],
  [
    `name = "Orange"\nphysical.color = "orange"\nphysical.shape = "round"\nsite."google.com" = true`,
    { name: 'Orange', physical: { color: 'orange', shape: 'round' }, site: { 'google.com': true } },
  ],
  [
    'fruit.name = "banana"\nfruit. color = "yellow"\nfruit . flavor = "banana"',
    { fruit: { name: 'banana', color: 'yellow', flavor: 'banana' } },
  ],
  ['fruit.apple.smooth = true\nfruit.orange = 2', { fruit: { apple: { smooth: true }, orange: 2 } }],
  ['3.14159 = "pi"', { 3: { 14159: 'pi' } }],
  [
    String.raw`str = "I'm a string. \"You can quote me\". Name\tJos\u00E9\nLocation\tSF."`,
    { str: 'I\'m a string. "You can quote me". Name\tJosé\nLocation\tSF.' },
  ],
  ['str1 = """\nRoses are red\nViolets are blue"""', { str1: 'Roses are red\nViolets are blue' }],
  [
    'str2 = """\nThe quick brown \\\n\n\n  fox jumps over \\\n    the lazy dog."""',
    { str2: 'The quick brown fox jumps over the lazy dog.' },
  ],
  [
    'str4 = """Here are two quotation marks: "". Simple enough."""',
    { str4: 'Here are two quotation marks: "". Simple enough.' },
  ],
  [
    'str7 = """"This," she said, "is just a pointless statement.""""',
    { str7: '"This," she said, "is just a pointless statement."' },
  ],
  [
    `winpath = 'C:\\Users\\nodejs\\templates'\nregex = '<\\i\\c*\\s*>'`,
    { winpath: 'C:\\Users\\nodejs\\templates', regex: '<\\i\\c*\\s*>' },
  ],
  [`str = ''''That,' she said, 'is still pointless.''''`, { str: "'That,' she said, 'is still pointless.'" }],
  [
    'int1 = +99\nint2 = 42\nint3 = 0\nint4 = -17\nint5 = 1_000\nint7 = 53_49_221',
    { int1: 99, int2: 42, int3: 0, int4: -17, int5: 1000, int7: 5349221 },
  ],
  [
    'hex1 = 0xDEADBEEF\nhex3 = 0xdead_beef\noct1 = 0o01234567\noct2 = 0o755\nbin1 = 0b11010110',
    { hex1: 3735928559, hex3: 3735928559, oct1: 342391, oct2: 493, bin1: 214 },
  ],
  [
    'flt1 = +1.0\nflt2 = 3.1415\nflt3 = -0.01\nflt4 = 5e+22\nflt5 = 1e06\nflt6 = -2E-2\nflt7 = 6.626e-34\nflt8 = 224_617.445_991_228',
    {
      flt1: 1,
      flt2: Number('3.1415'),
      flt3: -0.01,
      flt4: 5e22,
      flt5: 1e6,
      flt6: -0.02,
      flt7: 6.626e-34,
      flt8: 224617.445991228,
    },
  ],
  [
    'odt1 = 1979-05-27T07:32:00Z\nodt3 = 1979-05-27T00:32:00.999999-07:00\nodt4 = 1979-05-27 07:32:00Z\nldt1 = 1979-05-27T07:32:00\nld1 = 1979-05-27\nlt2 = 00:32:00.999999',
    {
      odt1: '1979-05-27T07:32:00Z',
      odt3: '1979-05-27T00:32:00.999999-07:00',
      odt4: '1979-05-27 07:32:00Z',
      ldt1: '1979-05-27T07:32:00',
      ld1: '1979-05-27',
      lt2: '00:32:00.999999',
    },
  ],
  [
    'integers = [ 1, 2, 3 ]\nmixed = [ [ 1, 2 ], ["a", "b", "c"] ]\nintegers3 = [\n  1,\n  2, # this is ok\n]',
    {
      integers: [1, 2, 3],
      mixed: [
        [1, 2],
        ['a', 'b', 'c'],
      ],
      integers3: [1, 2],
    },
  ],
  ['[dog."tater.man"]\ntype.name = "pug"', { dog: { 'tater.man': { type: { name: 'pug' } } } }],
  [`[ g .  h  . i ]\n[ j . "ʞ" . 'l' ]`, { g: { h: { i: {} } }, j: { ʞ: { l: {} } } }],
  ['[x.y.z.w]\n[x]', { x: { y: { z: { w: {} } } } }],
  ['[fruit.apple]\n[animal]\n[fruit.orange]', { fruit: { apple: {}, orange: {} }, animal: {} }],
  [
    '[fruit]\napple.color = "red"\napple.taste.sweet = true\n[fruit.apple.texture]\nsmooth = true',
    { fruit: { apple: { color: 'red', taste: { sweet: true }, texture: { smooth: true } } } },
  ],
  [
    'name = { first = "Tom", last = "Preston-Werner" }\nanimal = { type.name = "pug" }',
    { name: { first: 'Tom', last: 'Preston-Werner' }, animal: { type: { name: 'pug' } } },
  ],
  [
    '[[products]]\nname = "Hammer"\n[[products]]\n[[products]]\nname = "Nail"',
    { products: [{ name: 'Hammer' }, {}, { name: 'Nail' }] },
  ],
  [
    '[[fruits]]\nname = "apple"\n[fruits.physical]\ncolor = "red"\n[[fruits.varieties]]\nname = "red delicious"\n[[fruits]]\nname = "banana"\n[[fruits.varieties]]\nname = "plantain"',
    {
      fruits: [
        { name: 'apple', physical: { color: 'red' }, varieties: [{ name: 'red delicious' }] },
        { name: 'banana', varieties: [{ name: 'plantain' }] },
      ],
    },
  ],
  ['', {}],
]

/** What the page calls invalid, with the finding and its place. */
const INVALID: readonly (readonly [toml: string, code: string, place: string])[] = [
  ['key = # INVALID', 'DOC-200', '1:7'],
  ['first = "Tom" last = "Preston-Werner" # INVALID', 'DOC-200', '1:15'],
  ['= "no key name"', 'DOC-200', '1:1'],
  ['name = "Tom"\nname = "Pradyun"', 'DOC-201', '2:1'],
  ['spelling = "favorite"\n"spelling" = "favourite"', 'DOC-201', '2:1'],
  ['fruit.apple = 1\nfruit.apple.smooth = true', 'DOC-201', '2:7'],
  ['str5 = """Here are three quotation marks: """."""', 'DOC-200', '1:46'],
  ['bad = "\\q"', 'DOC-200', '1:8'],
  ['bad = "\\uD800"', 'DOC-200', '1:8'],
  ['a = """\n\\ud800"""', 'DOC-200', '2:1'],
  ["apos15 = '''Here are fifteen apostrophes: ''''''''''''''''''  # INVALID", 'DOC-200', '1:48'],
  ['invalid_float_1 = .7', 'DOC-200', '1:19'],
  ['invalid_float_2 = 7.', 'DOC-200', '1:20'],
  ['invalid_float_3 = 3.e+20', 'DOC-200', '1:20'],
  ['leading = 01', 'DOC-200', '1:12'],
  ['big = 9223372036854775808', 'DOC-202', '1:7'],
  ['sf1 = inf', 'DOC-202', '1:7'],
  ['sf5 = -nan', 'DOC-202', '1:7'],
  ['day = 1979-02-30', 'DOC-200', '1:7'],
  ['time = 1979-05-27T24:00:00', 'DOC-200', '1:19'],
  ['[fruit]\napple = "red"\n[fruit]\norange = "orange"', 'DOC-201', '3:2'],
  ['[fruit]\napple = "red"\n[fruit.apple]\ntexture = "smooth"', 'DOC-201', '3:8'],
  ['[fruit]\napple.color = "red"\n[fruit.apple]', 'DOC-201', '3:8'],
  ['[product]\ntype = { name = "Nail" }\ntype.edible = false', 'DOC-201', '3:1'],
  ['[product]\ntype.name = "Nail"\ntype = { edible = false }', 'DOC-201', '3:1'],
  ['a = { b = 1, }', 'DOC-200', '1:14'],
  ['a = {\nb = 1 }', 'DOC-200', '1:6'],
  ['[fruit.physical]\n[[fruit]]', 'DOC-201', '2:3'],
  ['fruits = []\n[[fruits]]', 'DOC-201', '2:3'],
  ['[[fruits]]\n[[fruits.varieties]]\n[fruits.varieties]', 'DOC-201', '3:9'],
  ['# a comment\u0000', 'DOC-200', '1:12'],
  ['a = 1\rb = 2', 'DOC-200', '1:6'],
  ['\ufeffa = 1', 'DOC-105', '1:1'],
  [`a = ${'['.repeat(300)}`, 'DOC-113', '1:260'],
  [`${'a.'.repeat(300)}a = 1`, 'DOC-113', '1:511'],
]

describe('TOML', () => {
  test.each(EXAMPLES)('reads the published example %#', (toml, value) => {
    expect(readValue(toml)).toEqual(value)
  })

  test.each(INVALID)('refuses the invalid example %#', (toml, code, place) => {
    expect(faultOf(toml)).toEqual([undefined, code, place])
  })

  test('keeps the digits of integers, and warns where a double rounds them', () => {
    const { document, diagnostics } = parseToml('n = 9_223_372_036_854_775_807')
    expect(new TextDecoder().decode(document!.bytes)).toBe('{"n":9223372036854775807}')
    expect(diagnostics.map(({ code, source }) => [code, source.column])).toEqual([['DOC-120', 5]])
  })

  test('has places for values, keys and tables, in bytes and in UTF-16 units', () => {
    const text = '"é" = "ä"\n[a.b]\nc = [1, {d = 2}]\n[e]\n[a.f]\ng = 3\n[[h]]\ni = 4\n'
    const { document } = parseToml(text, { file: 'x.toml' })
    const at = (pointer: string) => {
      const { start, end, keyStart, keyEnd } = document!.range(pointer)!
      return [start, end, keyStart, keyEnd].map((one) => one ?? -1)
    }
    const bytes = new TextEncoder().encode(text)
    const shown = (pointer: string) => {
      const [start, end, from, to] = at(pointer) as [number, number, number, number]
      return [
        [start, end],
        [from, to],
      ].map(([a, b]) => new TextDecoder().decode(bytes.subarray(a, b)))
    }
    expect(shown('/é')).toEqual(['"ä"', '"é"'])
    expect(shown('/a/b/c/1/d')).toEqual(['2', 'd'])
    expect(shown('/a/b')).toEqual(['[a.b]\nc = [1, {d = 2}]', 'b'])
    expect(shown('/a/f/g')).toEqual(['3', 'g'])
    expect(document!.source('/h/0/i')).toMatchObject({ line: 8, column: 5 })
    expect([...'24'].map((digit) => document!.pointerAt(bytes.lastIndexOf(digit.charCodeAt(0))))).toEqual([
      '/a/b/c/1/d',
      '/h/0/i',
    ])
  })

  test('reads or refuses any text, at a place in it', () => {
    const random = randomOf(11)
    const parts = [
      '[',
      ']',
      '[[a]]',
      '[a.b]',
      'a',
      '.',
      '=',
      ' = ',
      '"x"',
      "'",
      '"""',
      "'''",
      '\\',
      '{',
      '}',
      ',',
      '\n',
      '\r',
      '#',
      '1',
      '_',
      '-',
      '1e9',
      '0x',
      'inf',
      '1979-05-27',
      'T07:32:00',
      '\u{1f600}',
      '\ud800',
      '\t',
    ]
    for (let i = 0; i < 3000; i++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 20) },
        () => parts[Math.floor(random() * parts.length)],
      ).join('')
      const { document, diagnostics } = parseToml(text)
      if (document === undefined)
        expect(diagnostics[0]!.source.offset).toBeLessThanOrEqual(new TextEncoder().encode(text).length)
      else expect(document.value).toEqual(JSON.parse(new TextDecoder().decode(document.canonical)))
    }
  })
})
