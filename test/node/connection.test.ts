import { createHash, X509Certificate } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { spkiOf } from '../../bindings/keys/certificate.ts'
import { type Connection, fetchDocument } from '../../bindings/net/fetch.ts'
import { FETCH_TOO_LARGE } from '../../bindings/net/findings.ts'
import { guardedFetch } from '../../bindings/node/index.ts'
import { certificateFor, derOf, newAuthority, spki } from '../support/certificate.ts'
import { HOST, startTls, type TlsServer } from '../support/tls.ts'

let server: TlsServer | undefined
let requests = 0
afterEach(async () => {
  await server?.close()
  server = undefined
  requests = 0
})

async function start(settings: Parameters<typeof startTls>[1] = {}): Promise<TlsServer> {
  server = await startTls((_, response) => {
    requests++
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }, settings)
  return server
}

const get = ({ origin, fetch }: TlsServer, options: fetchDocument.Options = {}) =>
  fetchDocument(`${origin}/agent.json`, 'application/json', { fetch, ...options })

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('what is seen in addition to the bytes', () => {
  test('address, TLS, certificates up to the authority, times', async () => {
    const authority = newAuthority()
    const certificate = certificateFor([HOST], { issuer: authority })
    const chain = { ...certificate, cert: `${certificate.cert}${authority.cert}` }
    const outcome = await get(await start({ certificate: chain, ca: authority.cert }))
    if (!outcome.ok) throw new Error(outcome.diagnostic.detail)
    const [hop] = outcome.fetched.hops
    expect(hop).toMatchObject({ url: `${server!.origin}/agent.json`, status: 200 })
    expect(Math.abs(hop!.at - Date.now())).toBeLessThan(600_000)
    expect(hop!.connection).toMatchObject({ address: '127.0.0.1', tls: 'TLSv1.3', isTrusted: true })
    expect(hop!.connection!.certificates.map(sha256)).toEqual([derOf(certificate), derOf(authority)].map(sha256))
    expect(hop!.connection!.certificates.map(spkiOf).map(sha256)).toEqual(
      [spki(certificate), spki(authority)].map(sha256),
    )
  })

  test('skips certificates of a server that signed nothing', async () => {
    const authority = newAuthority()
    const stranger = newAuthority()
    const certificate = certificateFor([HOST], { issuer: authority })
    const chain = { ...certificate, cert: `${certificate.cert}${stranger.cert}${authority.cert}` }
    const outcome = await get(await start({ certificate: chain, ca: authority.cert }))
    const seen = outcome.ok ? outcome.fetched.hops[0]!.connection!.certificates.map(sha256) : []
    expect(seen[0]).toBe(sha256(derOf(certificate)))
    expect(seen).not.toContain(sha256(derOf(stranger)))
  })

  test('finds the key of each certificate of Node', async () => {
    const { rootCertificates } = await import('node:tls')
    for (const pem of rootCertificates) {
      const certificate = new X509Certificate(pem)
      const own = certificate.publicKey.export({ type: 'spki', format: 'der' })
      expect(sha256(spkiOf(certificate.raw))).toBe(sha256(own))
    }
    expect(rootCertificates.length).toBeGreaterThan(100)
  })
})

