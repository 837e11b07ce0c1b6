// fixtures/card: for every rule, one card that breaks it and a similar card that does not, in JSON and in YAML.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import schema from '../../bindings/card/schema.json' with { type: 'json' }
import { AGENT_CARD, RULES } from '../../bindings/card/specification.ts'
import { validate } from '../../bindings/index.ts'
import { shapeFindings } from '../support/explained.ts'
import { NOW } from './clean.ts'

interface Entry {
  readonly rule: string
  readonly code: string
  readonly severity: string
  readonly pointer: string
  readonly bad: object
  readonly good: object
}

const FOLDER = 'fixtures/card/rules'
const entries: readonly Entry[] = readdirSync(FOLDER).map((file) => parse(readFileSync(`${FOLDER}/${file}`, 'utf8')))

const told = (source: string) =>
  validate(source, { as: 'card', now: NOW }).diagnostics.map(({ rule, code, severity, source: { pointer } }) => ({
    rule,
    code,
    severity,
    pointer,
  }))

describe('the card catalogue', () => {
  test.each(entries)('$code $rule', ({ bad, good, ...expected }) => {
    expect(told(JSON.stringify(bad))).toEqual([expected])
    expect(told(stringify(bad))).toEqual([expected])
    expect(told(JSON.stringify(good))).toEqual([])
    expect(told(stringify(good))).toEqual([])
  })

  test('has an entry for every rule', () => {
    const ids = new Set([...RULES, ...shapeFindings(AGENT_CARD, schema)].map(({ id }) => id))
    expect(entries.map(({ rule }) => rule).sort()).toEqual([...ids].sort())
  })
})
