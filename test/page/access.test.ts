// Accessibility of the page: axe, the keyboard, colours, motion.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violations } from './axe.ts'
import { browser, enter, type Visit, visit } from './browser.ts'

const DEFINITION = {
  adl_spec: '0.1.0',
  name: 'Scout',
  description: 'Finds what was asked for.',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
  system_prompt: { template: 'You work for {{company}}.', variables: { company: 'Acme' } },
  permissions: { network: { allowed_hosts: ['*'] } },
  tools: [{ name: 'find', description: 'Finds.', parameters: { type: 'object' } }],
}

const STATES = {
  empty: '',
  'JSON with a warning': '[9007199254740993, 1e-400]',
  'JSON that cannot be read': '{\n  "a": 1,\n  "a": 2\n}',
  'a valid definition': JSON.stringify(DEFINITION, null, 2),
  'a definition with faults': JSON.stringify({ ...DEFINITION, versoin: 1, tools: [{ name: 'A-B' }] }, null, 2),
}

/** What depends on the document. */
const RESULTS = "{ include: [['#verdict'], ['#result'], ['#comparison']] }"
/** Documents with different results. For the valid definition, every view is checked. */
const AXE_STATES = ['empty', 'JSON with a warning', 'JSON that cannot be read', 'a definition with faults'] as const

/** Describes the element that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { id, tagName, textContent, attributes } = document.activeElement ?? document.body
    const value = attributes.getNamedItem('value')?.value
    return id || value || textContent?.trim() || tagName
  })
}

/** Writes a document and another to compare with it, and waits for the results of both. */
async function showAll(page: Page, source: string): Promise<void> {
  await page.fill('#other', '')
  await page.waitForFunction(() => document.querySelector('#comparison')?.textContent === '')
  await page.fill('#source', source)
  if (source === '') return
  await page.fill('#other', '[1]')
  await page.waitForFunction(() => document.querySelector('#comparison')?.textContent !== '')
}

/** What axe finds in each of the views; the rest of the page is the same. */
async function inEachView(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    // Proofs and digests appear a moment later.
    await page.waitForFunction(() => {
      const view = document.querySelector('[role="tabpanel"]:not([hidden])')
      return (view?.textContent ?? '').trim() !== ''
    })
    if ((await tab.textContent()) === 'Permissions' && (await page.isVisible('#what-if-host'))) {
      await page.fill('#what-if-host', 'api.example.com')
    }
    found.push(...(await violations(page, "'#result'")))
  }
  return found
}

