import { describe, expect, it } from 'vitest'
import type { VerifyOptions } from '../../../bindings/adl/signing.ts'
import { exportKey, type Key } from '../../../bindings/keys/index.ts'
import { check, DID, findings, ID, KEY, keyMember, OTHER_KEY, outcomes, signed } from './support.ts'

const URL = 'https://acme.example.com/agents/scout/did.json'

async function didDocument(key: Key, members: object = {}) {
  const method = {
    id: '#key-1',
    type: 'JsonWebKey2020',
    controller: DID,
    publicKeyJwk: await exportKey(key.publicKey, 'jwk'),
  }
  return { id: DID, verificationMethod: [method], assertionMethod: ['#key-1'], ...members }
}

/** A network with a single response, which records its requests. */
function network(answer: object | string | Response) {
  const asked: string[] = []
  const fetch = async (url: string, init?: RequestInit) => {
    asked.push(url)
    expect(init?.redirect).toBe('manual')
    if (answer instanceof Response) return answer
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
  return { asked, resolve: { fetch } }
}

const withDid = async (members: object = {}) =>
  signed({ cryptographic_identity: { did: DID, public_key: await keyMember(KEY) }, ...members })

describe('did:web', () => {
  it('[adl/18.11-2] [adl/6.3-7] is verified if the domain publishes the key, and the proof names the domain', async () => {
    const { resolve, asked } = network(await didDocument(KEY))
    for (const source of [await withDid(), await signed({ cryptographic_identity: { did: DID } })]) {
      const proof = await check(source, { resolve, expect: { provider: 'ACME.example.com', id: ID } })
      expect(proof.verdict).toBe('verified')
      expect(outcomes(proof)).toMatchObject({ key: 'passed', id: 'passed', provider: 'passed', identity: 'passed' })
      const { detail, data } = proof.steps.find(({ name }) => name === 'identity')!
      expect(detail).toBe('acme.example.com publishes the key; its address was not checked by this host')
      expect(data).toEqual({ trust: 'did:web' })
    }
    expect(asked).toEqual([URL, URL])
  })

  it('is not resolved unless the caller asks for it', async () => {
    const { asked, resolve } = network(await didDocument(KEY))
    const proof = await check(await withDid())
    expect([proof.verdict, outcomes(proof)['identity'], asked]).toEqual(['verified', 'warning', []])
    expect(
      (await check(await signed({ cryptographic_identity: { did: DID } }, KEY, { embedKey: false }))).verdict,
    ).toBe('unverifiable')
    expect((await check(await withDid(), { resolve, expect: { keys: [KEY] } })).verdict).toBe('verified')
    expect(asked).toEqual([])
  })

  it('fails if it lists another key than the document has', async () => {
    const proof = await check(await withDid(), network(await didDocument(OTHER_KEY)))
    expect([proof.verdict, ...findings(proof)]).toEqual(['failed', 'KEY-123 /cryptographic_identity/public_key'])
  })

  it('fails if it does not list the signing key', async () => {
    const source = await signed({ cryptographic_identity: { did: DID } })
    expect((await check(source, network(await didDocument(OTHER_KEY)))).verdict).toBe('failed')
  })

  it('verifies if one of several keys matches', async () => {
    const other = { id: '#key-2', controller: DID, publicKeyJwk: await exportKey(OTHER_KEY.publicKey, 'jwk') }
    const document = await didDocument(KEY)
    const both = {
      ...document,
      verificationMethod: [other, ...document.verificationMethod],
      assertionMethod: ['#key-2', '#key-1'],
    }
    expect((await check(await signed({ cryptographic_identity: { did: DID } }), network(both))).verdict).toBe(
      'verified',
    )
  })

  it('gets a warning if its domain is not that of the id', async () => {
    const proof = await check(
      await withDid({ id: 'https://bank.example/agents/scout' }),
      network(await didDocument(KEY)),
    )
    expect([proof.verdict, outcomes(proof)['identity']]).toEqual(['verified', 'warning'])
  })

  it.each<[string, object | string | Response]>([
    ['an error', new Response('', { status: 404 })],
    ['a redirect', new Response('', { status: 302, headers: { location: URL } })],
    ['no JSON', '<html>'],
    ['JSON with a name twice', '{"id":"a","id":"b"}'],
    ['more than 64 KiB', `{"x":"${'x'.repeat(65_536)}"}`],
    ['the document of another', { id: 'did:web:evil.example' }],
    ['no key', { id: DID }],
    ['no object', '[]'],
    ['nesting', '['.repeat(10_000)],
  ])('is unverifiable if the domain answers with %s', async (_name, answer) => {
    const proof = await check(await withDid(), network(answer))
    expect([proof.verdict, ...findings(proof)]).toEqual(['unverifiable', 'KEY-122 /cryptographic_identity/did'])
  })

  it.each([
    'did:web:localhost',
    'did:web:127.0.0.1',
    'did:web:router.local',
    'did:web:10.0.0.1%3A80',
    'did:ion:x',
    'x',
  ])('[adl/18.7-3] %s is never contacted', async (did) => {
    const { asked, resolve } = network({})
    const proof = await check(await signed({ cryptographic_identity: { did } }), { resolve })
    expect([proof.verdict, asked]).toEqual(['unverifiable', []])
  })

  it('is unverifiable if the domain does not answer in time', async () => {
    const fetch = (_url: string, init?: RequestInit) =>
      new Promise<Response>((_, reject) => init!.signal!.addEventListener('abort', () => reject(new Error('aborted'))))
    expect((await check(await withDid(), { resolve: { fetch, timeoutMs: 20 } })).verdict).toBe('unverifiable')
  })
})

describe('[adl/18.11-2] the expected identity', () => {
  const verdict = async (source: string, options: VerifyOptions) => (await check(source, options)).verdict

  it('fails for another id', async () => {
    const proof = await check(await signed(), { expect: { id: 'https://acme.example.com/agents/other' } })
    expect([proof.verdict, ...findings(proof)]).toEqual(['failed', 'KEY-126 /id'])
    expect(await verdict(await signed({ id: undefined }), { expect: { id: ID } })).toBe('failed')
  })

  it('fails for another provider, whatever the key', async () => {
    const expectOther = { provider: 'evil.example' }
    expect(await verdict(await signed(), { expect: expectOther })).toBe('failed')
    expect(await verdict(await signed(), { expect: { ...expectOther, keys: [KEY] } })).toBe('failed')
    expect(await verdict(await withDid(), { expect: expectOther, ...network(await didDocument(KEY)) })).toBe('failed')
    // The id claims the expected domain, but another domain publishes the key.
    const source = await withDid({ id: 'https://bank.example/agents/scout' })
    expect(await verdict(source, { expect: { provider: 'bank.example' }, ...network(await didDocument(KEY)) })).toBe(
      'failed',
    )
  })

  it('is unverifiable if the key comes with the document: nothing vouches for the provider', async () => {
    const proof = await check(await signed(), { expect: { provider: 'acme.example.com' } })
    expect([proof.verdict, ...findings(proof)]).toEqual(['unverifiable', 'KEY-127 /id'])
    expect(await verdict(await signed(), { expect: { provider: 'acme.example.com', keys: [KEY] } })).toBe('verified')
  })

  it('[adl/17.3-5] never accepts a URN', async () => {
    const urn = 'urn:adl:agent:acme:scout:1.0.0'
    const source = await signed({ id: urn })
    for (const provider of ['acme', 'adl']) {
      expect(await verdict(source, { expect: { provider } })).toBe('unverifiable')
      expect(await verdict(source, { expect: { provider, keys: [KEY] } })).toBe('unverifiable')
    }
    expect(outcomes(await check(source, { expect: { id: urn } }))['id']).toBe('warning')
  })
})
