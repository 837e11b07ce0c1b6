// A first card is made, signed, verified, published and found, by a program and with the page. For the command line, see
// command-line.test.ts.
import { beforeAll, expect, test } from 'vitest'
import { agentIdOf, sign, validate, verify } from '../../../bindings/card/index.ts'
import { newCard } from '../../../bindings/card/templates.ts'
import { generateKey } from '../../../bindings/keys/index.ts'
import { browser, foreign, visit } from '../../page/browser.ts'
import type { Runtime } from '../../support/runtime.ts'
import { workersOf } from '../../support/workers.ts'
import { post } from './ordeal.ts'

const workers = workersOf()
let runtime: Runtime

beforeAll(async () => {
  runtime = await workers.start()
})

interface Found {
  readonly results: { readonly agent_card: { readonly id: string }; readonly standing: string }[]
}

/** Publishes a card without a token, and finds it by a word that only this card has. */
async function publishAndSearch(card: string, query: string): Promise<Found['results']> {
  const { status, body } = await post<object>(runtime, '/adp/advertise', card)
  expect([status, body]).toEqual([200, expect.objectContaining({ stored: true, reason: 'first' })])
  return (await post<Found>(runtime, '/adp/discover', JSON.stringify({ query }))).body.results
}

const FILLED_IN = { skills: ['retrieval/web-search'] }

test('with the library', async () => {
  const key = await generateKey('Ed25519')
  const id = await agentIdOf(key)
  const begun = newCard('minimal', 'Scout', { now: new Date(), id })
  expect(validate(JSON.stringify(begun)).diagnostics.map(({ code }) => code)).toContain('CARD-149')
  const filled = { ...begun, ...FILLED_IN, description: 'Finds papers about mollusks.' }
  const signed = await sign(JSON.stringify(filled), key)
  expect(signed.diagnostics).toEqual([])
  expect((await verify(signed.bytes!)).verdict).toBe('verified')
  const [found, ...others] = await publishAndSearch(new TextDecoder().decode(signed.bytes), 'mollusks')
  expect([found!.agent_card.id, found!.standing, others]).toEqual([id, 'signature', []])
  expect((await verify(JSON.stringify(found!.agent_card))).verdict).toBe('verified')
})

test.runIf(browser.available)('with the page, which sends nothing itself', async () => {
  const opened = await visit()
  const { page } = opened
  const begun = newCard('minimal', 'Scout', { now: new Date() })
  const filled = { ...begun, ...FILLED_IN, description: 'Finds letters about limpets.' }
  await page.fill('#source', JSON.stringify(filled, null, 2))
  await page.click('#tab-signature')
  await page.getByRole('button', { name: 'Make a key' }).click()
  const own = page.locator('#own-key p', { hasText: 'Agent id' }).locator('code')
  await own.waitFor()
  await page.getByRole('button', { name: 'Write it into the card' }).click()
  const id = (await own.textContent())!
  const source = () => page.inputValue('#source')
  await expect.poll(source).toContain(`"id": "${id}"`)
  await page.getByRole('button', { name: 'Sign this document' }).click()
  await expect.poll(source).toContain('"signature"')
  await expect.poll(() => page.locator('#proof .outcome').textContent()).toMatch(/^✓ Verified/)
  const [found, ...others] = await publishAndSearch(await source(), 'limpets')
  expect([found!.agent_card.id, found!.standing, others]).toEqual([id, 'signature', []])
  expect(foreign(opened)).toEqual([])
})
