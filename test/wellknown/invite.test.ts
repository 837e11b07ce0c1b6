// Invitations of section 8.3.1: their rules and signatures.

import { createPrivateKey, sign as nodeSign } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { hasShape } from '../../bindings/frame/shape.ts'
import { generateKey, importKey } from '../../bindings/keys/index.ts'
import { sign as signMetadata, verify as verifyMetadata } from '../../bindings/wellknown/index.ts'
import { invite, sign, validate, verify } from '../../bindings/wellknown/invite/index.ts'
import schema from '../../bindings/wellknown/invite/schema.json' with { type: 'json' }
import { INVITE, inviteShape, RULES } from '../../bindings/wellknown/invite/specification.ts'
import { explainedRows, shapeFindings } from '../support/explained.ts'
import { CLEAN, FULL, SEED } from './clean.ts'

const NOW = new Date('2026-06-18T10:00:00Z')
const seed = Uint8Array.from(Buffer.from(SEED, 'hex'))
const key = await importKey(seed, { format: 'raw-private' })

/** The draft's example with a real key and a code that cannot be guessed. */
const SOUND = {
  protocol: 'ADP/1.1',
  invite: {
    code: 'iVbPLQ_VtSDqQvQq6wQ1xA',
    agent: 'agent:alice.example.com',
    wellKnown: 'https://alice.example.com/.well-known/agent.json',
    pubkey: 'ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk',
    expires: '2026-12-31T00:00:00Z',
  },
}
type Change = { readonly invite?: object } & Readonly<Record<string, unknown>>
const withChange = (change: Change) =>
  JSON.parse(JSON.stringify({ ...SOUND, ...change, invite: { ...SOUND.invite, ...change.invite } }))
const told = (value: unknown, ruleset: 'recommended' | 'security' = 'recommended') =>
  validate(JSON.stringify(value), { now: NOW, ruleset }).diagnostics.map(
    ({ rule, source }) => `${rule} ${source.pointer}`,
  )
const signed = async (value: object = SOUND) => {
  const { bytes } = await sign(JSON.stringify(value), key)
  return JSON.parse(new TextDecoder().decode(bytes))
}
const outcomes = async (value: unknown, options = {}) => {
  const { verdict, steps } = await verify(JSON.stringify(value), { now: NOW, ...options })
  return [verdict, ...steps.map(({ name, outcome }) => `${name} ${outcome}`)]
}

describe('[wellknown/8.3.1-1] the format', () => {
  const rules = explainedRows([...RULES, ...shapeFindings(INVITE, schema)])
  /** The example of a missing member is a whole document. The others change the valid invitation. */
  const example = (id: string, text: string) =>
    id === 'missing-member' ? JSON.parse(text) : withChange(JSON.parse(text))

  test.each(rules)('$id: the bad example breaks only this rule, the good one breaks none', ({ id, bad, good }) => {
    const found = [...new Set(told(example(id, bad)).map((finding) => finding.split(' ')[0]))]
    expect(found).toEqual([id])
    expect(told(example(id, good))).toEqual([])
  })

  test('refuses an address that contains the code, because addresses are logged', () => {
    const wellKnown = `${SOUND.invite.wellKnown}?invite=${SOUND.invite.code}`
    expect(told(withChange({ invite: { wellKnown } }))).toEqual(['well-known-url /invite/wellKnown'])
  })

  test('accepts the example of the draft, except for its fingerprint and weak code', () => {
    const draft = withChange({ invite: { code: 'a1b2c3d4', pubkey: 'ed25519:<fingerprint>' } })
    expect(told(draft)).toEqual(['code-strength /invite/code', 'fingerprint-form /invite/pubkey'])
  })

  test.each([
    ['a code with spaces', { invite: { code: 'iVbPLQ VtSDqQvQq6wQ1xA' } }, ['code-strength /invite/code']],
    ['an IP address', { invite: { wellKnown: 'https://127.0.0.1/agent.json' } }, ['well-known-url /invite/wellKnown']],
    ['credentials', { invite: { wellKnown: 'https://a:b@alice.example.com/' } }, ['well-known-url /invite/wellKnown']],
    ['another scheme', { invite: { wellKnown: 'javascript:alert(1)' } }, ['well-known-url /invite/wellKnown']],
    ['an agent of cards', { invite: { agent: 'agent://alice' } }, ['agent-id /invite/agent']],
    ['unknown members', { invite: { more: 1 }, note: 'x' }, []],
    ['ADP/1.0', { protocol: 'ADP/1.0' }, ['protocol-version /protocol']],
    ['an empty protocol', { protocol: '' }, ['empty-value /protocol']],
    ['an end in a leap second', { invite: { expires: '2016-12-31T23:59:60Z' } }, ['expired /invite/expires']],
  ])('%s', (_, change, expected) => {
    expect(told(withChange(change))).toEqual(expected)
  })

  test('never puts the code into a finding', () => {
    const report = validate(JSON.stringify(withChange({ invite: { code: 'hunter2secret', expires: 7 } })), { now: NOW })
    expect(JSON.stringify(report.diagnostics)).not.toContain('hunter2')
  })

  test('agrees with Ajv on odd values at every place', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    for (const value of [null, true, 0, 'x', '', [], {}]) {
      const odd = [value, { ...SOUND, invite: value }, { ...SOUND, protocol: value }, { ...SOUND, signature: value }]
      for (const name of ['code', 'agent', 'wellKnown', 'pubkey']) odd.push(withChange({ invite: { [name]: value } }))
      for (const document of odd)
        expect([document, hasShape(inviteShape(), document, () => false)]).toEqual([document, ajv(document)])
    }
  })
})

