// Agent Cards as MCP servers: appendix A.2 of the draft, and later additions to MCP.
import { beforeAll, expect, test } from 'vitest'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { peer } from '../support/peers.mjs'
import { EXAMPLE, MINIMAL, RICH } from './cards.ts'
import { at, faults, hasData, type Json, uncovered } from './samples.ts'

function make(source: Json, to: ConvertFormat, options: ConvertOptions = {}) {
  const { document, loss } = convert(JSON.stringify(source), { to, ...options })
  return { value: document?.value as Json, loss }
}

let mcp: Record<string, { parse(value: unknown): unknown }> | undefined
beforeAll(async () => {
  try {
    mcp = await peer('@modelcontextprotocol/sdk/types.js', 'sdk')
  } catch (error) {
    console.warn(`NOT RUN: MCP results of Agent Cards read by the SDK: ${(error as Error).message}`)
  }
})

const [TRANSLATE] = EXAMPLE['tools'] as [Json]

test('[card/A.2-1] [card/1.3-1] tools of the specification’s example', () => {
  const { value, loss } = make(EXAMPLE, 'mcp-2025-11-25', { carry: 'nothing' })
  expect(value).toEqual({
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: {
        name: 'translator-zh-en',
        description: 'Chinese-English bidirectional translation',
        version: '1.2.0',
      },
    },
    'tools/list': {
      tools: [
        {
          name: 'translate',
          description: 'Translate text between languages',
          inputSchema: TRANSLATE['input_schema'],
          outputSchema: TRANSLATE['output_schema'],
          annotations: { idempotentHint: true },
        },
      ],
    },
  })
  expect(uncovered(EXAMPLE, loss)).toEqual([])
  const lost = loss
    .filter(({ outcome }) => outcome === 'dropped' || outcome === 'changed')
    .map(({ pointer }) => pointer)
  expect(lost).toEqual(['/id', '/did', '/skills', '/tools/0/streaming', '/endpoints', '/constraints', '/metadata'])
})

test('[card/A.2-2] carries streaming in _meta', () => {
  const { value } = make(EXAMPLE, 'mcp-2026-07-28')
  expect(at(value, '/tools~1list/tools/0/_meta')).toEqual({ 'blazon/card': { streaming: false } })
})

test('[card/A.2-1] declares only object outputs up to 2025-11-25, but any input', () => {
  const output_schema = { type: 'array' }
  const source = { ...MINIMAL, tools: [{ name: 'a', output_schema, input_schema: { type: 'array' } }] }
  const of = (to: ConvertFormat) => at(make(source, to, { carry: 'nothing' }).value, '/tools~1list/tools/0') as Json
  expect(of('mcp-2025-11-25')).toEqual({ name: 'a', inputSchema: { type: 'object' } })
  expect(of('mcp-2026-07-28')).toEqual({ name: 'a', inputSchema: { type: 'object' }, outputSchema: output_schema })
})

test('[card/A.2-1] tools of a server become those of a card, and the same server again', () => {
  const server: Json = {
    'server/discover': {
      supportedVersions: ['2026-07-28'],
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      capabilities: { tools: {} },
      instructions: 'Ask.',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'weather', version: '2.1' } },
    },
    'tools/list': {
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      tools: [
        {
          name: 'get-weather',
          title: 'Weather',
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: true, idempotentHint: true },
        },
      ],
    },
  }
  const card = make(server, 'card', { id: 'agent://weather' })
  expect(card.value).toEqual({
    id: 'agent://weather',
    name: 'weather',
    version: '2.1',
    tools: [{ name: 'get-weather', input_schema: { type: 'object' }, idempotent: true }],
    extensions: {
      'blazon.mcp': {
        'server/discover': { instructions: 'Ask.' },
        tools: { 'get-weather': { title: 'Weather', annotations: { readOnlyHint: true } } },
      },
    },
  })
  expect(uncovered(server, card.loss)).toEqual([])
  const { instructions: _, ...rest } = server['server/discover'] as Json
  expect(make(card.value, 'mcp-2026-07-28', { carry: 'nothing' }).value).toEqual({ ...server, 'server/discover': rest })
})

test.each([EXAMPLE, RICH, MINIMAL])('[card/A.2-3] makes results that the schema and the SDK accept', (source) => {
  for (const to of ['mcp-2025-11-25', 'mcp-2026-07-28'] as const)
    for (const carry of ['all', 'nothing'] as const) {
      const { value } = make(source, to, { carry })
      if (hasData) expect(faults(to, value)).toEqual([])
      if (mcp === undefined || to === 'mcp-2026-07-28') continue
      expect(mcp['InitializeResultSchema']!.parse(value['initialize'])).toEqual(value['initialize'])
      const tools = value['tools/list']
      if (tools !== undefined) expect(mcp['ListToolsResultSchema']!.parse(tools)).toEqual(tools)
    }
})

test('names a registry entry by the host of an endpoint, and leaves tools to the server', () => {
  const { value, loss } = make(EXAMPLE, 'mcp-server')
  expect(value).toMatchObject({ name: 'com.example.api/translator-zh-en', title: 'translator-zh-en', version: '1.2.0' })
  expect(loss.find(({ pointer }) => pointer === '/tools')).toMatchObject({ outcome: 'dropped' })
  expect(convert(JSON.stringify(MINIMAL), { to: 'mcp-server' }).diagnostics[0]!.detail).toContain('option serverName')
})
