// Publishing agent definitions on the Worker and reading them, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDiscovery } from '../../bindings/adl/discovery/specification.ts'
import { checkContract } from './contract.ts'
import { type Server, startServer } from './server.ts'
import { operator, TOKEN_SECRET, tokenOf } from './tokens.ts'

let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const AGENT = {
  adl_spec: '0.1.0',
  name: 'Invoice Processor',
  description: 'Processes and routes invoices of a test, and nothing else.',
  version: '2.0.0',
  lifecycle: { status: 'active' },
  data_classification: { sensitivity: 'internal' },
}

const operatorHere = () => ({ ...operator(server.origin), 'content-type': 'application/adl+json' })

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const address = server.origin + path
  return checkContract(init.method ?? 'GET', address, await fetch(address, { redirect: 'manual', ...init }))
}

function publish(name: string, document: unknown, headers: Record<string, string> = {}, query = ''): Promise<Response> {
  const body = typeof document === 'string' ? document : JSON.stringify(document)
  return send(`/agents/${name}/adl.json${query}`, { method: 'PUT', body, headers: { ...operatorHere(), ...headers } })
}

async function problemOf(response: Response): Promise<{ name: string; status: number; body: Record<string, unknown> }> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = (await response.json()) as Record<string, unknown>
  return { name: String(body['type']).split('#')[1]!, status: response.status, body }
}

describe('permission to publish', () => {
  test.each([
    ['a client without a token', () => undefined],
    ['a client with another token', () => 'Bearer something-else'],
    ['a client with a part of the token', (token: string) => `Bearer ${token.slice(0, -1)}`],
    ['a client with a part of the secret', () => `Bearer ${TOKEN_SECRET.slice(0, -1)}`],
    ['a client with another scheme', (token: string) => `Basic ${token}`],
  ])('is refused to %s', async (_, from) => {
    const authorization = from(tokenOf(server.origin, { scope: 'operate' }))
    const headers = authorization === undefined ? {} : { authorization }
    for (const method of ['PUT', 'DELETE']) {
      const init = { method, headers: { 'content-type': 'application/json', ...headers } }
      const response = await send(
        '/agents/none/adl.json',
        method === 'PUT' ? { ...init, body: JSON.stringify(AGENT) } : init,
      )
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(await problemOf(response)).toMatchObject({ name: 'unauthorized', status: 401 })
    }
    expect((await send('/agents/none/adl.json')).status).toBe(404)
  })
})

