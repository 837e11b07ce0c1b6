// Documents that carry members of their source and were edited since, or carry members of another program.
import { describe, expect, test } from 'vitest'
import { compileTools, validate } from '../../bindings/adl/index.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { RICH } from './cards.ts'
import { at, edited, FULL, type Json, OPTIONS, places } from './samples.ts'

/** Converts a document; returns the outcome for a place or its nearest container. */
function make(source: unknown, to: ConvertFormat, from: ConvertFormat, carry: 'all' | 'public' = 'all') {
  const { document, loss, diagnostics } = convert(JSON.stringify(source), { ...OPTIONS, to, from, carry })
  const row = (place: string) =>
    loss.find(({ pointer }) => pointer !== undefined && `${place}/`.startsWith(`${pointer}/`))
  return { value: document?.value as Json, row, diagnostics }
}

const another = (value: unknown) =>
  typeof value === 'string'
    ? `${value}z`
    : typeof value === 'number'
      ? value + 1
      : typeof value === 'boolean'
        ? !value
        : 'z'

const LONG = { ...FULL, name: 'n'.repeat(120), description: 'd'.repeat(120) }
const FORMATS = ['a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28', 'mcp-server'] as const
/** Details for members that follow from the rest and say nothing about the agent. */
const OF_FORMAT = /^\/(?:protocolVersion$|capabilities\/extensions\/0\/description$)/

describe.each([
  ['adl', LONG, [...FORMATS, 'card']],
  [
    'card',
    { ...RICH, name: 'n'.repeat(120), description: 'd'.repeat(120), version: 'v2.1' },
    [...FORMATS, 'adl', 'oasf-descriptor'],
  ],
] as const)('from %s', (start, source, formats) => {
  test.each(formats)('to %s, edited, and back: reports no lost edit as kept', (to) => {
    const there = make(source, to, start).value
    const before = JSON.stringify(make(there, start, to).value)
    let edits = 0
    for (const place of places(there)) {
      const old = at(there, place)
      if (typeof old === 'object' && old !== null && Object.keys(old).length > 0) continue
      if (OF_FORMAT.test(place)) continue
      const { value, row } = make(edited(there, place, another(old)), start, to)
      if (value === undefined) continue
      edits++
      expect([place, JSON.stringify(value) === before && row(place)?.outcome]).not.toEqual([
        place,
        expect.stringMatching(/kept|renamed/),
      ])
    }
    expect(edits).toBeGreaterThan(20)
  })
})

describe('the schema of a tool from another program', () => {
  const server = (inputSchema: unknown, meta: unknown, name: string) => ({
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'A', version: '1.0.0', description: 'B' },
      _meta: { [name]: meta },
    },
    'tools/list': { tools: [{ name: 'x', description: 'y', inputSchema, _meta: { [name]: meta } }] },
  })
  const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }

  test.each([
    ['false', false, 0],
    ['a text', 'x', 1],
    ['a list', [], 1],
    ['draft-04', draft4, 1],
  ])('%s: nothing passes, whatever is carried, also through a card', (_, schema, warnings) => {
    for (const name of ['blazon/adl', 'blazon/card', 'other']) {
      for (const meta of [{}, { parameters: {}, input_schema: {} }, { x_a: 1 }]) {
        const source = server(schema, meta, name)
        const { value, diagnostics } = make(source, 'adl', 'mcp-2025-11-25')
        expect(compileTools(value).checkInput('x', {}).valid).toBe(false)
        expect(diagnostics.filter(({ code }) => code === 'BADL-196')).toHaveLength(warnings)
        const card = make(source, 'card', 'mcp-2025-11-25')
        expect(card.diagnostics.filter(({ code }) => code === 'BADL-196')).toHaveLength(warnings)
        expect(compileTools(make(card.value, 'adl', 'card').value).checkInput('x', {}).valid).toBe(false)
      }
    }
  })

  test('that is invalid in an OASF descriptor: nothing passes', () => {
    const capabilities = [{ name: 'x', inputSchema: 'string' }]
    const source = { metadata: { name: 'A' }, spec: { description: 'B', capabilities } }
    const { value, diagnostics } = make(source, 'adl', 'oasf-descriptor')
    expect(compileTools(value).checkInput('x', {}).valid).toBe(false)
    expect(diagnostics).toMatchObject([{ code: 'BADL-196', source: { pointer: '/spec/capabilities/0/inputSchema' } }])
  })

  test('that was edited counts, and is not merged with the carried one', () => {
    const parameters = { type: 'object', properties: { a: true }, required: ['a'] }
    const definition = { ...FULL, tools: [{ name: 'x', description: 'y', parameters }] }
    const there = make(definition, 'mcp-2025-11-25', 'adl').value
    const inputSchema = { type: 'object', properties: { b: { type: 'string' } } }
    const { value, row } = make(edited(there, '/tools~1list/tools/0/inputSchema', inputSchema), 'adl', 'mcp-2025-11-25')
    expect(at(value, '/tools/0/parameters')).toEqual(inputSchema)
    expect(row('/tools~1list/tools/0/_meta/blazon~1adl/parameters')?.outcome).toBe('dropped')
  })
})

