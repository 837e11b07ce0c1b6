import { describe, expect, it } from 'vitest'
import { createProfiles, registerProfile, validate } from '../../../bindings/adl/index.ts'
import { knownMembers } from '../../../bindings/adl/profiles/check.ts'
import { agentOf, findings } from './support.ts'

const FLEET = {
  identifier: 'https://example.com/profiles/fleet',
  name: 'Fleet Profile',
  version: '2.1.0',
  specification: 'https://example.com/profiles/fleet/spec',
  compatibility: '0.1.x',
  contact: { name: 'Fleet office', email: 'fleet@example.com' },
  status: 'active',
  shortName: 'fleet',
  members: {
    fleet: {
      type: 'object',
      properties: { size: { type: 'integer', minimum: 1 }, region: { enum: ['north', 'south'], 'x-rule': 'FLT-01' } },
      required: ['size'],
    },
  },
  required: ['fleet'],
  classification: { fleet: { type: 'object', properties: { zones: { type: 'array', items: { type: 'string' } } } } },
  categories: ['telemetry'],
  rules: [
    {
      id: 'FLT-01',
      code: 'ADL-3001',
      title: 'Profile requirements not satisfied',
      section: 'Fleet FLT-01',
      severity: 'error',
    },
    {
      id: 'FLT-02',
      code: 'FLT-1',
      title: 'Large fleet without a provider',
      section: 'Fleet FLT-02',
      severity: 'warning',
      check: (agent, report) => {
        if (agent.provider === undefined) report('/provider', 'a fleet has a provider')
      },
    },
  ],
} as const satisfies registerProfile.Template

const document = (members: object = {}) => ({ adl_spec: '0.1.0', profiles: [FLEET.identifier], ...members })
const register = (change: object) => registerProfile({ ...FLEET, ...change } as registerProfile.Template)

