import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createProfiles } from '../../../bindings/adl/profiles/registry.ts'
import { parsePointer } from '../../../bindings/document/pointer.ts'
import { findings } from './support.ts'

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

  it('each has a case', () => {
    const shown = new Set(CASES.map(({ rule }) => rule))
    expect(RULES.filter(({ id }) => !shown.has(id))).toEqual([])
  })

  it('[adl/13-4] errors are ADL-3001, advice has no code of the specification', () => {
    expect(RULES.length).toBe(24 + 4 + 8 + 17 + 14)
    for (const { id, code, severity, why, bad, good } of RULES) {
      expect({ id, code }).toEqual({ id, code: severity === 'error' ? 'ADL-3001' : 'BADL-150' })
      expect(why).toMatch(/^[A-Z].*\.$/)
      expect(JSON.parse(bad)).not.toEqual(JSON.parse(good))
    }
  })

  it('[adl/13-2] what is missing is found at the declaration, what is wrong where it is', () => {
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

  it('a profile that is declared twice is checked once', () => {
    const twice = change('portfolio', { '/inventory': null, '/profiles': ['portfolio', 'ADL Portfolio Profile'] })
    expect(findings(twice).map(({ pointer }) => pointer)).toEqual(['/profiles/0'])
  })
})
