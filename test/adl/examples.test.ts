// The examples of the specification and its profiles: valid, with the warnings that their texts call for.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { NOW } from './support.ts'

const DATA = resolve(process.env['BLAZON_DATA'] ?? '../shared/data', 'adl')
const hasData = existsSync(DATA)
if (!hasData) console.warn('NOT RUN: the examples of ADL: absent from ../shared/data')

/** The findings about an example, in the order of the document. */
function told(file: string): { valid: boolean; rules: string[] } {
  const { valid, diagnostics } = validate(new Uint8Array(readFileSync(file)), { now: NOW, file, ruleset: 'spec' })
  return { valid, rules: diagnostics.map(({ rule, severity, source }) => `${severity} ${rule} ${source.pointer}`) }
}

describe.runIf(hasData)('the examples of the specification', () => {
  test.each([
    ['minimal.yaml', []],
    ['with-tools.yaml', []],
    [
      'production.yaml',
      [
        'info urn-primary /id',
        'warning key-encoding /cryptographic_identity/public_key/value',
        'warning uri-scheme /resources/0/uri',
        'warning prompt-argument /prompts/0/template',
      ],
    ],
  ])('%s', (file, rules) => {
    expect(told(join(DATA, 'examples', file))).toEqual({ valid: true, rules })
  })

  test.each([
    'governance/compliance-agent.json',
    'portfolio/customer-service-agent.json',
    'healthcare/clinical-research-agent.json',
    'financial/trade-compliance-agent.json',
  ])('%s, whose license is not an SPDX identifier', (file) => {
    const { valid, rules } = told(join(DATA, 'profiles', file))
    expect(valid).toBe(true)
    expect(rules.filter((rule) => !rule.includes(' GOV-'))).toEqual(['warning license /metadata/license'])
  })
})

test('the examples of all sections are valid together in one document', () => {
  const { diagnostics } = validate(readFileSync('fixtures/adl/invoice-processor.json', 'utf8'), { now: NOW })
  expect(diagnostics).toEqual([])
})
