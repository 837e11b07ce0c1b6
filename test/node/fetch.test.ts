import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchDocument, type GuardedInit } from '../../bindings/net/fetch.ts'
import { FetchRefused, guardedFetch } from '../../bindings/node/index.ts'
import { HOST, startTls, type TlsServer } from '../support/tls.ts'

// Real TLS servers that behave like attackers. For the guard, every public address is that of the server here.

let server: TlsServer
let requests: IncomingMessage[] = []
let closed: string[] = []

const to = (location: string, status = 302) => [status, { location }] as const

/** The behavior of the server for each path. */
const PATHS: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/plain': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  '/echo': (request, response) => request.pipe(response.writeHead(200)),
  '/none': (_, response) => response.writeHead(204).end(),
  '/odd': (_, response) => response.writeHead(999).end(),
  '/once': (_, response) => response.writeHead(...to('/plain')).end(),
  '/other': (_, response) => response.writeHead(...to(`https://other.example.test:${server.port}/plain`)).end(),
  '/inside': (_, response) => response.writeHead(...to('https://169.254.169.254/latest')).end(),
  '/name-inside': (_, response) => response.writeHead(...to(`https://inside.example.test:${server.port}/plain`)).end(),
  '/local': (_, response) => response.writeHead(...to('https://localhost/plain', 307)).end(),
  '/down': (_, response) => response.writeHead(...to(`http://${HOST}/plain`, 301)).end(),
  '/file': (_, response) => response.writeHead(...to('file:///etc/passwd', 308)).end(),
  '/user': (_, response) => response.writeHead(...to(`https://user:secret@${HOST}/plain`)).end(),
  '/loop': (_, response) => response.writeHead(...to('/loop')).end(),
  '/garbled': (_, response) => response.writeHead(...to('https://[')).end(),
  '/endless': (_, response) => {
    response.writeHead(200)
    const more = () => response.write('x'.repeat(65_536), (error) => error ?? setImmediate(more))
    more()
  },
  '/dripping': (_, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(drip))
  },
  '/breaking': (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => request.socket.destroy())
  },
  '/heavy': (_, response) => response.writeHead(200, { 'x-heavy': 'x'.repeat(100_000) }).end(),
  '/silent': () => undefined,
}

beforeAll(async () => {
  server = await startTls((request, response) => {
    requests.push(request)
    response.on('close', () => closed.push(request.url!))
    PATHS[request.url!]!(request, response)
  })
})
afterAll(() => server.close())
beforeEach(() => {
  requests = []
  closed = []
})

const get = (path: string, options: guardedFetch.Options = {}, init?: GuardedInit) =>
  guardedFetch({ ...server.dialer, ...options })(path.startsWith('/') ? server.origin + path : path, init)

/** Why a request was refused, in words. */
async function refused(answer: Promise<unknown>): Promise<Pick<FetchRefused, 'reason' | 'message'>> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(FetchRefused)
  const { reason, message } = error as FetchRefused
  return { reason, message }
}

const document = (options: guardedFetch.Options = {}, url = `${server.origin}/plain`) =>
  fetchDocument(url, 'application/json', { fetch: guardedFetch({ ...server.dialer, ...options }) })

describe('an answer', () => {
  test('has a status, headers and an address', async () => {
    const response = await get('/plain')
    expect([response.status, response.url]).toEqual([200, `${server.origin}/plain`])
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe('{}')
    expect((await get('/none')).body).toBeNull()
  })

  test('is requested without identifying the client', async () => {
    await get('/plain')
    expect(Object.keys(requests[0]!.headers).sort()).toEqual(['connection', 'host'])
  })

  test('accepts only text and bytes as a body', async () => {
    const post = (body: RequestInit['body']) => get('/echo', {}, { method: 'POST', body: body! })
    expect(await (await post('text')).text()).toBe('text')
    expect(await (await post(Uint8Array.of(65))).text()).toBe('A')
    await expect(post(new FormData())).rejects.toThrow(TypeError)
  })

  test('follows a redirect unless the caller forbids it', async () => {
    expect((await get('/once')).url).toBe(`${server.origin}/plain`)
    expect((await get('/once', {}, { redirect: 'manual' })).status).toBe(302)
    expect(await refused(get('/once', {}, { redirect: 'error' }))).toMatchObject({ reason: 'redirect' })
    expect(await refused(get('/once', { maxRedirects: 0 }))).toMatchObject({ reason: 'redirect' })
  })

  test('sends credentials only to the server they are for', async () => {
    const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-api-key': 'secret', accept: 'text/plain' }
    await get('/once', {}, { headers })
    await get('/other', {}, { headers })
    const [, same, , other] = requests
    expect(same!.headers).toMatchObject(headers)
    expect(Object.keys(other!.headers).sort()).toEqual(['accept', 'connection', 'host'])
  })
})

