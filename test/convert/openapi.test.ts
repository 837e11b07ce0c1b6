import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/adl/index.ts'
import { resolveOperations } from '../../bindings/convert/index.ts'
import { compileSchema } from '../../bindings/schema/index.ts'
import { processorTime } from '../support/effort.ts'
import type { Json } from './samples.ts'

const URI = 'https://api.acme.example.com/openapi.json'

// The tool of the example in ADL 8.1, and an API in OpenAPI 3.1.
const API = {
  openapi: '3.1.0',
  info: { title: 'Invoices', version: '1' },
  paths: {
    '/vendors/{vendor}/invoices': {
      parameters: [
        { name: 'vendor', in: 'path', required: true, schema: { type: 'string' }, description: 'Who' },
        { name: 'limit', in: 'query', schema: { type: 'string' } },
      ],
      get: {
        operationId: 'searchInvoices',
        summary: 'Search invoices',
        parameters: [{ $ref: '#/components/parameters/limit' }],
        responses: {
          '404': { description: 'none' },
          '200': {
            content: {
              'application/json; charset=utf-8': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Invoice' } },
              },
            },
          },
        },
      },
      post: {
        operationId: 'createInvoice',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Invoice' } } },
        },
        responses: { '201': { $ref: '#/components/responses/made' } },
      },
      delete: { operationId: 'twice' },
      put: { operationId: 'twice' },
      patch: {
        operationId: 'elsewhere',
        requestBody: { content: { 'application/json': { schema: { $ref: 'https://evil.example/s.json' } } } },
      },
      head: { operationId: 'nowhere', parameters: [{ $ref: '#/components/parameters/none' }] },
      trace: { operationId: 'bare' },
    },
  },
  components: {
    parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } } },
    responses: {
      made: { content: { 'application/vnd.acme+json': { schema: { $ref: '#/components/schemas/Invoice' } } } },
    },
    schemas: {
      Invoice: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Invoice' } },
          note: { const: { $ref: 'text' } },
        },
      },
    },
  },
}

const definition = (...tools: object[]) =>
  JSON.stringify({
    adl_spec: '0.1.0',
    name: 'Invoices',
    description: 'Processes and routes invoices.',
    version: '1.0.0',
    data_classification: { sensitivity: 'internal' },
    tools: tools.map((tool, i) => ({ name: `tool_${i}`, description: 'Does it.', ...tool })),
  })
const referring = (operation_id: string, more: object = {}) => ({
  annotations: { openapi_ref: URI, operation_id },
  ...more,
})
const given = { allow: [URI], documents: new Map<string, unknown>([[URI, API]]) }

