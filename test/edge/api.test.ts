// POST /v1/validate, /v1/verify, /v1/convert, /v1/decide over HTTP. Every answer is checked against openapi.json.
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sign, verify } from '../../bindings/adl/verbs.ts'
import { sealContainer } from '../../bindings/agentlang/index.ts'
import { sign as signCard } from '../../bindings/card/verbs.ts'
import { encodeBase64, exportKey, generateKey } from '../../bindings/keys/index.ts'
import { KEY, KEY_ID, OTHER_KEY } from '../card/support.ts'
import { checkContract, openapi, seen } from './contract.ts'
import { type Server, startServer } from './server.ts'
import { operator } from './tokens.ts'

let server: Server
beforeAll(async () => {
  // Other files of the same process have called operations too.
  seen.clear()
  server = await startServer()
})
afterAll(() => server.stop())

const AGENT = {
  $schema: 'https://adl-spec.org/0.1/schema.json',
  adl_spec: '0.1.0',
  name: 'Invoice Processor',
  description: 'Processes and routes invoices of a test, and nothing else.',
  version: '2.0.0',
  data_classification: { sensitivity: 'internal' },
  permissions: { network: { allowed_hosts: ['*.example.com'], allowed_ports: [443] } },
}

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const address = server.origin + path
  return checkContract(init.method ?? 'GET', address, await fetch(address, { redirect: 'manual', ...init }))
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return send(path, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } })
}

const json = async (response: Promise<Response>) => (await (await response).json()) as Record<string, never>

describe('POST /v1/validate', () => {
  test('reports on a valid document and on an invalid one, both with 200', async () => {
    expect(await json(post('/v1/validate', AGENT))).toEqual({ valid: true, kind: 'adl', diagnostics: [] })
    const report = await json(post('/v1/validate', { ...AGENT, version: 2 }))
    expect(report).toMatchObject({
      valid: false,
      kind: 'adl',
      diagnostics: [{ code: 'ADL-1004', source: { pointer: '/version' } }],
    })
  })

  test('checks Agent Cards, which `as` can ask for', async () => {
    const card = { id: 'agent://scout', name: 'Scout', seq: 1, tools: [{ name: 'a'.repeat(256) }] }
    expect(await json(post('/v1/validate?ruleset=spec', card))).toMatchObject({ valid: false, kind: 'card' })
    const report = await json(post('/v1/validate?as=card', { ...card, id: 'scout', tools: undefined }))
    expect(report).toMatchObject({ valid: false, kind: 'card' })
    const found = (report['diagnostics']! as { code: string; severity: string }[]).filter(
      (of) => of.severity === 'error',
    )
    expect(found).toMatchObject([{ code: 'CARD-108', source: { pointer: '/id' } }])
  })

  test('reports unreadable documents as well', async () => {
    expect(await json(post('/v1/validate?as=adl', '{"a":'))).toMatchObject({
      valid: false,
      diagnostics: [{ code: 'ADL-1001' }],
    })
    expect(await json(post('/v1/validate', '{}'))).toMatchObject({
      valid: false,
      diagnostics: [{ rule: 'kind/undetected' }],
    })
  })

  test('has the form of section 16.1 on request', async () => {
    const accept = 'application/vnd.adl.errors+json'
    const response = await post('/v1/validate', { ...AGENT, data_classification: undefined }, { accept })
    expect(response.headers.get('content-type')).toBe(accept)
    // The first example of section 16.3.
    expect(await response.json()).toMatchObject({
      errors: [
        {
          code: 'ADL-1003',
          title: 'Missing required member',
          detail: "Required member 'data_classification' is missing",
          source: { pointer: '' },
        },
      ],
    })
  })

  test('treats discovery documents as a separate kind [adl/6.4-2]', async () => {
    const list = {
      adl_discovery: '1.0',
      agents: [{ id: 'https://a.example/x', adl_document: 'https://a.example/x.json' }],
    }
    expect(await json(post('/v1/validate', list))).toMatchObject({ valid: true, kind: 'adl-discovery' })
    expect(await json(post('/v1/validate', { ...list, agents: [{}] }))).toMatchObject({
      valid: false,
      kind: 'adl-discovery',
    })
  })

  test.each(['?ruleset=lax', '?as=card2', '?rulset=strict', '?ruleset=spec&ruleset=spec'])(
    '%s is refused',
    async (query) => {
      expect((await post(`/v1/validate${query}`, AGENT)).status).toBe(400)
    },
  )

  test.each([
    [413, 'application/json', 1_048_577],
    [415, 'application/xml', 10],
  ])('%i', async (status, type, length) => {
    expect((await post('/v1/validate', 'x'.repeat(length), { 'content-type': type })).status).toBe(status)
  })
})

