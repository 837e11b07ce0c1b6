// The Worker's answers, over HTTP. The RFCs that the titles name define their content.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Server, startServer } from './server.ts'

const LIMIT = 1_048_576
const CANONICALIZE = '/v1/canonicalize'
const JSON_TYPE = { 'content-type': 'application/json' }

let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

function send(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(server.origin + path, { redirect: 'manual', ...init })
}

function canonicalize(body: BodyInit, query = '', headers: Record<string, string> = JSON_TYPE): Promise<Response> {
  return send(CANONICALIZE + query, { method: 'POST', body, headers })
}

/** Checks the form of RFC 9457 section 3.1, and that no stack or path of this machine is in it. */
async function problem(response: Response, status: number, name: string): Promise<Record<string, unknown>> {
  const text = await response.text()
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(text).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b/)
  const body = JSON.parse(text)
  expect(response.status).toBe(status)
  expect(body).toMatchObject({ type: `${server.origin}/#${name}`, status })
  expect(body.title.length).toBeGreaterThan(0)
  expect(body.detail.length).toBeGreaterThan(0)
  return body
}

/** A JSON string document of exactly this many bytes. */
function documentOf(bytes: number): string {
  return `"${'x'.repeat(bytes - 2)}"`
}

describe('GET /healthz', () => {
  test('reports that it runs, its versions, and the limits', async () => {
    const response = await send('/healthz')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      core: { abi: 2 },
      limits: { bodyBytes: LIMIT, maxDepth: 1024 },
    })
  })

  test('HEAD has the headers of GET and no body (RFC 9110 section 9.3.2)', async () => {
    const response = await send('/healthz', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe('')
  })
})

