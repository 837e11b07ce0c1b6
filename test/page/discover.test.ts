// Recorded discoveries in the page: a trace is checked again, without a network.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import example from '../../browser-demo/discover/example.json' with { type: 'json' }
import { violations } from './axe.ts'
import { browser, dropEmpty, enter, foreign, PHONE, smallTargets, type Visit, visit, WIDE } from './browser.ts'
import { longestTask } from './tasks.ts'

const { trace } = example
const TXT = trace.steps.findIndex(({ type }) => type === 16)
const METADATA = Buffer.from(trace.steps.at(-1)!.body!, 'base64').toString()

let opened: Visit
let page: Page

async function paste(text: string): Promise<void> {
  if (!(await page.isVisible('#trace-text'))) await page.getByText('Paste a trace', { exact: true }).click()
  await page.$eval(
    '#trace-text',
    (area: HTMLTextAreaElement, text) => {
      area.value = text
    },
    text,
  )
  await page.click('#check-pasted')
}

/** Each level with the quality shown for it. */
const rungs = (on = page) =>
  on.$$eval('.ladder li', (items) =>
    Object.fromEntries(items.map(({ dataset }) => [dataset['level'], dataset['quality']])),
  )

const saying = (words: string | RegExp, on = page) => on.locator('main .outcome:visible').getByText(words).waitFor()

