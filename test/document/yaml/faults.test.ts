import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { read } from '../../../bindings/document/read.ts'
import { parseYaml } from '../../../bindings/document/yaml/parse.ts'
import { visible } from '../../../bindings/text/hidden.ts'

const only = (source: string | Uint8Array, options = {}) => {
  const { document, diagnostics } = parseYaml(source, options)
  expect(document).toBeUndefined()
  expect(diagnostics).toHaveLength(1)
  return diagnostics[0]!
}

/** The text of the source at a diagnostic. */
const marked = (source: string) => {
  const { offset, endOffset } = only(source).source
  return Buffer.from(source).subarray(offset, endOffset).toString()
}

describe('refuses YAML', () => {
  const cases: readonly (readonly [about: string, source: string, code: string, pointer: string, marked: string])[] = [
    ['a mapping that is not closed', 'é: {a: 1', 'DOC-190', '/é', ''],
    ['a mapping within a line', 'a: b: c', 'DOC-190', '/a/b', 'b'],
    ['a tab as indentation', 'a:\n\tb: 1\n', 'DOC-190', '', '\t'],
    ['a string without its end', 'a: "x\n', 'DOC-190', '/a', ''],
    ['no document', '', 'DOC-191', '', ''],
    ['only a document end marker', '...', 'DOC-191', '', ''],
    ['a document end marker with comments', '# a\n...\n', 'DOC-191', '', ''],
    ['only comments', '# é\n', 'DOC-191', '', ''],
    ['two documents', 'a\n---\nb', 'DOC-191', '', ''],
    ['YAML 1.1', '%YAML 1.1\n---\na: yes\n', 'DOC-192', '', '%YAML 1.1'],
    ['a second version', '%YAML 1.2\n%YAML 1.2\n---\n', 'DOC-190', '', '%YAML 1.2'],
    ['a directive without a name', '% x\n---\n', 'DOC-190', '', '% x'],
    ['a reserved directive without a document', '%FOO\na: 1\n', 'DOC-190', '/a', 'a'],
    ['a second prefix of a tag', '%TAG ! a\n%TAG ! b\n---\nc\n', 'DOC-190', '', '%TAG ! b'],
    // [7.3.1, 8.1.1] Only the package reads these without the line end or the spaces.
    ['an empty line after an escaped line end', 'a: "b\\\n\n c"', 'DOC-190', '/a', '"b\\\n\n c"'],
    ['the same in a name', '{"b\\\\\\\n \n c": 1}', 'DOC-190', '', '"b\\\\\\\n \n c"'],
    ['spaces that are a whole block', 'a: |1-\n  \n', 'DOC-190', '/a', '|1-'],
    ['spaces after a block', '- |2\n  b\n    ', 'DOC-190', '/0', '|2\n  b'],
    ['a control character', 'a: "é\u0007"', 'DOC-193', '', '\u0007'],
    ['a carriage return alone', 'a: 1\rb: 2', 'DOC-193', '', '\r'],
    ['a number as a name', 'é: {1: x}', 'DOC-194', '/é', '1'],
    ['true as a name', 'true: x', 'DOC-194', '', 'true'],
    ['null as a name', '~: x', 'DOC-194', '', '~'],
    ['no name', ': x', 'DOC-194', '', ''],
    ['a sequence as a name', '[a, é]: x', 'DOC-194', '', '[a, é]'],
    ['a mapping as a name', '? {a: 1}\n: x', 'DOC-194', '', '{a: 1}'],
    ['a merge key', 'a: &x {b: 1}\nc:\n  <<: *x\n', 'DOC-195', '/c', '<<'],
    ['a local tag', 'a: [!point x]', 'DOC-196', '/a/0', '!point'],
    ['a tag of YAML 1.1', 'a: !!binary aGk=', 'DOC-196', '/a', '!!binary'],
    ['an alias without an anchor', 'a: [1, *é]', 'DOC-197', '/a/1', '*é'],
    ['an alias in front of its anchor', 'a: *x\nb: &x 1', 'DOC-197', '/a', '*x'],
    ['an alias within its own anchor', 'a: &x [1, {b: *x}]', 'DOC-197', '/a/1/b', '*x'],
    ['not a number', 'a: [.nan]', 'DOC-199', '/a/0', '.nan'],
    ['infinity', 'a: -.Inf', 'DOC-199', '/a', '-.Inf'],
    ['two members of one name', 'é: 1\nb: 2\n"\\u00e9": 3\n', 'DOC-107', '/é', '"\\u00e9"'],
    ['half of a surrogate pair', 'é: ["😀", "x\\ud83d"]', 'DOC-108', '/é/1', '"x\\ud83d"'],
    ['a name with half of a pair', '"\\ud83d": 1', 'DOC-108', '/\ud83d', '"\\ud83d"'],
    ['a number beyond the largest', 'é: [1, 1e400]', 'DOC-112', '/é/1', '1e400'],
    ['a hexadecimal number beyond the largest', `é: 0x${'f'.repeat(300)}`, 'DOC-112', '/é', `0x${'f'.repeat(300)}`],
  ]

  test.each(cases)('%s', (_, source, code, pointer, text) => {
    const diagnostic = only(source)
    expect(diagnostic).toMatchObject({ code, severity: 'error', source: { pointer } })
    expect(marked(source)).toBe(text)
    expect(diagnostic.fix?.edits).toBeUndefined()
    expect(visible(diagnostic.detail)).toBe(diagnostic.detail)
  })

  test.each([
    ['a:\n  b:\n    - x\n    - c: d: e\n', '/a/b/1/c/d'],
    ['a:\n  - [1, {b: "c}]\n', '/a/0/1/b'],
    ['a: {b: [1, 2, {c: @x}]}', '/a/b/2/c'],
    ["'it''s': {\"\\u00e9\": [!point x]}", "/it's/é/0"],
    ['- a\n# no item\n- - b\n  - c: @d\n', '/1/1/c'],
    ['[a: b, c: @d]', '/1/c'],
    ['{a: 1, b: 2', ''],
    ['a: 1\nb: x: y\n', '/b/x'],
    ['[[1, 2], [3', '/1'],
  ])('%j: the pointer is %s', (source, pointer) => {
    expect(only(source).source.pointer).toBe(pointer)
  })

  test('each code has its section in docs/reference/diagnostics.md', () => {
    const page = readFileSync('docs/reference/diagnostics.md', 'utf8')
    for (const [, source] of [...cases, ['', BOMB] as const]) {
      const { code, title, rule, spec } = only(source)
      expect(page).toContain(`### ${code} ${title}\n\n\`${rule}\` · error · ${spec}`)
    }
  })

  test.each([
    ['a:\n\tb: 1\n', 'tabs are not allowed as indentation', 'indent with spaces'],
    ['a: @x', 'plain value cannot start with reserved character @', 'put the text in quotes'],
    [
      'a: Scout: the second',
      'nested mappings are not allowed in compact mappings',
      'put text that has a colon and a space in it in quotes',
    ],
    [
      'a: "C:\\temp\\x"',
      'invalid escape sequence \\x',
      'a backslash itself is written \\\\; in single quotes it needs no escape',
    ],
    [
      'name\nother: 1\n',
      'implicit keys need to be on a single line',
      'a name stands on one line: a colon or a quote may be missing',
    ],
    [
      'a: 1\nname\n',
      'implicit map keys need to be followed by map values',
      'put a colon and a space behind the name, or indent text that goes on',
    ],
    [
      'a: [1 #x\n]\nb: "x"#y\n',
      'comments must be separated from other tokens by white space characters',
      'put a space in front of the #',
    ],
  ])('%j: has the fault and the remedy in words', (source, detail, hint) => {
    const diagnostic = only(source)
    expect(diagnostic.code).toBe('DOC-190')
    expect(diagnostic.detail).toContain(detail)
    expect(diagnostic.fix?.hint).toBe(hint)
  })

  test('the finding of a duplicate has the place of the first one', () => {
    expect(only('é: 1\nb: 2\né: 3\n')).toMatchObject({
      detail: '"é" is already a member of this object, at line 1, column 1',
      related: [{ pointer: '/é', message: 'the first one is at line 1, column 1' }],
      source: { line: 3, column: 1, endColumn: 2 },
    })
  })

  test('warns about integers beyond 2^53 - 1 at their digits', () => {
    const { document, diagnostics } = parseYaml('é: [1, 9007199254740993]\n')
    expect(diagnostics).toMatchObject([{ code: 'DOC-120', severity: 'warning' }])
    expect(diagnostics[0]!.source).toMatchObject({ pointer: '/é/1', offset: 8, endOffset: 24, line: 1, column: 8 })
    expect(new TextDecoder().decode(document!.bytes)).toBe('{"é":[1,9007199254740993]}')
  })

  test('[adl/17.1-21] reports bytes that are not UTF-8 at the first one', () => {
    expect(only(Buffer.from('613a20c3a90ac328', 'hex'))).toMatchObject({
      code: 'DOC-104',
      source: { offset: 6, line: 2 },
    })
    expect(only(Buffer.from('efbfbd20ff', 'hex'))).toMatchObject({ code: 'DOC-104', source: { offset: 4 } })
    expect(only(Buffer.from('6120e282', 'hex'))).toMatchObject({ code: 'DOC-104', source: { offset: 2 } })
    expect(only('a: \ud800')).toMatchObject({ code: 'DOC-108', source: { offset: 3 } })
  })

  test('limits', () => {
    expect(parseYaml('[[1]]', { maxDepth: 2 }).document).toBeDefined()
    expect(only('- a: [1]', { maxDepth: 2 })).toMatchObject({ code: 'DOC-113', source: { pointer: '/0/a', offset: 5 } })
    expect(only('a: &a [1]\nb: [*a]', { maxDepth: 2 })).toMatchObject({ code: 'DOC-113' })
    expect(only('ab', { maxBytes: 1 })).toMatchObject({ code: 'DOC-114' })
    expect(parseYaml('ab', { maxBytes: 2 }).document).toBeDefined()
    expect(only(`[${'a,'.repeat(200_000)}]`)).toMatchObject({ code: 'DOC-114', source: { pointer: '' } })
  })
})

