// Definitions and schemas of others, read in place.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import { parse as parseYaml } from 'yaml'
import type { LossRow } from '../../bindings/convert/formats.ts'
import type { ConvertFormat } from '../../bindings/convert/index.ts'
import { escapeToken } from '../../bindings/text/members.ts'

export type Json = Record<string, unknown>

export const DATA = resolve(process.env['BLAZON_DATA'] ?? '../shared/data')
export const hasData = existsSync(join(DATA, 'interop'))
if (!hasData) console.warn('NOT RUN: examples of ADL, schemas of A2A and MCP: absent from ../shared/data')

const PROFILES = [
  'governance/compliance',
  'financial/trade-compliance',
  'portfolio/customer-service',
  'healthcare/clinical-research',
]

/** The specification's three examples and those of the four profiles, by name. */
export function published(): (readonly [name: string, definition: Json])[] {
  if (!hasData) return []
  const read = (...path: string[]) => readFileSync(join(DATA, 'adl', ...path), 'utf8')
  const examples = ['minimal', 'with-tools', 'production'].map(
    (name) => [name, parseYaml(read('examples', `${name}.yaml`))] as const,
  )
  const profiles = PROFILES.map((path) => [path, JSON.parse(read('profiles', `${path}-agent.json`))] as const)
  return [...examples, ...profiles]
}

/** Options that any of the formats needs. */
export const OPTIONS = {
  url: 'https://example.com/a2a',
  id: 'agent://x.example',
  serverName: 'com.example/x',
  classification: { sensitivity: 'internal' },
  version: '1.0.0',
  description: 'B',
} as const

/** A definition with everything that conversions read. */
export const FULL: Json = {
  $schema: 'https://adl-spec.org/0.1/schema.json',
  adl_spec: '0.1.0',
  name: 'Invoice Processor',
  description: 'Processes and routes invoices.',
  version: '2.0.0',
  id: 'https://acme.example.com/agents/invoice-processor',
  lifecycle: { status: 'active', effective_date: '2026-01-15T00:00:00Z' },
  provider: { name: 'Acme Corp', url: 'https://acme.example.com', contact: 'ai-platform@acme.example.com' },
  cryptographic_identity: { did: 'did:web:acme.example.com:agents:invoice-processor' },
  data_classification: { sensitivity: 'confidential', categories: ['financial'] },
  model: { name: 'acme-large-2024', capabilities: ['function_calling'], x_acme_tier: 'premium' },
  system_prompt: { template: 'You work for {{company}}.', variables: { company: 'Acme' } },
  tools: [
    {
      name: 'search_invoices',
      description: 'Searches invoices.',
      parameters: {
        type: 'object',
        properties: { vendor: { type: 'string' }, any: true, none: false },
        required: ['vendor'],
      },
      returns: { type: 'array', items: { type: 'object' } },
      examples: [{ name: 'Search by vendor', input: { vendor: 'Acme' }, output: [] }, { input: {} }],
      read_only: true,
      idempotent: true,
      annotations: { openapi_ref: 'https://api.acme.example.com/openapi.json', operation_id: 'searchInvoices' },
      data_classification: { sensitivity: 'confidential' },
    },
    {
      name: 'pay',
      description: 'Pays an invoice.',
      requires_confirmation: true,
      read_only: false,
      parameters: { type: 'object' },
    },
    { name: 'total', description: 'Adds up.', returns: { type: 'object', properties: { sum: { type: 'number' } } } },
    { name: 'ping', description: 'Says hello.' },
  ],
  resources: [
    {
      name: 'store',
      type: 'vector_store',
      uri: 'https://store.acme.example.com/i',
      mime_types: ['application/pdf', 'application/json'],
    },
    { name: 'help desk', type: 'knowledge_base', description: 'Help', mime_types: ['text/html'] },
  ],
  prompts: [
    {
      name: 'summarize',
      description: 'Summarizes.',
      template: 'Summarize {{text}} for {{role}}, \\{{not this}}.',
      arguments: {
        type: 'object',
        properties: { text: { type: 'string', description: 'What' }, role: { type: 'string' } },
        required: ['text'],
      },
    },
    { name: 'count', template: 'Count to {{n}}', arguments: { type: 'object', properties: { n: { type: 'number' } } } },
    { name: 'greet', template: 'Say hello' },
  ],
  permissions: { network: { allowed_hosts: ['db.internal'] } },
  security: {
    authentication: {
      type: 'oauth2',
      required: true,
      scopes: ['read'],
      token_endpoint: 'https://auth.acme.example.com/token',
    },
    encryption: { in_transit: { required: true } },
    attestation: { type: 'self' },
  },
  runtime: {
    input_handling: { content_types: ['text/plain', 'application/json'], max_input_length: 10 },
    output_handling: { format: 'json', streaming: false },
  },
  metadata: {
    authors: [{ name: 'Ada', email: 'ada@acme.example.com' }],
    license: 'Apache-2.0',
    documentation: 'https://docs.acme.example.com/invoices',
    repository: 'https://github.com/acme/invoices',
    tags: ['finance', 'invoice'],
  },
  profiles: [],
  x_acme_internal_id: 'inv-007',
}

type Check = (value: unknown) => string[]

