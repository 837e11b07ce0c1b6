// The official A2A SDK verifies signatures made here, and the other way round.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sign, verify } from '../../bindings/a2a/index.ts'
import { type PresenceRule, presentMembers } from '../../bindings/a2a/jws.ts'
import { convert } from '../../bindings/convert/index.ts'
import { canonicalizeValue, validate } from '../../bindings/index.ts'
import { exportKey, generateKey, type PrivateKey } from '../../bindings/keys/index.ts'
import { at, FULL, type Json, places, published } from '../convert/samples.ts'
import { peer } from '../support/peers.mjs'
import { CURRENT } from './samples.ts'

interface Sdk {
  generateAgentCardSignature(key: KeyObject, protectedHeader: object, header?: object): (card: unknown) => Promise<Json>
  verifyAgentCardSignature(
    retrieve: (kid: string, jku?: string) => Promise<KeyObject>,
  ): (card: unknown) => Promise<void>
  canonicalizeAgentCard(card: unknown): string
}

let sdk: Sdk | undefined
beforeAll(async () => {
  try {
    sdk = await peer('@a2a-js/sdk', 'sdk')
  } catch (error) {
    console.warn(`NOT RUN: signatures of A2A cards held against the SDK: ${(error as Error).message}`)
  }
})

const KEYS = await Promise.all(
  (['Ed25519', 'ES256', 'ES384', 'RS256', 'PS256'] as const).map(async (algorithm) => ({
    algorithm,
    alg: algorithm === 'Ed25519' ? 'EdDSA' : algorithm,
    key: await generateKey(algorithm),
  })),
)
const [first] = KEYS
const pem = async (key: PrivateKey) => exportKey(key, 'pem')
const publicObject = async (key: PrivateKey) => createPublicKey(await exportKey(key.publicKey, 'pem'))
const made = (source: Json) =>
  convert(JSON.stringify(source), { to: 'a2a-1.0', url: 'https://agents.example.com/x' }).document!.value as Json

const CARDS: readonly (readonly [string, Json])[] = [
  ['every member', CURRENT as unknown as Json],
  ['empty capabilities', { ...CURRENT, capabilities: {} }],
  [
    'other scripts',
    {
      ...CURRENT,
      name: '翻訳 😀',
      description: '\u20ac\u2028"\\',
      skills: CURRENT.skills.map((skill) => ({ ...skill, name: 'é' })),
    },
  ],
  [
    'empty values everywhere',
    {
      ...CURRENT,
      documentationUrl: '',
      iconUrl: '',
      signatures: [],
      securityRequirements: [],
      provider: { organization: 'A', url: 'https://a.example' },
    },
  ],
  ...[...published(), ['full', FULL] as const].map(
    ([name, definition]) => [`made of ${name}`, made(definition)] as const,
  ),
]

async function readThere(card: unknown, key: PrivateKey): Promise<boolean> {
  const publicKey = await publicObject(key)
  const debug = console.debug
  console.debug = () => undefined
  try {
    return await sdk!
      .verifyAgentCardSignature(async () => publicKey)(card)
      .then(
        () => true,
        () => false,
      )
  } finally {
    console.debug = debug
  }
}

const rulesOf = (steps: Awaited<ReturnType<typeof verify>>['steps']) =>
  steps.find(({ name }) => name === 'rules')?.data?.['rules'] as PresenceRule[] | undefined

describe.each(CARDS)('%s', (_, card) => {
  test('[card/a2a.8.4-1] verifies with the SDK after signing here', async () => {
    if (sdk === undefined) return
    const { bytes } = await sign(JSON.stringify(card), first!.key, { kid: 'key-1' })
    const signed = JSON.parse(new TextDecoder().decode(bytes))
    expect(await readThere(signed, first!.key)).toBe(true)
    expect(await readThere({ ...signed, name: 'Other' }, first!.key)).toBe(false)
  })

  test('[card/a2a.8.4-2] verifies here after signing with the SDK, and the proof names the rules', async () => {
    if (sdk === undefined) return
    const key = createPrivateKey(await pem(first!.key))
    const signed = await sdk.generateAgentCardSignature(key, { alg: 'EdDSA', kid: 'key-1', typ: 'JOSE' })(card)
    const { verdict, steps } = await verify(JSON.stringify(signed), { expect: { keys: [first!.key.publicKey] } })
    expect(verdict).toBe('verified')
    expect(rulesOf(steps)).toContain('sdk')
    const changed = await verify(JSON.stringify({ ...signed, version: '9.9.9' }), {
      expect: { keys: [first!.key] },
    })
    expect(changed.verdict).toBe('failed')
  })
})

test('[card/a2a.8.4-2] the SDK removes the same members as we do, wherever an odd value is', () => {
  if (sdk === undefined) return
  const wrong: unknown[] = []
  let compared = 0
  for (const place of places(CURRENT)) {
    for (const odd of ['', 'x', false, true, [], {}, [''], ['x'], { a: null, b: [[]] }, { a: false, b: 0 }]) {
      const card = structuredClone(CURRENT) as unknown as Json
      const parent = at(card, place.slice(0, place.lastIndexOf('/'))) as Json
      parent[place.slice(place.lastIndexOf('/') + 1).replaceAll('~1', '/')] = odd
      // The SDK converts values of a wrong type.
      const { diagnostics } = validate(JSON.stringify(card), { as: 'a2a' })
      if (diagnostics.some(({ rule }) => /member-type|unknown|legacy|missing|scheme-kind|enum/.test(rule))) continue
      if (card['supportedInterfaces'] === undefined) continue
      compared++
      const { value } = presentMembers(card, '1.0', 'sdk')
      const ours = new TextDecoder().decode(canonicalizeValue(value))
      if (ours !== sdk.canonicalizeAgentCard(card)) wrong.push([place, odd, ours, sdk.canonicalizeAgentCard(card)])
    }
  }
  // The SDK accepts the names of proto.
  for (const place of places(CURRENT)) {
    const card = structuredClone(CURRENT) as unknown as Json
    const parent = at(card, place.slice(0, place.lastIndexOf('/'))) as Json
    const name = place.slice(place.lastIndexOf('/') + 1)
    if (Array.isArray(parent) || !/[A-Z]/.test(name) || name.startsWith('X-')) continue
    parent[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = parent[name]
    delete parent[name]
    const ours = new TextDecoder().decode(canonicalizeValue(presentMembers(card, '1.0', 'sdk').value))
    if (ours !== sdk.canonicalizeAgentCard(card)) wrong.push([place, ours, sdk.canonicalizeAgentCard(card)])
  }
  expect(wrong).toEqual([])
  expect(compared).toBeGreaterThan(150)
})

test.each(KEYS)('[card/a2a.8.4-1] $algorithm works in both directions', async ({ alg, algorithm, key }) => {
  if (sdk === undefined) return
  const { bytes } = await sign(JSON.stringify(CURRENT), key, { algorithm })
  expect(await readThere(JSON.parse(new TextDecoder().decode(bytes)), key)).toBe(true)
  const signed = await sdk.generateAgentCardSignature(createPrivateKey(await pem(key)), { alg, kid: 'k', typ: 'JOSE' })(
    CURRENT,
  )
  const proof = await verify(JSON.stringify(signed), { expect: { keys: [key.publicKey] } })
  expect(proof.verdict).toBe('verified')
})
