import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeBytes, Fault, readTape } from '../../bindings/wasm/json.ts'
import { BUILDS } from '../support/builds.ts'
import { hasSuite, suiteFile, suiteFiles } from '../support/suites.ts'

const text = (bytes: Uint8Array | Fault) =>
  bytes instanceof Fault ? `fault ${bytes.code} at ${bytes.offset}` : new TextDecoder().decode(bytes)

describe.each(BUILDS)('$name', ({ use }) => {
  beforeAll(use)

  describe.runIf(hasSuite('cyberphone-jcs'))('cyberphone', () => {
    test.each(suiteFiles('cyberphone-jcs', 'input'))('[rfc8785/3.2.3-1] %s', (file) => {
      const hex = text(suiteFile('cyberphone-jcs', 'outhex', file.replace('.json', '.txt')))
      const expected = Uint8Array.from(hex.match(/[0-9a-f]{2}/g)!, (byte) => Number.parseInt(byte, 16))
      expect(canonicalizeBytes(suiteFile('cyberphone-jcs', 'input', file))).toEqual(expected)
    })
  })

  describe.runIf(hasSuite('rfc-vectors'))('RFC 8785', () => {
    const vectors = () => JSON.parse(text(suiteFile('rfc-vectors', 'rfc8785.json')))

    test('[rfc8785/3.2.4-1] the sample of section 3.2.2', () => {
      const { input, outputHex } = vectors().sample
      const hex = [...(canonicalizeBytes(input) as Uint8Array)]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join('')
      expect(hex).toBe(outputHex)
    })

    test('[rfc8785/3.2.3-2] the order of section 3.2.3', () => {
      const { input, keyOrder } = vectors().sorting
      expect(Object.keys(JSON.parse(text(canonicalizeBytes(input)))).filter((key) => key !== '1')).toEqual(
        keyOrder.filter((key: string) => key !== '1'),
      )
      expect(text(canonicalizeBytes(input))).toBe(
        `{${keyOrder.map((key: string) => `${JSON.stringify(key)}:${JSON.stringify(JSON.parse(input)[key])}`).join(',')}}`,
      )
    })
  })

  describe.runIf(hasSuite('jsontestsuite'))('JSONTestSuite', () => {
    const files = hasSuite('jsontestsuite') ? suiteFiles('jsontestsuite', 'test_parsing') : []
    const read = (file: string) => suiteFile('jsontestsuite', 'test_parsing', file)
    const named = (prefix: string) => files.filter((file) => file.startsWith(prefix))
    /** RFC 8785 section 3.1 refuses duplicate names, which RFC 8259 only advises against. */
    const duplicates = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']

    test('[rfc8259/9-2] every y_ file is accepted and its canonical form is its own', () => {
      expect(named('y_')).toHaveLength(95)
      for (const file of named('y_').filter((file) => !duplicates.includes(file))) {
        const once = canonicalizeBytes(read(file))
        expect(once, file).toBeInstanceOf(Uint8Array)
        expect(text(canonicalizeBytes(once as Uint8Array)), file).toBe(text(once))
        expect(JSON.parse(text(once)), file).toEqual(sorted(JSON.parse(text(read(file)))))
      }
    })

    test('[rfc8785/3.1-1] the two y_ files with duplicate names are refused', () => {
      for (const file of duplicates) expect(canonicalizeBytes(read(file)), file).toMatchObject({ code: -16 })
    })

    test('[rfc8259/2-1] refuses every n_ file with a place inside it', () => {
      expect(named('n_')).toHaveLength(188)
      for (const file of named('n_')) {
        const bytes = read(file)
        const fault = canonicalizeBytes(bytes) as Fault
        expect(fault, file).toBeInstanceOf(Fault)
        expect(fault.offset, file).toBeGreaterThanOrEqual(0)
        expect(fault.offset, file).toBeLessThanOrEqual(bytes.length)
      }
    })

    test('[rfc8785/3.1-3] the i_ files: refused with their own fault, or accepted with a warning where a value changes', () => {
      const SURROGATE = -17
      const UTF8 = -13
      const UTF16 = -15
      const BOM = -14
      const OVERFLOW = -21
      const expected: Record<string, number | string> = {
        'i_number_double_huge_neg_exp.json': 'underflow',
        'i_number_huge_exp.json': OVERFLOW,
        'i_number_neg_int_huge_exp.json': OVERFLOW,
        'i_number_pos_double_huge_exp.json': OVERFLOW,
        'i_number_real_neg_overflow.json': OVERFLOW,
        'i_number_real_pos_overflow.json': OVERFLOW,
        'i_number_real_underflow.json': 'underflow',
        'i_number_too_big_neg_int.json': 'integer',
        'i_number_too_big_pos_int.json': 'integer',
        'i_number_very_big_negative_int.json': 'integer',
        'i_object_key_lone_2nd_surrogate.json': SURROGATE,
        'i_string_1st_surrogate_but_2nd_missing.json': SURROGATE,
        'i_string_1st_valid_surrogate_2nd_invalid.json': SURROGATE,
        'i_string_UTF-16LE_with_BOM.json': UTF16,
        'i_string_UTF-8_invalid_sequence.json': UTF8,
        'i_string_UTF8_surrogate_U+D800.json': UTF8,
        'i_string_incomplete_surrogate_and_escape_valid.json': SURROGATE,
        'i_string_incomplete_surrogate_pair.json': SURROGATE,
        'i_string_incomplete_surrogates_escape_valid.json': SURROGATE,
        'i_string_invalid_lonely_surrogate.json': SURROGATE,
        'i_string_invalid_surrogate.json': SURROGATE,
        'i_string_invalid_utf-8.json': UTF8,
        'i_string_inverted_surrogates_U+1D11E.json': SURROGATE,
        'i_string_iso_latin_1.json': UTF8,
        'i_string_lone_second_surrogate.json': SURROGATE,
        'i_string_lone_utf8_continuation_byte.json': UTF8,
        'i_string_not_in_unicode_range.json': UTF8,
        'i_string_overlong_sequence_2_bytes.json': UTF8,
        'i_string_overlong_sequence_6_bytes.json': UTF8,
        'i_string_overlong_sequence_6_bytes_null.json': UTF8,
        'i_string_truncated-utf-8.json': UTF8,
        'i_string_utf16BE_no_BOM.json': UTF16,
        'i_string_utf16LE_no_BOM.json': UTF16,
        'i_structure_500_nested_arrays.json': 'silent',
        'i_structure_UTF-8_BOM_empty_object.json': BOM,
      }
      const came = named('i_').map((file) => {
        const tape = readTape(read(file))
        if (tape instanceof Fault) return [file, tape.code]
        return [file, tape.warnings.length === 0 ? 'silent' : tape.warnings[0]!.code === 1 ? 'integer' : 'underflow']
      })
      expect(Object.fromEntries(came)).toEqual(expected)
    })

    test('the transform files: agrees with JSON.parse, except for what I-JSON forbids', () => {
      const outcome = suiteFiles('jsontestsuite', 'test_transform').map((file) => {
        const bytes = suiteFile('jsontestsuite', 'test_transform', file)
        const canonical = canonicalizeBytes(bytes)
        if (canonical instanceof Fault) return [file, canonical.code]
        return [file, JSON.stringify(JSON.parse(text(canonical))) === JSON.stringify(sorted(JSON.parse(text(bytes))))]
      })
      const refused = Object.fromEntries(outcome.filter(([, result]) => result !== true))
      for (const [file, code] of Object.entries(refused)) {
        expect([-16, -17, -13], file).toContain(code)
        expect(file).toMatch(/same_key|duplicate|surrogate|UTF-8|invalid/i)
      }
    })
  })
})

/** The value with members in order, and -0 as 0, as JSON.stringify writes it. */
function sorted(value: unknown): unknown {
  if (value === 0) return 0
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}
