// Ten thousand cards in one file: read in a worker, or without one, with what is left out told, and nothing that holds up the page.
// docs/guide/page.md has the figures of a hundred thousand.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browser, FILES, launch, visit } from './browser.ts'
import { manyCards } from './many.ts'
import { longestTask, TASKS } from './tasks.ts'

const CARDS = 10_000
/** From here on a task counts as long (https://www.w3.org/TR/longtasks-1/). */
const LONG_TASK_MS = 50

let chromium: Browser
let folder: string

describe.runIf(browser.available)('very many cards in the page', () => {
  beforeAll(async () => {
    chromium = await launch()
    folder = mkdtempSync(join(tmpdir(), 'blazon-'))
  })
  afterAll(async () => {
    await chromium?.close()
    rmSync(folder, { recursive: true })
  })

  test.each(['index', 'copy'] as const)('one file of them, in a worker, by the page as %s', async (form) => {
    const cards = manyCards(form === 'index' ? CARDS : 100)
    const file = join(folder, `${form}.json`)
    // More than a document may have, with one card twice and one that is none.
    const filler = ' '.repeat(form === 'index' ? 4 << 20 : 0)
    writeFileSync(file, `[${cards.join(',\n')}, ${filler} ${cards[0]}, {"id": "agent://x", "name": 7}]`)
    writeFileSync(join(folder, 'notes.txt'), 'no document')
    const { page, errors, requests, close } = await visit(chromium, `${FILES[form]}#directory`)
    await page.locator('#ranking-state').getByText('These agents are made up').waitFor()
    await expect.poll(() => page.workers().length).toBe(1)
    await chromium.startTracing(page, { categories: TASKS })
    await page.setInputFiles('#card-files', [file, join(folder, 'notes.txt')])
    await page
      .locator('#library-size')
      .getByText(`${cards.length.toLocaleString('en-US')} cards; cards and`)
      .waitFor()
    expect(await page.isHidden('#library-progress')).toBe(true)
    expect(await page.locator('#library-problems > p').allTextContents()).toEqual([
      '✕ 1 card left out: cannot be read, not valid, or with a signature that does not hold.',
      '✕ 1 card left out: of which another one of the same agent is here.',
      '✕ 1 file left out: neither JSON nor YAML by the name.',
    ])
    const { name, description } = JSON.parse(cards[42]!)
    await page.fill('#ask-text', description)
    await expect.poll(() => page.locator('#ranking strong').first().textContent()).toBe(name)
    await page.fill('#ask-text', 'translate')
    await page
      .locator('#ranking-state')
      .getByText(form === 'index' ? 'The best 100' : 'agents of 100')
      .waitFor()
    // What is asked anew begins with the best few.
    await expect.poll(() => page.locator('#ranking strong').first().textContent()).not.toBe(name)
    // A click from outside would first look where the button is, which lays out everything: not the page's own work.
    if (form === 'index') await page.$eval('#ranking-rest button', (more: HTMLButtonElement) => more.click())
    await expect.poll(() => page.locator('#ranking strong').count()).toBeGreaterThan(form === 'index' ? 99 : 0)
    expect(longestTask(await chromium.stopTracing())).toBeLessThan(LONG_TASK_MS)
    expect(errors).toEqual([])
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
    await close()
  })

  test.each([
    ['there are none', 'index', (page: string) => page],
    ['the policy refuses them', 'copy', (page: string) => page.replace("worker-src 'self' blob:", "worker-src 'none'")],
  ] as const)('without a worker, because %s, the thread of the page does the same', async (_, form, changed) => {
    const copy = join(folder, 'without.html')
    writeFileSync(copy, changed(readFileSync(fileURLToPath(FILES.copy), 'utf8')))
    const script = form === 'index' ? 'delete globalThis.Worker' : ''
    const { page, close } = await visit(chromium, `${pathToFileURL(copy).href}#directory`, { script })
    await page.locator('#ranking-state').getByText('These agents are made up').waitFor()
    expect(page.workers()).toEqual([])
    const cards = manyCards(300)
    const file = join(folder, 'lines.jsonl')
    writeFileSync(file, `${cards.join('\n')}\n{"id": "agent://x", "name": 7}`)
    await page.setInputFiles('#card-files', file)
    await page.locator('#library-size').getByText('300 cards; cards and').waitFor()
    expect(await page.locator('#library-problems > p').allTextContents()).toEqual([
      '✕ 1 card left out: cannot be read, not valid, or with a signature that does not hold.',
    ])
    const { name, description } = JSON.parse(cards[42]!)
    await page.fill('#ask-text', description)
    await expect.poll(() => page.locator('#ranking strong').first().textContent()).toBe(name)
    await close()
  })

  test('Clear ends reading; Undo brings back what was read until then', async () => {
    const { page, close } = await visit(chromium, `${FILES.index}#directory`)
    const file = join(folder, 'long.json')
    writeFileSync(file, `[${manyCards(CARDS).join()}]`)
    // Otherwise it may be the sample set that is being read.
    await page.locator('#library-size').getByText('cards; cards and').waitFor()
    await page.setInputFiles('#card-files', file)
    await page.locator('#library-size').getByText('reading, ').waitFor()
    await page.click('#forget')
    await page.locator('#library-size').getByText('no cards yet').waitFor()
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await page
      .locator('#library-size')
      .getByText(/^[\d,]+ cards?; cards and/)
      .waitFor()
    const [words = ''] = await page.locator('#library-size').allTextContents()
    expect(Number(/^[\d,]+/.exec(words)![0].replace(',', ''))).toBeLessThan(CARDS)
    await page.click('#library-size')
    expect(await page.textContent('#library-size')).toBe(words)
    await close()
  })

  test('reports a worker that ended, while it reads and when it is asked; Clear starts again', async () => {
    const { page, close } = await visit(chromium, `${FILES.index}#directory`)
    await expect.poll(() => page.workers().length).toBe(1)
    const file = join(folder, 'list.json')
    const cards = manyCards(CARDS)
    writeFileSync(file, `[${cards.join()}]`)
    await page.locator('#library-size').getByText('cards; cards and').waitFor()
    await page.setInputFiles('#card-files', file)
    // The first worker holds the sample set, until its removal can no longer be undone.
    await expect.poll(() => page.workers().length).toBe(2)
    await page.locator('#library-size').getByText('reading, ').waitFor()
    await page
      .workers()
      .at(-1)!
      .evaluate(() => {
        setTimeout(() => {
          throw new Error('out of memory')
        })
      })
    const words = page.locator('#library-problems').getByText('The browser has ended the worker that had the cards')
    await words.waitFor()
    expect(await words.textContent()).toContain('Clear begins anew')
    expect(await page.isHidden('#library-progress')).toBe(true)
    await expect.poll(() => page.workers().length).toBeLessThan(2)
    await page.setInputFiles('#card-files', file)
    await words.waitFor()
    await page.click('#forget')
    await page.locator('#library-size').getByText('no cards yet').waitFor()
    expect(await words.count()).toBe(0)
    writeFileSync(file, cards[0]!)
    await page.setInputFiles('#card-files', file)
    await page.locator('#library-size').getByText('1 card; cards and').waitFor()
    await close()
  })
})
