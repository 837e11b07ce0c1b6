// What the page does with a document, and how it fits a phone. For the other forms of the page, see forms.test.ts.
import { createHash } from 'node:crypto'
import { parse } from 'blazon/document'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newDefinition } from '../../bindings/adl/templates.ts'
import { runSelftest } from '../../bindings/selftest/index.ts'
import { agentPage } from '../../edge/agents/page.ts'
import { browser, foreign, PHONE, served, smallTargets, type Visit, visit, WIDE } from './browser.ts'

const SOURCE = '{\n  "b": [1.0, 1E30],\n  "a": "\\u20ac"\n}\n'
const CANONICAL = '{"a":"€","b":[1,1e+30]}'

function sha(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex')
}

/** Puts text into the editor, as a paste does. */
function write(page: Page, text: string): Promise<void> {
  return page.fill('#source', text)
}

function selection(page: Page): Promise<[number, number]> {
  return page.$eval('#source', (area: HTMLTextAreaElement) => [area.selectionStart, area.selectionEnd])
}

function digestIs(page: Page, hex: string): Promise<unknown> {
  return page.waitForFunction((wanted) => document.querySelector('output')?.value === wanted, hex)
}

describe.runIf(browser.available)('the page', () => {
  describe('a document', () => {
    let opened: Visit
    let page: Page
    beforeAll(async () => {
      opened = await visit()
      page = opened.page
    })

    test('shows the canonical form, its sizes and its digests', async () => {
      await page.click('#tab-canonical')
      await write(page, SOURCE)
      await expect.poll(() => page.textContent('#output')).toBe(CANONICAL)
      await expect.poll(() => page.textContent('#verdict')).toBe('JSON')
      await expect.poll(() => page.textContent('#canonical-state')).toBe('rewritten')
      await expect.poll(() => page.textContent('#source-size')).toBe(`JSON, ${Buffer.byteLength(SOURCE)} bytes`)
      await expect.poll(() => page.textContent('#result-size')).toContain(`${Buffer.byteLength(CANONICAL)} bytes`)
      await digestIs(page, sha('sha256', CANONICAL))
      await page.getByText('SHA-384', { exact: true }).click()
      await digestIs(page, sha('sha384', CANONICAL))
      await page.getByText('SHA-512', { exact: true }).click()
      await digestIs(page, sha('sha512', CANONICAL))
      await page.getByText('SHA-256', { exact: true }).click()
    })

    test('reports that a document is already canonical', async () => {
      await write(page, CANONICAL)
      await expect.poll(() => page.textContent('#canonical-state')).toBe('canonical already')
    })

    test('shows the canonical form of the JSON that YAML represents', async () => {
      await write(page, '# note\nb: [1.0, 1e30]\na: €\n')
      await expect.poll(() => page.textContent('#output')).toBe(CANONICAL)
      await expect.poll(() => page.textContent('#verdict')).toBe('YAML')
    })

    test('shows the place of an error while the reader types, and goes there', async () => {
      await page.click('#tab-findings')
      await write(page, '')
      await page.locator('#source').pressSequentially('{"name": 1,\n "name": 2}')
      await expect.poll(() => page.textContent('#verdict')).toBe('1 error')
      const finding = page.locator('#finding-list li')
      await expect.poll(() => finding.count()).toBe(1)
      await expect.poll(() => finding.textContent()).toMatch(/Duplicate member.*Line 2, column 2.*\/name/s)
      await expect.poll(() => page.textContent('.gutter [data-severity="error"]')).toBe('2')
      await finding.getByRole('button').click()
      await expect.poll(() => selection(page)).toEqual([13, 19])
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('source')
      await page.click('#tab-canonical')
      await expect.poll(() => page.isDisabled('#copy')).toBe(true)
    })

    test('warns of a number that a double cannot hold', async () => {
      await write(page, '[9007199254740993]')
      await expect.poll(() => page.textContent('#verdict')).toBe('JSON, 1 warning')
      await expect.poll(() => page.textContent('#output')).toBe('[9007199254740992]')
    })

    test('announces the number of findings to screen readers once typing pauses', async () => {
      await write(page, '[1,]')
      await page.waitForFunction(() =>
        /1 error\. Line 1: /.test(document.querySelector('#announcer')?.textContent ?? ''),
      )
    })

    test('downloads the exact bytes', async () => {
      await write(page, SOURCE)
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')])
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString()).toBe(CANONICAL)
      expect(download.suggestedFilename()).toBe('canonical.json')
    })

    test('shows where two canonical forms differ, in both documents', async () => {
      await write(page, SOURCE)
      await page.fill('#other', '{"b": [1, 1e30], "a": "\\u20AC"}')
      const comparison = page.locator('#comparison')
      await comparison.getByText('the same 25 bytes').waitFor()
      await page.fill('#other', '{"b": [1, 2], "a": "€"}')
      await comparison.getByText('/b/1').waitFor()
      await expect
        .poll(() => comparison.getByRole('button').allTextContents())
        .toEqual(['line 2, column 14', 'line 1, column 11'])
      await page.fill('#other', '')
      // Its end moves what is below: a click on a button there would be lost while it is under way.
      await expect.poll(() => comparison.textContent()).toBe('')
    })

    test('runs the published vectors, with the same answers as every other host', async () => {
      await page.click('#selftest')
      const outcome = page.locator('#selftest-result')
      await expect.poll(() => outcome.textContent()).toContain('all answers correct')
      const { digest, groups } = await runSelftest()
      await expect.poll(() => outcome.textContent()).toContain(digest)
      await expect.poll(() => outcome.locator('tbody tr').count()).toBe(groups.length)
    })

    test('requests only its own files, and reports no error', () => {
      expect(foreign(opened)).toEqual([])
      expect(opened.requests.filter((url) => !new URL(url).pathname.startsWith('/app/'))).toEqual([])
      expect(opened.errors).toEqual([])
    })

    test('cannot send anything: its policy forbids every connection', async () => {
      const refused = await page.evaluate(() =>
        fetch(location.href).then(
          () => 'sent',
          () => 'refused',
        ),
      )
      expect(refused).toBe('refused')
    })
  })

  test('the editor keeps its place when results appear; Compare and Self-test are one press away', async () => {
    const { page } = await visit()
    const top = () => page.$eval('#editor', (editor) => editor.getBoundingClientRect().top)
    const before = await top()
    await page.selectOption('#example', 'faulty')
    await page.locator('#finding-list li').first().waitFor()
    expect(await top()).toBe(before)
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('compare-title')
  })

  test('on a phone the worst findings begin before 400 pixels, above the editor, and lead to their places', async () => {
    const { page } = await visit('', { viewport: PHONE })
    await page.selectOption('#example', 'faulty')
    const findings = page.locator('#peek [data-severity="error"]')
    await expect.poll(() => findings.allTextContents()).toHaveLength(2)
    const { y, height } = (await findings.nth(1).boundingBox())!
    expect(y + height).toBeLessThan(400)
    expect((await page.locator('#editor').boundingBox())!.y).toBeLessThan(400)
    await findings.nth(1).click()
    const selected = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) =>
      value.slice(selectionStart, selectionEnd)
    expect(await page.$eval('#source', selected)).toBe('"1.0"')
    await page.locator('#peek').getByText('4 errors').click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-findings')
    await page.setViewportSize(WIDE)
    await expect.poll(() => findings.count()).toBe(0)
  })

  test.each([PHONE, { width: 1200, height: 860 }])(
    'a message covers nothing, and no tab is cut: %j',
    async (viewport) => {
      const { page } = await visit('', { viewport, draft: '[1]' })
      const top = () => page.$eval('.status', (bar) => bar.getBoundingClientRect().top)
      const before = await top()
      await page.click('#clear')
      await page.locator('#offer').waitFor()
      expect(await top()).toBe(before)
      await page.setInputFiles('#file', { name: 'x.agent', mimeType: '', buffer: Buffer.from('x') })
      await page.locator('#note').waitFor()
      expect(await top()).toBe(before)
      await page.selectOption('#example', 'faulty')
      expect(await page.$eval('#tabs', ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      const rows = page
        .locator('#tabs button')
        .evaluateAll((all) => new Set(all.map((tab) => tab.getBoundingClientRect().top)).size)
      expect(await rows).toBe(viewport === PHONE ? 2 : 1)
    },
  )

  test('on a phone no room scrolls sideways, and the header names the room', async () => {
    const { page } = await visit('', { viewport: PHONE })
    for (const [room, words] of [
      ['Document', 'agent documents'],
      ['Directory', 'directory of agents'],
      ['Discovery', 'recorded discoveries'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Parts of the page' }).getByText(room).click()
      await expect.poll(() => page.title()).toBe(`Blazon: ${words}`)
      expect(await page.textContent('h1')).toBe(`Blazon ${words}`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    }
  })

  test('on a phone controls are at least 44 pixels large, except links in sentences', async () => {
    const { page } = await visit('', { viewport: PHONE })
    const small = () => smallTargets(page)
    await page.locator('.examples-list').waitFor()
    expect(await small()).toEqual([])
    for (const example of ['faulty', 'production']) {
      await page.selectOption('#example', example)
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click()
        await expect.poll(small).toEqual([])
      }
    }
    await page.getByRole('tab', { name: 'Permissions' }).click()
    await page.selectOption('#what-if-domain', 'execution')
    await page.locator('.flag').waitFor()
    expect(await small()).toEqual([])
    expect(await page.getByRole('button', { name: 'Self-test', exact: true }).isVisible()).toBe(true)
    for (const room of ['Directory', 'Discovery']) {
      await page.getByRole('navigation', { name: 'Parts of the page' }).getByText(room).click()
      await expect.poll(small).toEqual([])
    }
  })

  test('so are those on the pages of the Worker', async () => {
    const { page } = await visit('/', { viewport: PHONE })
    const origin = await served()
    expect(await smallTargets(page)).toEqual([])
    const definition = newDefinition('production', 'Scout', { now: new Date() })
    const body = await agentPage(parse(JSON.stringify(definition)).document!, `${origin}/agents/d`)
    await page.route('**/agents/d', (route) => route.fulfill({ body, contentType: 'text/html' }))
    await page.goto(`${origin}/agents/d`)
    expect(await page.getByText('Blazon').count()).toBe(1)
    expect(await smallTargets(page)).toEqual([])
    await page.unroute('**/agents/d')
  })

  test('fits the screen of a phone', async () => {
    const { page } = await visit('', { viewport: { width: 360, height: 740 } })
    await page.selectOption('#example', 'production')
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    }
  })
})
