// The page from a file, and as the copy in one file: the same engine, rooms and editor as in the served page, and no
// request. All other tests use the served page.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { runSelftest } from '../../bindings/selftest/index.ts'
import { sampleSet } from '../../browser-demo/directory/sample.ts'
import { KEY_ID, signedCard } from '../card/support.ts'
import { browser, enter, FILES, foreign, visit } from './browser.ts'

const CANONICAL = '{"a":"€","b":[1,1e+30]}'

describe.runIf(browser.available)('another form of the page', () => {
  test.each(Object.entries(FILES))('%s: every room and the editor work, and nothing is requested', async (_, url) => {
    const opened = await visit(url, { viewport: { width: 360, height: 740 } })
    const { page } = opened
    const shows = (selector: string, words: string | RegExp) =>
      page.locator(selector).getByText(words).first().waitFor()

    await page.click('#tab-canonical')
    await page.fill('#source', '{"b": [1.0, 1E30], "a": "\\u20ac"}')
    await expect.poll(() => page.textContent('#output')).toBe(CANONICAL)
    await expect
      .poll(() => page.$eval('output', (digest: HTMLOutputElement) => digest.value))
      .toBe(createHash('sha256').update(CANONICAL).digest('hex'))
    await page.fill('#source', '{"adl_spec": "0.1.0", "name": 1,\n "name": 2}')
    await expect.poll(() => page.textContent('#verdict')).toBe('1 error')
    await page.click('#tab-findings')
    await expect.poll(() => page.textContent('#finding-list li')).toMatch(/Duplicate member.*Line 2, column 2.*\/name/s)

    await page.click('#tab-signature')
    const card = await signedCard({ id: KEY_ID, did: undefined })
    await page.fill('#source', card)
    await page.getByText('Verified: the document is unchanged').waitFor()
    await page.fill('#source', card.replace('bidirectional', 'one-way'))
    await page.getByText('Failed: a check failed').waitFor()

    await page.click('#selftest')
    await shows('#selftest-result', 'all answers correct')
    expect(await page.textContent('#selftest-result')).toContain((await runSelftest()).digest)

    await page.click('#plain')
    await page.locator('#editor[data-kind="rich"]').waitFor()
    await page.click('#plain')

    await enter(opened, 'directory')
    const { cards } = sampleSet()
    const wanted = cards.find(({ description }) => description!.startsWith('Translates medical letters'))!
    await page.fill('#query-text', wanted.description!)
    await expect.poll(() => page.locator('#ranking strong').first().textContent()).toBe(wanted.name)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

    await enter(opened, 'agent')
    await shows('#agent-summary', /^inbox-helper 1\.2\.0, by acme/)
    await enter(opened, 'discover')
    await shows('#discovery', /^✓ Verified/)
    await enter(opened, 'runs')
    await shows('#run-proof', /^✓ Verified/)

    expect(foreign(opened)).toEqual([])
    expect(opened.errors).toEqual([])
    const fetched = await page.evaluate(() =>
      fetch(location.href).then(
        () => 'sent',
        () => 'refused',
      ),
    )
    expect(fetched).toBe('refused')
  })
})
