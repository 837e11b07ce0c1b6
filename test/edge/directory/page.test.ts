// The directory's page in a real browser, served as in production.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../../page/axe.ts'
import { browser, type Visit, visit } from '../../page/browser.ts'
import { HOSTILE, invisibleIn } from '../../support/hostile.ts'
import { type Server, startServer } from '../server.ts'
import { operator, tokenOf } from '../tokens.ts'

const EVIL = '<img src=x onerror=alert(1)>'

describe.runIf(browser.available)('the directory’s page', () => {
  let server: Server
  let open: Visit

  beforeAll(async () => {
    server = await startServer()
    const cards = [
      {
        id: 'agent://acme/translator',
        name: 'Translator',
        description: 'Translates contracts.',
        skills: ['nlp/translation'],
      },
      {
        id: 'agent://acme/painter',
        name: EVIL + HOSTILE,
        description: `Paints contracts ${EVIL} ${HOSTILE}`,
        skills: ['creative/painting'],
      },
    ]
    for (const card of cards) {
      const body = JSON.stringify(card)
      await fetch(`${server.origin}/adp/advertise`, {
        method: 'POST',
        headers: { ...operator(server.origin), 'content-type': 'application/json' },
        body,
      })
    }
    open = await visit(`${server.origin}/directory/`)
  })
  afterAll(() => server?.stop())

  test('lists agents before a search, without invisible characters', async () => {
    const { page } = open
    await page.waitForSelector('#results li')
    expect(await page.locator('.title span').count()).toBe(2)
    expect(invisibleIn(await page.content())).toEqual([])
  })

  test('finds agents, best first, with a part of a bar for each factor, and shows markup in cards as text', async () => {
    const { page, errors } = open
    await page.fill('[name=query]', 'contracts')
    await page.fill('[name=tags]', 'nlp')
    await page.click('#search button')
    await page.waitForSelector('#results .share')
    const [first, second] = await page.locator('.title span').allTextContents()
    expect([first, second!.startsWith(EVIL)]).toEqual(['Translator', true])
    expect(invisibleIn(await page.content())).toEqual([])
    expect(await page.locator('#results li').first().locator('.share').count()).toBe(5)
    expect(await page.locator('#results img').count()).toBe(0)
    expect(await page.textContent('#results')).toContain('Unverified')
    expect(errors).toEqual([])
  })

  test('shows the state to the operator only', async () => {
    const { page } = open
    await page.fill('[name=token]', 'wrong')
    await page.click('#operator button')
    await page.waitForFunction(() => document.querySelector('#operator-status')?.textContent !== '')
    expect(await page.isVisible('#state')).toBe(false)
    await page.fill('[name=token]', tokenOf(server.origin, { scope: 'operate' }))
    await page.click('#operator button')
    await page.waitForSelector('#state:not([hidden])')
    expect(await page.textContent('#totals')).toContain('all shards answer')
    expect(await page.textContent('#changes')).toContain('agent://acme/painter')
  })

  test('blocks an agent, shows the rule, and removes it', async () => {
    const { page, errors } = open
    await page.click('[aria-label="Agent: agent://acme/painter"]')
    expect(await page.inputValue('[name=subject]')).toBe('agent://acme/painter')
    await page.fill('[name=reason]', EVIL)
    await page.click('#rule [value=block]')
    await page.waitForSelector('#rules td')
    expect(await page.textContent('#rules')).toContain(`agent://acme/painterblocked${EVIL}`)
    expect(await page.textContent('#changes')).not.toContain('painter')
    expect(await page.locator('#rules img').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 900 })
    expect(await violations(page)).toEqual([])
    // Nothing needs horizontal scrolling.
    const isWhole = (frame: Element) => frame.scrollWidth <= frame.clientWidth
    for (const frame of await page.locator('html, #state .wide').all()) expect(await frame.evaluate(isWhole)).toBe(true)
    const sizes = await page
      .locator('button:visible')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect()))
    for (const { width, height } of sizes) expect([width >= 44, height >= 44]).toEqual([true, true])
    const titles = await page
      .locator('#rules td')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content))
    expect(titles).toEqual(['"Subject"', '"Rule"', '"Reason"', '"Since"', '"Action"'])
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.click('[aria-label="Remove: agent://acme/painter"]')
    await page.waitForFunction(() => document.querySelector('#rules-title')?.textContent === 'Rules: none')
    expect(errors.filter((error) => !error.includes('401'))).toEqual([])
  })

  test('is accessible, and sends requests to its server only', async () => {
    expect(await violations(open.page)).toEqual([])
    expect(open.requests.filter((address) => !address.startsWith(server.origin))).toEqual([])
  })
})
