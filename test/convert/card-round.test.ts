// Cards that are converted into another format and back must stay the same.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { arbitraryCard, EXAMPLE, MINIMAL, RICH } from './cards.ts'
import { faults, hasData, type Json, uncovered } from './samples.ts'

const OPTIONS: ConvertOptions = {
  url: 'https://agents.example.com/x',
  carry: 'all',
  serverName: 'com.example/x',
  now: new Date('2026-03-01T00:00:00Z'),
}
const FORMATS: readonly ConvertFormat[] = [
  'a2a-1.0',
  'a2a-0.3',
  'mcp-2025-11-25',
  'mcp-2026-07-28',
  'mcp-server',
  'oasf-record',
  'oasf-descriptor',
  'wellknown',
]
const canonical = (value: unknown) => new TextDecoder().decode(canonicalizeValue(value))

function make(source: Json, to: ConvertFormat, options: ConvertOptions = {}) {
  const result = convert(JSON.stringify(source), { to, ...options })
  if (result.document === undefined) throw new Error(JSON.stringify(result.diagnostics))
  return { loss: result.loss, value: result.document.value as Json }
}

/** The converted card without the endpoint of the caller. */
function withoutOwn(card: Json): Json {
  const { extensions, ...others } = card
  const left = Object.entries((extensions ?? {}) as Json).filter(([name]) => !name.startsWith('blazon.'))
  return { ...others, ...(left.length > 0 && { extensions: Object.fromEntries(left) }) }
}

/** The card with A2A, in either version, at each of its HTTP endpoints. */
function speaking(card: Json): Json {
  const endpoints = (card['endpoints'] as { readonly protocol: string; readonly uri: string }[]).filter(
    ({ protocol }) => protocol === 'http+json',
  )
  const supportedInterfaces = endpoints.flatMap(({ uri: url }) =>
    ['1.0', '0.3'].map((protocolVersion) => ({ url, protocolBinding: 'HTTP+JSON', protocolVersion })),
  )
  return { ...card, extensions: { ...(card['extensions'] as Json), 'blazon.a2a': { supportedInterfaces } } }
}

describe.each(FORMATS)('%s', (to) => {
  test.each([EXAMPLE, RICH])('[card/1.3-2] a card with everything comes back bit for bit', (plain) => {
    const source = to.startsWith('a2a') ? speaking(plain) : plain
    const there = make(source, to, { carry: 'all' })
    const back = make(there.value, 'card')
    expect(canonical(back.value)).toBe(canonical(source))
    expect(back.loss.filter(({ outcome }) => outcome === 'dropped' || outcome === 'changed')).toEqual([])
    if (hasData) expect(faults(to, there.value)).toEqual([])
  })

  test('[card/A-1] arbitrary cards come back, give valid documents, and every member is accounted for', () => {
    const property = fc.property(arbitraryCard, fc.boolean(), (card, all) => {
      // A record must have an OASF skill.
      const skills = Array.isArray(card['skills']) ? card['skills'] : []
      const keyed = to === 'wellknown' ? { ...card, did: EXAMPLE['did'] } : card
      const source = to === 'oasf-record' ? { ...card, skills: [...skills, 'nlp/translation'] } : keyed
      const there = make(source, to, { ...OPTIONS, carry: all ? 'all' : 'public' })
      expect(uncovered(source, there.loss)).toEqual([])
      if (hasData) expect(faults(to, there.value)).toEqual([])
      const back = make(there.value, 'card')
      expect(uncovered(there.value, back.loss)).toEqual([])
      const { signature: _, ...unsigned } = source as Json
      // Clients of a registry get the tools from the server.
      if (to === 'mcp-server') delete unsigned['tools']
      expect(canonical(withoutOwn(back.value))).toBe(canonical(withoutOwn(all ? source : unsigned)))
    })
    fc.assert(property, { numRuns: 150 })
  })

  test('a minimal card comes back, also with nothing carried', () => {
    const more = to === 'oasf-record' ? { skills: ['testing'] } : to === 'wellknown' ? { did: EXAMPLE['did'] } : {}
    const source = { ...MINIMAL, ...more }
    const { value } = make(source, to, { ...OPTIONS, carry: 'nothing' })
    if (hasData) expect(faults(to, value)).toEqual([])
    const bare = convert(JSON.stringify(value), { to: 'card' })
    expect(bare.diagnostics.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
      'BADL-190 expected the option id: the agent:// URI of the agent (Agent Card 3.3)',
    ])
    expect(make(value, 'card', { id: 'agent://scout' }).value).toMatchObject(MINIMAL)
  })
})
