// Runs of agents in the page: records and streams from files, without a network.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { Leaves, leafHash, SENSITIVE, seal, writeProof } from '../../bindings/runs/index.ts'
import { notesIn, writeNote } from '../../bindings/runs/stream/note.ts'
import { changed, REVIEW } from '../runs/records.ts'
import { violations } from './axe.ts'
import { browser, FILES, launch, ROOT, visit } from './browser.ts'
import { longestTask, TASKS } from './tasks.ts'

const { publicKey, privateKey } = await generateKey()
const PUBLIC = await exportKey(publicKey, 'pem')
const SEALED = await seal(JSON.stringify(REVIEW), { key: privateKey, commit: SENSITIVE })
const STREAM = Buffer.from(SEALED.stream!)

let chromium: Browser

const enter = (form: keyof typeof FILES, more = {}) => visit(chromium, `${FILES[form]}#runs`, more)
const example = (page: Page) =>
  page
    .locator('#run-proof .outcome')
    .getByText(/^✓ Verified/)
    .waitFor()
const rows = (page: Page) => page.locator('#run-steps [role="option"]')

interface Side {
  readonly name: string
  readonly buffer: Uint8Array
}
const open = (page: Page, ...files: readonly Side[]) =>
  page.setInputFiles(
    '#run-files',
    files.map(({ name, buffer }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(buffer) })),
  )
const record = (value: unknown): Side => ({ name: 'run.json', buffer: Buffer.from(JSON.stringify(value)) })
const stream = (buffer: Uint8Array): readonly Side[] => [
  { name: 'r.ndjson', buffer },
  { name: 'r.checkpoints', buffer: SEALED.checkpoints! },
  { name: 'r.salts', buffer: SEALED.openings! },
]
const trust = (page: Page, key: string) =>
  page.$eval(
    '#run-keys',
    (area: HTMLTextAreaElement, key) => {
      area.value = key
      area.dispatchEvent(new Event('change'))
    },
    key,
  )
const proving = (page: Page, words: string | RegExp) => page.locator('#run-proof').getByText(words).first().waitFor()

