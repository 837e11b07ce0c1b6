// Documents that replace another one: Undo restores what the reader wrote, and no key is saved.
import { generateKeyPairSync } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOf } from '../support/cases.ts'
import { PRIVATE_FORMS, PUBLIC_FORMS } from '../support/private-keys.ts'
import { browser, dropEmpty, put, served, type Visit, visit } from './browser.ts'

const OWN = `adl_spec: "0.1.0" # mine
name: Scout
description: Finds what was asked for.
version: 1.0.0
data_classification: { sensitivity: public }
`
const FILE = { name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{"other": 1}') }

let opened: Visit
let page: Page

const text = () => page.inputValue('#source')
const kept = () => page.evaluate(() => localStorage.getItem('blazon.draft'))
const undo = () => page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
const linkTo = (document: string) => `#v1=${deflateRawSync(document).toString('base64url')}`
const goTo = (hash: string) =>
  page.evaluate((hash) => {
    location.hash = hash
  }, hash)

/** Drops a file where a selector points. */
function drop(selector: string, content: string): Promise<void> {
  return page.$eval(
    selector,
    (target, content) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], 'dropped.json'))
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    content,
  )
}

describe.runIf(browser.available)('replacing a document', () => {
  beforeAll(async () => {
    opened = await visit()
    page = opened.page
  })
  afterAll(() => expect(opened.errors).toEqual([]))

  test.each<[string, () => Promise<unknown>]>([
    ['a file', () => page.setInputFiles('#file', FILE)],
    ['a dropped file', () => drop('#editor', '{"dropped": 1}')],
    ['a conversion', convert],
    ['an example', () => page.selectOption('#example', 'card')],
    ['Clear', () => page.click('#clear')],
    ['a card of the directory', openCard],
  ])('%s: Undo restores the previous document', async (_, put) => {
    await page.fill('#source', OWN)
    await put()
    await expect.poll(text).not.toBe(OWN)
    await undo()
    await expect.poll(text).toBe(OWN)
    await expect.poll(kept).toBe(OWN)
  })

  async function convert(): Promise<void> {
    await page.click('#tab-convert')
    await page.selectOption('#convert-target', 'mcp-server')
    await page.locator('#converted').getByText('Open in the editor').click()
  }

  async function openCard(): Promise<void> {
    await page.click('#to-directory')
    await page.$eval('#pasted', (area) => area.closest('details')!.setAttribute('open', ''))
    await page.fill('#pasted', JSON.stringify({ id: 'agent://a', name: 'A', skills: ['x'] }))
    await page.click('#add-pasted')
    await page.fill('#query-tag', 'x')
    await page.press('#query-tag', 'Enter')
    const item = page.locator('#ranking li').filter({ has: page.getByText('agent://a', { exact: true }) })
    await item.getByRole('button', { name: 'Open the card' }).click()
  }

  test('a card from the directory does not replace a draft that was never shown', async () => {
    await page.fill('#source', OWN)
    await expect.poll(kept).toBe(OWN)
    await goTo('#directory')
    await page.reload()
    await openCard()
    await expect.poll(text).toContain('agent://a')
    await undo()
    await expect.poll(text).toBe(OWN)
  })

  test('Undo can be undone: it keeps what was written before', async () => {
    await page.fill('#source', OWN)
    await page.setInputFiles('#file', FILE)
    await expect.poll(text).toBe('{"other": 1}')
    await page.fill('#source', '{"other": "mine"}')
    await undo()
    await expect.poll(text).toBe(OWN)
    await undo()
    await expect.poll(text).toBe('{"other": "mine"}')
  })

  test('an offer to undo stays when a later message appears', async () => {
    await page.fill('#source', OWN)
    // Other data leave little of the storage: to open 6 MB would take the browser long.
    await page.evaluate(() => localStorage.setItem('other', 'a'.repeat(5_200_000)))
    await page.setInputFiles('#file', { ...FILE, buffer: Buffer.from(`"${'a'.repeat(100_000)}"`) })
    await page.locator('#toast').getByText('too large to save in this browser').waitFor()
    await undo()
    await expect.poll(text).toBe(OWN)
    await page.evaluate(() => localStorage.removeItem('other'))
  })

  test('Undo restores a document that was not saved after a link replaced it', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
    await page.fill('#source', key)
    await page.locator('#toast').getByText('the page does not save or share it').waitFor()
    await goTo(linkTo('["linked"]'))
    await expect.poll(text).toBe('["linked"]')
    await undo()
    await expect.poll(text).toBe(key)
  })

  test('the address keeps the link after a visit to another room', async () => {
    await goTo(linkTo('["linked again"]'))
    await expect.poll(text).toBe('["linked again"]')
    await page.click('#to-directory')
    await page.click('#to-document')
    await page.reload()
    await expect.poll(text).toBe('["linked again"]')
  })

  test('after several examples, Undo restores the own document', async () => {
    await page.fill('#source', OWN)
    for (const name of ['card', 'faulty', 'production']) await page.selectOption('#example', name)
    expect(await page.inputValue('#example')).toBe('production')
    await undo()
    await expect.poll(text).toBe(OWN)
    expect(await page.inputValue('#example')).toBe('')
  })

  test('text that was typed just before an example opens is saved', async () => {
    await page.fill('#source', OWN)
    await expect.poll(kept).toBe(OWN)
    await page.fill('#source', `${OWN}# more\n`)
    await page.selectOption('#example', 'card')
    expect(await kept()).toBe(`${OWN}# more\n`)
  })

  test('a reload shows the text that was written after sharing, or after opening a link', async () => {
    await page.fill('#source', '{"shared": 1}')
    await page.click('#share')
    await expect.poll(() => page.url()).toContain('#v1=')
    await page.fill('#source', '{"shared": 2}')
    await expect.poll(() => page.url()).not.toContain('#')
    await page.reload()
    await expect.poll(text).toBe('{"shared": 2}')
    await goTo(linkTo('[1]'))
    await expect.poll(text).toBe('[1]')
    await page.fill('#source', '[1, 2]')
    await page.reload()
    await expect.poll(text).toBe('[1, 2]')
  })

  test('text that is typed while a link is decoded stays, and the later of two links opens', async () => {
    const large = linkTo(`"${'a'.repeat(7 << 20)}"`)
    await page.evaluate((hash) => {
      location.hash = hash
      addEventListener(
        'hashchange',
        () => {
          const area = document.querySelector<HTMLTextAreaElement>('#source')!
          area.value = '"typed"'
          area.dispatchEvent(new Event('input'))
        },
        { once: true },
      )
    }, large)
    await expect.poll(text).toBe('"typed"')
    await goTo(large)
    await goTo(linkTo('"later"'))
    await expect.poll(text).toBe('"later"')
    await page.click('#tab-canonical')
    await expect.poll(() => page.textContent('#output')).toBe('"later"')
    expect(await text()).toBe('"later"')
  })

  test('a file dropped on the box of Compare is compared, and does not replace the document', async () => {
    await page.fill('#source', '{"other": 2}')
    await drop('#other', '{"other": 1}')
    await page.locator('#comparison').getByText('They differ at /other').waitFor()
    expect(await text()).toBe('{"other": 2}')
  })

  test('a private key in the editor is neither saved nor shared', async () => {
    const shown = page.locator('#toast').getByText('the page does not save or share it')
    // The tests of text have each form.
    for (const [form, key] of sampleOf(PRIVATE_FORMS)) {
      await page.fill('#source', OWN)
      await page.evaluate(() => dispatchEvent(new Event('pagehide')))
      await put(page, key)
      await page.evaluate(() => dispatchEvent(new Event('pagehide')))
      expect(await kept(), form).toBe(OWN)
      await page.click('#share')
      await shown.waitFor()
      expect(page.url(), form).not.toContain('#v1')
    }
  })

  test.each(PUBLIC_FORMS)('%s is saved', async (_, document) => {
    await put(page, document)
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    expect(await kept()).toBe(document)
  })

  test('a later message replaces an earlier one, and an offer to undo stays above it', async () => {
    await page.fill('#source', OWN)
    await page.setInputFiles('#file', FILE)
    await page.locator('#offer').getByText('replaced').waitFor()
    // The pointer keeps the offer visible, however busy the machine is.
    await page.hover('#offer')
    for (const name of ['one', 'two']) {
      await dropEmpty(page, name, (8 << 20) + 1)
      await expect.poll(() => page.textContent('#note')).toMatch(`${name} is larger`)
    }
    expect(await page.textContent('#offer span')).toMatch('replaced')
    await undo()
    await expect.poll(text).toBe(OWN)
  })

  test('warns if another tab saves its draft over this one', async () => {
    await page.fill('#source', OWN)
    await expect.poll(kept).toBe(OWN)
    const second = await page.context().newPage()
    await second.goto(`${await served()}/app/`)
    await second.fill('#source', '"of the second tab"')
    await page.locator('#toast').getByText('Another tab has saved').waitFor()
    await second.close()
  })

  test('Back returns to the previous room, and a reload stays there', async () => {
    await page.click('#to-directory')
    await expect.poll(() => page.url()).toMatch(/#directory$/)
    await page.click('#to-discover')
    await page.goBack()
    await page.locator('#room-directory').waitFor()
    await page.reload()
    await page.locator('#room-directory').waitFor()
    await page.click('#to-document')
    await page.locator('#room-document').waitFor()
    await expect.poll(() => page.url()).not.toContain('#')
  })
})

