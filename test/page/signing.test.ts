// Keys that the page makes, and documents that it signs: the command line reads both.
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convert } from '../../bindings/convert/index.ts'
import { verify } from '../../bindings/verify.ts'
import { KEY_ID } from '../card/support.ts'
import { blazon } from '../cli/terminal.ts'
import { RICH } from '../convert/cards.ts'
import { browser, foreign, type Visit, visit } from './browser.ts'

const DEFINITION = `{
  "adl_spec": "0.1.0",
  "name": "Scout",
  "description": "Finds what was asked for.",
  "version": "1.0.0",
  "data_classification": { "sensitivity": "public" }
}
`
const A2A = new TextDecoder().decode(
  convert(JSON.stringify(RICH), { to: 'a2a-1.0', carry: 'nothing', binding: 'HTTP+JSON' }).document!.bytes,
)

let opened: Visit
let page: Page

const source = () => page.inputValue('#source')
const proof = () => page.locator('#proof .outcome').textContent()

/** The content of the file that a button downloads; checks its name. */
async function downloaded(name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${name}` }).click(),
  ])
  expect(file.suggestedFilename()).toBe(name)
  return readFileSync(await file.path(), 'utf8')
}

async function sign(text: string): Promise<string> {
  await page.fill('#source', text)
  await page.getByRole('button', { name: 'Sign this document' }).click()
  await expect.poll(source).not.toBe(text)
  return source()
}

describe.runIf(browser.available)('keys and signatures of the page', () => {
  beforeAll(async () => {
    opened = await visit()
    page = opened.page
    await page.fill('#source', DEFINITION)
    await page.click('#tab-signature')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('Ed25519, thumbprint (RFC 7638)').waitFor()
  })
  afterAll(() => {
    expect(opened.errors).toEqual([])
    expect(foreign(opened)).toEqual([])
  })

  test('a signed document verifies here and on the command line, which derives the same public key', async () => {
    const signed = await sign(DEFINITION)
    await expect.poll(proof).toMatch(/^✓ Verified/)
    const key = await downloaded('agent.key')
    const half = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' })
    expect(await downloaded('agent.pub')).toBe(half)
    const files = { 'a.json': DEFINITION, 'agent.key': key }
    const again = await blazon(['sign', 'a.json', '--key', 'agent.key', '--embed-key'], { files })
    expect(signed).toBe(again.stdout)
    expect((await blazon(['verify', '-'], { stdin: signed })).code).toBe(0)
  })

  test('a card gets the id of the key, and verifies by it', async () => {
    await page.selectOption('#example', 'card')
    const { signature, ...card } = JSON.parse(await source())
    expect(signature).toHaveLength(86)
    await page.fill('#source', JSON.stringify(card, null, 2))
    const id = await page.locator('#own-key p', { hasText: 'Agent id' }).locator('code').textContent()
    await page.getByRole('button', { name: 'Write it into the card' }).click()
    await expect.poll(source).toContain(`"id": "${id}"`)
    await expect.poll(() => page.getByRole('button', { name: 'Write it into the card' }).count()).toBe(0)
    const signed = await sign(await source())
    await expect.poll(proof).toMatch(/^✓ Verified/)
    expect((await blazon(['verify', '-'], { stdin: signed })).code).toBe(0)
    // A card with changed content needs another seq.
    await page.fill('#source', signed.replace('"name": "', '"name": "X'))
    await page.getByRole('button', { name: 'Sign this document' }).click()
    await page.locator('#signing').getByText('raise seq').waitFor()
  })

  test('a document without a key is verified with the key of the page', async () => {
    await sign(A2A)
    await page.getByText('it was verified with the one below').waitFor()
    await expect.poll(proof).toMatch(/^✓ Verified/)
  })

  test('does not sign a card whose id is another key', async () => {
    await page.fill('#source', JSON.stringify({ id: KEY_ID, name: 'x', seq: 1 }))
    await page.getByRole('button', { name: 'Sign this document' }).click()
    await page.locator('#signing').getByText('is another key than the one that signs').waitFor()
  })

  test('a button replaces the key that a definition names by the one that signs', async () => {
    await page.selectOption('#example', 'adl')
    await page.getByRole('button', { name: 'Sign this document' }).click()
    const before = await source()
    await page.getByRole('button', { name: 'Name this key in the document' }).click()
    await expect.poll(source).not.toBe(before)
    const { verdict } = await verify(await source())
    expect(verdict).toBe('verified')
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(source).toBe(before)
  })

  test('Undo restores a key that was replaced or removed', async () => {
    const thumbprint = () => page.locator('#own-key code').first().textContent()
    const undo = () => page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await page.fill('#source', DEFINITION)
    const own = await thumbprint()
    await page.getByRole('button', { name: 'Make a key' }).click()
    await expect.poll(thumbprint).not.toBe(own)
    await undo()
    await expect.poll(thumbprint).toBe(own)
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.locator('#own-key code').waitFor({ state: 'detached' })
    await undo()
    await expect.poll(thumbprint).toBe(own)
  })

  test('text that is written during signing stays, and is not signed', async () => {
    await page.fill('#source', DEFINITION)
    const typed = DEFINITION.replace('Scout', 'Rover')
    await page.evaluate((typed) => {
      const press = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Sign this document')!
      press.click()
      const area = document.querySelector<HTMLTextAreaElement>('#source')!
      area.value = typed
      area.dispatchEvent(new Event('input'))
    }, typed)
    await page.locator('#toast').getByText('changed meanwhile').waitFor()
    expect(await source()).toBe(typed)
  })

  test('Undo of signing restores the document as it was written', async () => {
    const written = `adl_spec: 0.1.0 # mine
name: Scout
description: Finds papers.
version: 1.0.0
data_classification: { sensitivity: public }
`
    await sign(written)
    await page.locator('#toast').getByText('The document is signed.').waitFor()
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(source).toBe(written)
  })

  test('asks before the page is closed while it has an unsaved key', async () => {
    const { page: other, close } = await visit('', { own: {} })
    const asked: string[] = []
    other.on('dialog', (dialog) => {
      asked.push(dialog.type())
      dialog.accept()
    })
    await other.fill('#source', DEFINITION)
    await other.click('#tab-signature')
    await other.getByRole('button', { name: 'Make a key' }).click()
    await other.getByText('Ed25519, thumbprint (RFC 7638)').waitFor()
    await other.reload()
    expect(asked).toEqual(['beforeunload'])
    await other.fill('#source', DEFINITION)
    await other.click('#tab-signature')
    await other.getByRole('button', { name: 'Make a key' }).click()
    const file = other.waitForEvent('download')
    await other.getByRole('button', { name: 'Download agent.key' }).click()
    await file
    await other.reload()
    expect(asked).toHaveLength(1)
    await close()
  })

  test('saves the key nowhere: not in the browser, not in a link', async () => {
    const key = await downloaded('agent.key')
    const secret = key.split('\n')[1]!
    await sign(DEFINITION)
    await page.click('#share')
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#v1/)
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(kept).not.toContain(secret)
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(secret)
    await page.reload()
    await page.click('#tab-signature')
    await page.locator('#signature:not([inert]) #make-key').waitFor()
    expect(await page.getByRole('button', { name: 'Sign this document' }).count()).toBe(0)
  })

  test('Signature opens a key file, the editor refuses it', async () => {
    const [{ stdout }, pub] = [await blazon(['keygen']), createPublicKey]
    const pem = stdout.slice(0, stdout.indexOf('-----BEGIN PUBLIC'))
    const file = (text: string) => ({ name: 'agent.key', mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page.setInputFiles(
      '#key-file',
      file(pub(createPrivateKey(pem)).export({ type: 'spki', format: 'pem' }) as string),
    )
    await page.locator('#toast').getByText('expected a private key').waitFor()
    await page.setInputFiles('#key-file', file(pem))
    await page.getByText('Ed25519, thumbprint (RFC 7638)').waitFor()
    const before = await source()
    await page.setInputFiles('#file', file(pem))
    await page.locator('#toast').getByText('agent.key contains a private key').waitFor()
    expect(await source()).toBe(before)
  })

  // RFC 8037 appendix A.1, and its public key in A.2.
  test('the editor refuses a private key as JWK, alone or in a set, but not a public one', async () => {
    const key = {
      kty: 'OKP',
      crv: 'Ed25519',
      d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    }
    const { d: _, ...half } = key
    const before = await source()
    for (const [name, value] of Object.entries({ 'key.json': key, 'set.json': { keys: [half, key] } })) {
      await page.setInputFiles('#file', {
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(value)),
      })
      await page.locator('#toast').getByText(`${name} contains a private key`).waitFor()
      expect(await source()).toBe(before)
    }
    const buffer = Buffer.from(JSON.stringify(half))
    await page.setInputFiles('#file', { name: 'half.json', mimeType: 'application/json', buffer })
    await expect.poll(() => source()).toContain('11qYAYKxCrfVS')
  })
})