describe('[wellknown/8.3.1-2] the signature of an invitation', () => {
  test('equals the one that node:crypto makes over blazon/invite/1 and the canonical member', async () => {
    const { signature } = await signed()
    const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
    const { agent, code, expires, pubkey, wellKnown } = SOUND.invite
    const payload = Buffer.from(`blazon/invite/1\n${JSON.stringify({ agent, code, expires, pubkey, wellKnown })}`)
    const own = nodeSign(null, payload, createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }))
    expect(signature).toBe(`ed25519:${own.toString('base64url')}`)
  })

  test('is valid with the key of the agent, and unverifiable without it', async () => {
    const document = await signed()
    expect(await outcomes(document, { expect: { id: 'agent:Alice.example.com', keys: [FULL] } })).toEqual([
      'verified',
      'id passed',
      'expires passed',
      'canonical-form passed',
      'key passed',
      'signature passed',
    ])
    expect(await outcomes(document)).toEqual(expect.arrayContaining(['unverifiable', 'key unknown']))
    expect(await outcomes(SOUND, { expect: { keys: [FULL] } })).toEqual(
      expect.arrayContaining(['unverifiable', 'signature unknown']),
    )
  })

  test.each([
    ['another code', { invite: { code: 'AAAAAAAAAAAAAAAAAAAAAA' } }, 'signature failed'],
    ['a later end', { invite: { expires: '2027-01-01T00:00:00Z' } }, 'signature failed'],
    ['an added member', { invite: { more: 1 } }, 'signature failed'],
    ['another address', { invite: { wellKnown: 'https://evil.example/' } }, 'signature failed'],
    [
      'another fingerprint',
      { invite: { pubkey: 'ed25519:BuP9j9opu2CrWVV95h7bCuzbIxE0vjDnW0Vfjht5L6k' } },
      'key failed',
    ],
    ['a truncated signature', { signature: 'ed25519:AAAA' }, 'signature failed'],
    ['no end', { invite: { expires: undefined } }, 'expires failed'],
  ])('fails with %s', async (_, change, expected) => {
    const { signature } = await signed()
    const told = await outcomes(withChange({ signature, ...change }), { expect: { keys: [FULL] } })
    expect(told[0]).toBe('failed')
    expect(told).toContain(expected)
  })

  test('fails for an expired invitation, and for another agent, although the signature is valid', async () => {
    const document = await signed()
    const later = { now: new Date('2026-12-31T00:00:00Z'), expect: { keys: [FULL] } }
    expect(await outcomes(document, later)).toEqual(
      expect.arrayContaining(['failed', 'expires failed', 'signature passed']),
    )
    const leap = await signed(withChange({ invite: { expires: '2016-12-31T23:59:60Z' } }))
    expect(await outcomes(leap, { expect: { keys: [FULL] } })).toEqual(
      expect.arrayContaining(['failed', 'expires failed', 'signature passed']),
    )
    const other = { expect: { id: 'agent:bank.example', keys: [FULL] } }
    expect(await outcomes(document, other)).toEqual(expect.arrayContaining(['failed', 'id failed']))
  })

  test('is refused for another key, and for a number that it would round', async () => {
    const { diagnostics } = await sign(JSON.stringify(SOUND), await generateKey('Ed25519'))
    expect(diagnostics.map(({ code }) => code)).toEqual(['INV-153'])
    const rounded = JSON.stringify(SOUND).replace('"code"', '"uses":9007199254740993,"code"')
    expect((await sign(rounded, key)).diagnostics.map(({ code }) => code)).toEqual(['INV-156'])
  })

  test('never verifies as a proof of metadata, nor the other way round', async () => {
    const { signature } = await signed()
    const { bytes } = await signMetadata(JSON.stringify(CLEAN), key)
    const { proof } = JSON.parse(new TextDecoder().decode(bytes)).identity.publicKey
    expect(await outcomes({ ...SOUND, signature: proof }, { expect: { keys: [FULL] } })).toContain('signature failed')
    const publicKey = { ...CLEAN.identity.publicKey, proof: signature }
    const other = { ...CLEAN, identity: { ...CLEAN.identity, publicKey } }
    expect((await verifyMetadata(JSON.stringify(other), { expect: { keys: [FULL] } })).verdict).toBe('failed')
  })
})

test('invite creates random codes of 128 bits', async () => {
  const expires = new Date('2026-12-31T00:00:00.123Z')
  const made = await Promise.all(
    Array.from({ length: 50 }, () => invite({ domain: 'alice.example.com', key }, { expires })),
  )
  const codes = made.map((each) => (each['invite'] as typeof SOUND.invite).code)
  expect(new Set(codes).size).toBe(50)
  for (const code of codes) expect(Buffer.from(code, 'base64url')).toHaveLength(16)
  expect(withChange({ invite: { ...(made[0]!['invite'] as object), code: SOUND.invite.code } })).toEqual(SOUND)
  expect(told(made[0], 'security')).toEqual([])
})
