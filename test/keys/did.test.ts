import { describe, expect, it, test } from 'vitest'
import {
  didWebUrl,
  exportKey,
  type importKey,
  KeyError,
  keyOfDid,
  keysOfDidDocument,
} from '../../bindings/keys/index.ts'
import { hasSuite } from '../support/suites.ts'
import { hex, suiteJson } from './support.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof KeyError) return error.code
    throw error
  }
  return 'nothing'
}

// The examples of the did:web method, sections 2.5.2 and 3.2, and refusals that it requires.
describe('did:web to URL', () => {
  it.each([
    ['did:web:w3c-ccg.github.io', 'https://w3c-ccg.github.io/.well-known/did.json'],
    ['did:web:w3c-ccg.github.io:user:alice', 'https://w3c-ccg.github.io/user/alice/did.json'],
    ['did:web:example.com%3A3000:user:alice', 'https://example.com:3000/user/alice/did.json'],
    ['did:web:example.com%3a3000', 'https://example.com:3000/.well-known/did.json'],
    ['did:web:Example.COM:a%20b', 'https://example.com/a%20b/did.json'],
  ])('%s', (did, url) => expect(didWebUrl(did)).toBe(url))

  it.each([
    'did:web:',
    'did:web:localhost',
    'did:web:127.0.0.1',
    'did:web:%5B::1%5D',
    'did:web:2130706433',
    'did:web:0x7f.1',
    'did:web:example.com%3A99999',
    'did:web:example.com%2Fevil',
    'did:web:example.com%40evil.com',
    'did:web:example.com::a',
    'did:web:example.com:..:a',
    'did:web:example.com:%2e%2e:a',
    'did:web:example.com:a%2Fb',
    'did:web:example.com?hl=x',
    'did:web:example.com#key',
    'did:web:exa mple.com',
    'did:web:-a.example.com',
    'https://example.com',
    '',
  ])('%j is refused', (did) => expect(codeOf(() => didWebUrl(did))).toBe('KEY-110'))

  it('other methods are refused as unsupported', () => {
    expect(codeOf(() => didWebUrl('did:ion:abc'))).toBe('KEY-111')
    expect(codeOf(() => keyOfDid('did:web:example.com'))).toBe('KEY-111')
  })
})

// did:key method, its examples; the Ed25519 one is the key of RFC 8032 test 1.
describe('did:key', () => {
  it('Ed25519', async () => {
    const key = keyOfDid('did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw')
    expect(await exportKey(key, 'raw')).toEqual(hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'))
  })
  it.each([
    ['P-256', 'zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169'],
    ['P-256', 'zDnaerx9CtbPJ1q36T5Ln5wYt3MQYeGRG5ehnPAmxcf5mDZpv'],
    ['P-384', 'z82Lm1MpAkeJcix9K8TMiLd5NMAhnwkjjCBeWHXyu3U4oT2MVJJKXkcVBgjGhnLBn2Kaau9'],
    ['P-521', 'z2J9gaYxrKVpdoG9A4gRnmpnRCcxU6agDtFVVBVdn1JedouoZN7SzcyREXXzWgt3gGiwpoHq7K68X4m32D8HgzG8wv3sY5j7'],
  ])('%s: %s', async (kind, id) => {
    const key = keyOfDid(`did:key:${id}`)
    expect(key.kind).toBe(kind)
    // Web Crypto accepts only points on the curve.
    await crypto.subtle.importKey('jwk', await exportKey(key, 'jwk'), { name: 'ECDSA', namedCurve: kind }, true, [
      'verify',
    ])
  })
  it.each([
    ['did:key:z6LSeu9HkTHSfLLeUs2nnzUSNedgDUevfNQgQjQC23ZCit6F', 'KEY-111'],
    ['did:key:u7QHXWpgBgrEK', 'KEY-111'],
    ['did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMs', 'KEY-111'],
    ['did:key:z0', 'KEY-102'],
    [`did:key:z${'6'.repeat(200)}`, 'KEY-102'],
  ])('%s is refused', (did, code) => expect(codeOf(() => keyOfDid(did))).toBe(code))
})

describe.runIf(hasSuite('did-web'))('documents of the DID test suite', () => {
  const document = (file: string, did: string) => {
    const { [did]: entry } = suiteJson('did-web', `did-web-${file}.json`)
    const { representation } = entry['application/did+ld+json'] as { representation: string }
    return JSON.parse(representation) as unknown
  }

  test.each([
    ['spruce', 'did:web:demo.spruceid.com:2021:07:08', ['Ed25519', 'RSA']],
    ['mattr', 'did:web:kyledenhartog.com', ['Ed25519']],
    ['mattr', 'did:web:did.actor:healthcare:doctor:robert', []],
    ['transmute', 'did:web:did.actor:mike', []],
    ['transmute', 'did:web:or13.github.io:deno-did-pm', []],
    ['evernym', 'did:web:evernym.com', []],
  ])('%s: %s', (file, did, kinds) => {
    const keys = keysOfDidDocument(did, document(file, did))
    expect(keys.flatMap((entry) => ('key' in entry ? [entry.key.kind] : []))).toEqual(kinds)
    for (const entry of keys) if ('error' in entry) expect(entry.error.code).toMatch(/^KEY-1\d\d$/)
  })

  test('universal resolver: those with an assertion method have its key', () => {
    const { executions } = suiteJson('did-web', 'universal-resolver-did-web.json') as {
      executions: { input: { did: string }; output: { didDocumentStream: string } }[]
    }
    const kinds = executions
      .filter(({ output }) => output.didDocumentStream?.startsWith('{'))
      .map(({ input, output }) => {
        const keys = keysOfDidDocument(input.did, JSON.parse(output.didDocumentStream))
        return [input.did.slice(18), keys.flatMap((entry) => ('key' in entry ? [entry.key.kind] : []))]
      })
    expect(Object.fromEntries(kinds)).toEqual({ alice: ['Ed25519'], bob: [], carol: ['Ed25519'], mike: [] })
  })
})

describe('hostile DID documents', () => {
  const id = 'did:web:example.com'
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  it('another subject, or no document at all, is refused', () => {
    for (const value of [{}, { id: 'did:web:evil.com' }, [], null, 'x', Object.create({ id })]) {
      expect(codeOf(() => keysOfDidDocument(id, value))).toBe('KEY-112')
    }
  })
  it('ignores keys for other purposes, keys of other subjects, and unlisted keys', () => {
    const method = { id: '#a', type: 'JsonWebKey2020', controller: id, publicKeyJwk: jwk }
    expect(keysOfDidDocument(id, { id, verificationMethod: [method], authentication: ['#a'] })).toEqual([])
    expect(keysOfDidDocument(id, { id, verificationMethod: [method], assertionMethod: ['#b', 1, null] })).toEqual([])
    const others = { ...method, controller: 'did:web:evil.com' }
    const [entry] = keysOfDidDocument(id, { id, assertionMethod: [others] })
    expect(entry).toMatchObject({ id: `${id}#a`, error: { code: 'KEY-112' } })
  })
  it('drops private members', async () => {
    const method = { id: '#a', controller: id, publicKeyJwk: { ...jwk, d: jwk.x } }
    const [entry] = keysOfDidDocument(id, { id, assertionMethod: [method] })
    expect(await exportKey((entry as { key: Awaited<ReturnType<typeof importKey>> }).key, 'jwk')).toEqual(jwk)
  })
})
