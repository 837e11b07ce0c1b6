import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { formatJson, parseJson as parse } from '../../bindings/document/index.ts'
import { formatYaml } from '../../bindings/document/yaml/fmt.ts'
import { parseYaml } from '../../bindings/document/yaml/parse.ts'
import { documents } from '../support/documents.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { SUITES } from '../support/suites.ts'

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)
const json = (source: string, options = {}) => text(formatJson(parse(source).document!, options))
const yaml = (source: string, options = {}) => text(formatYaml(parseYaml(source).document!, options))

/** The scalars and names of a JSON text, as written. */
const tokens = (source: string) => source.match(/"(?:[^"\\]|\\.)*"|[^\s,:[\]{}"]+/g) ?? []

describe('formatJson', () => {
  test.each([
    ['{}', '{}\n'],
    [' [ ] ', '[]\n'],
    ['"\\u0041"', '"\\u0041"\n'],
    ['{"b":1.50,"a":{ },"c":[ 1,"é" , null ]}', '{\n  "b": 1.50,\n  "a": {},\n  "c": [1, "é", null]\n}\n'],
    ['[[1],{"a":[]},[]]', '[\n  [1],\n  {\n    "a": []\n  },\n  []\n]\n'],
  ])('%s', (source, expected) => {
    expect(json(source)).toBe(expected)
  })

  test('a list stays on one line up to column 80', () => {
    const list = (count: number) => `{"key": [${Array(count).fill('"x234567"').join(', ')}]}`
    const lines = (count: number) => json(list(count))!.split('\n')
    // Two columns of indentation, seven for the name, nine for each item, and two between items.
    expect(lines(6)[1]).toHaveLength(2 + 7 + 2 + 6 * 9 + 5 * 2)
    expect(lines(6)).toHaveLength(4)
    expect(lines(7).length).toBeGreaterThan(4)
    for (let count = 1; count < 12; count++)
      for (const line of lines(count)) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('members can be put into canonical order, at every level', () => {
    expect(json('{"b":{"d":1,"c":2},"é":0,"\\u0061":[{"z":1,"y":2}]}', { sort: true })).toBe(
      '{\n  "\\u0061": [\n    {\n      "y": 2,\n      "z": 1\n    }\n  ],\n  "b": {\n    "c": 2,\n    "d": 1\n  },\n  "é": 0\n}\n',
    )
  })

  test('random documents: every scalar byte for byte, the same value, and a fixed point', () => {
    const make = documents(41)
    for (let n = 0; n < 400; n++) {
      const source = make.spell(make.value(4))
      const formatted = json(source)!
      expect(tokens(formatted)).toEqual(tokens(source))
      expect(parse(formatted).document!.canonical).toEqual(parse(source).document!.canonical)
      expect(json(formatted)).toBe(formatted)
      const sorted = json(source, { sort: true })!
      expect(json(sorted, { sort: true })).toBe(sorted)
      expect(parse(sorted).document!.canonical).toEqual(parse(source).document!.canonical)
    }
  })

  test('deep nesting does not make the result much larger', () => {
    const depth = 100_000
    const source = `${'['.repeat(depth)}{"a":1}${']'.repeat(depth)}`
    const formatted = formatJson(parse(source, { maxDepth: 200_000 }).document!)
    expect(formatted.length).toBeLessThan(source.length * 150)
  })

  test('writes a YAML document as the equivalent JSON', () => {
    expect(text(formatJson(parseYaml('a: 0x10 # one\nb: &x [1.50]\nc: *x').document!))).toBe(
      '{\n  "a": 16,\n  "b": [1.50],\n  "c": [1.50]\n}\n',
    )
  })
})

describe('formatYaml', () => {
  test.each([
    ['spaces', 'a:   1\nb:    [ 1,2 ]\nc: { d: x,   e: y }\n', 'a: 1\nb: [1, 2]\nc: {d: x, e: y}\n'],
    ['indentation', 'a:\n    b:\n    - 1\n    -   c: 2\n', 'a:\n  b:\n    - 1\n    - c: 2\n'],
    [
      'comments',
      '# one\n\n\na: 1   # two\n# three\nb:\n  # four\n  c: 2\n# five\n',
      '# one\n\na: 1 # two\n# three\nb:\n  # four\n  c: 2\n\n# five\n',
    ],
    ['anchors', 'a: &x   {b: 1}\nc:  *x\n', 'a: &x {b: 1}\nc: *x\n'],
    ['escapes', '"\\u0061":   "b\\u202ec\\u0085\\/d\\xe9" # x\n', '"\\u0061": "b\\u202ec\\u0085\\/d\\xe9" # x\n'],
    ['quotes', `a: 'x'\nb: "x"\nc: x\n"d": y\n`, `a: 'x'\nb: "x"\nc: x\n"d": y\n`],
    [
      'numbers',
      'a: [1.10, 0x1F, 1e3, +1, 12345678901234567890, .5]\n',
      'a: [1.10, 0x1F, 1e3, +1, 12345678901234567890, .5]\n',
    ],
    ['nulls', 'a:\nb: ~\nc: Null\nd:\n-\n- x\n', 'a:\nb: ~\nc: Null\nd:\n  - null\n  - x\n'],
    ['booleans', 'a: TRUE\nb: yes\n', 'a: TRUE\nb: yes\n'],
    ['blocks', 'a: |\n    x\n      y\nb: >-\n    one\n    two\n', 'a: |\n  x\n    y\nb: >-\n  one two\n'],
    ['long lines', `a: ${'word '.repeat(30)}end\n`, `a: ${'word '.repeat(30)}end\n`],
    ['line ends', 'a: 1\r\nb: "x"\r\n', 'a: 1\nb: "x"\n'],
    ['marks', '%YAML 1.2\n---\na: 1\n...\n', '%YAML 1.2\n---\na: 1\n...\n'],
    ['tags', 'a: !!str   1\n', 'a: !!str 1\n'],
    ['a line end at the end', 'a: 1', 'a: 1\n'],
  ])('%s', (_, source, expected) => {
    expect(yaml(source)).toBe(expected)
    expect(yaml(expected)).toBe(expected)
  })

  test('members can be put into order, with their comments', () => {
    expect(yaml('# b\nb: 1 # one\n# a\na: {d: 1, c: 2}\n', { sort: true })).toBe(
      '# a\na: {c: 2, d: 1}\n# b\nb: 1 # one\n',
    )
    // An alias must not come before its anchor.
    expect(yaml('b: &x 1\na: *x\n', { sort: true })).toBeUndefined()
  })

  test('random documents with comments: the same value, the same comments, and a fixed point', () => {
    const make = documents(42)
    let formatted = 0
    for (let n = 0; n < 250; n++) {
      const style = (['any', 'block', 'flow'] as const)[make.below(3)]!
      const written = stringify(make.value(3), {
        collectionStyle: style,
        indent: 2 + make.below(3),
        lineWidth: [0, 80][make.below(2)]!,
      })
      // Lines that begin with a name at the left margin are not part of a block.
      const source = written.replace(/^(?=[a-zA-Z]\w*: )/gm, () =>
        make.below(3) === 0 ? `# comment ${make.below(99)}\n` : '',
      )
      const { document } = parseYaml(source)
      const bytes = document && formatYaml(document)
      if (document === undefined || bytes === undefined) continue
      const again = parseYaml(bytes).document!
      expect(again.canonical).toEqual(document.canonical)
      expect(text(formatYaml(again))).toBe(text(bytes))
      expect(text(bytes)!.match(/^# comment \d+/gm)).toEqual(source.match(/^# comment \d+/gm))
      formatted++
    }
    expect(formatted).toBeGreaterThan(220)
  })

  const examples = `${SUITES}/../data/adl/examples`
  test.runIf(existsSync(examples))('formats published documents', () => {
    for (const file of nonEmpty(readdirSync(examples))) {
      const source = readFileSync(`${examples}/${file}`)
      const formatted = formatYaml(parseYaml(source).document!)
      expect(parseYaml(formatted!).document!.canonical).toEqual(parseYaml(source).document!.canonical)
      expect(text(formatted)!.match(/#.*$/gm)).toEqual(source.toString().match(/#.*$/gm))
    }
  })
})