describe.runIf(browser.available)('runs in the page', () => {
  beforeAll(async () => {
    chromium = await launch()
  })
  afterAll(() => chromium?.close())

  test.each(['index', 'copy'] as const)('the example is sealed in the page, and verifies: %s', async (form) => {
    const { page, requests, errors, close } = await enter(form)
    await example(page)
    expect(await rows(page).count()).toBe(10)
    expect(await rows(page).nth(3).textContent()).toContain('3 tool_call read_file')
    expect(await rows(page).nth(8).textContent()).toContain('✕ deny')
    expect(await page.textContent('#run-proof')).toContain('ADP-1: level 1')
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  test('a stream verifies by a key that the reader names, and fails when a step was edited', async () => {
    const { page, errors, close } = await enter('index')
    await example(page)
    await open(page, ...stream(STREAM))
    await proving(page, /^\? Unverifiable/)
    await trust(page, PUBLIC)
    await proving(page, /^✓ Verified/)
    await rows(page).nth(0).click()
    expect(await page.textContent('#run-step')).toContain('Values that it commits to')
    await trust(page, 'no key')
    await proving(page, /^✕ The key cannot be read/)
    const edited = Buffer.from(STREAM.toString().replace('"uncertainty":0.15', '"uncertainty":0.01'))
    expect(edited.equals(STREAM)).toBe(false)
    await open(page, ...stream(edited))
    await trust(page, PUBLIC)
    await proving(page, /^✕ Failed/)
    await page
      .locator('#run-proof [data-outcome="failed"]')
      .getByText('A checkpoint covers all lines, and each one fits')
      .waitFor()
    expect(errors).toEqual([])
    await close()
  })

  test('lines after the last checkpoint fail, and the switch says how far the stream is verified', async () => {
    const { page, errors, close } = await enter('index')
    await example(page)
    const { stream: lines, checkpoints } = await seal(JSON.stringify(REVIEW), { key: privateKey, every: 2 })
    const first = writeNote(notesIn(checkpoints!)[0]!)
    await open(page, { name: 'r.ndjson', buffer: lines! }, { name: 'r.checkpoints', buffer: first })
    await trust(page, PUBLIC)
    await proving(page, /^✕ Failed/)
    await page.getByText('Keys that you trust', { exact: true }).click()
    await page.check('#run-partial')
    await proving(page, /^\? Unverifiable: the first 2 of 5 lines verified\.$/)
    await proving(page, 'that nobody changed the first 2 of 5 lines after a trusted key signed them')
    await page.uncheck('#run-partial')
    await open(page, { name: 'r.ndjson', buffer: lines! }, { name: 'r.checkpoints', buffer: checkpoints! })
    await trust(page, PUBLIC)
    await proving(page, /^✓ Verified/)
    expect(await page.textContent('#run-proof')).toContain('ADP-1: level 1')
    expect(errors).toEqual([])
    await close()
  })

  test('a proof of one line and a proof of growth verify without the stream', async () => {
    const { page, errors, close } = await enter('index')
    await example(page)
    const { stream: sealed, checkpoints } = await seal(JSON.stringify(REVIEW), { key: privateKey, every: 2 })
    const lines = new TextDecoder()
      .decode(sealed)
      .trimEnd()
      .split('\n')
      .map((line) => Buffer.from(line))
    const leaves = new Leaves()
    for (const line of lines) leaves.append(leafHash(line))
    const [first, , last] = notesIn(checkpoints!).map(writeNote)
    const proof = writeProof({ index: 1, hashes: leaves.inclusionProof(1, 5), checkpoint: last! })
    const seen = (words: string | RegExp) => page.locator('#run-problems').getByText(words).first().waitFor()
    await open(page, { name: 'line.json', buffer: lines[1]! }, { name: 'p.tlog-proof', buffer: proof })
    await seen(/^\? Unverifiable/)
    await trust(page, PUBLIC)
    await seen(/^✓ Verified: a key that you trust signed it/)
    await open(page, { name: 'line.json', buffer: lines[2]! }, { name: 'p.tlog-proof', buffer: proof })
    await trust(page, PUBLIC)
    await seen(/^✕ Failed/)
    const answer = {
      from: 2,
      size: 5,
      proof: leaves.consistencyProof(2, 5).map((hash) => Buffer.from(hash).toString('base64')),
      checkpoint: Buffer.from(last!).toString(),
    }
    await open(page, record(answer), { name: 'earlier.checkpoints', buffer: first! })
    await trust(page, PUBLIC)
    await seen(/^✓ Verified/)
    await seen(/^that the first 2 lines of/)
    expect(await page.isVisible('#run')).toBe(false)
    expect(errors).toEqual([])
    await close()
  })

  test('steps are filtered, and chosen with arrow keys', async () => {
    const { page, close } = await enter('index')
    await example(page)
    await page.getByText('Failed or denied', { exact: true }).click()
    expect(await rows(page).allTextContents()).toEqual([
      expect.stringContaining('edit_file✕ failed'),
      expect.stringContaining('policy_judge✕ deny'),
    ])
    await page.getByText('All', { exact: true }).click()
    await page.fill('#run-words', 'tool_call SHELL')
    expect(await page.textContent('#run-count')).toBe('2 of 10 steps')
    await page.fill('#run-words', '')
    await page.focus('#run-steps')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    expect(await page.getAttribute('#run-steps', 'aria-activedescendant')).toBe('run-row-1')
    await page.locator('#run-step').getByText('Step 1', { exact: true }).waitFor()
    await page.keyboard.press('End')
    await page.locator('#run-step').getByText('Step 9', { exact: true }).waitFor()
    await close()
  })

  test('what is redacted is shown before it is downloaded', async () => {
    const { page, close } = await enter('index')
    await example(page)
    const secret = `sk-ant-api03-${'Ab3'.repeat(31)}AA`
    await open(page, record(changed(REVIEW, { set: { '/steps/1/reflection/thought': `the key is ${secret}` } })))
    await page.locator('#run-steps .what').getByText('compare').waitFor()
    await page.getByText('Share it without sensitive content').click()
    await page.fill('#run-pointers', '/steps')
    await page.click('#run-preview')
    await page.locator('#run-redacted').getByText('every record needs /steps').waitFor()
    await page.fill('#run-pointers', '/context/user_id')
    await page.click('#run-preview')
    await page.locator('#run-redacted').getByText('1 credential', { exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the redacted record' }).click(),
    ])
    const text = readFileSync(await download.path(), 'utf8')
    expect(text).not.toContain(secret)
    expect(JSON.parse(text).steps[0].action).toEqual({ type: 'tool_call', name: 'read_file' })
    await close()
  })

  test('the session of a runner becomes a run', async () => {
    const { page, errors, close } = await enter('index')
    await example(page)
    const session = readFileSync('fixtures/runs/codex-session.jsonl')
    await open(page, { name: 'rollout.jsonl', buffer: session })
    await page
      .locator('#run-name')
      .getByText('rollout.jsonl: converted from codex-session, the first of 1 run')
      .waitFor()
    expect(await rows(page).filter({ hasText: 'tool_call' }).count()).toBeGreaterThan(0)
    expect(errors).toEqual([])
    await close()
  })

  test('another document opens in the editor, and a broken record shows its findings', async () => {
    const { page, close } = await enter('index')
    await example(page)
    await open(page, record({ adl_spec: '0.1.0' }))
    await page.locator('#run-problems').getByText('This is not a run record, trace or session.').waitFor()
    expect(await page.isVisible('#run')).toBe(false)
    await open(page, record(changed(REVIEW, { set: { '/status': 'done' } })))
    await page.locator('#run-problems').getByText('RUN-').first().waitFor()
    await page.locator('#run-steps .what').getByText('compare').waitFor()
    await open(page, { name: 'x.salts', buffer: SEALED.openings! })
    await page.locator('#run-problems').getByText('These files belong to a stream.').waitFor()
    await close()
  })

  test('20,000 steps of hostile text scroll without blocking the page', async () => {
    const { page, errors, close } = await enter('index')
    await example(page)
    const name = `<img src=x onerror=alert(1)>\u202e`
    const step = (index: number) =>
      `{"index":${index},"timestamp":"2026-01-02T03:04:05Z","action":{"type":"tool_call","name":${JSON.stringify(name)}},"observation":{"type":"none"}}`
    const many = JSON.stringify({ ...REVIEW, steps: ['-'] }).replace(
      '"-"',
      Array.from({ length: 20_000 }, (_, i) => step(i)).join(),
    )
    const file = `${ROOT}.scratch/many-steps.json`
    writeFileSync(file, many)
    await page.setInputFiles('#run-files', file)
    await page.locator('#run-count').getByText('20,000 steps').waitFor()
    await chromium.startTracing(page, { categories: TASKS })
    await page.$eval('#run-steps', async (frame) => {
      for (let i = 0; i <= 100; i++) {
        frame.scrollTop = (frame.scrollHeight * i) / 100
        await new Promise(requestAnimationFrame)
      }
    })
    const longest = longestTask(await chromium.stopTracing())
    expect(longest).toBeLessThan(50)
    expect(await rows(page).last().textContent()).toContain('19,999 tool_call')
    expect(await rows(page).count()).toBeLessThan(60)
    expect(await page.locator('#run img').count()).toBe(0)
    expect(await page.textContent('#run-steps')).not.toContain('\u202e')
    expect(errors).toEqual([])
    await close()
  })

  test('axe finds nothing wrong, wide and narrow', async () => {
    for (const width of [1280, 390]) {
      const { page, close } = await enter('index', { viewport: { width, height: 860 } })
      await example(page)
      for (const summary of await page.locator('#room-runs summary').all()) await summary.click()
      await page.click('#run-preview')
      expect(await violations(page, "'main'")).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await page.screenshot({ path: `${ROOT}.scratch/runs-${width}.png`, fullPage: true })
      await close()
    }
  })

  test('on a phone buttons are at least 44 pixels large', async () => {
    const { page, close } = await enter('index', { viewport: { width: 390, height: 844 } })
    await example(page)
    const small = await page.$$eval('#room-runs :is(button, summary)', (nodes) =>
      nodes
        .map((node) => ({ text: node.textContent, ...node.getBoundingClientRect().toJSON() }))
        .filter(({ width, height }) => width > 0 && (width < 44 || height < 44)),
    )
    expect(small).toEqual([])
    await close()
  })
})
