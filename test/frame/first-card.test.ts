// What a newcomer does, by the library: a card is begun, signed, verified, stored and found.
import { expect, test } from 'vitest'
import { publicKeyMember } from '../../bindings/adl/signature/public-key.ts'
import { newDefinition } from '../../bindings/adl/templates.ts'
import { agentIdOf } from '../../bindings/card/index.ts'
import { newCard } from '../../bindings/card/templates.ts'
import { createDirectory, createMemoryStore } from '../../bindings/directory/index.ts'
import { sign, validate, verify } from '../../bindings/index.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { FORMS, KEY } from '../card/support.ts'

const now = new Date()

test('the id of a key is its peer id in base32', async () => {
  expect(await agentIdOf(KEY)).toBe(`agent://${FORMS['libp2p peer id in base32']}`)
  expect(await agentIdOf(KEY.publicKey)).toBe(await agentIdOf(KEY))
  await expect(agentIdOf(await generateKey('ES256'))).rejects.toMatchObject({ code: 'KEY-103' })
})

test('an Agent Card', async () => {
  const key = await generateKey()
  const begun = newCard('minimal', 'Scout', { now, id: await agentIdOf(key) })
  const card = JSON.stringify({
    ...begun,
    description: 'Finds papers about mollusks.',
    skills: ['retrieval/web-search'],
  })
  expect(validate(card).diagnostics.map(({ rule }) => rule)).toEqual(['no-signature'])
  const { bytes, diagnostics } = await sign(card, key)
  expect(diagnostics).toEqual([])
  expect(validate(bytes!).diagnostics).toEqual([])
  expect((await verify(bytes!)).verdict).toBe('verified')
  const directory = createDirectory({ store: createMemoryStore() })
  expect(await directory.advertise(bytes!)).toMatchObject({ stored: true })
  const { results } = directory.discover({ query: 'mollusks' })
  expect(results.map(({ agent_card }) => agent_card.id)).toEqual([begun.id])
})

test('an agent definition', async () => {
  const key = await generateKey()
  const publicKey = await publicKeyMember(key, 'Ed25519')
  const { bytes, diagnostics } = await sign(JSON.stringify(newDefinition('minimal', 'Scout', { now, publicKey })), key)
  expect([diagnostics, (await verify(bytes!)).verdict]).toEqual([[], 'verified'])
})

test('$schema is a member like others: it is no fault, and a signature covers it', async () => {
  for (const begun of [
    newCard('minimal', 'Scout', { now, id: await agentIdOf(KEY) }),
    newDefinition('minimal', 'Scout', { now, publicKey: await publicKeyMember(KEY, 'Ed25519') }),
  ]) {
    const document = { ...begun, $schema: 'https://agents.example.com/schema/x.json' }
    const found = validate(JSON.stringify(document)).diagnostics
    expect(found.filter(({ source }) => source.pointer.startsWith('/$schema'))).toEqual([])
    const { bytes } = await sign(JSON.stringify(document), KEY)
    expect((await verify(bytes!)).verdict).toBe('verified')
    const other = new TextDecoder().decode(bytes).replace('/schema/x.json', '/schema/y.json')
    expect((await verify(other)).verdict).toBe('failed')
  }
})
