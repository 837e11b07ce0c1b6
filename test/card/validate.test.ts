import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Card, validate as validateCard } from '../../bindings/card/index.ts'
import { readUint64 } from '../../bindings/card/subject.ts'
import { type Document, parse, validate } from '../../bindings/index.ts'
import { CLEAN, findings, NOW, told, withMembers } from './clean.ts'

const EXAMPLE = readFileSync('fixtures/card/translator-zh-en.json', 'utf8')
const MINIMAL = '{"id": "agent://scout", "name": "Scout"}'

describe('the complete example of section 3.9', () => {
  const report = validate(EXAMPLE, { now: NOW })

  test('[card/3.1-2] is a valid card', () => {
    expect(report).toMatchObject({ valid: true, kind: 'card' })
  })

  test('[card/3.5-23] has two methods without a tool, and neither a signature nor a seq', () => {
    expect(report.diagnostics.map(({ severity, rule, source }) => [severity, rule, source.pointer])).toEqual([
      ['warning', 'no-seq', ''],
      ['warning', 'no-signature', ''],
      ['info', 'endpoint-method', '/endpoints/0/methods/1'],
      ['info', 'endpoint-method', '/endpoints/0/methods/2'],
    ])
  })
})

describe('a minimal card', () => {
  test('[card/3.1-2] is valid, with advice only', () => {
    const { valid, diagnostics } = validateCard(MINIMAL, { now: NOW })
    expect(valid).toBe(true)
    expect(diagnostics.map(({ rule }) => rule).sort()).toEqual([
      'hard-to-find',
      'no-created-at',
      'no-seq',
      'no-signature',
    ])
  })

  test('[card/6.4-2] is not a revocation: that needs both lists, empty', () => {
    const revokes = (members: object) => told(members).some((finding) => finding.startsWith('revocation'))
    expect(revokes({ tools: [], endpoints: [] })).toBe(true)
    expect(revokes({ tools: undefined, endpoints: undefined })).toBe(false)
    expect(told({ tools: [] })).toEqual(['empty-member /tools'])
    expect(told({ tools: [], endpoints: undefined })).toEqual(['empty-member /tools'])
  })

  test.each(['id', 'name'])('[card/3.1-2] is invalid without %s', (name) => {
    expect(told({ [name]: undefined })).toEqual(['missing-member '])
  })
})

describe('ids', () => {
  test.each([
    'agent://translator-zh-en',
    'agent://translate/zh-en',
    'agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV',
  ])('[card/3.1-3] %s', (id) => {
    expect(told({ id })).toEqual([])
    const card = new Card(parse(withMembers({ id })).document as Document)
    expect(card.id?.value).toBe(id)
  })

  test.each([
    '',
    'translator',
    'https://example.com',
    'agent:translator',
    'agent://',
    'agent:///a',
    'AGENT://a',
    'agent://a b',
    'agent://a//b',
  ])('[card/3.1-3] refuses the id %j', (id) => {
    expect(told({ id })).toEqual(['agent-id /id'])
  })
})

describe('seq', () => {
  const seqOf = (text: string) => {
    const source = withMembers({ seq: 1 }).replace('"seq":1', `"seq":${text}`)
    const { document } = parse(source)
    return { seq: new Card(document as Document).seq?.value, report: validateCard(source, { now: NOW }) }
  }

  test.each([
    ['0', 0n],
    ['18446744073709551615', 18446744073709551615n],
    ['9007199254740993', 9007199254740993n],
    ['1.5e3', 1500n],
    ['10.00', 10n],
    ['-0', 0n],
    ['1844674407370955161500e-2', 18446744073709551615n],
  ])('[card/3.1-6] accepts %s', (text, expected) => {
    const { seq, report } = seqOf(text)
    expect(seq).toBe(expected)
    expect(report.valid).toBe(true)
  })

  test.each(['18446744073709551616', '1.5', '-1', '1e20', '1.00000000000000000000001', '"1"', 'null', 'true', '[1]'])(
    '[card/3.1-6] refuses %s',
    (text) => {
      const { seq, report } = seqOf(text)
      expect(seq).toBeUndefined()
      expect(report.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toHaveLength(1)
    },
  )

  test('[card/3.1-6] keeps every digit in YAML as well', () => {
    const { document } = parse('id: agent://scout\nname: Scout\nseq: 18446744073709551615\n', { format: 'yaml' })
    expect(new Card(document as Document).seq?.value).toBe(18446744073709551615n)
  })

  test('[card/3.1-6] parses every notation of an integer exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 66n }), fc.nat(30), (value, shift) => {
        const expected = value < 2n ** 64n ? value : undefined
        const digits = String(value).padStart(shift + 1, '0')
        const whole = digits.slice(0, digits.length - shift) || '0'
        expect(readUint64(`${value}${'0'.repeat(shift)}e-${shift}`)).toBe(expected)
        expect(readUint64(`${BigInt(whole)}.${digits.slice(digits.length - shift)}0e${shift}`)).toBe(expected)
        expect(readUint64(`${value}.5`)).toBeUndefined()
      }),
    )
  })
})

