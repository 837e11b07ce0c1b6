import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { knownMembers } from '../../../bindings/adl/profiles/check.ts'
import { createProfiles } from '../../../bindings/adl/profiles/registry.ts'
import { isDateTime, isEmail, isUri } from '../../../bindings/schema/formats.ts'
import { sampleOf } from '../../support/cases.ts'
import { processorTime } from '../../support/effort.ts'
import { ODD_VALUES, placesOf, replaced } from './odd-values.ts'
import { agentOf, EXAMPLES, findings, readData } from './support.ts'

const PROFILES = createProfiles()
const OURS = ['governance-tier-3', 'healthcare', 'financial', 'portfolio'].map((name) => ({
  file: name,
  text: readFileSync(`fixtures/adl/profiles/${name}.json`, 'utf8'),
}))

/** Members that profiles do not check. */
const OTHERS = new Set([
  '$schema',
  'name',
  'description',
  'version',
  'provider',
  'model',
  'permissions',
  'tools',
  'security',
  'metadata',
])

describe('odd values at every place', () => {
  it.each([...OURS, ...EXAMPLES])('$file: every finding is at a place or its declaration', ({ text }) => {
    const value = JSON.parse(text)
    const wrong: unknown[] = []
    for (const [i, path] of placesOf(value).entries()) {
      if (OTHERS.has(path[0]!)) continue
      // Each place gets other values.
      for (const odd of sampleOf(ODD_VALUES, i)) {
        const changed = replaced(value, path, odd)
        if (!changed.startsWith('{')) continue
        const agent = agentOf(changed)
        knownMembers(agent, PROFILES)
        for (const found of findings(agent, PROFILES)) {
          const fits = found.detail.length < 400 && !/\p{Cc}|\u202e|undefined/u.test(found.detail)
          if (!fits || agent.document.range(found.pointer) === undefined) wrong.push(found)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

describe.runIf(EXAMPLES.length > 0)('the schemas of the revision of May 2026', () => {
  const ajv = new Ajv2020({
    strict: false,
    formats: { 'date-time': isDateTime, uri: isUri, email: isEmail },
  })

  /** The profile's own part of the schema. Its base is closed, so no document could satisfy both. */
  function ownPart(profile: string) {
    const schema = readData(`profiles/${profile}/schema-2026-05-30.json`) as Record<string, unknown>
    return ajv.compile({ ...schema, allOf: [true], unevaluatedProperties: true })
  }

  /** True without errors and unknown members, apart from the differences between the revisions. */
  function accepts(json: string): boolean {
    const { objects } = knownMembers(agentOf(json), PROFILES)
    const unknown = objects.some(({ object, names }) => Object.keys(object.value).some((name) => !names.has(name)))
    return !unknown && findings(json, PROFILES).every(({ severity }) => severity === 'warning')
  }

  /** Members that the revision does not decide: ADL itself or the earlier revision defines them. */
  const CORE = new Set(['adl_spec', 'name', 'description', 'version', 'profiles', 'data_classification', 'lifecycle'])

  it.each(['governance-tier-3', 'portfolio'])('[adl/13-4] judge changes of %s.json as we do', (name) => {
    const validate = ownPart(name.split('-')[0]!)
    const value = JSON.parse(readFileSync(`fixtures/adl/profiles/${name}.json`, 'utf8'))
    if (name === 'portfolio') value.relationships = { depends_on: ['a'], orchestrated_by: 'b', peers: [] }
    const base = { ...value, domain: { domain_id: 'urn:example:d' } }
    if (name !== 'portfolio') delete base.domain
    const differing: string[] = []
    let compared = 0
    for (const path of placesOf(base)) {
      // `inventory` belongs to the earlier revision; an `autonomy` that is not an object counts as absent.
      if (path.length === 0 || CORE.has(path[0]!) || path[0] === 'inventory') continue
      for (const odd of ODD_VALUES) {
        const json = replaced(base, path, odd)
        // An x_ member is an extension in 0.1; the revision has `extensions` instead.
        if (JSON.stringify(odd).includes('x_')) continue
        compared++
        if (validate(JSON.parse(json)) !== accepts(json)) differing.push(`${path.join('/')} ${JSON.stringify(odd)}`)
      }
    }
    expect(compared).toBeGreaterThan(200)
    expect(differing).toEqual([])
  })
})

describe('documents made to be slow', () => {
  const document = (members: object) => JSON.stringify({ profiles: ['portfolio', 'financial'], ...members })
  const many = <Item>(count: number, item: (i: number) => Item) => Array.from({ length: count }, (_, i) => item(i))

  it.each<[string, string]>([
    ['ill-typed elements', document({ inventory: { catalog_id: 'a', tags: many(50_000, () => 1) } })],
    [
      'what rules find',
      document({ financial_data_handling: { data_residency: many(20_000, () => ({ jurisdiction: 'x' })) } }),
    ],
    ['what is missing', document({ financial_data_handling: { data_residency: many(20_000, () => ({})) } })],
    [
      'profiles that are nearly known',
      JSON.stringify({ profiles: many(30_000, (i) => `urn:adl:profile:gover${i}ce:1.0`) }),
    ],
    ['unknown members', document({ domain: Object.fromEntries(many(60_000, (i) => [`role${i}`, 1])) })],
  ])('%s take linear time', (_title, text) => {
    const agent = agentOf(text)
    const start = processorTime()
    findings(agent, PROFILES)
    knownMembers(agent, PROFILES)
    expect(processorTime() - start).toBeLessThan(8000)
  })
})
