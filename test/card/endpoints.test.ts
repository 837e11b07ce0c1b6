// Selection of an endpoint: draft-song-anp-adp-00 section 3.5.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AgentCard, Card, selectEndpoint } from '../../bindings/card/index.ts'
import { parseJson as parse } from '../../bindings/document/index.ts'

/** The relevant part of the example in section 3.9. */
const EXAMPLE: AgentCard = {
  id: 'agent://translator-zh-en',
  name: 'translator-zh-en',
  tools: [{ name: 'translate' }],
  endpoints: [
    { protocol: 'aitp', uri: 'agent://translator-zh-en', methods: ['translate', 'detect_language', 'glossary'] },
    { protocol: 'http+json', uri: 'https://api.example.com/translate/v1', auth: 'bearer', priority: 10 },
  ],
}

const card = (endpoints: unknown, tools?: unknown) =>
  ({ id: 'agent://a', name: 'a', endpoints, ...(tools !== undefined && { tools }) }) as unknown as AgentCard
const http = (uri: string, more: object = {}) => ({ protocol: 'http+json', uri: `https://${uri}.example`, ...more })
const order = (of: AgentCard, wish?: selectEndpoint.Options) =>
  selectEndpoint(of, wish).endpoints.map(({ pointer }) => pointer)
const causes = (of: AgentCard, wish?: selectEndpoint.Options) =>
  selectEndpoint(of, wish).skipped.map(({ cause }) => cause)

describe('the example of section 3.9', () => {
  test('[card/3.5-4] puts aitp first, because its priority is 0', () => {
    const { endpoints, skipped } = selectEndpoint(EXAMPLE, { method: 'translate' })
    expect(skipped).toEqual([])
    expect(endpoints).toEqual([
      {
        pointer: '/endpoints/0',
        protocol: 'aitp',
        uri: 'agent://translator-zh-en',
        auth: undefined,
        priority: 0,
        reasons: ['priority 0, for it states none', "lists the method 'translate'", 'does not say how to authenticate'],
      },
      {
        pointer: '/endpoints/1',
        protocol: 'http+json',
        uri: 'https://api.example.com/translate/v1',
        auth: 'bearer',
        priority: 10,
        reasons: [
          'priority 10',
          "lists no methods, and 'translate' is a tool: assumed reachable",
          'authentication: bearer',
        ],
      },
    ])
  })

  test('[card/3.5-2] reaches a method that is not a tool only through endpoints that list it', () => {
    expect(order(EXAMPLE, { method: 'glossary' })).toEqual(['/endpoints/0'])
    expect(selectEndpoint(EXAMPLE, { method: 'glossary' }).skipped).toEqual([
      {
        pointer: '/endpoints/1',
        cause: 'method',
        reason: "it lists no methods, so reaches the tools, and 'glossary' is not a tool",
      },
    ])
  })

  test('skips endpoints whose protocol or authentication the caller does not support', () => {
    expect(order(EXAMPLE, { protocols: ['http+json'] })).toEqual(['/endpoints/1'])
    expect(causes(EXAMPLE, { protocols: ['http+json'], auth: [] })).toEqual(['protocol', 'auth'])
    expect(order(EXAMPLE, { auth: ['bearer'] })).toHaveLength(2)
  })

  test('gives the same result for a parsed card and for its JSON value', () => {
    const read = new Card(parse(JSON.stringify(EXAMPLE)).document!)
    expect(selectEndpoint(read)).toEqual(selectEndpoint(EXAMPLE))
  })
})

