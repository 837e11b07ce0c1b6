// The first steps of a new user with the library: create, sign, verify, store and find a card.
import { describe, expect, test } from 'vitest'
import { publicKeyMember } from '../../bindings/adl/signature/keys.ts'
import { newDefinition } from '../../bindings/adl/templates.ts'
import { agentIdOf } from '../../bindings/card/index.ts'
import { newCard } from '../../bindings/card/templates.ts'
import { createDirectory, createMemoryStore } from '../../bindings/directory/index.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { sign, validate, verify } from '../../bindings/index.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { build } from '../../bindings/wellknown/build.ts'
import { invite } from '../../bindings/wellknown/invite/verbs.ts'
import { CURRENT } from '../a2a/samples.ts'
import { FORMS, KEY, OTHER_KEY } from '../card/support.ts'

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

test('accepts $schema, and a signature covers it', async () => {
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

describe('hints tell the user what to do after a mistake', async () => {
  const domain = 'alice.example.com'
  const documents: Readonly<Record<string, object>> = {
    adl: newDefinition('minimal', 'Scout', { now, publicKey: await publicKeyMember(KEY, 'Ed25519') }),
    card: newCard('minimal', 'Scout', { now, id: await agentIdOf(KEY) }),
    a2a: CURRENT,
    wellknown: (await build({ domain, key: KEY }, { name: 'Alice' })).metadata!,
    invite: await invite({ domain, key: KEY }, { expires: new Date(now.getTime() + 60_000) }),
  }
  const hints = (found: readonly Diagnostic[]) => found.map(({ code, fix }) => `${code}: ${fix?.hint}`)
  const refusals = async (source: string | Uint8Array, options = {}) => {
    const { verdict, steps } = await verify(source, options)
    const found = steps.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown')
    return { verdict, hints: hints(found.flatMap(({ diagnostic }) => diagnostic ?? [])) }
  }
  const options = { expect: { keys: [KEY] } }

  test.each(Object.entries(documents))('%s: unsigned, or changed after signing', async (_, document) => {
    const unsigned = await refusals(JSON.stringify(document), options)
    expect(unsigned.verdict).toBe('unverifiable')
    expect(unsigned.hints.join()).toMatch(/^[A-Z]+-1\d\d: its author signs it: blazon sign FILE --key KEY --out FILE$/)
    const { bytes } = await sign(JSON.stringify(document), KEY)
    const text = new TextDecoder().decode(bytes)
    const changed = await refusals(text.replace(/"(name|expires)":"/, '$&x'), options)
    expect(changed.verdict).toBe('failed')
    expect(changed.hints.join()).toContain('sign it again: blazon sign FILE --key KEY')
  })

  test.each([
    ['adl', 'KEY-132', '--embed-key'],
    ['card', 'CARD-158', `write "id": "${await agentIdOf(OTHER_KEY)}"`],
    ['wellknown', 'WK-154', 'blazon init --kind wellknown --key KEY'],
    ['invite', 'INV-153', 'whose fingerprint stands in pubkey'],
  ])('%s: signed with a key that it does not name', async (kind, code, way) => {
    const { bytes, diagnostics } = await sign(JSON.stringify(documents[kind]), OTHER_KEY)
    expect([bytes, diagnostics.map((found) => found.code)]).toEqual([undefined, [code]])
    expect(diagnostics[0]!.fix?.hint).toMatch(/^sign with /)
    expect(diagnostics[0]!.fix?.hint).toContain(way)
  })

  test('an A2A card, verified without a key', async () => {
    const { bytes } = await sign(JSON.stringify(CURRENT), KEY)
    const found = await refusals(bytes!)
    expect(found.verdict).toBe('unverifiable')
    expect(new Set(found.hints)).toEqual(
      new Set(['CARD-189: verify with the public key of the signer: blazon verify FILE --key KEY']),
    )
  })

  test('a document of an unknown kind gets no finding about missing members of a definition', async () => {
    const { steps } = await verify('{"foo": 1}')
    const [found] = steps.flatMap(({ diagnostic }) => diagnostic ?? [])
    expect([found?.code, found?.source.pointer]).toEqual(['KEY-120', ''])
    expect(found?.fix?.hint).toContain('blazon validate FILE')
  })
})