describe('before anything is sent', () => {
  test('judges a connection, and a refusal ends it', async () => {
    const heard: Connection[] = []
    const checkConnection = async (connection: Connection) => {
      heard.push(connection)
      return { kind: FETCH_TOO_LARGE, detail: 'not this one' }
    }
    const outcome = await get(await start(), { checkConnection, section: 'ADP/1.1 section 6.1' })
    expect(outcome).toMatchObject({
      ok: false,
      diagnostic: { code: 'DOC-184', detail: 'not this one', spec: FETCH_TOO_LARGE.section },
    })
    expect(heard).toHaveLength(1)
    expect(requests).toBe(0)
  })

  test('refuses TLS 1.2 if 1.3 is required', async () => {
    const old = await start({ maxVersion: 'TLSv1.2' })
    expect(await get(old)).toMatchObject({ ok: true })
    expect(await get(old, { leastTls: 'TLSv1.3', section: 'ADP/1.1 section 8.2' })).toMatchObject({
      diagnostic: {
        code: 'DOC-181',
        spec: 'ADP/1.1 section 8.2',
        detail: expect.stringContaining('does not speak TLSv1.3'),
      },
    })
    expect(requests).toBe(1)
  })

  test.each([
    ['signed by a stranger', () => certificateFor([HOST])],
    ['of another name', () => certificateFor(['other.example.test'])],
  ])('a certificate %s', async (what, make) => {
    const own = make()
    const trusted = what.startsWith('of') ? own.cert : certificateFor([HOST]).cert
    const outcome = await get(await start({ certificate: own, ca: trusted }))
    expect(outcome).toMatchObject({ ok: false, diagnostic: { code: 'DOC-181' } })
    expect(requests).toBe(0)
  })
})

describe('on this machine', () => {
  test('[wellknown/8.2-3] accepts a self-signed certificate only on request, and only for its name', async () => {
    const { port } = await start({ certificate: certificateFor(['localhost']) })
    const url = `https://localhost:${port}/`
    const fetch = guardedFetch({ resolve: async () => ['127.0.0.1'] })
    const refused = await fetchDocument(url, '*/*', { fetch })
    expect(refused).toMatchObject({ ok: false, diagnostic: { code: 'DOC-180' } })
    const taken = await fetchDocument(url, '*/*', { fetch, loopback: true })
    expect(taken).toMatchObject({ ok: true, fetched: { hops: [{ connection: { isTrusted: false } }] } })
    const named = await fetchDocument(`https://127.0.0.1:${port}/`, '*/*', { fetch, loopback: true })
    expect(named).toMatchObject({ ok: false, diagnostic: { code: 'DOC-181' } })
  })

  test('refuses it elsewhere', async () => {
    const { port, dialer } = await start()
    // Connected to a public address in name only: the target of the name counts.
    const fetch = guardedFetch({ resolve: dialer.resolve!, dial: () => '127.0.0.1' })
    const outcome = await fetchDocument(`https://${HOST}:${port}/`, '*/*', { fetch })
    expect(outcome).toMatchObject({ ok: false, diagnostic: { code: 'DOC-181' } })
  })
})

test('does not resolve known addresses again, but judges them', async () => {
  const own = await start()
  const resolve = async () => {
    throw new Error('asked')
  }
  const fetch = guardedFetch({ ...own.dialer, resolve })
  expect(await get(own, { fetch, addresses: ['93.184.216.34', '2606:4700::1'] })).toMatchObject({ ok: true })
  expect(await get(own, { fetch, addresses: ['93.184.216.34', '10.0.0.1'] })).toMatchObject({
    diagnostic: { code: 'DOC-180' },
  })
  expect(requests).toBe(1)
})

test('resolves the host of a redirect: the known addresses are those of the first', async () => {
  server = await startTls((request, response) => {
    if (request.headers.host?.startsWith(HOST) !== true) response.end('{}')
    else response.writeHead(302, { location: `https://other.example.test:${server!.port}/agent.json` }).end()
  })
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return ['10.0.0.1']
  }
  const outcome = await get(server, {
    fetch: guardedFetch({ ...server.dialer, resolve }),
    addresses: ['93.184.216.34'],
  })
  expect(outcome).toMatchObject({ ok: false, diagnostic: { code: 'DOC-180' } })
  expect(asked).toEqual(['other.example.test'])
})

test('caches an answer without directives for as long as the caller says', async () => {
  const own = await start()
  const cache = new Map()
  const at = (ms: number) => ({ cache, silentFreshMs: 3_600_000, clock: () => new Date(ms) })
  expect(await get(own, at(0))).toMatchObject({ ok: true, fromCache: false })
  expect(await get(own, at(3_599_999))).toMatchObject({ ok: true, fromCache: true })
  expect(await get(own, at(3_600_000))).toMatchObject({ ok: true, fromCache: false })
  expect(requests).toBe(2)
})
