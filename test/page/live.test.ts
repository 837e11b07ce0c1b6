// Live discovery, a document of its own: with bind9 behind a resolver over HTTPS and a metadata server, all on this machine.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anchorsToText } from '../../bindings/discover/dns/dnssec/rdata.ts'
import { replay } from '../../bindings/discover/trace/verify.ts'
import { KEY, metadata, PUBLIC, send, signed, startWorld, type World } from '../discover/trust/lab.ts'
import { type Server, startServer } from '../edge/server.ts'
import { certificateFor } from '../support/certificate.ts'
import { bind, startDoh } from '../support/dns-lab.ts'
import { violations } from './axe.ts'
import { browser, launch, ROOT, visit } from './browser.ts'

if (!bind.available) console.warn(`NOT RUN: live discovery against bind9: ${bind.reason}`)

const ALICE = 'alice.example.test'
const OPEN = { 'access-control-allow-origin': '*' }

let chromium: Browser
let server: Server
let world: World
let doh: Awaited<ReturnType<typeof startDoh>>

const open = (more = {}) => visit(chromium, `${server.origin}/discover/`, { ignoreHTTPSErrors: true, ...more })

async function ask(page: Page, domain: string, resolver = doh.url): Promise<void> {
  await page.fill('#domain', domain)
  await page.fill('#resolver', resolver)
  await page.click('#ask')
}

async function askWithKeys(page: Page, domain: string): Promise<void> {
  await page.getByText('Keys to trust instead').click()
  await page.fill('#anchors', anchorsToText(world.dns.anchors))
  await ask(page, domain)
}

const rungs = (page: Page) =>
  page.$$eval('.ladder li', (items) =>
    Object.fromEntries(items.map(({ dataset }) => [dataset['level'], dataset['quality']])),
  )