describe('POST /v1/decide', () => {
  const request = { domain: 'network', host: 'api.example.com', port: 443 }

  test('allows and denies, with the deciding value', async () => {
    expect(await json(post('/v1/decide', { document: AGENT, request }))).toMatchObject({ allowed: true })
    const denied = await json(post('/v1/decide', { document: AGENT, request: { ...request, port: 80 } }))
    expect(denied).toMatchObject({ allowed: false, decidedBy: '/permissions/network/allowed_ports' })
  })

  test('accepts a signed document if its signature is valid, and not after a change', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const value = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const identity = { cryptographic_identity: { public_key: { algorithm: 'Ed25519', value } } }
    const signed = await sign(
      JSON.stringify({ ...AGENT, ...identity }),
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    )
    const document = JSON.parse(new TextDecoder().decode(signed.bytes))
    expect(await json(post('/v1/decide', { document, request }))).toMatchObject({ allowed: true })
    document.permissions.network.allowed_hosts.push('*')
    expect(await json(post('/v1/decide', { document, request }))).toMatchObject({ allowed: false })
    expect(await json(post('/v1/verify', document))).toMatchObject({ verdict: 'failed' })
    const pinned = `?publicKey=${encodeURIComponent(value)}`
    const proof = await json(post(`/v1/verify${pinned}`, new TextDecoder().decode(signed.bytes)))
    expect(proof).toMatchObject({ verdict: 'verified' })
  })

  test.each([
    ['no request', { document: AGENT }],
    ['no document', { request }],
    ['a document that is a number', { document: 7, request }],
    ['a document that is an array', { document: [], request }],
    ['an unknown domain', { document: AGENT, request: { domain: 'moon' } }],
    ['an invalid port', { document: AGENT, request: { ...request, port: -1 } }],
    ['a misspelt member of the request', { document: AGENT, request: { ...request, adress: '10.0.0.1' } }],
    ['a misspelt member of the body', { document: AGENT, request, proofs: {} }],
    ['an array', []],
    ['null', null],
  ])('%s is refused', async (_, body) => {
    expect((await post('/v1/decide', body)).status).toBe(400)
  })

  test('names a misspelt member, and suggests a correction', async () => {
    const wrong = await post('/v1/decide', { document: AGENT, request: { ...request, adress: '10.0.0.1' } })
    expect(((await wrong.json()) as { detail: string }).detail).toContain("got 'adress'; did you mean address?")
  })

  test('refuses a body that is not JSON', async () => {
    expect((await post('/v1/decide', '{')).status).toBe(422)
  })
})

