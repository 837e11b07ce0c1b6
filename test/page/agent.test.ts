// Agents of AgentLang in the page: folders and containers from files, without a network.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compilePrompt, HOST_PRESETS, sealContainer, writeSecret } from '../../bindings/agentlang/index.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { violations } from './axe.ts'
import { browser, foreign, openAll, PHONE, put, smallTargets, type Visit, visit, WIDE } from './browser.ts'

const FOLDER = 'fixtures/agentlang/research-assistant'
const { publicKey, privateKey } = await generateKey()
const PUBLIC = await exportKey(publicKey, 'pem')
const SECRET = writeSecret(new Uint8Array(32).fill(7))
const bytes = (text: string) => new TextEncoder().encode(text)
const PROMPT = 'version: 2\nsections:\n  - name: task\n    content: Say nothing to strangers.\n'
const SEALED = Buffer.from(
  await sealContainer({
    name: 'coach',
    version: '1.0.0',
    developer: 'acme',
    files: new Map([
      ['agent.yaml', bytes('name: coach\nversion: 1.0.0\ndeveloper: acme\n')],
      ['prompt.yaml', bytes(PROMPT)],
    ]),
    key: privateKey,
    secret: SECRET,
  }),
)

let opened: Visit
let page: Page
const folders: string[] = []

const summaryStarts = (words: RegExp) => page.locator('#agent-summary').getByText(words).waitFor()
const openContainer = (buffer: Buffer) =>
  page.setInputFiles('#agent-file', { name: 'coach.agent', mimeType: 'application/octet-stream', buffer })
