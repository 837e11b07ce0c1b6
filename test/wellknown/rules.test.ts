// The two examples of every rule, which `explain` shows: the bad one breaks this rule and no other, the good one breaks
// none.

import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { hasShape } from '../../bindings/frame/shape.ts'
import schema from '../../bindings/wellknown/schema.json' with { type: 'json' }
import { METADATA, metadataShape, RULES } from '../../bindings/wellknown/specification.ts'
import { validate, verify } from '../../bindings/wellknown/verbs.ts'
import { explainedRows, shapeFindings } from '../support/explained.ts'
import { CLEAN, told, withChange } from './clean.ts'

const rules = explainedRows([...RULES, ...shapeFindings(METADATA, schema)])
/** Rules about missing members, with the members that their examples remove. */
const ABSENT: Readonly<Record<string, object>> = {
  'no-full-key': { identity: { publicKey: { full: undefined } } },
  'security-block': { security: undefined },
  'missing-member': { security: undefined },
  'no-auth-methods': { security: undefined },
}
/** Rules whose example also breaks other rules. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'domain-form': ['agent-id'],
}

const example = (id: string, text: string) => withChange(ABSENT[id] ?? {}, JSON.parse(text))

describe('the examples of rules', () => {
  test.each(rules)('$id: the bad example breaks this rule and no other', ({ id, bad }) => {
    const found = told(example(id, bad)).map((finding) => finding.split(' ')[0])
    expect(found.filter((name) => !BESIDE[id]?.includes(name!))).toEqual([id])
  })
  test.each(rules)('$id: the good example breaks no rule', ({ good }) => {
    const change = JSON.parse(good)
    expect(told(withChange(change))).toEqual([])
  })
  test('ids and codes are unique', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length)
  })
  test('[wellknown/6.3.6-1] the base document has no findings: it is the example of the draft with a real key', () => {
    expect(told(CLEAN)).toEqual([])
  })
})

test('ambiguous values in security, pricing and dns give warnings, and the agent can still be found', () => {
  const found = (change: object) => {
    const { valid, diagnostics } = validate(withChange(change))
    return [valid, ...diagnostics.map(({ code, severity, source }) => `${code} ${severity} ${source.pointer}`).sort()]
  }
  const security = { tlsRequired: true, authMethods: ['pubkey'] }
  expect(found({ security: { ...security, authMethods: undefined } })).toEqual([true, 'WK-146 warning /security'])
  const rateLimit = { burstSize: 0.5, requestsPerMinute: 1.5 }
  expect(found({ security: { ...security, rateLimit } })).toEqual([
    true,
    'WK-147 warning /security/rateLimit/burstSize',
    'WK-147 warning /security/rateLimit/requestsPerMinute',
  ])
  expect(found({ security: { ...security, rateLimit: { burstSize: 0 } } })[0]).toBe(false)
  const capabilities = [{ id: 'chat', name: 'Chat', pricing: {} }]
  expect(found({ capabilities })).toEqual([true, 'WK-134 warning /capabilities/0/pricing'])
  expect(found({ dns: { svcbVerified: 'yes', dnssecSigned: 1, dane: { supported: null } } })).toEqual([
    true,
    'WK-148 warning /dns/dane/supported',
    'WK-148 warning /dns/dnssecSigned',
    'WK-148 warning /dns/svcbVerified',
  ])
  expect(found({ dns: { dane: true } })).toEqual([true, 'WK-148 warning /dns/dane'])
  expect(found({ dns: { svcbVerified: true, dnssecSigned: false, dane: { supported: true }, own: 'x' } })).toEqual([
    true,
  ])
})

test("[wellknown/6.3.6-1] reports the invalid key and fingerprint in the draft's own example", () => {
  const text = readFileSync(new URL('../../../shared/specs/3-adp-1.1-discovery.txt', import.meta.url), 'utf8')
  expect(text).toContain('ed25519:dGhpcyBpcyBhIHRlc3QgcHVibGljIGtleQ')
  const draft = withChange({
    identity: {
      publicKey: {
        fingerprint: 'ed25519:dGhpcyBpcyBhIHRlc3QgcHVibGljIGtleQ',
        full: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyE...\n-----END PUBLIC KEY-----',
      },
    },
  })
  expect(told(draft)).toEqual([
    'draft-fingerprint /identity/publicKey/fingerprint',
    'full-key /identity/publicKey/full',
  ])
})

describe('[wellknown/6.3.2-4] keys and fingerprints', () => {
  const SPKI = 'MCowBQYDK2VwAyEA11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  const RAW = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  test.each([SPKI, RAW])('accepts %s', (full) => {
    expect(told(withChange({ identity: { publicKey: { full } } }))).toEqual([])
  })
  test('reports a private key without showing it', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const der = privateKey.export({ type: 'pkcs8', format: 'der' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    for (const full of [pem, der.toString('base64url')]) {
      const changed = withChange({ identity: { publicKey: { full } } })
      expect(told(changed)).toEqual(['full-key /identity/publicKey/full'])
      const { verdict, steps } = await verify(JSON.stringify(changed))
      expect([verdict, steps.at(-1)?.diagnostic?.code]).toEqual(['failed', 'WK-153'])
      const { diagnostics } = validate(JSON.stringify(changed))
      expect(JSON.stringify([steps, diagnostics])).not.toContain(der.subarray(-32).toString('base64').slice(0, 20))
    }
  })
  test('[wellknown/8.1.2-1] refuses the fingerprint of the SPKI', () => {
    const fingerprint = 'ed25519:BuP9j9opu2CrWVV95h7bCuzbIxE0vjDnW0Vfjht5L6k'
    expect(told(withChange({ identity: { publicKey: { fingerprint } } }))).toEqual([
      'fingerprint-match /identity/publicKey/fingerprint',
    ])
  })
  test.each(['', 'AAAA', `${RAW}=`, 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])('refuses %j as a key', (full) => {
    expect(told(withChange({ identity: { publicKey: { full } } }))).toEqual(['full-key /identity/publicKey/full'])
  })
})

test.each([
  ['[wellknown/6.3.1-1]', { protocol: undefined }, ['missing-member ']],
  ['[wellknown/6.3.1-2]', { identity: undefined }, ['missing-member ']],
  ['[wellknown/6.3.1-3]', { endpoints: undefined }, ['missing-member ']],
  ['[wellknown/6.3.1-4]', { capabilities: undefined }, ['missing-member ']],
  ['[wellknown/6.3.2-1]', { identity: { id: undefined } }, ['missing-member /identity']],
  ['[wellknown/6.3.2-2]', { identity: { domain: undefined } }, ['missing-member /identity']],
  ['[wellknown/6.3.2-3]', { identity: { name: undefined } }, ['missing-member /identity']],
  ['[wellknown/6.3.3-1]', { endpoints: { wellKnown: undefined } }, ['missing-member /endpoints']],
  ['[wellknown/6.3.1-1]', { protocol: 'ADP/1.2' }, ['protocol-version /protocol']],
  ['[wellknown/6.3.1-5]', { security: undefined }, ['security-block ']],
  ['[wellknown/6.3.1-6]', { policies: 'https://alice.example.com/privacy' }, ['member-type /policies']],
  ['[wellknown/6.3.1-7]', { availability: 'always' }, ['member-type /availability']],
  ['[wellknown/6.3.1-8]', { meta: [] }, ['member-type /meta']],
  ['[wellknown/6.3.1-6] [wellknown/6.3.1-7] [wellknown/6.3.1-8]', { policies: {}, availability: {}, meta: {} }, []],
  ['[wellknown/6.3.3-2]', { endpoints: { webhook: 'alice.example.com/webhook' } }, ['endpoint-url /endpoints/webhook']],
  ['[wellknown/6.3.3-2]', { endpoints: { swarm: undefined, a2a: 'https://alice.example.com/a2a' } }, []],
  [
    '[wellknown/6.3.4-2]',
    { capabilities: [{ id: 'a' }, { id: 'a', name: 'A' }] },
    ['capability-id /capabilities/0', 'duplicate-capability /capabilities/1/id'],
  ],
  [
    '[wellknown/6.3.4-3]',
    { capabilities: [{ id: 'a', name: 'A', input: ['text', 'image/png; q=1', 'image/*'], output: ['A text'] }] },
    ['media-token /capabilities/0/input/2', 'media-token /capabilities/0/output/0'],
  ],
  [
    '[wellknown/6.3.4-4]',
    { capabilities: [{ id: 'a', name: 'A', interfaces: ['chat', '', 7] }] },
    ['empty-value /capabilities/0/interfaces/1', 'member-type /capabilities/0/interfaces/2'],
  ],
  [
    '[wellknown/6.3.4-5]',
    { capabilities: [{ id: 'a', name: 'A', pricing: { model: 'enterprise' } }] },
    ['pricing-model /capabilities/0/pricing/model'],
  ],
  [
    '[wellknown/6.3.5-4]',
    { security: { minProtocolVersion: 'ADP/2.0' } },
    ['min-protocol-version /security/minProtocolVersion'],
  ],
  [
    '[wellknown/6.3.5-5]',
    { security: { rateLimit: { requestsPerMinute: 0.5, burstSize: 0 } } },
    ['fractional-rate /security/rateLimit/requestsPerMinute', 'rate-limit /security/rateLimit/burstSize'],
  ],
  ['[wellknown/6.3.5-1]', { security: { tlsRequired: false } }, ['tls-required /security/tlsRequired']],
  ['[wellknown/6.3.5-2]', { security: { authMethods: [] } }, ['auth-methods /security/authMethods']],
  ['[wellknown/6.3.5-3]', { security: { authMethods: ['pubkey', 'bearer_token', 'dane'] } }, []],
  ['[wellknown/8.2-1]', { endpoints: { tasks: 'http://alice.example.com/' } }, ['endpoint-scheme /endpoints/tasks']],
  ['[wellknown/9.4-2]', { protocol: 'ADP/1.0' }, ['older-protocol /protocol']],
  ['[wellknown/9.4-1]', { relationships: [{ to: 'agent:bob.example' }], identity: { owner: 'Alice' } }, []],
])('%s %j', (_, change, expected) => {
  expect(told(withChange(change))).toEqual(expected)
})

/** The tags of RFC 5646 appendix A, and all tags that were registered before it. */
const TAGS = JSON.parse(
  readFileSync(new URL('../../../shared/suites/rfc-vectors/rfc5646-tags.json', import.meta.url), 'utf8'),
) as { valid: string[]; grandfathered: string[]; invalid: [string, string][] }

