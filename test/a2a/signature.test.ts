// Signatures of A2A cards: A2A 1.0 section 8.4, RFC 7515.
import { execFileSync } from 'node:child_process'
import { createHmac, createPrivateKey, sign as nodeSign } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sign as signA2aCard, validate as validateA2aCard, verify as verifyA2aCard } from '../../bindings/a2a/index.ts'
import { type PresenceRule, presentMembers } from '../../bindings/a2a/jws.ts'
import { canonicalize, canonicalizeValue, type Proof, sign, verify } from '../../bindings/index.ts'
import { encodeBase64url, exportKey, fingerprint, generateKey } from '../../bindings/keys/index.ts'
import { at, type Json, places } from '../convert/samples.ts'
import { processorTime } from '../support/effort.ts'
import { CURRENT, OLDER } from './samples.ts'

const KEY = await generateKey('Ed25519')
const OTHER = await generateKey('Ed25519')
const NODE_KEY = createPrivateKey(await exportKey(KEY, 'pem'))
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const base64url = (of: unknown) =>
  encodeBase64url(new TextEncoder().encode(typeof of === 'string' ? of : JSON.stringify(of)))

async function signed(card: object, options?: signA2aCard.Options, key = KEY) {
  const { bytes, diagnostics } = await signA2aCard(JSON.stringify(card), key, options)
  expect(bytes, JSON.stringify(diagnostics)).toBeDefined()
  return JSON.parse(text(bytes))
}

const check = (card: object, options: verifyA2aCard.Options = { expect: { keys: [KEY.publicKey] } }) =>
  verifyA2aCard(JSON.stringify(card), options)
const step = ({ steps }: Proof, name: string) => steps.find((candidate) => candidate.name === name)
const told = (proof: Proof) => `${proof.verdict}: ${step(proof, 'signature')?.detail}`

/** A signature as in RFC 7515 section 5.1, made only with node:crypto. */
function byHand(card: object, header: object, unprotected?: object) {
  const protectedHeader = base64url(header)
  const payload = base64url(text(canonicalize(JSON.stringify(card))))
  const signature = encodeBase64url(nodeSign(null, Buffer.from(`${protectedHeader}.${payload}`), NODE_KEY))
  return { protected: protectedHeader, signature, ...(unprotected !== undefined && { header: unprotected }) }
}

describe('[card/a2a.8.4-3] what a signature covers', () => {
  test('matches the example of section 8.4.1', () => {
    const card = {
      name: 'Example Agent',
      description: '',
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
    }
    expect(text(canonicalizeValue(presentMembers(card, '1.0', 'spec').value))).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    )
  })

  test.each<[PresenceRule, string[]]>([
    ['spec', ['/capabilities/extensions/0/required', '/securityRequirements/1/schemes/bearer/list']],
    ['defaults', ['/capabilities/streaming', '/documentationUrl']],
    ['sdk', ['/documentationUrl', '/securityRequirements/1', '/capabilities/extensions/0/params/a/1']],
  ])('%s removes %j', (rule, pointers) => {
    const card = { ...CURRENT, documentationUrl: '' }
    const { left } = presentMembers(card as never, '1.0', rule)
    for (const pointer of pointers) expect(left).toContain(pointer)
    expect(presentMembers(card as never, '1.0', 'written').left).toEqual([])
  })

  test.each<PresenceRule>(['spec', 'defaults', 'sdk', 'written'])(
    'the rules of a signer are detected: %s',
    async (rule) => {
      const card = await signed({ ...CURRENT, documentationUrl: '' }, { rules: [rule] })
      const proof = await check(card)
      expect([proof.verdict, step(proof, 'rules')?.data]).toEqual(['verified', { rules: [rule] }])
    },
  )

  test('one signature is enough if all rules give the same bytes, and the proof names every rule', async () => {
    const { iconUrl, documentationUrl, ...rest } = CURRENT
    const card = await signed({
      ...rest,
      capabilities: { streaming: true },
      securityRequirements: [{ schemes: { oauth: { list: ['read'] } } }],
      skills: [{ id: 'x', name: 'X', description: 'Y', tags: ['z'] }],
    })
    expect(card.signatures).toHaveLength(1)
    expect(step(await check(card), 'rules')?.data).toEqual({ rules: ['spec', 'defaults', 'sdk', 'written'] })
  })

  test('uncovered members are reported: a requirement that SDKs leave out can be removed', async () => {
    const card = await signed(CURRENT, { rules: ['sdk'] })
    const proof = await check({ ...card, rating: 5, securityRequirements: [CURRENT.securityRequirements[0]] })
    expect(proof.verdict).toBe('verified')
    expect(step(proof, 'coverage')).toMatchObject({ outcome: 'warning', detail: expect.stringContaining("'/rating'") })
    expect(step(await check(card), 'coverage')?.detail).toContain("'/securityRequirements/1'")
    // Members that SDKs read under another spelling are covered.
    const { securitySchemes, ...open } = {
      ...CURRENT,
      securityRequirements: [],
      skills: [{ ...CURRENT.skills[0], securityRequirements: [] }],
    }
    const simple = await signed(open, { rules: ['sdk'] })
    expect((await check(simple)).verdict).toBe('verified')
    expect((await check({ ...simple, security_schemes: securitySchemes })).verdict).toBe('failed')
    const whole = await signed(CURRENT, { rules: ['spec'] })
    expect((await check({ ...whole, rating: 5 })).verdict).toBe('failed')
    expect((await check({ ...whole, securityRequirements: [] })).verdict).toBe('failed')
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`x${i}`, 1]))
    expect(step(await check({ ...card, ...many }), 'coverage')?.detail).toMatch(
      /^not covered: ('[^']+', ){9}'[^']+' and \d+ more$/,
    )
    expect(step(await check(whole), 'coverage')).toMatchObject({ outcome: 'passed' })
  })
})

