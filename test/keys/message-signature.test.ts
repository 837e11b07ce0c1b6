// HTTP message signatures (RFC 9421): the vector of its appendix, and two other implementations in both directions.
import { createPrivateKey, createPublicKey, sign as nodeSign, verify as nodeVerify, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { signRequest } from '../../bindings/agp/index.ts'
import { type InnerList, readDictionary, signatureBase, writeMember } from '../../bindings/keys/http/sign.ts'
import {
  contentDigest,
  exportKey,
  fingerprint,
  generateKey,
  type HttpMessage,
  importKey,
  type Key,
  signMessage,
  verifyBytes,
  verifyMessage,
} from '../../bindings/keys/index.ts'
import { processorTime } from '../support/effort.ts'
import { peer } from '../support/peers.mjs'

/** RFC 9421 appendix B.1.4. */
const RFC_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
}
/** The request of appendix B.2. */
const RFC_REQUEST = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  headers: new Headers({
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'content-length': '18',
  }),
}
/** Appendix B.2.6. */
const B26 = {
  components: ['date', '@method', '@path', '@authority', 'content-type', 'content-length'],
  input:
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  signature: 'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
}

const NOW = new Date('2026-06-18T10:00:00Z')
const COMPONENTS = ['@method', '@target-uri', 'content-digest']
const BODY = new TextEncoder().encode('{"hello": "world"}')

let key: Key
let keyid: string

beforeAll(async () => {
  key = await generateKey('Ed25519')
  keyid = await fingerprint(key)
})

const request = (more: Record<string, string> = {}): HttpMessage & { headers: Headers } => ({
  method: 'POST',
  url: 'https://alice.example.com/agent/tasks?x=1',
  headers: new Headers({ 'content-digest': contentDigest(BODY), ...more }),
})

async function signed(options: Partial<signMessage.Options> = {}, message = request()) {
  const expires = new Date(NOW.getTime() + 60_000)
  const made = await signMessage(message, key, { components: COMPONENTS, created: NOW, expires, ...options })
  for (const [name, value] of Object.entries(made)) message.headers.set(name, value)
  return message
}

const check = (message: HttpMessage, options: Partial<verifyMessage.Options> = {}) =>
  verifyMessage(message, {
    keyOf: (id) => (id === keyid ? key.publicKey : undefined),
    components: COMPONENTS,
    body: BODY,
    now: NOW,
    ...options,
  })

