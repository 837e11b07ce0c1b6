import { createPrivateKey, sign as nodeSign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { exportKey, fingerprint, generateKey, importKey } from '../../bindings/keys/index.ts'
import { sign, verify } from '../../bindings/wellknown/index.ts'
import { CLEAN, FULL, SEED, withChange } from './clean.ts'

const seed = Uint8Array.from(Buffer.from(SEED, 'hex'))
const key = await importKey(seed, { format: 'raw-private' })
const text = (value: unknown) => JSON.stringify(value)
const outcomes = async (source: string, options = {}) => {
  const { verdict, steps } = await verify(source, options)
  return [verdict, ...steps.map(({ name, outcome }) => `${name} ${outcome}`)]
}
const signed = async (value: unknown = CLEAN) => {
  const { bytes, diagnostics } = await sign(text(value), key)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return JSON.parse(new TextDecoder().decode(bytes))
}

describe('[wellknown/6.3.2-5] the proof', () => {
  test('equals the one that node:crypto makes over the canonical form without it', async () => {
    const { proof } = (await signed()).identity.publicKey
    const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
    const own = nodeSign(null, canonicalizeValue(CLEAN), createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }))
    expect(proof).toBe(`ed25519:${own.toString('base64url')}`)
  })

  test('verifies with a known key, and is self-asserted otherwise', async () => {
    const document = text(await signed())
    expect(await outcomes(document)).toEqual([
      'unverifiable',
      'id skipped',
      'canonical-form passed',
      'key passed',
      'fingerprint passed',
      'proof passed',
      'identity unknown',
    ])
    const expect_ = { id: 'agent:Alice.example.com', keys: [FULL] }
    expect((await outcomes(document, { expect: expect_ }))[0]).toBe('verified')
    expect((await outcomes(document, { expect: { provider: 'alice.example.com', keys: [key] } }))[0]).toBe('verified')
    const other = await generateKey('Ed25519')
    expect(await outcomes(document, { expect: { keys: [other] } })).toContain('identity failed')
    expect(await outcomes(document, { expect: { id: 'agent:bank.example', keys: [key] } })).toContain('id failed')
  })

  test('is valid but untrusted with an unknown key, and invalid for a changed document', async () => {
    const document = await signed()
    const other = await generateKey('Ed25519')
    const codes = async (value: unknown) => {
      const { steps } = await verify(text(value), { expect: { keys: [other] } })
      return steps.flatMap(({ diagnostic, detail }) => (diagnostic ? [[diagnostic.code, detail]] : []))
    }
    const [finding] = await codes(document)
    expect(finding![0]).toBe('KEY-129')
    for (const one of [key, other]) expect(finding![1]).toContain(await fingerprint(one))
    const changed = await codes({ ...document, meta: { changed: true } })
    expect(changed.map(([code]) => code)).toEqual(['WK-150', 'WK-152'])
  })

  test.each([
    'agent:alice.example.com/x',
    'agent:a@alice.example.com',
    'agent://alice.example.com',
    'alice.example.com',
  ])('fails for another agent: %s', async (id) => {
    const document = text(await signed())
    expect(await outcomes(document, { expect: { id, keys: [key] } })).toContain('id failed')
  })

  test('fails like any invalid proof if it is not text', async () => {
    const document = await signed()
    for (const proof of [5, null, {}, '']) {
      const publicKey = { ...document.identity.publicKey, proof }
      const changed = { ...document, identity: { ...document.identity, publicKey } }
      expect(await outcomes(changed), String(proof)).toContain('proof failed')
    }
  })

  test('is also accepted next to the key', async () => {
    const document = await signed()
    const { proof, ...publicKey } = document.identity.publicKey
    const moved = { ...document, identity: { ...document.identity, publicKey, proof } }
    expect(await outcomes(text(moved), { expect: { keys: [key] } })).toContain('proof passed')
  })

  test.each([
    ['a changed name', { identity: { name: 'Mallory' } }, 'proof failed'],
    ['an added member', { more: 1 }, 'proof failed'],
    ['a truncated proof', { identity: { publicKey: { proof: 'ed25519:AAAA' } } }, 'proof failed'],
    ['another text', { identity: { publicKey: { proof: 'yes' } } }, 'proof failed'],
    [
      '[wellknown/8.1.2-1] another fingerprint',
      { identity: { publicKey: { fingerprint: 'ed25519:BuP9j9opu2CrWVV95h7bCuzbIxE0vjDnW0Vfjht5L6k' } } },
      'fingerprint failed',
    ],
    ['another agent', { identity: { id: 'agent:bank.example' } }, 'id failed'],
    ['no key', { identity: { publicKey: { full: undefined } } }, 'key unknown'],
  ])('does not verify with %s', async (_, change, expected) => {
    const document = await signed()
    const { proof } = document.identity.publicKey
    const changed = withChange({ identity: { publicKey: { proof } } }, change)
    const told = await outcomes(text(changed), { expect: { keys: [key] } })
    expect(told).toContain(expected)
    expect(told[0]).not.toBe('verified')
  })

  test('[wellknown/9.4-2] is not checked for another protocol version', async () => {
    const changed = withChange(await signed(), { protocol: 'ADP/2.0' })
    const { verdict, steps } = await verify(text(changed), { expect: { keys: [key] } })
    expect([verdict, steps.map(({ name, diagnostic }) => `${name} ${diagnostic?.code}`)]).toEqual([
      'failed',
      ['protocol WK-102'],
    ])
  })

  test('is required for a verdict', async () => {
    expect(await outcomes(text(CLEAN), { expect: { keys: [key] } })).toEqual(
      expect.arrayContaining(['unverifiable', 'proof unknown']),
    )
  })
})

describe('signing refuses', () => {
  test.each([
    ['another key than the one in the document', CLEAN, 'WK-154', true],
    ['a document without a fingerprint', withChange({ identity: { publicKey: undefined } }), 'WK-153', false],
    ['[wellknown/9.4-2] a document of another protocol', withChange({ protocol: 'ADP/2.0' }), 'WK-102', false],
    ['what could be read as another kind', withChange({ agent_card: {} }), 'WK-108', false],
  ])('%s', async (_, value, code, byAnother) => {
    const signer = byAnother ? await generateKey('Ed25519') : key
    const { bytes, diagnostics } = await sign(text(value), signer, {})
    expect([bytes, diagnostics[0]?.code]).toEqual([undefined, code])
  })
  test('a number that would be rounded', async () => {
    const { diagnostics } = await sign(
      text({ ...CLEAN, meta: { build: 0 } }).replace('"build":0', '"build":9007199254740993'),
      key,
    )
    expect(diagnostics.map(({ code }) => code)).toContain('WK-156')
  })
  test('a key that is not for Ed25519', async () => {
    const other = await generateKey('ES256')
    await expect(sign(text(CLEAN), other)).rejects.toMatchObject({ code: 'KEY-103' })
  })
  test('output never contains the private key', async () => {
    const { d } = (await exportKey(key, 'jwk')) as { d: string }
    expect(text(await signed())).not.toContain(d)
  })
})