describe('addresses', () => {
  test.each([
    'http://acme.example.test/plain',
    'file:///etc/passwd',
    'https://user:secret@acme.example.test/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://intranet/',
    'https://printer.local/',
  ])('[adl/18.7-3] refuses %s before any request, and quotes no password', async (url) => {
    const { reason, message } = await refused(get(url))
    expect(reason).toBe('address')
    expect(message).not.toContain('secret')
    expect(requests).toEqual([])
  })

  test.each(['10.0.0.1', '127.0.0.1', '100.64.0.1', '::1', 'fd00::1', '::ffff:192.168.0.1', '64:ff9b::7f00:1', 'x'])(
    '[adl/18.7-3] a public name that resolves to %s, also when another address of it is public',
    async (address) => {
      const resolve = async () => ['93.184.216.34', address]
      expect(await document({ resolve })).toMatchObject({
        ok: false,
        diagnostic: { rule: 'fetch/address', detail: expect.stringContaining('not public') },
      })
      expect(await refused(get('/plain', { resolve }))).toMatchObject({ reason: 'address' })
      expect(requests).toEqual([])
    },
  )

  test('a name without an address', async () => {
    expect(await refused(get('/plain', { resolve: async () => [] }))).toMatchObject({ reason: 'address' })
  })

  test('a name that changes after it was checked', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']]
    const resolve = async () => answers.shift() ?? ['127.0.0.1']
    // The connection goes to the checked address: the name is not resolved again.
    expect((await document({ resolve })).ok).toBe(true)
    expect(answers.length).toBe(1)
  })

  test('a name that changes between two redirects', async () => {
    const answers = [['93.184.216.34']]
    const resolve = async () => answers.shift() ?? ['127.0.0.1']
    expect(await refused(get('/once', { resolve }))).toMatchObject({ reason: 'address' })
    expect(requests.length).toBe(1)
  })

  test('[adl/6.4-4] a certificate of an unknown authority', async () => {
    const { ca: _, ...untrusting } = server.dialer
    const outcome = await fetchDocument(`${server.origin}/plain`, '*/*', { fetch: guardedFetch(untrusting) })
    expect(outcome).toMatchObject({ ok: false, diagnostic: { rule: 'fetch/failed' } })
    expect(requests).toEqual([])
  })

  test('a certificate for another name', async () => {
    const outcome = await document({}, `https://wrong.example.test:${server.port}/plain`)
    expect(outcome).toMatchObject({ ok: false, diagnostic: { rule: 'fetch/failed' } })
  })
})

describe('redirects', () => {
  test.each([
    ['/inside', 'address'],
    ['/local', 'address'],
    ['/down', 'address'],
    ['/file', 'address'],
    ['/user', 'address'],
    ['/loop', 'redirect'],
    ['/garbled', 'redirect'],
  ])('[adl/18.7-2] does not follow %s', async (path, reason) => {
    const { message, ...told } = await refused(get(path))
    expect(told).toEqual({ reason })
    expect(message).not.toContain('secret')
    expect(requests.length).toBe(path === '/loop' ? 4 : 1)
  })

  test('[adl/18.7-2] does not follow one to a name with a private address', async () => {
    const resolve = async (host: string) => [host.startsWith('inside') ? '192.168.0.1' : '93.184.216.34']
    expect(await refused(get('/name-inside', { resolve }))).toMatchObject({ reason: 'address' })
    expect(requests.length).toBe(1)
  })

  test('sends a POST to no other server', async () => {
    const post = { method: 'POST', body: '{}' }
    expect(await refused(get('/once', {}, post))).toMatchObject({ reason: 'redirect' })
    expect(requests.length).toBe(1)
  })
})

describe('bounds', () => {
  test('more bytes than the limit, without reading them all', async () => {
    const response = await get('/endless', { maxBytes: 100_000 })
    expect(await refused(response.text())).toMatchObject({ reason: 'too-large' })
    await expect.poll(() => closed).toEqual(['/endless'])
    expect(await (await get('/plain', { maxBytes: 2 })).text()).toBe('{}')
    expect(await refused((await get('/plain', { maxBytes: 1 })).text())).toMatchObject({ reason: 'too-large' })
  })

  test('a request may change the defaults, but not the limits that the fetch was made with', async () => {
    const ask = async (options: guardedFetch.Options, init: GuardedInit) => (await get('/plain', options, init)).text()
    expect(await refused(ask({}, { maxBytes: 1 }))).toMatchObject({ reason: 'too-large' })
    expect(await refused(ask({ maxBytes: 1 }, { maxBytes: 2 }))).toMatchObject({ reason: 'too-large' })
    expect(await ask({}, { maxBytes: 2, timeoutMs: Number.POSITIVE_INFINITY })).toBe('{}')
    const resolve = () => new Promise<never>(() => {})
    expect(await refused(ask({ resolve }, { timeoutMs: 60 }))).toMatchObject({ reason: 'timeout' })
  })

  test('stops the transfer of an abandoned answer', async () => {
    await (await get('/endless')).body!.cancel()
    await expect.poll(() => closed).toEqual(['/endless'])
  })

  test('a silent server, a slow one, and a silent resolver', async () => {
    // Long enough to connect, and for the headers of an answer.
    const timeoutMs = 2000
    expect(await refused(get('/silent', { timeoutMs }))).toMatchObject({ reason: 'timeout' })
    const dripping = get('/dripping', { timeoutMs }).then((response) => response.text())
    expect(await refused(dripping)).toMatchObject({ reason: 'timeout' })
    const resolve = () => new Promise<never>(() => {})
    expect(await refused(get('/plain', { timeoutMs: 60, resolve }))).toMatchObject({ reason: 'timeout' })
    await expect.poll(() => closed).toEqual(['/silent', '/dripping'])
  })

  test('an aborted request', async () => {
    const wanted = new AbortController()
    const asked = get('/silent', {}, { signal: wanted.signal })
    wanted.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
    await expect(get('/plain', {}, { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(requests).toEqual([])
  })

  test('answers that are cut off, oversized or invalid', async () => {
    await expect((await get('/breaking')).text()).rejects.toThrow()
    await expect(get('/heavy')).rejects.toThrow()
    await expect(get('/odd')).rejects.toThrow(RangeError)
  })

  test.each(['maxBytes', 'timeoutMs', 'maxRedirects'])('%s: NaN is not a valid limit', (name) => {
    expect(() => guardedFetch({ [name]: Number.NaN })).toThrow(RangeError)
  })
})
