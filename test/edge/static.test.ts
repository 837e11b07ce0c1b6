// The static files: their list, their caching, and the headers that edge/public/_headers gives them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCHEMAS } from '../../scripts/entries.mjs'
import { type Server, startServer } from './server.ts'

let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(server.origin + path, { redirect: 'manual', ...init })
}

describe('security headers', () => {
  test.each(['/', '/app/', '/site.css', '/robots.txt'])('of %s', async (path) => {
    const { headers } = await get(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

describe('static files', () => {
  test('the page of the directory only connects to its own server, and only runs scripts from files', async () => {
    const { headers } = await get('/directory/')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })

  test('the first page has no dead links, and describes every problem', async () => {
    const html = await (await get('/')).text()
    for (const href of ['/app/', '/healthz']) expect(html).toContain(`href="${href}"`)
    const statuses = [400, 404, 405, 413, 415, 422, 500]
    for (const status of statuses) expect(html).toMatch(new RegExp(`<dt id="[a-z-]+">[a-z-]+ · ${status}</dt>`))
  })

  test('the page revalidates by ETag, and its hashed files never need to', async () => {
    const page = await get('/app/')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const fresh = await get('/app/', { headers: { 'if-none-match': page.headers.get('etag')! } })
    expect(fresh.status).toBe(304)

    const files = new Set((await page.text()).match(/app-[a-z\d-]+-[0-9a-f]{12}\.(?:js|css)/g))
    expect([...files].sort()).toEqual(readdirSync('dist/site/app').filter((file) => file.startsWith('app-')))
    for (const file of files) {
      const { status, headers } = await get(`/app/${file}`)
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  test('/app redirects to /app/, and /favicon.ico to the drawing', async () => {
    expect((await get('/app')).headers.get('location')).toBe('/app/')
    const icon = await get('/favicon.ico', { redirect: 'follow' })
    expect(icon.headers.get('content-type')).toBe('image/svg+xml')
  })

  test('the downloadable copy trusts only its own content', async () => {
    const copy = await get('/app/blazon')
    expect(copy.headers.get('content-disposition')).toBe('attachment; filename="blazon.html"')
    const html = await copy.text()
    const [, sources] = /script-src ((?:'sha256-[\w+/]{43}=' )+)'wasm-unsafe-eval'/.exec(html)!
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text!)
    const digests = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}' `)
    expect(sources).toBe(digests.join(''))
  })

  test('JSON Schemas work in every editor: CORS, an ETag, and an $id that does not depend on their place', async () => {
    for (const [name, source] of Object.entries(SCHEMAS)) {
      const response = await get(`/schema/${name}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(await response.text()).toBe(readFileSync(source, 'utf8'))
      const etag = response.headers.get('etag')!
      expect((await get(`/schema/${name}`, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
  })

  test('the description of the interface can be read from every origin', async () => {
    const { status, headers } = await get('/openapi.json', { headers: { origin: 'https://elsewhere.example' } })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  test('other methods are a 405 with Allow', async () => {
    const response = await get('/app/', { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
