// Agents of AgentLang in the page: folders and containers from files, without a network.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compilePrompt, HOST_PRESETS, sealContainer, writeSecret } from '../../bindings/agentlang/index.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { violations } from './axe.ts'
import { browser, FILES, launch, put, ROOT, visit } from './browser.ts'

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

let chromium: Browser

const enter = async (form: keyof typeof FILES, more = {}) => {
  const visited = await visit(chromium, `${FILES[form]}#agent`, more)
  await visited.page
    .locator('#agent-summary')
    .getByText(/^inbox-helper 1\.2\.0, by acme/)
    .waitFor()
  return visited
}
const openContainer = (page: Page, buffer: Buffer) =>
  page.setInputFiles('#agent-file', { name: 'coach.agent', mimeType: 'application/octet-stream', buffer })
const openFolder = async (page: Page, files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  await page.setInputFiles('#agent-folder', folder)
  return folder
}
const cells = (page: Page, part: string) =>
  page
    .locator(`${part} tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)))
const setKey = (page: Page, key: string) =>
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
    chromium = await launch()
  })
  afterAll(() => chromium?.close())

  test('a link to the room shows its top', async () => {
    const { page, close } = await enter('index')
    await page.reload()
    await page.locator('#agent-summary').getByText('acme').waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await close()
  })

  test.each(['index', 'copy'] as const)('the example is judged without a request: %s', async (form) => {
    const { page, requests, errors, close } = await enter(form)
    expect((await cells(page, '#agent-hosts')).map(([name]) => name)).toEqual(HOST_PRESETS.map(({ name }) => name))
    expect(await page.locator('#agent-findings li').count()).toBeGreaterThan(0)
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  test("the specification's agent is shown with its risks, its prompt in both forms, and where each action leads", async () => {
    const { page, errors, close } = await enter('index')
    await page.setInputFiles('#agent-folder', FOLDER)
    await page
      .locator('#agent-summary')
      .getByText(/^research-assistant 1\.0\.0, by acme/)
      .waitFor()
    const asks = await cells(page, '#agent-table')
    expect(asks).toContainEqual([
      'identity (critical)',
      'oauth',
      'required, on_demand',
      '',
      expect.stringContaining('agent.yaml'),
    ])
    expect(asks.find(([what, name]) => what === 'server' && name === 'Stripe')?.[2]).toBe('pinned')
    expect(asks.find(([what]) => what === 'secret')?.[1]).toBe('STRIPE_SECRET_KEY')
    const hosts = await cells(page, '#agent-hosts')
    expect(hosts.find(([name]) => name === 'claude-desktop')?.[2]).toContain("does not grant 'background'")
    const text = () => page.locator('#agent-prompts pre').first().textContent()
    expect(await text()).toMatch(/^## mindset\nYou are genuinely trying/)
    await page.getByText('XML tags', { exact: true }).click()
    await expect.poll(text).toMatch(/^<mindset>\nYou are genuinely trying/)
    const actions = await cells(page, '#agent-actions')
    expect(actions.map((row) => row.slice(0, 3))).toEqual([
      ['email_card', 'archive', 'sync'],
      ['email_card', 'star', 'sync'],
      ['email_card', 'reply', 'agent'],
      ['email_card', 'summarize', 'agent'],
      ['generate_headshot completed', 'download', 'sync'],
      ['generate_headshot completed', 'regenerate', 'agent'],
    ])
    expect(actions[4]?.[3]).toContain('system://download_file')
    expect(errors).toEqual([])
    await close()
  })

  test('a finding has its file, its line and the text of the line', async () => {
    const { page, close } = await enter('index')
    const folder = await openFolder(page, {
      'agent.yaml': 'name: coach\nversion: 1.0.0\n',
      'prompt.yaml': 'version: 2\nsections:\n  - name: task\n    contents: hello\n',
    })
    const item = page.locator('#agent-findings li').filter({ hasText: 'prompt.yaml:4:5' })
    await item.waitFor()
    expect(await item.locator('pre').first().textContent()).toContain('contents: hello')
    rmSync(folder, { recursive: true })
    await close()
  })

  test('a folder without agent.yaml is refused in words', async () => {
    const { page, close } = await enter('index')
    const folder = await openFolder(page, { 'notes.txt': 'nothing' })
    await page.locator('#agent-problems').getByText('There is no agent.yaml').waitFor()
    expect(await page.isVisible('#agent-report')).toBe(false)
    rmSync(folder, { recursive: true })
    await close()
  })

  test('a container says who signed it and what is encrypted; its secret decrypts the prompt', async () => {
    const { page, requests, errors, close } = await enter('index')
    await openContainer(page, SEALED)
    await page
      .locator('#agent-problems')
      .getByText(/^\? Unverifiable/)
      .first()
      .waitFor()
    await page.locator('#agent-problems').getByText('1 file encrypted').waitFor()
    expect(await page.textContent('#agent-prompts')).not.toContain('strangers')
    await setKey(page, PUBLIC)
    await page
      .locator('#agent-problems')
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
    await setKey(page, 'no key')
    await page.locator('#agent-problems').getByText('The key or the secret cannot be read').waitFor()
    expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
    expect(errors).toEqual([])
    await close()
  })

  test('a container with one changed byte is not shown', async () => {
    const { page, close } = await enter('index')
    const changed = Buffer.from(SEALED)
    const at = changed.indexOf('name: coach')
    changed[at + 6] = 'x'.charCodeAt(0)
    await openContainer(page, changed)
    await page
      .locator('#agent-problems')
      .getByText(/^✕ Failed/)
      .first()
      .waitFor()
    expect(await page.isVisible('#agent-asks')).toBe(false)
    await close()
  })

  test('hostile names and texts stay text', async () => {
    const { page, errors, close } = await enter('index')
    const name = '<img src=x onerror=alert(1)>\u202e'
    const folder = await openFolder(page, {
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
    expect(errors).toEqual([])
    rmSync(folder, { recursive: true })
    await close()
  })

  test('axe finds nothing wrong, wide and narrow', async () => {
    for (const width of [1280, 390]) {
      const { page, close } = await enter('index', { viewport: { width, height: 860 } })
      await openContainer(page, SEALED)
      await page.locator('#agent-problems').getByText('1 file encrypted').waitFor()
      expect(await violations(page, "'main'")).toEqual([])
      await page.click('#agent-example')
      await page
        .locator('#agent-summary')
        .getByText(/^inbox-helper/)
        .waitFor()
      for (const summary of await page.locator('#room-agent summary').all()) await summary.click()
      expect(await violations(page, "'main'")).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await page.screenshot({ path: `${ROOT}.scratch/agent-${width}.png`, fullPage: true })
      await close()
    }
  })

  describe('Convert', () => {
    const convert = async (page: Page, name: string, buffer: Buffer) => {
      await page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer })
      await page.click('#tab-convert')
      await page.locator('#convert-target option[value="adl"]').waitFor({ state: 'attached' })
      await page.selectOption('#convert-target', 'adl')
    }

    test('takes a container, and accounts for the prompt that is encrypted, until the text is edited', async () => {
      const { page, requests, errors, close } = await visit(chromium, FILES.index)
      await convert(page, 'coach.agent', SEALED)
      const lost = page.locator('#loss tr').filter({ hasText: 'prompt.yaml' })
      await lost.getByText('encrypted').waitFor()
      expect(JSON.parse((await page.textContent('#converted pre'))!)).toMatchObject({ name: 'coach', version: '1.0.0' })
      expect(await page.inputValue('#source')).toBe('name: coach\nversion: 1.0.0\ndeveloper: acme\n')
      await put(page, 'name: other\nversion: 1.0.0\ntools: []\nmodels: {}\n')
      await expect.poll(() => lost.count()).toBe(0)
      expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
      expect(errors).toEqual([])
      await close()
    })

    test('takes a dropped folder, and its prompt is in the definition', async () => {
      const { page, errors, close } = await visit(chromium, FILES.index)
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
      await page.click('#tab-convert')
      await page.locator('#convert-target option[value="adl"]').waitFor({ state: 'attached' })
      await page.selectOption('#convert-target', 'adl')
      const made = () => page.textContent('#converted pre').then((text) => JSON.parse(text!).system_prompt)
      const expected = compilePrompt(bytes(PROMPT)).compiled!.text
      await expect.poll(made).toBe(expected)
      expect(expected).toContain('Say nothing to strangers.')
      expect(errors).toEqual([])
      await close()
    })

    test('refuses a changed container in words', async () => {
      const { page, close } = await visit(chromium, FILES.index)
      const changed = Buffer.from(SEALED)
      changed[changed.length >> 1]! ^= 1
      await page.setInputFiles('#file', { name: 'coach.agent', mimeType: 'application/octet-stream', buffer: changed })
      await page.locator('#note').getByText('The agent cannot be read. Open it under Agent to see why.').waitFor()
      await close()
    })
  })

  test('on a phone buttons are at least 44 pixels large', async () => {
    const { page, close } = await enter('index', { viewport: { width: 390, height: 844 } })
    const small = await page.$$eval('#room-agent :is(button, summary)', (nodes) =>
      nodes
        .map((node) => ({ text: node.textContent, ...node.getBoundingClientRect().toJSON() }))
        .filter(({ width, height }) => width > 0 && (width < 44 || height < 44)),
    )
    expect(small).toEqual([])
    await close()
  })
})
