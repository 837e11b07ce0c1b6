// Runs of agents in the page: records and streams from files, without a network.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { Leaves, leafHash, SENSITIVE, seal, writeProof } from '../../bindings/runs/index.ts'
import { notesIn, writeNote } from '../../bindings/runs/stream/note.ts'
import { changed, REVIEW } from '../runs/records.ts'
import { violations } from './axe.ts'
import { browser, foreign, openAll, PHONE, smallTargets, type Visit, visit, WIDE } from './browser.ts'
import { longestTask } from './tasks.ts'

const { publicKey, privateKey } = await generateKey()
const PUBLIC = await exportKey(publicKey, 'pem')
const SEALED = await seal(JSON.stringify(REVIEW), { key: privateKey, commit: SENSITIVE })
const STREAM = Buffer.from(SEALED.stream!)

let opened: Visit
let page: Page

const example = async () => {
  await page.locator('#run-name').getByText('an example, sealed in this page').waitFor()
  await proving(/^✓ Verified/)
}
const rows = () => page.locator('#run-steps [role="option"]')

interface Side {
  readonly name: string
  readonly buffer: Uint8Array
}
const open = (...files: readonly Side[]) =>
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
const trust = (key: string) =>
  page.$eval(
    '#run-keys',
    (area: HTMLTextAreaElement, key) => {
      area.value = key
      area.dispatchEvent(new Event('change'))
    },
    key,
  )
const proving = (words: string | RegExp) => page.locator('#run-proof').getByText(words).first().waitFor()

