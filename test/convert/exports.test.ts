import { describe, expect, test } from 'vitest'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { at, FULL, faults, hasData, type Json, published, uncovered } from './samples.ts'

const OPTIONS = {
  url: 'https://agents.example.com/x',
  serverName: 'com.example/x',
  apiKey: { in: 'header', name: 'X-Key' },
} as const
const TARGETS = ['a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28', 'mcp-server', 'mcp-client'] as const
const CARRY = ['public', 'all', 'nothing'] as const

const make = (source: Json, to: ConvertFormat, more: ConvertOptions = {}) => {
  const result = convert(JSON.stringify(source), { to, ...OPTIONS, ...more })
  if (result.document === undefined) throw new Error(JSON.stringify(result.diagnostics))
  return { ...result, document: result.document.value as Json }
}

const samples = [...published(), ['full', FULL] as const]

describe.each(TARGETS)('%s', (to) => {
  test.runIf(hasData).each(samples)(
    '[adl/15.1-1] [adl/15.2-1] %s gives a document that its makers’ schema accepts',
    (_, source) => {
      for (const carry of CARRY) expect(faults(to, make(source, to, { carry }).document)).toEqual([])
    },
  )

  test.each(samples)('every leaf of %s is accounted for once', (_, source) => {
    for (const carry of CARRY) expect(uncovered(source, make(source, to, { carry }).loss)).toEqual([])
  })

  test.each(samples)('the rows of %s have values at their targets', (_, source) => {
    for (const carry of CARRY) {
      const { document, loss } = make(source, to, { carry })
      for (const row of nonEmpty(loss)) {
        if (row.target === undefined) continue
        expect([row, at(document, row.target)]).not.toEqual([row, undefined])
        if (row.outcome === 'kept' || row.detail.startsWith('carried along')) {
          expect([row, at(document, row.target)]).toEqual([row, at(source, row.pointer!)])
        }
      }
    }
  })
})

describe.each(CARRY)('rows with carry %s', (carry) => {
  const toA2a = { to: 'a2a-0.3', carry } as const
  const shownAt = (source: Json, options: ConvertOptions) => {
    const { loss } = convert(JSON.stringify(source), { ...toA2a, ...options })
    const rows = carry === 'nothing' ? loss : loss.filter(({ target = '' }) => !target.startsWith('/capabilities'))
    return rows.flatMap(({ pointer, target, outcome }) =>
      /url|Transport|additional/.test(target ?? '') && !target!.startsWith('/provider')
        ? [[pointer, target, outcome]]
        : [],
    )
  }

  test('name each interface member of an A2A 0.3 card', () => {
    const own = {
      url: 'https://a.example/x',
      preferredTransport: 'GRPC',
      additionalInterfaces: [{ url: 'https://a.example/y', transport: 'JSONRPC' }],
    }
    const source = { ...FULL, metadata: {}, x_a2a: own }
    const told = Object.keys(own).map((name) => [`/x_a2a/${name}`, `/${name}`, 'renamed'])
    // With an extension the rows are those of the extension, and nothing is reported as added.
    expect(shownAt(source, {})).toEqual(carry === 'nothing' ? told : [])
    expect(shownAt(source, { url: 'https://b.example' })).toEqual([
      [undefined, '/url', 'added'],
      [undefined, '/preferredTransport', 'added'],
    ])
    expect(shownAt({ ...source, x_a2a: { url: own.url } }, {}).at(-1)).toEqual([
      undefined,
      '/preferredTransport',
      'added',
    ])
  })

  test.each(['mcp-2025-11-25', 'mcp-2026-07-28'] as const)(
    'say of a prompt in %s what becomes of a schema without properties',
    (to) => {
      const schema = { type: 'object', properties: {} }
      const source = { ...FULL, prompts: [{ name: 'greet', template: 'Hello', arguments: schema }] }
      const { document, loss } = make(source, to, { carry })
      const back = make(document, 'adl', { classification: { sensitivity: 'internal' } }).document
      const row = loss.find(({ pointer }) => pointer === '/prompts/0/arguments')!
      expect([row.outcome, at(back, '/prompts/0/arguments')]).toEqual(
        carry === 'nothing' ? ['dropped', undefined] : ['renamed', schema],
      )
      expect(row.detail).not.toContain('also at')
    },
  )
})

