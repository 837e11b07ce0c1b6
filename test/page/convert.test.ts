// Pairs of formats: with the same options, the command line and the page make the same document. All pairs in long runs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConvertFormat, convert, FORMATS } from '../../bindings/convert/index.ts'
import { blazon } from '../cli/terminal.ts'
import { EXAMPLE, RICH } from '../convert/cards.ts'
import { FULL, type Json } from '../convert/samples.ts'
import { sampleOf } from '../support/cases.ts'
import { browser, put, type Visit, visit } from './browser.ts'

/** The values of the options, and the flags for them. */
const ANSWERS: Readonly<Record<string, readonly [flag: string, text: string]>> = {
  id: ['id', 'agent://x'],
  url: ['url', 'https://agents.example.com/x'],
  serverName: ['server-name', 'com.example/x'],
  classification: ['classification', 'restricted'],
  version: ['agent-version', '7.0.0'],
  description: ['description', 'Does x.'],
  binding: ['binding', 'GRPC'],
  apiKey: ['api-key', 'query:key'],
}
const FLAGS = Object.values(ANSWERS).flatMap(([flag, text]) => [`--${flag}`, text])
const SHOWN_CHARACTERS = 20_000

/** A configuration has neither the key that ADP/1.1 needs nor a tag of OASF, and no option has one. */
const REFUSED: readonly string[] = ['mcp-client to wellknown', 'mcp-client to oasf-record']

/** A record without a time gets the current time. */
const timeless = (text: string) => text.replace(/"created_at": "[^"]*"/, '"created_at": "now"')

/** ADP/1.1 needs a key, OASF a tag that it knows. */
const DEFINITION = {
  ...FULL,
  cryptographic_identity: { did: EXAMPLE['did'] },
  metadata: { ...(FULL['metadata'] as Json), tags: ['finance', 'testing'] },
}

/** A document of each format. */
const sources = new Map<ConvertFormat, string>()
for (const format of FORMATS) {
  const options = { to: format, url: 'https://a.example/x', serverName: 'com.example/y', id: 'agent://y' } as const
  const of = format === 'mcp-client' ? DEFINITION : RICH
  const made =
    format === 'adl' ? DEFINITION : format === 'card' ? RICH : convert(JSON.stringify(of), options).document!.value
  sources.set(format, JSON.stringify(made))
}

describe.runIf(browser.available)('conversions of the page', () => {
  let opened: Visit
  beforeAll(async () => {
    opened = await visit()
    await opened.page.click('#tab-convert')
  })
  afterAll(() => expect(opened.errors).toEqual([]))

  const made = () => opened.page.locator('#converted pre').textContent()

  async function choose(from: ConvertFormat, to: ConvertFormat): Promise<void> {
    const { page } = opened
    if ((await page.inputValue('#source')) !== sources.get(from)) await put(page, sources.get(from)!)
    await page.locator(`#convert-target option[value="${to}"]`).waitFor({ state: 'attached' })
    await page.selectOption('#convert-target', to)
  }

  /** Targets of a format, other ones for each. */
  const targetsOf = (from: ConvertFormat, first = 0) =>
    [...sampleOf(FORMATS, FORMATS.indexOf(from) + first)].filter((to) => to !== from)

  test.each([1, 2])('every format has targets, and is one (%i)', (first) => {
    for (const from of FORMATS) expect(targetsOf(from, first).length).toBeGreaterThan(1)
    expect(new Set(FORMATS.flatMap((from) => targetsOf(from, first)))).toEqual(new Set(FORMATS))
  })

  test.each(FORMATS)('converts %s to other formats, also with empty fields', async (from) => {
    for (const to of targetsOf(from, 1)) {
      await choose(from, to)
      if (REFUSED.includes(`${from} to ${to}`)) await opened.page.locator('#converted .bad').first().waitFor()
      else expect([to, await made()]).toEqual([to, expect.stringMatching(/^\{\n/)])
    }
  })

  test.each(FORMATS)('converts %s to the same documents as the command line', async (from) => {
    const { page } = opened
    for (const to of targetsOf(from, 2)) {
      const { code, stdout } = await blazon(['convert', '-', '--to', to, ...FLAGS], { stdin: sources.get(from)! })
      const isRefused = REFUSED.includes(`${from} to ${to}`)
      expect([to, code]).toEqual([to, isRefused ? 1 : 0])
      await choose(from, to)
      if (isRefused) continue
      // An option may make the conversion use another one.
      for (let before = -1, shown = 0; shown !== before; ) {
        before = shown
        shown = 0
        for (const [name, [, text]] of Object.entries(ANSWERS)) {
          const field = page.locator(`#convert-${name}`)
          if (!(await field.isVisible())) continue
          shown++
          if ((await field.inputValue()) === text) continue
          if (await field.evaluate((node) => node.tagName === 'SELECT')) await field.selectOption(text)
          else await field.fill(text)
        }
      }
      const expected = stdout.length > SHOWN_CHARACTERS ? `${stdout.slice(0, SHOWN_CHARACTERS)}…` : stdout
      await expect.poll(async () => timeless((await made())!), { message: `${from} to ${to}` }).toBe(timeless(expected))
    }
  })
})
