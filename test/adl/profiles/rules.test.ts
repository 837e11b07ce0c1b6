import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as FINDINGS from '../../../bindings/adl/findings.ts'
import { createProfiles, PROFILE_RULES } from '../../../bindings/adl/profiles/registry.ts'
import { validate } from '../../../bindings/adl/verbs.ts'
import { parsePointer } from '../../../bindings/text/members.ts'
import { explainedRows } from '../../support/explained.ts'
import { findings, NOW } from './support.ts'

const FOLDER = 'fixtures/adl/profiles'

interface Case {
  readonly rule: string
  readonly base: string
  readonly at: string
  readonly bad: Record<string, unknown>
  readonly good: Record<string, unknown>
}

const CASES: readonly Case[] = parse(readFileSync(`${FOLDER}/cases.yaml`, 'utf8'))
const BASES = [...new Set(CASES.map(({ base }) => base))]
const RULES = createProfiles().list.flatMap(({ rules }) => rules)

const read = (base: string) => JSON.parse(readFileSync(`${FOLDER}/${base}.json`, 'utf8'))

function change(base: string, changes: Record<string, unknown>): unknown {
  const document = read(base)
  for (const [pointer, value] of Object.entries(changes)) {
    const path = parsePointer(pointer)!
    let parent = document
    for (const token of path.slice(0, -1)) parent = parent[token]
    const name = path.at(-1)!
    if (value === null) delete parent[name]
    else parent[name] = value
  }
  return document
}

describe('the rules of the four profiles', () => {
  it.each(BASES)('%s.json satisfies its profile', (base) => {
    expect(findings(read(base))).toEqual([])
  })

  it.each(CASES)('[adl/13-2] $rule at $at', ({ rule, base, at, bad, good }) => {
    const found = findings(change(base, bad))
    expect(found.map(({ rule, pointer }) => ({ rule, pointer }))).toEqual([{ rule, pointer: at }])
    expect(findings(change(base, good))).toEqual([])
  })

  it.each(CASES)('[adl/13-4] validate reports $rule at $at', ({ rule, base, at, bad, good }) => {
    const says = (changes: Record<string, unknown>) =>
      validate(JSON.stringify(change(base, changes)), { now: NOW })
        .diagnostics.filter(({ severity }) => severity !== 'info')
        .map(({ rule, source }) => ({ rule, pointer: source.pointer }))
    expect(says(bad)).toEqual([{ rule, pointer: at }])
    expect(says(good)).toEqual([])
  })

  it('each have a case', () => {
    const shown = new Set(CASES.map(({ rule }) => rule))
    expect(RULES.filter(({ id }) => !shown.has(id))).toEqual([])
  })

  it('[adl/13-4] errors are ADL-3001, advice has no code of the specification', () => {
    expect(RULES.length).toBe(24 + 4 + 8 + 1 + 17 + 14)
    for (const { id, code, severity, why, bad, good } of explainedRows(RULES)) {
      expect({ id, code }).toEqual({ id, code: severity === 'error' ? 'ADL-3001' : 'BADL-150' })
      expect(why).toMatch(/^[A-Z].*\.$/)
      expect(JSON.parse(bad!)).not.toEqual(JSON.parse(good!))
    }
  })

  it('[adl/13-2] missing members are reported at the declaration, wrong ones at their place', () => {
    const [missing] = findings(change('governance', { '/compliance_framework': null }))
    expect(missing).toMatchObject({ code: 'ADL-3001', pointer: '/profiles/0', related: [] })
    expect(missing!.detail).toBe("ADL Governance Profile requires 'compliance_framework' member")
    const [deep] = findings(change('healthcare', { '/hipaa_compliance/baa_required': null }))
    expect(deep!.detail).toBe("ADL Healthcare Profile requires 'baa_required' member in /hipaa_compliance")
    expect(deep!.related).toEqual([{ pointer: '/hipaa_compliance', message: "'baa_required' is missing here" }])
    const [wrong] = findings(change('portfolio', { '/inventory/visibility': 'secret' }))
    expect(wrong).toMatchObject({ pointer: '/inventory/visibility', related: [{ pointer: '/profiles/0' }] })
    expect(wrong!.detail).toBe("expected private, internal or public, found the string 'secret'")
  })

  it('a profile that is declared by two names is checked once, with a warning', () => {
    const twice = change('portfolio', { '/inventory': null, '/profiles': ['portfolio', 'ADL Portfolio Profile'] })
    expect(findings(twice).map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      'duplicate-profile /profiles/1',
      'PFL-01 /profiles/0',
    ])
  })
})

