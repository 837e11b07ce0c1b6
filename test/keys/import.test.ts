import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { encodeBase64, exportKey, fingerprint, importKey, type Key, KeyError } from '../../bindings/keys/index.ts'
import { hasSuite } from '../support/suites.ts'
import { codeOf, ED25519_WAYS, hex, suiteJson } from './support.ts'

// OpenSSL, through node:crypto, writes the keys and reads them back.
const PAIRS: [name: string, kind: string, pair: { publicKey: KeyObject; privateKey: KeyObject }][] = [
  ['Ed25519', 'Ed25519', generateKeyPairSync('ed25519')],
  ['Ed448', 'Ed448', generateKeyPairSync('ed448')],
  ['P-256', 'P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['P-384', 'P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  ['P-521', 'P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  ['RSA of 2048 bits', 'RSA', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['RSA with exponent 3', 'RSA', generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })],
]

const bytes = (buffer: Buffer) => Uint8Array.from(buffer)
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' }) as JsonWebKey

describe.each(PAIRS)('%s', (_name, kind, { publicKey, privateKey }) => {
  const spki = bytes(publicKey.export({ format: 'der', type: 'spki' }))
  const pkcs8 = bytes(privateKey.export({ format: 'der', type: 'pkcs8' }))
  const publicPem = publicKey.export({ format: 'pem', type: 'spki' }) as string
  const privatePem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string

  it('[adl/6.3-4] is read from SPKI, PEM, base64 and JWK', async () => {
    for (const source of [spki, publicPem, encodeBase64(spki), jwkOf(publicKey), JSON.stringify(jwkOf(publicKey))]) {
      const key = await importKey(source)
      expect([key.kind, key.type]).toEqual([kind, 'public'])
      expect(await exportKey(key, 'spki')).toEqual(spki)
      expect(await exportKey(key, 'pem')).toBe(publicPem)
      expect(await exportKey(key, 'jwk')).toEqual(jwkOf(publicKey))
    }
  })

  it('its private half is read from PKCS #8, PEM and JWK', async () => {
    for (const source of [pkcs8, privatePem, privatePem.replaceAll('\n', '\r\n'), jwkOf(privateKey)]) {
      const key = await importKey(source)
      expect([key.kind, key.type]).toEqual([kind, 'private'])
      expect(await exportKey(key, 'jwk')).toEqual(jwkOf(privateKey))
      expect(await exportKey(key.publicKey, 'spki')).toEqual(spki)
      expect(await exportKey(key, 'pkcs8')).toEqual(pkcs8)
      expect(createPublicKey(await exportKey(key, 'pem')).equals(publicKey)).toBe(true)
    }
  })

  it('has the SHA-256 of its SPKI as fingerprint', async () => {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', spki))
    const key = await importKey(pkcs8)
    expect(await fingerprint(key, { of: 'spki' })).toBe(Buffer.from(digest).toString('base64url'))
    expect(await fingerprint(key)).toBe(await fingerprint(key.publicKey))
  })

  it('shows nothing secret when printed', async () => {
    const key = await importKey(pkcs8)
    const { d } = jwkOf(privateKey)
    expect(JSON.stringify(key)).not.toContain(d)
    expect(Object.values(key)).not.toContain(d)
  })

  it('raw: can be read back, except RSA, which has no raw form', async () => {
    const key = await importKey(spki)
    if (kind === 'RSA') return expect(await codeOf(exportKey(key, 'raw'))).toBe('KEY-103')
    const raw = await exportKey(key, 'raw')
    expect(await exportKey(await importKey(raw), 'spki')).toEqual(spki)
    expect(await exportKey(await importKey(encodeBase64(raw)), 'spki')).toEqual(spki)
  })

  it('cut or changed anywhere, it gives another key or a KeyError, always the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(spki, pkcs8),
        fc.nat(),
        fc.nat(255),
        fc.boolean(),
        async (der, at, byte, cut) => {
          const changed = Uint8Array.from(der)
          changed[at % der.length] = byte
          const source = cut ? changed.slice(0, at % der.length) : changed
          const read = () => importKey(source).catch((error: unknown) => error)
          const result = await read()
          if (!(result instanceof KeyError)) expect((result as Key).kind).toBeTypeOf('string')
          else expect(((await read()) as KeyError).message).toBe(result.message)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe.each(ED25519_WAYS)('with %s', (_way, options) => {
  it('[adl/6.3-4] reads the key of section 6.3 as written in the specification', async () => {
    const key = await importKey('MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=', options)
    expect([key.kind, key.algorithms]).toEqual(['Ed25519', ['Ed25519']])
  })

  test.runIf(hasSuite('rfc-vectors'))('RFC 8037: the public half is that of the private one', async () => {
    const { jwk } = suiteJson('rfc-vectors', 'rfc8037-jws.json') as { jwk: JsonWebKey }
    const seed = Uint8Array.from(Buffer.from(jwk.d!, 'base64url'))
    const key = await importKey(seed, { ...options, format: 'raw-private' })
    expect(await exportKey(key, 'jwk')).toEqual(jwk)
  })
})

test.runIf(hasSuite('rfc-vectors'))('RFC 7638 thumbprints', async () => {
  const vectors = suiteJson('rfc-vectors', 'rfc7638-thumbprint.json') as { jwk: JsonWebKey; sha256: string }[]
  expect(vectors.length).toBe(2)
  for (const { jwk, sha256 } of vectors) expect(await fingerprint(await importKey(jwk))).toBe(sha256)
})

describe('[adl/6.3-5] weak keys are refused as weak', () => {
  const weak: [string, { publicKey: KeyObject }][] = [
    ['RSA of 1024 bits', generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['RSA of 2040 bits', generateKeyPairSync('rsa', { modulusLength: 2040 })],
    ['DSA', generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 })],
    ['P-224', generateKeyPairSync('ec', { namedCurve: 'secp224r1' })],
    ['P-192', generateKeyPairSync('ec', { namedCurve: 'prime192v1' })],
  ]
  it.each(weak)('%s', async (_name, { publicKey }) => {
    const spki = bytes(publicKey.export({ format: 'der', type: 'spki' }))
    expect(await codeOf(importKey(spki))).toBe('KEY-104')
  })
  it('in a JWK', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    expect(await codeOf(importKey(jwkOf(publicKey)))).toBe('KEY-104')
    expect(await codeOf(importKey({ kty: 'EC', crv: 'P-192', x: 'AA', y: 'AA' }))).toBe('KEY-104')
  })
})

describe('unsupported keys are refused as unsupported', () => {
  it.each([
    ['X25519', generateKeyPairSync('x25519')],
    ['secp256k1', generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
    ['RSA-PSS parameters', generateKeyPairSync('rsa-pss', { modulusLength: 2048 })],
  ])('%s', async (_name, { publicKey }) => {
    expect(await codeOf(importKey(bytes(publicKey.export({ format: 'der', type: 'spki' }))))).toBe('KEY-101')
  })
  it.each([{ kty: 'oct', k: 'AA' }, { kty: 'OKP', crv: 'X25519', x: 'AA' }, { kty: '__proto__' }])(
    '%j',
    async (jwk) => {
      expect(await codeOf(importKey(jwk))).toBe('KEY-101')
    },
  )
})

describe('malformed keys', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  it.each<[string, unknown, string]>([
    ['nothing', new Uint8Array(), 'KEY-102'],
    ['a short raw key', new Uint8Array(31), 'KEY-102'],
    ['a JWK without x', { kty: 'OKP', crv: 'Ed25519' }, 'KEY-102'],
    ['a JWK with a short x', { kty: 'OKP', crv: 'Ed25519', x: 'AA' }, 'KEY-102'],
    ['a JWK with a padded x', { kty: 'OKP', crv: 'Ed25519', x: `${x}=` }, 'KEY-107'],
    ['a JWK with bits behind x', { kty: 'OKP', crv: 'Ed25519', x: x.replace(/o$/, 'p') }, 'KEY-107'],
    ['a JWK with x that is no text', { kty: 'OKP', crv: 'Ed25519', x: 1 }, 'KEY-102'],
    ['a JWK of inherited members', Object.create({ kty: 'OKP', crv: 'Ed25519', x }), 'KEY-102'],
    ['a JWK for encryption', { kty: 'OKP', crv: 'Ed25519', x, use: 'enc' }, 'KEY-103'],
    ['a JWK for another algorithm', { kty: 'OKP', crv: 'Ed25519', x, alg: 'ES256' }, 'KEY-103'],
    ['text that is no key', 'no key', 'KEY-107'],
    ['JSON that is no object', '{', 'KEY-102'],
    ['a point that is not on the curve', new Uint8Array(65).fill(4), 'KEY-102'],
    ['two blocks of PEM', '-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----\n'.repeat(2), 'KEY-102'],
    ['PEM with two labels', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', 'KEY-102'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'KEY-102'],
    ['a longer length than needed', hex(`30812a300506032b6570032100${'19'.repeat(32)}`), 'KEY-102'],
    ['bytes behind the end', hex(`302a300506032b6570032100${'19'.repeat(32)}00`), 'KEY-102'],
    ['an unused bit', hex(`302a300506032b6570032101${'18'.repeat(32)}`), 'KEY-102'],
  ])('%s', async (_name, source, code) => {
    expect(await codeOf(importKey(source as string))).toBe(code)
  })

  it('an even modulus', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = jwkOf(publicKey)
    expect(await codeOf(importKey({ ...jwk, e: 'Ag' }))).toBe('KEY-104')
    expect(await codeOf(importKey({ ...jwk, e: 'AQ' }))).toBe('KEY-104')
    expect(await codeOf(importKey({ ...jwk, n: `AA${jwk.n}`.slice(0, 344) }))).toMatch(/KEY-10[27]/)
  })

  it('an invalid private number, and a host without the curve', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = jwkOf(privateKey)
    // PKCS #8 without the public half (RFC 5915 section 3): once with the correct number, once with the order of the
    // curve.
    const pkcs8 = (d: string) => hex(`3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420${d}`)
    const d = Buffer.from(jwk.d!, 'base64url').toString('hex')
    expect(await exportKey(await importKey(pkcs8(d)), 'jwk')).toEqual(jwk)
    const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'
    expect(await codeOf(importKey(pkcs8(order)))).toBe('KEY-102')
    const subtle = new Proxy(crypto.subtle, {
      get: () => () => Promise.reject(new DOMException('not known', 'NotSupportedError')),
    })
    expect(await codeOf(importKey(pkcs8(d), { subtle }))).toBe('KEY-106')
    expect(await codeOf(importKey(pkcs8(d), { algorithm: 'ES256K' as 'ES256' }))).toBe('KEY-101')
  })

  it('a value of another type throws a TypeError', async () => {
    for (const source of [undefined, null, 1, true]) await expect(importKey(source as never)).rejects.toThrow(TypeError)
    await expect(
      exportKey(await importKey({ kty: 'OKP', crv: 'Ed25519', x }), 'der' as exportKey.Format as 'pem'),
    ).rejects.toThrow(RangeError)
  })
})

it('alg restricts the algorithms of an RSA key', async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  expect((await importKey(jwkOf(publicKey))).algorithms).toEqual(['RS256', 'PS256'])
  const narrow = await importKey({ ...jwkOf(publicKey), alg: 'PS256' })
  expect([narrow.algorithms, (await exportKey(narrow, 'jwk')).alg]).toEqual([['PS256'], 'PS256'])
  expect((await importKey(jwkOf(publicKey), { algorithm: 'RS256' })).algorithms).toEqual(['RS256'])
})

test('a fingerprint of ADP/1.1 is the digest of the last 32 bytes of the SPKI', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const digest = createHash('sha256').update(spki.subarray(-32)).digest('base64url')
  expect(await fingerprint(await importKey(spki), { of: 'raw' })).toBe(digest)
})