describe('[card/a2a.8.4-1] signing', () => {
  test('writes alg, kid and typ, signs for the specification and for the SDKs, and keeps the rest', async () => {
    const card = await signed(CURRENT)
    expect({ ...card, signatures: undefined }).toEqual({ ...CURRENT, signatures: undefined })
    const headers = card.signatures.map((entry: { protected: string }) => JSON.parse(atob(entry.protected)))
    const header = { alg: 'EdDSA', kid: await fingerprint(KEY), typ: 'JOSE' }
    expect(headers).toEqual([header, header])
    expect((await check(card)).verdict).toBe('verified')
  })

  test('replaces its own signatures and keeps those of others', async () => {
    const first = await signed(CURRENT, { kid: 'mine' })
    const second = await signed(first, { kid: 'theirs' }, OTHER)
    const third = await signed({ ...second, version: '2.0.0' }, { kid: 'mine' })
    const kids = third.signatures.map((entry: { protected: string }) => JSON.parse(atob(entry.protected)).kid)
    expect(kids).toEqual(['theirs', 'theirs', 'mine', 'mine'])
    const proof = await check(third)
    expect(proof.verdict).toBe('verified')
    expect(proof.steps.filter(({ name }) => name === 'signature').map(({ outcome }) => outcome)).toEqual([
      'warning',
      'warning',
      'passed',
      'warning',
    ])
  })

  test('supports cards of 0.3', async () => {
    const card = await signed(OLDER)
    const proof = await check(card)
    expect([proof.verdict, step(proof, 'rules')?.data]).toEqual(['verified', { rules: ['written'] }])
    expect((await check({ ...card, url: 'https://b.example' })).verdict).toBe('failed')
  })

  test.each([
    ['refuses an empty required member', { ...CURRENT, skills: [] }, 'a2a-empty-value'],
    ['refuses a missing required member', { ...CURRENT, description: undefined }, 'a2a-missing-member'],
    ['refuses an unknown member', { ...CURRENT, rating: 5 }, 'a2a-unknown-member'],
  ])('%s', async (_, card, rule) => {
    const { bytes, diagnostics } = await signA2aCard(JSON.stringify(card), KEY)
    expect([bytes, diagnostics.map((finding) => finding.rule)]).toEqual([undefined, [rule]])
  })

  test('refuses integers that other programs would round', async () => {
    const card = JSON.stringify({ ...CURRENT, capabilities: { extensions: [{ uri: 'x:y', params: { n: 'N' } }] } })
    const { bytes, diagnostics } = await signA2aCard(card.replace('"N"', '9007199254740993'), KEY)
    expect([bytes, diagnostics.map(({ rule }) => rule)]).toEqual([undefined, ['card-signature-integer']])
  })

  test('throws for wrong arguments', async () => {
    await expect(signA2aCard('{}', KEY, { kid: '' })).rejects.toThrow(TypeError)
    await expect(signA2aCard(JSON.stringify(OLDER), KEY, { rules: ['spec'] })).rejects.toThrow(RangeError)
    await expect(signA2aCard(JSON.stringify(CURRENT), KEY, { rules: [] })).rejects.toThrow(RangeError)
    await expect(signA2aCard(JSON.stringify(CURRENT), KEY, { algorithm: 'ES256' })).rejects.toThrow('Ed25519')
    await expect(verifyA2aCard('{}', { resolver: {} as never })).rejects.toThrow(TypeError)
  })

  test('works through the generic sign and verify', async () => {
    const { bytes } = await sign(JSON.stringify(CURRENT), KEY)
    expect((await verify(bytes!, { expect: { keys: [KEY.publicKey] } })).verdict).toBe('verified')
    expect((await verify(bytes!, { as: 'a2a', expect: { keys: [OTHER.publicKey] } })).verdict).toBe('failed')
  })
})

