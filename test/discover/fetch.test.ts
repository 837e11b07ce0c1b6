import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchDocument } from '../../bindings/net/fetch.ts'
import { HOST, startTls, type TlsServer } from '../support/tls.ts'

let server: TlsServer
let requests: IncomingMessage[] = []

/** The behavior of the server for each path. */
const PATHS: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/plain': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  '/aged': (_, response) => response.writeHead(200, { 'cache-control': 'max-age=60', age: '20' }).end('{}'),
  '/expires': (_, response) =>
    response
      .writeHead(200, { date: 'Sat, 21 Nov 2026 00:00:00 GMT', expires: 'Sat, 21 Nov 2026 00:01:00 GMT' })
      .end('{}'),
  '/no-store': (_, response) => response.writeHead(200, { 'cache-control': 'no-store, max-age=60' }).end('{}'),
  '/tagged': (request, response) => {
    const known = request.headers['if-none-match'] === '"one"'
    response.writeHead(known ? 304 : 200, { etag: '"one"' }).end(known ? undefined : '{"tagged":true}')
  },
  '/varied': (_, response) => response.writeHead(200, { 'cache-control': 'max-age=60', vary: '*' }).end('{}'),
  '/found': (_, response) => response.writeHead(302, { location: '/aged' }).end(),
  '/found-briefly': (_, response) =>
    response.writeHead(302, { location: '/aged', 'cache-control': 'max-age=10' }).end(),
  '/found-unkept': (_, response) => response.writeHead(307, { location: '/aged', 'cache-control': 'no-store' }).end(),
  '/moved': (_, response) => response.writeHead(301, { location: '/aged' }).end(),
  '/moved-unkept': (_, response) => response.writeHead(308, { location: '/aged', 'cache-control': 'no-cache' }).end(),
  '/missing': (_, response) => response.writeHead(404).end(),
  '/once': (_, response) => response.writeHead(302, { location: '/plain' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/inside': (_, response) => response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
  '/down': (_, response) => response.writeHead(302, { location: `http://${HOST}/plain` }).end(),
  '/nowhere': (_, response) => response.writeHead(302).end(),
  '/endless': (_, response) => {
    response.writeHead(200)
    const more = () => response.write('x'.repeat(65_536), (error) => error ?? setImmediate(more))
    more()
  },
  '/lying': (_, response) => response.writeHead(200, { 'content-length': '5' }).end('12345'),
  '/silent': () => undefined,
}

beforeAll(async () => {
  server = await startTls((request, response) => {
    requests.push(request)
    PATHS[request.url!]!(request, response)
  })
})
afterAll(() => server.close())

function get(path: string, options: fetchDocument.Options = {}) {
  requests = []
  const url = path.startsWith('/') ? server.origin + path : path
  return fetchDocument(url, 'application/json', { fetch: server.fetch, ...options })
}

test('[wellknown/9.4-3] a fragment is a JSON Pointer into the document, and is not sent', async () => {
  const outcome = await get('/plain#/identity/name')
  expect([outcome.ok && outcome.fetched.url, requests[0]?.url]).toEqual([`${server.origin}/plain`, '/plain'])
})

async function refused(path: string, options?: fetchDocument.Options) {
  const outcome = await get(path, options)
  return outcome.ok ? undefined : { rule: outcome.diagnostic.rule, detail: outcome.diagnostic.detail }
}

describe('an answer', () => {
  test('has bytes, a type, and whether the address was checked', async () => {
    const outcome = await get('/plain')
    expect(outcome).toMatchObject({ ok: true, fetched: { contentType: 'application/json', addressChecked: true } })
    expect(outcome.ok && new TextDecoder().decode(outcome.fetched.bytes)).toBe('{}')
  })

  test('is requested without identifying the client', async () => {
    await get('/plain')
    expect(Object.keys(requests[0]!.headers).sort()).toEqual(['accept', 'connection', 'host'])
  })

  test('may come from a redirect to a public address', async () => {
    expect(await get('/once')).toMatchObject({ ok: true, fetched: { url: `${server.origin}/plain` } })
  })
})

describe('refusals', () => {
  test.each([
    ['http://acme.example.test/plain', 'only https'],
    ['file:///etc/passwd', 'only https'],
    ['https://user:secret@acme.example.test/', 'user name'],
    ['https://127.0.0.1/', ''],
    ['https://[::1]/', ''],
    ['https://[::ffff:10.0.0.1]/', ''],
    ['https://2130706433/', ''],
    ['https://0x7f.1/', ''],
    ['https://169.254.169.254/latest/meta-data', ''],
    ['https://localhost/', ''],
    ['not a url', 'no URL'],
  ])('[adl/18.7-3] %s, before any request', async (url, words) => {
    expect(await refused(url)).toMatchObject({ rule: 'fetch/address', detail: expect.stringContaining(words) })
    expect(requests).toEqual([])
  })

  test.each([
    ['/inside', 'fetch/address'],
    ['/down', 'fetch/address'],
    ['/loop', 'fetch/redirect'],
    ['/nowhere', 'fetch/redirect'],
    ['/missing', 'fetch/status'],
  ])('[adl/18.7-2] the answer of %s', async (path, rule) => {
    expect(await refused(path)).toMatchObject({ rule })
  })

  test('any redirect, on request', async () => {
    expect(await refused('/once', { maxRedirects: 0 })).toMatchObject({ rule: 'fetch/redirect' })
    expect(requests.length).toBe(1)
  })

  test('more bytes than the limit, without reading them all', async () => {
    expect(await refused('/endless', { maxBytes: 100_000 })).toMatchObject({ rule: 'fetch/too-large' })
    expect((await get('/lying', { maxBytes: 5 })).ok).toBe(true)
    expect(await refused('/lying', { maxBytes: 4 })).toMatchObject({ rule: 'fetch/too-large' })
  })

  test('a server that never answers', async () => {
    expect(await refused('/silent', { timeoutMs: 50 })).toMatchObject({ rule: 'fetch/timeout' })
  })

  test('an aborted request', async () => {
    expect(await refused('/silent', { signal: AbortSignal.timeout(20) })).toMatchObject({ rule: 'fetch/failed' })
    expect(await refused('/plain', { signal: AbortSignal.abort() })).toMatchObject({ rule: 'fetch/failed' })
  })
})

test.each([
  ['maxBytes', Number.NaN],
  ['timeoutMs', -1],
  ['maxRedirects', Number.NaN],
])('%s: %d is not a valid limit', async (name, value) => {
  await expect(get('/plain', { [name]: value })).rejects.toThrow(RangeError)
  expect(requests).toEqual([])
})

describe('caching (RFC 9111)', () => {
  test.each([
    ['/aged', 40],
    ['/expires', 60],
    ['/moved', 40],
    ['/found-briefly', 10],
  ])('%s is fresh for %d seconds', async (path, seconds) => {
    let time = 1_000_000
    const cache = new Map()
    const options = { cache, clock: () => new Date(time) }
    await get(path, options)
    time += seconds * 1000 - 1
    expect(await get(path, options)).toMatchObject({ ok: true, fromCache: true })
    time += 1
    expect(await get(path, options)).toMatchObject({ ok: true, fromCache: false })
  })

  test.each(['/no-store', '/plain'])('%s is requested every time', async (path) => {
    const cache = new Map()
    await get(path, { cache })
    expect(await get(path, { cache })).toMatchObject({ ok: true, fromCache: false })
    expect(requests.length).toBe(1)
    expect(cache.size).toBe(path === '/no-store' ? 0 : 1)
  })

  test.each(['/varied', '/found', '/found-unkept', '/moved-unkept'])(
    '%s may lead elsewhere the next time',
    async (path) => {
      const cache = new Map()
      await get(path, { cache })
      expect(await get(path, { cache })).toMatchObject({ ok: true, fromCache: false })
      expect(requests.length).toBe(path === '/varied' ? 1 : 2)
      expect(cache.size).toBe(path === '/found-unkept' ? 0 : 1)
    },
  )

  test('a POST is not answered from the cache of a GET', async () => {
    const cache = new Map()
    await get('/aged', { cache })
    expect(await get('/aged', { cache, body: '{}' })).toMatchObject({ ok: true, fromCache: false })
    expect(requests.map(({ method }) => method)).toEqual(['POST'])
  })

  test('[adl/6.4-5] a stale answer is revalidated by its ETag, and reused if unchanged', async () => {
    const cache = new Map()
    await get('/tagged', { cache })
    const again = await get('/tagged', { cache })
    expect(requests[0]!.headers['if-none-match']).toBe('"one"')
    expect(again.ok && new TextDecoder().decode(again.fetched.bytes)).toBe('{"tagged":true}')
    expect(again).toMatchObject({ fromCache: true })
  })
})
