// Live discovery, a document of its own: with bind9 behind a resolver over HTTPS and a metadata server, all on this machine.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anchorsToText } from '../../bindings/discover/dns/dnssec/rdata.ts'
import { replay } from '../../bindings/discover/trace/verify.ts'
import { KEY, metadata, PUBLIC, send, signed, startWorld, type World } from '../discover/trust/lab.ts'
import { certificateFor } from '../support/certificate.ts'
import { bind, startDoh } from '../support/dns-lab.ts'
import { violations } from './axe.ts'
import { browser, foreign, PHONE, served, smallTargets, type Visit, visit, WIDE } from './browser.ts'

if (!bind.available) console.warn(`NOT RUN: live discovery against bind9: ${bind.reason}`)

const ALICE = 'alice.example.test'
const OPEN = { 'access-control-allow-origin': '*' }

let opened: Visit
let page: Page
let origin: string
let world: World
let doh: Awaited<ReturnType<typeof startDoh>>

/** Fills in the form and sends it; the last discovery of the page is over by then. */
async function ask(domain: string, resolver = doh.url): Promise<void> {
  await page.fill('#domain', domain)
  await page.fill('#resolver', resolver)
  await page.click('#ask')
}

async function askWithKeys(domain: string): Promise<void> {
  await page.getByText('Keys to trust instead').click()
  await page.fill('#anchors', anchorsToText(world.dns.anchors))
  await ask(domain)
}

const ends = (words: RegExp) => page.locator('.outcome').getByText(words).waitFor()

const rungs = () =>
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
    doh = await startDoh(world.dns.port, certificateFor(['localhost']))
    origin = await served()
  })
  beforeEach(async () => {
    opened = await visit('/discover/')
    page = opened.page
  })
  afterAll(() => Promise.all([world?.close(), doh?.close()]))

  test('sends nothing before the button is pressed, and then only to the resolver and the server that the DNS names', async () => {
    await page.fill('#domain', ALICE)
    await page.fill('#resolver', doh.url)
    const host = new URL(doh.url).host
    await page
      .locator('#learns')
      .getByText(`${host} learns your address, and that you look for the agent of ${ALICE}`)
      .waitFor()
    expect(foreign(opened)).toEqual([])
    await askWithKeys(ALICE)
    await ends(/^✓ Verified/)
    // Levels that a browser cannot check are not reached, and reported (DNS-143, WK-167).
    const levels = { 'dns-verified': 'checked', 'key-verified': 'checked' }
    expect(await rungs()).toEqual({ ...levels, 'dane-verified': 'none', 'peer-verified': 'none' })
    for (const code of ['DNS-143', 'WK-167'])
      await page.locator('.steps .where').getByText(code, { exact: true }).waitFor()
    const asked = new Set(opened.requests.map((url) => new URL(url).origin))
    expect([...asked].sort()).toEqual([origin, new URL(doh.url).origin, `https://${ALICE}:${world.port}`].sort())
    expect(opened.errors).toEqual([])
  })

  test('the trace that it records gets the same result', async () => {
    await askWithKeys(`agent:${ALICE}`)
    await ends(/^✓ Verified/)
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#keep-trace')])
    expect(download.suggestedFilename()).toBe(`${ALICE}.trace.json`)
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    const { proof } = await replay(JSON.parse(Buffer.concat(chunks).toString()), { anchors: world.dns.anchors })
    expect([proof.verdict, proof.highest]).toEqual(['verified', 'key-verified'])
  })

  test('explains that a server may lack CORS, because the browser does not report it', async () => {
    await askWithKeys('closed.example.test')
    await ends(/^✕ Failed/)
    await page.getByText('must allow that by CORS').waitFor()
  })

  test.each([
    ['', '', 'Fill in the domain'],
    [ALICE, '', 'Fill in a resolver that you trust'],
    ['a b', 'https://127.0.0.1/', 'expected one such as alice.example.com'],
    [ALICE, 'http://127.0.0.1/dns-query', 'expected an https URL'],
    [ALICE, 'dns', 'expected an https URL'],
  ])('sends nothing for domain %j and resolver %j, and shows why', async (domain, resolver, words) => {
    await ask(domain, resolver)
    await page.locator('#problem').getByText(words).waitFor()
    expect(foreign(opened)).toEqual([])
  })

  test('a discovery can be stopped if the resolver never answers', async () => {
    const silent = createServer(certificateFor(['localhost']), () => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    await ask(ALICE, `https://127.0.0.1:${(silent.address() as AddressInfo).port}/dns-query`)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.locator('#problem').getByText('Stopped.').waitFor()
    expect(await page.isDisabled('#stop')).toBe(true)
    silent.closeAllConnections()
    silent.close()
  })

  test('its policy allows connections by HTTPS; the policy of the main page allows none', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${origin}${path}`)).headers.get('content-security-policy')!.split('; ')
    expect(await policyOf('/discover/')).toContain('connect-src https:')
    expect(await policyOf('/discover/')).toContain("default-src 'none'")
    expect(await policyOf('/app/')).toContain("connect-src 'none'")
    await visit('#discover')
    await page.getByText(/^✓ Verified/).waitFor()
    const links = page.locator('a[href$="discover/index.html"]')
    expect(await links.count()).toBe(2)
    expect(opened.requests.filter((url) => url.includes('/discover/'))).toEqual([])
    await links.first().click()
    await page.getByText('Find the agent of a domain').waitFor()
    expect(page.url()).toBe(`${origin}/discover/`)
  })

  test('axe finds nothing wrong, wide and narrow; on a phone buttons are at least 44 pixels large', async () => {
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport)
      expect(await violations(page)).toEqual([])
    }
    await askWithKeys(ALICE)
    await ends(/^✓ Verified/)
    for (const viewport of [PHONE, WIDE]) {
      await page.setViewportSize(viewport)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
      if (viewport === PHONE) expect(await smallTargets(page, 'main')).toEqual([])
    }
  })
})