describe.runIf(browser.available)('another visit', () => {
  test('the first visit shows an example with findings; a cleared page stays empty', async () => {
    const { page } = await visit('', { isFirst: true })
    await page.locator('#finding-list').getByText('descripton').first().waitFor()
    expect(await page.inputValue('#example')).toBe('faulty')
    await page.click('#clear')
    await page.reload()
    await page.locator('.examples-list').waitFor()
    expect(await page.inputValue('#source')).toBe('')
  })

  test('a first visit by a link shows only its document', async () => {
    const { page } = await visit(linkTo('["linked"]'), { isFirst: true })
    await expect.poll(() => page.inputValue('#source')).toBe('["linked"]')
    expect(await page.locator('#offer').isHidden()).toBe(true)
  })

  test('shows one message, not many, if the browser refuses storage', async () => {
    const script = 'Storage.prototype.setItem = Storage.prototype.removeItem = () => { throw new Error("refused") }'
    const { page, close } = await visit('', { script })
    await page.fill('#source', '[1]')
    const words = page.locator('#toast').getByText('This browser saves nothing for this page')
    await words.waitFor()
    await page.selectOption('#example', 'card')
    await page.locator('#toast').getByText('replaced').waitFor()
    await page.fill('#source', '[1, 2]')
    // Longer than the pause after which it would be saved.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 800)))
    expect(await words.isVisible()).toBe(false)
    await close()
  })

  test('a file dropped on the full editor is opened, not inserted', async () => {
    const { page } = await visit('', { editor: 'rich' })
    const content = page.locator('.cm-content')
    await content.waitFor()
    await content.evaluate((target) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['{"dropped": 1}'], 'dropped.json', { type: 'application/json' }))
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }))
    })
    await expect.poll(() => content.textContent()).toBe('{"dropped": 1}')
    await expect.poll(() => page.textContent('#source-size')).toContain('14 bytes')
  })
})