describe('a published document', () => {
  const text = `${JSON.stringify({ ...AGENT, x_test_order: { b: 1, a: 2 } }, null, 1)}\n`
  let etag = ''

  test('is served byte for byte, as application/adl+json with a strong ETag [adl/17.1-20]', async () => {
    const created = await publish('invoices', text)
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${server.origin}/agents/invoices/adl.json`)
    const response = await send('/agents/invoices/adl.json')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(text)
    etag = response.headers.get('etag')!
    expect(etag).toMatch(/^"[\w+/=]+"$/)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/adl+json',
      'cache-control': 'public, max-age=300, must-revalidate',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
  })

  test('names its profiles in its media type [adl/17.1-14]', async () => {
    const profiles = ['https://example.com/profiles/a', 'urn:example:b']
    await publish('profiled', { ...AGENT, profiles })
    const type = (await send('/agents/profiled/adl.json')).headers.get('content-type')
    expect(type).toBe('application/adl+json; profile="https://example.com/profiles/a, urn:example:b"')
    await send('/agents/profiled/adl.json', { method: 'DELETE', headers: operatorHere() })
  })

  test('is not sent again to clients that have it', async () => {
    const response = await send('/agents/invoices/adl.json', { headers: { 'if-none-match': `"other", ${etag}` } })
    expect(response.status).toBe(304)
    expect(await response.text()).toBe('')
    expect(response.headers.get('etag')).toBe(etag)
    const changed = await send('/agents/invoices/adl.json', { headers: { 'if-none-match': '"other"' } })
    expect(changed.status).toBe(200)
  })

  test('answers HEAD and OPTIONS', async () => {
    const head = await send('/agents/invoices/adl.json', { method: 'HEAD' })
    expect(head.headers.get('etag')).toBe(etag)
    expect(await head.text()).toBe('')
    const options = await send('/agents/invoices/adl.json', { method: 'OPTIONS' })
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
    expect(options.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(await problemOf(await send('/agents/invoices/adl.json', { method: 'POST' }))).toMatchObject({ status: 405 })
  })

  test('is also served at its identifier: the document, or a page for browsers [adl/6.1-4]', async () => {
    const document = await send('/agents/invoices')
    expect(document.headers.get('content-type')).toBe('application/adl+json')
    expect(document.headers.get('vary')).toBe('accept')
    expect(await document.text()).toBe(text)
    const page = await send('/agents/invoices', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('<h1>Invoice Processor</h1>')
    const asked = await send('/agents/invoices', { headers: { accept: 'application/adl+json, text/html;q=0.5' } })
    expect(asked.headers.get('content-type')).toBe('application/adl+json')
  })

  test('puts only text into the page', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&'
    await publish('evil', { ...AGENT, name: evil, description: `${evil} ${evil}`, provider: { name: evil } })
    const response = await send('/agents/evil', { headers: { accept: 'text/html' } })
    const page = await response.text()
    expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>/)
    expect(page).toContain('&lt;script&gt;')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    await send('/agents/evil/adl.json', { method: 'DELETE', headers: operatorHere() })
  })

  test('is replaced only in the state that the request names', async () => {
    expect((await publish('invoices', text)).status).toBe(200)
    expect(await problemOf(await publish('invoices', AGENT, { 'if-none-match': '*' }))).toMatchObject({ status: 412 })
    expect(await problemOf(await publish('invoices', AGENT, { 'if-match': '"old"' }))).toMatchObject({ status: 412 })
    expect(await (await send('/agents/invoices/adl.json')).text()).toBe(text)
    expect((await publish('invoices', AGENT, { 'if-match': etag })).status).toBe(200)
    expect(await (await send('/agents/invoices/adl.json')).json()).toEqual(AGENT)
  })

  test('keeps the content of its version, unless the publisher says that it may be replaced', async () => {
    const name = 'versions'
    const [first, other, next] = [AGENT, { ...AGENT, description: 'Another text.' }, { ...AGENT, version: '2.0.1' }]
    const read = async () => (await send(`/agents/${name}/adl.json`)).json()
    expect((await publish(name, first)).status).toBe(201)
    const refused = await problemOf(await publish(name, other))
    expect(refused).toMatchObject({ name: 'conflict', status: 409, body: { needs: [{ id: 'replace' }] } })
    expect(await read()).toEqual(first)
    // Other bytes are other content, also with equal members: the bytes are what is signed and cached.
    expect((await publish(name, JSON.stringify(first, null, 1))).status).toBe(409)
    expect(await (await publish(name, first)).json()).toMatchObject({ outcome: 'unchanged' })
    expect(await (await publish(name, other, {}, '?replace=true')).json()).toMatchObject({ outcome: 'replaced' })
    expect(await (await publish(name, next)).json()).toMatchObject({ outcome: 'replaced' })
    const headers = { 'if-match': '*' }
    expect(await (await publish(name, { ...next, description: 'More.' }, headers)).json()).toMatchObject({
      outcome: 'replaced',
    })
    expect((await publish(name, next, {}, '?replace=yes')).status).toBe(400)
  })

  test('is removed', async () => {
    await publish('gone', AGENT)
    const stale = await send('/agents/gone/adl.json', {
      method: 'DELETE',
      headers: { ...operatorHere(), 'if-match': '"x"' },
    })
    expect(stale.status).toBe(412)
    expect((await send('/agents/gone/adl.json', { method: 'DELETE', headers: operatorHere() })).status).toBe(204)
    expect((await send('/agents/gone/adl.json')).status).toBe(404)
    expect((await send('/agents/gone/adl.json', { method: 'DELETE', headers: operatorHere() })).status).toBe(404)
  })
})

describe('the discovery document [adl/6.4-1] [adl/6.4-6]', () => {
  test('lists the published agents, with the status and the address of each', async () => {
    await publish('listed', { ...AGENT, id: 'https://acme.example.com/agents/listed' })
    const response = await send('/.well-known/adl-agents')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toContain('max-age=300')
    const list = (await response.json()) as { agents: Record<string, string>[] }
    const entry = list.agents.find(({ id }) => id === 'https://acme.example.com/agents/listed')
    expect(entry).toEqual({
      id: 'https://acme.example.com/agents/listed',
      adl_document: `${server.origin}/agents/listed/adl.json`,
      name: AGENT.name,
      version: '2.0.0',
      description: AGENT.description,
      status: 'active',
    })
    // The test server uses plain HTTP, which is the only finding.
    const { diagnostics } = readDiscovery(JSON.stringify(list))
    expect(new Set(diagnostics.map(({ rule }) => rule))).toEqual(new Set(['discovery-https']))
  })

  test('changes its ETag only when the list changes', async () => {
    const etag = async () => (await send('/.well-known/adl-agents')).headers.get('etag')
    const before = await etag()
    expect(await etag()).toBe(before)
    const again = await send('/.well-known/adl-agents', { headers: { 'if-none-match': before! } })
    expect(again.status).toBe(304)
    await publish('another', AGENT)
    expect(await etag()).not.toBe(before)
    await send('/agents/another/adl.json', { method: 'DELETE', headers: operatorHere() })
    expect(await etag()).toBe(before)
  })
})

describe('publication refuses', () => {
  test.each(['UPPER', 'a b', '-a', 'a-', 'ä', 'x'.repeat(129)])('under the name %j', async (name) => {
    expect(await problemOf(await publish(encodeURIComponent(name), AGENT))).toMatchObject({ status: 400 })
  })

  test('invalid documents; the answer has the place of the fault', async () => {
    const { body, status, name } = await problemOf(await publish('bad', { ...AGENT, version: undefined }))
    expect({ status, name }).toEqual({ status: 422, name: 'invalid-document' })
    expect(body['diagnostics']).toContainEqual(expect.objectContaining({ code: 'ADL-1003' }))
    expect((await problemOf(await publish('bad', '{"a":1,"a":2}'))).body['diagnostics']).toMatchObject([
      { code: 'ADL-1001' },
    ])
    expect((await send('/agents/bad/adl.json')).status).toBe(404)
  })

  test('a definition in YAML, which would not be served as it came', async () => {
    const yaml = Object.entries({
      ...AGENT,
      lifecycle: '{ status: active }',
      data_classification: '{ sensitivity: internal }',
    })
    const { body, status, name } = await problemOf(
      await publish('bad', yaml.map(([key, value]) => `${key}: ${value}\n`).join('')),
    )
    expect({ status, name }).toEqual({ status: 422, name: 'invalid-document' })
    expect(body['diagnostics']).toMatchObject([{ code: 'ADL-1001' }])
  })

  test.each(['confidential', 'restricted'])(
    'a %s document, unless it was reviewed [adl/18.4-5]',
    async (sensitivity) => {
      const document = { ...AGENT, data_classification: { sensitivity } }
      expect(await problemOf(await publish(sensitivity, document))).toMatchObject({
        status: 422,
        name: 'review-needed',
      })
      expect((await publish(sensitivity, document, {}, '?reviewed=true')).status).toBe(201)
      await send(`/agents/${sensitivity}/adl.json`, { method: 'DELETE', headers: operatorHere() })
    },
  )

  test('a bare wildcard, unless it is acknowledged by name; the answer repeats that name [adl/18.6-20]', async () => {
    const document = { ...AGENT, permissions: { network: { allowed_hosts: ['*'] } } }
    const refused = await problemOf(await publish('wild', document))
    expect(refused).toMatchObject({ status: 422, name: 'review-needed' })
    expect(JSON.stringify(refused.body)).toContain('/permissions/network/allowed_hosts/0')
    const published = await publish('wild', document, {}, '?acknowledge=/permissions/network/allowed_hosts/0')
    expect(await published.json()).toMatchObject({ acknowledged: ['/permissions/network/allowed_hosts/0'] })
    await send('/agents/wild/adl.json', { method: 'DELETE', headers: operatorHere() })
  })

  test('more than a mebibyte', async () => {
    const document = { ...AGENT, x_test_padding: 'x'.repeat(1_048_576) }
    expect(await problemOf(await publish('large', document))).toMatchObject({ status: 413 })
  })
})
