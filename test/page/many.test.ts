// Many cards in one file: read in a worker, or without one. Skipped documents are reported, and the page never blocks.
// docs/guide/page.md has the figures for 100,000 cards.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { browser, FILES, foreign, visit } from './browser.ts'
import { manyCards } from './many.ts'
import { longestTask } from './tasks.ts'

/** Enough to be stopped while they are read. */
const CARDS = 10_000
/** The number that is read whole. */
const READ = casesOf(CARDS)
/** From here on a task counts as long (https://www.w3.org/TR/longtasks-1/). */
const LONG_TASK_MS = 50

let folder: string
let made: readonly string[]

describe.runIf(browser.available)('many cards in the page', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'blazon-'))
    made = manyCards(CARDS)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('reads a file of them in a worker, and is never busy for long', async () => {
    const cards = made.slice(0, READ)
    const file = join(folder, 'cards.json')
    // Larger than a document may be, with one card twice and one invalid card.
    const filler = ' '.repeat(4 << 20)
    writeFileSync(file, `[${cards.join(',\n')}, ${filler} ${cards[0]}, {"id": "agent://x", "name": 7}]`)
    writeFileSync(join(folder, 'notes.txt'), 'no document')
    const opened = await visit('#directory')
    const { page } = opened
    await page.locator('#ranking-state').getByText('These agents are made up').waitFor()
    await expect.poll(() => page.workers().length).toBe(1)
    const longest = await longestTask(page, async () => {
      await page.setInputFiles('#card-files', [file, join(folder, 'notes.txt')])
      await page
        .locator('#collection-size')
        .getByText(`${READ.toLocaleString('en-US')} cards; cards and`)
        .waitFor()
      expect(await page.isHidden('#collection-progress')).toBe(true)
      expect(await page.locator('#collection-skipped > p').allTextContents()).toEqual([
        '✕ 1 card skipped: unreadable, invalid, or with a signature that does not match.',
        '✕ 1 card skipped: another card of the same agent is kept.',
        '✕ 1 file skipped: the name is not that of a JSON or YAML file.',
      ])
      const { name, description } = JSON.parse(cards[42]!)
      await page.fill('#query-text', description)
      await expect.poll(() => page.locator('#ranking strong').first().textContent()).toBe(name)
      await page.fill('#query-text', 'write')
      await page.locator('#ranking-state').getByText('The best 100').waitFor()
      // A new query shows the first results only.
      await expect.poll(() => page.locator('#ranking strong').first().textContent()).not.toBe(name)
      // A click from outside would first locate the button, and lay out everything for that: this is not the page's work.
      await page.$eval('#ranking-rest button', (more: HTMLButtonElement) => more.click())
      await expect.poll(() => page.locator('#ranking strong').count()).toBeGreaterThan(99)
    })
    expect(longest).toBeLessThan(LONG_TASK_MS)
    expect(opened.errors).toEqual([])
    expect(foreign(opened)).toEqual([])
  })

  test.each([
    ['the browser has no workers', 'index', (page: string) => page],
    ['the policy refuses them', 'copy', (page: string) => page.replace("worker-src 'self' blob:", "worker-src 'none'")],
  ] as const)('without a worker, because %s, the thread of the page reads and ranks', async (_, form, changed) => {
    const copy = join(folder, 'without.html')
    writeFileSync(copy, changed(readFileSync(fileURLToPath(FILES.copy), 'utf8')))
    const script = form === 'index' ? 'delete globalThis.Worker' : ''
    const { page, close } = await visit(`${pathToFileURL(copy).href}#directory`, { script })
    await page.locator('#ranking-state').getByText('These agents are made up').waitFor()
    expect(page.workers()).toEqual([])
    const cards = made.slice(0, 300)
    const file = join(folder, 'lines.jsonl')
    writeFileSync(file, `${cards.join('\n')}\n{"id": "agent://x", "name": 7}`)
    await page.setInputFiles('#card-files', file)
    await page.locator('#collection-size').getByText('300 cards; cards and').waitFor()
    expect(await page.locator('#collection-skipped > p').allTextContents()).toEqual([
      '✕ 1 card skipped: unreadable, invalid, or with a signature that does not match.',
    ])
    const { name, description } = JSON.parse(cards[42]!)
    await page.fill('#query-text', description)
    await expect.poll(() => page.locator('#ranking strong').first().textContent()).toBe(name)
    await close()
  })

  test('Clear stops reading; Undo brings back the cards that were read until then', async () => {
    const { page } = await visit('#directory')
    const file = join(folder, 'long.json')
    writeFileSync(file, `[${made.join()}]`)
    // Otherwise the sample set may be what is being read.
    await page.locator('#collection-size').getByText('cards; cards and').waitFor()
    await page.setInputFiles('#card-files', file)
    await page.locator('#collection-size').getByText('reading, ').waitFor()
    await page.click('#clear-cards')
    await page.locator('#collection-size').getByText('no cards yet').waitFor()
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await page
      .locator('#collection-size')
      .getByText(/^[\d,]+ cards?; cards and/)
      .waitFor()
    const [words = ''] = await page.locator('#collection-size').allTextContents()
    expect(Number(/^[\d,]+/.exec(words)![0].replace(',', ''))).toBeLessThan(CARDS)
    await page.click('#collection-size')
    expect(await page.textContent('#collection-size')).toBe(words)
  })

  test('reports a worker that ended, while it reads and when it is asked; Clear starts again', async () => {
    const { page } = await visit('#directory')
    await expect.poll(() => page.workers().length).toBe(1)
    const file = join(folder, 'list.json')
    writeFileSync(file, `[${made.join()}]`)
    await page.locator('#collection-size').getByText('cards; cards and').waitFor()
    await page.setInputFiles('#card-files', file)
    // The first worker holds the sample set, until its removal can no longer be undone.
    await expect.poll(() => page.workers().length).toBe(2)
    await page.locator('#collection-size').getByText('reading, ').waitFor()
    await page
      .workers()
      .at(-1)!
      .evaluate(() => {
        setTimeout(() => {
          throw new Error('out of memory')
        })
      })
    const words = page.locator('#collection-skipped').getByText('The browser ended the worker that held the cards')
    await words.waitFor()
    expect(await words.textContent()).toContain('Press Clear')
    expect(await page.isHidden('#collection-progress')).toBe(true)
    await expect.poll(() => page.workers().length).toBeLessThan(2)
    await page.setInputFiles('#card-files', file)
    await words.waitFor()
    await page.click('#clear-cards')
    await page.locator('#collection-size').getByText('no cards yet').waitFor()
    expect(await words.count()).toBe(0)
    writeFileSync(file, made[0]!)
    await page.setInputFiles('#card-files', file)
    await page.locator('#collection-size').getByText('1 card; cards and').waitFor()
  })
})
