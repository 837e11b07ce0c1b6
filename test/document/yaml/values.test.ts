import { describe, expect, test } from 'vitest'
import { parse as reference, stringify } from 'yaml'
import { canonicalize } from '../../../bindings/core/json.ts'
import { parseYaml } from '../../../bindings/document/yaml/parse.ts'
import { toYaml } from '../../../bindings/document/yaml/stringify.ts'
import { isWellFormed } from '../../../bindings/wasm/instance.ts'
import { documents } from '../../support/documents.ts'

const json = (source: string) => new TextDecoder().decode(parseYaml(source).document!.bytes)

describe('converting YAML values to JSON [adl/4.1-4] [adl/17.1-20]', () => {
  test.each([
    ['null', '- null\n- Null\n- NULL\n- ~\n-\n'],
    ['booleans', '- true\n- True\n- TRUE\n- false\n- False\n- FALSE\n- yes\n- no\n- on\n- off\n- y\n- N\n'],
    ['integers', '- 0\n- -0\n- +12\n- 0012\n- -007\n- 0o17\n- 0x1F\n- 0xfF\n- 1_000\n- 0b11\n- 0X1f\n- 0O7\n'],
    ['floats', '- 1.\n- .5\n- -.5\n- +1.5e3\n- 1e3\n- 1.e-3\n- 00.50\n- 1.5.2\n- 1e\n- 12e03\n'],
    ['timestamps stay text', '- 2001-12-14t21:59:43.10-05:00\n- 2002-12-14\n- 10:30\n- 190:20:30\n'],
    ['flow', '{a: [1, "b", {c: d}], "e": , f, ? g : h, [i]: 1}\n'.replace(', [i]: 1', '')],
    ['pairs in sequences', '[a: b, ? c : d, e]'],
    ['literal blocks', 'a: |\n  x\n   y\n\n  z\n\nb: |-\n  x\nc: |+\n  x\n\nd: |2\n    x\n'],
    ['folded blocks', 'a: >\n  x\n  y\n\n  z\n   more\n  w\nb: >-\n  x\n  y\n'],
    ['quotes', `a: 'it''s'\nb: "\\t\\x41\\u00e9\\U0001F600\\n\\_\\/"\nc: 'two\n  lines'\nd: "two \\\n  lines"\n`],
    ['plain text over lines', 'a: one\n  two\n\n  three # comment\nb: c#d\n'],
    ['anchors', 'a: &x {b: 1}\nc: *x\nd: &x 2\ne: *x\nf: [*x, &y z, *y]\n'],
    [
      'tags of the core schema',
      '- !!str 1\n- !!int "12"\n- !!float 1.0\n- !!null ""\n- !!bool "true"\n- !!seq [1]\n- !!map {a: 1}\n',
    ],
    ['the non-specific tag', '- ! 12\n- ! [1]\n'],
    ['explicit keys', '? a\n: 1\n? b\n? |\n  c\n: 2\n'],
    ['a document with its marks', '%YAML 1.2\n---\na: 1\n...\n'],
    ['text alone', 'just text'],
    ['CR LF', 'a: 1\r\nb: |\r\n  x\r\n  y\r\nc: "d\r\n  e"\r\n'],
    ['comments everywhere', '# a\na: # b\n  # c\n  - 1 # d\n # e\n  - 2\n#f'],
  ])('%s: agrees with the yaml package and its core schema', (_, source) => {
    const { document, diagnostics } = parseYaml(source)
    expect(diagnostics).toEqual([])
    // As JSON writes it: -0 becomes 0.
    expect(JSON.stringify(document!.value)).toEqual(JSON.stringify(reference(source, { schema: 'core' })))
  })

  test('numbers keep their digits as written', () => {
    const numbers = ['12345678901234567890', '1.10', '1e3', '-0.0', '0.1234567890123456789012345', '1E+2']
    expect(json(`[${numbers.join(', ')}]`)).toBe(`[${numbers.join(',')}]`)
    expect(json('[+12, 0012, -007, .5, 1., 1.e3, +.5e-3, 00]')).toBe('[12,12,-7,0.5,1,1e3,0.5e-3,0]')
    expect(json('[0x1F, 0o17, 0xFFFFFFFFFFFFFFFFFFFF, 0o0]')).toBe('[31,15,1208925819614629174706175,0]')
  })

  test.each([
    // [6.6] A comment has any indentation. The package alone reads `b - d`.
    ['-\n#c\n  b\n- d\n', ['b', 'd']],
    ['&x a:\n  - b:\n #c\n      d\n      e\n    f: g\n', { a: [{ b: 'd e', f: 'g' }] }],
    ['- &x k:\n#c\n    |1\n     b\n', [{ k: '  b\n' }]],
    // [6.9, 7.2] Properties alone are an empty value.
    ['! # comment\n', ''],
    ['&a\n', null],
  ])('%j has the value of the specification', (source, value) => {
    expect(parseYaml(source).document?.value).toEqual(value)
  })

  test('warns of the first reserved directive, and ignores it', () => {
    const { document, diagnostics } = parseYaml('%FOO bar # c\n%BAR\n---\na: 1\n')
    expect(document?.value).toEqual({ a: 1 })
    expect(diagnostics).toMatchObject([{ code: 'DOC-203', severity: 'warning', source: { line: 1 } }])
  })

  test('what toYaml writes is read as the same value', () => {
    const emoji = `# ${'😀'.repeat(60)}\r`
    for (const text of [' \n', '\n \n', '\t\n ', ' \t\na', '\n \n\n'.repeat(60), '  a \n '.repeat(60), emoji])
      expect(parseYaml(toYaml({ a: [text] })).document?.value).toEqual({ a: [text] })
  })

  test('members keep their order, even with names that look like numbers', () => {
    expect(json('b: 1\n"10": 2\na: 3\n"2": 4\n__proto__: 5\n')).toBe('{"b":1,"10":2,"a":3,"2":4,"__proto__":5}')
  })

  test('reads random values written by the yaml package back, canonical byte for byte', () => {
    const make = documents(11)
    let compared = 0
    for (let n = 0; n < 250; n++) {
      const value = make.value(4)
      const source = stringify(value, {
        indent: 2 + make.below(3),
        lineWidth: [0, 20, 80][make.below(3)]!,
        collectionStyle: (['any', 'block', 'flow'] as const)[make.below(3)]!,
        defaultStringType: (['PLAIN', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const)[make.below(4)]!,
        defaultKeyType: 'PLAIN',
      })
      // The package folds within surrogate pairs, and writes some blocks that it then reads as another value.
      if (!isWellFormed(source) || JSON.stringify(reference(source)) !== JSON.stringify(value)) continue
      compared++
      const { document, diagnostics } = parseYaml(make.below(3) === 0 ? source.replaceAll('\n', '\r\n') : source)
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(document!.canonical, source).toEqual(canonicalize(JSON.stringify(value)))
    }
    expect(compared).toBeGreaterThan(200)
  })

  test('JSON is YAML: random documents give the same bytes with both readers', () => {
    const make = documents(12)
    for (let n = 0; n < 150; n++) {
      const source = make.spell(make.value(4)).replaceAll('\r', ' ').replaceAll('\t', ' ')
      const { document, diagnostics } = parseYaml(source)
      // A part of JSON that YAML excludes: an implicit name must end on the line where it begins (7.4.2).
      if (document === undefined && diagnostics[0]!.code === 'DOC-190') continue
      expect(
        diagnostics.filter(({ severity }) => severity === 'error'),
        source,
      ).toEqual([])
      expect(document!.canonical).toEqual(canonicalize(source))
    }
  })
})