const BOMB = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh']
  .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]\n`)
  .join('')}`

describe('read', () => {
  test('detects the format by the file name, otherwise by the first character', () => {
    const formatOf = (source: string, file?: string) =>
      read(source, file === undefined ? {} : { file }).document?.format
    expect(formatOf('{"a": 1}', 'a.yaml')).toBe('yaml')
    expect(formatOf('{"a": 1}', 'A.YML')).toBe('yaml')
    expect(formatOf('a: 1', 'a.json')).toBeUndefined()
    expect(formatOf('\n {"a": 1}', 'a.adl')).toBe('json')
    expect(formatOf('adl_spec: 0.1.0', 'a.adl')).toBe('yaml')
    expect(formatOf('[a]', 'a.adl')).toBe('yaml')
    expect(formatOf(' [1]')).toBe('json')
    expect(formatOf('- 1')).toBe('yaml')
    expect(read('{"a": 1}', { file: 'a.json', format: 'yaml' }).document?.format).toBe('yaml')
  })

  test('misuse throws', () => {
    expect(() => read(7 as never)).toThrow(TypeError)
    expect(() => read('a', { format: 'toml' as never })).toThrow(
      new RangeError('format: expected "json" or "yaml", got toml'),
    )
    expect(() => read('a', { bom: 'keep' as never })).toThrow(
      new RangeError('bom: expected "refuse" or "warn", got keep'),
    )
  })
})