describe.runIf(browser.available)('runs in the page', () => {
  beforeAll(async () => {
    opened = await visit('#runs')
    page = opened.page
    await example()
  })
  beforeEach(async () => {
    await open({ name: 'empty.json', buffer: Buffer.from('{}') })
    await page.locator('#run-name').getByText('empty.json').waitFor()
    await page.click('#run-example')
    await example()
  })
  afterAll(() => {
    expect(foreign(opened)).toEqual([])
    expect(opened.errors).toEqual([])
  })

  test('the example is sealed in the page, and verifies', async () => {
    expect(await rows().count()).toBe(10)
    expect(await rows().nth(3).textContent()).toContain('3 read_file')
    // What it committed to is shown from the file of values.
    expect(await rows().nth(3).textContent()).not.toContain('(hidden)')
    expect(await rows().nth(8).textContent()).toContain('✕ deny')
    expect(await page.textContent('#run-proof')).toContain('ADP-1: level 1')
  })

  test('a stream verifies by a key that the reader names, and fails when a step was edited', async () => {
    await open(...stream(STREAM))
    await proving(/^\? Unverifiable/)
    await trust(PUBLIC)
    await proving(/^✓ Verified/)
    await rows().nth(0).click()
    expect(await page.textContent('#run-step')).toContain('Values that it commits to')
    await trust('no key')
    await proving(/^✕ The key cannot be read/)
    const edited = Buffer.from(STREAM.toString().replace('"uncertainty":0.15', '"uncertainty":0.01'))
    expect(edited.equals(STREAM)).toBe(false)
    await open(...stream(edited))
    await trust(PUBLIC)
    await proving(/^✕ Failed/)
    await page
      .locator('#run-proof [data-outcome="failed"]')
      .getByText('A checkpoint covers all lines, and each one fits')
      .waitFor()
  })

  test('lines after the last checkpoint fail, and the switch says how far the stream is verified', async () => {
    const { stream: lines, checkpoints } = await seal(JSON.stringify(REVIEW), { key: privateKey, every: 2 })
    const first = writeNote(notesIn(checkpoints!)[0]!)
    await open({ name: 'r.ndjson', buffer: lines! }, { name: 'r.checkpoints', buffer: first })
    await trust(PUBLIC)
    await proving(/^✕ Failed/)
    await page.getByText('Keys that you trust', { exact: true }).click()
    await page.check('#run-partial')
    await proving(/^\? Unverifiable: the first 2 of 5 lines verified\.$/)
    await proving('that nobody changed the first 2 of 5 lines after a trusted key signed them')
    await page.uncheck('#run-partial')
    await open({ name: 'r.ndjson', buffer: lines! }, { name: 'r.checkpoints', buffer: checkpoints! })
    await trust(PUBLIC)
    await proving(/^✓ Verified/)
    expect(await page.textContent('#run-proof')).toContain('ADP-1: level 1')
  })

  test('a proof of one line and a proof of growth verify without the stream', async () => {
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
    await open({ name: 'line.json', buffer: lines[1]! }, { name: 'p.tlog-proof', buffer: proof })
    await seen(/^\? Unverifiable/)
    await trust(PUBLIC)
    await seen(/^✓ Verified: a key that you trust signed it/)
    await open({ name: 'line.json', buffer: lines[2]! }, { name: 'p.tlog-proof', buffer: proof })
    await trust(PUBLIC)
    await seen(/^✕ Failed/)
    const answer = {
      from: 2,
      size: 5,
      proof: leaves.consistencyProof(2, 5).map((hash) => Buffer.from(hash).toString('base64')),
      checkpoint: Buffer.from(last!).toString(),
    }
    await open(record(answer), { name: 'earlier.checkpoints', buffer: first! })
    await trust(PUBLIC)
    await seen(/^✓ Verified/)
    await seen(/^that the first 2 lines of/)
    expect(await page.isVisible('#run')).toBe(false)
  })

  test('steps are filtered, and chosen with arrow keys', async () => {
    await page.getByText('Failed or denied', { exact: true }).click()
    expect(await rows().allTextContents()).toEqual([
      expect.stringContaining('edit_file'),
      expect.stringContaining('✕ deny'),
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
  })

  test('what is redacted is shown before it is downloaded', async () => {
    const secret = `sk-ant-api03-${'Ab3'.repeat(31)}AA`
    await open(record(changed(REVIEW, { set: { '/steps/1/reflection/thought': `the key is ${secret}` } })))
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
  })

  test('the session of a runner becomes a run', async () => {
    const session = readFileSync('fixtures/runs/codex-session.jsonl')
    await open({ name: 'rollout.jsonl', buffer: session })
    await page
      .locator('#run-name')
      .getByText('rollout.jsonl: converted from codex-session, the first of 1 run')
      .waitFor()
    expect(await rows().filter({ hasText: 'exec_command' }).count()).toBeGreaterThan(0)
  })

  test('another document opens in the editor, and a broken record shows its findings', async () => {
    await open(record({ adl_spec: '0.1.0' }))
    await page.locator('#run-problems').getByText('This is not a run record, trace or session.').waitFor()
    expect(await page.isVisible('#run')).toBe(false)
    await open(record(changed(REVIEW, { set: { '/status': 'done' } })))
    await page.locator('#run-problems').getByText('RUN-').first().waitFor()
    await page.locator('#run-steps .what').getByText('compare').waitFor()
    await open({ name: 'x.salts', buffer: SEALED.openings! })
    await page.locator('#run-problems').getByText('These files belong to a stream.').waitFor()
  })

  test('20,000 steps of hostile text scroll without blocking the page', async () => {
    const name = `<img src=x onerror=alert(1)>\u202e`
    const step = (index: number) =>
      `{"index":${index},"timestamp":"2026-01-02T03:04:05Z","action":{"type":"tool_call","name":${JSON.stringify(name)}},"observation":{"type":"none"}}`
    const many = JSON.stringify({ ...REVIEW, steps: ['-'] }).replace(
      '"-"',
      Array.from({ length: 20_000 }, (_, i) => step(i)).join(),
    )
    await open({ name: 'many-steps.json', buffer: Buffer.from(many) })
    await page.locator('#run-count').getByText('20,000 steps').waitFor()
    const longest = await longestTask(page, () =>
      page.$eval('#run-steps', async (frame) => {
        for (let i = 0; i <= 100; i++) {
          frame.scrollTop = (frame.scrollHeight * i) / 100
          await new Promise(requestAnimationFrame)
        }
      }),
    )
    expect(longest).toBeLessThan(50)
    expect(await rows().last().textContent()).toContain('19,999 ')
    expect(await rows().count()).toBeLessThan(60)
    expect(await page.locator('#run img').count()).toBe(0)
    expect(await page.textContent('#run-steps')).not.toContain('\u202e')
  })

  test('axe finds nothing wrong, wide and narrow, and on a phone buttons are at least 44 pixels large', async () => {
    await openAll(page, '#room-runs')
    await page.click('#run-preview')
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport)
      expect(await violations(page, "'main'")).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    }
    expect(await smallTargets(page, '#room-runs')).toEqual([])
  })
})
