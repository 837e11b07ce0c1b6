// The rooms of the page: each can be entered, and has the elements that its code needs.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ROOMS } from '../../browser-demo/rooms.ts'
import { browser, visit } from './browser.ts'

test('every element that the code needs is in the markup, once', () => {
  const [page, live, docs] = ['app', 'discover', 'docs'].map((name) => {
    const html = readFileSync(`dist/site/${name}/index.html`, 'utf8')
    const ids = [...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
    return ids
  })
  let found = 0
  for (const path of readdirSync('browser-demo', { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue
    const asked = readFileSync(`browser-demo/${path}`, 'utf8').matchAll(/\belement(?:<\w+>)?\('([\w-]+)'\)/g)
    for (const [, id] of asked) {
      expect(path.startsWith('live/') ? live : path.startsWith('docs/') ? docs : page, path).toContain(id)
      found++
    }
  }
  expect(found).toBeGreaterThan(100)
})

describe.runIf(browser.available).each(ROOMS)('the room $name', ({ name, title }) => {
  test.each(['its address', 'its button'] as const)(
    'is entered by %s, and is then the only visible one',
    async (way) => {
      const { page, errors } = await visit(way === 'its button' ? '' : `#${name}`)
      if (way === 'its button') await page.getByRole('button', { name: title, exact: true }).click()
      expect(
        await page.locator('main > [id^="room-"]:visible').evaluateAll((rooms) => rooms.map(({ id }) => id)),
      ).toEqual([`room-${name}`])
      await expect.poll(() => page.locator('nav [aria-current="page"]').textContent()).toBe(title)
      await page.locator(`#room-${name}:not([inert])`).waitFor()
      await page.locator('#skip').press('Enter')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('[id^="room-"]')?.id))
        .toBe(`room-${name}`)
      expect(errors).toEqual([])
    },
  )
})