const openFolder = async (files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  folders.push(folder)
  await page.setInputFiles('#agent-folder', folder)
}
const cells = (part: string) =>
  page
    .locator(`${part} tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)))
const setKey = (key: string) =>
  page.$eval(
    '#agent-keys',
    (area: HTMLTextAreaElement, key) => {
      area.value = key
      area.dispatchEvent(new Event('change'))
    },
    key,
  )

describe.runIf(browser.available)('agents in the page', () => {
  beforeAll(async () => {
    opened = await visit('#agent')
    page = opened.page
    await summaryStarts(/^inbox-helper 1\.2\.0, by acme/)
  })
  beforeEach(() => page.$eval('#agent-example', (button: HTMLButtonElement) => button.click()))
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true })
    expect(foreign(opened)).toEqual([])
    expect(opened.errors).toEqual([])
  })

  test('a link to the room shows its top', async () => {
    await page.reload()
    await summaryStarts(/acme/)
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })

  test('the example is judged', async () => {
    await summaryStarts(/^inbox-helper 1\.2\.0, by acme/)
    expect((await cells('#agent-hosts')).map(([name]) => name)).toEqual(HOST_PRESETS.map(({ name }) => name))
    expect(await page.locator('#agent-findings li').count()).toBeGreaterThan(0)
  })

  test("the specification's agent is shown with its risks, its prompt in both forms, and where each action leads", async () => {
    await page.setInputFiles('#agent-folder', FOLDER)
    await summaryStarts(/^research-assistant 1\.0\.0, by acme/)
    const asks = await cells('#agent-table')
    expect(asks).toContainEqual([
      'identity (critical)',
      'oauth',
      'required, on_demand',
      '',
      expect.stringContaining('agent.yaml'),
    ])
    expect(asks.find(([what, name]) => what === 'server' && name === 'Stripe')?.[2]).toBe('pinned')
    expect(asks.find(([what]) => what === 'secret')?.[1]).toBe('STRIPE_SECRET_KEY')
    const hosts = await cells('#agent-hosts')
    expect(hosts.find(([name]) => name === 'claude-desktop')?.[2]).toContain("does not grant 'background'")
    const text = () => page.locator('#agent-prompts pre').first().textContent()
    expect(await text()).toMatch(/^## mindset\nYou are genuinely trying/)
    await page.getByText('XML tags', { exact: true }).click()
    await expect.poll(text).toMatch(/^<mindset>\nYou are genuinely trying/)
    const actions = await cells('#agent-actions')
    expect(actions.map((row) => row.slice(0, 3))).toEqual([
      ['email_card', 'archive', 'sync'],
      ['email_card', 'star', 'sync'],
      ['email_card', 'reply', 'agent'],
      ['email_card', 'summarize', 'agent'],
      ['generate_headshot completed', 'download', 'sync'],
      ['generate_headshot completed', 'regenerate', 'agent'],
    ])
    expect(actions[4]?.[3]).toContain('system://download_file')
  })

  test('a finding has its file, its line and the text of the line', async () => {
    await openFolder({
      'agent.yaml': 'name: coach\nversion: 1.0.0\n',
      'prompt.yaml': 'version: 2\nsections:\n  - name: task\n    contents: hello\n',
    })
    const item = page.locator('#agent-findings li').filter({ hasText: 'prompt.yaml:4:5' })
    await item.waitFor()
    expect(await item.locator('pre').first().textContent()).toContain('contents: hello')
  })

  test('a folder without agent.yaml is refused in words', async () => {
    await openFolder({ 'notes.txt': 'nothing' })
    await page.locator('#agent-problems').getByText('There is no agent.yaml').waitFor()
    expect(await page.isVisible('#agent-report')).toBe(false)
  })

  test('a folder with more than 10,000 files is refused in words', async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => [`${i}`, ''])
    await openFolder({ ...Object.fromEntries(names), 'agent.yaml': 'name: coach\n' })
    await page.locator('#agent-problems').getByText('The folder has more than 10000 files').waitFor()
  })

  test('a container says who signed it and what is encrypted; its secret decrypts the prompt', async () => {
    await openContainer(SEALED)
    await page
      .locator('#agent-signed')
      .getByText(/^\? Unverifiable/)
      .first()
      .waitFor()
    await page.locator('#agent-signed').getByText('1 file encrypted').waitFor()
    const headings = await page.locator('#agent-report h3').allTextContents()
    expect(headings.slice(0, 3)).toEqual(['What it asks for', 'Where it starts', 'Who signed it'])
    expect(await page.textContent('#agent-prompts')).not.toContain('strangers')
    await setKey(PUBLIC)
    await page
      .locator('#agent-signed')
      .getByText(/^✓ Verified/)
      .first()
      .waitFor()
    await page.setInputFiles('#agent-secret', {
      name: 'agent.secret',
      mimeType: 'text/plain',
      buffer: Buffer.from(`${SECRET}\n`),
    })
    await page.locator('#agent-prompts').getByText('Say nothing to strangers.').waitFor()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(SECRET)
    await setKey('no key')
    await page.locator('#agent-problems').getByText('The key or the secret cannot be read').waitFor()
  })

  test('a container with one changed byte is not shown', async () => {
    const changed = Buffer.from(SEALED)
    const at = changed.indexOf('name: coach')
    changed[at + 6] = 'x'.charCodeAt(0)
    await openContainer(changed)
    await page
      .locator('#agent-signed')
      .getByText(/^✕ Failed/)
      .first()
      .waitFor()
    expect(await page.isVisible('#agent-asks')).toBe(false)
  })

  test('hostile names and texts stay text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202e'
    await openFolder({
      'agent.yaml': JSON.stringify({
        name,
        version: name,
        developer: name,
        bash_tools: { [name]: { command: name } },
        ui_components: { [name]: { agent_actions: [name] } },
      }),
      'prompt.yaml': JSON.stringify({ version: 2, sections: [{ name: 'a', content: name }] }),
    })
    await page.locator('#agent-actions').getByText('<img').first().waitFor()
    expect(await page.locator('#room-agent img').count()).toBe(0)
    expect(await page.textContent('#agent-report')).not.toContain('\u202e')
  })

  test('axe finds nothing wrong, wide and narrow', async () => {
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport)
      await openContainer(SEALED)
      await page.locator('#agent-signed').getByText('1 file encrypted').waitFor()
      expect(await violations(page, "'main'")).toEqual([])
      await page.click('#agent-example')
      await summaryStarts(/^inbox-helper/)
      await openAll(page, '#room-agent')
      expect(await violations(page, "'main'")).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    }
  })

  test('on a phone buttons are at least 44 pixels large', async () => {
    await page.setViewportSize(PHONE)
    await summaryStarts(/^inbox-helper/)
    expect(await smallTargets(page, '#room-agent')).toEqual([])
    await page.setViewportSize(WIDE)
  })

  describe('Convert', () => {
    beforeAll(async () => {
      await page.click('#to-document')
      await page.click('#tab-convert')
    })
    const convert = async (name: string, buffer: Buffer) => {
      await page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer })
      await page.locator('#convert-target option[value="adl"]').waitFor({ state: 'attached' })
      await page.selectOption('#convert-target', 'adl')
    }

    test('takes a container, and accounts for the prompt that is encrypted, until the text is edited', async () => {
      await convert('coach.agent', SEALED)
      const lost = page.locator('#loss tr').filter({ hasText: 'prompt.yaml' })
      await lost.getByText('encrypted').waitFor()
      expect(JSON.parse((await page.textContent('#converted pre'))!)).toMatchObject({ name: 'coach', version: '1.0.0' })
      expect(await page.inputValue('#source')).toBe('name: coach\nversion: 1.0.0\ndeveloper: acme\n')
      await put(page, 'name: other\nversion: 1.0.0\ntools: []\nmodels: {}\n')
      await expect.poll(() => lost.count()).toBe(0)
    })

    test('takes a dropped folder, and its prompt is in the definition', async () => {
      const files = { 'agent.yaml': 'name: coach\nversion: 1.0.0\n', 'prompt.yaml': PROMPT }
      await page.evaluate((texts) => {
        const entries = Object.entries(texts).map(([name, text]) => ({
          isDirectory: false,
          name,
          fullPath: `/coach/${name}`,
          file: (take: (file: File) => void) => take(new File([text], name)),
        }))
        const parts = [entries, []]
        const folder = {
          isDirectory: true,
          createReader: () => ({ readEntries: (take: (part: unknown) => void) => take(parts.shift()) }),
        }
        const drop = new Event('drop', { bubbles: true, cancelable: true })
        const items = [{ webkitGetAsEntry: () => folder }]
        Object.assign(drop, { dataTransfer: { types: ['Files'], files: [], items } })
        document.body.dispatchEvent(drop)
      }, files)
      await expect.poll(() => page.inputValue('#source')).toBe(files['agent.yaml'])
      await page.locator('#convert-target option[value="adl"]').waitFor({ state: 'attached' })
      await page.selectOption('#convert-target', 'adl')
      const made = () => page.textContent('#converted pre').then((text) => JSON.parse(text!).system_prompt)
      const expected = compilePrompt(bytes(PROMPT)).compiled!.text
      await expect.poll(made).toBe(expected)
      expect(expected).toContain('Say nothing to strangers.')
    })

    test('refuses a changed container in words', async () => {
      const changed = Buffer.from(SEALED)
      changed[changed.length >> 1]! ^= 1
      await page.setInputFiles('#file', { name: 'coach.agent', mimeType: 'application/octet-stream', buffer: changed })
      await page.locator('#note').getByText('The agent cannot be read. Open it under Agent to see why.').waitFor()
    })
  })
})
