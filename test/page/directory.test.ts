// The directory in the page: cards are added, and ranked while the reader types and moves the weights.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SearchResult } from '../../bindings/directory/index.ts'
import { CardCollection } from '../../browser-demo/directory/card-collection.ts'
import { leadOf } from '../../browser-demo/directory/ranking.ts'
import { sampleSet } from '../../browser-demo/directory/sample.ts'
import { KEY_ID, signedCard } from '../card/support.ts'
import { IS_WHOLE } from '../support/cases.ts'
import { browser, enter, foreign, type Visit, visit, WIDE } from './browser.ts'

const card = (id: string, more: object = {}) => ({ id: `agent://${id}`, name: id, ...more })

let opened: Visit
let page: Page

const names = () => page.locator('#ranking strong').allTextContents()
const stateShows = (words: string | RegExp) => page.locator('#ranking-state').getByText(words).waitFor()

const size = (words: string) => page.locator('#collection-size').getByText(words).waitFor()

async function startEmpty(): Promise<void> {
  await page.click('#clear-cards')
  await size('no cards yet')
  await page.fill('#query-text', '')
  const asked = page.locator('#query-tags [aria-pressed="true"]')
  while ((await asked.count()) > 0) await asked.first().click()
  await page.click('#weights-reset')
}

async function paste(text: string): Promise<void> {
  await page.fill('#pasted', text)
  await page.click('#add-pasted')
  await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#pasted')?.value === '')
}

async function tag(name: string): Promise<void> {
  await page.fill('#query-tag', name)
  await page.press('#query-tag', 'Enter')
}

async function weigh(weights: Record<string, number>): Promise<void> {
  for (const factor of ['tags', 'text', 'reputation', 'availability', 'rating']) {
    await page.fill(`#weight-${factor}`, String(weights[factor] ?? 0))
  }
}

test('a collection counts the documents of a list that are over its limit, and adds none of them', async () => {
  const collection = new CardCollection()
  collection.most = 3
  await collection.add([{ name: 'many.json', blob: new Blob([`[1,1,1,1,${JSON.stringify(card('a'))}]`]) }], () => {})
  expect(collection.summary()).toMatchObject({ cards: 0, others: 3, skipped: { beyond: 2 } })
})