describe('the registry', () => {
  it('[adl/17.2-9] begins with the four profiles, active, for ADL 0.1.x', () => {
    const table = createProfiles().list.map(({ identifier, name, version, status, compatibility }) => {
      return [identifier, name, version, status, compatibility]
    })
    expect(table).toEqual([
      ['urn:adl:profile:governance:1.0', 'ADL Governance Profile', '1.0.0', 'active', '0.1.x'],
      ['urn:adl:profile:portfolio:1.0', 'ADL Portfolio Profile', '1.0.0', 'active', '0.1.x'],
      ['urn:adl:profile:healthcare:1.0', 'ADL Healthcare Profile', '1.0.0', 'active', '0.1.x'],
      ['urn:adl:profile:financial:1.0', 'ADL Financial Profile', '1.0.0', 'active', '0.1.x'],
    ])
  })

  it('[adl/13-1] knows profiles by URI, name and short name, and nothing else', () => {
    const profiles = registerProfile(FLEET)
    for (const name of ['https://example.com/profiles/fleet', 'Fleet Profile', 'fleet']) {
      expect(profiles.find(name)?.version).toBe('2.1.0')
    }
    for (const name of ['Fleet', '', '__proto__', 'constructor', 'urn:adl:profile:governance:1.1']) {
      expect(profiles.find(name)).toBeUndefined()
    }
  })

  it('never changes: registering a profile returns another registry', () => {
    const before = createProfiles()
    const after = registerProfile(FLEET, { profiles: before })
    expect(before.find('fleet')).toBeUndefined()
    expect(after.find('governance')).toBe(before.find('governance'))
    expect(() => registerProfile(FLEET, { profiles: after })).toThrow(
      /'https:\/\/example.com\/profiles\/fleet' is registered already/,
    )
    expect(() => register({ shortName: 'governance' })).toThrow(/'governance' is registered already/)
    expect(() => registerProfile(FLEET, { profiles: null as never })).toThrow(/^profiles: /)
  })

  it('[adl/13-6] applies the members, categories and rules of a registered profile', () => {
    const profiles = registerProfile(FLEET)
    expect(findings(document({ fleet: { size: 3 }, provider: { name: 'E' } }), profiles)).toEqual([])
    const found = findings(
      document({ fleet: { region: 'east' }, data_classification: { fleet: { zones: [1] } } }),
      profiles,
    )
    expect(found.map(({ rule, code, pointer }) => [rule, code, pointer])).toEqual([
      ['profile-member', 'ADL-3001', '/profiles/0'],
      ['FLT-01', 'ADL-3001', '/fleet/region'],
      ['profile-member', 'ADL-3001', '/data_classification/fleet/zones/0'],
      ['FLT-02', 'FLT-1', '/profiles/0'],
    ])
  })

  it('[adl/13-6] supports all of JSON Schema, and reports the innermost rule that it names', () => {
    const fleet = {
      type: 'object',
      $defs: {
        wing: { type: 'object', required: ['id'], properties: { id: { pattern: '^[a-z]+$', 'x-rule': 'FLT-02' } } },
      },
      properties: {
        code: { type: 'string', pattern: '^(a+)+$', maxLength: 40, 'x-rule': 'FLT-01' },
        wings: { type: 'array', items: { $ref: '#/$defs/wing' }, uniqueItems: true },
        size: { anyOf: [{ type: 'integer' }, { const: 'many' }] },
        place: { enum: [{ x: 1 }, 'none'] },
        type: false,
        any: true,
        none: { items: false },
        shut: { patternProperties: { a: true }, additionalProperties: false },
        closed: { properties: { a: {} }, additionalProperties: false },
      },
      additionalProperties: { type: 'boolean' },
    }
    const profiles = register({
      members: { fleet },
      rules: FLEET.rules.map(({ ...rule }) => ({ ...rule, check: undefined })),
    })
    const said = (value: object) =>
      findings(document({ fleet: value }), profiles).map(({ rule, pointer }) => `${rule} ${pointer}`)
    expect(said({ code: 'aaa', wings: [{ id: 'a' }, { id: 'b' }], size: 'many', place: { x: 1 }, own: true })).toEqual(
      [],
    )
    expect(said({ code: 'b' })).toEqual(['FLT-01 /fleet/code'])
    expect(said({ code: 7 })).toEqual(['FLT-01 /fleet/code'])
    expect(said({ code: `${'a'.repeat(5000)}b` })).toHaveLength(2)
    expect(said({ wings: [{ id: 'a' }, { id: 'A' }] })).toEqual(['FLT-02 /fleet/wings/1/id'])
    expect(said({ wings: [{}] })).toEqual(['profile-member /profiles/0'])
    expect(said({ wings: [{ id: 'a' }, { id: 'a' }] })).toEqual(['profile-member /fleet/wings'])
    expect(said({ size: 'few' })).toEqual(['profile-member /fleet/size'])
    expect(said({ place: { x: 2 } })).toEqual(['profile-member /fleet/place'])
    expect(said({ place: 'some' })).toEqual(['profile-member /fleet/place'])
    expect(said({ type: 1, any: [] })).toEqual(['profile-member /fleet/type'])
    expect(said({ none: [1] })).toEqual(['profile-member /fleet/none/0'])
    // The check for unknown members reports these.
    expect(said({ closed: { b: 1, x_b: 1 } })).toEqual([])
    expect(said({ shut: { a: 1, x_b: 1 } })).toEqual([])
    expect(said({ shut: { b: 1 } })).toEqual(['profile-member /fleet/shut/b'])
    expect(said({ own: 1 })).toEqual(['profile-member /fleet/own'])
    expect(knownMembers(agentOf(document({ fleet: { own: true } })), profiles).objects).toEqual([])
  })

  it('reports each fault once for references by $id, by anchor and to the metaschema', () => {
    const fleet = {
      $id: 'https://example.com/fleet',
      $defs: {
        wing: { $id: 'https://example.com/wing', properties: { id: { type: 'string', 'x-rule': 'FLT-02' } } },
        nest: {
          $anchor: 'nest',
          $dynamicAnchor: 'tree',
          properties: { in: { $dynamicRef: '#tree' }, at: { type: 'string' } },
        },
      },
      properties: {
        size: { type: 'integer' },
        wing: { $ref: 'wing' },
        nest: { $ref: '#nest' },
        schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' },
      },
    }
    const profiles = register({ members: { fleet }, rules: [] })
    const said = (value: object) => findings(document({ fleet: value }), profiles).map(({ pointer }) => pointer)
    expect(said({ size: 1, wing: { id: 'a' }, nest: { in: { at: 'b' } }, schema: { type: 'string' } })).toEqual([])
    expect(said({ size: 'x' })).toEqual(['/fleet/size'])
    expect(said({ wing: { id: 1 } })).toEqual(['/fleet/wing/id'])
    expect(said({ nest: { in: { in: { at: 1 } } } })).toEqual(['/fleet/nest/in/in/at'])
    expect(new Set(said({ schema: { type: 1 } }))).toEqual(new Set(['/fleet/schema/type']))
  })

  it('accepts severities for rules of a registered profile, if the registry is given', () => {
    const source = JSON.stringify(document({ fleet: { size: 1000 } }))
    const severities = (rules: Record<string, 'error' | 'off'>, profiles = registerProfile(FLEET)) =>
      validate(source, { profiles, rules }).diagnostics.flatMap(({ rule, severity }) =>
        rule === 'FLT-02' ? [severity] : [],
      )
    expect(severities({ 'FLT-02': 'error' })).toEqual(['error'])
    expect(severities({ 'FLT-1': 'error', 'VAL-02': 'off' })).toEqual(['error'])
    expect(() => severities({ 'FLT-02': 'error' }, createProfiles())).toThrow(/^rules: .* got "FLT-02"/)
  })

  it('[adl/17.2-8] warns of a deprecated profile, and of one for another version of ADL', () => {
    const old = findings(document({ fleet: { size: 1 }, provider: {} }), register({ status: 'deprecated' }))
    expect(old.map(({ rule, code, pointer, severity }) => [rule, code, pointer, severity])).toEqual([
      ['deprecated-profile', 'BADL-151', '/profiles/0', 'warning'],
    ])
    for (const [compatibility, fits] of [
      ['0.1.x', true],
      ['0.1.0', true],
      ['0.x', true],
      ['0.2.x, 0.1.x', true],
      ['0.1.1', false],
      ['0.10.x', false],
      ['1.x', false],
    ] as const) {
      const found = findings(document({ fleet: { size: 1 }, provider: {} }), register({ compatibility }))
      expect(found.map(({ rule }) => rule)).toEqual(fits ? [] : ['incompatible-profile'])
    }
  })
})