describe('members of a card', () => {
  test('[card/3.1-1] [card/3.4-5] [card/3.8-4] undefined members cause no findings', () => {
    const other = { x: null, constructor: [], toString: 1, 'a/b~c': {}, $schema: 'https://example.com' }
    const source = withMembers({
      ...other,
      tools: [{ name: 'translate', ...other }],
      endpoints: [{ protocol: 'aitp', uri: 'agent://scout', ...other }],
      constraints: { max_input_tokens: 1, ...other },
      metadata: { ...CLEAN.metadata, ...other },
      extensions: { 'unheard.of': { ...other, anything: [null] } },
    }).replace('"x":null', '"__proto__":{"id":1}')
    expect(validateCard(source, { now: NOW })).toEqual({ valid: true, kind: 'card', diagnostics: [] })
  })

  test.each([
    ['name', 1],
    ['description', null],
    ['version', 1.2],
    ['skills', 'python'],
    ['tools', {}],
    ['endpoints', 'wss://a'],
    ['constraints', []],
    ['did', {}],
    ['metadata', '2026'],
    ['extensions', []],
    ['seq', '1'],
    ['signature', null],
  ])('[card/3.1-5] %s must have the right type', (name, value) => {
    expect(told({ [name]: value })).toEqual([`member-type /${name}`])
  })

  test.each([
    ['description', 1],
    ['input_schema', true],
    ['output_schema', []],
    ['streaming', 'true'],
    ['idempotent', 0],
  ])('[card/3.4-4] %s of a tool must have the right type', (name, value) => {
    expect(told({ tools: [{ name: 'a', [name]: value }] })).toEqual([`member-type /tools/0/${name}`])
  })

  test.each([
    [[], 'member-type /endpoints/0'],
    [{ uri: 'agent://a' }, 'missing-member /endpoints/0'],
    [{ protocol: 'aitp' }, 'missing-member /endpoints/0'],
    [{ protocol: 'aitp', uri: 'agent://a', methods: 'a' }, 'member-type /endpoints/0/methods'],
    [{ protocol: 'aitp', uri: 'agent://a', priority: 1.5 }, 'member-type /endpoints/0/priority'],
    [{ protocol: 'aitp', uri: 'agent://a', auth: [] }, 'member-type /endpoints/0/auth'],
  ])('[card/3.5-20] [card/3.5-23] refuses the endpoint %j', (endpoint, finding) => {
    expect(told({ endpoints: [endpoint] })).toEqual([finding])
  })

  test.each([
    [{ max_concurrent_tasks: '3' }, 'member-type /constraints/max_concurrent_tasks'],
    [{ max_input_tokens: 1.5 }, 'member-type /constraints/max_input_tokens'],
    [{ max_input_tokens: -5 }, 'number-range /constraints/max_input_tokens'],
    [{ supported_languages: 'zh' }, 'member-type /constraints/supported_languages'],
    [{ supported_languages: ['zh', 1] }, 'member-type /constraints/supported_languages/1'],
    [{ rate_limit: 60 }, 'member-type /constraints/rate_limit'],
  ])('[card/3.7-20] refuses the constraints %j', (constraints, finding) => {
    expect(told({ constraints })).toEqual([finding])
  })

  test.each([
    [{ updated_at: '2026-13-01T00:00:00Z' }, 'timestamp /metadata/updated_at'],
    [{ updated_at: '2026-03-01T00:00:00' }, 'timestamp /metadata/updated_at'],
    [{ ttl: -1 }, 'number-range /metadata/ttl'],
    [{ ttl: '1 h' }, 'member-type /metadata/ttl'],
  ])('[card/3.1-5] refuses the metadata %j', (members, finding) => {
    expect(told({ metadata: { ...CLEAN.metadata, ...members } })).toEqual([finding])
  })

  test('[card/6.1-1] [card/3.1-7] created_at is recommended, and a DID does not replace the id', () => {
    expect(told({ metadata: undefined })).toEqual(['no-created-at '])
    expect(told({ did: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' })).toEqual([])
    expect(told({ did: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', id: undefined })).toEqual([
      'missing-member ',
    ])
  })

  test('[card/3.8-1] [card/3.8-2] extensions are objects with names of a fixed form', () => {
    expect(told({ extensions: { 'com.example': 1 } })).toEqual(['member-type /extensions/com.example'])
    expect(told({ extensions: { 'clawnet.reputation': {}, clawnet: {} } })).toEqual([])
    for (const name of ['', 'Acme', 'acme..x', '.acme', 'acme.', 'https://acme.example.com', 'a b']) {
      expect(findings({ extensions: { [name]: {} } }).map(({ rule }) => rule)).toEqual(['extension-namespace'])
    }
  })
})

describe('tools and endpoints', () => {
  test('[card/3.4-2] names have at most 255 UTF-8 octets', () => {
    const of = (name: string) => told({ tools: [{ name }] })
    expect(of('a'.repeat(255))).toEqual([])
    expect(of('a'.repeat(256))).toEqual(['tool-name /tools/0/name'])
    expect(of('語'.repeat(85))).toEqual([])
    expect(of('語'.repeat(86))).toEqual(['tool-name /tools/0/name'])
    expect(of('😀'.repeat(64))).toEqual(['tool-name /tools/0/name'])
  })

  test('[card/3.4-1] names are not empty and not duplicate', () => {
    expect(told({ tools: [{ name: '' }] })).toEqual(['empty-value /tools/0/name'])
    const [finding] = findings({ tools: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] })
    expect(finding).toMatchObject({ severity: 'warning', related: [{ pointer: '/tools/0/name' }] })
  })

  test('[card/3.4-3] schemas must be valid for draft 2020-12', () => {
    const of = (members: object) => told({ tools: [{ name: 'a', ...members }] })
    expect(of({ input_schema: {}, output_schema: { type: 'string' } })).toEqual([])
    expect(of({ input_schema: { minimum: 'x' } })).toEqual(['tool-schema /tools/0/input_schema/minimum'])
    expect(of({ output_schema: { $ref: '#/$defs/a' } })).toHaveLength(1)
  })

  test('[card/3.5-21] an endpoint with an unknown protocol gets a note and is not checked', () => {
    const endpoints = [{ protocol: 'carrier-pigeon', uri: 'third window from the left' }]
    const report = validateCard(withMembers({ endpoints }), { now: NOW })
    expect(report.valid).toBe(true)
    expect(report.diagnostics).toMatchObject([{ severity: 'info', rule: 'endpoint-protocol' }])
  })

  test.each([
    ['aitp', 'agent://translator-zh-en', []],
    ['http+json', 'https://api.example.com/v1', []],
    ['grpc', 'grpc://api.example.com:443', []],
    ['ws', 'wss://api.example.com/ws', []],
    ['aitp', 'https://api.example.com', ['endpoint-scheme']],
    ['http+json', 'wss://api.example.com', ['endpoint-scheme']],
    ['ws', 'not a URI', ['endpoint-uri']],
    ['aitp', 'agent://a b', ['endpoint-uri']],
    ['http+json', 'http://api.example.com', ['cleartext-endpoint']],
  ])('[card/3.5-20] %s at %s', (protocol, uri, rules) => {
    expect(findings({ endpoints: [{ protocol, uri }] }).map(({ rule }) => rule)).toEqual(rules)
  })

  test.each(['none', 'bearer', 'mutual_tls', 'aitp_signed'])('[card/3.5-22] auth %s', (auth) => {
    expect(told({ endpoints: [{ protocol: 'aitp', uri: 'agent://a', auth }] })).toEqual([])
  })

  test('[card/3.5-22] another auth gets a warning', () => {
    const [finding] = findings({ endpoints: [{ protocol: 'aitp', uri: 'agent://a', auth: 'mutual-tls' }] })
    expect(finding).toMatchObject({
      rule: 'endpoint-auth',
      severity: 'warning',
      fix: { hint: 'did you mean mutual_tls?' },
    })
  })
})

describe('tags, languages and limits', () => {
  test.each([
    ['python', undefined],
    ['c++', 'skill-spelling'],
    ['node.js', undefined],
    ['nlp/text-analysis/sentiment', undefined],
    ['Python', 'skill-form'],
    ['machine_learning', 'skill-form'],
    ['nlp/Text Analysis', 'skill-form'],
    ['nlp/übersetzung', 'skill-form'],
    ['nlp//translation', 'skill-path'],
    ['nlp/', 'skill-path'],
    ['*', 'skill-path'],
    ['', 'skill-path'],
    ['cooking/baking', 'skill-category'],
  ])('[card/3.6-1] [card/3.6-2] [card/3.6.1-20] the tag %j', (tag, rule) => {
    expect(told({ skills: [tag] })).toEqual(rule === undefined ? [] : [`${rule} /skills/0`])
  })

  test('[card/3.7-21] languages must be in ISO 639-1', () => {
    const of = (code: string) => findings({ constraints: { supported_languages: [code] } })
    for (const code of ['zh', 'en', 'ja']) expect(of(code)).toEqual([])
    for (const code of ['', 'xx', 'eng', 'zh-CN', 'English'])
      expect(of(code)).toMatchObject([{ rule: 'language', severity: 'error' }])
    expect(of('zh-CN')[0]?.fix?.hint).toBe("write 'zh'")
  })

  test('[card/3.7-22] a rate limit that cannot be parsed gets a warning', () => {
    const of = (limit: string) => findings({ constraints: { rate_limit: limit } })
    for (const limit of ['60/min', '1/s', '5 requests per 10 seconds', '1000/day', '10 / hour'])
      expect(of(limit)).toEqual([])
    for (const limit of ['', 'many', '0/min', '60', '60/fortnight', '-1/s']) {
      expect(of(limit)).toMatchObject([{ rule: 'rate-limit', severity: 'warning' }])
    }
  })
})

describe('size', () => {
  const card = (octets: number) => {
    const source = withMembers({ description: '', extensions: { 'com.example': { a: 'b'.repeat(20_000) } } })
    return source.replace('"description":""', `"description":"${'x'.repeat(octets - source.length)}"`)
  }

  test('[card/7.6-1] a card may have 65,535 octets, but not one more', () => {
    expect(validateCard(card(65_535), { now: NOW }).diagnostics).toEqual([])
    expect(validateCard(card(65_536), { now: NOW }).diagnostics).toMatchObject([
      { rule: 'card-size', severity: 'error' },
    ])
  })

  test('[card/7.6-1] the finding names the largest members, and the parts of a dominant one', () => {
    const [finding] = validateCard(card(65_536), { now: NOW }).diagnostics
    expect(finding?.related?.slice(0, 2).map(({ pointer }) => pointer)).toEqual(['/description', '/extensions'])
    const tools = Array.from({ length: 20 }, (_, i) => ({
      name: `t${i}`,
      description: 'x'.repeat(i === 7 ? 9000 : 4000),
    }))
    const [other] = findings({ tools })
    expect(other?.related?.[0]).toMatchObject({ pointer: '/tools/7' })
    expect(other?.detail).toContain('/tools/7 9')
  })

  test('[card/7.6-1] white space counts, and the finding gives the size without it', () => {
    const padded = withMembers({}).replace('{', `{${' '.repeat(70_000)}`)
    const [finding] = validateCard(padded, { now: NOW }).diagnostics
    expect(finding?.fix?.hint).toBe(`without white space it has ${withMembers({}).length}: blazon fmt --compact`)
  })

  test('[card/7.6-2] [card/6.4-1] empty members get a finding, except those that revoke', () => {
    expect(told({ description: '', skills: [], extensions: {}, constraints: {} }).sort()).toEqual([
      'empty-member /constraints',
      'empty-member /description',
      'empty-member /extensions',
      'empty-member /skills',
    ])
    expect(told({ tools: [], endpoints: [] })).toEqual(['revocation /tools'])
  })
})

describe('what a card reveals', () => {
  test('reports credentials, but not ids that are keys, signatures, or random text in extensions', () => {
    const token = ['ghp', 'A'.repeat(18), '1'.repeat(18)].join('_')
    expect(told({ description: `Use ${token}.` })).toEqual(['secret /description'])
    expect(told({ extensions: { 'a.b': { token } } })).toEqual(['secret /extensions/a.b/token'])
    const random = '5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc'
    expect(told({ extensions: { 'a.b': { proof: random } } })).toEqual([])
    expect(told({ did: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' })).toEqual([])
    const peer = 'agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV'
    expect(told({ id: peer, endpoints: [{ protocol: 'aitp', uri: peer }] })).toEqual([])
  })

  test.each(['https://localhost:8080', 'wss://10.0.0.5/ws', 'https://build.internal/a', 'https://[::1]/a'])(
    'reports the private host of %s',
    (uri) => {
      const protocol = uri.startsWith('w') ? 'ws' : 'http+json'
      expect(told({ endpoints: [{ protocol, uri }] })).toEqual(['private-host /endpoints/0/uri'])
    },
  )
})

describe('the report', () => {
  test('offers no edit for a signed card, because the signature would become invalid', () => {
    const fix = findings({ skills: ['Python'] })[0]?.fix
    expect(fix).toEqual({ hint: 'write "python"' })
    expect(
      findings({ skills: ['Python'], signature: undefined }).find(({ rule }) => rule === 'skill-form')?.fix?.edits,
    ).toHaveLength(1)
  })

  test('fixes YAML and leaves everything else unchanged', () => {
    const source =
      'id: agent://scout # the id\nname: Scout\nskills:\n  - Machine Learning # mine\n  - "NLP/Translation"\n'
    const edits = validateCard(source, { now: NOW, format: 'yaml' }).diagnostics.flatMap(({ fix }) => fix?.edits ?? [])
    const fixed = [...edits].reverse().reduce((text, { offset, endOffset, text: by }) => {
      return text.slice(0, offset) + by + text.slice(endOffset)
    }, source)
    expect(fixed).toBe(source.replace('Machine Learning', '"machine-learning"').replace('NLP/Tr', 'nlp/tr'))
  })

  test('is the same from blazon and blazon/card, and for a parsed document', () => {
    const options = { now: NOW, ruleset: 'strict' } as const
    expect(validate(EXAMPLE, options)).toEqual(validateCard(EXAMPLE, options))
    expect(validateCard(parse(EXAMPLE).document as Document, options)).toEqual(validateCard(EXAMPLE, options))
  })

  test('takes severities from the ruleset and from single rules', () => {
    const rate = { constraints: { rate_limit: 'many' } }
    expect(findings(rate, { ruleset: 'strict' })[0]?.severity).toBe('error')
    expect(findings(rate, { rules: { 'rate-limit': 'info' } })[0]?.severity).toBe('info')
    expect(findings(rate, { rules: { 'CARD-126': 'off' } })).toEqual([])
    expect(validateCard(MINIMAL, { now: NOW, ruleset: 'spec' }).diagnostics.map(({ rule }) => rule)).not.toContain(
      'hard-to-find',
    )
  })

  test('throws for invalid options', () => {
    expect(() => validateCard(MINIMAL, { rules: { 'rate-limt': 'off' } })).toThrow(/rate-limit/)
    expect(() => validateCard(MINIMAL, { ruleset: 'lax' as 'spec' })).toThrow(RangeError)
    expect(() => validateCard(1 as unknown as string)).toThrow(TypeError)
  })

  test('treats a document as a card if only the file name says so', () => {
    expect(validate('{}', { file: 'a.card.json', now: NOW })).toMatchObject({ valid: false, kind: 'card' })
    expect(validate('{', { file: 'a.card.json' })).toMatchObject({ valid: false, kind: 'card' })
    expect(validate('{"adl_spec": "0.1.0"}', { file: 'a.card.json' }).kind).toBe('adl')
  })

  test('[card/1.5-2] refuses input that is not an object, not valid JSON or not UTF-8', () => {
    const latin = Uint8Array.from('{"id": "agent://a", "name": "\xe9"}', (character) => character.charCodeAt(0))
    expect(validateCard(latin)).toMatchObject({ valid: false, kind: 'card' })
    expect(validateCard('{"id": "agent://a", "name": "A", "name": "B"}').valid).toBe(false)
    expect(validate('[]', { as: 'card' })).toMatchObject({
      valid: false,
      kind: 'card',
      diagnostics: [{ code: 'CARD-101' }],
    })
    expect(validateCard('{"id": "agent://a",}')).toMatchObject({ valid: false, kind: 'card' })
  })

  test('[card/3.8-3] parsing and canonical form keep unknown members', () => {
    const source = '{"extensions":{"a.b":{"z":[1,{"y":null}]}},"id":"agent://a","name":"A","zzz":{"later":true}}'
    expect(new TextDecoder().decode(parse(source).document?.canonical)).toBe(source)
  })
})