describe('POST /v1/canonicalize', () => {
  test('[rfc8785/3.2.3-1] returns the canonical bytes of the example of RFC 8785 section 3.2', async () => {
    const response = await canonicalize(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    // RFC 8785 section 3.2.4; the expected bytes are these characters in UTF-8.
    expect(await response.text()).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('Content-Digest (RFC 9530) and a strong ETag match the bytes', async () => {
    const first = await canonicalize('{"b":1,"a":2.0}')
    const again = await canonicalize('{ "a": 2, "b": 1 }')
    const sha256 = createHash('sha256').update('{"a":2,"b":1}').digest('base64')
    expect(first.headers.get('content-digest')).toBe(`sha-256=:${sha256}:`)
    expect(first.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  })

  test.each(['sha256', 'sha384', 'sha512'])('hash=%s returns the hash of the canonical bytes', async (hash) => {
    const expected = createHash(hash).update('{"a":2,"b":1}').digest('hex')
    const text = await canonicalize('{"b":1,"a":2.0}', `?hash=${hash}`)
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text.headers.get('vary')?.toLowerCase()).toBe('accept')
    expect(await text.text()).toBe(`${expected}\n`)

    const headers = { ...JSON_TYPE, accept: 'text/plain;q=0.5, application/json' }
    const json = await canonicalize('{"b":1,"a":2.0}', `?hash=${hash}`, headers)
    expect(json.headers.get('content-type')).toBe('application/json')
    expect(await json.json()).toEqual({ hash, digest: expected, bytes: 13 })
  })

  test.each(['*/*', 'text/plain, application/json', 'application/json;q=0', 'text/html'])(
    'Accept: %s does not ask for JSON instead of text',
    async (accept) => {
      const response = await canonicalize('{}', '?hash=sha256', { ...JSON_TYPE, accept })
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    },
  )

  test('without= leaves out every value that the pointers name', async () => {
    const body = '{"signature":"x","b":{"proof":[1],"c":1.0},"a":"kept"}'
    const response = await canonicalize(body, '?without=/signature&without=/b/proof&without=/nothing')
    expect(await response.text()).toBe('{"a":"kept","b":{"c":1}}')
  })

  test('maxDepth refuses deeper nesting', async () => {
    expect((await canonicalize('[[[]]]', '?maxDepth=3')).status).toBe(200)
    await problem(await canonicalize('[[[]]]', '?maxDepth=2'), 422, 'unreadable-document')
  })

  test.each([
    ['?hash=md5', 'hash'],
    ['?hash=', 'hash'],
    ['?hash=constructor', 'hash'],
    ['?hash=sha256&hash=sha256', 'hash'],
    ['?maxDepth=0', 'maxDepth'],
    ['?maxDepth=1025', 'maxDepth'],
    ['?maxDepth=1e2', 'maxDepth'],
    ['?without=signature', 'without'],
    ['?without=', 'without'],
    ['?without=/a~2', 'without'],
    [`?without=${'/a'.repeat(65)}`, 'without'],
    [`?${'without=/a&'.repeat(33)}`, 'without'],
    ['?hsah=sha256', 'hsah'],
    ['?__proto__=1', '__proto__'],
  ])('refuses the query %s, naming the parameter', async (query, parameter) => {
    expect(await problem(await canonicalize('{}', query), 400, 'bad-request')).toMatchObject({ parameter })
  })

  test.each([
    'application/json',
    'application/json; charset=UTF-8',
    'Application/JSON',
    'application/ld+json',
    'application/vnd.example.v1+json; profile="x"',
    'text/plain;charset=UTF-8',
  ])('accepts %s', async (type) => {
    const response = await canonicalize('[1.0]', '', { 'content-type': type })
    expect(await response.text()).toBe('[1]')
  })

  test('checks the body before anything else that is wrong', async () => {
    const xml = { 'content-type': 'application/xml' }
    await problem(await canonicalize('{}', '?hash=md5', xml), 415, 'unsupported-media-type')
    await problem(await canonicalize(documentOf(LIMIT + 1), '?hash=md5'), 413, 'body-too-large')
  })

  test('takes a body without a type', async () => {
    const response = await send(CANONICALIZE, { method: 'POST', body: new TextEncoder().encode('[1.0]') })
    expect(await response.text()).toBe('[1]')
  })

  test.each([
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/json5',
    'text/json+html',
    'application/json; charset=utf-16',
    'nonsense',
  ])('refuses %s and names the accepted types (RFC 9110 section 15.5.16)', async (type) => {
    const response = await canonicalize('{}', '', { 'content-type': type })
    await problem(response, 415, 'unsupported-media-type')
    expect(response.headers.get('accept')).toBe('application/json, application/*+json, text/plain')
  })

  test('refuses a content coding, because the decoded body could exceed the limit', async () => {
    const response = await canonicalize('{}', '', { ...JSON_TYPE, 'content-encoding': 'gzip' })
    await problem(response, 415, 'unsupported-media-type')
    expect(response.headers.get('accept-encoding')).toBe('identity')
  })

  test('an invalid document gets the place of its fault', async () => {
    const body = await problem(await canonicalize('{\n  "a": 1,\n  "a": 2\n}'), 422, 'unreadable-document')
    expect(body['diagnostics']).toMatchObject([
      {
        severity: 'error',
        rule: 'json/duplicate-member',
        source: { pointer: '/a', offset: 14, line: 3, column: 3 },
      },
    ])
  })

  test.each([
    ['an empty body', ''],
    ['a cut document', '{"a":'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['a byte order mark', '\ufeff{}'],
    ['UTF-16', new Uint8Array([0x7b, 0, 0x7d, 0])],
    ['100,000 brackets', '['.repeat(100_000)],
  ])('%s is a 422 with one diagnostic', async (_, body) => {
    const { diagnostics } = await problem(await canonicalize(body), 422, 'unreadable-document')
    expect(diagnostics).toHaveLength(1)
  })

  test('an address inside a document is never fetched', async () => {
    const body = JSON.stringify({ $ref: `${server.origin}/healthz`, url: 'http://127.0.0.1:9/' })
    expect(await (await canonicalize(body)).text()).toBe(body)
  })
})

describe('limits', () => {
  test('a body of 1 MiB is read', async () => {
    const response = await canonicalize(documentOf(LIMIT))
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(LIMIT)
  })

  test('one byte more, as Content-Length says, is a 413 that states the limit', async () => {
    expect(await problem(await canonicalize(documentOf(LIMIT + 1)), 413, 'body-too-large')).toMatchObject({
      limit: LIMIT,
    })
  })
})

describe('methods, paths and origins', () => {
  test.each([
    ['GET', CANONICALIZE, 'POST, OPTIONS'],
    ['PUT', CANONICALIZE, 'POST, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/healthz', 'GET, HEAD, OPTIONS'],
  ])('%s %s is a 405 with Allow (RFC 9110 section 15.5.6)', async (method, path, allow) => {
    const response = await send(path, { method })
    await problem(response, 405, 'method-not-allowed')
    expect(response.headers.get('allow')).toBe(allow)
  })

  test('HEAD of a route that only takes POST is a 405 without a body', async () => {
    const response = await send(CANONICALIZE, { method: 'HEAD' })
    expect(response.status).toBe(405)
    expect(await response.text()).toBe('')
  })

  test.each(['/nothing', '/v1', '/v1/', '/v1/canonicalize/', '/healthz/', '/constructor', '/app/nothing', '/%2e%2e/x'])(
    '%s is a 404',
    async (path) => {
      await problem(await send(path), 404, 'not-found')
    },
  )

  test('a preflight from any origin is answered, without credentials', async () => {
    const response = await send(CANONICALIZE, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'a2a-extensions, a2a-version, accept, authorization, blazon-size, content-type, if-match, if-none-match, last-event-id',
    )
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  })

  test('lists the headers that a script may read', async () => {
    const response = await canonicalize('{}', '', { ...JSON_TYPE, origin: 'https://example.org' })
    const exposed = response.headers.get('access-control-expose-headers')!.split(', ')
    const own = ['blazon-partial', 'blazon-signature', 'blazon-standing', 'link', 'retry-after']
    expect(exposed).toEqual(expect.arrayContaining(['allow', 'content-digest', 'etag', ...own]))
  })

  test.each(['/healthz', '/nothing', CANONICALIZE])('%s carries the security headers', async (path) => {
    const { headers } = await send(path)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
