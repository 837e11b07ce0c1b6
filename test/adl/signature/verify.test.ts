import { createHash, createPublicKey, verify as nodeVerify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { sign, validate, verify } from '../../../bindings/adl/verbs.ts'
import { canonicalizeWithout } from '../../../bindings/core/json.ts'
import { type Algorithm, exportKey, fingerprint, generateKey, keyOfDid } from '../../../bindings/keys/index.ts'
import { casesOf } from '../../support/cases.ts'
import { CLEAN, NOW } from '../support.ts'
import { changed, check, findings, KEY, keyMember, OTHER_KEY, outcomes, signed } from './support.ts'

const DAY = 86_400_000
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY).toISOString()
const attestation = (members: object) => ({ security: { attestation: members } })

test('[adl/10.3-8] [adl/18.1-3] a valid signature takes every step, in order', async () => {
  const members = attestation({ type: 'self', issued_at: inDays(-1), expires_at: inDays(100) })
  const proof = await check(await signed(members))
  expect(proof.verdict).toBe('verified')
  expect(proof.steps.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'canonical-form passed',
    'algorithm passed',
    'digest skipped',
    'key passed',
    'strength passed',
    'signature passed',
    'issued passed',
    'expiry passed',
    'attestation passed',
    'id skipped',
    'provider skipped',
    'identity warning',
  ])
  for (const step of proof.steps) expect(step).toMatchObject({ title: /./, detail: /./, spec: /^ADL \d/ })
})

// Points of small order: y is 0, 1 and p - 1 (RFC 8032 section 5.1), and one of order 8 (speccheck).
test.each([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])('[adl/6.3-5] a key that anyone can sign for is weak: %s', async (point) => {
  const document = JSON.parse(await signed())
  document.cryptographic_identity.public_key.value = Buffer.from(point, 'hex').toString('base64')
  const forged = `${point}${'00'.repeat(32)}`
  document.security.attestation.signature.value = Buffer.from(forged, 'hex').toString('base64url')
  const proof = await check(JSON.stringify(document))
  expect([proof.verdict, findings(proof)]).toEqual(['failed', ['ADL-4001 /cryptographic_identity/public_key']])
  const { diagnostics } = validate(JSON.stringify(document), { now: NOW })
  expect(diagnostics.map(({ code }) => code)).toEqual(['ADL-4001'])
})

test('[adl/18.8-1] [adl/18.8-3] OpenSSL verifies the signature over the canonical form, written by hand', async () => {
  const document = '{ "b": 1.0, "a": "\\u0041", "security": {"attestation": {"type": "self"}} }'
  const { bytes } = await sign(document, KEY, { force: true })
  const { value } = JSON.parse(new TextDecoder().decode(bytes)).security.attestation.signature
  const canonical = '{"a":"A","b":1,"security":{"attestation":{"type":"self"}}}'
  const publicKey = createPublicKey(await exportKey(KEY.publicKey, 'pem'))
  expect(nodeVerify(null, Buffer.from(canonical), publicKey, Buffer.from(value, 'base64url'))).toBe(true)
})

test('[adl/18.8-3] another spelling of the same document verifies, another document does not', async () => {
  const source = await signed()
  const respelled = JSON.stringify(JSON.parse(source), null, 7).replace('Invoice', '\\u0049nvoice')
  expect((await check(respelled)).verdict).toBe('verified')
  for (const change of [
    (document: object) => Object.assign(document, { name: 'Invoice processor' }),
    (document: object) => Object.assign(document, { permissions: { network: { allowed_hosts: ['*'] } } }),
    (document: { id?: string }) => delete document.id,
  ]) {
    const proof = await check(changed(source, change))
    expect([proof.verdict, ...findings(proof)]).toEqual(['failed', 'ADL-4002 /security/attestation/signature/value'])
  }
})

test.each(['Ed25519', 'Ed448', 'ES256', 'ES384', 'ES512', 'RS256', 'PS256'] as Algorithm[])(
  '[adl/10.3-7] %s, over the canonical form and over digests',
  async (algorithm) => {
    const key = await generateKey(algorithm, { modulusLength: 2048 })
    const ways = [
      {},
      { mode: 'digest' },
      { mode: 'digest', digestAlgorithm: 'SHA-384' },
      { mode: 'digest', digestAlgorithm: 'SHA-512' },
    ]
    for (const way of ways) {
      const source = await signed({}, key, { algorithm, ...way })
      const proof = await check(source)
      expect(proof.verdict).toBe('verified')
      expect(outcomes(proof)['digest']).toBe('mode' in way ? 'passed' : 'skipped')
      expect((await check(changed(source, (document) => delete document['version']))).verdict).toBe('failed')
    }
  },
)

