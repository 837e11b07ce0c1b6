// The views of an agent definition, and hostile documents that must not stop the page.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateKey } from '../../bindings/keys/index.ts'
import { build } from '../../bindings/wellknown/index.ts'
import { KEY_ID, signedCard } from '../card/support.ts'
import { violations } from './axe.ts'
import { browser, effortOf, put, type Visit, visit } from './browser.ts'

const DEFINITION = {
  adl_spec: '0.1.0',
  $schema: 'https://adl-spec.org/0.1/schema.json',
  name: 'Scout',
  description: 'Finds what was asked for.',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
  system_prompt: { template: 'You work for {{company}}.', variables: { company: 'Acme' } },
  prompts: [
    {
      name: 'greet',
      template: 'Greet {{who}}, {{times}} times.',
      arguments: { type: 'object', properties: { who: { type: 'string' }, times: { type: 'integer' } } },
    },
  ],
  permissions: {
    network: { allowed_hosts: ['*.example.com'], allowed_ports: [443] },
    filesystem: { allowed_paths: [{ path: '/data/**', access: 'read' }], denied_paths: ['/data/secret/**'] },
  },
  tools: [{ name: 'find', description: 'Finds.', parameters: { type: 'object' } }],
}

const text = (value: unknown) => JSON.stringify(value, null, 2)

/** RFC 8785 for the definitions here, which have only ASCII names and small integers. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}

/** The definition, signed by Node's own crypto. */
function signed(publicKey: KeyObject, privateKey: KeyObject) {
  const value = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const security = { attestation: { type: 'self', issuer: 'Acme' } }
  const body = { ...DEFINITION, cryptographic_identity: { public_key: { algorithm: 'Ed25519', value } }, security }
  const made = sign(null, Buffer.from(canonical(body)), privateKey).toString('base64url')
  const signature = { algorithm: 'Ed25519', value: made, signed_content: 'canonical' }
  return { body, document: { ...body, security: { attestation: { ...security.attestation, signature } } } }
}

let opened: Visit
let page: Page

const write = (source: string) => page.fill('#source', source)
const shown = async (selector: string) => (await page.textContent(selector)) ?? ''
const selected = () =>
  page.$eval('#source', (area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))

