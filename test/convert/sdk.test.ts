// The official SDKs of the protocols, downloaded if missing, must read what we write.
import { beforeAll, describe, expect, test } from 'vitest'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { peer } from '../support/peers.mjs'
import { FULL, type Json, published } from './samples.ts'

interface Codec {
  fromJSON(value: unknown): unknown
  toJSON(value: unknown): unknown
}
interface Schema {
  parse(value: unknown): unknown
}

const samples = [...published(), ['full', FULL] as const]
const make = (source: Json, to: ConvertFormat, carry: 'public' | 'all' | 'nothing') =>
  convert(JSON.stringify(source), { to, carry, url: 'https://agents.example.com/x' }).document!.value as Json

let a2a: { AgentCard: Codec } | undefined
let legacy: { isLegacyAgentCard(value: unknown): boolean; parseLegacyAgentCard(value: unknown): Json } | undefined
let mcp: Record<string, Schema> | undefined

beforeAll(async () => {
  try {
    a2a = await peer('@a2a-js/sdk', 'sdk')
    legacy = await peer('@a2a-js/sdk/compat/v0_3/client', 'sdk')
    mcp = await peer('@modelcontextprotocol/sdk/types.js', 'sdk')
  } catch (error) {
    console.warn(`NOT RUN: conversions read by the SDKs of A2A and MCP: ${(error as Error).message}`)
  }
})

/** The SDK omits empty values, such as requirements and schemes with empty lists. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutEmpty(inner)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0)))
}

describe.each(samples)('%s', (_, source) => {
  test.each(['public', 'all', 'nothing'] as const)(
    '[adl/15.1-1] the SDK reads an A2A 1.0 card with %s completely',
    (carry) => {
      if (a2a === undefined) return
      const card = make(source, 'a2a-1.0', carry)
      expect(withoutEmpty(a2a.AgentCard.toJSON(a2a.AgentCard.fromJSON(card)))).toEqual(withoutEmpty(card))
    },
  )

  test('[adl/15.1-1] the SDK reads an A2A 0.3 card as version 0.3', () => {
    if (legacy === undefined) return
    const card = make(source, 'a2a-0.3', 'public')
    expect(legacy.isLegacyAgentCard(card)).toBe(true)
    const read = legacy.parseLegacyAgentCard(card)
    expect(read).toMatchObject({ name: card['name'], version: card['version'], description: card['description'] })
    expect(read['supportedInterfaces']).toMatchObject([
      { url: 'https://agents.example.com/x', protocolBinding: 'JSONRPC' },
    ])
    expect((read['skills'] as Json[]).map(({ id }) => id)).toEqual((card['skills'] as Json[]).map(({ id }) => id))
  })

  test('[adl/15.2-1] the SDK reads results of MCP 2025-11-25 completely', () => {
    if (mcp === undefined) return
    const { 'prompts/get': prompts = {}, ...results } = make(source, 'mcp-2025-11-25', 'all')
    const schemas: Record<string, string> = {
      initialize: 'InitializeResultSchema',
      'tools/list': 'ListToolsResultSchema',
      'resources/list': 'ListResourcesResultSchema',
      'prompts/list': 'ListPromptsResultSchema',
    }
    for (const [method, result] of Object.entries(results)) expect(mcp[schemas[method]!]!.parse(result)).toEqual(result)
    for (const result of Object.values(prompts as Json))
      expect(mcp['GetPromptResultSchema']!.parse(result)).toEqual(result)
  })
})