describe('members that profiles define', () => {
  const value = {
    profiles: ['fleet', 'healthcare', 'urn:example:unknown'],
    fleet: { size: 1, wings: 2, region: 'north' },
    hipaa_compliance: { minimum_necessary: { scope: 'x', x_own: 1 } },
    tools: [{ data_classification: { fleet: { zone: 'a' }, healthcare: {} } }, 7],
    data_classification: { healthcare: { phi_types: [] } },
  }
  const known = knownMembers(agentOf(value), registerProfile(FLEET))

  it('[adl/13-3] [adl/10.4-21] [adl/10.4-22] are the union over the declared profiles', () => {
    expect([...known.root]).toEqual([
      'fleet',
      'hipaa_compliance',
      'phi_handling',
      'clinical_safety',
      'interoperability',
    ])
    expect([...known.classification]).toEqual(['fleet', 'healthcare'])
    expect([...known.categories]).toEqual(['telemetry'])
    expect(known.complete).toBe(false)
    expect(knownMembers(agentOf({ ...value, profiles: ['fleet'] }), registerProfile(FLEET)).complete).toBe(true)
  })

  it('close the objects inside, also in every data classification', () => {
    expect(known.objects.map(({ object, names }) => [object.pointer, [...names]])).toEqual([
      ['/fleet', ['region', 'size']],
      ['/tools/0/data_classification/fleet', ['zones']],
      ['/hipaa_compliance', ['covered_entity_type', 'baa_required', 'minimum_necessary', 'security_rule']],
      ['/hipaa_compliance/minimum_necessary', ['scope', 'justification', 'review_frequency']],
      ['/data_classification/healthcare', ['phi_types', 'hipaa_applicability']],
      ['/tools/0/data_classification/healthcare', ['phi_types', 'hipaa_applicability']],
    ])
  })

  it('leave open what a profile declares open, and merge two profiles of one object', () => {
    const open = register({ members: { fleet: { properties: { a: {} }, additionalProperties: true } } })
    expect(knownMembers(agentOf(document({ fleet: { b: 1 } })), open).objects).toEqual([])
    const other = { ...FLEET, identifier: 'urn:example:two', name: 'Two', shortName: 'two', rules: [] }
    const two = registerProfile(
      { ...other, members: { fleet: { properties: { wings: {} } } } },
      { profiles: registerProfile(FLEET) },
    )
    const [first] = knownMembers(agentOf({ profiles: ['fleet', 'two'], fleet: {} }), two).objects
    expect([...first!.names]).toEqual(['region', 'size', 'wings'])
  })
})