describe('containers', () => {
  const TYPE = 'application/vnd.agentlang.agent.v1+zip'
  const seal = async (more: Record<string, Uint8Array> = {}) => {
    const { publicKey, privateKey } = await generateKey()
    const files = new Map(
      Object.entries({ 'agent.yaml': new TextEncoder().encode('name: a\nversion: 1.0.0\ndeveloper: acme\n'), ...more }),
    )
    const bytes = await sealContainer({ name: 'a', version: '1.0.0', developer: 'acme', files, key: privateKey })
    return { bytes, key: encodeURIComponent(encodeBase64(await exportKey(publicKey, 'spki'))) }
  }
  const postBytes = (path: string, body: Uint8Array, type = TYPE) =>
    send(path, { method: 'POST', body: new Blob([body.slice()]), headers: { 'content-type': type } })

  test('are checked and verified, by the key that the caller names', async () => {
    const { bytes, key } = await seal()
    expect(await json(postBytes('/v1/validate', bytes))).toEqual({ valid: true, kind: 'container', diagnostics: [] })
    expect(await json(postBytes('/v1/verify', bytes))).toMatchObject({ verdict: 'unverifiable' })
    expect(await json(postBytes(`/v1/verify?publicKey=${key}`, bytes))).toMatchObject({ verdict: 'verified' })
    expect((await postBytes('/v1/verify?provider=acme.example', bytes)).status).toBe(400)
    const changed = bytes.map((byte, i) => (i === bytes.length - 30 ? byte ^ 1 : byte))
    expect(await json(postBytes('/v1/validate', changed))).toMatchObject({ valid: false, kind: 'container' })
    expect((await postBytes('/v1/verify', changed)).status).toBe(422)
  })

  test('above 1 MiB are 413, and have no other type', async () => {
    const { bytes } = await seal({ 'context/large.bin': new Uint8Array(1 << 20) })
    for (const path of ['/v1/validate', '/v1/verify']) expect((await postBytes(path, bytes)).status).toBe(413)
    expect((await postBytes('/v1/convert?to=card', bytes)).status).toBe(415)
    expect((await postBytes('/v1/validate', bytes, 'application/zip')).status).toBe(415)
  })
})

test('events, one in each line, are checked with the type of lines', async () => {
  const event = { type: 'tool.call', timestamp: '2026-01-02T03:04:05Z', agent_id: 'acme/coach' }
  const body = `${JSON.stringify({ ...event, type: 'agent.message', text: 'Hi.' })}\n${JSON.stringify(event)}\n`
  const headers = { 'content-type': 'application/x-ndjson' }
  const report = await json(send('/v1/validate', { method: 'POST', body, headers }))
  expect(report).toMatchObject({ kind: 'events', valid: false })
  const found = expect.objectContaining({ source: expect.objectContaining({ pointer: '/1', line: 2 }) })
  expect(report['diagnostics']).toEqual(expect.arrayContaining([found]))
})

describe('POST /v1/verify', () => {
  test('a document without a signature is unverifiable, step by step', async () => {
    const proof = await json(post('/v1/verify', AGENT))
    expect(proof).toMatchObject({ verdict: 'unverifiable' })
    expect((proof['steps']! as unknown[]).length).toBeGreaterThan(0)
    expect((await post('/v1/verify', '[')).status).toBe(422)
  })

  test('a card is verified as a card: by its id, or with a key; it names no provider', async () => {
    const signed = await signCard(`{"id":"${KEY_ID}","name":"Scout","seq":1}`, KEY)
    const card = new TextDecoder().decode(signed.bytes)
    expect(await json(post('/v1/verify', card))).toMatchObject({ verdict: 'verified' })
    expect(await json(post('/v1/verify', card.replace('Scout', 'scout')))).toMatchObject({ verdict: 'failed' })
    const other = encodeBase64(await exportKey(OTHER_KEY.publicKey, 'spki'))
    const pinned = await json(post(`/v1/verify?publicKey=${encodeURIComponent(other)}`, card))
    expect(pinned).toMatchObject({ verdict: 'failed' })
    const provider = await post('/v1/verify?provider=acme.example.com', card)
    expect([provider.status, await provider.json()]).toMatchObject([400, { parameter: 'provider' }])
  })

  test('an invalid key is refused', async () => {
    expect((await post('/v1/verify?publicKey=AAAA', AGENT)).status).toBe(400)
  })
})

