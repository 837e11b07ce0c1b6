// How the page opens, saves and clears documents: files, drops, the draft, links, size.
import { deflateRawSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newDefinition } from '../../bindings/adl/templates.ts'
import { browser, dropEmpty, effortOf, put, served, type Visit, visit } from './browser.ts'

const MIB = 1 << 20

let opened: Visit
let page: Page

function text(): Promise<string> {
  return page.inputValue('#source')
}

function verdictIs(words: string): Promise<void> {
  return page.locator('#verdict', { hasText: words }).waitFor()
}

/** Drops a file on the editor as a file manager does. */
async function drop(name: string, bytes: number[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], name))
      return data
    },
    [name, bytes] as const,
  )
  await page.dispatchEvent('#source', 'dragover', { dataTransfer: transfer })
  await page.dispatchEvent('#source', 'drop', { dataTransfer: transfer })
}

/** An indented document of about this number of bytes. */
function large(bytes: number): string {
  const members = Array.from({ length: bytes / 40 }, (_, i) => `  "member-${String(i).padStart(8, '0')}": ${i}.50`)
  return `{\n${members.reverse().join(',\n')}\n}`
}

/** What the page does from a keystroke to its result. */
async function keyToResult(): Promise<number> {
  const result = await page.evaluateHandle(() => {
    const result = { isShown: false }
    const observer = new MutationObserver(() => {
      observer.disconnect()
      result.isShown = true
    })
    observer.observe(document.querySelector('#source-size')!, { childList: true })
    return result
  })
  return effortOf(page, async () => {
    await page.keyboard.press('Space')
    await page.waitForFunction(({ isShown }) => isShown, result)
  })
}

