// Sections 14, 16 and 18 of ADL: the contents of a report, and the effects of options.
import { describe, expect, test } from 'vitest'
import { formatErrors, LIMITS, validate } from '../../bindings/adl/index.ts'
import schema from '../../bindings/adl/schema.json' with { type: 'json' }
import { ADL_TITLES } from '../../bindings/adl/serving.ts'
import { ADL } from '../../bindings/adl/specification.ts'
import { shapeFindings } from '../support/explained.ts'
import { CLEAN, findings, NOW, told } from './support.ts'

const text = (members: object) => JSON.stringify({ ...CLEAN, ...members })
const tool = (name: string, more: object = {}) => ({ name, description: 'Does one thing.', ...more })

describe('the examples of section 16.3', () => {
  const errors = (members: object) => formatErrors(validate(text(members), { now: NOW })).errors

  test('[adl/16.3-1] ADL-1003 at the document', () => {
    expect(errors({ data_classification: undefined })).toEqual([
      {
        code: 'ADL-1003',
        title: 'Missing required member',
        detail: "Required member 'data_classification' is missing",
        source: { pointer: '', line: 1, column: 1 },
      },
    ])
  })

  test('[adl/16.3-1] ADL-2002 at the second name', () => {
    const tools = [tool('search_documents'), tool('other'), tool('search_documents')]
    expect(errors({ tools })).toMatchObject([
      {
        code: 'ADL-2002',
        title: 'Duplicate tool name',
        detail: "Tool name 'search_documents' already defined at index 0",
        source: { pointer: '/tools/2/name' },
      },
    ])
  })

  test('[adl/16.3-1] ADL-2016 at the pattern', () => {
    expect(errors({ permissions: { network: { allowed_hosts: ['api.example.com', '**'] } } })).toMatchObject([
      {
        code: 'ADL-2016',
        title: 'Invalid host pattern syntax',
        detail: "Pattern '**' is not a valid host pattern",
        source: { pointer: '/permissions/network/allowed_hosts/1' },
      },
    ])
  })

  test('[adl/16.3-1] ADL-2023 at the level of the tool', () => {
    const tools = [tool('a'), tool('query_records', { data_classification: { sensitivity: 'confidential' } })]
    expect(errors({ data_classification: { sensitivity: 'internal' }, tools })).toMatchObject([
      {
        code: 'ADL-2023',
        detail: "Tool 'query_records' has sensitivity 'confidential' which exceeds top-level 'internal'",
        source: { pointer: '/tools/1/data_classification/sensitivity' },
      },
    ])
  })

  test('[adl/16.3-1] ADL-3001 at the profile', () => {
    const governance = { profiles: ['urn:adl:profile:governance:1.0'], lifecycle: { status: 'active' } }
    const [error] = errors(governance)
    expect(error).toMatchObject({
      code: 'ADL-3001',
      title: 'Profile requirements not satisfied',
      source: { pointer: '/profiles/0' },
    })
    expect(error?.detail).toMatch(/Governance Profile requires 'compliance_framework' member/)
  })

  test('[adl/16.3-1] ADL-4001 at the key, which has another place than in the example', () => {
    const public_key = { algorithm: 'DSA', value: 'AA==' }
    expect(errors({ cryptographic_identity: { public_key } })).toMatchObject([
      { code: 'ADL-4001', title: 'Weak key algorithm', source: { pointer: '/cryptographic_identity/public_key' } },
    ])
  })

  test('[adl/16.3-1] ADL-5002 at the successor, a warning that section 16.1 therefore leaves out', () => {
    const lifecycle = { status: 'active', successor: 'https://acme.example.com/agents/new' }
    expect(findings({ lifecycle })).toMatchObject([
      { code: 'ADL-5002', severity: 'warning', source: { pointer: '/lifecycle/successor' } },
    ])
    expect(errors({ lifecycle })).toEqual([])
  })
})

describe('errors in the format of section 16.1', () => {
  test('[adl/16.1-1] [adl/16.2-1] have the titles of section 16.2', () => {
    expect(formatErrors(validate('{"name": "a" "b"}'))).toEqual({
      errors: [
        {
          code: 'ADL-1001',
          title: 'Invalid JSON syntax',
          detail: expect.any(String),
          source: { pointer: '', line: 1, column: 14 },
        },
      ],
    })
    expect(Object.keys(ADL_TITLES)).toHaveLength(37)
  })

  test('every code of a rule is in section 16.2 or ours', () => {
    for (const { code } of [...ADL.rules, ...shapeFindings(ADL, schema)])
      expect(code in ADL_TITLES || /^BADL-/.test(code)).toBe(true)
  })

  test('[adl/14.2-2] every rule of section 14.2 except that of profiles is checked here', () => {
    const ids = new Set([...ADL.rules, ...shapeFindings(ADL, schema)].map(({ id }) => id))
    for (let n = 1; n <= 28; n++) if (n !== 8) expect(ids).toContain(`VAL-${String(n).padStart(2, '0')}`)
  })
})