describe('references to OpenAPI', () => {
  test('[adl/15.3-1] [adl/18.7-10] fill in what a tool does not declare, and report it', () => {
    const { document, references } = resolveOperations(definition(referring('searchInvoices'), {}), given)
    expect(references).toMatchObject([
      {
        pointer: '/tools/0',
        uri: URI,
        operationId: 'searchInvoices',
        detail: 'GET /vendors/{vendor}/invoices',
        filled: ['parameters', 'returns'],
      },
    ])
    const [tool, other] = (document!.value as { tools: Json[] }).tools
    expect(tool!['parameters']).toEqual({
      type: 'object',
      properties: { limit: { type: 'integer', maximum: 100 }, vendor: { description: 'Who', type: 'string' } },
      required: ['vendor'],
    })
    const returns = compileSchema(tool!['returns'])
    if (Array.isArray(returns)) throw new Error(returns[0]!.message)
    expect(returns.validate([{ id: 'a', parts: [{ id: 'b' }], note: { $ref: 'text' } }])).toEqual([])
    expect(returns.validate([{ parts: [] }])).toHaveLength(1)
    expect(other).toEqual({ name: 'tool_1', description: 'Does it.' })
    expect(validate(document!).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('the request body becomes the argument `body`', () => {
    const { references } = resolveOperations(definition(referring('createInvoice')), given)
    expect(references[0]!.operation?.parameters).toMatchObject({
      required: ['vendor', 'body'],
      properties: { body: { $ref: '#/$defs/Invoice' } },
      $defs: { Invoice: { required: ['id'], properties: { parts: { items: { $ref: '#/$defs/Invoice' } } } } },
    })
    expect(references[0]!.filled).toEqual(['parameters', 'returns'])
  })

  test('[adl/15.3-1] do not replace what the tool declares', () => {
    const parameters = { type: 'object' }
    const { document, references } = resolveOperations(
      definition(referring('createInvoice', { parameters, returns: {} })),
      given,
    )
    expect(references[0]!.filled).toEqual([])
    expect((document!.value as { tools: Json[] }).tools[0]!['parameters']).toEqual(parameters)
  })

  test.each([
    ['missing', {}, 'it has no operation missing'],
    ['twice', {}, 'it has several operations twice'],
    ['elsewhere', {}, 'the reference https://evil.example/s.json does not lead to its component schemas'],
    ['nowhere', {}, '#/components/parameters/none leads nowhere'],
    ['bare', { allow: [] }, 'the URL is not allowed'],
    ['bare', { allow: ['https://api.acme.example.com'] }, 'the URL is not allowed'],
    ['bare', { allow: ['https://api.acme.example.com/other/'] }, 'the URL is not allowed'],
    ['bare', { documents: new Map() }, 'the document is missing'],
    [
      'bare',
      { documents: new Map([[URI, { openapi: '3.0.3', paths: {} }]]) },
      'it is not an OpenAPI 3.1 or 3.2 document',
    ],
    ['bare', { documents: new Map([[URI, null]]) }, 'it is not an OpenAPI 3.1 or 3.2 document'],
  ])('[adl/18.7-10] %s with %j: fill in nothing, and give the reason', (id, more, detail) => {
    const { document, references } = resolveOperations(definition(referring(id)), { ...given, ...more })
    expect(references).toMatchObject([{ operation: undefined, detail, filled: [] }])
    expect(JSON.stringify(document!.value)).toBe(definition(referring(id)))
  })

  test('a URL that ends in a slash allows all below it', () => {
    const { references } = resolveOperations(definition(referring('bare')), {
      ...given,
      allow: ['https://api.acme.example.com/'],
    })
    expect(references[0]!.detail).toBe('TRACE /vendors/{vendor}/invoices')
  })

  test('hostile documents are refused quickly', () => {
    let deep: object = { type: 'string' }
    for (let i = 0; i < 5000; i++) deep = { items: deep }
    const schemas = Object.fromEntries(
      Array.from({ length: 2000 }, (_, i) => [`s${i}`, { $ref: `#/components/schemas/s${i + 1}` }]),
    )
    for (const schema of [
      deep,
      { enum: [1], anyOf: Array.from({ length: 20_000 }, () => ({})) },
      { $ref: '#/components/schemas/s0' },
    ]) {
      const api = {
        ...API,
        components: { schemas },
        paths: { '/x': { get: { operationId: 'x', requestBody: { content: { 'application/json': { schema } } } } } },
      }
      const started = processorTime()
      const { references } = resolveOperations(definition(referring('x')), {
        ...given,
        documents: new Map([[URI, api]]),
      })
      expect(references[0]!.operation).toBeUndefined()
      expect(processorTime() - started).toBeLessThan(2000)
    }
  })

  test('any JSON value instead of the document', () => {
    const property = fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(API), 'all'), (value, name) => {
      const api = name === 'all' ? value : { ...API, [name]: value }
      resolveOperations(definition(referring('searchInvoices'), referring('createInvoice')), {
        ...given,
        documents: new Map([[URI, api]]),
      })
    })
    fc.assert(property, { numRuns: 300 })
  })

  test('wrong arguments throw', () => {
    expect(() => resolveOperations('{}', { ...given, allow: URI as never })).toThrow(TypeError)
    expect(() => resolveOperations('{}', { ...given, documents: {} as never })).toThrow(TypeError)
    expect(resolveOperations('[]', given).document).toBeUndefined()
  })
})