describe.runIf(browser.available)('recorded discoveries in the page', () => {
  beforeAll(async () => {
    opened = await visit('#discover')
    page = opened.page
    await page.getByText('Keys to trust instead', { exact: false }).click()
  })
  beforeEach(async () => {
    await enter(opened, 'discover')
    await page.click('#trace-example')
    await saying(/^✓ Verified/)
  })
  afterAll(() => {
    expect(foreign(opened)).toEqual([])
    expect(opened.errors).toEqual([])
  })

  test('[wellknown/8.1-1] the example verifies by the keys of its own root', async () => {
    const all = { 'dns-verified': 'checked', 'dane-verified': 'checked', 'key-verified': 'checked' }
    expect(await rungs()).toEqual({ ...all, 'peer-verified': 'none' })
    expect(await page.locator('.discovery .lines').last().textContent()).toMatch(/endpoints/)
  })

  test('a request shows if its answer can be checked, and opens to the records of the answer', async () => {
    const steps = page.locator('.timeline > li')
    expect(await steps.count()).toBe(trace.steps.length)
    const words = await steps.allTextContents()
    expect(words.filter((text) => text.includes('anyone can check it')).length).toBe(trace.steps.length - 1)
    expect(words.at(-1)).toContain('only as recorded')
    const asked = steps.filter({ hasText: `TXT ${trace.steps[TXT]!.name}` })
    await asked.locator('summary').click()
    const { fingerprint } = JSON.parse(METADATA).identity.publicKey
    await asked.locator('td', { hasText: `"v=ADP1.1; pk=${fingerprint};` }).waitFor()
    expect(await asked.getByText(/more records?$/).count()).toBe(0)
    const get = steps.last()
    await get.locator('summary').focus()
    await page.keyboard.press('Enter')
    expect(await get.locator('pre').textContent()).toBe(METADATA)
    await get.getByText('TLSv1.3').waitFor()
  })

  test('the metadata opens in the editor, where it has no finding', async () => {
    await page.getByRole('button', { name: 'Open the metadata in the editor' }).click()
    await expect.poll(() => page.inputValue('#source').then(JSON.parse)).toEqual(JSON.parse(METADATA))
    await expect.poll(() => page.textContent('#verdict')).toMatch(/^valid /)
  })

  test('checked as of now, the signatures of the DNS have expired', async () => {
    const { page, close } = await visit('#discover', { own: {} })
    await saying(/^✓ Verified/, page)
    await page.clock.setFixedTime('2031-01-01T00:00:00Z')
    await page.getByText('As of now', { exact: true }).click()
    await saying(/^✕ Failed/, page)
    expect(new Set(Object.values(await rungs(page)))).toEqual(new Set(['none']))
    await page.locator('.steps [data-outcome="failed"]').getByText('DNS-112', { exact: true }).waitFor()
    await page.getByText('As of the recording', { exact: true }).click()
    await saying(/^✓ Verified/, page)
    await close()
  })

  test('without the keys of its own root no level is reached; an invalid key is reported', async () => {
    await page.fill('#anchors', '')
    await saying(/^✕ Failed/)
    await page.fill('#anchors', `${example.anchors}. IN A 1.2.3.4`)
    await saying('expected DS records, found ". IN A 1.2.3.4" in line 2')
    await page.fill('#anchors', example.anchors)
    await saying(/^✓ Verified/)
  })

  test('the signature over a changed answer does not match', async () => {
    const steps = structuredClone(trace.steps)
    const bytes = Buffer.from(steps[TXT]!.answer!, 'base64')
    bytes.write('Z', bytes.indexOf('pk=ed25519:') + 11)
    steps[TXT]!.answer = bytes.toString('base64')
    await paste(JSON.stringify({ ...trace, steps }))
    // The keys of the example are trusted for the example only, so they were removed.
    expect(await page.inputValue('#anchors')).toBe('')
    await page.fill('#anchors', example.anchors)
    await saying(/^✕ Failed/)
    await page.locator('.steps [data-outcome="failed"]').getByText('TXT record', { exact: true }).waitFor()
  })

  test.each([
    ['{"adl_spec": "0.1.0"}', /^✕ This is an agent definition, not the trace/],
    ['{"trace": "blazon/discovery/1"', /^✕ The trace cannot be read/],
    [JSON.stringify({ ...trace, at: 'yesterday' }), /^✕ This trace has 1 finding/],
    ['[1]', /^✕ This is a document of an unknown kind/],
  ])('%.40s is not checked, and can be opened in the editor', async (text, words) => {
    await paste(text)
    await saying(words)
    expect(await page.locator('#discovery > *').count()).toBe(0)
    await page.getByRole('button', { name: 'Open it in the editor' }).click()
    await expect.poll(() => page.inputValue('#source')).toBe(text)
  })

  test('opens the file of a trace, and refuses one that is too large by its name', async () => {
    const buffer = Buffer.from(JSON.stringify({ ...trace, domain: 'bob.example.test' }))
    await page.setInputFiles('#trace-file', { name: 'alice.trace.json', mimeType: 'application/json', buffer })
    await page.getByText('agent:bob.example.test', { exact: true }).waitFor()
    await dropEmpty(page, 'alice.trace.json', (8 << 20) + 1)
    await saying('alice.trace.json is larger than 8 MiB')
  })

  test('10,000 steps of hostile text do not block the page, and none becomes markup', async () => {
    const name = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(9)}`
    const rest = {
      kind: 'dns',
      name,
      type: 65535,
      section: '<b>',
      by: 'signatures',
      answer: 'AAAA',
      after: 1e308,
      took: 1e308,
    }
    const steps = [...trace.steps, ...Array.from({ length: 10_000 }, () => rest)]
    const longest = await longestTask(page, async () => {
      await paste(JSON.stringify({ ...trace, steps }))
      await page.getByText('9,912 more steps').waitFor()
      await page.getByRole('button', { name: 'Show 100 more' }).click()
      await page.getByText('9,812 more steps').waitFor()
      await page.locator('.timeline > li').nth(150).locator('summary').click()
    })
    // A busy machine took 1,150 ms of processor time.
    expect(longest).toBeLessThan(3000)
    expect(await page.locator('.timeline img, .timeline b').count()).toBe(0)
    expect(await page.locator('.timeline').textContent()).not.toContain('\u202e')
  })

  test('axe finds nothing wrong, wide and narrow, with steps opened and with a refusal', async () => {
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport)
      await page.click('#trace-example')
      await saying(/^✓ Verified/)
      for (const i of [0, TXT, trace.steps.length - 1]) await page.locator('.timeline summary').nth(i).click()
      expect(await violations(page, "'main'")).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
      await paste(JSON.stringify({ ...trace, at: 7 }))
      await saying(/^✕ This trace/)
      expect(await violations(page, "'main'")).toEqual([])
    }
  })

  test('on a phone nothing scrolls sideways, and buttons are at least 44 pixels large', async () => {
    await page.locator('.timeline summary').first().click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
    expect(await smallTargets(page, '#room-discover')).toEqual([])
  })

  test('on a phone records fit the screen, their data over the whole width', async () => {
    for (const i of [0, TXT]) await page.locator('.timeline summary').nth(i).click()
    await page.locator('.timeline .wide').nth(1).waitFor()
    const frames = await page.$$eval('.timeline .wide', (nodes) =>
      nodes.map((node) => ({
        hidden: node.scrollWidth - node.clientWidth,
        left: [...node.querySelectorAll('td:nth-child(4)')].map((cell) => node.clientWidth - cell.clientWidth),
      })),
    )
    expect(frames.map(({ hidden }) => hidden)).toEqual([0, 0])
    expect(Math.max(...frames.flatMap(({ left }) => left))).toBe(0)
  })
})
