// Ten thousand cards in one file: read in a worker, with what is left out told. docs/page.md has the figures of a hundred thousand.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browser, FILES, launch, visit } from './browser.ts'
import { manyCards } from './many.ts'

const CARDS = 10_000

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
    await page.locator('#ranking-state').getByText('There are no cards yet').waitFor()
    await expect.poll(() => page.workers().length).toBe(1)
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
    expect(errors).toEqual([])
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
    await close()
  })
})
