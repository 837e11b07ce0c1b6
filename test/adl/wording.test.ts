// Findings name the expected and the actual value, and have a fix where one is possible.
import { expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { applyEdits } from '../../bindings/document/edit.ts'
import { CLEAN, findings, NOW } from './support.ts'

const details = (members: object) => findings(members).map(({ detail }) => detail)

test('a lone star in a list of denials is reported as denying everything, not granting it', () => {
  const environment = { allowed_variables: ['*'], denied_variables: ['*'] }
  expect(details({ permissions: { environment } })).toEqual([
    `Pattern '*': expected something narrower, got "*", which matches every variable`,
    `Pattern '*' denies every environment variable: whatever else is allowed here, nothing is`,
  ])
})

test('an env pattern is called an env pattern', () => {
  const [found] = findings({ permissions: { environment: { denied_variables: ['A**'] } } })
  expect(found?.fix?.hint).toBe('expected "*", got "**" in an env pattern: only path patterns have it')
})

test.each([
  ['adl_spec', '0.1', '"0.1.0"'],
  ['version', '1.0', '"1.0.0"'],
  ['version', '2', '"2.0.0"'],
  ['name', '007', undefined],
  ['name', '7.50', '"7.50"'],
])('%s: the YAML value %s gets quotes: %s', (member, written, mended) => {
  const others = Object.entries(CLEAN).filter(([name]) => name !== member)
  const source = `${others.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`).join('')}${member}: ${written}\n`
  const [found] = validate(source, { now: NOW }).diagnostics
  expect(found).toMatchObject({ code: 'ADL-1004', source: { pointer: `/${member}` } })
  if (mended === undefined) return
  expect(found?.fix?.hint).toBe(`put it in quotes: ${mended}`)
  const fixed = applyEdits(new TextEncoder().encode(source), found!.fix!.edits!)
  expect(new TextDecoder().decode(fixed)).toContain(`${member}: ${mended}\n`)
  expect(validate(fixed, { now: NOW }).diagnostics).toEqual([])
})

test('there is no edit where quotes would not help', () => {
  for (const members of [{ id: 7 }, { lifecycle: { status: 1 } }, { tools: [{ name: 7, description: 'd' }] }]) {
    const [found] = findings(members)
    expect([found?.code, found?.fix?.edits]).toEqual(['ADL-1004', undefined])
  }
})

test.each([1, 0.2, '1.0', '0.3'])('no edit sets adl_spec to the version of another release: %j', (adl_spec) => {
  const [found] = findings({ adl_spec })
  expect([found?.source.pointer, found?.fix]).toEqual(['/adl_spec', undefined])
})

test('financial rules name the value found', () => {
  const found = details({
    profiles: ['financial'],
    data_classification: {
      sensitivity: 'public',
      categories: ['financial'],
      financial: { data_types: ['market_data'] },
    },
    financial_data_handling: { pci_scope: { in_scope: false }, data_residency: [{ jurisdiction: 'USA' }] },
    transaction_controls: { transaction_limits: { currency: 'dollars' }, kill_switch: { enabled: false } },
    regulatory_scope: { applicable_regulations: ['MIFID_II'], record_retention: { min_retention_days: 3 } },
  })
  expect(found).toEqual([
    "expected a country of ISO 3166-1, such as US, or EU, found the string 'USA'",
    "expected a currency of ISO 4217, such as USD, found the string 'dollars'",
    'MIFID_II requires transaction_controls.kill_switch.enabled to be true, found false',
    'MIFID_II requires record_retention.min_retention_days of at least 1825, found the number 3',
  ])
})