describe.runIf(browser.available)('the directory in the page', () => {
  beforeAll(async () => {
    opened = await visit('#directory')
    page = opened.page
    await stateShows('These agents are made up')
    await page.getByText('Paste cards').click()
  })
  afterAll(() => {
    expect(opened.errors).toEqual([])
    expect(foreign(opened)).toEqual([])
  })

  test('an empty query lists the cards: the sample set, until the first own cards replace it', async () => {
    const names = page.locator('#ranking strong')
    await expect.poll(() => names.count()).toBe(20)
    await size('304 cards')
    await paste(JSON.stringify({ id: 'agent://a', name: 'Own', skills: ['x'] }))
    await expect.poll(() => names.allTextContents()).toEqual(['Own'])
  })

  test('ranks the sample set while the reader types, with the most suitable agent first', async () => {
    await startEmpty()
    await page.click('#sample')
    await size('304 cards')
    await stateShows('Describe the task')
    await weigh({ text: 1 })
    await page.locator('#query-text').pressSequentially('translates medical letters')
    const { cards } = sampleSet()
    const wanted = cards.find(({ description }) => description!.startsWith('Translates medical letters'))!
    await page.waitForFunction((name) => document.querySelector('#ranking strong')?.textContent === name, wanted.name)
    await stateShows(/^\d+ agents of 304, ranked in \d+\.\d ms\./)
  })

  // Table 11 with reputation alone, and 0.1 for those with fewer than five tasks.
  test('with the weight of reputation alone, agents are sorted by reputation', async () => {
    await startEmpty()
    await page.click('#sample')
    await tag('coding')
    await weigh({ reputation: 1 })
    const { cards, signals } = sampleSet()
    const expected = cards
      .filter(({ skills }) => skills!.some((skill) => skill.startsWith('coding/')))
      .map(({ id, name }) => {
        const { reputation = 0, completedTasks = 0 } = signals.get(id)!
        return { id, name, score: Math.min(1, reputation + (completedTasks < 5 ? 0.1 : 0)) }
      })
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    await page.waitForFunction(
      (name) => document.querySelector('#ranking strong')?.textContent === name,
      expected[0]!.name,
    )
    await expect.poll(() => names()).toEqual(expected.slice(0, 20).map(({ name }) => name))
    await page.getByText('Show more').click()
    await expect.poll(() => names()).toEqual(expected.map(({ name }) => name))
  })

  test('each result shows the parts of its score, and why it is ranked before the next one', async () => {
    await startEmpty()
    await paste(JSON.stringify([card('a', { skills: ['nlp/translation', 'law'] }), card('b', { skills: ['nlp'] })]))
    await tag('nlp')
    await tag('law')
    const first = page.locator('.agent').first()
    // 0.30 * 2 / 2 and 0.20 * 0.1, the boost of new agents.
    await expect.poll(() => first.locator('.score').textContent()).toBe('0.320')
    await expect
      .poll(() => first.locator('.legend span').allTextContents())
      .toEqual(['tags 0.300', 'text 0.000', 'reputation 0.020', 'availability 0.000', 'rating 0.000'])
    await expect
      .poll(() => first.locator('.why').textContent())
      .toBe('Mostly tags (94 %) and reputation (6 %). Ahead of “b” by 0.150: tags +0.150.')
    await expect.poll(() => first.locator('.chip.matched').allTextContents()).toEqual(['✓ nlp/translation', '✓ law'])
    const widths = await first.locator('.strip span').evaluateAll((parts) => parts.map((part) => part.style.width))
    expect(widths).toEqual(['30%', '0%', '2%', '0%', '0%'])
    await first.locator('summary').click()
    await expect
      .poll(() => first.locator('tbody tr').first().textContent())
      .toMatch(/^tags1\.0000\.3000\.3002 of 2 tags match/)
  })

  test('the button of a tag in a result adds the tag to the query, and removes it', async () => {
    await page.locator('.agent .chip', { hasText: 'translation' }).click()
    await page.locator('#query-tags [aria-pressed="true"]', { hasText: 'nlp/translation' }).waitFor()
    await page.locator('#query-tags [aria-pressed="true"]', { hasText: 'nlp/translation' }).click()
    await expect.poll(() => page.locator('#query-tags [aria-pressed="true"]').allTextContents()).toEqual(['nlp', 'law'])
  })

  test('the focus stays on the tag that was pressed, and moves to the first result that Show more adds', async () => {
    await page.locator('.agent .chip', { hasText: 'translation' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.agent .chip.matched', { hasText: 'nlp/translation' }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('✓ nlp/translation')
    await startEmpty()
    await paste(JSON.stringify(Array.from({ length: 30 }, (_, i) => card(`a${i}`, { skills: ['x'] }))))
    await tag('x')
    // The list without a query has a button Show more as well.
    await page.locator('#ranking-state', { hasText: 'ranked in' }).waitFor()
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    const at = () =>
      page.evaluate(() =>
        [...document.querySelector('#ranking')!.children].findIndex((one) => one.matches(':focus-within')),
      )
    await expect.poll(at).toBe(20)
    await page.fill('#query-text', 'another')
    await expect.poll(async () => (await names()).length).toBe(20)
  })

  test('a lead of several gains that round to 0.000 names the factor with the largest gain', () => {
    const of = (name: string, text: number, tags: number) =>
      ({
        agent_card: card(name),
        score: text + tags,
        standing: 'source',
        equivocations: 0,
        matched_tags: [],
        why: [
          { factor: 'text', contribution: text },
          { factor: 'tags', contribution: tags },
        ],
      }) as unknown as SearchResult
    expect(leadOf(of('a', 0.3004, 0.2003), of('b', 0.3, 0.2))).toBe('Ahead of “b” by 0.001: mostly because of text.')
  })

  test('a lead that rounds to 0.000 names the factor that decides', async () => {
    await startEmpty()
    const textOf = (fillers: number) =>
      ['contracts', ...Array.from({ length: fillers }, (_, i) => `filler${i}`)].join(' ')
    const of = (id: string, fillers: number) => card(id, { skills: ['law'], description: textOf(fillers) })
    await paste(JSON.stringify([of('a', 60), of('b', 61)]))
    await tag('law')
    await page.fill('#query-text', 'contracts')
    await weigh({ tags: 1, text: 0.05 })
    // The same word in the longer text counts less (BM25), and nothing else differs.
    await expect
      .poll(() => page.locator('.agent .why').first().textContent())
      .toMatch(/Ahead of “b” by less than 0\.0005, because of text\.$/)
  })

  test('skips and lists invalid cards and cards whose signature does not match; they open in the editor', async () => {
    await startEmpty()
    const forged = (await signedCard({ id: KEY_ID, did: undefined })).replace('Chinese-English', 'Klingon-English')
    await paste(
      [JSON.stringify(card('a', { name: 7 })), JSON.stringify(card('b', { skills: ['x'] })), forged]
        .join('\n')
        .replace(/\n\s+/g, ' '),
    )
    await page.getByText('2 cards skipped: unreadable, invalid').waitFor()
    await page.getByText('Show them').click()
    const problems = await page.locator('.problems li').allTextContents()
    expect(problems[0]).toMatch(/^pasted:1.*\(CARD-\d+\)/s)
    expect(problems[1]).toMatch(/^pasted:3.*\(CARD-15\d\)/s)
    await page.locator('.problems button').first().click()
    await expect.poll(() => page.isHidden('#room-directory')).toBe(true)
    await expect.poll(() => page.inputValue('#source')).toContain('"agent://a"')
    await page.click('#to-directory')
    await tag('x')
    await expect.poll(() => names()).toEqual(['b'])
    await page.getByText('Open the card').click()
    await expect.poll(() => page.textContent('#verdict')).toMatch(/^valid Agent Card/)
    await page.click('#to-directory')
  })

  test('shows whether a card is signed', async () => {
    await startEmpty()
    await paste(
      `[${await signedCard({ id: KEY_ID, did: undefined, skills: ['x'] })}, ${JSON.stringify(card('b', { skills: ['x'] }))}]`,
    )
    await tag('x')
    await expect
      .poll(() => page.locator('.agent .fixing span').allTextContents())
      .toEqual(['✓ signed with the key in its id', '! not verified'])
  })

  test('reads files, folders and dropped files, and counts other documents', async () => {
    await startEmpty()
    const folder = mkdtempSync(join(tmpdir(), 'blazon-'))
    mkdirSync(join(folder, 'deep'))
    writeFileSync(join(folder, 'deep', 'a.json'), JSON.stringify(card('a', { skills: ['x'] })))
    writeFileSync(join(folder, 'agent.json'), '{"adl_spec": "0.1.0"}')
    writeFileSync(join(folder, 'notes.txt'), 'no document')
    await page.setInputFiles('#folder', folder)
    await page.getByText('1 card, 1 document of another kind').waitFor()
    rmSync(folder, { recursive: true })
    const yaml = {
      name: 'b.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from('id: agent://b\nname: b\nskills: [x]\n'),
    }
    await page.setInputFiles('#card-files', yaml)
    await page.getByText('2 cards, 1 document of another kind').waitFor()
    await page.evaluate(
      (text) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([text], 'c.json'))
        window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))
      },
      JSON.stringify(card('c', { skills: ['x'] })),
    )
    await page.getByText('3 cards, 1 document of another kind').waitFor()
    await tag('x')
    await expect.poll(() => names()).toEqual(['a', 'b', 'c'])
  })

  test('clearing can be undone', async () => {
    await page.click('#clear-cards')
    await size('no cards yet')
    await page.click('#toast button')
    await size('3 cards')
    // Undo keeps what was added after Clear.
    await page.click('#clear-cards')
    await paste(JSON.stringify(card('later', { skills: ['x'] })))
    await size('1 card')
    await page.click('#toast button')
    await size('3 cards')
    await page.click('#toast button')
    await size('1 card')
    await page.click('#toast button')
    await size('3 cards')
  })

  test('markup in a card is shown as text', async () => {
    await startEmpty()
    const evil = '<img src=x onerror=alert(1)>'
    await paste(JSON.stringify(card('evil', { name: evil, description: evil, skills: ['x', evil] })))
    await tag('x')
    await expect.poll(() => names()).toEqual([evil])
    await expect.poll(() => page.locator('#room-directory img').count()).toBe(0)
  })

  test.runIf(IS_WHOLE)('reports the documents of a list that are over the limit', async () => {
    await startEmpty()
    // As a file: the browser takes long to draw half a megabyte in a text area.
    const buffer = Buffer.from(`[${'1,'.repeat(200_000)}1]`)
    await page.setInputFiles('#card-files', { name: 'many.json', mimeType: 'application/json', buffer })
    await page.getByText('1 document skipped: over the limit of 200,000 documents').waitFor()
    await size('no cards yet, 200,000 documents of another kind')
  })

  test('reports the words that were searched instead of a misspelled one', async () => {
    await startEmpty()
    await page.click('#sample')
    await page.fill('#query-text', 'contrakts')
    await stateShows(/No card has “\w+”: searched contract/)
  })

  test('fits the screen of a phone', async () => {
    await startEmpty()
    await page.click('#sample')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.fill('#query-text', 'legal contracts')
    await page.locator('.agent summary').first().click()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await page.setViewportSize(WIDE)
  })

  test('works with the keyboard alone', async () => {
    await startEmpty()
    await enter(opened, 'document')
    await page.focus('#to-directory')
    await page.keyboard.press('Enter')
    await page.locator('#room-directory:not([inert])').waitFor()
    await page.focus('#sample')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => /^\d+ cards/.test(document.querySelector('#collection-size')?.textContent ?? ''))
    await page.focus('#query-text')
    await page.keyboard.type('forecast')
    await page.keyboard.press('Tab')
    await page.keyboard.type('analytical')
    await page.keyboard.press('Enter')
    await page.locator('#query-tags [aria-pressed="true"]').first().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON')
    await page.focus('#query-tag')
    await page.keyboard.type('nobody-has-it')
    await page.keyboard.press('Enter')
    await page.locator('#query-tags [data-tag="nobody-has-it"]').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON')
    await page.focus('#weight-text')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.locator('.slider output').nth(1).textContent()).toBe('0.30')
    await page.waitForFunction(() => /First: /.test(document.querySelector('#announcer')?.textContent ?? ''))
  })
})