describe('[adl/10.3-11] the digest', () => {
  it.each([
    ['another value', { digest_value: 'AAAA' }, 'failed', 'ADL-4002'],
    ['padding', { digest_value: 'AAA=' }, 'failed', 'ADL-4002'],
    ['no value', { digest_value: undefined }, 'failed', 'ADL-4002'],
    ['an unknown algorithm', { digest_algorithm: 'MD5' }, 'unverifiable', 'KEY-121'],
    ['no algorithm', { digest_algorithm: undefined }, 'unverifiable', 'KEY-121'],
    ['a prototype as algorithm', { digest_algorithm: 'constructor' }, 'unverifiable', 'KEY-121'],
    ['an unknown mode', { signed_content: 'everything' }, 'failed', 'ADL-4002'],
    ['the other mode', { signed_content: 'canonical' }, 'failed', 'ADL-4002'],
  ])('%s', async (_name, members, verdict, code) => {
    const source = await signed({}, KEY, { mode: 'digest' })
    const proof = await check(
      changed(source, ({ security }) => Object.assign(security!['attestation']['signature'], members)),
    )
    expect([proof.verdict, findings(proof)[0]!.split(' ')[0]]).toEqual([verdict, code])
  })
})

test('a digest next to a signature of the canonical form is compared, but decides nothing', async () => {
  const source = await signed()
  const payload = canonicalizeWithout(source, ['/security/attestation/signature']).payload
  const beside = async (digest_algorithm: unknown, digest_value: unknown) => {
    const document = changed(source, ({ security }) =>
      Object.assign(security!['attestation']['signature'], { digest_algorithm, digest_value }),
    )
    const proof = await check(document)
    return [proof.verdict, outcomes(proof)['digest'], ...findings(proof)]
  }
  for (const [name, hash] of [
    ['SHA-256', 'sha256'],
    ['SHA-384', 'sha384'],
    ['SHA-512', 'sha512'],
  ] as const) {
    const digest = createHash(hash).update(payload).digest('base64url')
    expect(await beside(name, digest)).toEqual(['verified', 'passed'])
    const warned = ['verified', 'warning', 'KEY-128 /security/attestation/signature/digest_value']
    for (const [algorithm, value] of [
      [name, createHash(hash).update('another').digest('base64url')],
      [name, `${digest}=`],
      [name, 7],
      [name, undefined],
      ['MD5', digest],
      [undefined, digest],
    ])
      expect(await beside(algorithm, value)).toEqual(warned)
  }
})

describe('[adl/18.1-4] invalid signatures', () => {
  it.each<[string, unknown, string]>([
    ['null', null, 'failed'],
    ['a text', 'signature', 'failed'],
    ['an empty object', {}, 'failed'],
    ['no value', { algorithm: 'Ed25519', signed_content: 'canonical' }, 'failed'],
    ['padded', { algorithm: 'Ed25519', signed_content: 'canonical', value: 'AA==' }, 'failed'],
    ['too short', { algorithm: 'Ed25519', signed_content: 'canonical', value: 'AAAA' }, 'failed'],
    ['for another kind of key', { algorithm: 'ES256', signed_content: 'canonical', value: 'AAAA' }, 'failed'],
    ['of an unknown algorithm', { algorithm: 'ES256K', signed_content: 'canonical', value: 'AAAA' }, 'unverifiable'],
    ['of no algorithm', { algorithm: 'none', signed_content: 'canonical', value: '' }, 'unverifiable'],
    ['of a prototype', { algorithm: '__proto__', signed_content: 'canonical', value: '' }, 'unverifiable'],
  ])('%s', async (_name, signature, verdict) => {
    const source = changed(await signed(), ({ security }) => Object.assign(security!['attestation'], { signature }))
    expect((await check(source)).verdict).toBe(verdict)
  })

  it.each([
    [null, 'expected an object, found null'],
    ['signature', "expected an object, found the string 'signature'"],
    [{}, 'expected the name of an algorithm, found undefined'],
  ])('%j is reported with its type', async (signature, detail) => {
    const source = changed(await signed(), ({ security }) => Object.assign(security!['attestation'], { signature }))
    const { steps } = await check(source)
    expect(steps.find(({ name }) => name === 'algorithm')?.detail).toBe(detail)
  })

  it('[adl/18.1-1] no signature is unverifiable', async () => {
    for (const members of [{}, { security: [] }, { security: { attestation: 1 } }, attestation({ type: 'self' })]) {
      const proof = await check(JSON.stringify({ ...CLEAN, ...members }))
      expect(proof.verdict).toBe('unverifiable')
      expect(findings(proof)).toEqual(['KEY-120 /security/attestation/signature'])
    }
  })

  it('unreadable documents fail, and a byte order mark is not part of the signature', async () => {
    for (const source of ['', '[]', '{"a":1,"a":2}', `\ufeff\ufeff${await signed()}`]) {
      const { verdict, steps } = await check(source)
      expect([verdict, steps[0]!.name, steps[0]!.diagnostic!.severity]).toEqual(['failed', 'document', 'error'])
    }
    const { verdict, steps } = await check(`\ufeff${await signed()}`)
    expect([verdict, steps[0]!.name, steps[0]!.diagnostic!.code]).toEqual(['verified', 'document', 'DOC-105'])
  })
})

