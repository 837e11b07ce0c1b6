import { describe, expect, test } from 'vitest'
import { canonicalize, canonicalizeWithout, DocumentError, isCanonical } from '../../bindings/core/index.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)

function diagnosticsOf(call: () => unknown): readonly Diagnostic[] {
  try {
    call()
  } catch (e) {
    expect(e).toBeInstanceOf(DocumentError)
    return (e as DocumentError).diagnostics
  }
  throw new Error('expected a DocumentError')
}

describe('the public verbs', () => {
  test('the examples of their documentation are true', () => {
    expect(text(canonicalize('{ "b": 1.0, "a": "\\u0041" }'))).toBe('{"a":"A","b":1}')
    expect(isCanonical('{"a":1}')).toBe(true)
    expect(isCanonical('{"a":1.0}')).toBe(false)
    const { payload, removed } = canonicalizeWithout('{"b":1,"signature":"x","a":2}', ['/signature'])
    expect([text(payload), text(removed[0])]).toEqual(['{"a":2,"b":1}', '"x"'])
  })

  test('bytes and text give the same result', () => {
    const document = '{"😀":[1e1,"é"]}'
    expect(canonicalize(new TextEncoder().encode(document))).toEqual(canonicalize(document))
  })

  test('a result is the caller’s own: later calls leave it alone', () => {
    const first = canonicalize('[1.0]')
    canonicalize('[2.0,3.0]')
    expect(text(first)).toBe('[1]')
  })

  test('a bad document throws one located diagnostic', () => {
    const [diagnostic, ...others] = diagnosticsOf(() => canonicalize('{\n  "ä": 1,\n  "b": [01]\n}'))
    expect(others).toEqual([])
    expect(diagnostic).toMatchObject({
      severity: 'error',
      rule: 'json/number',
      source: { pointer: '/b/0', line: 3, column: expect.any(Number) },
    })
    expect(diagnostic!.code).toMatch(/^DOC-1\d\d$/)
  })

  test('the error of a duplicate has the place of the first one', () => {
    const [diagnostic] = diagnosticsOf(() => canonicalize('{"a":1,\n"\\u0061":2}'))
    expect(diagnostic).toMatchObject({
      rule: 'json/duplicate-member',
      source: { line: 2, column: 1 },
      related: [{ pointer: '/a' }],
    })
  })

  test('invalid arguments throw a TypeError or RangeError that names the value', () => {
    expect(() => canonicalize(undefined as never)).toThrow(
      new TypeError('json: expected a string or Uint8Array, got undefined'),
    )
    expect(() => canonicalize({} as never)).toThrow(TypeError)
    expect(() => canonicalize('1', { maxDepth: -1 })).toThrow(RangeError)
    expect(() => canonicalizeWithout('{}', [''])).toThrow(RangeError)
    expect(() => canonicalizeWithout('{}', ['signature'])).toThrow('expected a JSON Pointer such as "/signature"')
    expect(() => canonicalizeWithout('{}', ['/~2'])).toThrow(RangeError)
    expect(() => canonicalizeWithout('{}', Array(33).fill('/a'))).toThrow(RangeError)
    expect(() => canonicalizeWithout('{}', ['/a'.repeat(65)])).toThrow(
      'pointers: expected 64 tokens at the most, got 65',
    )
    expect(text(canonicalizeWithout('{}', ['/a'.repeat(64)]).payload)).toBe('{}')
  })
})
