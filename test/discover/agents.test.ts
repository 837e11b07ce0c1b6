import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDiscovery, readDiscovery } from '../../bindings/adl/discovery/specification.ts'
import { discoverAgents } from '../../bindings/discover/agents.ts'
import { HOST, startTls, type TlsServer } from '../support/tls.ts'

/** The example of section 6.4. */
const EXAMPLE = {
  adl_discovery: '1.0',
  agents: [
    {
      id: 'https://acme.example.com/agents/invoice-processor',
      adl_document: 'https://acme.example.com/agents/invoice-processor/adl.json',
      name: 'Invoice Processor',
      version: '2.0.0',
      status: 'active',
    },
    {
      id: 'https://acme.example.com/agents/research-assistant',
      adl_document: 'https://acme.example.com/agents/research-assistant/adl.json',
      name: 'Research Assistant',
      version: '2.1.0',
      status: 'active',
    },
  ],
}

const read = (value: unknown) => readDiscovery(JSON.stringify(value))
const codes = (value: unknown) => read(value).diagnostics.map(({ code, source }) => `${code} ${source.pointer}`)

describe('the discovery document', () => {
  test("[adl/6.4-2] the specification's example is valid, and building it gives it back", () => {
    expect(read(EXAMPLE)).toEqual({ entries: EXAMPLE.agents, diagnostics: [] })
    expect(JSON.parse(new TextDecoder().decode(buildDiscovery(EXAMPLE.agents)))).toEqual(EXAMPLE)
  })

  test.each([
    [[], ['ADL-1002 ']],
    [{}, ['ADL-1003 ']],
    [{ agents: {} }, ['ADL-1004 /agents']],
    [{ agents: [7] }, ['ADL-1004 /agents/0']],
    [{ agents: [{}] }, ['ADL-1003 /agents/0', 'ADL-1003 /agents/0']],
    [{ agents: [{ id: 1, adl_document: null }] }, ['ADL-1004 /agents/0/id', 'ADL-1004 /agents/0/adl_document']],
    [{ agents: [{ id: 'a b', adl_document: 'https://a.example/x' }] }, ['ADL-2006 /agents/0/id']],
    [{ agents: [{ id: 'urn:x:y', adl_document: 'http://a.example/x' }] }, ['BADL-160 /agents/0/adl_document']],
    [{ agents: [{ ...EXAMPLE.agents[0], status: 'asleep' }] }, ['ADL-5001 /agents/0/status']],
    [{ agents: [{ ...EXAMPLE.agents[0], name: 7 }] }, ['ADL-1004 /agents/0/name']],
    [{ agents: [EXAMPLE.agents[0], EXAMPLE.agents[0]] }, ['BADL-161 /agents/1/id']],
    [{ agents: new Array(10_001).fill(0) }, ['BADL-162 /agents']],
  ])('[adl/6.4-2] reports the fault of %j', (value, expected) => {
    expect(codes(value)).toEqual(expected)
  })

  test('a faulty entry does not affect the others, and unknown members are ignored', () => {
    const { entries } = read({ agents: [{}, { ...EXAMPLE.agents[0], x_own: 1 }], more: true })
    expect(entries).toMatchObject([EXAMPLE.agents[0]!])
  })

  test('bounds the findings for a list full of faults', () => {
    const { entries, diagnostics } = read({ agents: new Array(10_000).fill({}) })
    expect(entries).toEqual([])
    expect(diagnostics.length).toBe(1001)
    expect(diagnostics.at(-1)!.detail).toBe('19000 more findings are not listed')
  })
})

