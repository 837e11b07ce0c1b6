import { beforeAll, describe, expect, test } from 'vitest'
import { compileTemplate } from '../../bindings/core/template.ts'
import { DocumentError } from '../../bindings/document/finding.ts'
import { instance } from '../../bindings/wasm/instance.ts'
import { LONG_BUILDS } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { refusal } from './paths.ts'

/** Far more than any of these takes, and far less than quadratic time would take. */
const SECONDS = 5

const encoder = new TextEncoder()

describe.each(LONG_BUILDS)('hostile templates, $name', ({ use }) => {
  beforeAll(use)

  /** A megabyte of each kind. */
  const large: [title: string, template: string][] = [
    ['braces', '{'.repeat(1 << 20)],
    ['escapes', '\\{{'.repeat(350_000)],
    ['backslashes', '\\'.repeat(1 << 20)],
    ['single braces', '{ '.repeat(1 << 19)],
    ['references', '{{a}}'.repeat(210_000)],
    ['references that are all unclosed', '{{a}'.repeat(260_000)],
    ['one name', `{{${'a'.repeat(1 << 20)}}}`],
    ['names that all differ', Array.from({ length: 110_000 }, (_, i) => `{{n${i.toString(36)}}}`).join('')],
    [
      'names that differ at the end only',
      Array.from({ length: 1_000 }, (_, i) => `{{${'n'.repeat(1000)}${i}}}`).join(''),
    ],
    [
      'names that are each other’s beginning',
      Array.from({ length: 1_400 }, (_, i) => `{{${'n'.repeat(i + 1)}}}`).join(''),
    ],
    ['text beyond ASCII', '😀'.repeat(1 << 18)],
    ['zero bytes', '\0'.repeat(1 << 20)],
  ]
  test.each(large)('%s', (_, template) => {
    const begin = processorTime()
    try {
      const compiled = compileTemplate(template)
      const variables = Object.fromEntries(compiled.names.map((name) => [name, 'v']))
      const text = compiled.render(variables)
      expect(Buffer.compare(compiled.renderView(variables), encoder.encode(text))).toBe(0)
      if (compiled.names.length > 0) expect(refusal(() => compiled.render({})).length).toBeLessThanOrEqual(20)
    } catch (error) {
      expect(error).toBeInstanceOf(DocumentError)
    }
    expect(processorTime() - begin).toBeLessThan(SECONDS * 1000)
  })

  test('a template cut at any byte compiles or is refused', () => {
    const template = encoder.encode('é \\{{ {{name}} 😀{{b}} }} \\ {{c}}')
    for (let length = 0; length <= template.length; length++) {
      try {
        compileTemplate(template.subarray(0, length))
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError)
        const { offset, endOffset } = (error as DocumentError).diagnostics[0]!.source
        expect(offset).toBeLessThanOrEqual(length)
        expect(endOffset).toBeLessThanOrEqual(length)
      }
    }
  })

  test('every byte anywhere in a template compiles or is refused', () => {
    const template = encoder.encode('é \\{{ {{name}} 😀')
    for (let at = 0; at < template.length; at++) {
      for (let byte = 0; byte < 256; byte++) {
        const changed = template.slice()
        changed[at] = byte
        try {
          const compiled = compileTemplate(changed)
          compiled.renderView(Object.fromEntries(compiled.names.map((name) => [name, 'v'])))
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError)
        }
      }
    }
  })

  test('refuses a template above 64 MiB unread', () => {
    expect(refusal(() => compileTemplate(new Uint8Array((1 << 26) + 1)))).toMatchObject([{ rule: 'limit/size' }])
    const core = instance()
    core.reserve((1 << 26) + 1)
    expect(core.exports.templateCompile((1 << 26) + 1)).toBe(-55)
  })

  describe('the bare exports', () => {
    /** Renders `{{a}}{{b}}` with these words and bytes as input. */
    function call(words: number[], bytes: string, { blobLength = 0, limit = 100 } = {}): number {
      const core = instance()
      const template = encoder.encode('{{a}}{{b}}')
      const size = core.exports.templateCompile(core.write(template))
      const blob = core.copy(core.word(0), size)
      core.write(blob)
      const at = core.exports.keep(core.exports.seal(size), size)
      const input = new Uint8Array(4 * words.length + bytes.length)
      new Uint32Array(input.buffer, 0, words.length).set(words)
      input.set(encoder.encode(bytes), 4 * words.length)
      return core.exports.templateRender(core.write(input), at, size + blobLength, limit)
    }

    test('refuses lengths that do not add up', () => {
      expect(call([1, 2], 'abc')).toBe(3)
      expect(call([0, 0], '')).toBe(0)
      for (const [words, bytes] of [
        [[1, 1], 'abc'],
        [[1, 3], 'abc'],
        [[4, 0], 'abc'],
        [[0xffffffff, 4], 'abc'],
        [[0x80000000, 0x80000003], 'abc'],
        [[1], ''],
        [[], 'abc'],
        [[], ''],
      ] as const) {
        expect(call([...words], bytes)).toBe(-2)
      }
    })

    test('refuses a length that differs from the blob’s', () => {
      expect(call([1, 2], 'abc', { blobLength: 1 })).toBe(-2)
      expect(call([1, 2], 'abc', { blobLength: -30 })).toBe(-2)
    })

    test('no limit is larger than 2^28', () => {
      expect(call([1, 2], 'abc', { limit: 3 })).toBe(3)
      expect(call([1, 2], 'abc', { limit: 2 })).toBe(-55)
      expect(call([1, 2], 'abc', { limit: 0xffffffff })).toBe(3)
    })
  })
})