describe('[adl/17.2-1] a template is refused, with the name of the field,', () => {
  const without = ['identifier', 'name', 'version', 'specification', 'compatibility', 'contact', 'status']
  it.each(without)('when %s is missing', (field) => {
    const { [field as 'name']: _gone, ...rest } = FLEET
    expect(() => registerProfile(rest as never)).toThrow(TypeError)
    expect(() => registerProfile(rest as never)).toThrow(new RegExp(`^template\\.${field}: expected`))
  })

  let deep: object = {}
  for (let i = 0; i < 1000; i++) deep = { items: deep }
  const cyclic: { items?: object } = {}
  cyclic.items = cyclic

  it.each<[string, object, RegExp]>([
    ['[adl/17.2-2] an identifier that is not a URI', { identifier: 'fleet' }, /^template\.identifier: /],
    ['[adl/17.2-3] an empty name', { name: '  ' }, /^template\.name: /],
    ['[adl/17.2-4] a version of two parts', { version: '1.0' }, /^template\.version: /],
    ['[adl/17.2-6] no contact address', { contact: { name: 'A' } }, /^template\.contact\.email: /],
    ['[adl/17.2-7] another status', { status: 'draft' }, /^template\.status: /],
    ['[adl/17.2-5] an unreadable version range', { compatibility: '>=0.1' }, /^template\.compatibility: /],
    ['[adl/13-5] a member of ADL', { members: { tools: {} }, required: [] }, /^template\.members: ADL defines 'tools'/],
    ['[adl/13-5] classification', { classification: { sensitivity: {} } }, /^template\.classification: ADL/],
    ['[adl/13-5] a category of ADL', { categories: ['pii'] }, /^template\.categories: ADL defines 'pii'/],
    ['an extension', { members: { x_fleet: {} }, required: [] }, /^template\.members: .*x_/],
    ['__proto__', { members: JSON.parse('{"__proto__": {}}'), required: [] }, /^template\.members: .*snake_case/],
    ['camelCase', { members: { fleetSize: {} }, required: [] }, /^template\.members: .*snake_case/],
    ['a required member that is not defined', { required: ['wings'] }, /^template\.required: "wings" is not a member/],
    ['required that is not a list', { required: 'fleet' }, /^template\.required: expected an array/],
    ['a reference to nothing', { members: { fleet: { $ref: '#/$defs/a' } } }, /^template\.members\.fleet\.\$ref: /],
    [
      'a reference outside',
      { members: { fleet: { $ref: 'https://example.com/s' } } },
      /^template\.members\.fleet\.\$ref: /,
    ],
    ['a reference to itself', { members: { fleet: { $ref: '#' } } }, /^template\.members\.fleet\.\$ref: .*without end/],
    ['an invalid pattern', { members: { fleet: { pattern: '(' } } }, /^template\.members\.fleet\.pattern: /],
    ['an invalid type', { members: { fleet: { type: 'map' } } }, /^template\.members\.fleet\.type: /],
    ['a format that is not a string', { members: { fleet: { format: 1 } } }, /^template\.members\.fleet\.format: /],
    ['a function', { members: { fleet: { default: () => 1 } } }, /^template\.members\.fleet: .*function/],
    ['NaN', { members: { fleet: { minimum: Number.NaN } } }, /^template\.members\.fleet: .*NaN/],
    ['fragments that are too deep', { members: { fleet: deep } }, /at most 64 containers/],
    ['cyclic fragments', { members: { fleet: cyclic } }, /same container/],
    ['a fragment that is not an object', { members: { fleet: true } }, /^template\.members\.fleet: expected an object/],
    ['too long a text', { name: 'x'.repeat(10_000) }, /^template\.name: /],
    ['a list of any length', { categories: { length: 1e9 } }, /^template\.categories: expected an array/],
    ['a long list', { categories: new Array(100_000).fill('a') }, /^template\.categories: expected at most 1000/],
    ['an invalid check', { rules: [{ ...FLEET.rules[0], check: 1 }] }, /^template\.rules\[0\]\.check: /],
    ['a code of ADL', { rules: [{ ...FLEET.rules[0], code: 'ADL-4002' }] }, /^template\.rules\[0\]\.code: /],
    ['an invalid severity', { rules: [{ ...FLEET.rules[0], severity: 'off' }] }, /^template\.rules\[0\]\.severity: /],
    ['an invalid ruleset', { rules: [{ ...FLEET.rules[0], rulesets: { strict: 1 } }] }, /\.rulesets\.strict: /],
  ])('%s', (_title, change, message) => {
    expect(() => register(change)).toThrow(message)
    let thrown: unknown
    try {
      register(change)
    } catch (error) {
      thrown = error
    }
    expect(thrown instanceof TypeError || thrown instanceof RangeError).toBe(true)
  })

  it('when reading it throws, or it is not an object', () => {
    const trap = Object.defineProperty({ ...FLEET }, 'members', {
      get() {
        throw new Error('no')
      },
    })
    expect(() => registerProfile(trap)).toThrow(/^template\.members: reading it threw/)
    for (const value of [null, undefined, 1, 'x', []]) {
      expect(() => registerProfile(value as never)).toThrow(/^template: expected an object/)
    }
  })

  it('and a caller can change nothing afterwards', () => {
    const template = structuredClone({ ...FLEET, rules: [] }) as unknown as { members: Record<string, object> }
    const profiles = registerProfile(template as never)
    template.members['tools'] = {}
    Object.assign(template.members['fleet']!, { type: 'string' })
    expect(Object.keys(profiles.find('fleet')!.members)).toEqual(['fleet'])
    expect(profiles.find('fleet')!.members['fleet']!.type).toBe('object')
    expect(Object.isFrozen(profiles.find('fleet'))).toBe(true)
  })
})