describe('the published members', () => {
  test.each(TARGETS)('[adl/18.4-4] %s has no prompt, contact, author or permission unless requested', (to) => {
    const { document, loss } = make(FULL, to)
    const text = JSON.stringify(document)
    for (const secret of ['You work for', 'ai-platform@', 'ada@acme', 'db.internal']) expect(text).not.toContain(secret)
    if (to === 'mcp-client') return
    for (const pointer of ['/system_prompt', '/provider/contact', '/metadata/authors', '/permissions']) {
      expect(loss.find((row) => row.pointer === pointer)).toMatchObject({ outcome: 'dropped' })
    }
  })

  test.each(['a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28', 'mcp-server'] as const)(
    '%s has all of it when all is carried',
    (to) => {
      expect(make(FULL, to, { carry: 'all' }).loss.filter(({ outcome }) => outcome === 'dropped')).toEqual([])
    },
  )
})

describe('an A2A card', () => {
  // The mapping of ADL 15.1, and the other fields of A2A 1.0 and 0.3.
  test('[adl/15.1-1] of version 1.0', () => {
    const { document } = make(FULL, 'a2a-1.0', { carry: 'nothing' })
    expect(document).toEqual({
      name: 'Invoice Processor',
      description: 'Processes and routes invoices.',
      supportedInterfaces: [
        { url: 'https://agents.example.com/x', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      version: '2.0.0',
      provider: { organization: 'Acme Corp', url: 'https://acme.example.com' },
      documentationUrl: 'https://docs.acme.example.com/invoices',
      capabilities: { streaming: false },
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['application/json'],
      securitySchemes: {
        oauth2: {
          oauth2SecurityScheme: {
            flows: { clientCredentials: { tokenUrl: 'https://auth.acme.example.com/token', scopes: { read: 'read' } } },
          },
        },
      },
      securityRequirements: [{ schemes: { oauth2: { list: ['read'] } } }],
      skills: [
        {
          id: 'search_invoices',
          name: 'search_invoices',
          description: 'Searches invoices.',
          tags: ['read-only', 'idempotent', 'finance', 'invoice'],
          examples: ['Search by vendor'],
        },
        { id: 'pay', name: 'pay', description: 'Pays an invoice.', tags: ['finance', 'invoice'] },
        { id: 'total', name: 'total', description: 'Adds up.', tags: ['finance', 'invoice'] },
        { id: 'ping', name: 'ping', description: 'Says hello.', tags: ['finance', 'invoice'] },
      ],
    })
  })

  test('[adl/15.1-1] of version 0.3 differs in endpoint and security', () => {
    const { document } = make(FULL, 'a2a-0.3', { carry: 'nothing' })
    expect(document).toMatchObject({
      protocolVersion: '0.3.0',
      url: 'https://agents.example.com/x',
      preferredTransport: 'JSONRPC',
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://auth.acme.example.com/token', scopes: { read: 'read' } } },
        },
      },
      security: [{ oauth2: ['read'] }],
    })
  })

  test.each([
    [{ type: 'mtls' }, { mtls: { mtlsSecurityScheme: { description: 'Mutual TLS' } } }],
    [{ type: 'api_key' }, { api_key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } }],
    [
      { type: 'oidc', issuer: 'https://id.example.com/' },
      {
        oidc: {
          openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration' },
        },
      },
    ],
    [{ type: 'oidc' }, { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } }],
    [{ type: 'none' }, undefined],
  ])('[adl/15.1-1] authentication %j', (authentication, schemes) => {
    const { document } = make({ ...FULL, security: { authentication } }, 'a2a-1.0')
    expect(document['securitySchemes']).toEqual(schemes)
    if (hasData) expect(faults('a2a-1.0', document)).toEqual([])
  })

  test.each([
    [true, true],
    [false, false],
    ['yes', undefined],
    [undefined, undefined],
  ])('streaming %j is the capability %j', (streaming, expected) => {
    const { document } = make({ ...FULL, runtime: { output_handling: { streaming } } }, 'a2a-1.0')
    expect(at(document, '/capabilities/streaming')).toBe(expected)
  })

  test('carries members of the definition that a card lacks, under a URI', () => {
    const { document } = make(FULL, 'a2a-1.0')
    const { uri, params } = at(document, '/capabilities/extensions/0') as { uri: string; params: Json }
    expect(uri).toMatch(/^urn:uuid:[0-9a-f-]{36}$/)
    expect(params).toMatchObject({
      adl_spec: '0.1.0',
      cryptographic_identity: FULL['cryptographic_identity'],
      data_classification: FULL['data_classification'],
      lifecycle: FULL['lifecycle'],
      x_acme_internal_id: 'inv-007',
    })
    expect(at(params, '/tools/0')).toMatchObject({
      name: 'search_invoices',
      annotations: { operation_id: 'searchInvoices' },
    })
  })
})