describe('a report', () => {
  test('follows the order of the document', () => {
    const offsets = findings({ version: '1', tools: [tool('A')], id: 'x y', metadata: { tags: ['A'] } }).map(
      ({ source }) => source.offset,
    )
    expect(offsets).toHaveLength(4)
    expect([...offsets].sort((a, b) => a - b)).toEqual(offsets)
  })

  test('is bounded, and reports how many findings are left out', () => {
    const tools = Array.from({ length: 1000 }, () => ({}))
    const { diagnostics } = validate(text({ tools }), { now: NOW })
    expect(diagnostics).toHaveLength(1001)
    expect(diagnostics.at(-1)).toMatchObject({
      code: 'DOC-125',
      severity: 'info',
      detail: '1000 more findings are not listed',
    })
    expect(validate(text({ tools }), { now: NOW, maxDiagnostics: 1 }).valid).toBe(false)
    // Errors come before advice, wherever they are.
    const tags = Array.from({ length: 1500 }, () => 'A')
    const { valid, diagnostics: mixed } = validate(
      text({ metadata: { tags }, prompts: [{ name: 'a', template: '{{' }] }),
      { now: NOW },
    )
    expect(valid).toBe(false)
    expect(mixed.filter(({ severity }) => severity === 'error')).toMatchObject([{ rule: 'template-syntax' }])
    expect(mixed).toHaveLength(1001)
  })

  test('has fixes that repair the document', () => {
    const source =
      '{"adl_spec": "0.1.0",\n  "nmae": "A", "description": "Does one thing well.", "version": "1.0", "lifecycle": {"status": "Actve"},\n  "data_classification": {"sensitivity": "publc"}, "tools": [{"name": "a", "description": "b", "readOnly": true}], "metadata": {"license": "apache2", "tags": ["A B"]}}'
    const bytes = new TextEncoder().encode(source)
    const edits = validate(source, { now: NOW }).diagnostics.flatMap(({ fix }) => fix?.edits ?? [])
    let mended = source
    expect(bytes).toHaveLength(source.length)
    for (const { offset, endOffset, text: by } of [...edits].sort((a, b) => b.offset - a.offset)) {
      mended = mended.slice(0, offset) + by + mended.slice(endOffset)
    }
    expect(validate(mended, { now: NOW }).diagnostics).toEqual([])
    expect(JSON.parse(mended)).toMatchObject({
      $schema: expect.any(String),
      name: 'A',
      version: '1.0.0',
      metadata: { license: 'Apache-2.0', tags: ['a-b'] },
    })
  })

  test('has fixes that repair a YAML document, and keep its comments', () => {
    const source = [
      '# The agent of the day',
      'adl_spec: "0.1.0"',
      'nmae: A # its name',
      'description: Does one thing well.',
      "version: '1.0'",
      '"lifecycle": {status: Actve}',
      'data_classification:',
      '  sensitivity: >-',
      '    publc',
      'tools:',
      '  - name: a',
      '    description: b',
      '    readOnly: "true"',
      '',
    ].join('\n')
    const apply = (text: string) => {
      const edits = validate(text, { now: NOW }).diagnostics.flatMap(({ fix }) => fix?.edits ?? [])
      return [...edits]
        .sort((a, b) => b.offset - a.offset)
        .reduce(
          (mended, { offset, endOffset, text: by }) => mended.slice(0, offset) + by + mended.slice(endOffset),
          text,
        )
    }
    // A misspelt member is only checked once it has its right name.
    const mended = apply(apply(source))
    expect(validate(mended, { now: NOW }).diagnostics.map(({ rule }) => rule)).toEqual(['VAL-25'])
    expect(mended).toBe(
      [
        '# The agent of the day',
        '$schema: https://adl-spec.org/0.1/schema.json',
        'adl_spec: "0.1.0"',
        'name: A # its name',
        'description: Does one thing well.',
        'version: "1.0.0"',
        '"lifecycle": {status: "active"}',
        'data_classification:',
        '  sensitivity: >-',
        '    publc',
        'tools:',
        '  - name: a',
        '    description: b',
        '    read_only: true',
        '',
      ].join('\n'),
    )
  })
})