describe('the key of the document', () => {
  it('[adl/18.1-3] belongs to someone else: fails', async () => {
    const public_key = await keyMember(OTHER_KEY)
    const source = changed(await signed(), ({ cryptographic_identity }) =>
      Object.assign(cryptographic_identity!, { public_key }),
    )
    expect(findings(await check(source))).toEqual(['ADL-4002 /security/attestation/signature/value'])
  })

  it('[adl/6.3-5] is weak: ADL-4001, and the proof fails', async () => {
    const { generateKeyPairSync } = await import('node:crypto')
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'der', type: 'spki' })
    for (const public_key of [
      { algorithm: 'RS256', value: weak.toString('base64') },
      { algorithm: 'DSA', value: 'AA==' },
    ]) {
      const source = changed(await signed(), ({ cryptographic_identity }) =>
        Object.assign(cryptographic_identity!, { public_key }),
      )
      const proof = await check(source)
      expect([proof.verdict, ...findings(proof)]).toEqual(['failed', 'ADL-4001 /cryptographic_identity/public_key'])
    }
  })

  it.each<[string, unknown, string]>([
    [
      'is a placeholder, as in the example of the specification',
      { algorithm: 'Ed25519', value: 'base64-encoded-public-key' },
      'unverifiable',
    ],
    ['is for an unknown algorithm', { algorithm: 'EdDSA', value: undefined }, 'unverifiable'],
    ['is for another algorithm', { algorithm: 'Ed448', value: undefined }, 'failed'],
    ['has no value', { algorithm: 'Ed25519', value: 1 }, 'unverifiable'],
    ['is a text', 'key', 'unverifiable'],
    ['is null', null, 'unverifiable'],
  ])('%s', async (_name, replacement, verdict) => {
    const own = await keyMember(KEY)
    const isObject = typeof replacement === 'object' && replacement !== null
    const public_key = isObject
      ? { ...own, ...Object.fromEntries(Object.entries(replacement).filter(([, value]) => value !== undefined)) }
      : replacement
    const source = changed(await signed(), ({ cryptographic_identity }) =>
      Object.assign(cryptographic_identity!, { public_key }),
    )
    expect((await check(source)).verdict).toBe(verdict)
  })

  it('[adl/18.11-2] proves integrity only, and the proof says so', async () => {
    const { verdict, steps } = await check(await signed())
    const step = steps.find(({ name }) => name === 'identity')!
    expect([verdict, step.outcome, step.data]).toEqual(['verified', 'warning', { trust: 'none' }])
    expect(step.detail).toContain('integrity only')
  })
})

