// The page of an agent in the registry, with and without a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealContainer } from '../../bindings/agentlang/index.ts'
import { sign } from '../../bindings/card/index.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { violations } from '../page/axe.ts'
import { browser, visit } from '../page/browser.ts'
import { HOSTILE, invisibleIn } from '../support/hostile.ts'
import { bytesOf, digestOf, manifestOf, registryClient } from './registry-client.ts'
import { type Server, startServer } from './server.ts'
import { operator } from './tokens.ts'

const EVIL = `"><script>document.title="broken"</script><img src=x onerror=alert(1)>'&amp;${HOSTILE}`
const AGENT = {
  developer: 'acme',
  permissions: { required: ['oauth'], oauth: { mode: 'on_demand', reason: 'To read mail' } },
  mcp_servers: { calendar: { command: 'npx', args: ['-y', '@acme/calendar'], env: { KEY: '{{.env.CALENDAR_KEY}}' } } },
  constraints: { budget: { max_cost_usd: 2, tolerance: 0.1, input_1m_price: 3, output_1m_price: 15 } },
}
const PROMPT = 'version: 2\nsections:\n  - name: task\n    content: Say nothing to strangers.\n'
const key = await generateKey()

let server: Server
const { ask, publish } = registryClient(() => server)

async function containerOf(name: string, version: string, own: object = {}) {
  const agent = JSON.stringify({ ...AGENT, name, version, ...own })
  const files = new Map([
    ['agent.yaml', bytesOf(agent)],
    ['prompt.yaml', bytesOf(PROMPT)],
  ])
  return sealContainer({ name, version, developer: 'acme', files, key: key.privateKey, secret: new Uint8Array(32) })
}
async function release(name: string, version: string, own?: object) {
  const container = await containerOf(name, version, own)
  expect((await publish(`acme/${name}`, version, container)).status).toBe(201)
  return digestOf(manifestOf(container))
}
const read = (path: string, accept = '*/*') => ask('GET', `/v2/acme/${path}`, { holder: null, headers: { accept } })
async function pageOf(path: string) {
  const { status, headers, bytes } = await read(path, 'text/html,application/xhtml+xml,*/*;q=0.8')
  return { status, headers, html: new TextDecoder().decode(bytes) }
}

beforeAll(async () => {
  server = await startServer()
  for (const version of ['1.2.0', '1.10.0', '2.0.0-rc.1']) await release('mail', version)
})
afterAll(() => server?.stop())