describe('the vector of RFC 9421 B.2.6', () => {
  test('is what signMessage returns', async () => {
    const made = await signMessage(RFC_REQUEST, RFC_KEY, {
      components: B26.components,
      created: new Date(1618884473_000),
      keyid: 'test-key-ed25519',
      label: 'sig-b26',
    })
    expect(made).toEqual({ 'signature-input': B26.input, signature: B26.signature })
  })

  test('verifies over our signature base, which is the one of the RFC', async () => {
    const covered = readDictionary(B26.input)!.get('sig-b26')!
    if (!('items' in covered)) throw new Error('a list')
    const made = signatureBase(RFC_REQUEST, covered)
    if (!('base' in made)) throw new Error(made.fault)
    expect(new TextDecoder().decode(made.base)).toBe(
      `"date": Tue, 20 Apr 2021 02:07:55 GMT\n"@method": POST\n"@path": /foo\n"@authority": example.com\n"content-type": application/json\n"content-length": 18\n"@signature-params": ${B26.input.slice('sig-b26='.length)}`,
    )
    const signature = new Uint8Array(Buffer.from(B26.signature.slice(9, -1), 'base64'))
    const { d: _, ...jwk } = RFC_KEY
    expect(nodeVerify(null, made.base, createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true)
    expect(
      await verifyBytes({ algorithm: 'Ed25519', publicKey: await importKey(jwk), message: made.base, signature }),
    ).toBe(true)
  })
})

describe('derived components (RFC 9421 section 2.2)', () => {
  // The examples of sections 2.2.1 to 2.2.7.
  test.each([
    ['POST', 'https://www.example.com/path?param=value', '@method', 'POST'],
    ['POST', 'https://www.example.com/path?param=value', '@target-uri', 'https://www.example.com/path?param=value'],
    ['POST', 'https://www.EXAMPLE.com:443/path', '@authority', 'www.example.com'],
    ['POST', 'https://www.example.com:8443/path', '@authority', 'www.example.com:8443'],
    ['GET', 'http://www.example.com/path', '@scheme', 'http'],
    ['POST', 'https://www.example.com/path?param=value', '@request-target', '/path?param=value'],
    ['POST', 'https://www.example.com/path?param=value', '@path', '/path'],
    [
      'POST',
      'https://www.example.com/path?param=value&foo=bar&baz=bat%2Dman',
      '@query',
      '?param=value&foo=bar&baz=bat%2Dman',
    ],
    ['POST', 'https://www.example.com/path?queryString', '@query', '?queryString'],
    ['POST', 'https://www.example.com/path', '@query', '?'],
  ])('%s %s: %s is %s', (method, url, name, value) => {
    const covered = { items: [{ value: name, parameters: new Map() }], parameters: new Map() }
    const made = signatureBase({ method, url, headers: new Headers() }, covered)
    expect('base' in made && new TextDecoder().decode(made.base).split('\n')[0]).toBe(`"${name}": ${value}`)
  })

  test('of a response, and of the request that it answers', async () => {
    const response = { status: 200, headers: new Headers(), request: request() }
    const times = { created: NOW, expires: new Date(NOW.getTime() + 60_000) }
    const components = ['@status', '@authority;req']
    const made = await signMessage(response, key, { components, ...times })
    for (const [name, value] of Object.entries(made)) response.headers.set(name, value)
    expect(await check(response, { components })).toMatchObject({ valid: true, components })
    expect(await check({ ...response, status: 404 }, { components })).toMatchObject({ valid: false })
    await expect(signMessage(response, key, { components: ['@method'] })).rejects.toThrow(RangeError)
  })
})

describe('verifying', () => {
  test('returns what the caller needs for its decision', async () => {
    const told = await check(await signed({ nonce: 'abc', tag: 'web-bot-auth' }))
    expect(told).toMatchObject({
      valid: true,
      keyid,
      nonce: 'abc',
      tag: 'web-bot-auth',
      components: COMPONENTS,
      created: NOW,
    })
  })

  test.each([
    ['another method', (message: HttpMessage) => ({ ...message, method: 'PUT' }), {}],
    [
      'another address',
      (message: HttpMessage) => ({ ...message, url: 'https://alice.example.com/agent/tasks?x=2' }),
      {},
    ],
    ['another body', (message: HttpMessage) => message, { body: new TextEncoder().encode('{}') }],
    ['no body to compare', (message: HttpMessage) => message, { body: undefined }],
    ['a later time', (message: HttpMessage) => message, { now: new Date(NOW.getTime() + 60_000) }],
    ['an earlier time', (message: HttpMessage) => message, { now: new Date(NOW.getTime() - 61_000) }],
    ['a shorter life', (message: HttpMessage) => message, { mostSeconds: 59 }],
    ['more to be covered', (message: HttpMessage) => message, { components: [...COMPONENTS, '@authority'] }],
    ['an unknown key', (message: HttpMessage) => message, { keyOf: () => undefined }],
    ['another tag', (message: HttpMessage) => message, { tag: 'web-bot-auth' }],
  ])('%s: it is refused', async (_, change, options) => {
    const told = await check(change(await signed()), options as Partial<verifyMessage.Options>)
    expect(told).toEqual({ valid: false, reason: expect.any(String), fault: expect.any(String) })
  })

  test('another key, and a key of another kind: refused', async () => {
    const message = await signed()
    for (const algorithm of ['Ed25519', 'ES256'] as const) {
      const other = (await generateKey(algorithm)).publicKey
      expect(await check(message, { keyOf: () => other })).toMatchObject({ valid: false })
    }
  })

  test.each([
    ['no headers', '', ''],
    ['no signature', 'sig1=("@method");created=1;expires=2;keyid="k"', ''],
    ['not a list', 'sig1=:AAAA:', 'sig1=:AAAA:'],
    ['not bytes', 'sig1=("@method");created=1;expires=2;keyid="k"', 'sig1=("x")'],
    ['cut off', 'sig1=("@method', 'sig1=:AAAA:'],
    ['a decimal', 'sig1=("@method");created=1.5;expires=2;keyid="k"', 'sig1=:AAAA:'],
    ['a trailing comma', 'sig1=("@method");created=1,', 'sig1=:AAAA:'],
    ['two for this', 'a=("@method"), b=("@method")', 'a=:AAAA:, b=:AAAA:'],
    ['base64url', 'sig1=("@method");created=1;expires=2;keyid="k"', 'sig1=:-_-_:'],
    ['too long', `sig1=("@method" ${'"a" '.repeat(3000)})`, 'sig1=:AAAA:'],
    ['upper case', 'SIG1=("@method")', 'SIG1=:AAAA:'],
  ])('refuses invalid headers: %s', async (_, input, signature) => {
    expect(await check(request({ 'signature-input': input, signature }))).toMatchObject({ valid: false })
  })

  test('refuses components that a signature must not cover, even if it was signed that way', async () => {
    const base = `;created=${NOW.getTime() / 1000};expires=${NOW.getTime() / 1000 + 60};keyid="${keyid}"`
    const jwk = await exportKey(key, 'jwk')
    const all = COMPONENTS.map((name) => `"${name}"`).join(' ')
    for (const list of [
      `${all} "@method"`,
      `${all} "@signature-params"`,
      `${all} "absent"`,
      `${all} "content-digest";sf`,
      `${all} "@query-param";name="x"`,
      `${all} "@status"`,
      `${all} "X"`,
    ]) {
      // A signer that signs more than ours does: the base still contains the line.
      const lines = [`"@method": POST`, `"@target-uri": ${request().url}`, `"content-digest": ${contentDigest(BODY)}`]
      const text = [...lines, `"@signature-params": (${list})${base}`].join('\n')
      const made = nodeSign(null, Buffer.from(text), createPrivateKey({ key: jwk as never, format: 'jwk' }))
      const headers = { 'signature-input': `sig1=(${list})${base}`, signature: `sig1=:${made.toString('base64')}:` }
      expect(await check(request(headers)), list).toMatchObject({ valid: false })
    }
  })

  test('a header cannot add lines to the signature base', async () => {
    const message = { ...request(), headers: { get: (name: string) => (name === 'x' ? 'a\n"@method": GET' : null) } }
    await expect(signMessage(message, key, { components: ['x'] })).rejects.toThrow(RangeError)
  })

  test('reads the spaces of a covered header once, and refuses headers over 8,192 characters', async () => {
    const covering = (value: string) =>
      signatureBase(
        { ...request(), headers: { get: () => value } },
        readDictionary('sig=("x")')!.get('sig') as InnerList,
      )
    expect(covering('a'.repeat(8193))).toHaveProperty('fault')
    for (const blank of [' ', '\t', ' \n ', '\n', '\r\n\t']) {
      const value = `a${blank.repeat(8190 / blank.length)}b`
      const start = processorTime()
      for (let i = 0; i < 50; i++) covering(value)
      expect(processorTime() - start, JSON.stringify(blank)).toBeLessThan(500)
    }
    const headers = new Headers({ x: `a${' '.repeat(60_000)}b` })
    const start = processorTime()
    expect(signatureBase({ ...request(), headers }, readDictionary('sig=("x")')!.get('sig') as InnerList)).toEqual({
      fault: '"x" is missing, has a line break or more than 8192 characters',
    })
    expect(processorTime() - start).toBeLessThan(500)
  })

  test('strips and unfolds the headers of the examples in section 2.1', () => {
    const example = { 'x-ows': '   Leading and trailing whitespace.   ', 'x-fold': 'Obsolete\n    line folding.' }
    const headers = new Map(Object.entries(example))
    const made = signatureBase(
      { method: 'GET', url: 'https://a.example/', headers: { get: (name) => headers.get(name) ?? null } },
      readDictionary('sig=("x-ows" "x-fold")')!.get('sig') as InnerList,
    )
    const lines = 'base' in made ? new TextDecoder().decode(made.base).split('\n') : []
    expect(lines.slice(0, 2)).toEqual(['"x-ows": Leading and trailing whitespace.', '"x-fold": Obsolete line folding.'])
  })

  test('takes time linear in the length of the headers', async () => {
    const start = processorTime()
    for (const input of [
      `sig1=(${'"a" '.repeat(2000)})`,
      `a=${'('.repeat(8000)}`,
      'a'.repeat(8000),
      `sig1=("${'\\"'.repeat(4000)}`,
      'a=1, '.repeat(1500),
      ';'.repeat(8000),
    ])
      for (let i = 0; i < 20; i++) await check(request({ 'signature-input': input, signature: input }))
    expect(processorTime() - start).toBeLessThan(2000)
  })
})

test('structured fields have only one serialization (RFC 9651 section 4.1)', () => {
  const written = (text: string) =>
    [...(readDictionary(text) ?? [])].map(([name, member]) => `${name}=${writeMember(member)}`)
  expect(written('a=1,b=?1,  c;x=y, d=(1   2 );q="\\"", e="a", a=2')).toEqual([
    'b=?1',
    'c=?1;x=y',
    'd=(1 2);q="\\""',
    'e="a"',
    'a=2',
  ])
})

describe('other implementations', () => {
  // biome-ignore lint/suspicious/noExplicitAny: theirs
  let bots: any, crypto: any, signatures: any
  beforeAll(async () => {
    bots = await peer('web-bot-auth', 'signers')
    crypto = await peer('web-bot-auth/crypto', 'signers')
    signatures = (await peer('http-message-signatures', 'signers')).httpbis
  })

  test('web-bot-auth verifies our signatures, and we verify its', async () => {
    const now = new Date()
    const times = { created: new Date(now.getTime() - 1000), expires: new Date(now.getTime() + 60_000) }
    const jwk = await exportKey(key, 'jwk')
    const message = {
      method: 'GET',
      url: 'https://example.com/',
      headers: new Headers({ 'signature-agent': '"https://alice.example.com"' }),
    }
    const nonce = randomBytes(64).toString('base64')
    const components = ['@authority', 'signature-agent']
    const made = await signMessage(message, key, { components, ...times, nonce, tag: 'web-bot-auth' })
    for (const [name, value] of Object.entries(made)) message.headers.set(name, value)
    await bots.verify(message, await crypto.verifierFromJWK(await exportKey(key.publicKey, 'jwk')))
    const theirs = { ...message, headers: new Headers({ 'signature-agent': '"https://alice.example.com"' }) }
    const headers = await bots.signatureHeaders(theirs, await crypto.signerFromJWK(jwk), times)
    for (const [name, value] of Object.entries(headers)) theirs.headers.set(name, String(value))
    expect(await check(theirs, { components, tag: 'web-bot-auth', now })).toMatchObject({ valid: true, keyid })
    theirs.headers.set('signature-agent', '"https://mallory.example"')
    expect(await check(theirs, { components, tag: 'web-bot-auth', now })).toMatchObject({ valid: false })
  })

  test('[agp/requests-2] web-bot-auth verifies the requests of agents', async () => {
    const request = { method: 'POST', url: 'https://bob.example.com/agent/tasks', body: '{"task":"x"}' }
    const headers = new Headers(Object.entries(await signRequest(request, { key, as: 'agent:alice.example.com' })))
    const verifier = await crypto.verifierFromJWK(await exportKey(key.publicKey, 'jwk'))
    await bots.verify({ ...request, headers }, verifier)
    const elsewhere = { ...request, url: 'https://mallory.example/agent/tasks', headers }
    await expect(bots.verify(elsewhere, verifier)).rejects.toThrow()
    expect(headers.get('signature-input')).toContain('"signature-agent"')
  })

  test('http-message-signatures verifies our signatures, and we verify its', async () => {
    const fields = ['@method', '@target-uri', '@query', '@path', '@authority', 'content-digest']
    const created = new Date(Math.floor(Date.now() / 1000) * 1000)
    const times = { created, expires: new Date(created.getTime() + 60_000) }
    const mine = await signed({ components: fields, ...times, nonce: 'n' })
    const keys = {
      id: keyid,
      algs: ['ed25519'],
      verify: async (data: Buffer, signature: Buffer) =>
        nodeVerify(null, data, await exportKey(key.publicKey, 'pem'), signature),
    }
    const plain = { ...mine, headers: Object.fromEntries(mine.headers) }
    expect(await signatures.verifyMessage({ keyLookup: async () => keys }, plain)).toBe(true)
    const pem = await exportKey(key, 'pem')
    const signer = { id: keyid, alg: 'ed25519', sign: async (data: Buffer) => nodeSign(null, data, pem) }
    const config = { key: signer, fields, params: ['created', 'expires', 'keyid', 'alg'], paramValues: times }
    const theirs = await signatures.signMessage(config, {
      ...request(),
      headers: { 'content-digest': contentDigest(BODY) },
    })
    const message = { ...theirs, headers: new Headers(theirs.headers) }
    expect(await check(message, { components: fields, now: created })).toMatchObject({ valid: true, keyid })
  })
})
