// Metadata built from parts: it equals the draft's example, and causes no findings.
import { describe, expect, test } from 'vitest'
import { importKey } from '../../bindings/keys/index.ts'
import { build, sign, validate, verify } from '../../bindings/wellknown/index.ts'
import { CLEAN, FULL, SEED } from './clean.ts'

const key = await importKey(Uint8Array.from(Buffer.from(SEED, 'hex')), { format: 'raw-private' })
const ALICE = { domain: 'Alice.Example.com', key }
const DEFINITION = {
  adl_spec: '0.1',
  name: 'Reviewer',
  description: 'Reviews code.',
  tools: [
    { name: 'review', description: 'Reviews a change.', parameters: { type: 'object' }, returns: { type: 'object' } },
    { name: 'greet', description: 'Says hello.' },
  ],
}

const found = (value: object | undefined) =>
  validate(JSON.stringify(value), { ruleset: 'security' }).diagnostics.map(({ rule }) => rule)

describe('[wellknown/6.3.1-1] [wellknown/6.3.2-4] [wellknown/6.3.3-1] the parts of the draft’s example', () => {
  test('give the example', async () => {
    const { dns: _, identity, capabilities, endpoints, security } = CLEAN
    const { pricing: __, ...free } = capabilities[0]!
    const { chat, tasks, swarm } = endpoints
    const options = {
      name: identity.name,
      capabilities: [free],
      pricing: { model: 'free' },
      endpoints: { chat, tasks, swarm },
      rateLimit: security.rateLimit,
    }
    const { metadata, diagnostics } = await build(ALICE, options)
    expect(diagnostics).toEqual([])
    const full = `${FULL}\n`
    const publicKey = { ...identity.publicKey, full }
    expect(metadata).toEqual({
      protocol: 'ADP/1.1',
      identity: { ...identity, publicKey },
      endpoints,
      capabilities,
      security,
    })
    expect(found(metadata)).toEqual([])
  })

  test('verify after signing', async () => {
    const { metadata } = await build(ALICE, { name: 'Alice' })
    const { bytes } = await sign(metadata!, key)
    const { verdict } = await verify(bytes!, { expect: { id: 'agent:alice.example.com', keys: [FULL] } })
    expect(verdict).toBe('verified')
  })
})

test('[wellknown/6.3.4-1] a definition or a card gives a capability for each tool', async () => {
  const capabilities = [
    {
      id: 'review',
      name: 'review',
      description: 'Reviews a change.',
      input: ['application/json'],
      output: ['application/json'],
    },
    { id: 'greet', name: 'greet', description: 'Says hello.', input: ['text'], output: ['text'] },
  ]
  const card = {
    id: 'agent://reviewer',
    name: 'Reviewer',
    skills: ['code-review'],
    tools: [
      {
        name: 'review',
        description: 'Reviews a change.',
        input_schema: { type: 'object' },
        output_schema: { type: 'object' },
      },
      { name: 'greet', description: 'Says hello.' },
    ],
  }
  for (const of of [DEFINITION, card, JSON.stringify(card)]) {
    const { metadata } = await build(ALICE, { of })
    expect(metadata).toMatchObject({ identity: { name: 'Reviewer' }, capabilities })
    expect(found(metadata)).toEqual([])
  }
  const own = { pricing: { model: 'per_use' } }
  const { metadata } = await build(ALICE, { of: card, capabilities: [own, {}], pricing: { model: 'free' } })
  expect(metadata?.['capabilities']).toEqual([own, { pricing: { model: 'free' } }])
})

test('unreadable sources give diagnostics, and wrong arguments throw', async () => {
  const { metadata, diagnostics } = await build(ALICE, { of: '{"name": "a", "name": "b"}' })
  expect([metadata, diagnostics.length > 0]).toEqual([undefined, true])
  await expect(build(ALICE)).rejects.toThrow(TypeError)
  for (const domain of ['', 'localhost', '127.0.0.1', 'a..b', 'https://a.example', 'a.example:80'])
    await expect(build({ domain, key }, { name: 'a' })).rejects.toThrow(TypeError)
  await expect(build({ domain: 'a.example', key: 'nothing' }, { name: 'a' })).rejects.toMatchObject({
    name: 'KeyError',
  })
})
