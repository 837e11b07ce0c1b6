// Probes real servers over HTTPS, among them those of the MCP SDK.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Card } from '../../bindings/card/index.ts'
import { probe, probeTargets } from '../../bindings/discover/index.ts'
import { parseJson as parse } from '../../bindings/document/index.ts'
import { guardedFetch } from '../../bindings/node/fetch.ts'
import { peer } from '../support/peers.mjs'
import { startTls, type TlsServer } from '../support/tls.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

interface McpModule {
  readonly McpServer: new (
    about: object,
  ) => {
    registerTool(name: string, about: object, run: () => object): void
    connect(transport: object): Promise<void>
  }
  readonly StreamableHTTPServerTransport: new (
    options: object,
  ) => {
    handleRequest(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>
  }
}

let server: TlsServer
let seen: { method: string; url: string; body: string; headers: IncomingMessage['headers'] }[] = []
const handlers: Record<string, Handler> = {}
let mcp: McpModule | undefined

beforeAll(async () => {
  server = await startTls(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    seen.push({ method: request.method!, url: request.url!, body, headers: request.headers })
    const handler = handlers[request.url!]
    if (handler === undefined) response.writeHead(404).end()
    else await handler(request, response, body)
  })
  try {
    const { McpServer } = await peer('@modelcontextprotocol/sdk/server/mcp.js', 'sdk')
    const { StreamableHTTPServerTransport } = await peer('@modelcontextprotocol/sdk/server/streamableHttp.js', 'sdk')
    mcp = { McpServer, StreamableHTTPServerTransport }
  } catch (error) {
    console.warn(`NOT RUN: MCP servers of the SDK are asked for their tools: ${(error as Error).message}`)
  }
})
afterAll(() => server.close())
afterEach(() => {
  seen = []
  for (const path of Object.keys(handlers)) delete handlers[path]
})

const card = (endpoints: readonly object[], tools: readonly string[] = ['translate', 'sing']) =>
  JSON.stringify({ id: 'agent://a', name: 'a', tools: tools.map((name) => ({ name })), endpoints })
const at = (path: string, more: object = {}) => ({ protocol: 'http+json', uri: `${server.origin}${path}`, ...more })
const ask = (source: string, options: probe.Options = {}) => probe(source, { fetch: server.fetch, ...options })
const json = (response: ServerResponse, value: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** A server of the SDK with two tools. */
function serve(path: string, options: { sessions: boolean; streams: boolean }) {
  const transports = new Map<string, { handleRequest: (...args: never[]) => Promise<void> }>()
  handlers[path] = async (request, response, body) => {
    const known = transports.get(String(request.headers['mcp-session-id']))
    if (known !== undefined) return known.handleRequest(...([request, response, JSON.parse(body)] as never[]))
    const own = new mcp!.McpServer({ name: 'test', version: '1.0.0' })
    for (const name of ['translate', 'detect']) own.registerTool(name, {}, () => ({ content: [] }))
    const id = `session-${transports.size}`
    const transport = new mcp!.StreamableHTTPServerTransport({
      sessionIdGenerator: options.sessions ? () => id : undefined,
      enableJsonResponse: !options.streams,
    })
    transports.set(id, transport as never)
    await own.connect(transport)
    return transport.handleRequest(request, response, JSON.parse(body))
  }
}

describe('[card/7.4-1] an MCP server of the SDK', () => {
  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('with sessions %s, answering as streams %s', async (sessions, streams) => {
    if (mcp === undefined) return
    serve('/mcp', { sessions, streams })
    const { endpoints, diagnostics } = await ask(card([at('/mcp')]))
    expect(endpoints).toEqual([
      {
        pointer: '/endpoints/0',
        uri: `${server.origin}/mcp`,
        speaks: 'mcp',
        offered: ['translate', 'detect'],
        missing: ['sing'],
        unclaimed: ['detect'],
        addressChecked: true,
      },
    ])
    expect(diagnostics).toMatchObject([{ code: 'CARD-178', severity: 'warning', source: { pointer: '/tools/1/name' } }])
    expect(seen.some(({ body }) => body.includes('tools/call'))).toBe(false)
  })
})

describe('[card/7.4-1] requests', () => {
  test('a server of MCP 2026-07-28 gets no handshake, but its version in the header and the request', async () => {
    handlers['/mcp'] = (request, response, body) => {
      const { id, method, params } = JSON.parse(body)
      const isCurrent = request.headers['mcp-protocol-version'] === '2026-07-28'
      if (method !== 'tools/list' || !isCurrent) return response.writeHead(400).end()
      expect(params._meta['io.modelcontextprotocol/protocolVersion']).toBe('2026-07-28')
      expect(params._meta['io.modelcontextprotocol/clientCapabilities']).toEqual({})
      const tools = params.cursor === 'x' ? [{ name: 'sing' }] : [{ name: 'translate' }]
      const next = params.cursor === 'x' ? {} : { nextCursor: 'x' }
      return json(response, { jsonrpc: '2.0', id, result: { tools, ttlMs: 0, cacheScope: 'public', ...next } })
    }
    const { endpoints, diagnostics } = await ask(card([at('/mcp')]))
    expect([endpoints[0]?.speaks, endpoints[0]?.offered, diagnostics]).toEqual(['mcp', ['translate', 'sing'], []])
  })

  test.each(['/.well-known/agent-card.json', '/.well-known/agent.json'])(
    'an A2A agent with its card at %s',
    async (path) => {
      handlers[path] = (_, response) =>
        json(response, { skills: [{ id: 'translate' }, { id: 7 }, null, { id: 'translate' }] })
      const { endpoints, diagnostics } = await ask(card([at('/a2a/v1')]))
      expect(endpoints).toMatchObject([{ speaks: 'a2a', offered: ['translate'], missing: ['sing'], unclaimed: [] }])
      expect(diagnostics.map(({ detail }) => detail)).toEqual([
        `'sing' is claimed, but '${server.origin}/a2a/v1' does not offer it`,
      ])
    },
  )

  test('the methods that an endpoint lists are its claims', async () => {
    handlers['/.well-known/agent-card.json'] = (_, response) => json(response, { skills: [{ id: 'translate' }] })
    const { endpoints, diagnostics } = await ask(card([at('/a', { methods: ['translate', 'glossary'] })]))
    expect(endpoints[0]?.missing).toEqual(['glossary'])
    expect(diagnostics[0]?.source.pointer).toBe('/endpoints/0/methods/1')
  })

  test('send no credentials of the caller, and call no tool', async () => {
    handlers['/.well-known/agent-card.json'] = (_, response) => json(response, { skills: [] })
    await ask(card([at('/a')]))
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /a',
      'POST /a',
      'GET /.well-known/agent-card.json',
    ])
    for (const { headers } of seen) {
      expect(Object.keys(headers).filter((name) => /cookie|authorization|referer|origin/.test(name))).toEqual([])
    }
  })

  test('go only to http+json over https, each URI once, at most eight', () => {
    const endpoints = [
      { protocol: 'aitp', uri: 'agent://a' },
      { protocol: 'http+json', uri: 'http://a.example' },
      { protocol: 'http+json', uri: 'https://' },
      { protocol: 'ws', uri: 'wss://a.example' },
      ...Array.from({ length: 10 }, (_, i) => ({ protocol: 'http+json', uri: `https://a.example/${i}` })),
      { protocol: 'http+json', uri: 'https://a.example/0' },
      null,
    ]
    const targets = probeTargets(new Card(parse(card(endpoints as object[])).document!))
    expect(targets.map(({ uri }) => uri)).toEqual(Array.from({ length: 8 }, (_, i) => `https://a.example/${i}`))
    expect(targets[0]?.pointer).toBe('/endpoints/4')
  })
})