describe('MCP', () => {
  // The facts that ADL 15.2 leaves open: hints, schemas and prompts in the form of the protocol.
  test('[adl/15.2-1] tools, resources and prompts are results of the protocol', () => {
    const { document } = make(FULL, 'mcp-2025-11-25', { carry: 'nothing' })
    expect(document).toEqual({
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: {
          name: 'Invoice Processor',
          version: '2.0.0',
          description: 'Processes and routes invoices.',
          websiteUrl: 'https://docs.acme.example.com/invoices',
        },
      },
      'tools/list': {
        tools: [
          {
            name: 'search_invoices',
            description: 'Searches invoices.',
            inputSchema: {
              type: 'object',
              properties: { vendor: { type: 'string' }, any: {}, none: { not: {} } },
              required: ['vendor'],
            },
            annotations: { readOnlyHint: true, idempotentHint: true },
          },
          {
            name: 'pay',
            description: 'Pays an invoice.',
            inputSchema: { type: 'object' },
            annotations: { readOnlyHint: false },
          },
          {
            name: 'total',
            description: 'Adds up.',
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object', properties: { sum: { type: 'number' } } },
          },
          { name: 'ping', description: 'Says hello.', inputSchema: { type: 'object' } },
        ],
      },
      'resources/list': {
        resources: [
          { name: 'store', uri: 'https://store.acme.example.com/i', mimeType: 'application/pdf' },
          { name: 'help desk', description: 'Help', uri: 'adl://resource/help%20desk', mimeType: 'text/html' },
        ],
      },
      'prompts/list': {
        prompts: [
          {
            name: 'summarize',
            description: 'Summarizes.',
            arguments: [{ name: 'text', description: 'What', required: true }, { name: 'role' }],
          },
          { name: 'count', arguments: [{ name: 'n' }] },
          { name: 'greet' },
        ],
      },
      'prompts/get': {
        summarize: {
          messages: [
            { role: 'user', content: { type: 'text', text: 'Summarize {{text}} for {{role}}, \\{{not this}}.' } },
          ],
        },
        count: { messages: [{ role: 'user', content: { type: 'text', text: 'Count to {{n}}' } }] },
        greet: { messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }] },
      },
    })
  })

  test('[adl/15.3-1] keeps OpenAPI references of the tool', () => {
    const { document } = make(FULL, 'mcp-2025-11-25')
    expect(at(document, '/tools~1list/tools/0/_meta/blazon~1adl')).toMatchObject({
      annotations: { openapi_ref: 'https://api.acme.example.com/openapi.json', operation_id: 'searchInvoices' },
    })
  })

  test('[adl/15.2-1] names a registry entry by the host of the agent', () => {
    const { document } = convert(JSON.stringify(FULL), { to: 'mcp-server' })
    expect(document?.value).toMatchObject({
      name: 'com.example.acme/invoice-processor',
      title: 'Invoice Processor',
      version: '2.0.0',
      websiteUrl: 'https://docs.acme.example.com/invoices',
      repository: { url: 'https://github.com/acme/invoices', source: 'github' },
    })
  })

  test('shortens long texts for the registry, and carries them in full', () => {
    const long = `${'é'.repeat(99)} end`
    const { document, loss } = make({ ...FULL, description: long }, 'mcp-server')
    expect(document['description']).toBe(`${'é'.repeat(99)}…`)
    expect(JSON.stringify(document['_meta'])).toContain(long)
    expect(loss.find(({ pointer }) => pointer === '/description')?.outcome).toBe('renamed')
    const bare = make({ ...FULL, description: long }, 'mcp-server', { carry: 'nothing' })
    expect(bare.loss.find(({ pointer }) => pointer === '/description')?.outcome).toBe('changed')
  })

  test('[adl/15.2-1] writes how to reach the server in a client configuration', () => {
    expect(make(FULL, 'mcp-client').document).toEqual({
      mcpServers: { 'invoice-processor': { type: 'http', url: 'https://agents.example.com/x' } },
    })
    const { document } = convert(JSON.stringify(FULL), { to: 'mcp-client', command: 'npx', args: ['-y', 'invoices'] })
    expect(document?.value).toEqual({
      mcpServers: { 'invoice-processor': { command: 'npx', args: ['-y', 'invoices'] } },
    })
  })
})