describe('options', () => {
  const odd = { permissions: { environment: { allowed_variables: ['A_*_B'] }, execution: { allow_shell: true } } }
  const severities = (options: object) => findings(odd, options).map(({ rule, severity }) => `${rule} ${severity}`)

  test('select rulesets', () => {
    expect(severities({})).toEqual(['mid-wildcard warning', 'allow-shell warning'])
    expect(severities({ ruleset: 'spec' })).toEqual(['mid-wildcard warning'])
    expect(severities({ ruleset: 'strict' })).toEqual(['mid-wildcard error', 'allow-shell warning'])
    expect(severities({ ruleset: 'security' })).toEqual(['mid-wildcard warning', 'allow-shell error'])
  })

  test('set severities of rules by id and by code', () => {
    expect(severities({ rules: { 'mid-wildcard': 'error', 'BADL-119': 'off' } })).toEqual(['mid-wildcard error'])
    expect(findings({ version: '1' }, { rules: { 'ADL-1006': 'warning' } })).toMatchObject([{ severity: 'warning' }])
    expect(findings({ other: 1 }, { rules: { 'undefined-member': 'off' } })).toEqual([])
  })

  test('[adl/14.3-1] undefined members are errors, optionally warnings, and not judged with an unknown profile', () => {
    const unknown = { profiles: ['https://example.com/profiles/fleet'], fleet: { size: 3 } }
    expect(findings({ fleet: 1 })).toMatchObject([{ rule: 'undefined-member', severity: 'error' }])
    expect(findings({ fleet: 1 }, { undefinedMembers: 'warning' })).toMatchObject([{ severity: 'warning' }])
    expect(findings(unknown)).toMatchObject([
      { code: 'ADL-3002', severity: 'warning' },
      { rule: 'undefined-member', severity: 'warning' },
    ])
    expect(findings(unknown)[1]?.detail).toMatch(/not judged/)
    expect(findings(unknown, { ruleset: 'strict' })[1]).toMatchObject({ severity: 'error' })
  })

  test('[adl/14.3-2] members with x_ are accepted in every ruleset', () => {
    for (const ruleset of ['spec', 'recommended', 'strict', 'security'] as const)
      expect(told({ x_acme: {} }, { ruleset })).toEqual([])
  })
})

describe('limits', () => {
  test('[adl/18.5-1] are those that section 18.5 recommends', () => {
    expect(LIMITS).toEqual({ documentBytes: 1_048_576, depth: 32, entries: 1000, textBytes: 1_048_576, patterns: 500 })
  })

  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

  test.each([
    ['DOC-113', { x_deep: nested(32) }, ''],
    ['DOC-114', { x_long: 'x'.repeat(1_048_576) }, ''],
    ['DOC-116', { tools: Array.from({ length: 1001 }, (_, i) => tool(`t${i}`)) }, '/tools'],
    ['DOC-116', { resources: Array.from({ length: 1001 }, (_, i) => ({ name: `r${i}`, type: 'api' })) }, '/resources'],
    ['DOC-116', { prompts: Array.from({ length: 1001 }, (_, i) => ({ name: `p${i}`, template: 'x' })) }, '/prompts'],
    [
      'DOC-118',
      { permissions: { network: { allowed_hosts: Array(501).fill('a.example.com') } } },
      '/permissions/network/allowed_hosts',
    ],
    [
      'DOC-118',
      { permissions: { filesystem: { allowed_paths: Array(501).fill({ path: '/a', access: 'read' }) } } },
      '/permissions/filesystem/allowed_paths',
    ],
  ])('[adl/18.5-1] [adl/18.5-2] %s ends the check', (code, members, pointer) => {
    const found = findings({ ...members, version: 'wrong' })
    expect(found).toMatchObject([{ code, severity: 'error' }])
    if (pointer !== '') expect(found[0]?.source.pointer).toBe(pointer)
  })

  test('[adl/18.5-1] accept documents within them', () => {
    expect(told({ x_deep: nested(31) })).toEqual([])
    expect(told({ tools: Array.from({ length: 1000 }, (_, i) => tool(`t${i}`)) })).toEqual([])
    expect(told({ permissions: { network: { allowed_hosts: Array(500).fill('a.example.com') } } })).toEqual([])
  })

  test('[adl/18.5-1] apply to texts when larger documents are allowed', () => {
    const limits = { documentBytes: 1 << 22 }
    const long = 'é'.repeat(524_289)
    expect(findings({ system_prompt: long }, { limits })).toMatchObject([
      { code: 'DOC-117', source: { pointer: '/system_prompt' } },
    ])
    expect(findings({ description: long }, { limits })).toMatchObject([{ code: 'DOC-117' }])
    expect(told({ description: `${long.slice(1)} .` }, { limits: { ...limits, textBytes: 1 << 21 } })).toEqual([])
  })

  test('finds a credential in every spelling', () => {
    const spelled = text({ x_acme: 'KEY' }).replace('"KEY"', `"\\u0041KIA${'IOSFODNN7EXAMPLE'}"`)
    expect(validate(spelled, { now: NOW }).diagnostics).toMatchObject([{ rule: 'secret' }])
  })
})
