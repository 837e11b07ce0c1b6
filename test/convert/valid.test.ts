// Every valid definition becomes a document that the schemas of other formats accept, with odd values at every place.
import { expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { convert } from '../../bindings/convert/index.ts'
import { parse } from '../../bindings/document/parse.ts'
import { at, FULL, faults, hasData, type Json, places } from './samples.ts'

const TARGETS = ['a2a-1.0', 'a2a-0.3', 'mcp-2025-11-25', 'mcp-2026-07-28', 'mcp-server'] as const
const OPTIONS = { url: 'https://agents.example.com/x', serverName: 'com.example/x', carry: 'all' } as const
const ODD = [
  '',
  'x',
  'a b',
  0,
  7,
  true,
  false,
  null,
  [],
  {},
  [''],
  ['x'],
  ['text/plain'],
  [{}],
  { a: null },
  [{ name: 'x' }],
  { type: 'string' },
]

const EXTENDED: Json = {
  ...FULL,
  x_a2a: {
    supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC' }],
    iconUrl: 'https://a.example/i',
  },
  x_mcp_server: {
    name: 'com.example/y',
    remotes: [{ type: 'sse', url: 'https://a.example/sse' }],
    packages: [{ registryType: 'npm', identifier: 'x', transport: { type: 'stdio' } }],
  },
  x_mcp_client: { url: 'https://a.example' },
  tools: [
    ...(FULL['tools'] as Json[]),
    {
      name: 'extended',
      description: 'x',
      x_a2a: { name: 'X', tags: ['t'], examples: ['e'], inputModes: ['text/plain'] },
      x_mcp: { title: 'T' },
    },
  ],
}

test.runIf(hasData)('[adl/15.1-1] [adl/15.2-1] a valid definition gives valid documents', () => {
  let valid = 0
  const wrong: unknown[] = []
  for (const [i, place] of places(EXTENDED).entries()) {
    for (const odd of ODD.filter((_, k) => (k + i) % 5 === 0)) {
      const source = structuredClone(EXTENDED)
      const parent = at(source, place.slice(0, place.lastIndexOf('/'))) as Json
      parent[place.slice(place.lastIndexOf('/') + 1)] = odd
      const { document } = parse(JSON.stringify(source))
      if (!validate(document!, { ruleset: 'spec', now: new Date('2026-03-01T00:00:00Z') }).valid) continue
      valid++
      for (const to of TARGETS) {
        // Half of them without a URL: the interfaces kept from another format are used instead.
        const made = convert(document!, { to, ...(i % 2 === 0 ? OPTIONS : { carry: 'all' }) }).document
        const found = made === undefined ? [] : faults(to, made.value as Json)
        if (found.length > 0) wrong.push([to, place, odd, found[0]])
      }
    }
  }
  expect(valid).toBeGreaterThan(150)
  expect(wrong).toEqual([])
})

const FOREIGN: Readonly<Record<string, Json>> = {
  'a2a-1.0': {
    name: 'A',
    description: 'B',
    version: '1.0.0',
    supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    provider: { organization: 'C', url: 'https://a.example' },
    documentationUrl: 'https://a.example/d',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    securitySchemes: {
      o: {
        oauth2SecurityScheme: {
          flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: { r: 'Read' } } },
        },
      },
    },
    securityRequirements: [{ schemes: { o: { list: ['r'] } } }],
    skills: [{ id: 'x', name: 'X', description: 'Y', tags: ['z'] }],
  },
  'mcp-2025-11-25': {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'A', version: '1.0.0', description: 'B', websiteUrl: 'https://a.example' },
    },
    'tools/list': {
      tools: [
        {
          name: 'x',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        },
      ],
    },
    'resources/list': {
      resources: [
        { name: 'r', uri: 'file:///r', mimeType: 'text/plain' },
        { name: 's', uri: 'https://a.example/s' },
      ],
    },
    'prompts/list': {
      prompts: [{ name: 'p', description: 'P', arguments: [{ name: 'a', required: true }] }, { name: 'q' }],
    },
    'prompts/get': { p: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] } },
  },
  'mcp-server': {
    name: 'com.example/x',
    title: 'X',
    description: 'B',
    version: '1.0.0',
    websiteUrl: 'https://a.example',
    repository: { url: 'https://github.com/a/b', source: 'github' },
    remotes: [{ type: 'sse', url: 'https://a.example' }],
  },
  'mcp-client': { mcpServers: { x: { type: 'http', url: 'https://a.example' } } },
}

test.each(Object.keys(FOREIGN))(
  'odd values at every place of %s: what becomes a definition is a valid one, but for schemas that are told',
  (from) => {
    const defaults = { classification: { sensitivity: 'internal' }, version: '1.0.0', description: 'B' } as const
    const wrong: unknown[] = []
    let made = 0
    for (const place of places(FOREIGN[from])) {
      for (const odd of ODD) {
        const source = structuredClone(FOREIGN[from]!)
        const parent = at(source, place.slice(0, place.lastIndexOf('/'))) as Json
        parent[place.slice(place.lastIndexOf('/') + 1).replaceAll('~1', '/')] = odd
        const { document, diagnostics: told } = convert(JSON.stringify(source), {
          from: from as 'adl',
          to: 'adl',
          ...defaults,
        })
        if (document === undefined) continue
        made++
        const { diagnostics } = validate(document, { ruleset: 'spec', now: new Date('2026-03-01T00:00:00Z') })
        const isTold = told.some(({ code }) => code === 'BADL-196')
        const error = diagnostics.find(({ severity, code }) => severity === 'error' && !(isTold && code === 'ADL-2007'))
        if (error !== undefined) wrong.push([place, odd, error.code, error.detail])
      }
    }
    expect(made).toBeGreaterThan(20)
    expect(wrong).toEqual([])
  },
)