describe.runIf(browser.available)('documents on the page', () => {
  beforeAll(async () => {
    opened = await visit()
    page = opened.page
  })
  beforeEach(async () => {
    await page.fill('#source', '')
    // A message of an earlier test must not be taken for that of this one.
    await page.$eval('#note span', (words) => words.replaceChildren())
  })
  afterEach(() => {
    expect(opened.errors.splice(0)).toEqual([])
  })

  test('reports faults of the bytes of a dropped file that decoding would hide', async () => {
    await drop('latin1.json', [0x5b, 0x22, 0xe9, 0x22, 0x5d])
    await verdictIs('1 error')
    await expect.poll(() => page.textContent('#finding-list')).toMatch(/UTF-8/)
    await page.fill('#source', '["é"]')
    await expect.poll(() => page.textContent('#verdict')).toBe('JSON')
  })

  test('reports the byte order mark of a file', async () => {
    await drop('bom.json', [0xef, 0xbb, 0xbf, 0x7b, 0x7d])
    await verdictIs('JSON, 1 warning')
    await expect.poll(() => page.textContent('#finding-list')).toMatch(/byte order mark/i)
  })

  test('opens a chosen file', async () => {
    await page.setInputFiles('#file', { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('[1.0]') })
    await verdictIs('JSON')
    await page.click('#tab-canonical')
    await expect.poll(() => page.textContent('#output')).toBe('[1]')
  })

  test('refuses a file larger than 8 MiB with a message, without blocking the page', async () => {
    await dropEmpty(page, 'big.json', 8 * MIB + 1)
    await expect.poll(() => page.textContent('#note')).toMatch(/^big\.json is larger than 8 MiB/)
    await expect.poll(text).toBe('')
  })

  test('the draft is saved for the next visit until it is cleared, and clearing can be undone', async () => {
    await page.fill('#source', '[1.0]')
    await page.reload()
    await expect.poll(text).toBe('[1.0]')
    await page.click('#clear')
    await expect.poll(text).toBe('')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('blazon.draft'))).toBe('')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(text).toBe('[1.0]')
    await page.click('#clear')
    await page.reload()
    await expect.poll(text).toBe('')
  })

  test('a share link contains the document, and opening one keeps the draft', async () => {
    await page.fill('#source', '{"shared": "€"}')
    await page.click('#share')
    await page.waitForFunction(() => location.hash.startsWith('#v1='))
    const link = page.url()
    const other = await visit('', { own: {} })
    await other.page.fill('#source', '"my own draft"')
    await other.page.waitForFunction(() => localStorage.getItem('blazon.draft') !== '')
    await other.page.goto(link)
    await other.page.waitForFunction(() => document.querySelector('textarea')?.value === '{"shared": "€"}')
    await other.page.getByRole('button', { name: 'Open my draft' }).click()
    await expect.poll(() => other.page.inputValue('#source')).toBe('"my own draft"')
    expect([...opened.requests, ...other.requests].filter((url) => url.includes('v1'))).toEqual([])
    await other.close()
  })

  test.each([
    ['v1, deflated by another program', `#v1=${deflateRawSync('[1, 2.0]').toString('base64url')}`],
    ['v1p, plain', `#v1p=${Buffer.from('[1, 2.0]').toString('base64url')}`],
    ...['.', ')', '…', '%20', '”),', ' .'].map((stray) => [
      `v1 with ${JSON.stringify(stray)} behind`,
      `#v1=${deflateRawSync('[1, 2.0]').toString('base64url')}${stray}`,
    ]),
  ])('links of the form %s open', async (_, hash) => {
    await page.goto(`${await served()}/app/${hash}`)
    await expect.poll(text).toBe('[1, 2.0]')
  })

  test.each([
    ['is cut', '#v1=q64FA', /damaged/],
    ['has a later form', '#v2=q64FAA', /The form of this link is unknown.*Copy the whole link again, or reload/],
    ['has lost its document', '#v1', /The form of this link is unknown/],
    ['is cut after =', '#v1=', /The form of this link is unknown/],
    ['is plain and cut after =', '#v1p=', /The form of this link is unknown/],
    ['has a place but not a document', '#v1p=/name', /The form of this link is unknown/],
    ['has a full stop instead of a document', '#v1=.', /The form of this link is unknown/],
    ['has a foreign character in its middle', '#v1=q64*FAA', /The form of this link is unknown/],
    ['is not UTF-8', `#v1p=${Buffer.from([0xff]).toString('base64url')}`, /damaged/],
    ['expands to 64 MiB', `#v1=${deflateRawSync(Buffer.alloc(64 * MIB)).toString('base64url')}`, /larger than 8 MiB/],
  ])('refuses a link that %s with a message', async (_, hash, words) => {
    await page.goto(`${await served()}/app/${hash}`)
    await page.locator('#toast').getByText(words).waitFor()
  })

  test('opens an example with one choice', async () => {
    await page.selectOption('#example', 'duplicate')
    await expect.poll(() => page.textContent('#verdict')).toBe('1 error')
  })

  test('reports the placeholders in a template of init', async () => {
    const definition = newDefinition('minimal', 'Scout', { now: new Date() })
    await page.click('#tab-findings')
    await page.fill('#source', JSON.stringify(definition))
    const left = page.locator('#finding-list li', { hasText: /Placeholder of the template/ })
    await left.first().waitFor()
    expect(await left.first().textContent()).toContain('Write what the agent does')
    expect(await page.textContent('#verdict')).not.toContain('error')
  })

  test.each([
    ['a small document', () => page.fill('#source', large(4000))],
    ['an agent definition', () => page.selectOption('#example', 'production')],
  ])('shows the result of %s at once', async (_, open) => {
    await open()
    await page.focus('#source')
    for (let i = 0; i < 10; i++) expect(await keyToResult()).toBeLessThan(500)
  })

  test('shows the beginning of a document of 1 MB, and still reacts to keys', async () => {
    await page.click('#tab-canonical')
    const rest = page.getByRole('button', { name: /^Show all [\d,]+ characters$/ })
    expect(await effortOf(page, () => put(page, large(MIB)).then(() => rest.waitFor()))).toBeLessThan(8000)
    expect((await page.textContent('#output'))?.length).toBe(20_001)
    await page.focus('#source')
    expect(await keyToResult()).toBeLessThan(2000)
  })

  test('numbers only the visible lines of a document of 20,000 lines', async () => {
    await put(page, large(800_000))
    await page.$eval('#source', (area) => area.scrollTo(0, area.scrollHeight))
    await page.waitForFunction(() => /20002/.test(document.querySelector('.gutter')?.textContent ?? ''))
    await expect.poll(() => page.locator('.gutter span').count()).toBeLessThan(60)
  })

  test('works without a network after the first visit', async () => {
    const { page, errors, close } = await visit('', { own: { serviceWorkers: 'allow' } })
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await page.context().setOffline(true)
    await page.reload()
    await page.fill('#source', '[1.0]')
    await page.click('#tab-canonical')
    await expect.poll(() => page.textContent('#output')).toBe('[1]')
    expect(errors).toEqual([])
    await close()
  })
})
