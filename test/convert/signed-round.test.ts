import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sign, verify } from '../../bindings/adl/index.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import type { Json } from './samples.ts'

const NOW = new Date('2026-03-01T00:00:00Z')
const key = await generateKey()
const { cryptographic_identity: _, ...unnamed } = JSON.parse(
  readFileSync('fixtures/adl/invoice-processor.json', 'utf8'),
)
const signed = (await sign(JSON.stringify(unnamed), key, { embedKey: true })).bytes!

/** The definition after a conversion there and back with everything carried. */
function roundTrip(to: ConvertFormat): Json {
  const asked = { url: 'https://agents.example.com/x', id: 'agent://x', serverName: 'com.example/x' }
  const there = convert(signed, { to, carry: 'all', now: NOW, ...asked })
  const back = convert(JSON.stringify(there.document!.value), { to: 'adl', carry: 'all', now: NOW })
  return back.document!.value as Json
}

const verdict = async (definition: Json) => (await verify(JSON.stringify(definition), { now: NOW })).verdict

test('the sample is signed', async () => {
  expect((await verify(signed, { now: NOW })).verdict).toBe('verified')
})

test.each(['mcp-2025-11-25', 'mcp-2026-07-28'] as const)('%s gives a signed definition back', async (to) => {
  expect(await verdict(roundTrip(to))).toBe('verified')
})

describe.each([
  ['a2a-1.0', 'x_a2a'],
  ['a2a-0.3', 'x_a2a'],
  ['card', 'x_card'],
  ['mcp-server', 'x_mcp_server'],
] as const)('%s', (to, own) => {
  test(`gives a signed definition back except ${own}, which holds what the target needed`, async () => {
    const { [own]: needed, ...rest } = roundTrip(to)
    expect(needed).toBeDefined()
    expect(await verdict(rest)).toBe('verified')
  })

  test(`with ${own} the signature fails`, async () => {
    expect(await verdict(roundTrip(to))).toBe('failed')
  })
})
