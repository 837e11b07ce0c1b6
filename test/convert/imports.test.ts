import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { parse } from '../../bindings/document/parse.ts'
import { casesOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { at, FULL, type Json, published, uncovered } from './samples.ts'

const URL = 'https://agents.example.com/x'
const CLASSIFICATION = { sensitivity: 'internal' } as const
const samples = [...published(), ['full', FULL] as const]

const make = (source: Json, to: ConvertFormat, more: ConvertOptions = {}) => {
  const result = convert(JSON.stringify(source), { to, ...more })
  if (result.document === undefined) throw new Error(JSON.stringify(result.diagnostics))
  return { ...result, document: result.document.value as Json }
}
const canonical = (value: unknown) => new TextDecoder().decode(canonicalizeValue(value))

describe('there and back', () => {
  const OTHERS = ['a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28'] as const

  describe.each(OTHERS)('%s', (to) => {
    test.each(samples)('[adl/14.3-3] %s comes back bit for bit if all is carried', (_, source) => {
      const there = make(source, to, { url: URL, carry: 'all' })
      const back = make(there.document, 'adl')
      const { x_a2a: own, ...definition } = back.document
      expect(canonical(definition)).toBe(canonical(source))
      // The endpoint came from the caller, not from the definition.
      if (to === 'a2a-1.0') {
        expect(own).toEqual({ supportedInterfaces: [{ url: URL, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] })
      } else if (to === 'a2a-0.3') expect(own).toEqual({ url: URL, preferredTransport: 'JSONRPC' })
      else expect(own).toBeUndefined()
      expect(uncovered(there.document, back.loss)).toEqual([])
      expect(back.loss.filter(({ outcome }) => outcome === 'dropped' || outcome === 'changed')).toEqual([])
    })

    test.each(samples)('%s comes back without unpublished members', (_, source) => {
      const there = make(source, to, { url: URL })
      const back = make(there.document, 'adl').document
      const lost = there.loss.filter(({ outcome }) => outcome === 'dropped').map(({ pointer }) => pointer!)
      for (const pointer of lost) expect(at(back, pointer)).toBeUndefined()
      const { x_a2a: _own, ...definition } = back
      // Merged again, nothing is missing.
      for (const pointer of lost) {
        const parent = at(definition, pointer.slice(0, pointer.lastIndexOf('/'))) as Json | undefined
        const name = pointer.slice(pointer.lastIndexOf('/') + 1)
        if (parent !== undefined) parent[name] = at(source, pointer)
      }
      const missing = lost.filter((pointer) => at(definition, pointer) === undefined)
      // An object that lost all members is missing too, such as a provider with only a contact.
      if (missing.length === 0) expect(canonical(definition)).toBe(canonical(source))
    })
  })

  test('a registry entry restores members that a server does not list', () => {
    const there = make(FULL, 'mcp-server', { url: URL })
    const { x_mcp_server: own, ...back } = make(there.document, 'adl').document
    const { tools: _t, resources: _r, prompts: _p, system_prompt: _s, permissions: _q, ...left } = structuredClone(FULL)
    const rest = left as { provider: Json; metadata: Json; security: Json }
    delete rest.provider['contact']
    delete rest.metadata['authors']
    delete rest.security['attestation']
    expect(back).toEqual(left)
    expect(own).toEqual({
      name: 'com.example.acme/invoice-processor',
      remotes: [{ type: 'streamable-http', url: URL }],
    })
    const all = make(make(FULL, 'mcp-server', { url: URL, carry: 'all' }).document, 'adl').document
    delete all['x_mcp_server']
    expect(canonical(all)).toBe(canonical(FULL))
  })

  test('a tool that returns any object comes back unchanged', () => {
    const tools = [{ name: 'ping', description: 'Says hello.', returns: { type: 'object' } }]
    const there = make({ ...FULL, tools }, 'mcp-2025-11-25')
    expect(make(there.document, 'adl').document['tools']).toEqual(tools)
  })

  test('a card of another program becomes a definition and the same card again', () => {
    const card = FOREIGN_CARD
    const { document } = make(card, 'adl', { classification: CLASSIFICATION })
    const { document: again } = make(document, 'a2a-1.0', { carry: 'nothing' })
    const { provider, skills, ...others } = again
    expect(others).toEqual({
      name: 'Recipe Agent',
      description: 'Helps with recipes.',
      version: '1.2.0',
      documentationUrl: 'https://docs.example.com',
      iconUrl: 'https://example.com/icon.png',
      supportedInterfaces: card['supportedInterfaces'],
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain', 'image/png'],
      defaultOutputModes: ['text/plain'],
      securitySchemes: { oidc: at(card, '/securitySchemes/login') },
      securityRequirements: [{ schemes: { oidc: { list: [] } } }],
    })
    expect(provider).toEqual(card['provider'])
    expect(at(skills, '/0')).toMatchObject({
      id: 'find_recipe',
      name: 'Find a recipe',
      tags: ['cooking'],
      examples: ['Bread?'],
    })
  })
})

const FOREIGN_CARD: Json = {
  name: 'Recipe Agent',
  description: 'Helps with recipes.',
  supportedInterfaces: [
    { url: 'https://api.example.com/a2a/v1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'grpc.example.com:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
  ],
  provider: { organization: 'Example', url: 'https://example.com' },
  version: 'v1.2',
  iconUrl: 'https://example.com/icon.png',
  documentationUrl: 'https://docs.example.com',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [{ uri: 'https://example.com/ext', params: { a: 1 } }],
  },
  securitySchemes: {
    login: {
      openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration' },
    },
  },
  securityRequirements: [{ schemes: { login: { list: [] } } }],
  defaultInputModes: ['text/plain', 'image/png'],
  defaultOutputModes: ['text/plain'],
  skills: [
    { id: 'findRecipe', name: 'Find a recipe', description: 'Finds one.', tags: ['cooking'], examples: ['Bread?'] },
    { id: 'find-recipe', name: 'find-recipe', description: 'Finds another.', tags: ['cooking'] },
    { id: '3d.print', name: '3D', tags: ['fun'] },
  ],
  signatures: [{ protected: 'e30', signature: 'AA' }],
}

describe('an A2A card', () => {
  const { document, loss } = make(FOREIGN_CARD, 'adl', { classification: CLASSIFICATION })

  test('becomes a definition', () => {
    expect(document).toMatchObject({
      adl_spec: '0.1.0',
      name: 'Recipe Agent',
      version: '1.2.0',
      provider: { name: 'Example', url: 'https://example.com' },
      data_classification: CLASSIFICATION,
      security: { authentication: { type: 'oidc', issuer: 'https://id.example.com', required: true } },
      runtime: {
        input_handling: { content_types: ['text/plain', 'image/png'] },
        output_handling: { format: 'text', streaming: true },
      },
      metadata: { documentation: 'https://docs.example.com' },
    })
    expect((document['tools'] as Json[]).map(({ name }) => name)).toEqual([
      'find_recipe',
      'find_recipe_2',
      'tool_3d_print',
    ])
    expect(validate(JSON.stringify(document)).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('is accounted for', () => {
    expect(uncovered(FOREIGN_CARD, loss)).toEqual([])
    const changed = loss.filter(({ outcome }) => outcome === 'changed').map(({ pointer }) => pointer)
    expect(changed).toEqual(['/version', '/skills/0/id', '/skills/1/id', '/skills/2/id'])
    expect(loss.filter(({ outcome }) => outcome === 'dropped').map(({ pointer }) => pointer)).toEqual(['/signatures'])
    expect(loss.filter(({ outcome }) => outcome === 'added').map(({ target }) => target)).toEqual([
      '/tools/2/description',
      '/adl_spec',
      '/data_classification',
    ])
  })

  test('gets its sensitivity from the card or the caller, never by a guess', () => {
    const { document, diagnostics } = convert(JSON.stringify(FOREIGN_CARD), { to: 'adl' })
    expect(document).toBeUndefined()
    expect(diagnostics[0]!.detail).toContain('expected the option classification')
  })

  test('of version 0.3 has its schemes in the form of OpenAPI', () => {
    const card = {
      protocolVersion: '0.3.0',
      name: 'A',
      description: 'B',
      url: 'https://a.example/x',
      version: '1.0.0',
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['application/json'],
      skills: [],
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X' },
        o: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: 'https://a.example/a',
              tokenUrl: 'https://a.example/t',
              scopes: { r: 'Read' },
            },
          },
        },
      },
      security: [{ o: ['r'] }],
    }
    const { document, loss } = make(card, 'adl', { classification: CLASSIFICATION })
    expect(at(document, '/security/authentication')).toEqual({
      type: 'oauth2',
      required: true,
      scopes: ['r'],
      token_endpoint: 'https://a.example/t',
    })
    expect(uncovered(card, loss)).toEqual([])
  })

  test('counts if its extension contradicts it', () => {
    const { document: card } = make(FULL, 'a2a-1.0', { url: URL })
    card['name'] = 'Renamed'
    const params = at(card, '/capabilities/extensions/0/params') as Json
    params['name'] = 'Carried'
    const { document, loss } = make(card, 'adl')
    expect([document['name'], at(document, '/x_a2a/name')]).toEqual(['Carried', 'Renamed'])
    expect(loss.find(({ pointer }) => pointer === '/name')).toMatchObject({ outcome: 'renamed', target: '/x_a2a/name' })
    expect(uncovered(card, loss)).toEqual([])
  })

  test('that was changed keeps members that do not follow from the definition', () => {
    const { document: card } = make(FULL, 'a2a-1.0', { url: URL })
    card['defaultInputModes'] = ['image/png']
    const { document } = make(card, 'adl')
    expect(at(document, '/x_a2a/defaultInputModes')).toEqual(['image/png'])
    expect(at(document, '/runtime/input_handling/content_types')).toEqual(['text/plain', 'application/json'])
  })
})

describe('MCP', () => {
  const BUNDLE: Json = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'weather', title: 'Weather', version: '0.3.1-beta.2', description: 'Weather of the world.' },
      instructions: 'Ask for one place at a time.',
    },
    'tools/list': {
      tools: [
        {
          name: 'getWeather',
          title: 'Get the weather',
          inputSchema: { type: 'object', properties: { place: { type: 'string' } } },
          outputSchema: { type: 'object' },
          annotations: { readOnlyHint: true, openWorldHint: true },
        },
      ],
    },
    'resources/list': { resources: [{ name: 'map', uri: 'file:///map.png', mimeType: 'image/png', size: 7 }] },
    'prompts/list': {
      prompts: [{ name: 'ask', arguments: [{ name: 'place', required: true, title: 'Place' }] }, { name: 'other' }],
    },
    'prompts/get': { ask: { messages: [{ role: 'user', content: { type: 'text', text: 'How is {{it}}?' } }] } },
  }

  test('a server becomes a definition', () => {
    const { document, loss } = make(BUNDLE, 'adl', { classification: CLASSIFICATION })
    expect(document).toEqual({
      adl_spec: '0.1.0',
      name: 'weather',
      description: 'Weather of the world.',
      version: '0.3.1',
      data_classification: CLASSIFICATION,
      tools: [
        {
          name: 'get_weather',
          description: 'Get the weather',
          parameters: { type: 'object', properties: { place: { type: 'string' } } },
          returns: { type: 'object' },
          read_only: true,
          x_mcp: { title: 'Get the weather', annotations: { openWorldHint: true } },
        },
      ],
      resources: [{ name: 'map', type: 'file', uri: 'file:///map.png', mime_types: ['image/png'], x_mcp: { size: 7 } }],
      prompts: [
        {
          name: 'ask',
          template: 'How is \\{{it}}?',
          arguments: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
          x_mcp: { arguments: [{ name: 'place', required: true, title: 'Place' }] },
        },
      ],
      x_mcp: {
        initialize: {
          capabilities: { tools: { listChanged: true } },
          serverInfo: { title: 'Weather' },
          instructions: 'Ask for one place at a time.',
        },
        'prompts/list': { prompts: [{ name: 'other' }] },
      },
    })
    expect(uncovered(BUNDLE, loss)).toEqual([])
    expect(validate(JSON.stringify(document)).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('refuses a bundle without an introduction', () => {
    expect(convert('{"initialize": {}}', { to: 'adl' }).diagnostics[0]!.detail).toContain('serverInfo')
  })

  test('a registry entry becomes a definition', () => {
    const server = {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.acme/weather',
      description: 'Weather',
      version: '1.0.2',
      repository: { url: 'https://git.acme.example/w', source: 'git.acme.example', id: '7' },
      packages: [{ registryType: 'npm', identifier: '@acme/weather', version: '1.0.2', transport: { type: 'stdio' } }],
    }
    const { document, loss } = make(server, 'adl', { classification: CLASSIFICATION })
    expect(document).toMatchObject({
      name: 'io.github.acme/weather',
      metadata: { repository: 'https://git.acme.example/w' },
    })
    expect(document['x_mcp_server']).toEqual({ repository: { id: '7' }, packages: server.packages })
    expect(uncovered(server, loss)).toEqual([])
    expect(make(document, 'mcp-server', { carry: 'nothing' }).document).toMatchObject({
      name: server.name,
      packages: server.packages,
    })
  })

  test('[adl/18.2-10] takes no secret from a client configuration', () => {
    const source = {
      mcpServers: {
        weather: { command: 'npx', args: ['--key', 's3cret'], env: { KEY: 's3cret' } },
        remote: { type: 'http', url: 'https://x.example/mcp?key=s3cret', headers: { Authorization: 'Bearer s3cret' } },
      },
    }
    expect(convert(JSON.stringify(source), { to: 'adl' }).diagnostics[0]!.detail).toContain('one of weather, remote')
    for (const server of ['weather', 'remote']) {
      const more = {
        classification: CLASSIFICATION,
        server,
        version: '1.0.0',
        description: 'Weather',
        carry: 'all',
      } as const
      const { document, loss } = make(source, 'adl', more)
      expect(JSON.stringify(document)).not.toContain('s3cret')
      expect(document['name']).toBe(server)
      expect(uncovered(source, loss)).toEqual([])
    }
  })
})

describe('hostile input', () => {
  const sources = ['a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28', 'mcp-server', 'mcp-client', 'adl'] as const
  const OPTIONS = {
    url: URL,
    classification: CLASSIFICATION,
    version: '1.0.0',
    description: 'x',
    carry: 'all',
  } as const
  const ODD = [
    null,
    true,
    0,
    '',
    'x',
    [],
    {},
    [null],
    [[]],
    [{}],
    { a: null },
    ['', 'x'],
    { name: 7 },
    [{ name: 'x' }],
    { type: 'oauth2' },
  ]

  test.each(sources)('%s: any value at any place is converted or refused, and accounted for', (from) => {
    const whole = from === 'adl' ? FULL : make(FULL, from, { ...OPTIONS, serverName: 'com.example/x' }).document
    const places: string[] = []
    const walk = (value: unknown, pointer: string) => {
      if (pointer !== '') places.push(pointer)
      if (typeof value !== 'object' || value === null) return
      for (const [name, inner] of Object.entries(value))
        walk(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
    walk(whole, '')
    const to =
      from === 'adl' ? (['a2a-1.0', 'mcp-2025-11-25', 'mcp-server', 'mcp-client'] as const) : (['adl'] as const)
    for (const [i, place] of places.entries()) {
      for (const odd of ODD.filter((_, k) => (k + i) % 11 === 0)) {
        const source = structuredClone(whole)
        const parent = at(source, place.slice(0, place.lastIndexOf('/'))) as Json
        parent[
          place
            .slice(place.lastIndexOf('/') + 1)
            .replaceAll('~1', '/')
            .replaceAll('~0', '~')
        ] = odd
        for (const target of to) {
          const { document, loss, diagnostics } = convert(JSON.stringify(source), { to: target, from, ...OPTIONS })
          if (document === undefined) expect(diagnostics.length).toBeGreaterThan(0)
          else expect([place, odd, target, uncovered(source, loss)]).toEqual([place, odd, target, []])
        }
      }
    }
  })

  test('treats names of Object.prototype like others', () => {
    const source =
      '{"adl_spec":"0.1.0","name":"a","description":"b","version":"1.0.0","__proto__":{"polluted":true},"prompts":[{"name":"__proto__","template":"x"}]}'
    for (const to of ['a2a-1.0', 'mcp-2025-11-25'] as const) {
      const there = convert(source, { to, url: URL, carry: 'all' })
      const back = convert(there.document!, { to: 'adl', classification: CLASSIFICATION }).document!.value as Json
      expect(Object.hasOwn(back, '__proto__')).toBe(true)
      expect(at(back, '/prompts/0/name')).toBe('__proto__')
    }
    expect(({} as Json)['polluted']).toBeUndefined()
  })

  test('handles thousands of colliding names quickly', () => {
    const skills = Array.from({ length: 12_000 }, (_, i) => ({
      id: i % 2 === 0 ? 'A-B' : `a_b_${i}`,
      name: 'x',
      description: 'y',
      tags: ['z'],
    }))
    const started = processorTime()
    const { document } = make({ ...FOREIGN_CARD, skills }, 'adl', { classification: CLASSIFICATION })
    expect(new Set((document['tools'] as Json[]).map(({ name }) => name)).size).toBe(12_000)
    expect(processorTime() - started).toBeLessThan(8000)
  })

  test('makes no huge card from thousands of tools and tags', () => {
    const tools = Array.from({ length: 2000 }, (_, i) => ({ name: `t${i}`, description: 'x' }))
    const tags = Array.from({ length: 20_000 }, (_, i) => `tag-${i}`)
    const source = { ...FULL, tools, metadata: { tags } }
    const { document, loss } = make(source, 'a2a-1.0', { url: URL, carry: 'nothing' })
    expect(JSON.stringify(document).length).toBeLessThan(2_000_000)
    expect(loss.find(({ pointer }) => pointer === '/metadata/tags')?.outcome).toBe('changed')
  })

  test('refuses deep documents, even parsed ones', () => {
    const deep = `{"adl_spec":"0.1.0","x_a":${'['.repeat(500)}${']'.repeat(500)}}`
    expect(convert(deep, { to: 'mcp-2025-11-25' }).diagnostics[0]!.code).toBe('DOC-113')
    expect(convert(parse(deep).document!, { to: 'mcp-2025-11-25' }).diagnostics[0]!.code).toBe('DOC-113')
  })

  test('the result shares no objects with the source', () => {
    const { document } = parse(JSON.stringify(FULL))
    const made = convert(document!, { to: 'a2a-1.0', url: URL, carry: 'all' }).document!.value as Json
    ;(at(made, '/capabilities/extensions/0/params/tools/0/parameters') as Json)['type'] = 'changed'
    ;(made['defaultInputModes'] as string[]).push('changed')
    expect(document!.value).toEqual(FULL)
    const card = parse(JSON.stringify(make(FULL, 'a2a-1.0', { url: URL }).document)).document!
    const before = structuredClone(card.value)
    convert(card, { to: 'adl' })
    expect(card.value).toEqual(before)
  })

  test('handles arbitrary JSON of any kind', () => {
    const property = fc.property(fc.jsonValue(), fc.constantFrom(...sources), (value, from) => {
      convert(JSON.stringify(value), { from, to: from === 'adl' ? 'mcp-server' : 'adl', ...OPTIONS })
    })
    fc.assert(property, { numRuns: casesOf(500) })
  })
})
