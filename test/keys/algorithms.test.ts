import { constants, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type Algorithm,
  encodeBase64url,
  exportKey,
  generateKey,
  importKey,
  signBytes,
  verifyBytes,
} from '../../bindings/keys/index.ts'
import { codeOf, ED25519_WAYS, hex, utf8 } from './support.ts'

// The other implementation is OpenSSL, through node:crypto.

interface Case {
  readonly algorithm: Algorithm
  readonly hash: string | null
  readonly options: object
}

const p1363 = { dsaEncoding: 'ieee-p1363' } as const
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
const CASES: Case[] = [
  { algorithm: 'Ed25519', hash: null, options: {} },
  { algorithm: 'Ed448', hash: null, options: {} },
  { algorithm: 'ES256', hash: 'sha256', options: p1363 },
  { algorithm: 'ES384', hash: 'sha384', options: p1363 },
  { algorithm: 'ES512', hash: 'sha512', options: p1363 },
  { algorithm: 'RS256', hash: 'sha256', options: {} },
  { algorithm: 'PS256', hash: 'sha256', options: pss },
]

const message = utf8('{"name":"Scout"}')

describe.each(CASES)('$algorithm', ({ algorithm, hash, options }) => {
  const made = generateKey(algorithm, { modulusLength: 2048 })

  it('an RSA-PSS key of OpenSSL is named as not supported', async () => {
    const { publicKey } = generateKeyPairSync('rsa-pss', { modulusLength: 2048 })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
    await expect(importKey(pem)).rejects.toMatchObject({
      code: 'KEY-101',
      message: expect.stringContaining('RSA-PSS is not supported'),
    })
  })

  it('[adl/10.3-7] OpenSSL verifies our signatures, and we verify its signatures', async () => {
    const key = await made
    const theirs = createPrivateKey(await exportKey(key, 'pem'))
    const signature = await signBytes({ algorithm, privateKey: key, message })
    expect(verify(hash, message, { key: createPublicKey(theirs), ...options }, signature)).toBe(true)
    const back = Uint8Array.from(sign(hash, message, { key: theirs, ...options }))
    expect(await verifyBytes({ algorithm, publicKey: key, message, signature: back })).toBe(true)
  })

  it('is false for every other message, key, length and bit', async () => {
    const key = await made
    const signature = await signBytes({ algorithm, privateKey: key, message })
    const other = await generateKey(algorithm, { modulusLength: 2048 })
    const check = (changes: object) => verifyBytes({ algorithm, publicKey: key, message, signature, ...changes })
    expect(await check({})).toBe(true)
    expect(await check({ message: utf8('{"name":"scout"}') })).toBe(false)
    expect(await check({ publicKey: other.publicKey })).toBe(false)
    expect(await check({ signature: signature.slice(1) })).toBe(false)
    expect(await check({ signature: Uint8Array.of(...signature, 0) })).toBe(false)
    expect(await check({ signature: new Uint8Array(signature.length) })).toBe(false)
    expect(await check({ signature: new Uint8Array(signature.length).fill(255) })).toBe(false)
    for (const at of [0, signature.length >> 1, signature.length - 1]) {
      const damaged = Uint8Array.from(signature)
      damaged[at]! ^= 1
      expect(await check({ signature: damaged })).toBe(false)
    }
  })

  it('refuses keys of other kinds, and public keys to sign with', async () => {
    const wrong = await generateKey(algorithm === 'ES256' ? 'ES384' : 'ES256')
    const signature = new Uint8Array(64)
    expect(await codeOf(verifyBytes({ algorithm, publicKey: wrong, message, signature }))).toBe('KEY-103')
    expect(await codeOf(signBytes({ algorithm, privateKey: (await made).publicKey, message }))).toBe('KEY-105')
  })
})

it('[adl/10.3-7] an unsupported algorithm throws its own error instead of returning false', async () => {
  const publicKey = (await generateKey('ES256')).publicKey
  for (const algorithm of ['none', 'HS256', 'ES256K', 'RS1', 'es256', '__proto__', 'constructor', '']) {
    const signature = new Uint8Array(64)
    expect(await codeOf(verifyBytes({ algorithm: algorithm as Algorithm, publicKey, message, signature }))).toBe(
      'KEY-101',
    )
  }
})

it('[adl/6.3-6] generates Ed25519 keys by default', async () => {
  const { privateKey, publicKey } = await generateKey()
  expect([privateKey.kind, privateKey.type, publicKey.type, publicKey.privateKey]).toEqual([
    'Ed25519',
    'private',
    'public',
    undefined,
  ])
  await expect(generateKey('RS256', { modulusLength: 1024 })).rejects.toThrow(RangeError)
})

it('signatures in DER do not verify', async () => {
  const key = await generateKey('ES256')
  const signature = Uint8Array.from(sign('sha256', message, await exportKey(key, 'pem')))
  expect(await verifyBytes({ algorithm: 'ES256', publicKey: key, message, signature })).toBe(false)
})

it('PSS with another salt length does not verify as PS256', async () => {
  const key = await generateKey('PS256', { modulusLength: 2048 })
  const options = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 }
  const signature = Uint8Array.from(sign('sha256', message, { key: await exportKey(key, 'pem'), ...options }))
  expect(await verifyBytes({ algorithm: 'PS256', publicKey: key, message, signature })).toBe(false)
})

describe.each(ED25519_WAYS)('with %s', (_way, options) => {
  it('halves of different keys sign nothing', async () => {
    const [a, b] = [await generateKey('Ed25519'), await generateKey('Ed25519')]
    const jwk = { ...(await exportKey(a, 'jwk')), x: encodeBase64url(await exportKey(b, 'raw')) }
    const privateKey = await importKey(jwk, options)
    expect(await codeOf(signBytes({ algorithm: 'Ed25519', privateKey, message, ...options }))).toMatch(/^KEY-10[28]$/)
  })
})

it('Ed448 refuses points of small order and unreduced numbers', async () => {
  const algorithm = 'Ed448'
  // RFC 8032 section 5.2: y of the four points of small order is 1, 0 (twice) and p - 1.
  const minusOne = `fe${'ff'.repeat(27)}fe${'ff'.repeat(27)}00`
  for (const point of [`01${'00'.repeat(56)}`, '00'.repeat(57), `${'00'.repeat(56)}80`, minusOne]) {
    const signature = hex(point + '00'.repeat(57))
    expect(await verifyBytes({ algorithm, publicKey: hex(point), message, signature })).toBe(false)
  }
})

it('copies its bytes before the first await, and refuses other types', async () => {
  const key = await generateKey('Ed25519')
  const text = utf8('before')
  const signature = await signBytes({ algorithm: 'Ed25519', privateKey: key, message: text })
  const pending = verifyBytes({ algorithm: 'Ed25519', publicKey: key, message: text, signature })
  text.fill(0)
  signature.fill(0)
  expect(await pending).toBe(true)
  const bad = { algorithm: 'Ed25519', publicKey: key, message: 'text', signature } as never
  await expect(verifyBytes(bad)).rejects.toThrow(TypeError)
})
