import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPointer, parseJson as parse, parsePointer } from '../../bindings/document/index.ts'
import { hasSuite, suiteFile } from '../support/suites.ts'

interface Vectors {
  document: unknown
  pointers: { pointer: string; value: unknown }[]
  invalid: string[]
  missing: string[]
}

describe('JSON Pointer', () => {
  test.runIf(hasSuite('rfc-vectors'))('RFC 6901 section 5: every pointer finds its value', () => {
    const vectors = JSON.parse(new TextDecoder().decode(suiteFile('rfc-vectors', 'rfc6901.json'))) as Vectors
    const source = JSON.stringify(vectors.document, null, 2)
    const document = parse(source).document!
    for (const { pointer, value } of vectors.pointers) {
      const range = document.range(pointer)!
      expect(JSON.parse(source.slice(range.start, range.end)), pointer).toEqual(value)
    }
    for (const pointer of vectors.missing) expect(document.range(pointer), pointer).toBeUndefined()
    for (const pointer of vectors.invalid) expect(() => document.range(pointer), pointer).toThrow(RangeError)
  })

  test('RFC 6901 section 4: ~01 is the name ~1, not /', () => {
    expect(parsePointer('/~01')).toEqual(['~1'])
    expect(parsePointer('/~1')).toEqual(['/'])
  })

  test('formatting and parsing are inverse', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '/', '~', '0', '1', 'é') })), (tokens) => {
        expect(parsePointer(formatPointer(tokens))).toEqual(tokens)
      }),
    )
  })

  test('names are compared decoded, whichever side has the escape', () => {
    const document = parse('{"\\u0061\\/b": 1, "€": 2}').document!
    expect(document.range('/a~1b')).toMatchObject({ start: 14, keyStart: 1, keyEnd: 12 })
    expect(document.range('/€')).toMatchObject({ start: 24, end: 25 })
  })
})

test('a token of any length is escaped as by replacing', () => {
  for (let length = 0; length <= 70; length++) {
    const plain = 'n'.repeat(length)
    for (const token of [plain, `${plain}~`, `/${plain}`, `${plain}/~1${plain}`, `é${plain}😀`]) {
      expect(formatPointer([token])).toBe(`/${token.replace(/~/g, '~0').replace(/\//g, '~1')}`)
    }
  }
})
