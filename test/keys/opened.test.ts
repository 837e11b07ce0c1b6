import { constants, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import {
  type Algorithm,
  encodeBase64url,
  exportKey,
  generateKey,
  importKey,
  openSigner,
  openVerifier,
} from '../../bindings/keys/index.ts'
import type { Subtle } from '../../bindings/keys/platform.ts'
import type { KeySource } from '../../bindings/keys/read.ts'
import { hasSuite } from '../support/suites.ts'
import { codeOf, ED25519_WAYS, hex, suiteJson, utf8 } from './support.ts'

// The other implementation is OpenSSL, through node:crypto.

const { subtle } = globalThis.crypto
const p1363 = { dsaEncoding: 'ieee-p1363' } as const
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
const MESSAGES = Array.from({ length: 5 }, (_, i) => utf8(`{"seq":${i}}`))

/** Web Crypto that counts its calls and may return modified results. */
function watched(change: (name: keyof Subtle, answer: unknown, nth: number) => unknown = (_, answer) => answer) {
  const asked: Record<string, number> = {}
  const proxy = new Proxy(subtle, {
    get: (_target, name: keyof Subtle) => {
      return async (...args: unknown[]) => {
        asked[name] = (asked[name] ?? 0) + 1
        const nth = asked[name]
        return change(name, await Reflect.apply(subtle[name], subtle, args), nth)
      }
    },
  }) as Subtle
  return { asked, subtle: proxy }
}

describe.each<[Algorithm, string | null, object]>([
  ['Ed25519', null, {}],
  ['Ed448', null, {}],
  ['ES256', 'sha256', p1363],
  ['ES384', 'sha384', p1363],
  ['ES512', 'sha512', p1363],
  ['RS256', 'sha256', {}],
  ['PS256', 'sha256', pss],
])('%s', (algorithm, hash, options) => {
  const made = generateKey(algorithm, { modulusLength: 2048 })
  const platformKeys = algorithm === 'Ed448' ? 0 : 1

  it.each(['each', 'once', undefined] as const)(
    'signs many messages with a key opened once, checks: %s',
    async (checks) => {
      const key = await made
      const { asked, subtle } = watched()
      const signer = await openSigner(key, { algorithm, subtle, ...(checks && { checks }) })
      const theirs = createPublicKey(createPrivateKey(await exportKey(key, 'pem')))
      const signatures = await Promise.all(MESSAGES.map((message) => signer.sign(message)))
      for (const [i, signature] of signatures.entries())
        expect(verify(hash, MESSAGES[i]!, { key: theirs, ...options }, signature)).toBe(true)
      expect(asked['importKey'] ?? 0).toBe(2 * platformKeys)
      expect(signer).toMatchObject({ algorithm, publicKey: { type: 'public', kind: key.kind } })
    },
  )

  it('verifies many messages with a key opened once', async () => {
    const key = await made
    const { asked, subtle } = watched()
    const verifier = await openVerifier(key, { algorithm, subtle })
    const theirs = { key: createPrivateKey(await exportKey(key, 'pem')), ...options }
    const signatures = MESSAGES.map((message) => Uint8Array.from(sign(hash, message, theirs)))
    const verdicts = (of: readonly Uint8Array[]) =>
      Promise.all(of.map((signature, i) => verifier.verify(MESSAGES[i]!, signature)))
    expect(await verdicts(signatures)).toEqual(MESSAGES.map(() => true))
    expect(await verdicts(signatures.toReversed().with(2, new Uint8Array(3)))).toEqual(MESSAGES.map(() => false))
    expect(asked['importKey'] ?? 0).toBe(platformKeys)
    expect(verifier.publicKey.type).toBe('public')
  })

  it('refuses public keys to sign with, and keys of other kinds', async () => {
    const other = await generateKey(algorithm === 'ES256' ? 'ES384' : 'ES256')
    expect(await codeOf(openSigner((await made).publicKey, { algorithm }))).toBe('KEY-105')
    expect(await codeOf(openSigner(other, { algorithm }))).toBe('KEY-103')
    expect(await codeOf(openVerifier(other, { algorithm }))).toBe('KEY-103')
  })
})

describe.each(ED25519_WAYS)('Ed25519 with %s', (_way, options) => {
  it('halves of different keys are found when the key is opened', async () => {
    const [a, b] = [await generateKey('Ed25519'), await generateKey('Ed25519')]
    const jwk = { ...(await exportKey(a, 'jwk')), x: encodeBase64url(await exportKey(b, 'raw')) }
    const opened = async (checks: 'each' | 'once') => openSigner(await importKey(jwk, options), { ...options, checks })
    for (const checks of ['each', 'once'] as const) expect(await codeOf(opened(checks))).toMatch(/^KEY-10[28]$/)
  })

  test.runIf(hasSuite('speccheck'))('refuses each small-order encoding as key', async () => {
    const { smallOrderEncodings } = suiteJson('speccheck', 'expected.json') as { smallOrderEncodings: string[] }
    for (const point of smallOrderEncodings) {
      const verifier = await openVerifier(hex(point), options)
      expect(await verifier.verify(utf8(''), hex(point + '00'.repeat(32)))).toBe(false)
    }
  })
})

describe('a faulty computation', () => {
  /** Flips one bit from the second signature on; the first is made when the key is opened. */
  const faulty = () =>
    watched((name, answer, nth) => {
      if (name === 'sign' && nth > 1) new Uint8Array(answer as ArrayBuffer)[7]! ^= 1
      return answer
    }).subtle

  it.each<[Algorithm, openSigner.Options['checks'], string]>([
    ['Ed25519', undefined, 'KEY-108'],
    ['RS256', undefined, 'KEY-108'],
    ['PS256', undefined, 'KEY-108'],
    ['ES256', 'each', 'KEY-108'],
    ['ES256', undefined, 'none'],
    ['Ed25519', 'once', 'none'],
  ])('%s, checks: %s: %s', async (algorithm, checks, code) => {
    const key = await generateKey(algorithm, { modulusLength: 2048 })
    const signer = await openSigner(key, { algorithm, subtle: faulty(), ...(checks && { checks }) })
    const signed = signer.sign(utf8('m'))
    if (code === 'none') expect((await signed).length).toBe(64)
    else expect(await codeOf(signed)).toBe(code)
  })
})

describe('a Web Crypto key pair', () => {
  const PAIRS: readonly (readonly [Algorithm, object])[] = [
    ['Ed25519', { name: 'Ed25519' }],
    ['ES384', { name: 'ECDSA', namedCurve: 'P-384' }],
    ['PS256', { name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) }],
  ]
  const generate = async (parameters: object) =>
    (await subtle.generateKey(parameters as EcKeyGenParams, false, ['sign', 'verify'])) as CryptoKeyPair

  it.each(PAIRS)('of %s signs even if its private half cannot be exported', async (algorithm, parameters) => {
    const pair = await generate(parameters)
    const signer = await openSigner(pair)
    expect(signer.algorithm).toBe(algorithm)
    const verifier = await openVerifier(signer.publicKey)
    expect(await verifier.verify(utf8('m'), await signer.sign(utf8('m')))).toBe(true)
  })

  it.each(PAIRS)('of %s is refused when its halves do not belong together', async (_, parameters) => {
    const [a, b] = [await generate(parameters), await generate(parameters)]
    expect(await codeOf(openSigner({ privateKey: a.privateKey, publicKey: b.publicKey }))).toBe('KEY-108')
    expect(await codeOf(openSigner({ privateKey: a.publicKey, publicKey: a.publicKey }))).toBe('KEY-102')
    expect(await codeOf(openSigner({ privateKey: a.privateKey, publicKey: a.privateKey }))).toBe('KEY-102')
  })

  it('of a weak key is refused', async () => {
    const parameters = { name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 1024, publicExponent: Uint8Array.of(1, 0, 1) }
    expect(await codeOf(openSigner(await generate(parameters)))).toBe('KEY-104')
  })
})

