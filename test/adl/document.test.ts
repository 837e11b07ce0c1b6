// Sections 4 to 6 of ADL: the document, its core members, lifecycle and identity. The expected findings follow the
// text.
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { CLEAN, findings, NOW, told } from './support.ts'

type Row = readonly [title: string, members: object, expected: readonly string[]]

const holds = (rows: readonly Row[]) =>
  test.each(rows)('%s', (_, members, expected) => expect(told(members)).toEqual(expected))

describe('the document', () => {
  test('[adl/4.1-1] [adl/14.1-2] is JSON in UTF-8', () => {
    const cut = validate(Uint8Array.of(0x7b, 0x22, 0xe2, 0x82, 0x22, 0x7d), { file: 'a.json' }).diagnostics
    expect(cut.map(({ code, rule }) => [code, rule])).toEqual([['ADL-1001', 'json/utf-8']])
  })

  test.each(['', ' \n', '\ufeff'])('[adl/14.1-2] %j is not valid JSON', (source) => {
    const { valid, diagnostics } = validate(source)
    expect([valid, diagnostics.at(-1)]).toMatchObject([false, { code: 'ADL-1001', source: { pointer: '' } }])
  })

  test('[adl/17.1-1] a byte order mark is ignored with a warning', () => {
    const { valid, diagnostics } = validate(`\ufeff${JSON.stringify(CLEAN)}`, { now: NOW })
    expect(valid).toBe(true)
    expect(diagnostics.map(({ severity, rule }) => [severity, rule])).toEqual([['warning', 'json/byte-order-mark']])
  })

  test('[adl/4.1-4] YAML is checked as the JSON that it stands for, with findings at places in the YAML', () => {
    const yaml =
      'adl_spec: "0.1.0"\nname: A\ndescription: Does one thing and does it well.\nversion: "1.0"\ndata_classification:\n  sensitivity: publik\n'
    const { diagnostics } = validate(yaml, { ruleset: 'spec' })
    expect(diagnostics.map(({ rule, source }) => [rule, source.pointer, source.line, source.column])).toEqual([
      ['value-pattern', '/version', 4, 10],
      ['VAL-25', '/data_classification/sensitivity', 6, 16],
    ])
    const offset = yaml.indexOf('publik')
    expect(diagnostics[1]?.fix?.edits).toEqual([{ offset, endOffset: offset + 6, text: '"public"' }])
  })

  test.each(['[]', '"adl"', 'null', '7'])('[adl/4.2-1] [adl/14.1-1] must be an object: %s is refused', (source) => {
    expect(validate(source, { format: 'json' }).diagnostics).toMatchObject([
      { code: 'ADL-1002', source: { pointer: '' } },
    ])
  })

  test('[adl/4.2-2] has five required members', () => {
    expect(validate('{}').diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject(
      ['adl_spec', 'name', 'description', 'version', 'data_classification'].map((name) => ({
        code: 'ADL-1003',
        detail: `Required member '${name}' is missing`,
        source: { pointer: '', line: 1, column: 1 },
      })),
    )
  })

  holds([
    ['[adl/4.2-3] has no undefined members', { permision: {} }, ['undefined-member /permision']],
    [
      '[adl/4.2-3] has no undefined members in its objects',
      { provider: { name: 'A', phone: '1' } },
      ['undefined-member /provider/phone'],
    ],
    [
      'inherited members do not count as present',
      { lifecycle: JSON.parse('{"status": "draft", "__proto__": {}}') },
      ['undefined-member /lifecycle/__proto__'],
    ],
    ['[adl/4.3-3] extension members are accepted', { x_acme_cost_center: 'engineering' }, []],
    [
      '[adl/4.3-1] other unknown members are refused',
      { acme_cost_center: 'engineering' },
      ['undefined-member /acme_cost_center'],
    ],
    [
      '[adl/4.3-4] extension members are accepted in any object',
      {
        provider: { name: 'A', x_a: 1 },
        permissions: { x_b: 1, filesystem: { allowed_paths: [{ path: '/a', access: 'read', x_c: 1 }] } },
      },
      [],
    ],
    ['[adl/4.3-5] extension names may begin with a digit after x_', { x_1a: 1, x__a: 1 }, []],
    [
      '[adl/4.3-5] extension names have only lowercase letters, digits and underscores',
      { x_Acme: 1, 'x-acme': 1, x_: 1 },
      ['undefined-member /x_Acme', 'undefined-member /x-acme', 'undefined-member /x_'],
    ],
    ['[adl/5.3-1] has a nonempty name', { name: '' }, ['empty-value /name']],
    ['[adl/5.3-1] has a name that is a string', { name: 5 }, ['member-type /name']],
    ['[adl/5.4-1] has a nonempty description', { description: '' }, ['empty-value /description']],
    ['[adl/5.4-2] has a description that says something', { description: 'Agent' }, ['thin-description /description']],
    ['[adl/5.5-1] has a version of three numbers', { version: '2.0' }, ['value-pattern /version']],
    ['[adl/5.5-1] has a version without a pre-release', { version: '2.0.0-rc.1' }, ['value-pattern /version']],
    ['[adl/5.2-1] should name its schema', { $schema: undefined }, ['schema-member ']],
    ['[adl/5.2-1] may name its schema by a relative reference', { $schema: '../schema.json' }, []],
    ['[adl/5.2-1] must name its schema by a valid reference', { $schema: 'a b' }, ['VAL-06 /$schema']],
  ])

  test.each([
    ['systemPrompt', 'system_prompt'],
    ['dataClassification', 'data_classification'],
    ['tool', 'tools'],
    ['permisions', 'permissions'],
  ])('[adl/4.1-2] names are snake_case: %s suggests %s', (name, meant) => {
    const { [meant as 'name']: _, ...rest } = CLEAN as Record<string, unknown>
    const diagnostics = validate(JSON.stringify({ ...rest, [name]: {} }), { now: NOW }).diagnostics
    const [edit] = diagnostics.flatMap(({ fix }) => fix?.edits ?? [])
    expect(edit?.text).toBe(`"${meant}"`)
  })

  test('a misspelled required member is one finding, with the fix', () => {
    const { name, ...rest } = CLEAN
    const [finding, ...others] = validate(JSON.stringify({ nmae: name, ...rest }), { now: NOW }).diagnostics
    expect(others).toEqual([])
    expect(finding).toMatchObject({ code: 'ADL-1003', source: { pointer: '/nmae', offset: 1, endOffset: 7 } })
    expect(finding?.fix?.edits).toEqual([{ offset: 1, endOffset: 7, text: '"name"' }])
  })
})

describe('the version of ADL', () => {
  test.each([
    ['0.1.0', true],
    ['0.1.9', true],
    ['0.1.17', true],
    ['0.0.9', false],
    ['0.2.0', false],
    ['0.10.0', false],
    ['1.0.0', false],
    ['0.1.0-draft', false],
    ['01.0.0', false],
    ['0.1', false],
    ['v0.1.0', false],
    ['', false],
  ])('[adl/5.1-1] [adl/5.1-2] [adl/5.1-3] [adl/5.1-4] %s: %s', (version, accepted) => {
    expect(findings({ adl_spec: version }).map(({ code, source }) => [code, source.pointer])).toEqual(
      accepted ? [] : [['ADL-2001', '/adl_spec']],
    )
  })

  test('[adl/5.1-2] a document of a later version gets hints about changed members, and valid members of that version are not reported', () => {
    const [finding, ...others] = findings({ adl_spec: '0.2.0', extensions: { 'com.acme': {} } })
    expect(others).toEqual([])
    expect(finding?.detail).toMatch(/extensions/)
    expect(findings({ adl_spec: '0.3.0' })[0]?.detail).toMatch(/sub-agents/)
  })

  test('a number has the wrong type', () => {
    expect(findings({ adl_spec: 0.1 })).toMatchObject([{ code: 'ADL-1004' }])
  })
})

describe('lifecycle', () => {
  const successor = 'https://acme.example.com/agents/new'
  const lifecycle = (members: object) => ({ lifecycle: { status: 'active', ...members } })

  holds([
    ['[adl/5.6-1] is an object', { lifecycle: 'active' }, ['member-type /lifecycle']],
    ['[adl/5.6-1] has a status', { lifecycle: {} }, ['missing-member /lifecycle']],
    ['[adl/5.6-2] has the status draft', lifecycle({ status: 'draft' }), []],
    ['[adl/5.6-2] has the status active', lifecycle({}), []],
    ['[adl/5.6-2] has the status retired', lifecycle({ status: 'retired', successor }), []],
    ['[adl/5.6-2] has one of four statuses', lifecycle({ status: 'Active' }), ['VAL-09 /lifecycle/status']],
    [
      '[adl/5.6-4] took effect at a time with an offset',
      lifecycle({ effective_date: '2026-01-15T00:00:00' }),
      ['VAL-10 /lifecycle/effective_date'],
    ],
    [
      '[adl/5.6-4] [adl/4.1-3] took effect on a valid date',
      lifecycle({ effective_date: '2026-02-30T00:00:00Z' }),
      ['VAL-10 /lifecycle/effective_date'],
    ],
    [
      '[adl/5.6-5] has a sunset date with an offset',
      lifecycle({ sunset_date: 'next year' }),
      ['VAL-11 /lifecycle/sunset_date'],
    ],
    [
      '[adl/5.6-6] warns of a sunset within 30 days',
      lifecycle({ sunset_date: '2026-03-19T23:59:59Z' }),
      ['sunset-soon /lifecycle/sunset_date'],
    ],
    [
      '[adl/5.6-6] warns of a sunset in exactly 30 days',
      lifecycle({ sunset_date: '2026-03-20T00:00:00Z' }),
      ['sunset-soon /lifecycle/sunset_date'],
    ],
    ['[adl/5.6-6] does not warn of a later sunset', lifecycle({ sunset_date: '2026-03-20T00:00:01Z' }), []],
    [
      'takes the offset into account',
      lifecycle({ sunset_date: '2026-03-20T00:00:01+01:00' }),
      ['sunset-soon /lifecycle/sunset_date'],
    ],
    ['in the past', lifecycle({ sunset_date: '2026-02-17T00:00:00Z' }), ['sunset-past /lifecycle/sunset_date']],
    [
      'in the past, deprecated',
      lifecycle({ status: 'deprecated', successor, sunset_date: '2026-02-17T00:00:00Z' }),
      ['sunset-past /lifecycle/sunset_date'],
    ],
    ['in the past, retired', lifecycle({ status: 'retired', successor, sunset_date: '2026-02-17T00:00:00Z' }), []],
    ['a leap second', lifecycle({ sunset_date: '2016-12-31T23:59:60Z' }), ['sunset-past /lifecycle/sunset_date']],
    [
      '[adl/5.6-7] has a successor that is a URI',
      lifecycle({ status: 'retired', successor: 'new one' }),
      ['VAL-12 /lifecycle/successor'],
    ],
    [
      '[adl/5.6-7] may have a successor that is a URN',
      lifecycle({ status: 'retired', successor: 'urn:adl:agent:acme:new:1.0.0' }),
      [],
    ],
    [
      '[adl/5.6-8] should have a successor when deprecated',
      lifecycle({ status: 'deprecated' }),
      ['successor-missing /lifecycle/status'],
    ],
    [
      '[adl/5.6-9] should have no successor when active',
      lifecycle({ successor }),
      ['successor-active /lifecycle/successor'],
    ],
    [
      '[adl/5.6-9] should have no successor as a draft',
      lifecycle({ status: 'draft', successor }),
      ['successor-active /lifecycle/successor'],
    ],
    ['[adl/5.6-3] may be absent', {}, []],
  ])
})

describe('identity', () => {
  const key = (value: string, algorithm = 'Ed25519') => ({
    cryptographic_identity: { public_key: { algorithm, value } },
  })
  // The example of section 6.3.
  const SPKI = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='

  holds([
    ['[adl/6.1-1] [adl/4.1-5] id may be a URI', { id: 'https://acme.example.com/agents/a' }, []],
    ['[adl/6.1-1] id may be a DID', { id: 'did:web:acme.example.com:agents:a' }, []],
    ['[adl/6.1-1] id may be a URN', { id: 'urn:adl:acme:a:1.0.0' }, []],
    ['[adl/6.1-1] id may not be plain text', { id: 'invoice processor' }, ['VAL-06 /id']],
    ['[adl/6.1-1] id may not be a relative reference', { id: '/agents/a' }, ['VAL-06 /id']],
    [
      '[adl/6.1-2] a URN may accompany a DID',
      { id: 'urn:adl:acme:a:1.0.0', cryptographic_identity: { did: 'did:web:acme.example.com' } },
      ['urn-primary /id'],
    ],
    ['[adl/17.3-1] a URN has a fixed form', { id: 'urn:adl:agent:acme:a:1.0.0' }, []],
    ['[adl/17.3-1] a URN has lowercase names', { id: 'urn:adl:agent:Acme:a:1.0.0' }, ['adl-urn /id']],
    ['[adl/17.3-1] a URN has all its parts', { id: 'urn:adl:a' }, ['adl-urn /id']],
    ['[adl/17.3-1] other namespaces are not judged', { id: 'urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66' }, []],
    ['[adl/6.2-1] a provider has a name', { provider: {} }, ['missing-member /provider']],
    ['[adl/6.2-1] a provider has a nonempty name', { provider: { name: '' } }, ['empty-value /provider/name']],
    ['[adl/6.2-1] a provider has a valid URL', { provider: { name: 'A', url: 'acme' } }, ['VAL-06 /provider/url']],
    [
      '[adl/6.2-1] a provider has a valid mail address',
      { provider: { name: 'A', contact: 'acme' } },
      ['value-pattern /provider/contact'],
    ],
    ['[adl/18.9-1] a contact may be a role', { provider: { name: 'A', contact: 'ai-platform@acme.example.com' } }, []],
    [
      '[adl/18.9-1] a contact should not be a person',
      { provider: { name: 'A', contact: 'ada.lovelace@acme.example.com' } },
      ['personal-contact /provider/contact'],
    ],
    [
      '[adl/18.9-1] a contact should not be a personal mailbox',
      { metadata: { authors: [{ email: 'acme-agents@gmail.com' }] } },
      ['personal-contact /metadata/authors/0/email'],
    ],
    [
      '[adl/6.3-1] has a DID or a key',
      { cryptographic_identity: { x_a: 1 } },
      ['identity-key /cryptographic_identity'],
    ],
    [
      'a DID must be valid',
      { cryptographic_identity: { did: 'did:web:' } },
      ['did-syntax /cryptographic_identity/did'],
    ],
    ['[adl/6.1-1] a DID must also be valid as the identifier', { id: 'did:web:' }, ['did-syntax /id']],
    ['a DID may be the identifier', { id: 'did:web:acme.example.com:agents:scout' }, []],
    [
      '[adl/6.3-2] a key has an algorithm and a value',
      { cryptographic_identity: { public_key: {} } },
      ['missing-member /cryptographic_identity/public_key', 'missing-member /cryptographic_identity/public_key'],
    ],
    ['[adl/6.3-2] a key is in base64', key('not base64!'), ['key-encoding /cryptographic_identity/public_key/value']],
    ['[adl/6.3-2] accepts the example of the text', key(SPKI), []],
    ['[adl/6.3-3] DSA is weak', key('AA==', 'DSA'), ['weak-key /cryptographic_identity/public_key']],
  ])
})
