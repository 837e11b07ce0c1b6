import { describe, expect, test } from 'vitest'
import { parseJson as parse } from '../../bindings/document/index.ts'
import { locate } from '../../bindings/document/locate.ts'
import { documents } from '../support/documents.ts'
import { hasSuite, suiteFile, suiteFiles } from '../support/suites.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('locating an offset in text that may be broken', () => {
  test('agrees with the tape on every byte of every token of valid documents', () => {
    const make = documents(2)
    for (let n = 0; n < 200; n++) {
      const document = parse(make.spell(make.value(3))).document!
      for (let offset = 0; offset < document.bytes.length; offset++) {
        const byte = String.fromCharCode(document.bytes[offset]!)
        const { pointer, token } = locate(document.bytes, offset)
        // Between tokens the two differ on purpose: locate describes the token that is missing there.
        if (offset < token.start || (token.end === token.start + 1 && /[\s,:\]}]/.test(byte))) continue
        expect(pointer, `${offset} in ${new TextDecoder().decode(document.bytes)}`).toBe(document.pointerAt(offset))
      }
    }
  })

  test.each([
    ['{"a": ', 6, '/a', 'value'],
    ['{"a"', 4, '/a', 'colon'],
    ['{"a": 1 ', 8, '', 'comma or end'],
    ['{"a": 1, ', 9, '', 'name'],
    ['{', 1, '', 'name or end'],
    ['[', 1, '', 'element or end'],
    ['[1, ', 4, '', 'value'],
    ['[1, x', 4, '/1', 'value'],
    ['[1, tru', 7, '/1', 'value'],
    ['[{"a": [0, {"b": tru]', 20, '/0/a/1/b', 'value'],
    ['[] ', 3, '', 'nothing'],
    ['{"a": {"b": 1, "b": 2}}', 15, '/a/b', 'name'],
    ['{"a": {"\\x": 1}}', 7, '/a', 'name or end'],
  ] as const)('%s at %i: %s, %s', (text, offset, pointer, expected) => {
    expect(locate(bytesOf(text), offset)).toMatchObject({ pointer, expected })
  })

  test.each(['é', '¿', '€', '한', '😀'])('%s outside a string is one token, with all of its bytes', (character) => {
    const bytes = bytesOf(`[${character}]`)
    expect(locate(bytes, 1).token).toEqual({ start: 1, end: bytes.length - 1 })
  })

  test('of damaged documents, gives a place within the text for any offset', () => {
    const make = documents(3)
    for (let n = 0; n < 300; n++) {
      const bytes = make.damage(bytesOf(make.spell(make.value(3))))
      for (let offset = -1; offset <= bytes.length + 1; offset++) {
        const { start, end } = locate(bytes, offset).token
        // Asking `expect` each time would take seconds.
        if (start < 0 || end < start || end > bytes.length) expect.fail(`${offset} in ${bytes}: ${start} to ${end}`)
      }
    }
  })

  test('locates the fault of a damaged document at its offset', () => {
    const make = documents(4)
    let faults = 0
    for (let n = 0; n < 2000; n++) {
      const bytes = make.damage(bytesOf(make.spell(make.value(3))))
      for (const diagnostic of parse(bytes).diagnostics) {
        expect(diagnostic.source.offset).toBeLessThanOrEqual(diagnostic.source.endOffset)
        expect(diagnostic.source.endOffset).toBeLessThanOrEqual(bytes.length)
        expect(diagnostic.detail).toMatch(/^\P{Cc}{10,250}$/u)
        faults++
      }
    }
    expect(faults).toBeGreaterThan(500)
  })

  test.runIf(hasSuite('cyberphone-jcs'))('refuses documents cut off at any byte, with a place', () => {
    for (const file of suiteFiles('cyberphone-jcs', 'input')) {
      const bytes = suiteFile('cyberphone-jcs', 'input', file)
      const whole = new TextDecoder().decode(bytes).trimEnd().length
      for (let length = 0; length < Math.min(bytes.length, whole); length++) {
        const { document, diagnostics } = parse(bytes.subarray(0, length))
        expect(document, `${file} cut at ${length}`).toBeUndefined()
        expect(diagnostics).toHaveLength(1)
        expect(diagnostics[0]!.source.offset).toBeLessThanOrEqual(length)
      }
    }
  })

  test.runIf(hasSuite('jsontestsuite'))('refuses every n_ file of JSONTestSuite with one located finding', () => {
    const files = suiteFiles('jsontestsuite', 'test_parsing').filter((file) => file.startsWith('n_'))
    expect(files.length).toBe(188)
    for (const file of files) {
      const { document, diagnostics } = parse(suiteFile('jsontestsuite', 'test_parsing', file), { file })
      expect(document, file).toBeUndefined()
      expect(diagnostics, file).toHaveLength(1)
      expect(diagnostics[0], file).toMatchObject({ severity: 'error', source: { file } })
    }
  })
})