describe('[adl/10.3-9] [adl/18.1-5] dates', () => {
  it.each([
    ['expired', { expires_at: inDays(-1) }, 'expiry', 'ADL-4003 /security/attestation/expires_at'],
    ['expires this instant', { expires_at: inDays(0) }, 'expiry', 'ADL-4003 /security/attestation/expires_at'],
    ['expires in 30 days', { expires_at: inDays(30) }, 'expiry', 'ADL-4003 /security/attestation/expires_at'],
    ['issued in the future', { issued_at: inDays(1) }, 'issued', 'KEY-124 /security/attestation/issued_at'],
    [
      'issued after it expires',
      { issued_at: inDays(-1), expires_at: inDays(-2) },
      'issued',
      'KEY-124 /security/attestation/issued_at',
    ],
    ['issued never', { issued_at: 'yesterday' }, 'issued', 'KEY-124 /security/attestation/issued_at'],
    ['expires at a number', { expires_at: 20200101 }, 'expiry', 'KEY-124 /security/attestation/expires_at'],
  ])('%s: a warning, and verified', async (_name, members, step, finding) => {
    const proof = await check(await signed(attestation(members)))
    expect([proof.verdict, outcomes(proof)[step]]).toEqual(['verified', 'warning'])
    expect(findings(proof)).toContain(finding)
    for (const { diagnostic } of proof.steps) if (diagnostic) expect(diagnostic.severity).toBe('warning')
  })

  it('31 days are enough', async () => {
    expect(findings(await check(await signed(attestation({ expires_at: inDays(30.01) }))))).toEqual([])
  })
})

describe('kinds of attestation', () => {
  it('warns when a third party signs with the key of the agent', async () => {
    const proof = await check(await signed(attestation({ type: 'third_party' })))
    expect([proof.verdict, ...findings(proof)]).toEqual(['verified', 'KEY-125 /security/attestation/type'])
  })

  it('does not warn when a third party signs with its own key', async () => {
    const members = {
      ...attestation({ type: 'third_party' }),
      cryptographic_identity: { public_key: await keyMember(KEY) },
    }
    const source = await signed(members, OTHER_KEY)
    const proof = await check(source, { expect: { keys: [OTHER_KEY.publicKey] } })
    expect([proof.verdict, outcomes(proof)['attestation']]).toEqual(['verified', 'passed'])
    expect((await check(source)).verdict).toBe('failed')
  })

  it('checks the dates and the credential of one without a signature, which stays unverifiable', async () => {
    const members = { type: 'verifiable_credential', issued_at: inDays(1), expires_at: inDays(-1) }
    const proof = await check(JSON.stringify({ ...CLEAN, ...attestation(members) }))
    expect([proof.verdict, outcomes(proof)]).toEqual([
      'unverifiable',
      expect.objectContaining({ signature: 'unknown', issued: 'warning', expiry: 'warning', attestation: 'skipped' }),
    ])
    const plain = await check(JSON.stringify({ ...CLEAN, ...attestation({ type: 'self' }) }))
    expect([plain.verdict, outcomes(plain)['attestation']]).toEqual(['unverifiable', undefined])
  })

  it('does not check a verifiable credential, and the proof says so', async () => {
    const proof = await check(await signed(attestation({ type: 'verifiable_credential' })))
    expect(outcomes(proof)['attestation']).toBe('skipped')
    expect(proof.steps.find(({ name }) => name === 'attestation')!.detail).toContain('not checked')
  })
})

test('with pinned keys, no other key counts', async () => {
  const source = await signed()
  const one = await check(source, { expect: { keys: [OTHER_KEY, KEY.publicKey] } })
  expect([one.verdict, outcomes(one)['identity']]).toEqual(['verified', 'passed'])
  expect((await check(source, { expect: { keys: [OTHER_KEY] } })).verdict).toBe('failed')
  expect((await check(source, { expect: { keys: [] } })).verdict).toBe('failed')
  expect((await check(source, { expect: { keys: [await generateKey('ES256')] } })).verdict).toBe('failed')
  await expect(check(source, { expect: { keys: ['no key'] } })).rejects.toThrow('base64')
})

