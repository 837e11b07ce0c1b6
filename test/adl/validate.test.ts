import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { validate as anyKind } from '../../bindings/index.ts'

describe('faults of JSON', () => {
  test('have the code of ADL and the rule of the parser', () => {
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

describe('the verb of the package', () => {
  const minimal =
    '{"adl_spec": "0.1.0", "name": "A", "description": "Does one thing well.", "version": "1.0.0", "data_classification": {"sensitivity": "public"}}'

  test('detects the kind of a document', () => {
    expect(anyKind(minimal)).toMatchObject({ valid: true, kind: 'adl' })
    expect(anyKind('{"a": 1}')).toMatchObject({
      valid: false,
      kind: undefined,
      diagnostics: [{ code: 'DOC-187', source: { pointer: '' } }],
    })
    expect(anyKind('[]', { as: 'adl' }).diagnostics[0]?.code).toBe('ADL-1002')
    expect(anyKind('{}', { as: 'prompt' })).toMatchObject({
      kind: 'prompt',
      diagnostics: [{ code: 'AL-102' }, { code: 'AL-102' }],
    })
  })

  test('recognizes a broken document as ADL by its file name', () => {
    expect(anyKind('{', { file: 'a.adl.json' }).diagnostics[0]?.code).toBe('ADL-1001')
    expect(anyKind('{', { file: 'a.json' }).diagnostics[0]?.code).toBe('DOC-102')
  })

  test('refuses invalid options', () => {
    expect(() => anyKind('{}', { as: 'adl2' as 'adl' })).toThrow(/as: expected one of adl,/)
    expect(() => validate('{}', { ruleset: 'all' as 'spec' })).toThrow(
      /ruleset: expected spec, recommended, strict or security, got "all"/,
    )
    for (const check of [validate, anyKind]) {
      expect(() => check('{}', { rules: { 'mid-wildcart': 'off' } })).toThrow(
        new RangeError('rules: expected ids and codes of rules, got "mid-wildcart"; did you mean "mid-wildcard"?'),
      )
      expect(() => check('{}', { rules: { 'ADL-9999': 'off', 'VAL-02': 'off' } })).toThrow(RangeError)
      expect(() => check('{}', { rules: JSON.parse('{"__proto__": "off"}') })).toThrow(RangeError)
      expect(() => check('{}', { rules: 'off' as never })).toThrow(TypeError)
    }
    expect(() => validate('{}', { rules: { 'VAL-02': 'warn' as 'warning' } })).toThrow(
      /rules\["VAL-02"\]: expected error/,
    )
    expect(() => validate('{}', { now: new Date('x') })).toThrow(/now: expected a valid Date/)
    expect(() => validate('{}', { maxDiagnostics: 0 })).toThrow(/maxDiagnostics: expected a positive integer, got 0/)
    expect(() => validate('{}', { limits: { depth: -1 } })).toThrow(/limits.depth: expected an integer/)
    expect(() => validate(7 as unknown as string)).toThrow(TypeError)
  })
})
