// The directory's page before a search: the newest agents, or how to publish the first one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishSamples } from '../../../scripts/samples.mjs'
import { violations } from '../../page/axe.ts'
import { browser, ROOT, visit } from '../../page/browser.ts'
import { type Server, startServer } from '../server.ts'
import { tokenOf } from '../tokens.ts'

const folder = mkdtempSync(join(tmpdir(), 'blazon-newest-'))
const names = '#results .title span'

describe.runIf(browser.available)('the directory’s page before a search', () => {
  let server: Server

  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true })
  })

  const open = (path = '') => visit(`${server.origin}/directory/${path}`)

  test('shows commands to publish the first agent in an empty directory, and these commands work', async () => {
    const { page } = await open()
    await page.waitForSelector('#first-steps:not([hidden])')
    expect(await page.textContent('#search-status')).toBe('There are no agents yet.')
    expect(await page.isVisible('#samples')).toBe(true)
    expect(await violations(page)).toEqual([])
    const commands = (await page.textContent('#publish'))!.replaceAll(/\bscout\.(?=card|key)/g, join(folder, 'scout.'))
    execFileSync('sh', ['-ec', commands], { cwd: ROOT, stdio: 'pipe' })
    await page.reload()
    await page.waitForSelector(names)
    expect(await page.locator(names).allTextContents()).toEqual(['Scout'])
    expect(await page.isVisible('#first-steps')).toBe(false)
  })

  test('lists ten agents, the newest first, and again when the search is empty', async () => {
    const token = tokenOf(server.origin, { scope: 'operate' })
    const count = await publishSamples({ origin: server.origin, token })
    const { page, errors } = await open()
    await page.waitForSelector(names)
    const newest = await page.locator(names).allTextContents()
    expect([count, newest.length, newest[0]]).toEqual([17, 10, 'Lingua Legal'])
    expect(await page.textContent('#search-status')).toBe('The newest agents.')
    await page.fill('[name=query]', 'minutes')
    await page.click('#search button')
    await page.waitForFunction(() => document.querySelectorAll('#results li').length === 1)
    await page.fill('[name=query]', ' ')
    await page.click('#search button')
    await page.waitForFunction(() => document.querySelectorAll('#results li').length === 10)
    expect(await page.locator(names).allTextContents()).toEqual(newest)
    expect(errors).toEqual([])
  })

  test('a link can contain the query; results have a bar of five parts and fit the screen', async () => {
    const { page } = await open('?query=translate+contracts&tags=nlp%2Ftranslation&token=x&elsewhere=y')
    await page.waitForSelector('#results .share')
    expect(await page.inputValue('[name=token]')).toBe('')
    const parts = await page
      .locator('#results > li')
      .evaluateAll((items) => items.map((item) => item.querySelectorAll('.share').length))
    expect([...new Set(parts)]).toEqual([5])
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect(await violations(page)).toEqual([])
    }
  })
})
