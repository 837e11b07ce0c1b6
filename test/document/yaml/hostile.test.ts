import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../../bindings/document/yaml/parse.ts'
import { documents } from '../../support/documents.ts'
import { processorTime } from '../../support/effort.ts'

/** Text repeated up to a size. */
const much = (text: string, size = 100_000) => text.repeat(Math.ceil(size / text.length))

describe('hostile YAML', () => {
  test.each([
    ['sequences', '['],
    ['mappings', '{a: '],
    ['dashes', '- '],
    ['questions', '? '],
    ['both', '[{'],
  ])('refuses a hundred thousand nested %s', (_, text) => {
    for (const maxDepth of [1024, 1_000_000]) {
      expect(parseYaml(text.repeat(100_000), { maxDepth }).diagnostics).toMatchObject([{ code: 'DOC-113' }])
    }
  })

  test('reads a document at the depth limit', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{a: ', '}'],
      ['- ', ''],
    ] as const) {
      expect(parseYaml(`${open.repeat(256)}${close.repeat(256)}`).diagnostics).toEqual([])
      expect(parseYaml(`${open.repeat(257)}${close.repeat(257)}`).diagnostics).toMatchObject([{ code: 'DOC-113' }])
    }
  })

  test('refuses aliases of aliases, and aliases of long text, in time', () => {
    const names = 'abcdefghijklmnop'
    const lists = [...names].map((name, i) => {
      const content = i === 0 ? 'x' : `*${names[i - 1]}`
      return `${name}: &${name} [${Array(20).fill(content).join(', ')}]\n`
    })
    expect(parseYaml(lists.join('')).diagnostics).toMatchObject([{ code: 'DOC-198' }])
    const long = `a: &a "${'x'.repeat(200_000)}"\n`
    expect(parseYaml(`${long}b: [${much('*a, ', 20_000)}]`).diagnostics).toMatchObject([{ code: 'DOC-198' }])
    expect(parseYaml(`- &a "${'x'.repeat(200_000)}"\n${much('- {*a : 1}\n', 20_000)}`).diagnostics).toMatchObject([
      { code: 'DOC-198' },
    ])
  })

  test.each([
    ['empty items', '[', ','],
    ['closing brackets', '', '] '],
    ['names without values', '', 'a\n:\n'],
    ['quoted names', '', '"":'],
    ['anchors', '', '&a '],
    ['tags', 'a:', ' !b'],
    ['aliases', '', '*a '],
    ['comments behind empty lines', `- a\n${'\n'.repeat(100_000)}`, ' #\n'],
    ['comments in a sequence', '[\n', ' #a\n'],
    ['documents', '', '---\n'],
    ['directives', '', '%a\n'],
    ['line ends', 'a:', '\n'],
    ['lines of a string', '"', 'a\n'],
    ['lines of a block', '|\n', ' a\n'],
    ['backslashes', '"', '\\\\'],
    ['tabs', 'a:\n', '\t'],
    ['one long word', '', 'a'],
    ['digits', '', '1'],
    ['hexadecimal digits', '0x', 'f'],
    ['names', '', '"k": 1\n'],
  ])('100 KB of %s take less than ten seconds and throw nothing', (_, head, text) => {
    const begin = processorTime()
    parseYaml(head + much(text))
    expect(processorTime() - begin).toBeLessThan(10_000)
  })

  test('reads scalars of a megabyte in every style', () => {
    const text = 'é'.repeat(500_000)
    for (const source of [text, `"${text}"`, `'${text}'`, `|-\n  ${text}`, `>-\n  ${text}\n`]) {
      expect(parseYaml(source).document!.value === text).toBe(true)
    }
  })

  test('a document that is cut off anywhere, or damaged, gives a document or one diagnostic within the text', () => {
    const make = documents(31)
    const whole = Buffer.from(
      'adl_spec: 0.1.0 # é\nname: "Scout \\u00e9 😀"\ntools:\n  - name: &n search\n    parameters: {type: object, x: [1, ~]}\n    text: |\n      a\n\n      b\n  - name: *n\n? k\n: >-\n  folded\n  text\n',
    )
    expect(parseYaml(whole).diagnostics).toEqual([])
    const check = (bytes: Uint8Array) => {
      const { document, diagnostics } = parseYaml(bytes)
      if (document !== undefined) return
      expect(diagnostics).toHaveLength(1)
      const { offset, endOffset } = diagnostics[0]!.source
      expect(offset).toBeGreaterThanOrEqual(0)
      expect(endOffset).toBeGreaterThanOrEqual(offset)
      expect(endOffset).toBeLessThanOrEqual(bytes.length + 1)
    }
    for (let length = 0; length < whole.length; length++) check(whole.subarray(0, length))
    for (let n = 0; n < 500; n++) check(make.damage(whole))
  })

  test('names of Object.prototype are ordinary members', () => {
    const { document } = parseYaml('__proto__: {admin: true}\nconstructor: 1\ntoString: 2\n')
    const value = document!.value as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(value['admin']).toBeUndefined()
  })
})