test.each([...TAGS.valid, ...TAGS.grandfathered, 'en-a-bbb-x-a', 'pt-BR', 'en-t-fr-latn-x-a', 'de-x-1901-1901'])(
  '[wellknown/6.3.4-1] accepts the language tag %s (RFC 5646)',
  (tag) => expect(told(withChange({ capabilities: [{ id: 'a', name: 'A', languages: [tag] }] }))).toEqual([]),
)
test.each([
  ...TAGS.invalid.map(([tag]) => tag),
  ...['e', 'English (US)', 'x', 'en-abcdefghi', 'de-DE-1901-1901', 'en-u-aa-U-bb'],
])('[wellknown/6.3.4-1] refuses the language tag %j (RFC 5646)', (tag) =>
  expect(told(withChange({ capabilities: [{ id: 'a', name: 'A', languages: [tag] }] }))).toEqual([
    'language-tag /capabilities/0/languages/0',
  ]),
)

test('hasShape and Ajv agree on odd values at every place', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  const odd = [null, true, 0, -1, 1.5, '', 'x', [], [1], {}, { a: 1 }]
  const places = (value: unknown): readonly (readonly string[])[] =>
    typeof value === 'object' && value !== null
      ? [[], ...Object.entries(value).flatMap(([name, part]) => places(part).map((rest) => [name, ...rest]))]
      : [[]]
  for (const path of places(CLEAN).slice(1)) {
    for (const value of [...odd, undefined]) {
      const document = structuredClone(CLEAN) as unknown as Record<string, unknown>
      const holder = path.slice(0, -1).reduce((part, name) => part[name] as Record<string, unknown>, document)
      if (value === undefined && !Array.isArray(holder)) delete holder[path.at(-1)!]
      else if (value !== undefined) holder[path.at(-1)!] = value
      expect([path, value, hasShape(metadataShape(), document, () => false)]).toEqual([path, value, ajv(document)])
    }
  }
})