describe('[card/7.4-2] hostile servers', () => {
  test.each([
    'https://127.0.0.1/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://localhost/',
    'https://u:p@a.example/',
  ])('%s gets no request', async (uri) => {
    const fetch = vi.fn()
    const { endpoints, diagnostics } = await ask(card([{ protocol: 'http+json', uri }]), { fetch })
    expect(endpoints).toMatchObject([{ speaks: undefined }])
    expect(diagnostics).toMatchObject([{ code: 'CARD-179', source: { pointer: '/endpoints/0/uri' } }])
    expect(fetch).not.toHaveBeenCalled()
  })

  test('a public name with a private address', async () => {
    const fetch = guardedFetch({ ...server.dialer, resolve: async () => ['10.0.0.1'] })
    const { endpoints } = await ask(card([at('/mcp')]), { fetch })
    expect([endpoints[0]?.speaks, seen]).toEqual([undefined, []])
  })

  test('redirects of an MCP server are ignored', async () => {
    handlers['/mcp'] = (_, response) => response.writeHead(307, { location: '/other' }).end()
    await ask(card([at('/mcp')]))
    expect(seen.map(({ url }) => url)).not.toContain('/other')
  })

  const loop: Handler = (_, response, body) =>
    json(response, { id: JSON.parse(body).id, result: { tools: [{ name: 'x' }], nextCursor: String(Math.random()) } })
  test('an endless list is read for ten pages', async () => {
    handlers['/mcp'] = loop
    expect((await ask(card([at('/mcp')]))).endpoints[0]?.speaks).toBe('mcp')
    expect(seen.filter(({ body }) => body.includes('tools/list'))).toHaveLength(10)
  })

  test.each<[string, Handler]>([
    ['HTML', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['an empty body', (_, response) => response.writeHead(200).end()],
    ['another id', (_, response) => json(response, { id: 99, result: { tools: [] } })],
    [
      'an error',
      (_, response, body) => json(response, { id: JSON.parse(body).id, error: { code: -32601, message: 'x' } }),
    ],
    ['tools that are none', (_, response, body) => json(response, { id: JSON.parse(body).id, result: { tools: 'x' } })],
    ['a name that stands twice', (_, response) => response.writeHead(200).end('{"id":1,"id":1,"result":{"tools":[]}}')],
    [
      'an event that is no JSON',
      (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {\n\n'),
    ],
    ['more than a megabyte', (_, response) => response.writeHead(200).end(' '.repeat(2 << 20))],
    ['401', (_, response) => response.writeHead(401).end()],
  ])('an answer of %s is invalid', async (_, handler) => {
    handlers['/mcp'] = handler
    const { endpoints, diagnostics } = await ask(card([at('/mcp')]))
    expect(endpoints).toMatchObject([{ speaks: undefined, offered: [], missing: [] }])
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['CARD-179', 'info']])
  })

  test('a silent server is given up in time, and the others are asked', async () => {
    handlers['/silent'] = () => undefined
    handlers['/mcp'] = loop
    const { endpoints } = await ask(card([at('/silent'), at('/mcp')]), { timeoutMs: 3000 })
    expect(endpoints.map(({ speaks }) => speaks)).toEqual([undefined, 'mcp'])
  })

  test('another document than a card gives diagnostics', async () => {
    expect(await ask('[]')).toMatchObject({ endpoints: [], diagnostics: [{ severity: 'error' }] })
    expect(await ask('{')).toMatchObject({ endpoints: [], diagnostics: [{ severity: 'error' }] })
  })
})