describe('refusals', () => {
  const refused = (source: unknown, to: ConvertFormat, more: ConvertOptions = {}) => {
    const { document, loss, diagnostics } = convert(JSON.stringify(source), { to, ...more })
    expect([document, loss]).toEqual([undefined, []])
    return diagnostics.map(({ code, detail }) => `${code} ${detail}`)
  }

  test.each(['a2a-1.0', 'a2a-0.3', 'mcp-client'] as const)('%s without a URL', (to) => {
    expect(refused(FULL, to).join()).toMatch(/^BADL-190 expected the option url/)
  })

  test('a definition without members that the target requires', () => {
    const source = { adl_spec: '0.1.0', description: 7, version: '' }
    expect(refused(source, 'a2a-1.0', OPTIONS).map((line) => line.split(':')[0])).toEqual([
      'BADL-190 expected a non-empty name',
      'BADL-190 expected a non-empty description',
      'BADL-190 expected a non-empty version',
    ])
  })

  test('an unknown format, and a document without members that both steps need', () => {
    expect(refused({ name: 'x' }, 'adl')[0]).toContain('BADL-192')
    expect(refused([], 'adl')[0]).toContain('BADL-192')
    expect(refused({ specVersion: '1.0', entries: [] }, 'adl')[0]).toMatch(/BADL-192.*AI catalogs cannot be converted/)
    expect(refused(FULL, 'adl')[0]).toContain('already')
    expect(refused({ supportedInterfaces: [] }, 'mcp-server', OPTIONS)[0]).toContain('expected a non-empty name')
    for (const to of ['a2a-1.0', 'a2a-0.3', 'mcp-server', 'mcp-client'] as const)
      for (const url of ['ftp://x', 'nope', ''])
        expect([to, url, refused(FULL, to, { url })[0]]).toEqual([to, url, expect.stringContaining('http or https')])
    expect(convert('{', { to: 'adl' }).diagnostics[0]!.code).toBe('DOC-102')
  })

  test('wrong arguments throw', () => {
    expect(() => convert('{}', { to: 'pdf' as never })).toThrow(RangeError)
    expect(() => convert('{}', { to: 'adl', from: 'pdf' as never })).toThrow(RangeError)
    expect(() => convert(7 as never, { to: 'adl' })).toThrow(TypeError)
  })
})
