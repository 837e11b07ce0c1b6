// Documents made from a definition, with any one part removed, become valid definitions or give the reason.
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { sampleOf } from '../support/cases.ts'
import { at, edited, FULL, type Json, OPTIONS, places } from './samples.ts'

const faultsOf = (definition: unknown) =>
  validate(JSON.stringify(definition), { ruleset: 'spec' })
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, source }) => `${code} at ${source.pointer} `)

const cut = (source: Json, place: string, from: ConvertFormat) =>
  convert(JSON.stringify(edited(source, place)), { ...OPTIONS, from, to: 'adl', carry: 'all' })

const made = (to: ConvertFormat, carry: 'all' | 'public' = 'all') =>
  convert(JSON.stringify(FULL), { ...OPTIONS, to, carry }).document!.value as Json

test.each(['a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28', 'mcp-server', 'card'] as const)(
  'of %s: what becomes a definition is a valid one, or a warning says where it is not',
  (from) => {
    expect(faultsOf(FULL)).toEqual([])
    const silent: unknown[] = []
    for (const [i, carry] of (['all', 'public'] as const).entries()) {
      const there = made(from, carry)
      for (const place of sampleOf(places(there), i)) {
        const { document, diagnostics } = cut(there, place, from)
        const told = diagnostics.filter(({ code }) => code === 'BADL-197').map(({ detail }) => detail)
        const faults = document === undefined ? [] : faultsOf(document.value)
        const untold = faults.filter((fault) => !told.some((detail) => detail.startsWith(fault)))
        if (untold.length > 0 || told.length !== faults.length) silent.push([carry, place, untold, told])
      }
    }
    expect(silent).toEqual([])
  },
)

describe.each(['mcp-2025-11-25', 'mcp-2026-07-28'] as const)(
  '%s: an edited part converts like that of another program',
  (from) => {
    test.each([
      ['the description of a tool', '/tools~1list/tools/3/description', '/tools/3/description', 'ping'],
      ['what kind of resource it is', '/resources~1list/resources/0/_meta', '/resources/0/type', 'api'],
      ['whose words a prompt is', '/prompts~1get/greet/messages/0/role', '/prompts/2', undefined],
      ['the text of a prompt', '/prompts~1get/greet/messages/0/content', '/prompts/2', undefined],
    ])('%s', (_, place, target, expected) => {
      const { document, diagnostics } = cut(made(from), place, from)
      expect(at(document!.value, target)).toEqual(expected)
      expect(faultsOf(document!.value)).toEqual([])
      expect(diagnostics).toEqual([])
    })
  },
)

test('a provider without a name, as left by an edit of an A2A card, comes back with a warning', () => {
  const { document, diagnostics } = cut(made('a2a-1.0'), '/provider', 'a2a-1.0')
  expect(at(document!.value, '/provider')).toEqual({ contact: 'ai-platform@acme.example.com' })
  expect(diagnostics).toMatchObject([
    { code: 'BADL-197', severity: 'warning', source: { pointer: '/capabilities/extensions/0/params/provider' } },
  ])
})