describe('[card/a2a.8.4-2] verifying', () => {
  afterEach(() => vi.restoreAllMocks())

  test('accepts a signature made by hand as in RFC 7515', async () => {
    const card = { ...CURRENT, signatures: [byHand(CURRENT, { alg: 'EdDSA', kid: 'k' })] }
    const proof = await check(card)
    expect([proof.verdict, step(proof, 'rules')?.data]).toEqual(['verified', { rules: ['written'] }])
  })

  test('accepts Ed25519 as another name of EdDSA (RFC 9864)', async () => {
    expect((await check({ ...CURRENT, signatures: [byHand(CURRENT, { alg: 'Ed25519', kid: 'k' })] })).verdict).toBe(
      'verified',
    )
  })

  test('uses only known keys for a kid', async () => {
    const card = await signed(CURRENT, { kid: 'key-1' })
    const asked: string[] = []
    const resolver = (kid: string) => {
      asked.push(kid)
      return kid === 'key-1' ? [KEY.publicKey] : undefined
    }
    expect((await check(card, { resolver })).verdict).toBe('verified')
    expect(asked).toEqual(['key-1', 'key-1'])
    expect((await check(card, { resolver: () => [OTHER.publicKey] })).verdict).toBe('failed')
    expect((await check(card, { resolver: () => [] })).verdict).toBe('failed')
    const unknown = await check(await signed(CURRENT, { kid: 'key-2' }), { resolver })
    expect(told(unknown)).toMatch(/^unverifiable: no key to verify with: .*'key-2'/)
    expect((await check(card, {})).verdict).toBe('unverifiable')
  })

  test('reports jku, and neither fetches nor trusts it', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('fetched'))
    const header = { alg: 'EdDSA', kid: 'k', typ: 'JOSE', jku: 'https://attacker.example/keys', jwk: { kty: 'OKP' } }
    const card = { ...CURRENT, signatures: [byHand(CURRENT, header)] }
    const proof = await check(card, {})
    expect(proof.verdict).toBe('unverifiable')
    expect(step(proof, 'jku')).toMatchObject({
      outcome: 'warning',
      detail: "'https://attacker.example/keys' is neither fetched nor believed: whoever signs chooses it",
    })
    expect((await check(card)).verdict).toBe('verified')
    expect(fetch).not.toHaveBeenCalled()
  })

  const header = { alg: 'EdDSA', kid: 'k' }
  const hmac = {
    protected: base64url({ alg: 'HS256', kid: 'k' }),
    signature: encodeBase64url(createHmac('sha256', 'x').update('y').digest()),
  }
  test.each<[string, unknown, string]>([
    ['none', { protected: base64url({ alg: 'none', kid: 'k' }), signature: '' }, 'failed: Expected EdDSA'],
    ['HMAC', hmac, 'failed: Expected EdDSA'],
    [
      'an unsupported algorithm',
      { protected: base64url({ alg: 'ES256K', kid: 'k' }), signature: 'AAAA' },
      'unverifiable: Expected',
    ],
    ['no kid', byHand(CURRENT, { alg: 'EdDSA' }), 'failed: The header must have a kid'],
    ['no alg', byHand(CURRENT, { kid: 'k' }), 'failed: The header must have an alg'],
    [
      'critical members',
      byHand(CURRENT, { ...header, crit: ['exp'], exp: 1 }),
      'failed: The header has critical members',
    ],
    [
      'an unencoded payload',
      byHand(CURRENT, { ...header, b64: false, crit: ['b64'] }),
      'failed: The header has critical',
    ],
    [
      'a member in both headers',
      byHand(CURRENT, header, { kid: 'x' }),
      'failed: The members of both headers are disjoint',
    ],
    [
      'a duplicate name',
      { ...byHand(CURRENT, header), protected: base64url('{"alg":"EdDSA","alg":"none","kid":"k"}') },
      'failed: Expected a JSON object',
    ],
    [
      'another type of key',
      { protected: base64url({ alg: 'ES256', kid: 'k' }), signature: 'A'.repeat(86) },
      'failed: none of the keys is for ES256',
    ],
    [
      'padding',
      { ...byHand(CURRENT, header), signature: `${byHand(CURRENT, header).signature}==` },
      'failed: Expected base64url',
    ],
    ['a short signature', { ...byHand(CURRENT, header), signature: 'AAAA' }, 'failed: the card was changed'],
    ['not an object', 'x', "failed: expected a signature, found the string 'x'"],
    ['a huge header', { protected: 'A'.repeat(100_000), signature: 'AAAA' }, 'failed: Expected a JSON object'],
  ])('refuses %s', async (_, entry, expected) => {
    const proof = await check({ ...CURRENT, signatures: [entry] })
    expect(told(proof)).toMatch(new RegExp(`^${expected}`))
    // One valid signature is enough.
    expect((await check({ ...CURRENT, signatures: [entry, byHand(CURRENT, header)] })).verdict).toBe('verified')
  })

  test.each([
    [undefined, 'unverifiable: the card carries no signature'],
    [[], 'unverifiable: the card carries no signature'],
    ['x', "failed: expected an array of signatures, found the string 'x'"],
    [{}, 'failed: expected an array of signatures, found an object'],
  ])('signatures: %j', async (signatures, expected) => {
    expect(told(await check({ ...CURRENT, signatures }))).toBe(expected)
  })

  test('is unverifiable if the caller expects an id or provider, which A2A cards cannot prove', async () => {
    const card = await signed(CURRENT)
    const keys = [KEY.publicKey]
    expect((await check(card, { expect: { keys, provider: 'a.example' } })).verdict).toBe('unverifiable')
    expect((await check(card, { expect: { keys, id: 'agent://a' } })).verdict).toBe('unverifiable')
  })

  test('a thousand signatures cost no more than sixteen', async () => {
    const entry = { protected: base64url(header), signature: 'A'.repeat(86) }
    const started = processorTime()
    const proof = await check({ ...CURRENT, signatures: Array(1000).fill(entry) })
    expect(proof.verdict).toBe('failed')
    expect(proof.steps.filter(({ name, outcome }) => name === 'signature' && outcome === 'failed')).toHaveLength(16)
    expect(processorTime() - started).toBeLessThan(5000)
  })

  test('an odd value anywhere changes the signed bytes or is reported as uncovered, and nothing throws', async () => {
    const whole = await signed(CURRENT, { rules: ['spec'] })
    const before = text(canonicalizeValue(presentMembers(CURRENT as never, '1.0', 'spec').value))
    const odd = ['', 0, false, null, [], {}, [null], { a: '' }]
    for (const [i, place] of places(CURRENT).entries()) {
      const card = structuredClone(whole)
      const parent = at(card, place.slice(0, place.lastIndexOf('/'))) as Json
      parent[place.slice(place.lastIndexOf('/') + 1).replaceAll('~1', '/')] = odd[i % odd.length]
      const { signatures: _, ...rest } = card
      const after = text(canonicalizeValue(presentMembers(rest, '1.0', 'spec').value))
      const { verdict } = await check(card)
      expect([place, verdict]).toEqual([place, before === after ? 'verified' : 'failed'])
      expect(Array.isArray((await signA2aCard(JSON.stringify(card), KEY)).diagnostics)).toBe(true)
    }
  })

  test('handles members with any name and depth', async () => {
    const deep = (levels: number) => {
      const list = `${'['.repeat(levels)}${']'.repeat(levels)}`
      return JSON.stringify({ ...CURRENT, x: 'DEEP' }).replace('"DEEP"', `{"__proto__": ${list}, "constructor": ""}`)
    }
    const expected = { expect: { keys: [KEY.publicKey] } }
    expect((await verifyA2aCard(deep(62), expected)).verdict).toBe('unverifiable')
    expect((await verifyA2aCard(deep(63), expected)).steps).toMatchObject([{ diagnostic: { code: 'DOC-113' } }])
    expect((await verifyA2aCard('[]')).verdict).toBe('failed')
    expect((await verifyA2aCard('{')).verdict).toBe('failed')
  })
})

