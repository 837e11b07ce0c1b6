// The schema of a tool guards it: a definition must accept no value that the schema in the other format rejects.
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { compileTools, validate } from '../../bindings/adl/index.ts'
import { type ConvertFormat, convert, FORMATS } from '../../bindings/convert/index.ts'
import { EXAMPLE } from './cards.ts'

const DEFAULTS = { to: 'adl', classification: { sensitivity: 'internal' }, version: '1.0.0', description: 'B' } as const
const server = (inputSchema: unknown) => ({
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'A', version: '1.0.0', description: 'B' },
  },
  'tools/list': { tools: [{ name: 'x', inputSchema }] },
})
const card = (input_schema: unknown) => ({
  id: 'agent://x.example',
  name: 'A',
  description: 'B',
  version: '1.0.0',
  tools: [{ name: 'x', input_schema }],
})

const SOURCES = [
  ['MCP', server, '/tools~1list/tools/0/inputSchema'],
  ['an Agent Card', card, '/tools/0/input_schema'],
] as const

/** The form in which the official SDK writes zod schemas. */
const ZOD = {
  type: 'object',
  properties: { path: { type: 'string' }, mode: { $ref: '#/definitions/mode' } },
  required: ['path'],
  dependencies: { mode: ['path'] },
  additionalProperties: false,
  definitions: { mode: { type: 'array', items: [{ enum: ['r', 'w'] }], additionalItems: false } },
  $schema: 'http://json-schema.org/draft-07/schema#',
}
const VALUES = [
  {},
  { path: 'a' },
  { path: 7 },
  { path: 'a', mode: ['r'] },
  { path: 'a', mode: ['x'] },
  { path: 'a', mode: ['r', 1] },
  { path: 'a', more: 1 },
]

describe.each(SOURCES)('schemas of tools in %s', (_, make, at) => {
  test('stay in draft-07, and validate as in Ajv', () => {
    const { document, loss, diagnostics } = convert(make(ZOD), DEFAULTS)
    expect(diagnostics).toEqual([])
    expect((document!.value as typeof ZOD & { tools: unknown[] }).tools).toMatchObject([{ name: 'x', parameters: ZOD }])
    expect(loss.find(({ pointer }) => pointer === at)).toMatchObject({ target: '/tools/0/parameters' })
    expect(validate(document!, { ruleset: 'spec' }).diagnostics.filter(({ severity }) => severity === 'error')).toEqual(
      [],
    )
    const tools = compileTools(document!)
    expect(tools.problems).toEqual([])
    const theirs = new Ajv({ strict: false }).compile(ZOD)
    for (const value of VALUES) expect([value, tools.checkInput('x', value).valid]).toEqual([value, theirs(value)])
  })

  test.each([
    ['of another dialect', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }, '/$schema'],
    ['that are none', { type: 'objekt' }, '/type'],
    ['that are texts', 'object', ''],
  ])('%s, %s: reported, kept, and nothing passes', (__, schema, place) => {
    const { document, diagnostics } = convert(make(schema), DEFAULTS)
    expect(diagnostics).toMatchObject([{ code: 'BADL-196', severity: 'warning', source: { pointer: at + place } }])
    const tools = compileTools(document!)
    for (const value of VALUES) expect(tools.checkInput('x', value).valid).toBe(false)
    if (typeof schema !== 'object') return
    expect(document!.value).toMatchObject({ tools: [{ parameters: schema }] })
    expect(tools.problems).toMatchObject([{ keyword: 'schema', decidedBy: `/tools/0/parameters${place}` }])
    const found = validate(document!, { ruleset: 'spec' }).diagnostics.filter(({ severity }) => severity === 'error')
    expect(found).toMatchObject([{ code: 'ADL-2007', source: { pointer: `/tools/0/parameters${place}` } }])
  })

  test('that refer to another document: reported, kept, valid with a warning, and nothing passes', () => {
    const schema = { type: 'object', properties: { p: { $ref: 'https://example.com/s.json' } } }
    const place = '/properties/p/$ref'
    const { document, diagnostics } = convert(make(schema), DEFAULTS)
    expect(diagnostics).toMatchObject([{ code: 'BADL-196', severity: 'warning', source: { pointer: at + place } }])
    expect(document!.value).toMatchObject({ tools: [{ parameters: schema }] })
    const tools = compileTools(document!)
    for (const value of VALUES) expect(tools.checkInput('x', value).valid).toBe(false)
    const { valid, diagnostics: found } = validate(document!, { ruleset: 'strict' })
    expect(valid).toBe(true)
    expect(found).toContainEqual(
      expect.objectContaining({
        code: 'BADL-135',
        severity: 'warning',
        source: expect.objectContaining({ pointer: `/tools/0/parameters${place}` }),
      }),
    )
  })

  test('that are false reject every value, those that are true accept every value', () => {
    for (const [schema, valid] of [
      [false, false],
      [true, true],
      [null, true],
    ] as const) {
      const { document, diagnostics } = convert(make(schema), DEFAULTS)
      expect(diagnostics).toEqual([])
      expect(compileTools(document!).checkInput('x', {}).valid).toBe(valid)
    }
  })
})