function schemaFile(name: string): Json {
  return JSON.parse(readFileSync(join(DATA, 'interop', name), 'utf8'))
}

const checkers = new Map<string, Check>()

/** A validator of a published schema: returns messages; none for a valid value. */
function checker(file: string, definition?: string): Check {
  const key = `${file}#${definition}`
  const check = checkers.get(key) ?? compile(file, definition)
  checkers.set(key, check)
  return check
}

function compile(file: string, definition: string | undefined): Check {
  const old = file === 'a2a-v0.3.0.json'
  const options = { strict: false, validateFormats: false }
  const ajv = old ? new Ajv(options) : new Ajv2020(options)
  const schema = schemaFile(file)
  const root = old ? 'definitions' : '$defs'
  const validate = ajv.compile(
    definition === undefined ? schema : { [root]: schema[root], $ref: `#/${root}/${definition}` },
  )
  return (value) => {
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    )
  }
}

/** The faults of a document by the schema that the authors of the format publish. */
export function faults(to: ConvertFormat, document: Json): string[] {
  if (to === 'a2a-1.0') return checker('a2a-v1-agentcard.strict.schema.json')(document)
  if (to === 'a2a-0.3') return checker('a2a-v0.3.0.json', 'AgentCard')(document)
  if (to === 'mcp-server') return checker('mcp-registry-server.schema.json')(document)
  if (to === 'mcp-client' || to === 'oasf-descriptor' || to === 'wellknown') return []
  if (to === 'oasf-record') return recordFaults(document)
  const file = to === 'mcp-2025-11-25' ? 'mcp-schema-2025-11-25.json' : 'mcp-schema-2026-07-28.json'
  const { 'prompts/get': prompts = {}, ...results } = document
  return [
    ...Object.entries(results).flatMap(([method, result]) => checker(file, RESULTS[method])(result)),
    ...Object.values(prompts as Json).flatMap((result) => checker(file, 'GetPromptResult')(result)),
  ]
}

/** OASF has no JSON Schema: the requirements of its record, member by member (schema/objects/record at 1.1.1). */
function recordFaults(record: Json): string[] {
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const lists = ['authors', 'skills', ...['locators', 'modules', 'domains'].filter((name) => name in record)]
  const known = new Map(oasfSkills().map(({ id, name }) => [name, id]))
  return [
    ...['name', 'version', 'schema_version', 'description', 'created_at'].filter((name) => !isText(record[name])),
    ...lists.filter((name) => !Array.isArray(record[name]) || (record[name] as unknown[]).length === 0),
    ...(record['skills'] as Json[])
      .filter(({ name, id }) => known.get(name as string) !== id)
      .map((skill) => `${skill['name']}`),
    ...((record['locators'] ?? []) as Json[])
      .filter(({ type, urls }) => type !== 'url' || !Array.isArray(urls))
      .map(String),
    ...Object.values((record['annotations'] ?? {}) as Json)
      .filter((text) => !isText(text))
      .map(String),
  ]
}

/** Names and ids of the skills of OASF 1.1.1. */
export function oasfSkills(): readonly { readonly id: number; readonly name: string }[] {
  return (schemaFile('oasf-skills.json')['skills'] as Record<string, { id: number; name: string }[]>)['v1.1.1']!
}

const RESULTS: Record<string, string> = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'resources/list': 'ListResourcesResult',
  'prompts/list': 'ListPromptsResult',
}

/** The JSON Pointers of everything below a value. */
export function places(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = `${pointer}/${escapeToken(name)}`
    return [place, ...places(inner, place)]
  })
}

/** The JSON Pointers of all leaves. */
function leaves(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer]
  const entries = Object.entries(value)
  if (entries.length === 0) return [pointer]
  return entries.flatMap(([name, inner]) => leaves(inner, `${pointer}/${escapeToken(name)}`))
}

/** Leaves that are not covered by exactly one row, and rows that cover no leaf. */
export function uncovered(source: unknown, loss: readonly LossRow[]): string[] {
  const rows = new Map<string, number>()
  for (const { pointer } of loss) if (pointer !== undefined) rows.set(pointer, (rows.get(pointer) ?? 0) + 1)
  const used = new Set<string>()
  const wrong = leaves(source).filter((leaf) => {
    let count = 0
    for (let at = leaf; ; at = at.slice(0, at.lastIndexOf('/'))) {
      if (rows.has(at)) used.add(at)
      count += rows.get(at) ?? 0
      if (at === '') break
    }
    return count !== 1
  })
  return [
    ...wrong,
    ...[...rows.keys()].filter((pointer) => !used.has(pointer)).map((pointer) => `nothing at ${pointer}`),
  ]
}

/** The value at a JSON Pointer. */
export function at(value: unknown, pointer: string): unknown {
  const tokens = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  return tokens.reduce((inner: unknown, token) => (inner as Json | undefined)?.[token], value)
}

/** The document with another value at a place, or without that place. */
export function edited(source: Json, place: string, value?: unknown): Json {
  const copy = structuredClone(source)
  const parent = at(copy, place.slice(0, place.lastIndexOf('/'))) as Json & unknown[]
  const name = place
    .slice(place.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  if (value !== undefined) parent[name] = value
  else if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else delete parent[name]
  return copy
}