describe('signatures over another canonical form are named, and never verified', () => {
  const card = { ...CURRENT, description: 'Findet B\u00fccher \u{1f4da}\u007f', documentationUrl: '' }
  const inPython = (value: object, more: string) =>
    execFileSync(
      'python3',
      [
        '-c',
        `import json, sys\n${more}\nprint(json.dumps(clean(json.load(sys.stdin)), separators=(",", ":"), sort_keys=True), end="")`,
      ],
      { input: JSON.stringify(value), encoding: 'utf8' },
    )
  const AS_WRITTEN = 'clean = lambda d: d'
  // _clean_empty of a2a-python 0.3.
  const CLEANED = `def clean(d):
    if isinstance(d, dict): return {k: c for k, v in d.items() if (c := clean(v)) is not None} or None
    if isinstance(d, list): return [c for v in d if (c := clean(v)) is not None] or None
    return None if isinstance(d, str) and not d else d`
  const signedOver = (payload: string) => {
    const protectedHeader = base64url({ alg: 'EdDSA', kid: 'k', typ: 'JOSE' })
    const input = Buffer.from(`${protectedHeader}.${base64url(payload)}`)
    return { protected: protectedHeader, signature: encodeBase64url(nodeSign(null, input, NODE_KEY)) }
  }

  test.each([
    ['as written', AS_WRITTEN],
    ['without empty values', CLEANED],
  ])('a2a-python, %s', async (_name, clean) => {
    const odd = { ...card, x_acme: { '\uffee': 1, '\u{1f600}': [true, null] } }
    const proof = await check({ ...odd, signatures: [signedOver(inPython(odd, clean))] })
    expect(told(proof)).toContain('failed: signed with another canonical form, that of a2a-python')
    const changed = await check({ ...odd, name: 'Other', signatures: [signedOver(inPython(odd, clean))] })
    expect(told(changed)).toContain('failed: the card was changed')
  })

  test('a2a-js, which leaves out empty values and keeps the others', async () => {
    const odd = { ...card, rating: 5 }
    const payload = inPython(odd, CLEANED)
    const written = text(canonicalize(payload))
    expect(told(await check({ ...odd, signatures: [signedOver(written)] }))).toContain(
      'failed: signed with another canonical form, that of a2a-js',
    )
  })
})

test('[card/a2a.8.4-1] a signature without alg or kid is an error', () => {
  for (const header of [{ alg: 'EdDSA' }, { kid: 'k' }, { alg: 'EdDSA', kid: '' }]) {
    const { valid, diagnostics } = validateA2aCard(
      JSON.stringify({ ...CURRENT, signatures: [byHand(CURRENT, header)] }),
    )
    expect([valid, diagnostics.map(({ rule }) => rule)]).toEqual([
      false,
      expect.arrayContaining(['a2a-signature-header']),
    ])
  }
})
