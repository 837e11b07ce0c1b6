// fixtures/adl/operator.yaml: findings from comparing documents with an operator's files, each with a similar valid
// case.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import * as FINDINGS from '../../bindings/adl/findings.ts'
import {
  type addEntry,
  checkInventory,
  checkMediaType,
  parseInventory,
  parseTrust,
  registerProfile,
  validate,
} from '../../bindings/adl/index.ts'
import { PROFILE_RULES } from '../../bindings/adl/profiles/registry.ts'
import { catalogue as everyRow } from '../../bindings/catalogue.ts'
import { parse } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { Proof } from '../../bindings/frame/source.ts'

interface Entry<With = object> {
  readonly rule: string
  readonly code: string
  readonly severity: string
  readonly pointer: string
  readonly with?: With
  readonly proven?: string
  readonly bad: object
  readonly good: object
}

const catalogue = parseYaml(readFileSync('fixtures/adl/operator.yaml', 'utf8')) as {
  readonly base: object
  readonly approved: addEntry.Entry
  readonly media_type: readonly Entry<string>[]
  readonly inventory: readonly Entry[]
  readonly profile: readonly Entry[]
  readonly files: readonly Entry[]
}

const textOf = (members: object) => JSON.stringify({ ...catalogue.base, ...members })
const documentOf = (members: object) => parse(textOf(members)).document!
const shown = (found: readonly Diagnostic[]) =>
  found.map(({ rule, code, severity, source: { pointer } }) => ({ rule, code, severity, pointer }))
const wanted = ({ rule, code, severity, pointer }: Entry<unknown>) => [{ rule, code, severity, pointer }]

test.each(catalogue.media_type)('media type: $code $rule', (entry) => {
  expect(shown(checkMediaType(documentOf(entry.bad), entry.with!))).toEqual(wanted(entry))
  expect(checkMediaType(documentOf(entry.good), entry.with!)).toEqual([])
})

test.each(catalogue.inventory)('inventory: $code $rule at $pointer', (entry) => {
  const inventory = { version: 1, agents: [{ ...catalogue.approved, ...entry.with }] } as const
  const data = { fingerprint: entry.proven }
  const step = { name: 'signature', title: '', outcome: 'passed', detail: '', spec: '', data } as const
  const proof: Proof | undefined = entry.proven === undefined ? undefined : { verdict: 'verified', steps: [step] }
  expect(shown(checkInventory(inventory, documentOf(entry.bad)))).toEqual(wanted(entry))
  expect(checkInventory(inventory, documentOf(entry.good), { proof })).toEqual([])
})

test.each(catalogue.profile)('profile: $code $rule', (entry) => {
  const profiles = registerProfile({
    identifier: 'https://example.com/profiles/fleet',
    name: 'Fleet Profile',
    shortName: 'fleet',
    version: '1.0.0',
    specification: 'https://example.com/profiles/fleet/spec',
    compatibility: '0.1.x',
    contact: { name: 'Fleet office', email: 'fleet@example.com' },
    status: 'active',
    ...entry.with,
  } as registerProfile.Template)
  const said = (members: object) =>
    shown(validate(textOf(members), { profiles }).diagnostics).filter(({ severity }) => severity !== 'info')
  expect(said(entry.bad)).toEqual(wanted(entry))
  expect(said(entry.good)).toEqual([])
})

test.each(catalogue.files)('file: $code $rule', (entry) => {
  const read = entry.rule === FINDINGS.TRUST_FILE.id ? parseTrust : parseInventory
  expect(shown(read(JSON.stringify(entry.bad)).diagnostics)).toEqual(wanted(entry))
  expect(read(JSON.stringify(entry.good)).diagnostics).toEqual([])
})

describe('the catalogue', () => {
  const { media_type, inventory, profile, files } = catalogue
  const cases = new Set([...media_type, ...inventory, ...profile, ...files].map(({ rule }) => rule))
  // duplicate-profile is in fixtures/adl/profiles, because it needs nothing from an operator.
  const general = PROFILE_RULES.filter(({ id, code }) => code.startsWith('BADL-') && id !== 'duplicate-profile')
  const ours = [
    FINDINGS.INVENTORY_FILE,
    FINDINGS.INVENTORY_NOT_APPROVED,
    FINDINGS.INVENTORY_DIGEST,
    FINDINGS.INVENTORY_SIGNER,
    ...general,
    FINDINGS.MEDIA_TYPE_PROFILE,
    FINDINGS.TRUST_FILE,
  ]

  test('has every rule, and blazon explain knows each', () => {
    const known = new Set(everyRow().map(({ id }) => id))
    for (const { id } of ours) {
      expect(cases).toContain(id)
      expect(known).toContain(id)
    }
  })
})