describe('a skill that was removed from an A2A card, or renamed', () => {
  const definition = {
    ...FULL,
    tools: [
      { name: 'look', description: 'Looks', parameters: { type: 'object', required: ['at'] } },
      { name: 'delete_all', description: 'Deletes', parameters: { type: 'object' }, requires_confirmation: true },
    ],
  }
  const there = make(definition, 'a2a-1.0', 'adl').value
  const place = '/capabilities/extensions/0/params/tools/1'

  test.each([
    ['taken out', edited(there, '/skills/1'), ['look']],
    ['renamed', edited(there, '/skills/1/id', 'clean'), ['look', 'clean']],
  ])('%s: does not come back, which is reported', (_, source, names) => {
    const { value, row } = make(source, 'adl', 'a2a-1.0')
    expect((value['tools'] as Json[]).map(({ name }) => name)).toEqual(names)
    expect(row(place)).toMatchObject({ outcome: 'dropped', detail: "no entry has the name 'delete_all' any more" })
    expect(validate(JSON.stringify(value), { ruleset: 'spec' }).valid).toBe(true)
  })

  test('all of them: the definition has no tools', () => {
    expect(make(edited(there, '/skills', []), 'adl', 'a2a-1.0').value['tools']).toEqual([])
  })

  test('finds the schema of a tool whose name had to change', () => {
    const tools = [{ name: 'getIt', description: 'Gets', parameters: { type: 'object', required: ['it'] } }]
    const { value } = make(make({ ...FULL, tools }, 'a2a-1.0', 'adl').value, 'adl', 'a2a-1.0')
    expect(value['tools']).toEqual(tools)
  })

  test('of a card: neither', () => {
    const card = {
      ...RICH,
      tools: [
        { name: 'a', input_schema: { type: 'object' } },
        { name: 'b', streaming: true },
      ],
    }
    const a2a = make(card, 'a2a-1.0', 'card').value
    const { value } = make(edited(a2a, '/skills/1'), 'card', 'a2a-1.0')
    expect(value['tools']).toEqual([card.tools[0]])
  })
})

test('a definition has no tools that the server does not list', () => {
  const there = make(FULL, 'mcp-2025-11-25', 'adl').value
  const tools = [{ name: 'hidden', description: 'x' }]
  const { value, row } = make(
    edited(there, '/initialize/_meta', { 'blazon/adl': { tools, data_classification: OPTIONS.classification } }),
    'adl',
    'mcp-2025-11-25',
  )
  expect((value['tools'] as Json[]).map(({ name }) => name)).toEqual((FULL['tools'] as Json[]).map(({ name }) => name))
  expect(row('/initialize/_meta/blazon~1adl/tools/0')?.outcome).toBe('dropped')
})