describe.runIf(browser.available && bind.available)('live discovery', () => {
  beforeAll(async () => {
    const answers = (to: string, port: number) => {
      const [host = ''] = to.split('/')
      return metadata({ domain: host, wellKnown: `https://${host}:${port}/.well-known/agent.json` })
    }
    world = await startWorld({
      names: [ALICE, 'closed.example.test'],
      zones: ({ port, spki }) => [
        signed('.', ''),
        signed('test', ''),
        signed(
          'example.test',
          ['alice', 'closed']
            .map((name) =>
              [
                `${name} A ${PUBLIC}\n${name} SVCB 1 . port=${port}`,
                `_agent.${name} TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=https://${name}.example.test:${port}/.well-known/agent.json"`,
                `_${port}._tcp.${name} TLSA 3 1 1 ${spki}`,
              ].join('\n'),
            )
            .join('\n'),
        ),
      ],
      answer: (to, response, { port }) => send(response, answers(to, port), to.startsWith('closed') ? {} : OPEN),
    })
    ;[chromium, server, doh] = await Promise.all([
      launch(['--host-resolver-rules=MAP *.example.test 127.0.0.1']),
      startServer(),
      startDoh(world.dns.port, certificateFor(['localhost'])),
    ])
  })
  afterAll(() => Promise.all([chromium?.close(), server?.stop(), world?.close(), doh?.close()]))

  test('sends nothing before the button is pressed, and then only to the resolver and the server that the DNS names', async () => {
    const { page, requests, errors, close } = await open()
    await page.fill('#domain', ALICE)
    await page.fill('#resolver', doh.url)
    const host = new URL(doh.url).host
    await page
      .locator('#learns')
      .getByText(`${host} learns your address, and that you look for the agent of ${ALICE}`)
      .waitFor()
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([])
    await askWithKeys(page, ALICE)
    await page
      .locator('.outcome')
      .getByText(/^✓ Verified/)
      .waitFor()
    // Levels that a browser cannot check are not reached, and reported (DNS-143, WK-167).
    const levels = { 'dns-verified': 'checked', 'key-verified': 'checked' }
    expect(await rungs(page)).toEqual({ ...levels, 'dane-verified': 'none', 'peer-verified': 'none' })
    for (const code of ['DNS-143', 'WK-167'])
      await page.locator('.steps .where').getByText(code, { exact: true }).waitFor()
    const asked = new Set(requests.map((url) => new URL(url).origin))
    expect([...asked].sort()).toEqual([server.origin, new URL(doh.url).origin, `https://${ALICE}:${world.port}`].sort())
    expect(errors).toEqual([])
    await close()
  })

  test('the trace that it records gets the same result', async () => {
    const { page, close } = await open()
    await askWithKeys(page, `agent:${ALICE}`)
    await page
      .locator('.outcome')
      .getByText(/^✓ Verified/)
      .waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#keep-trace')])
    expect(download.suggestedFilename()).toBe(`${ALICE}.trace.json`)
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const { proof } = await replay(JSON.parse(Buffer.concat(chunks).toString()), { anchors: world.dns.anchors })
    expect([proof.verdict, proof.highest]).toEqual(['verified', 'key-verified'])
    await close()
  })

  test('explains that a server may lack CORS, because the browser does not report it', async () => {
    const { page, close } = await open()
    await askWithKeys(page, 'closed.example.test')
    await page
      .locator('.outcome')
      .getByText(/^✕ Failed/)
      .waitFor()
    await page.getByText('must allow that by CORS').waitFor()
    await close()
  })

  test.each([
    ['', '', 'Fill in the domain'],
    [ALICE, '', 'Fill in a resolver that you trust'],
    ['a b', 'https://127.0.0.1/', 'expected one such as alice.example.com'],
    [ALICE, 'http://127.0.0.1/dns-query', 'expected an https URL'],
    [ALICE, 'dns', 'expected an https URL'],
  ])('sends nothing for domain %j and resolver %j, and shows why', async (domain, resolver, words) => {
    const { page, requests, close } = await open()
    await ask(page, domain, resolver)
    await page.locator('#problem').getByText(words).waitFor()
    expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([])
    await close()
  })

  test('a discovery can be stopped if the resolver never answers', async () => {
    const silent = createServer(certificateFor(['localhost']), () => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { page, close } = await open()
    await ask(page, ALICE, `https://127.0.0.1:${(silent.address() as AddressInfo).port}/dns-query`)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.locator('#problem').getByText('Stopped.').waitFor()
    expect(await page.isDisabled('#stop')).toBe(true)
    await close()
    silent.closeAllConnections()
    silent.close()
  })

  test('its policy allows connections by HTTPS; the policy of the main page allows none', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${server.origin}${path}`)).headers.get('content-security-policy')!.split('; ')
    expect(await policyOf('/discover/')).toContain('connect-src https:')
    expect(await policyOf('/discover/')).toContain("default-src 'none'")
    expect(await policyOf('/app/')).toContain("connect-src 'none'")
    const { page, requests, close } = await visit(chromium, `${server.origin}/app/#discover`)
    await page.getByText(/^✓ Verified/).waitFor()
    const links = page.locator('a[href$="discover/index.html"]')
    expect(await links.count()).toBe(2)
    expect(requests.filter((url) => url.includes('/discover/'))).toEqual([])
    await links.first().click()
    await page.getByText('Find the agent of a domain').waitFor()
    expect(page.url()).toBe(`${server.origin}/discover/`)
    await close()
  })

  test('axe finds nothing wrong, wide and narrow', async () => {
    for (const width of [1280, 390]) {
      const { page, close } = await open({ viewport: { width, height: 844 } })
      expect(await violations(page)).toEqual([])
      await askWithKeys(page, ALICE)
      await page
        .locator('.outcome')
        .getByText(/^✓ Verified/)
        .waitFor()
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await page.screenshot({ path: `${ROOT}.scratch/live-${width}.png`, fullPage: true })
      await close()
    }
  })

  test('on a phone buttons are at least 44 pixels large', async () => {
    const { page, close } = await open({ viewport: { width: 390, height: 844 } })
    await askWithKeys(page, ALICE)
    await page
      .locator('.outcome')
      .getByText(/^✓ Verified/)
      .waitFor()
    const small = await page.$$eval('main :is(button, summary, select, input)', (nodes) =>
      nodes
        .map((node) => ({ text: node.textContent, ...node.getBoundingClientRect().toJSON() }))
        .filter(({ width, height }) => width > 0 && (width < 44 || height < 44)),
    )
    expect(small).toEqual([])
    await close()
  })
})