it('copies its bytes before the first await, and refuses other types', async () => {
  const key = await generateKey('Ed25519')
  const [signer, verifier] = [await openSigner(key), await openVerifier(key)]
  const text = utf8('before')
  const signing = signer.sign(text)
  text.fill(0)
  const signature = await signing
  const again = utf8('before')
  const pending = verifier.verify(again, signature)
  again.fill(0)
  signature.fill(0)
  expect(await pending).toBe(true)
  await expect(signer.sign('text' as never)).rejects.toThrow(TypeError)
  await expect(verifier.verify(text, 'text' as never)).rejects.toThrow(TypeError)
})

it('uses PS256 for an RSA key that allows two algorithms, unless the caller names another', async () => {
  const { alg: _, ...both } = await exportKey(await generateKey('RS256', { modulusLength: 2048 }), 'jwk')
  expect((await openSigner(both)).algorithm).toBe('PS256')
  expect((await openVerifier(both)).algorithm).toBe('PS256')
  expect((await openSigner(both, { algorithm: 'RS256' })).algorithm).toBe('RS256')
})

it('refuses an invalid algorithm, check or key', async () => {
  expect(await codeOf(openVerifier(await generateKey(), { algorithm: 'none' as Algorithm }))).toBe('KEY-101')
  await expect(openSigner(await generateKey(), { checks: 'never' as never })).rejects.toThrow(RangeError)
  for (const source of [null, undefined, 1]) {
    await expect(openSigner(source as unknown as KeySource)).rejects.toThrow(TypeError)
    await expect(openVerifier(source as unknown as KeySource)).rejects.toThrow(TypeError)
  }
})