describe.runIf(browser.available)('the page is accessible', () => {
  describe('axe', () => {
    let opened: Visit
    let page: Page
    beforeAll(async () => {
      opened = await visit()
      page = opened.page
    })

    test.each(AXE_STATES)('finds nothing wrong when the document is %s', async (name) => {
      await showAll(page, STATES[name])
      expect(await violations(page, name === 'empty' ? 'document' : RESULTS)).toEqual([])
    })

    test('finds nothing wrong with any view of a definition', async () => {
      await showAll(page, STATES['a valid definition'])
      expect(await inEachView(page)).toEqual([])
      await page.click('#tab-findings')
    })

    test('finds nothing wrong with the editor and its marks', async () => {
      await page.fill('#source', '')
      await page.click('#plain')
      await page.locator('#editor[data-kind="rich"]').waitFor()
      await page.selectOption('#example', 'faulty')
      await page.locator('.cm-lintRange-error').first().waitFor()
      await page.locator('#finding-list summary').first().click()
      expect(await violations(page, "{ include: [['#editor'], ['#result']] }")).toEqual([])
      await page.click('#plain')
    })

    test('finds nothing wrong with the result of the self-test', async () => {
      await page.click('#selftest')
      await page.getByText('all answers correct').waitFor()
      expect(await violations(page, "'#selftest-result'")).toEqual([])
    })

    test('finds nothing wrong with the directory: a ranking, and the findings of a card', async () => {
      await enter(opened, 'directory')
      const cards = ['a', 'b'].map((id) => ({ id: `agent://${id}`, name: id, description: id, skills: ['nlp', id] }))
      await page.getByText('Paste cards').click()
      await page.fill('#pasted', JSON.stringify([...cards, { id: 'agent://x', name: 7 }]))
      await page.click('#add-pasted')
      await page.getByText('1 card skipped').click()
      await page.getByRole('button', { name: 'nlp', exact: true }).first().click()
      await page.locator('.agent summary').first().click()
      expect(await violations(page, "'main'")).toEqual([])
    })

    test('finds nothing wrong with the first page', async () => {
      await visit('/')
      expect(await page.title(), await page.innerText('body')).toMatch(/^Blazon/)
      expect(await violations(page)).toEqual([])
    })
  })

  test('Tab reaches everything in reading order and is not caught by the editor', async () => {
    const { page } = await visit('', { draft: STATES['JSON that cannot be read'] })
    await page.getByText('Line 3, column 3').waitFor()
    const order: string[] = []
    for (let i = 0; i < 21; i++) {
      await page.keyboard.press('Tab')
      order.push(await focused(page))
    }
    expect(order).toEqual([
      'skip',
      'to-document',
      'to-agent',
      'to-directory',
      'to-discover',
      'to-runs',
      'system',
      'example',
      'open',
      'share',
      'clear',
      'source',
      'plain',
      'Compare',
      'Self-test',
      'tab-findings',
      'Line 3, column 3',
      'Why, and how to write it',
      'other',
      'selftest',
      'Save a copy',
    ])

    await page.focus('#source')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).not.toBe('source')
    await expect.poll(() => page.inputValue('#source')).toBe(STATES['JSON that cannot be read'])
  })

  test('every element shows when it has the focus', async () => {
    const { page } = await visit('', { draft: STATES['a definition with faults'] })
    await page.locator('#finding-list li').first().waitFor()
    for (let i = 0; i < 16; i++) {
      await page.keyboard.press('Tab')
      const outlined = await page.evaluate(() => {
        const { activeElement } = document
        if (activeElement === null || activeElement === document.body) return true
        // A radio button shows it on its label, the editor on its frame.
        const shown = [activeElement, activeElement.nextElementSibling, activeElement.closest('.editor')]
        return shown.some((node) => node !== null && getComputedStyle(node).outlineStyle === 'solid')
      })
      expect(outlined, await focused(page)).toBe(true)
    }
  })

  test('the arrow keys move along the tabs, and through the outline', async () => {
    const { page } = await visit()
    await page.fill('#source', STATES['a valid definition'])
    await page.focus('#tab-findings')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused(page)).toBe('tab-outline')
    await page.keyboard.press('Tab')
    for (const key of ['End', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    // The last member is tools: expand, enter and select it.
    const chosen = await page.$eval('#source', (area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    )
    expect(JSON.parse(chosen)).toEqual(DEFINITION.tools[0])
    await page.focus('#tab-outline')
    await page.keyboard.press('End')
    await expect.poll(() => focused(page)).toBe('tab-convert')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused(page)).toBe('tab-findings')
  })

  test('in the editor Tab indents, and Escape and Tab leave it', async () => {
    const { page } = await visit('', { editor: 'rich' })
    await page.locator('#editor[data-kind="rich"]').waitFor()
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toBe('rich')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toBe('plain')
  })

  test('the colours follow the system until the reader chooses a theme, which is saved', async () => {
    const { page } = await visit()
    await page.emulateMedia({ colorScheme: 'dark' })
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const dark = await ground()
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await ground()
    expect(light).not.toBe(dark)
    await page.getByText('Dark', { exact: true }).click()
    await expect.poll(ground).toBe(dark)
    await page.reload()
    await expect.poll(ground).toBe(dark)
    await page.getByText('System', { exact: true }).click()
    await expect.poll(ground).toBe(light)
  })

  test('nothing moves if the reader prefers reduced motion', async () => {
    const { page } = await visit()
    await page.fill('#source', '[]')
    await page.click('#clear')
    await expect.poll(() => page.$eval('#note', (toast) => getComputedStyle(toast).animationName)).toBe('none')
  })
})
