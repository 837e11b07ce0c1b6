// fixtures/adl: one document breaks each rule, and a similar valid one does not, in JSON and in YAML.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { UNDEFINED_MEMBER } from '../../bindings/adl/findings.ts'
import { validate } from '../../bindings/adl/index.ts'
import schema from '../../bindings/adl/schema.json' with { type: 'json' }
import { ADL } from '../../bindings/adl/specification.ts'
import { shapeFindings } from '../support/explained.ts'
import { NOW } from './support.ts'

interface Entry {
  readonly rule: string
  readonly code: string
  readonly severity: string
  readonly pointer: string
  readonly bad: object
  readonly good: object
}

const FOLDER = 'fixtures/adl/rules'
const entries: readonly Entry[] = readdirSync(FOLDER).map((file) => parse(readFileSync(`${FOLDER}/${file}`, 'utf8')))
const reading: readonly Record<'rule' | 'code' | 'bad' | 'good', string>[] = parse(
  readFileSync('fixtures/adl/reading.yaml', 'utf8'),
)

const told = (source: string) =>
  validate(source, { now: NOW }).diagnostics.map(({ rule, code, severity, source: { pointer } }) => ({
    rule,
    code,
    severity,
    pointer,
  }))

describe('the catalogue', () => {
  test.each(entries)('$code $rule', ({ bad, good, ...expected }) => {
    expect(told(JSON.stringify(bad))).toEqual([expected])
    expect(told(stringify(bad))).toEqual([expected])
    expect(told(JSON.stringify(good))).toEqual([])
    expect(told(stringify(good))).toEqual([])
  })

  test('has every rule', () => {
    const ids = new Set([...ADL.rules, ...shapeFindings(ADL, schema), UNDEFINED_MEMBER].map(({ id }) => id))
    expect(entries.map(({ rule }) => rule).sort()).toEqual([...ids].sort())
  })

  test.each(reading)('$code $rule', ({ rule, code, bad, good }) => {
    const parsed = (source: string) => validate(source, { format: 'json', now: NOW }).diagnostics
    expect(parsed(bad)).toMatchObject([{ code, rule, severity: 'error' }])
    for (const finding of parsed(good)) expect(['ADL-1003', 'ADL-1004', 'BADL-112']).toContain(finding.code)
  })
})