describe('discovering', () => {
  let server: TlsServer
  /** The documents of the server, by path; text is sent as it is. */
  let files: Record<string, unknown> = {}
  let asked: string[] = []

  const agent = (name: string, more: object = {}) => ({
    adl_spec: '0.1.0',
    id: `${server.origin}/agents/${name}`,
    name,
    description: 'An agent of a test, which does nothing at all.',
    version: '1.0.0',
    data_classification: { sensitivity: 'public' },
    ...more,
  })
  const entry = (name: string) => ({
    id: `${server.origin}/agents/${name}`,
    adl_document: `${server.origin}/agents/${name}/adl.json`,
  })
  const discover = (options = {}) => discoverAgents(`${HOST}:${server.port}`, { fetch: server.fetch, ...options })

  beforeAll(async () => {
    server = await startTls((request, response) => {
      asked.push(request.url!)
      const file = files[request.url!]
      if (file === undefined) response.writeHead(404).end()
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(typeof file === 'string' ? file : JSON.stringify(file))
    })
  })
  afterAll(() => server.close())

  function serve(names: readonly string[], documents: Record<string, unknown>) {
    asked = []
    files = { '/.well-known/adl-agents': { adl_discovery: '1.0', agents: names.map(entry) } }
    for (const [name, document] of Object.entries(documents)) files[`/agents/${name}/adl.json`] = document
  }

  test('[adl/6.4-3] [adl/18.7-1] reads the list over HTTPS and its documents, but nothing that these name', async () => {
    const links = { $schema: `${server.origin}/schema.json`, provider: { name: 'A', url: `${server.origin}/about` } }
    serve(['a', 'b'], { a: agent('a', links), b: agent('b') })
    const found = await discover()
    expect(found.agents.map(({ document }) => document?.value)).toMatchObject([{ name: 'a' }, { name: 'b' }])
    expect(asked.sort()).toEqual(['/.well-known/adl-agents', '/agents/a/adl.json', '/agents/b/adl.json'])
    expect(found).toMatchObject({ unread: 0, addressesChecked: true, diagnostics: [] })
  })

  test('a missing, broken, invalid or foreign document leaves the others usable', async () => {
    serve(['good', 'gone', 'broken', 'invalid', 'other'], {
      good: agent('good'),
      broken: '{"adl_spec": "0.1.0",',
      invalid: { ...agent('invalid'), name: undefined },
      other: agent('good'),
    })
    const { agents } = await discover()
    expect(agents.map(({ document }) => document !== undefined)).toEqual([true, false, false, false, false])
    const errors = agents.map(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error')[0]?.rule)
    expect(errors.slice(1, 2).concat(errors[4])).toEqual(['fetch/status', 'discovery-id'])
    expect(agents[2]!.diagnostics[0]!.code).toMatch(/^(ADL-1001|DOC-102)$/)
    expect(agents[3]!.diagnostics.length).toBeGreaterThan(0)
  })

  test('reads at most the requested number of documents, and counts the rest', async () => {
    serve(['a', 'b', 'c'], { a: agent('a'), b: agent('b'), c: agent('c') })
    expect(await discover({ maxDocuments: 1 })).toMatchObject({ agents: [{}], unread: 2 })
    expect(asked).toEqual(['/.well-known/adl-agents', '/agents/a/adl.json'])
  })

  test.each([-1, Number.NaN])('%d is not a valid number of documents', async (maxDocuments) => {
    await expect(discover({ maxDocuments })).rejects.toThrow(RangeError)
  })

  test('[adl/18.7-3] sends no request into a private network', async () => {
    serve([], {})
    const inside = { id: 'https://10.0.0.1/agents/x', adl_document: 'https://10.0.0.1/agents/x/adl.json' }
    files['/.well-known/adl-agents'] = { agents: [inside] }
    const { agents } = await discover()
    expect(agents[0]!.diagnostics).toMatchObject([{ rule: 'fetch/address' }])
  })

  test('a missing list is a finding, not an exception', async () => {
    files = {}
    expect(await discover()).toMatchObject({ agents: [], diagnostics: [{ rule: 'fetch/status' }] })
    expect(await discoverAgents('127.0.0.1')).toMatchObject({ diagnostics: [{ rule: 'fetch/address' }] })
  })

  test.each(['', 'a/b', 'user@host', 'a b', 'a?b', 'a\\b'])('%j is not a domain', async (domain) => {
    await expect(discoverAgents(domain)).rejects.toThrow(TypeError)
  })
})