describe('a wrong key and a changed document are different findings', () => {
  const did = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw'
  it.each([
    ['as its own', {}, {}],
    ['as a did:key', { cryptographic_identity: { did } }, { embedKey: false }],
  ])(
    'are distinguished if the document has the signing key %s and other keys are trusted',
    async (_, members, options) => {
      const source = await signed(members, KEY, options)
      for (const trusted of [OTHER_KEY, await generateKey('ES256')]) {
        const proof = await check(source, { expect: { keys: [trusted] } })
        expect([proof.verdict, ...findings(proof)]).toEqual(['failed', 'KEY-129 /cryptographic_identity/public_key'])
        const { detail, diagnostic } = proof.steps.find(({ name }) => name === 'signature')!
        for (const key of [KEY, trusted]) expect(detail).toContain(await fingerprint(key))
        expect(diagnostic?.fix?.hint).toContain('ask the signer')
        const other = changed(source, (document: object) => Object.assign(document, { name: 'Another' }))
        expect(findings(await check(other, { expect: { keys: [trusted] } }))[0]).toMatch(/^ADL-4002 /)
      }
    },
  )

  it('cannot be distinguished without a key in the document', async () => {
    const source = await signed({ cryptographic_identity: {} }, KEY, { embedKey: false })
    const proof = await check(source, { expect: { keys: [OTHER_KEY] } })
    expect(findings(proof)).toEqual(['ADL-4002 /security/attestation/signature/value'])
    expect(proof.steps.find(({ name }) => name === 'signature')!.detail).toContain('or was signed with another key')
  })
})

test('a did:key alone proves integrity, and only if it is resolved', async () => {
  // The did:key of the key of RFC 8032 test 1.
  const did = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw'
  expect(await exportKey(keyOfDid(did), 'jwk')).toEqual(await exportKey(KEY.publicKey, 'jwk'))
  const source = await signed({ cryptographic_identity: { did } }, KEY, { embedKey: false })
  expect((await check(source)).verdict).toBe('unverifiable')
  const proof = await check(source, { resolve: { fetch: () => Promise.reject(new Error('asked')) } })
  expect([proof.verdict, outcomes(proof)['identity']]).toEqual(['verified', 'warning'])
})

test('[adl/18.1-4] with any byte changed, only an equal document verifies', async () => {
  const source = new TextEncoder().encode(await signed({ model: { temperature: 0.5 }, tools: [{ name: 'a\u00e9' }] }))
  const value = JSON.parse(new TextDecoder().decode(source))
  await fc.assert(
    fc.asyncProperty(fc.nat(source.length - 1), fc.nat(255), async (at, byte) => {
      const document = Uint8Array.from(source)
      document[at] = byte
      const { verdict } = await check(document)
      if (verdict === 'verified') expect(JSON.parse(new TextDecoder().decode(document))).toEqual(value)
      else expect(byte).not.toBe(source[at])
    }),
    { numRuns: casesOf(1000) },
  )
})

test('wrong arguments throw', async () => {
  const source = await signed()
  for (const options of [
    { now: 'today' },
    { now: new Date('x') },
    { expect: { id: 1 } },
    { expect: { keys: KEY } },
    { expect: { provider: 1 } },
  ]) {
    await expect(verify(source, options as never)).rejects.toThrow(TypeError)
  }
  await expect(verify(source, { expect: { provider: 'https://acme.example.com' } })).rejects.toThrow(
    'expect.provider: expected a domain',
  )
  await expect(verify(1 as never)).rejects.toThrow(TypeError)
})

test('any value in the security members gives a verdict', async () => {
  const source = await signed({}, KEY, { mode: 'digest' })
  const odd = [
    null,
    true,
    0,
    -1.5,
    '',
    'x',
    '\u0000',
    [],
    {},
    [[]],
    { __proto__: null },
    'AAAA',
    'did:web:',
    'urn:adl:a',
  ]
  const places: string[][] = [
    ['id'],
    ['security'],
    ['security', 'attestation'],
    ...['type', 'issuer', 'issued_at', 'expires_at', 'signature'].map((name) => ['security', 'attestation', name]),
    ...['algorithm', 'value', 'signed_content', 'digest_algorithm', 'digest_value'].map((name) => [
      'security',
      'attestation',
      'signature',
      name,
    ]),
    ['cryptographic_identity'],
    ['cryptographic_identity', 'did'],
    ['cryptographic_identity', 'public_key'],
    ['cryptographic_identity', 'public_key', 'algorithm'],
    ['cryptographic_identity', 'public_key', 'value'],
  ]
  for (const place of places) {
    for (const value of odd) {
      const document = JSON.parse(source)
      place.slice(0, -1).reduce((object, name) => object[name], document)[place.at(-1)!] = value
      const proof = await verify(JSON.stringify(document), {
        now: NOW,
        resolve: { fetch: () => Promise.reject(new Error('no network')) },
        expect: { provider: 'acme.example.com', id: 'x' },
      })
      expect(['failed', 'unverifiable']).toContain(proof.verdict)
    }
  }
})
