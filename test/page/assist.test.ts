// Completion and hover in the full editor. What may be written where is tested in test/lsp; here it arrives in the page.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { browser, type Visit, visit } from './browser.ts'

let opened: Visit
let page: Page

const choices = () => page.locator('.cm-tooltip-autocomplete [role="option"]')
const labels = () => page.locator('.cm-tooltip-autocomplete .cm-completionLabel').allTextContents()
const written = () =>
  page.evaluate(() => {
    const content = document.querySelector('#rich')!.shadowRoot!.querySelector('.cm-content')!
    return [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n')
  })

/** Pastes a text over everything, with the cursor at its end. */
async function paste(text: string): Promise<void> {
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+a')
  await page.locator('.cm-content').evaluate((content, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

describe.runIf(browser.available)('the full editor', () => {
  beforeAll(async () => {
    opened = await visit('', { editor: 'rich' })
    page = opened.page
    await page.locator('#editor[data-kind="rich"]').waitFor()
  })
  afterAll(() => expect(opened.errors).toEqual([]))

  test('offers members while the reader types, and Tab writes the first one', async () => {
    await paste('adl_spec: "0.1.0"\nname: 😀\n')
    await page.keyboard.type('data_cl')
    await expect.poll(labels).toEqual(['data_classification'])
    await page.keyboard.press('Tab')
    await expect.poll(written).toBe('adl_spec: "0.1.0"\nname: 😀\ndata_classification: ')
    expect(await choices().count()).toBe(0)
  })

  test('offers the values of a member at Control+Space, and Enter writes the selected one', async () => {
    await paste('{"adl_spec": "0.1.0", "name": "😀", "data_classification": {"sensitivity": "int"}}')
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Space')
    await expect.poll(labels).toContain('internal')
    // Its text appears with the choice that is selected.
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => choices().first().getAttribute('aria-selected')).toBe('true')
    expect(await violations(page, "{ include: [['#editor']] }")).toEqual([])
    await page.keyboard.press('Enter')
    await expect
      .poll(written)
      .toBe('{"adl_spec": "0.1.0", "name": "😀", "data_classification": {"sensitivity": "internal"}}')
  })

  test('leaves Enter a line end, and Escape and Tab the way out, while choices are open', async () => {
    await paste('adl_spec: "0.1.0"\n')
    await page.keyboard.type('too')
    await expect.poll(labels).toEqual(['tools'])
    await page.keyboard.press('Enter')
    await expect.poll(written).toBe('adl_spec: "0.1.0"\ntoo\n')
    await page.keyboard.type('too')
    await expect.poll(labels).toEqual(['tools'])
    await page.keyboard.press('Escape')
    await expect.poll(labels).toEqual([])
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('plain')
  })

  test('shows what a member means under the pointer, also after characters of two units', async () => {
    await paste('{"adl_spec": "0.1.0", "name": "😀", "lifecycle": {"status": "active"}}')
    await page.locator('.cm-line').getByText('"lifecycle"', { exact: true }).hover()
    await expect.poll(() => page.locator('.cm-member').textContent()).toMatch(/^lifecycle object/)
    await page.locator('.cm-line').getByText('"active"', { exact: true }).hover()
    await expect.poll(() => page.locator('.cm-member').textContent()).toMatch(/^status string, draft, active/)
  })
})