const MORE = { id: 'agent://x.example', url: 'https://x.example/a', serverName: 'com.example/x', carry: 'all' } as const
const definition = {
  adl_spec: '0.1.0',
  name: 'A',
  description: 'B',
  version: '1.0.0',
  data_classification: { sensitivity: 'internal' },
  tools: [{ name: 'x', description: 'y', parameters: ZOD, requires_confirmation: true }],
  security: { authentication: { type: 'oauth2', required: true, token_endpoint: 'https://x.example/t' } },
  // ADP/1.1 requires a key, OASF a known tag.
  cryptographic_identity: { did: EXAMPLE['did'] },
  metadata: { tags: ['testing'] },
}
/** Clients of these get the tools from the server itself. */
const WITHOUT_TOOLS: readonly ConvertFormat[] = ['mcp-server', 'mcp-client']
const STOPS = FORMATS.filter((format) => format !== 'adl' && !WITHOUT_TOOLS.includes(format))
/** These need more than tools. */
const NOT_OF_MCP: readonly ConvertFormat[] = ['wellknown', 'oasf-record']

describe.each([
  ['adl', definition, STOPS],
  ['card', { ...card(ZOD), did: EXAMPLE['did'], skills: ['testing'] }, STOPS],
  ['mcp-2025-11-25', server(ZOD), STOPS.filter((format) => !NOT_OF_MCP.includes(format))],
] as const)('from %s', (start, source, stops) => {
  const go = (from: ConvertFormat, bytes: string | Uint8Array, to: ConvertFormat) => {
    const { document, diagnostics } = convert(bytes, { ...DEFAULTS, ...MORE, from, to })
    expect([from, to, document === undefined ? diagnostics : []]).toEqual([from, to, []])
    return document!.bytes
  }
  const others = (format: ConvertFormat) => stops.filter((other) => other !== format)
  const routes = others(start).flatMap((first) => [[first], ...others(first).map((second) => [first, second])])

  test.each(routes.map((route) => [route.join(', ')]))('through %s to a definition: guarded as before', (route) => {
    let [at, bytes]: [ConvertFormat, string | Uint8Array] = [start, JSON.stringify(source)]
    for (const next of [...route.split(', '), 'adl'] as ConvertFormat[]) [at, bytes] = [next, go(at, bytes, next)]
    const made = JSON.parse(new TextDecoder().decode(bytes as Uint8Array)) as typeof definition
    const tools = compileTools(bytes)
    expect(VALUES.filter((value) => tools.checkInput('x', value).valid)).toEqual([
      { path: 'a' },
      { path: 'a', mode: ['r'] },
    ])
    if (start !== 'adl') return
    expect([made.tools[0]!.requires_confirmation, made.security]).toEqual([true, definition.security])
  })
})
