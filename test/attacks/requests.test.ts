// Invalid requests, byte by byte over TCP: each is refused or read correctly, and the next one gets its normal answer.
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Runtime } from '../support/runtime.ts'
import { workersOf } from '../support/workers.ts'

const workers = workersOf()
let runtime: Runtime
let host: string

beforeAll(async () => {
  runtime = await workers.start()
  host = new URL(runtime.origin).host
})

/** Everything that comes back until the server sends no more: the runtime keeps connections open. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const [name, port] = host.split(':') as [string, string]
    const socket = connect(Number(port), name)
    let answer = ''
    const done = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(QUIET_MS, done)
    socket.on('data', (data) => (answer += data.toString('latin1')))
    socket.on('close', done)
    // A client that is refused in the middle of a long header finds the connection closed.
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => (CUT.has(code) ? done() : reject(new Error(code))))
    socket.write(Buffer.from(bytes.replaceAll('HOST', host), 'latin1'))
  })
}

const QUIET_MS = 10_000
const CUT = new Set(['ECONNRESET', 'EPIPE'])
const statuses = (answer: string) => [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
const JSON_TYPE = 'Content-Type: application/json\r\n'
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: HOST\r\n${headers}\r\n`
const post = (headers: string, body: string, path = '/v1/canonicalize') =>
  `POST ${path} HTTP/1.1\r\nHost: HOST\r\n${JSON_TYPE}${headers}\r\n${body}`
const SECOND = 'GET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n'

/** The runtime itself refuses the request in its own way, or doesn't answer, before our code sees it. */
const BY_RUNTIME = 'by the runtime'

/** The sent bytes, and the expected status. */
const REQUESTS: Readonly<Record<string, readonly [bytes: string, status: number | typeof BY_RUNTIME]>> = {
  'nothing but line ends': ['\r\n\r\n\r\n\r\n', BY_RUNTIME],
  'no HTTP at all': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', BY_RUNTIME],
  'HTTP/0.9': ['GET /healthz\r\n', BY_RUNTIME],
  'HTTP/2 by its preface': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', BY_RUNTIME],
  'a method that is no token': ['G(T /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n', BY_RUNTIME],
  'a method of 10,000 letters': [`${'A'.repeat(10_000)} /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n`, BY_RUNTIME],
  CONNECT: ['CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n', BY_RUNTIME],
  TRACE: ['TRACE /healthz HTTP/1.1\r\nHost: HOST\r\nX-Secret: told-back\r\n\r\n', 405],
  'no host': ['GET /healthz HTTP/1.1\r\n\r\n', BY_RUNTIME],
  'two hosts': ['GET /healthz HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n\r\n', BY_RUNTIME],
  'a host with a path': ['GET /healthz HTTP/1.1\r\nHost: HOST/evil\r\n\r\n', BY_RUNTIME],
  'a host with a user': ['GET /healthz HTTP/1.1\r\nHost: user@HOST\r\n\r\n', BY_RUNTIME],
  'another host in the path': ['GET http://evil.example/healthz HTTP/1.1\r\nHost: HOST\r\n\r\n', BY_RUNTIME],
  'a path of 100,000 characters': [get(`/agents/${'a'.repeat(100_000)}`), 404],
  'a path that climbs': [get('/app/../../../../etc/passwd'), 404],
  'a path that climbs, encoded': [get('/app/%2e%2e/%2e%2e/etc/passwd'), 404],
  'a path that climbs, encoded twice': [get('/app/%252e%252e/etc/passwd'), 404],
  'a path with backslashes': [get('/app\\..\\..\\secret'), 404],
  'a path with NUL': [get('/app/%00'), 404],
  'a path that is not UTF-8': [get('/agents/%ff%fe'), 404],
  'a path that ends in half an escape': [get('/agents/%e'), 404],
  'a path with two slashes': [get('//evil.example/healthz'), 404],
  'a path with raw bytes': [get('/agents/\xff\xfe'), 404],
  'a page size beyond all': [get('/agents?pageSize=99999999999999999999'), 400],
  'a header without a colon': [get('/healthz', 'Nonsense\r\n'), BY_RUNTIME],
  'a header with a space before its colon': [get('/nowhere', 'Transfer-Encoding : chunked\r\n'), 404],
  'a header that is folded': [get('/nowhere', 'X-A: b\r\n c\r\n'), 404],
  'a header of 1 MB': [get('/healthz', `X-A: ${'b'.repeat(1_000_000)}\r\n`), BY_RUNTIME],
  '10,000 headers': [get('/nowhere', Array.from({ length: 10_000 }, (_, i) => `X-${i}: b\r\n`).join('')), 404],
  'two lengths': [post('Content-Length: 2\r\nContent-Length: 3\r\n', '{} '), BY_RUNTIME],
  'a length below zero': [post('Content-Length: -1\r\n', '{}'), BY_RUNTIME],
  'a length with a plus': [post('Content-Length: +2\r\n', '{}'), BY_RUNTIME],
  'a length in hexadecimal': [post('Content-Length: 0x2\r\n', '{}'), BY_RUNTIME],
  'a length beyond all': [post('Content-Length: 99999999999999999999\r\n', '{}'), BY_RUNTIME],
  'a length and chunks, and another request in them': [
    post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${SECOND}`),
    422,
  ],
  'an unknown encoding': [post('Transfer-Encoding: xchunked\r\n', '2\r\n{}\r\n0\r\n\r\n'), BY_RUNTIME],
  'a chunk that is shorter than declared': [post('Transfer-Encoding: chunked\r\n', '5\r\n{}\r\n0\r\n\r\n'), 400],
  'a chunk without a valid length': [post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'), 400],
  'a chunk of all memory': [post('Transfer-Encoding: chunked\r\n', 'ffffffffffffffff\r\n{}\r\n0\r\n\r\n'), BY_RUNTIME],
  'a body that is compressed': [post('Content-Encoding: gzip\r\nContent-Length: 4\r\n', '\x1f\x8b\x08\x00'), 415],
  'a body that never ends': [post('Content-Length: 100\r\n', '{}'), BY_RUNTIME],
  'a range of nothing': [get('/nowhere', 'Range: bytes=5-1,,-\r\n'), 404],
  'an Accept of 3,000 types': [
    get('/nowhere', `Accept: ${Array.from({ length: 3_000 }, (_, i) => `a/b${i};q=0.${i}`).join()}\r\n`),
    404,
  ],
}

describe('a request with', () => {
  // All at the same time: most of the time is spent waiting for answers that don't come.
  let answers: Readonly<Record<string, string>>
  beforeAll(async () => {
    const all = Object.entries(REQUESTS).map(async ([name, [bytes]]) => [name, await send(bytes)] as const)
    answers = Object.fromEntries(await Promise.all(all))
  })

  it.each(Object.entries(REQUESTS))('%s', (name, [, status]) => {
    const answer = answers[name]!
    const came = statuses(answer)
    // One request gets one answer: nothing in a body was read as another request.
    if (status === BY_RUNTIME) expect(came.filter((each) => each < 400)).toEqual([])
    else expect(came).toEqual([status])
    // The answer repeats no header of the request, and reveals nothing about this machine.
    expect(answer).not.toMatch(/told-back|root:|\bat \w+ \(|\.ts:\d/)
  })

  it('any of these has no effect on the next one', async () => {
    expect(statuses(await send(get('/healthz')))).toEqual([200])
  })
})
