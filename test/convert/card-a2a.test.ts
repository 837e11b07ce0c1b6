// Agent Cards as A2A cards: the mapping of appendix A.1 of the draft, and the further requirements of A2A.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { peer } from '../support/peers.mjs'
import { EXAMPLE, MINIMAL, RICH } from './cards.ts'
import { at, faults, hasData, type Json, uncovered } from './samples.ts'

const URL = 'https://agents.example.com/x'
const VERSIONS = ['a2a-1.0', 'a2a-0.3'] as const
const SPOKEN = { binding: 'HTTP+JSON' } as const

function make(source: Json, to: ConvertFormat, options: ConvertOptions = {}) {
  const { document, loss, diagnostics } = convert(JSON.stringify(source), { to, ...options })
  expect([document === undefined, diagnostics]).toEqual([false, diagnostics])
  return { value: document?.value as Json, loss, diagnostics }
}
const refused = (source: Json, to: ConvertFormat, options: ConvertOptions = {}) => {
  const { document, diagnostics } = convert(JSON.stringify(source), { to, ...options })
  expect(document).toBeUndefined()
  return diagnostics.map(({ code, source, detail }) => `${code} ${source.pointer} ${detail}`)
}

describe('the mapping of A.1', () => {
  test('[card/A.1-1] of the specification’s example', () => {
    const { value, loss } = make(EXAMPLE, 'a2a-1.0', { carry: 'nothing', binding: 'HTTP+JSON' })
    expect(value).toEqual({
      name: 'translator-zh-en',
      description: 'Chinese-English bidirectional translation',
      supportedInterfaces: [
        { url: 'https://api.example.com/translate/v1', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
      version: '1.2.0',
      capabilities: {},
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
      defaultInputModes: ['application/json'],
      defaultOutputModes: ['application/json'],
      skills: [
        {
          id: 'translate',
          name: 'translate',
          description: 'Translate text between languages',
          tags: ['nlp/translation', 'nlp/text-analysis', 'python'],
        },
      ],
    })
    expect(uncovered(EXAMPLE, loss)).toEqual([])
    const dropped = loss.filter(({ outcome }) => outcome === 'dropped').map(({ pointer }) => pointer)
    expect(dropped).toEqual([
      '/id',
      '/did',
      '/tools/0/input_schema',
      '/tools/0/output_schema',
      '/tools/0/streaming',
      '/tools/0/idempotent',
      '/endpoints/0',
      '/endpoints/1/priority',
      '/constraints',
      '/metadata',
    ])
  })

  test('[card/A.1-1] of version 0.3', () => {
    expect(make(EXAMPLE, 'a2a-0.3', { carry: 'nothing', binding: 'HTTP+JSON' }).value).toMatchObject({
      protocolVersion: '0.3.0',
      url: 'https://api.example.com/translate/v1',
      preferredTransport: 'HTTP+JSON',
      securitySchemes: { bearer: { type: 'http', scheme: 'Bearer' } },
      security: [{ bearer: [] }],
    })
  })

  test('rows name the interface of each endpoint', () => {
    const uris = ['https://a.example/x', 'https://a.example/y']
    const endpoints = uris.map((uri, i) => ({ protocol: 'http+json', uri, priority: i + 1 }))
    const places = (to: 'a2a-0.3' | 'a2a-1.0') =>
      make({ ...MINIMAL, endpoints }, to, { carry: 'nothing', binding: 'HTTP+JSON' }).loss.flatMap(
        ({ pointer, target, outcome }) =>
          /uri|protocol/.test(pointer ?? '') ? [`${pointer} ${target} ${outcome}`] : [],
      )
    expect(places('a2a-0.3')).toEqual([
      '/endpoints/0/protocol /preferredTransport changed',
      '/endpoints/0/uri /url renamed',
      '/endpoints/1/protocol /additionalInterfaces/0/transport changed',
      '/endpoints/1/uri /additionalInterfaces/0/url renamed',
    ])
    expect(places('a2a-1.0')).toContain('/endpoints/1/uri /supportedInterfaces/1/url renamed')
  })

  test('[card/A.1-2] streams if any tool does, and never writes false', () => {
    const streams = (...tools: Json[]) =>
      at(make({ ...MINIMAL, tools }, 'a2a-1.0', { url: URL }).value, '/capabilities/streaming')
    expect(streams({ name: 'a' }, { name: 'b', streaming: true })).toBe(true)
    expect(streams({ name: 'a', streaming: false })).toBeUndefined()
    expect(streams({ name: 'a' })).toBeUndefined()
  })
})

describe('endpoints', () => {
  const interfaces = (endpoints: Json[], binding: 'HTTP+JSON' | 'GRPC' = 'HTTP+JSON') => {
    const { value } = make({ ...MINIMAL, endpoints }, 'a2a-1.0', { binding })
    return (value['supportedInterfaces'] as Json[]).map(({ url, protocolBinding }) => `${protocolBinding} ${url}`)
  }
  const http = (uri: string, more: Json = {}) => ({ protocol: 'http+json', uri, ...more })

  test('[card/A.1-3] begins with the lowest priority that A2A can express; names without a scheme are gRPC', () => {
    const grpc = { protocol: 'grpc', uri: 'grpc://g.example:443', priority: -1 }
    const aitp = { protocol: 'aitp', uri: 'agent://scout', priority: -2 }
    const endpoints = [http('https://b.example', { priority: 2 }), http('https://a.example'), grpc, aitp]
    expect(interfaces(endpoints)).toEqual(['HTTP+JSON https://a.example', 'HTTP+JSON https://b.example'])
    expect(interfaces(endpoints, 'GRPC')).toEqual(['GRPC g.example:443'])
  })

  test('[card/A.1-4] keeps endpoints with another authentication than the first in the extension', () => {
    const endpoints = [http('https://a.example', { auth: 'mutual_tls' }), http('https://b.example', { auth: 'bearer' })]
    expect(interfaces(endpoints)).toEqual(['HTTP+JSON https://a.example'])
    const { value } = make({ ...MINIMAL, endpoints }, 'a2a-1.0', { binding: 'HTTP+JSON' })
    expect(value['securitySchemes']).toEqual({ mtls: { mtlsSecurityScheme: { description: 'Mutual TLS' } } })
    expect(at(value, '/capabilities/extensions/0/params/endpoints')).toEqual(endpoints)
  })

  test.each([
    [[]],
    [[{ protocol: 'aitp', uri: 'agent://scout' }]],
    [[{ protocol: 'ws', uri: 'wss://a.example' }]],
    [[http('https://a.example', { auth: 'aitp_signed' })]],
    [[http('ftp://a.example')]],
  ])('[card/A.1-5] refuses an agent that A2A cannot reach: %j', (endpoints) => {
    const expected = 'expected the option url: A2A needs an endpoint with http+json or grpc'
    for (const to of VERSIONS)
      expect(refused({ ...MINIMAL, endpoints }, to, { binding: 'HTTP+JSON' })[0]).toContain(
        `BADL-190 /endpoints ${expected}`,
      )
    expect(make({ ...MINIMAL, endpoints }, 'a2a-1.0', { url: URL }).value['supportedInterfaces']).toEqual([
      { url: URL, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ])
  })
})

describe('an endpoint that speaks A2A', () => {
  const endpoints = [{ protocol: 'http+json', uri: URL }]
  const said = (...interfaces: Json[]) => ({
    ...MINIMAL,
    endpoints,
    extensions: { 'blazon.a2a': { supportedInterfaces: interfaces } },
  })
  const current = { url: URL, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }

  test.each(VERSIONS)('[card/A.1-7] must be declared: %s is refused for other endpoints', (to) => {
    const unsaid = ['', 7, undefined].map((protocolVersion) => said({ ...current, protocolVersion }))
    const others = [said({ ...current, url: `${URL}/other` }), said({ url: URL })]
    for (const source of [{ ...MINIMAL, endpoints }, ...others, ...unsaid]) {
      const [refusal] = refused(source, to)
      expect(refusal).toContain(`the card does not say that A2A ${to.slice(4)} is spoken at '${URL}'`)
      expect(refusal).toContain('the option binding')
    }
    expect(refused({ ...MINIMAL, endpoints }, to, { binding: 'GRPC' })).toHaveLength(1)
    expect(make({ ...MINIMAL, endpoints }, to, { binding: 'HTTP+JSON' }).value['name']).toBe('Scout')
  })

  test('[card/A.1-7] is declared by the card, with its version', () => {
    const old = { ...current, protocolVersion: '0.3' }
    const interfaces = (source: Json) => make(source, 'a2a-1.0').value['supportedInterfaces']
    expect(interfaces(said(current, old))).toEqual([current, old])
    expect(interfaces(said(old))).toEqual([old])
    expect(refused(said(current), 'a2a-0.3')[0]).toContain('the card does not say that A2A 0.3')
    expect(make(said(current, old), 'a2a-0.3').value).toMatchObject({ url: URL, preferredTransport: 'HTTP+JSON' })
  })
})

describe('an A2A card of another program', () => {
  const FOREIGN: Json = {
    name: 'Recipe Agent',
    description: 'Helps with recipes.',
    supportedInterfaces: [
      { url: 'https://api.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'https://api.example.com/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url: 'grpc.example.com:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
    ],
    provider: { organization: 'Example', url: 'https://example.com' },
    version: '2.0-beta',
    iconUrl: 'https://example.com/icon.png',
    capabilities: { streaming: true, pushNotifications: false },
    securitySchemes: { login: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { login: { list: [] } } }],
    defaultInputModes: ['text/plain', 'image/png'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'find',
        name: 'Find a recipe',
        description: 'Finds one.',
        tags: ['cooking', 'search'],
        examples: ['Bread?'],
      },
      { id: 'cook', name: 'cook', description: 'Cooks.', tags: ['cooking'] },
    ],
  }

  test('[card/1.3-2] becomes a card, and the same A2A card again', () => {
    const { value, loss } = make(FOREIGN, 'card', { id: 'agent://recipes' })
    expect(value).toMatchObject({
      id: 'agent://recipes',
      name: 'Recipe Agent',
      description: 'Helps with recipes.',
      version: '2.0-beta',
      skills: ['cooking', 'search'],
      tools: [
        { name: 'find', description: 'Finds one.' },
        { name: 'cook', description: 'Cooks.' },
      ],
      endpoints: [
        { protocol: 'http+json', uri: 'https://api.example.com/a2a', auth: 'bearer' },
        { protocol: 'grpc', uri: 'grpc://grpc.example.com:443', auth: 'bearer' },
      ],
    })
    expect(uncovered(FOREIGN, loss)).toEqual([])
    expect(loss.filter(({ outcome }) => outcome === 'dropped' || outcome === 'changed')).toEqual([])
    const again = make(value, 'a2a-1.0', { carry: 'nothing' }).value
    expect(again).toEqual(FOREIGN)
  })

  test('needs an id, and warns about authentication that cannot be expressed', () => {
    expect(refused(FOREIGN, 'card')).toEqual([
      'BADL-190  expected the option id: the agent:// URI of the agent (Agent Card 3.3)',
    ])
    expect(() => convert('{}', { to: 'card', id: 'https://x.example' })).toThrow(RangeError)
    const apiKey = { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } }
    const source = { ...FOREIGN, securitySchemes: apiKey, securityRequirements: [{ schemes: { key: { list: [] } } }] }
    const { value, diagnostics } = make(source, 'card', { id: 'agent://recipes' })
    expect(diagnostics.map(({ code, source }) => [code, source.pointer])).toEqual([
      ['BADL-191', '/securitySchemes/key'],
    ])
    expect(at(value, '/endpoints/0/auth')).toBeUndefined()
    expect(at(value, '/extensions/blazon.a2a/securitySchemes')).toEqual(apiKey)
    expect(make(value, 'a2a-1.0', { carry: 'nothing' }).value).toMatchObject({ securitySchemes: apiKey })
    expect(make(value, 'a2a-0.3', { carry: 'nothing', binding: 'HTTP+JSON' }).value).toMatchObject({
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      security: [{ key: [] }],
    })
  })

  test('restores well-formed authentication if the endpoints still require it', () => {
    const { value } = make(FOREIGN, 'card', { id: 'agent://recipes' })
    const [first] = value['endpoints'] as [Json]
    const changed = make({ ...value, endpoints: [{ ...first, auth: 'mutual_tls' }] }, 'a2a-1.0').value
    expect(Object.keys(changed['securitySchemes'] as Json)).toEqual(['mtls'])
    for (const odd of [
      7,
      {},
      { login: 7 },
      { login: { x: {} } },
      { login: { httpAuthSecurityScheme: { scheme: 7 } } },
    ]) {
      const own = { ...(at(value, '/extensions/blazon.a2a') as Json), securitySchemes: odd }
      const made = make({ ...value, extensions: { 'blazon.a2a': own } }, 'a2a-1.0', { carry: 'nothing' }).value
      expect([odd, made['securitySchemes']]).toEqual([
        odd,
        { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      ])
      if (hasData) expect(faults('a2a-1.0', made)).toEqual([])
    }
  })

  test('restores well-formed extensions and capabilities of other programs next to ours', () => {
    const theirs = { uri: 'https://example.com/ext', params: { a: 1 } }
    const source = { ...FOREIGN, capabilities: { extensions: [theirs], pushNotifications: true } }
    const { value } = make(source, 'card', { id: 'agent://recipes' })
    const again = make(value, 'a2a-1.0', { carry: 'all' }).value
    expect(again['capabilities']).toMatchObject({
      pushNotifications: true,
      extensions: [theirs, { params: { id: 'agent://recipes' } }],
    })
    expect(make(again, 'card').value).toEqual(value)
    const odd = {
      ...value,
      extensions: { 'blazon.a2a': { capabilities: { extensions: [7], pushNotifications: 'yes' } } },
    }
    expect(make(odd, 'a2a-1.0', { carry: 'nothing', binding: 'HTTP+JSON' }).value['capabilities']).toEqual({})
  })
})

test('leaves out a seq beyond 2^53 - 1 instead of rounding it', () => {
  const source = '{"id":"agent://a","name":"A","seq":18446744073709551615}'
  const { document, loss } = convert(source, { to: 'a2a-1.0', url: URL })
  expect(at(document!.value, '/capabilities/extensions/0/params')).toEqual({ id: 'agent://a' })
  expect(loss.find(({ pointer }) => pointer === '/seq')?.outcome).toBe('dropped')
})

test('[card/7.6-1] makes no card of more than 65535 octets, and drops spaces first', () => {
  const skill = (size: number) => [{ id: 'x', name: 'x', description: 'd'.repeat(size), tags: ['t'] }]
  const source = { name: 'A', description: 'B', version: '1', supportedInterfaces: [], skills: skill(65_390) }
  const { document } = convert(JSON.stringify(source), { to: 'card', id: 'agent://a', carry: 'nothing' })
  expect(document!.bytes.length).toBeLessThanOrEqual(65_535)
  const [refusal] = refused({ ...source, skills: skill(70_000) }, 'card', { id: 'agent://a' })
  expect(refusal).toMatch(
    /^BADL-193 {2}the result would have 70\d\d\d octets; at most 65535 are allowed: tools 70\d\d\d, /,
  )
})

interface Codec {
  fromJSON(value: unknown): unknown
  toJSON(value: unknown): unknown
}
let sdk: { AgentCard: Codec } | undefined
let legacy: { isLegacyAgentCard(value: unknown): boolean; parseLegacyAgentCard(value: unknown): Json } | undefined
beforeAll(async () => {
  try {
    sdk = await peer('@a2a-js/sdk', 'sdk')
    legacy = await peer('@a2a-js/sdk/compat/v0_3/client', 'sdk')
  } catch (error) {
    console.warn(`NOT RUN: A2A cards of Agent Cards read by the SDK: ${(error as Error).message}`)
  }
})

/** The SDK omits empty lists. */
const withoutEmpty = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner) => (Array.isArray(inner) && inner.length === 0 ? undefined : inner)))

describe.each([
  ['the example', EXAMPLE],
  ['one with everything', RICH],
  ['a minimal one', MINIMAL],
])('%s', (_, source) => {
  test.runIf(hasData)('[card/A.1-6] passes the schemas of A2A', () => {
    for (const to of VERSIONS)
      for (const carry of ['public', 'all', 'nothing'] as const)
        expect(faults(to, make(source, to, { carry, ...(source === MINIMAL ? { url: URL } : SPOKEN) }).value)).toEqual(
          [],
        )
  })

  test('[card/A.1-6] the SDK reads all of it', () => {
    if (sdk === undefined || legacy === undefined) return
    const options = source === MINIMAL ? { url: URL } : SPOKEN
    const card = make(source, 'a2a-1.0', options).value
    expect(withoutEmpty(sdk.AgentCard.toJSON(sdk.AgentCard.fromJSON(card)))).toEqual(withoutEmpty(card))
    const old = make(source, 'a2a-0.3', options).value
    expect(legacy.isLegacyAgentCard(old)).toBe(true)
    expect(legacy.parseLegacyAgentCard(old)).toMatchObject({ name: old['name'], version: old['version'] })
  })
})