describe('the document is closed once, over ADL and all declared profiles', () => {
  const unknown = (base: string, changes: Record<string, unknown>) =>
    validate(JSON.stringify(change(base, changes)), { now: NOW })
      .diagnostics.filter(({ severity }) => severity !== 'info')
      .map(({ severity, source }) => [severity, source.pointer])

  it('[adl/13-3] a member of one profile is unknown without that profile', () => {
    expect(unknown('portfolio', { '/governance': {} })).toEqual([['error', '/governance']])
    const both = { '/governance': {}, '/profiles/1': 'portfolio', '/inventory': { catalog_id: 'a' } }
    expect(unknown('governance', both)).toEqual([])
    expect(unknown('portfolio', { '/data_classification/healthcare': {} })).toHaveLength(1)
  })

  it('[adl/13-3] unknown members inside the members of profiles are reported, except x_ ones', () => {
    expect(unknown('portfolio', { '/inventory/catalogue': 1 })).toEqual([['error', '/inventory/catalogue']])
    expect(unknown('portfolio', { '/inventory/extensions': {} })).toEqual([['error', '/inventory/extensions']])
    expect(unknown('portfolio', { '/inventory/x_acme': 1 })).toEqual([])
    expect(unknown('healthcare', { '/data_classification/healthcare/x_acme': 1 })).toEqual([])
  })

  it('[adl/13-3] members of a later revision are accepted together with those of the current one', () => {
    const later = { '/ai_governance': { risk_classification: { level: 'low', autonomy_level: 'L1' } } }
    expect(unknown('governance', { ...later, '/anomaly_baseline': { expected_tools: [] } })).toEqual([])
    expect(unknown('portfolio', { '/relationships': { peers: [] }, '/domain': {} })).toEqual([])
  })

  it('[adl/13-2] an unknown profile may define unknown members', () => {
    const found = unknown('portfolio', { '/profiles/1': 'urn:example:p', '/fleet': {} })
    expect(found).toEqual([
      ['warning', '/profiles/1'],
      ['warning', '/fleet'],
    ])
  })

  it('[adl/10.4-21] an unknown profile may define unknown data categories', () => {
    const at = '/data_classification/categories/1'
    const found = (profiles: readonly string[], options: validate.Options = {}) => {
      const document = { ...read('portfolio'), profiles: ['portfolio', ...profiles] }
      document.data_classification = { ...document.data_classification, categories: ['pii', 'telemetry'] }
      const { diagnostics } = validate(JSON.stringify(document), { now: NOW, ...options })
      return diagnostics.filter(({ code }) => code === 'ADL-2021')
    }
    expect(found(['urn:example:p'])).toMatchObject([{ severity: 'warning', source: { pointer: at } }])
    expect(found(['urn:example:p'])[0]?.detail).toMatch(/not judged, for an unknown profile may define it$/)
    expect(found([])).toMatchObject([{ severity: 'error' }])
    expect(found(['urn:example:p'], { ruleset: 'strict' })).toMatchObject([{ severity: 'error' }])
    expect(found(['urn:example:p'], { rules: { 'VAL-26': 'error' } })).toMatchObject([{ severity: 'error' }])
  })
})

describe('docs/reference/diagnostics.md', () => {
  const page = readFileSync('docs/reference/diagnostics.md', 'utf8')
  const ours = [
    ...RULES,
    ...PROFILE_RULES,
    FINDINGS.INVENTORY_FILE,
    FINDINGS.INVENTORY_NOT_APPROVED,
    FINDINGS.INVENTORY_DIGEST,
    FINDINGS.INVENTORY_SIGNER,
    FINDINGS.MEDIA_TYPE_PROFILE,
    FINDINGS.TRUST_FILE,
  ]
  const codes = new Map(ours.filter(({ code }) => !code.startsWith('ADL-')).map(({ code, title }) => [code, title]))

  it.each([...codes])('has a section for %s', (code, title) => {
    expect(page).toContain(`\n### ${code} ${title}\n`)
  })
})