test.each(['alice.example.7', 'alice.example.0x7f'])(
  '[wellknown/6.3.2-2] refuses the domain %s, which URL parsers take for an invalid address',
  (domain) => {
    expect(URL.canParse(`https://${domain}/`)).toBe(false)
    expect(told(withChange({ identity: { domain } }))).toContain('domain-form /identity/domain')
  },
)

test.each([{}, { identity: 'x' }, { agent: { name: 'Alice' } }])(
  '[wellknown/9.4-2] names an unknown protocol version, and does not check other rules: %j',
  (more) => {
    const document = JSON.stringify({ protocol: 'ADP/2.0', ...more })
    const { diagnostics } = validate(document)
    expect(diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
      ['WK-102', "Expected ADP/1.1, found 'ADP/2.0'"],
    ])
  },
)

test('[wellknown/10.2-1] accepts an ADP/1.0 document with the members of that version', () => {
  const older = withChange({
    $schema: 'https://alice.example.com/agent-1.0.json',
    protocol: 'ADP/1.0',
    identity: {
      owner: 'Alice',
      created: '2026-01-01T00:00:00Z',
      publicKey: { full: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    },
    interfaces: ['chat'],
    relationships: [],
    capabilities: [{ id: 'a', name: 'A', pricing: { model: 'quota' } }],
    security: { minProtocolVersion: 'ADP/1.0' },
    availability: { status: 'online' },
  })
  expect(told(older)).toEqual(['older-protocol /protocol', 'pricing-model /capabilities/0/pricing/model'])
  expect(validate(JSON.stringify(older)).valid).toBe(true)
})

test('[wellknown/6.3.1-1] reports a document that is not an object', () => {
  for (const value of [[], 'text', 7, null, true, [{ protocol: 'ADP/1.1' }]])
    expect(told(value)).toEqual(['root-object '])
})