describe.runIf(browser.available)('the workbench', () => {
  beforeAll(async () => {
    opened = await visit()
    page = opened.page
  })
  afterAll(() => expect(opened.errors).toEqual([]))

  describe('Findings', () => {
    beforeAll(() => page.click('#tab-findings'))

    test('shows that a definition is valid, in JSON and in YAML', async () => {
      await write(text(DEFINITION))
      await expect.poll(() => shown('#verdict')).toBe('valid agent definition')
      await expect.poll(() => shown('#view-findings')).toMatch(/The document follows every rule/)
      await page.selectOption('#example', 'minimal')
      await expect.poll(() => shown('#verdict')).toBe('valid agent definition')
    })

    test.each(['tools', 'production', 'governance', 'portfolio', 'healthcare', 'financial'])(
      'has the example %s, which is valid',
      async (name) => {
        await page.selectOption('#example', name)
        await expect.poll(() => shown('#verdict')).toBe('valid agent definition')
      },
    )

    test('checks Agent Cards, and shows why a finding matters and its fix', async () => {
      await page.selectOption('#example', 'card')
      await expect.poll(() => shown('#verdict')).toBe('valid Agent Card')
      const { signature, ...card } = JSON.parse(await page.inputValue('#source'))
      expect(signature).toHaveLength(86)
      await write(text({ ...card, skills: ['NLP/Translation'], seq: -1 }))
      await expect.poll(() => shown('#verdict')).toBe('Agent Card, 1 error, 2 warnings')
      await expect.poll(() => shown('#finding-list')).toMatch(/CARD-109 · seq · Agent Card 3\.1 · in \/seq/)
      await page.getByRole('button', { name: /^Apply/ }).click()
      expect(JSON.parse(await page.inputValue('#source'))).toMatchObject({ skills: ['nlp/translation'] })
    })

    test('lists findings, the worst first, and goes to their places', async () => {
      await write(text({ ...DEFINITION, adl_spec: '0.1.0', tools: [{ name: 'Find-It', description: 'Finds.' }] }))
      await expect.poll(() => shown('#verdict')).toBe('agent definition, 1 error')
      const finding = page.locator('#finding-list li')
      await expect.poll(() => finding.textContent()).toMatch(/ADL-2008 · VAL-13 · ADL 8\.1 · in \/tools\/0\/name/)
      await finding.getByRole('button', { name: /go to line/ }).click()
      await expect.poll(() => selected()).toBe('"Find-It"')
    })

    test('explains a rule with its reason and a correct example', async () => {
      await page.locator('#finding-list summary').click()
      await page.getByText('Tool names become function names').waitFor()
      await expect.poll(() => shown('#finding-list details')).toMatch(/Search-Web.*search_web/s)
    })

    test('applies a fix, which can be undone', async () => {
      const { name, ...rest } = DEFINITION
      const source = text({ nmae: name, ...rest })
      await write(source)
      await page.getByRole('button', { name: /^Apply/ }).click()
      expect(JSON.parse(await page.inputValue('#source'))).toEqual(DEFINITION)
      await expect.poll(() => shown('#verdict')).toBe('valid agent definition')
      await page.keyboard.press('Control+z')
      await expect.poll(() => page.inputValue('#source')).toBe(source)
    })

    test('applies all fixes of the faulty example, in YAML', async () => {
      await page.selectOption('#example', 'faulty')
      const apply = page.getByRole('button', { name: /^Apply/ })
      while ((await apply.count()) > 0) await apply.first().click()
      await expect.poll(() => shown('#verdict')).toBe('valid agent definition, 1 warning')
      await expect.poll(() => page.inputValue('#source')).toContain('# A definition with a few faults.')
    })
  })

  test('Outline shows the members and goes to them', async () => {
    await write(text(DEFINITION))
    await page.click('#tab-outline')
    const tools = page.locator('[role="treeitem"][data-pointer="/tools"]')
    await expect.poll(() => tools.textContent()).toMatch(/tools\s*\[1\]/)
    await expect.poll(() => page.locator('.member :is(.bad, .care)').count()).toBe(0)
    await tools.locator('.twist').first().click()
    await page.locator('[data-pointer="/tools/0"] .member').first().click()
    expect(JSON.parse(await selected())).toEqual(DEFINITION.tools[0])
    await write(text({ ...DEFINITION, tools: [{ name: 'A-B', description: '' }] }))
    await expect.poll(() => tools.locator('.bad').first().getAttribute('title')).toBe('2 findings')
  })

  test('an empty page offers the examples', async () => {
    await page.click('#tab-findings')
    await write('')
    await page.locator('.examples-list').getByRole('button', { name: 'production' }).click()
    await expect.poll(() => shown('#verdict')).toBe('valid agent definition')
  })

  describe('Signature', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const { document, body } = signed(publicKey, privateKey)
    beforeAll(() => page.click('#tab-signature'))

    test('verifies a signature step by step, over the canonical bytes', async () => {
      await write(text(document))
      await page.getByText('Verified: the document is unchanged').waitFor()
      await expect.poll(() => shown('[data-step="signature"]')).toMatch(/Passed/)
      const hash = createHash('sha256').update(canonical(body)).digest('hex')
      await expect.poll(() => shown('[data-step="canonical-form"]')).toContain(hash)
    })

    test('has an example with a valid signature', async () => {
      await page.selectOption('#example', 'adl')
      await page.getByText('Verified: the document is unchanged').waitFor()
      await expect.poll(() => shown('#verdict')).toMatch(/^valid agent definition/)
      await expect.poll(() => shown('[data-step="identity"]')).toBeTruthy()
    })

    test('fails if the document was changed after it was signed', async () => {
      await write(text({ ...document, description: 'Finds something else.' }))
      await page.getByText('Failed: a check failed').waitFor()
      await expect.poll(() => shown('[data-step="signature"]')).toMatch(/the document was changed after it was signed/i)
    })

    test('is unverifiable without a signature, and fetches nothing for a DID', async () => {
      await write(text({ ...DEFINITION, cryptographic_identity: { did: 'did:web:example.com' } }))
      await page.getByText('Unverifiable: no check failed').waitFor()
      expect(opened.requests.filter((url) => url.includes('example.com'))).toEqual([])
    })

    test('verifies a card by the key in its id, and reports kinds that are not signed', async () => {
      const card = await signedCard({ id: KEY_ID, did: undefined })
      await write(card)
      await page.getByText('Verified: the document is unchanged').waitFor()
      await expect.poll(() => shown('[data-step="key-authority"]')).toMatch(/id is the key itself/)
      await write(card.replace('bidirectional', 'one-way'))
      await page.getByText('Failed: a check failed').waitFor()
      await write('{"name": "x", "version": "1", "packages": []}')
      await page.getByText('Nothing in documents of this kind can be verified.').waitFor()
    })

    test('verifies metadata, and shows its fingerprint unchanged', async () => {
      const { metadata } = await build(
        { domain: 'alice.example.com', key: await generateKey('Ed25519') },
        { name: 'Alice' },
      )
      await write(JSON.stringify(metadata))
      const fingerprint = (metadata as { identity: { publicKey: { fingerprint: string } } }).identity.publicKey
        .fingerprint
      await expect.poll(() => shown('[data-step="fingerprint"]')).toContain(fingerprint)
    })

    test('a definition that was changed after it was signed grants nothing', async () => {
      await write(text({ ...document, description: 'Finds something else.' }))
      await page.click('#tab-permissions')
      await page.locator('#grants tr', { hasText: 'The whole document' }).waitFor()
      await expect.poll(() => shown('#grants tbody tr:nth-child(2)')).toMatch(/deny.*everything/)
    })
  })

  describe('Permissions', () => {
    beforeAll(async () => {
      await write(text(DEFINITION))
      await page.click('#tab-permissions')
      await page.locator('#grants table').waitFor()
    })

    const ask = async (domain: string, fields: Readonly<Record<string, string>>) => {
      await page.selectOption('#what-if-domain', domain)
      for (const [name, value] of Object.entries(fields)) await page.fill(`#what-if-${name}`, value)
      return shown('#what-if-answer')
    }

    test('lists every grant and denial', async () => {
      const rows = await page.locator('#grants tbody tr').allTextContents()
      const under = (domain: string, row: RegExp) => rows.slice(rows.indexOf(domain)).some((text) => row.test(text))
      expect(under('Network', /allow.*\*\.example\.com.*port 443/)).toBe(true)
      expect(under('Filesystem', /deny.*\/data\/secret\/\*\*/)).toBe(true)
      expect(rows[rows.indexOf('Environment') + 1]).toMatch(/deny.*everything/)
    })

    test.each([
      ['network', { host: 'api.example.com', port: '443' }, /allowed[\s\S]*\/permissions\/network\/allowed_hosts\/0/],
      ['network', { host: 'api.example.com', port: '80' }, /denied[\s\S]*\/permissions\/network\/allowed_ports/],
      ['network', { host: 'example.org', port: '443' }, /denied/],
      ['filesystem', { path: '/data/a.csv' }, /allowed[\s\S]*\/permissions\/filesystem\/allowed_paths\/0/],
      ['filesystem', { path: '/data/secret/a' }, /denied[\s\S]*\/permissions\/filesystem\/denied_paths\/0/],
      ['environment', { variable: 'PATH' }, /denied[\s\S]*Decided by the absence of a grant/],
      ['tool', { name: 'find' }, /allowed[\s\S]*\/tools\/0/],
      ['network', { host: 'example.com', port: '99999' }, /port: expected an integer from 1 to 65535/i],
    ] as const)('what if %s %o', async (domain, fields, answer) => {
      await expect.poll(() => ask(domain, fields)).toMatch(answer)
    })

    test('shows invisible characters and characters that change the text direction as such', async () => {
      const allowed_paths = [{ path: '/da\u200bta/\u202efoo/**', access: 'read' }]
      await write(text({ ...DEFINITION, permissions: { filesystem: { allowed_paths } } }))
      await expect.poll(() => shown('#grants')).toContain('/da\ufffdta/\ufffdfoo/**')
      for (const tab of ['findings', 'outline', 'permissions']) {
        await page.click(`#tab-${tab}`)
        expect(await shown(`#view-${tab}`)).not.toMatch(/[\u200b\u202e]/)
      }
      await write(text(DEFINITION))
    })

    test('shows settings and the compared definition side by side', async () => {
      await write('{"permissions": {"allow": ["mcp__mail"], "ask": ["Bash(git push *)"]}}')
      const rows = () => page.locator('#matrix tbody tr').allTextContents()
      await expect.poll(rows).toContain('git push *? asks ask/0')
      expect(await page.isVisible('#grants-part')).toBe(false)
      await expect.poll(() => ask('execution', { command: 'git push' })).toMatch(/asks.*\/permissions\/ask\/0/)
      await page.fill(
        '#other',
        text({ ...DEFINITION, tools: [{ name: 'mcp__mail__send', requires_confirmation: true }] }),
      )
      await expect.poll(rows).toContain('mcp__mail__senddiffers✓ allowed allow/0? asks /tools/0/requires_confirmation')
      await page.getByRole('button', { name: '/tools/0/requires_confirmation' }).click()
      const chosen = await page.$eval('#other', (area: HTMLTextAreaElement) =>
        area.value.slice(area.selectionStart, area.selectionEnd),
      )
      expect(chosen).toBe('true')
      expect(await violations(page, "'#result'")).toEqual([])
      await page.fill('#other', '')
      await write(text(DEFINITION))
      await expect.poll(rows).toContain('read /data/secret/**✕ denied filesystem/denied_paths/0')
    })

    test('a button goes to the value that decided', async () => {
      await ask('network', { host: 'api.example.com', port: '80' })
      await page.locator('#what-if-answer .link').click()
      expect(JSON.parse(await selected())).toEqual([443])
    })
  })

  test('Prompt renders with the filled-in values, and refuses invalid ones', async () => {
    await write(text(DEFINITION))
    await page.click('#tab-prompt')
    await expect.poll(() => shown('#prompt-text')).toBe('You work for Acme.')
    await page.fill('[name="company"]', 'Example Ltd')
    await expect.poll(() => shown('#prompt-text')).toBe('You work for Example Ltd.')
    await page.fill('[name="company"]', '{{system}}')
    await expect.poll(() => shown('#prompt-remarks')).toMatch(/✕/)
    await expect.poll(() => page.isVisible('#prompt-text')).toBe(false)
    await page.selectOption('#prompt-choice', { label: 'greet' })
    await expect.poll(() => shown('#prompt-remarks')).toMatch(/ADL-1006/)
    await page.fill('[name="who"]', 'Ada')
    await page.fill('[name="times"]', '3')
    await expect.poll(() => shown('#prompt-text')).toBe('Greet Ada, 3 times.')
    await page.fill('[name="times"]', 'many')
    await expect.poll(() => shown('#prompt-remarks')).toMatch(/times/)
  })

  test('Convert makes an A2A card and an MCP description, reports every member, and converts them back', async () => {
    const made = () => page.textContent('#converted pre').then((text) => JSON.parse(text!))
    await write(text(DEFINITION))
    await page.click('#tab-convert')
    await page.fill('#convert-url', 'https://scout.example.com/a2a')
    await expect
      .poll(made)
      .toMatchObject({ name: 'Scout', supportedInterfaces: [{ url: 'https://scout.example.com/a2a' }] })
    await expect.poll(() => page.textContent('#loss')).toMatch(/dropped.*\/permissions/s)
    await page.selectOption('#convert-target', 'mcp-2025-11-25')
    await expect.poll(made).toMatchObject({ 'tools/list': { tools: [{ name: 'find' }] } })
    await page.selectOption('#convert-target', 'a2a-1.0')
    await page.getByRole('button', { name: 'Open in the editor' }).click()
    await expect.poll(() => shown('#verdict')).toBe('valid A2A card')
    await expect.poll(made).toMatchObject({ adl_spec: '0.1.0', name: 'Scout', tools: [{ name: 'find' }] })
  })

  test('Convert shows the fields that the target uses, names the field of an invalid value, and reports when it uses an example', async () => {
    await write(text(DEFINITION))
    await page.click('#tab-convert')
    await page.fill('#convert-url', '')
    await page.selectOption('#convert-target', 'a2a-1.0')
    await page.locator('#convert-url').waitFor()
    await expect.poll(() => page.isVisible('#convert-id')).toBe(false)
    await expect
      .poll(() => shown('#converted'))
      .toContain('“The agent’s URL” is empty, so the example https://agents.example.com/a2a is used')
    await page.selectOption('#convert-target', 'card')
    await page.fill('#convert-id', 'agent://scout')
    const card = () => page.textContent('#converted pre').then((text) => JSON.parse(text!))
    await expect.poll(card).toMatchObject({ id: 'agent://scout', name: 'Scout' })
    const made = await card()
    await page.fill('#convert-id', 'scout')
    await expect.poll(() => shown('#converted')).toContain('“The agent’s id”: expected an agent:// URI')
    await page.fill('#convert-id', '')
    await write(text({ ...made, endpoints: [{ protocol: 'http+json', uri: 'https://own.example.com' }] }))
    await expect.poll(() => shown('#converted pre')).toContain('https://own.example.com')
  })

  test('[adl/17.1-22] a fragment that is a JSON Pointer selects that place, alone and after a document', async () => {
    await write(text(DEFINITION))
    await page.evaluate(() => (location.hash = '#/tools/0/name'))
    await page.waitForFunction(() => document.activeElement?.id === 'source')
    await expect.poll(() => selected()).toBe('"find"')
    const linked = `#v1p=${Buffer.from('{"a": {"b c": [1, 22]}}').toString('base64url')}/a/b%20c/1`
    await page.evaluate((hash) => (location.hash = hash), linked)
    await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('{"a"'))
    await page.waitForFunction(() => document.activeElement?.id === 'source')
    await expect.poll(() => selected()).toBe('22')
    await page.evaluate(() => history.replaceState(null, '', '#'))
  })

  describe('hostile documents', () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    const hostile = {
      ...DEFINITION,
      name: '<script>globalThis.hurt = 1</script><img src=x onerror="globalThis.hurt = 1">',
    }
    const HOSTILE: Readonly<Record<string, string>> = {
      'a thousand findings': text({
        ...DEFINITION,
        tools: Array.from({ length: 1000 }, (_, i) => ({ name: `T-${i}` })),
      }),
      'a megabyte in one line': JSON.stringify({ ...DEFINITION, x_note: 'x'.repeat(1_000_000) }),
      'nesting without end': deep,
      'nesting without end in YAML': `a: ${'['.repeat(5000)}`,
      markup: text(hostile),
      'members of a prototype': '{"adl_spec": "0.1.0", "__proto__": {"tools": 1}, "constructor": {"prototype": []}}',
      'ill-typed members': '{"adl_spec": 1, "tools": {}, "permissions": [], "prompts": 7, "system_prompt": [1]}',
    }

    test.each(Object.keys(HOSTILE))('%s: draws every view, within bounds', async (name) => {
      const effort = await effortOf(page, async () => {
        await put(page, HOSTILE[name]!)
        const bytes = Buffer.byteLength(HOSTILE[name]!).toLocaleString('en-US')
        await expect.poll(() => shown('#source-size')).toContain(`${bytes} byte`)
        for (const tab of await page.getByRole('tab').all()) await tab.click()
        await page.click('#tab-findings')
        await expect.poll(() => page.locator('#result *').count()).toBeLessThan(12_000)
      })
      expect(await page.evaluate(() => 'hurt' in globalThis)).toBe(false)
      expect(effort).toBeLessThan(5000)
    })

    test('draws 100 of 1,000 findings, and counts all', async () => {
      await put(page, HOSTILE['a thousand findings']!)
      await page.locator('#finding-rest').waitFor()
      await expect.poll(() => page.locator('#finding-list li').count()).toBe(100)
      await expect.poll(() => shown('#finding-rest')).toMatch(/^and [\d,]+ more findings$/)
    })
  })

  describe('the editor', () => {
    test('marks findings, applies fixes and undoes them', async () => {
      const { page } = await visit('', { editor: 'rich' })
      await page.locator('#editor[data-kind="rich"]').waitFor()
      expect(await page.locator('.cm-content').evaluate((content) => getComputedStyle(content).tabSize)).toBe('2')
      await page.selectOption('#example', 'faulty')
      // It draws an underline and a mark in the gutter, in addition to the list.
      await page.locator('.cm-lintRange-error').first().waitFor()
      await expect.poll(() => page.locator('.cm-lint-marker-error').count()).toBeGreaterThan(2)
      await page.locator('.cm-lintRange-error', { hasText: 'confidental' }).hover()
      await page.getByText('found the string').last().waitFor()
      await page
        .locator('#finding-list li', { hasText: 'confidental' })
        .getByRole('button', { name: /^Apply/ })
        .click()
      await page.locator('.cm-line', { hasText: 'sensitivity: "confidential"' }).waitFor()
      await page.keyboard.press('Control+z')
      await page.locator('.cm-line', { hasText: 'confidental' }).waitFor()
      await page.click('#plain')
      await expect.poll(() => page.inputValue('#source')).toContain('confidental')
    })

    test('keeps the text, the selection and the focus of the reader', async () => {
      const { page } = await visit()
      await page.selectOption('#example', 'production')
      await page.evaluate(() => (location.hash = '#/metadata/license'))
      await page.waitForFunction(() => document.activeElement?.id === 'source')
      const before = await page.$eval('#source', ({ selectionStart, selectionEnd }: HTMLTextAreaElement) => [
        selectionStart,
        selectionEnd,
      ])
      await page.click('#plain')
      await page.locator('#editor[data-kind="rich"]').waitFor()
      await page.locator('.cm-activeLine', { hasText: '"license": "Apache-2.0"' }).waitFor()
      await page.click('#plain')
      const after = await page.$eval('#source', ({ selectionStart, selectionEnd }: HTMLTextAreaElement) => [
        selectionStart,
        selectionEnd,
      ])
      expect(after).toEqual(before)
    })

    test('falls back to the plain text area if it cannot be loaded', async () => {
      const { page, close } = await visit('', { own: {} })
      await page.context().route(/app-codemirror/, (route) => route.abort())
      await page.evaluate(() => localStorage.clear())
      await page.reload()
      await page.fill('#source', '[1, 2,]')
      await expect.poll(() => page.textContent('#verdict')).toBe('1 error')
      await close()
    })
  })
})
