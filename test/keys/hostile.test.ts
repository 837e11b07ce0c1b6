import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeBase64,
  didWebUrl,
  importKey,
  KeyError,
  keyOfDid,
  keysOfDidDocument,
  verifyBytes,
} from '../../bindings/keys/index.ts'
import { type KeySource, readPublicKey } from '../../bindings/keys/read.ts'
import { casesOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { hex } from './support.ts'

// Any input gives a key, a KeyError, or a TypeError for a value of another type, and never takes long.

const names = fc.constantFrom('kty', 'crv', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'alg', 'use', 'oth', '__proto__')
const words = fc.constantFrom('OKP', 'EC', 'RSA', 'Ed25519', 'P-256', 'RSA', 'AQAB', 'A'.repeat(43), 'A'.repeat(344))
const jwk = fc.dictionary(names, fc.oneof(words, fc.jsonValue({ maxDepth: 1 })), { maxKeys: 8 })

async function isRefusal(run: () => unknown): Promise<boolean> {
  try {
    await run()
    return false
  } catch (error) {
    expect(error instanceof KeyError || error instanceof TypeError).toBe(true)
    return true
  }
}

test('any JWK, text and bytes', async () => {
  const sources = fc.oneof(jwk, fc.string(), fc.base64String(), fc.uint8Array({ maxLength: 80 }), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(sources, async (source) => {
      await isRefusal(() => importKey(source as KeySource))
      const message = new Uint8Array()
      const input = {
        algorithm: 'Ed25519',
        publicKey: source as KeySource,
        message,
        signature: new Uint8Array(64),
      } as const
      const valid = await verifyBytes(input).catch((error) => error instanceof KeyError || error instanceof TypeError)
      expect(typeof valid).toBe('boolean')
    }),
    { numRuns: casesOf(1500) },
  )
})

test('any DID and any DID document', async () => {
  const did = 'did:web:example.com'
  const method = fc.record(
    {
      id: fc.constantFrom('#a', `${did}#a`),
      controller: fc.constantFrom(did, ''),
      publicKeyJwk: jwk,
      publicKeyMultibase: fc.string(),
    },
    { requiredKeys: [] },
  )
  const list = fc.oneof(fc.array(fc.oneof(method, fc.constantFrom('#a', 1, null))), fc.jsonValue({ maxDepth: 2 }))
  const document = fc.record(
    { id: fc.constant(did), verificationMethod: list, assertionMethod: list },
    { requiredKeys: ['id'] },
  )
  await fc.assert(
    fc.asyncProperty(document, fc.string(), async (value, text) => {
      for (const entry of keysOfDidDocument(did, value))
        expect('key' in entry || entry.error instanceof KeyError).toBe(true)
      await isRefusal(() => keysOfDidDocument(did, text))
      await isRefusal(() => keyOfDid(`did:key:${text}`))
      await isRefusal(() => didWebUrl(`did:web:${text}`))
    }),
    { numRuns: casesOf(1500) },
  )
})

test.each<[string, () => unknown]>([
  ['base64 without end', () => decodeBase64('A'.repeat(4_000_000))],
  ['a key without end', () => readPublicKey('A'.repeat(4_000_000))],
  ['PEM without end', () => importKey(`-----BEGIN PUBLIC KEY-----\n${'A\n'.repeat(1_000_000)}`)],
  ['white space before a key', () => importKey(`${' '.repeat(4_000_000)}x`)],
  ['a did:key without end', () => keyOfDid(`did:key:z${'2'.repeat(4_000_000)}`)],
  ['a did:web of dots', () => didWebUrl(`did:web:${'a.'.repeat(1_000)}`)],
  ['a did:web of hyphens', () => didWebUrl(`did:web:${'a-'.repeat(1_000)}.com`)],
  ['a modulus without end', () => importKey({ kty: 'RSA', n: '_'.repeat(4_000_000), e: 'AQAB' })],
  ['nested DER', () => importKey(hex('3082ffff'.repeat(10_000)))],
  [
    'a DID document with very many keys',
    () => keysOfDidDocument('did:web:a.b', { id: 'did:web:a.b', assertionMethod: Array(1_000_000).fill('#a') }),
  ],
])('%s returns at once', async (_name, run) => {
  const start = processorTime()
  await isRefusal(run)
  expect(processorTime() - start).toBeLessThan(5_000)
})

const block = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`

// What OpenSSL 3.0 and OpenSSH 9.6 say about such files: `openssl pkey` reads neither certificates nor OpenSSH keys.
test.each([
  ['a certificate', block('CERTIFICATE'), 'openssl x509 -pubkey -noout -in FILE'],
  ['a key of OpenSSH', block('OPENSSH PRIVATE KEY'), 'ssh-keygen -p -m PKCS8 -f COPY'],
  ['an encrypted key', block('ENCRYPTED PRIVATE KEY'), '`openssl pkey -in FILE` writes what is expected'],
  [
    'a key of openssl ecparam',
    block('EC PARAMETERS') + block('EC PRIVATE KEY'),
    'found 2 (EC PARAMETERS, EC PRIVATE KEY): `openssl pkey',
  ],
  ['a certificate and its key', block('CERTIFICATE') + block('RSA PRIVATE KEY'), 'openssl pkey -in FILE` writes'],
  ['a key and more', `${block('PRIVATE KEY')}secret`, 'found PRIVATE KEY and more'],
  ['a request', block('CERTIFICATE REQUEST'), 'openssl req -pubkey'],
  ['two keys', block('PUBLIC KEY').repeat(2), 'found 2 (PUBLIC KEY, PUBLIC KEY)'],
])('the message for %s names the remedy and nothing of its content', async (_, text, words) => {
  const error = await importKey(text).catch((error: Error) => error)
  expect(error).toBeInstanceOf(KeyError)
  expect((error as Error).message).toContain(words)
  expect((error as Error).message).not.toMatch(/AAAA|secret/)
})
