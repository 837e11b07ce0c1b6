import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'

describe('faults of JSON', () => {
  test('have the code of ADL and the rule of the reader', () => {
    const { valid, kind, diagnostics } = validate('{"name": "a", "name": "b"}')
    expect({ valid, kind }).toEqual({ valid: false, kind: 'adl' })
    expect(diagnostics.map(({ code, rule, source }) => [code, rule, source.column])).toEqual([
      ['ADL-1001', 'json/duplicate-member', 15],
    ])
  })

  test('limits of reading keep their own codes', () => {
    expect(validate('{"a": {}}', { limits: { depth: 1 } }).diagnostics[0]?.code).toBe('DOC-113')
    expect(validate('{"a": {}}', { limits: { documentBytes: 8 } }).diagnostics[0]?.code).toBe('DOC-114')
  })
})
