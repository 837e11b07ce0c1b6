// The page of an agent at the root of its host, with and without a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../page/axe.ts'
import { browser, visit } from '../page/browser.ts'
import { ask } from '../support/ask.ts'
import { HOSTILE, invisibleIn } from '../support/hostile.ts'
import { type Server, startServer } from './server.ts'
import { operator } from './tokens.ts'

const EVIL = `</script><script>document.title="broken"</script><!--<img src=x onerror=alert(1)>&amp;\u2028${HOSTILE}`
const CONTEXT = { '@context': 'https://schema.org', '@type': 'SoftwareApplication' }

let server: Server
let host: string

const write = (method: string, path: string, body: object) =>
  fetch(server.origin + path, {
    method,
    headers: { ...operator(server.origin), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const CAPABILITIES = [
  {
    id: 'chat',
    name: 'Conversational Chat',
    description: 'General-purpose conversational AI',
    input: ['text', 'image', 'file'],
    output: ['text', 'html'],
    interfaces: ['chat', 'api'],
    languages: ['en', 'zh'],
    pricing: { model: 'per_use' },
  },
  { id: 'evil', name: EVIL, description: EVIL },
]

beforeAll(async () => {
  server = await startServer()
  host = `alice.localhost:${new URL(server.origin).port}`
  expect((await write('PUT', '/v1/agents/alice', { host })).status).toBe(200)
  const parts = {
    domain: 'alice.example.com',
    name: "Alice's Agent",
    capabilities: CAPABILITIES,
    endpoints: { chat: 'wss://alice.example.com/agent/chat' },
    meta: { note: EVIL, big: 1e300 },
  }
  const made = await write('POST', '/agents/alice/agent.json', parts)
  expect([made.status, made.status === 201 ? '' : await made.text()]).toEqual([201, ''])
  expect((await write('PUT', '/v1/agents/secret', { host: `secret.${host}`, private: true })).status).toBe(200)
  expect((await write('POST', '/agents/secret/agent.json', { ...parts, domain: 'secret.example.com' })).status).toBe(
    201,
  )
})
afterAll(() => server?.stop())

const at = (path: string, asked = {}) => ask(server.origin + path, { host, ...asked })

describe('[wellknown/7.1-1] GET / at the host of an agent', () => {
  test('[wellknown/7.1.1-1] has the metadata as JSON-LD, equal and safely escaped', async () => {
    const { status, text, headers } = await at('/')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)!
    expect(json).not.toMatch(/[<>&]/)
    const metadata = JSON.parse((await at('/.well-known/agent.json')).text)
    expect(JSON.parse(json)).toEqual({ ...CONTEXT, ...metadata })
    expect(metadata.meta.note).toBe(EVIL)
    expect(text.match(/<script/g)).toHaveLength(1)
  })

  test('[wellknown/7.1.2-1] [wellknown/7.1.3-1] has both meta tags, and the elements of Appendix A', async () => {
    const { text } = await at('/')
    expect(text).toContain('<meta name="agent-id" content="agent:alice.example.com">')
    expect(text).toContain('<meta name="agent-protocol" content="ADP/1.1">')
    for (const element of [
      '<agent-card>',
      '<capability-list>',
      '<capability name="Conversational Chat" status="available">',
      '<connect-form action="/agent/connect">',
    ])
      expect(text).toContain(element)
    expect(text).not.toContain('<img src=x')
    expect(invisibleIn(text)).toEqual([])
  })

  test('allows no script, and is cached like the metadata', async () => {
    const { headers } = await at('/')
    expect(headers['content-security-policy']).toContain("script-src 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    const known = { headers: { 'if-none-match': String(headers['etag']) } }
    expect((await at('/', known)).status).toBe(304)
    expect(await at('/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  test('ignores context and type in the metadata', async () => {
    const key = await import('../../bindings/keys/index.ts').then(({ generateKey }) => generateKey('Ed25519'))
    const { build, sign } = await import('../../bindings/wellknown/index.ts')
    const { metadata } = await build({ domain: 'odd.example.com', key }, { name: 'Odd' })
    const { bytes } = await sign({ ...metadata, '@context': 'https://evil.example', '@type': 'Person' }, key)
    await write('PUT', '/v1/agents/odd', { host: `odd.${host}` })
    expect((await write('PUT', '/agents/odd/agent.json', JSON.parse(new TextDecoder().decode(bytes)))).status).toBe(201)
    const { text } = await at('/', { host: `odd.${host}` })
    expect(text).toContain('"@context":"https://schema.org","@type":"SoftwareApplication"')
    expect(text).not.toContain('evil.example')
  })

  test('other hosts keep their pages, and the host of a private agent shows nothing', async () => {
    const first = await fetch(`${server.origin}/`)
    expect(await first.text()).toContain('A blazon is the description of a coat of arms')
    expect(
      (await fetch(`${server.origin}/`, { headers: { 'if-none-match': first.headers.get('etag')! } })).status,
    ).toBe(304)
    const { status, text } = await at('/', { host: `secret.${host}` })
    expect([status, /secret|Alice/i.test(text)]).toEqual([200, false])
    expect((await at('/', { host: 'evil.example' })).status).toBe(421)
  })
})

describe('POST /agent/connect', () => {
  const connect = (body: string | object, headers: Record<string, string> = {}) =>
    at('/agent/connect', { method: 'POST', body, headers })
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

  test('tells how to connect, and that the agent was not found if no resolver is set', async () => {
    const answer = await connect({ from: 'agent:Bob.example.com' })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({
      agent: 'agent:alice.example.com',
      from: 'agent:bob.example.com',
      discovered: false,
      endpoints: { chat: 'wss://alice.example.com/agent/chat' },
      authMethods: ['pubkey'],
    })
    const page = await connect('from=agent%3Abob.example.com', { ...FORM, accept: 'text/html,*/*' })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Your agent was not found, and cannot connect before it is')
  })

  test.each([
    '',
    'bob',
    'agent:',
    'agent://bob',
    'agent:127.0.0.1',
    'agent:<b>.example',
    `agent:${'a'.repeat(300)}.example`,
    'agent:bob.example.com/x',
  ])('refuses %j', async (from) => {
    const { status, text } = await connect({ from })
    expect(status).toBe(400)
    expect(text).not.toContain('<b>')
  })

  test('refuses other sites, other members, duplicate fields, and large bodies', async () => {
    const from = { from: 'agent:bob.example.com' }
    expect((await connect(from, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await connect(from, { origin: 'null' })).status).toBe(403)
    expect((await connect(from, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await connect(from, { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await connect({ ...from, to: 'x' })).status).toBe(400)
    expect((await connect('from=agent:a.example&from=agent:b.example', FORM)).status).toBe(400)
    expect((await connect({ from: 'x'.repeat(5000) })).status).toBe(413)
    expect((await at('/agent/connect', { method: 'POST', host: `secret.${host}`, body: from })).status).toBe(404)
    expect((await ask(`${server.origin}/agent/connect`, { method: 'POST', body: from })).status).toBe(404)
  })
})

describe.runIf(browser.available)('in a browser', () => {
  test('axe finds nothing, wide and narrow, and nothing is cut off', async () => {
    const { page } = await visit(`http://${host}/`)
    expect(await page.title()).toBe("Alice's Agent")
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect(await page.locator('img').count()).toBe(0)
    }
  })

  test('a long name does not make a narrow page scroll sideways', async () => {
    const long = `long.${host}`
    expect((await write('PUT', '/v1/agents/long', { host: long })).status).toBe(200)
    const made = await write('POST', '/agents/long/agent.json', {
      domain: `${'long-name-of-an-agent.'.repeat(8)}example.com`,
      name: 'LongNameOfAnAgent'.repeat(5),
      capabilities: [{ id: 'a'.repeat(60), name: 'Capability'.repeat(8), description: 'Word'.repeat(40) }],
    })
    expect(made.status).toBe(201)
    const { page } = await visit(`http://${long}/`, { viewport: { width: 320, height: 900 } })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  })

  test('the form works without JavaScript', async () => {
    const { page, close } = await visit(`http://${host}/`, { own: { javaScriptEnabled: false } })
    await page.fill('[name=from]', 'agent:bob.example.com')
    await page.click('button')
    await page.waitForURL('**/agent/connect')
    expect(await page.textContent('main')).toContain('agent:bob.example.com wants to write to')
    expect(await page.textContent('main')).toContain('wss://alice.example.com/agent/chat')
    await close()
  })
})