describe('the page of an agent in the registry', () => {
  test('shows the signer, the risks, the pins, the cost, the secrets, what is encrypted and the hosts', async () => {
    const { headers, html } = await pageOf('mail')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('<h1>acme/mail 1.10.0</h1>')
    // What it asks for comes before signatures and digests.
    expect(html.match(/<h2>[^<]*/g)?.[0]).toBe('<h2>What it asks for')
    expect(html.indexOf('<h2>What it asks for')).toBeLessThan(html.indexOf('<dt>'))
    expect(html).toMatch(/<dt>Signed<\/dt><dd>by the key with the thumbprint [\w-]{43}, for acme: mail@1\.10\.0</)
    expect(html).toContain('<td>identity (critical)</td><td><code>oauth</code><small>To read mail</small>')
    expect(html).toMatch(/<td>server<\/td><td><code>calendar<\/code>.*✕ unpinned/)
    expect(html).toContain('at most $2.20: $2.00 and its tolerance')
    expect(html).toContain('<dt>Secrets that it wants</dt><dd>CALENDAR_KEY</dd>')
    expect(html).toContain('<dt>Encrypted</dt><dd>prompt.yaml.enc</dd>')
    expect(html).toMatch(/<code>[\w-]+<\/code><\/td><td><span class="bad">✕ refuses</)
    const host = new URL(server.origin).host
    expect(html).toContain(`blazon agent pull ${host}/acme/mail:1.10.0 --key developer.pub`)
    expect(html).not.toContain('strangers')
  })

  test('is JSON for programs, and both depend on Accept', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html;q=0.5,application/json']) {
      const { value, headers } = await read('mail', accept)
      expect(headers.get('vary')).toBe('accept')
      expect(value).toMatchObject({ name: 'acme/mail', tag: '1.10.0', isYanked: false, isCut: false })
      expect(value.inspection.capabilities[0]).toMatchObject({ capability: 'oauth', risk: 'critical' })
      expect(value.versions.map(({ tag }: { tag: string }) => tag)).toEqual(['2.0.0-rc.1', '1.10.0', '1.2.0'])
    }
    const { headers } = await pageOf('mail')
    expect(headers.get('vary')).toBe('accept')
    const again = await fetch(`${server.origin}/v2/acme/mail`, {
      headers: { accept: 'text/html', 'if-none-match': headers.get('etag')! },
    })
    expect(again.status).toBe(304)
  })

  test('a yanked version is marked, and shown by its digest only', async () => {
    const digest = await release('yanked', '1.0.0')
    await release('yanked', '0.9.0')
    await ask('DELETE', '/v2/acme/yanked/manifests/1.0.0')
    expect((await read('yanked')).value.tag).toBe('0.9.0')
    expect(await read('yanked?reference=1.0.0')).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
    const { html } = await pageOf(`yanked?reference=${digest}`)
    expect(html).toContain('✕ Yanked')
    expect(html).toContain(`/acme/yanked@${digest} --key`)
    expect((await pageOf('yanked')).html).toContain(
      `<a href="/v2/acme/yanked?reference=${digest}">1.0.0</a></td><td><span class="bad">✕ yanked</span></td><td><small>${digest}</small>`,
    )
    await ask('DELETE', '/v2/acme/yanked/manifests/0.9.0')
    expect((await read('yanked')).value, 'all are yanked').toMatchObject({ tag: '1.0.0', isYanked: true })
  })

  test('an unknown agent, version or parameter is refused', async () => {
    expect(await read('nobody')).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
    expect(await read('mail?reference=9.0.0')).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
    expect((await read('mail?tag=1.2.0')).status).toBe(400)
    expect(await read('Mail')).toMatchObject({ status: 400, code: 'NAME_INVALID' })
  })

  test('links to the card in the directory with its id, and to no other', async () => {
    expect((await read('mail')).value.card).toBe(undefined)
    const card = { id: 'agent://acme/mail', name: 'Mail', description: 'Sorts mail.' }
    const { bytes } = await sign(JSON.stringify(card), key.privateKey)
    const sent = await fetch(`${server.origin}/adp/advertise`, {
      method: 'POST',
      headers: { ...operator(server.origin), 'content-type': 'application/json' },
      body: new Uint8Array(bytes!),
    })
    expect(await sent.json()).toMatchObject({ stored: true })
    const { card: address } = (await read('mail')).value
    expect(address).toBe(`${server.origin}/agents/acme%2Fmail/card.json`)
    expect(((await (await fetch(address)).json()) as { id: string }).id).toBe('agent://acme/mail')
    expect((await pageOf('mail')).html).toContain(`<a href="${address}">Its card in the directory</a>`)
  })

  test('hostile texts stay texts, and no header is repeated', async () => {
    await release('evil', '1.0.0', {
      permissions: { required: [EVIL], [EVIL]: { reason: EVIL } },
      mcp_servers: { [EVIL]: { command: EVIL, args: [EVIL] } },
      http_tools: { [EVIL]: { endpoint: EVIL } },
      models: { [EVIL]: { provider: EVIL } },
      delegate: { agents: [{ path: `./${EVIL}.yaml` }] },
    })
    const { status, headers, html } = await pageOf('evil')
    expect(status).toBe(200)
    expect(html).not.toMatch(/<(script|img)/)
    expect(invisibleIn(html)).toEqual([])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/)
    expect(headers.get('content-security-policy')).not.toContain('script-src')
  })

  test('a huge agent has a bounded page that says what it leaves out', async () => {
    const many = (count: number, of: (i: number) => object) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`name-${i}-${'x'.repeat(900)}`, of(i)]))
    await release('huge', '1.0.0', {
      mcp_servers: many(300, () => ({ command: 'npx', args: Array.from({ length: 50 }, (_, i) => `pkg-${i}`) })),
      models: many(300, () => ({ provider: 'y'.repeat(900) })),
    })
    const { bytes, value } = await read('huge')
    expect(value.isCut).toBe(true)
    expect(value.inspection.parts.length).toBeGreaterThan(9)
    expect(bytes.length).toBeLessThan(1 << 17)
    const { html } = await pageOf('huge')
    expect(html).toContain('This page is shortened')
    expect(html.length).toBeLessThan(1 << 18)
  })

  test('a container whose agent cannot be read is refused', async () => {
    const files = new Map([['agent.yaml', bytesOf('a: [')]])
    const container = await sealContainer({
      name: 'broken',
      version: '1.0.0',
      developer: 'acme',
      files,
      key: key.privateKey,
    })
    expect(await publish('acme/broken', '1.0.0', container)).toMatchObject({ status: 400, code: 'MANIFEST_INVALID' })
  })

  test.runIf(browser.available)('axe finds nothing wrong, and it fits 360 pixels', async () => {
    await release('shown', '1.0.0', {
      mcp_servers: { ['x'.repeat(300)]: { command: 'npx', args: ['y'.repeat(300)] } },
    })
    for (const path of ['mail', 'shown']) {
      const { page, errors } = await visit(`${server.origin}/v2/acme/${path}`)
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        expect(await violations(page)).toEqual([])
      }
      expect(errors).toEqual([])
    }
  })
})