describe('which endpoints are selected', () => {
  test('[card/3.5-3] [card/3.5-5] ignores unknown protocols', () => {
    const of = card([{ protocol: 'carrier-pigeon', uri: 'coop://a' }, http('b'), { protocol: 'constructor', uri: 'x' }])
    expect(order(of)).toEqual(['/endpoints/1'])
    expect(causes(of)).toEqual(['protocol', 'protocol'])
    // A caller may name such a protocol. Its URIs are then not checked.
    expect(order(of, { protocols: ['carrier-pigeon'] })).toEqual(['/endpoints/0'])
  })

  test.each([
    ['aitp', 'https://a.example', 'agent://'],
    ['http+json', 'agent://a', 'https:// or http://'],
    ['grpc', 'ftp://a.example', 'grpc://, grpcs:// or https://'],
    ['ws', 'https://a.example', 'wss:// or ws://'],
    ['ws', 'a.example', 'wss:// or ws://'],
  ])('[card/3.5-1] skips an endpoint of %s with the URI %s', (protocol, uri, expected) => {
    const [skipped] = selectEndpoint(card([{ protocol, uri }])).skipped
    expect(skipped).toMatchObject({ cause: 'uri', reason: expect.stringContaining(expected) })
  })

  test.each(['AGENT://a', 'agent://12D3KooW'])('ignores the case of schemes: %s', (uri) => {
    expect(order(card([{ protocol: 'aitp', uri }]))).toHaveLength(1)
  })

  test('[card/3.5-2] assumes all tools for an endpoint without methods, and none for an empty list', () => {
    const of = card(
      [http('a'), http('b', { methods: [] }), http('c', { methods: ['x'] })],
      [{ name: 'x' }, { name: 'y' }],
    )
    expect(order(of, { method: 'x' })).toEqual(['/endpoints/0', '/endpoints/2'])
    expect(order(of, { method: 'y' })).toEqual(['/endpoints/0'])
    expect(order(of, { method: 'z' })).toEqual([])
    expect(order(of)).toEqual(['/endpoints/0', '/endpoints/2'])
    // A card without a list of tools may have any tool.
    expect(order(card([http('a')]), { method: 'x' })).toEqual(['/endpoints/0'])
    expect(order(card([http('a')], []), { method: 'x' })).toEqual([])
  })

  test('requires authentication that the caller supports, unless it is none or not stated', () => {
    const of = card([http('a', { auth: 'mutual_tls' }), http('b', { auth: 'none' }), http('c')])
    expect(order(of, { auth: ['bearer'] })).toEqual(['/endpoints/1', '/endpoints/2'])
    expect(order(of, { auth: ['mutual_tls'] })).toHaveLength(3)
    expect(order(of)).toHaveLength(3)
  })

  test('revoked cards have none', () => expect(selectEndpoint(card([]))).toEqual({ endpoints: [], skipped: [] }))
})

describe('[card/3.5-4] the order of endpoints', () => {
  test('sorts by the lower priority, then by the order of protocols, then by the order of the card', () => {
    const ws = { protocol: 'ws', uri: 'wss://a.example' }
    const of = card([http('a', { priority: 5 }), http('b'), ws, http('c', { priority: -1 }), http('d')])
    expect(order(of)).toEqual(['/endpoints/3', '/endpoints/1', '/endpoints/2', '/endpoints/4', '/endpoints/0'])
    expect(order(of, { protocols: ['ws', 'http+json'] })).toEqual([
      '/endpoints/3',
      '/endpoints/2',
      '/endpoints/1',
      '/endpoints/4',
      '/endpoints/0',
    ])
  })

  test('treats a priority that is not an integer as missing', () => {
    const { endpoints } = selectEndpoint(card([http('a', { priority: 1 }), http('b', { priority: '-5' })]))
    expect(endpoints.map(({ pointer, priority }) => [pointer, priority])).toEqual([
      ['/endpoints/1', 0],
      ['/endpoints/0', 1],
    ])
    expect(endpoints[0]!.reasons[0]).toBe("priority 0, for the string '-5' is not an integer")
  })
})

describe('cards of strangers', () => {
  test('returns a result for every endpoint, whatever the members hold', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('aitp', 'http+json', 'agent://a', 'https://a', [], ['x']))
    const endpoint = fc.record(
      { protocol: value, uri: value, methods: value, auth: value, priority: value },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(endpoint, fc.jsonValue())), fc.jsonValue(), (endpoints, tools) => {
        const { endpoints: chosen, skipped } = selectEndpoint(card(endpoints, tools), { method: 'x', auth: ['bearer'] })
        expect(chosen.length + skipped.length).toBe(endpoints.length)
      }),
      { numRuns: 300, seed: 35 },
    )
  })

  test.each([null, 'x', [null], {}, { '0': http('a') }])('endpoints: %j', (endpoints) => {
    expect(selectEndpoint(card(endpoints)).endpoints).toEqual([])
  })

  test('throws for wrong arguments', () => {
    expect(() => selectEndpoint('{}' as never)).toThrow(TypeError)
    expect(() => selectEndpoint(EXAMPLE, { method: 1 as never })).toThrow(
      new TypeError('method: expected a string, got number'),
    )
    expect(() => selectEndpoint(EXAMPLE, { auth: 'bearer' as never })).toThrow(TypeError)
  })
})