describe('POST /v1/convert', () => {
  test('returns the document and a list of what is lost', async () => {
    const converted = await json(post('/v1/convert?to=a2a-1.0&url=https://acme.example.com/a2a', AGENT))
    expect(converted).toMatchObject({ document: { name: AGENT.name, version: AGENT.version } })
    expect((converted['loss']! as { outcome: string }[]).some(({ outcome }) => outcome === 'kept')).toBe(true)
  })

  test('refuses missing and unknown parameters', async () => {
    expect((await post('/v1/convert', AGENT)).status).toBe(400)
    expect((await post('/v1/convert?to=soap', AGENT)).status).toBe(400)
    expect((await post('/v1/convert?to=a2a-1.0&url=https://a.example', '{}')).status).toBe(422)
    const card = await json(post('/v1/convert?to=card&id=agent://scout', AGENT))
    expect(card).toMatchObject({ document: { id: 'agent://scout', name: 'Invoice Processor' } })
    expect((await post('/v1/convert?to=card&id=scout', AGENT)).status).toBe(400)
    expect((await post('/v1/convert?to=card', AGENT)).status).toBe(422)
  })
})

describe('DID documents', () => {
  const publish = (name: string, document: unknown) =>
    send(`/agents/${name}/adl.json`, {
      method: 'PUT',
      body: JSON.stringify(document),
      headers: { ...operator(server.origin), 'content-type': 'application/json' },
    })

  test('are made from the cryptographic identity [adl/6.1-5]', async () => {
    // The key of the example in section 6.3.
    const value = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='
    const did = `did:web:${new URL(server.origin).host.replace(':', '%3A')}:agents:signed`
    await publish('signed', { ...AGENT, cryptographic_identity: { did, public_key: { algorithm: 'Ed25519', value } } })
    const response = await send('/agents/signed/did.json')
    expect(response.headers.get('content-type')).toBe('application/did+json')
    const document = (await response.json()) as { verificationMethod: { publicKeyJwk: JsonWebKey }[] }
    const x = Buffer.from(value, 'base64').subarray(12).toString('base64url')
    expect(document).toMatchObject({ id: did, assertionMethod: [`${did}#key-1`] })
    expect(document.verificationMethod[0]!.publicKeyJwk).toEqual({ kty: 'OKP', crv: 'Ed25519', x })
    const known = { 'if-none-match': response.headers.get('etag')! }
    expect((await send('/agents/signed/did.json', { headers: known })).status).toBe(304)
  })

  test('verify what was published, with the keys found there', async () => {
    const key = await generateKey()
    const value = encodeBase64(await exportKey(key.publicKey, 'spki'))
    const host = new URL(server.origin).host
    const local = `did:web:${host.replace(':', '%3A')}:agents:circle`
    await publish('circle', {
      ...AGENT,
      cryptographic_identity: { did: local, public_key: { algorithm: 'Ed25519', value } },
    })
    const found = await (await send('/agents/circle/did.json')).text()
    // Resolvers never contact an address of this machine, so the answer is served under a public name.
    const did = 'did:web:acme.example.com:agents:circle'
    const signed = await sign(JSON.stringify({ ...AGENT, cryptographic_identity: { did } }), key)
    const asked: string[] = []
    const resolve = {
      fetch: async (url: string) => {
        asked.push(url)
        const body = found.replaceAll(local, did).replaceAll(server.origin, 'https://acme.example.com')
        return new Response(body, { headers: { 'content-type': 'application/did+json' } })
      },
    }
    const proof = await verify(signed.bytes!, { resolve })
    expect(proof.verdict).toBe('verified')
    expect(asked).toEqual(['https://acme.example.com/agents/circle/did.json'])
  })

  test('are not made for agents without a key, or whose DID is resolved elsewhere', async () => {
    await publish('keyless', AGENT)
    await publish('elsewhere', { ...AGENT, cryptographic_identity: { did: 'did:web:acme.example.com' } })
    for (const name of ['keyless', 'elsewhere', 'nobody'])
      expect((await send(`/agents/${name}/did.json`)).status).toBe(404)
  })
})

describe('openapi.json', () => {
  test('is served', async () => {
    const response = await fetch(`${server.origin}/openapi.json`)
    expect(await response.json()).toEqual(openapi)
  })

  test('every operation was called successfully here', () => {
    const operations = ['/v1/validate', '/v1/verify', '/v1/convert', '/v1/decide'].map((path) => `POST ${path} 200`)
    expect([...seen]).toEqual(
      expect.arrayContaining([...operations, 'PUT /agents/{name}/adl.json 201', 'GET /agents/{name}/did.json 200']),
    )
  })
})
