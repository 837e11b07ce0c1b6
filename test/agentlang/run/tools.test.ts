import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canChain } from '../../../bindings/agentlang/run/chain.ts'
import {
  buildRequest,
  commandLine,
  ddl,
  parametersOf,
  parseResponse,
  toolContract,
} from '../../../bindings/agentlang/run/contract.ts'
import type { CompiledSchema } from '../../../bindings/schema/run.ts'
import { compileSchema } from '../../../bindings/schema/schema.ts'
import { casesOf } from '../../support/cases.ts'
import { hasPrograms } from '../../support/programs.ts'

type Members = Readonly<Record<string, unknown>>

/** The HTTP tool of the specification. */
const TWEET = {
  description: 'Post a tweet to Twitter/X',
  endpoint: '/api/v1/twitter/tweets',
  method: 'POST',
  auth: 'bearer',
  twitter_token: true,
  params: {
    text: { type: 'string', description: 'Tweet text (max 280 chars)', required: true },
    reply_to: { type: 'string', required: false },
  },
  body_template: '{ "text": "{{text}}" {{if reply_to}}, "reply_to": "{{reply_to}}"{{end}} }',
}
const OPTIONS = { base: 'https://host.example/', tokens: { twitter: 't0ken' }, env: { KEY: 'secret' } }

const request = (tool: Members, args: Members, options: buildRequest.Options = OPTIONS): buildRequest.Request => {
  const built = buildRequest(tool, args, options)
  if ('faults' in built) throw new Error(JSON.stringify(built.faults))
  return built.request
}
const faults = (tool: Members, args: Members, options: buildRequest.Options = OPTIONS) => {
  const built = buildRequest(tool, args, options)
  return 'faults' in built ? built.faults.map(({ keyword }) => keyword) : []
}
const get = (endpoint: string, ...names: string[]) => ({
  endpoint,
  params: Object.fromEntries(names.map((name) => [name, {}])),
})

describe('HTTP tools', () => {
  test('[agentlang/functions-4] params become a JSON Schema', () => {
    expect(parametersOf(TWEET)).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', description: 'Tweet text (max 280 chars)' },
        reply_to: { type: 'string' },
      },
      required: ['text'],
      additionalProperties: false,
    })
  })

  test('[agentlang/functions-4] the tool of the text becomes one request with the token of its provider', () => {
    const { body, ...rest } = request(TWEET, { text: 'Hi', reply_to: '1' })
    expect(rest).toEqual({
      method: 'POST',
      url: 'https://host.example/api/v1/twitter/tweets',
      headers: { accept: 'application/json', authorization: 'Bearer t0ken', 'content-type': 'application/json' },
    })
    expect(JSON.parse(body!)).toEqual({ text: 'Hi', reply_to: '1' })
  })

  test.each([
    ['a missing parameter', {}, 'required'],
    ['an unknown parameter', { text: 'a', other: 1 }, 'additionalProperties'],
    ['a parameter of another type', { text: 1 }, 'type'],
    ['a lone surrogate', { text: '\ud800' }, 'json'],
  ])('[agentlang/functions-4] refuses %s before it renders', (_, args, keyword) => {
    expect(faults(TWEET, args)).toEqual([keyword])
  })

  test('fills defaults in', () => {
    const tool = {
      endpoint: '/s',
      params: { n: { type: 'integer', default: 10 }, q: { type: 'string', required: true } },
    }
    expect(request(tool, { q: 'a&b=c' }).url).toBe('https://host.example/s?n=10&q=a%26b%3Dc')
  })

  test('GET and DELETE carry arguments in the query, POST in a JSON body', () => {
    const tool = get('/a/{id}?x=1', 'id', 'list', 'object')
    const args = { id: 'a/b?c#d', list: [1, 'z'], object: { k: 1 } }
    expect(request(tool, args).url).toBe(
      'https://host.example/a/a%2Fb%3Fc%23d?x=1&list=1&list=z&object=%7B%22k%22%3A1%7D',
    )
    const posted = request({ ...tool, method: 'post' }, args)
    expect(posted).toMatchObject({ method: 'POST', url: 'https://host.example/a/a%2Fb%3Fc%23d?x=1' })
    expect(JSON.parse(posted.body!)).toEqual({ list: [1, 'z'], object: { k: 1 } })
    expect(request({ ...tool, method: 'delete' }, args).method).toBe('DELETE')
  })

  test('continues the path of the base', () => {
    const options = { base: 'https://host.example/tenant/7' }
    for (const endpoint of ['/a', 'a', '//evil.example/a', '\\\\evil.example\\a']) {
      expect(new URL(request(get(endpoint), {}, options).url).href).toMatch(/^https:\/\/host\.example\/tenant\/7\//)
    }
  })

  test.each([
    ['/a/{id}', '..'],
    ['/a/{id}', '.'],
    ['/a/.{id}', '.'],
    ['/a/%2e{id}', '.'],
    ['/a/../{id}', 'x'],
    ['/a/%2E./{id}', 'x'],
    ['/a/\t./{id}', 'x'],
    ['/a\\..\\{id}', 'x'],
    ['/a/{id}', ''],
    ['/a/{other}', 'x'],
    ['https://{id}/a', 'evil.example'],
    ['https://host.example{id}', '.evil.example'],
    ['https://user:pass@host.example/{id}', 'x'],
    ['/a/{{id}}', 'x'],
    ['https://', 'x'],
    ['ftp://evil.example/{id}', 'x'],
    ['/a/\u2028{id', 'x'],
  ])('refuses the endpoint %s with the value "%s"', (endpoint, id) => {
    expect(faults(get(endpoint, 'id'), { id })).toEqual(['endpoint'])
  })

  test('a value stays in its part of the URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        const built = buildRequest(get('/a/{id}/z', 'id'), { id }, OPTIONS)
        if ('faults' in built) {
          expect(['.', '..']).toContain(id)
          return
        }
        const { origin, pathname, search, hash } = new URL(built.request.url)
        expect([origin, search, hash]).toEqual(['https://host.example', '', ''])
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'a', id, 'z'])
      }),
    )
  })

  test('sends no token and no environment to another origin', () => {
    const endpoint = 'https://other.example/a'
    expect(faults({ endpoint, auth: 'bearer' }, {}, { ...OPTIONS, tokens: { bearer: 'x' } })).toEqual(['token'])
    expect(faults({ endpoint, method: 'POST', body_template: '["{{.env.KEY}}"]' }, {})).toEqual(['template'])
    expect(request({ endpoint: '/a', method: 'POST', body_template: '["{{.env.KEY}}"]' }, {}).body).toBe('["secret"]')
    expect(
      request({ endpoint: 'https://host.example/a', auth: 'bearer' }, {}, { ...OPTIONS, tokens: { bearer: 'x' } })
        .headers,
    ).toHaveProperty('authorization', 'Bearer x')
  })

  test.each([
    ['no token', {}],
    ['a token with a line end', { twitter: 'a\r\nX: b' }],
    ['an inherited token', Object.create({ twitter: 'a' })],
  ])('refuses %s', (_, tokens) => {
    expect(faults(TWEET, { text: 'a' }, { ...OPTIONS, tokens })).toEqual(['token'])
  })

  test('throws for an invalid base only', () => {
    for (const base of ['host', 'ftp://host.example', 'https://host.example/?q', 'https://u@host.example']) {
      expect(() => buildRequest({}, {}, { base })).toThrow(TypeError)
    }
    for (const tool of [
      {},
      { endpoint: 1 },
      { endpoint: '/a', method: 'CONNECT' },
      { endpoint: '/a', method: { toString: 1 } },
      { endpoint: '/a', method: 'GET', body_template: '1' },
      { endpoint: '/a', params: { a: { type: 1 } } },
    ]) {
      expect(faults(tool, {})).toHaveLength(1)
    }
  })
})

describe('responses', () => {
  const tool = { output_schema: { type: 'object', required: ['id'] } }
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }

  test('[agentlang/functions-5] a failed call and a malformed result are different errors', () => {
    expect(parseResponse(tool, { status: 200, headers, body: '{"id": 1}' })).toEqual({ kind: 'ok', value: { id: 1 } })
    expect(parseResponse(tool, { status: 500, headers, body: '{"id": 1}' })).toMatchObject({
      kind: 'execution_error',
      status: 500,
      value: { id: 1 },
    })
    expect(parseResponse(tool, { status: 200, headers, body: '{}' })).toMatchObject({
      kind: 'validation_error',
      faults: [{ keyword: 'required' }],
    })
  })

  test.each([
    ['malformed JSON', '{"id": 1'],
    ['a repeated member', '{"id": 1, "id": 2}'],
    ['deep nesting', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['more than 4 MiB', `"${'x'.repeat(4 * 1024 * 1024)}"`],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('%s is a validation error', (_, body) => {
    expect(parseResponse({}, { status: 200, headers, body }).kind).toBe('validation_error')
    expect(parseResponse({}, { status: 404, headers, body }).kind).toBe('execution_error')
  })

  test('other types are text', () => {
    expect(parseResponse({}, { status: 200, headers: { 'content-type': 'text/plain' }, body: '{"a"' })).toEqual({
      kind: 'ok',
      value: '{"a"',
    })
    expect(parseResponse({}, { status: 204, headers: {}, body: '' })).toEqual({ kind: 'ok', value: null })
  })
})

test('[agentlang/functions-5] a contract checks arguments before and results after a call', () => {
  const contract = toolContract({
    input_schema: { type: 'object', required: ['query'] },
    output_schema: { type: 'array' },
  })
  expect(contract.checkArguments({})).toMatchObject([{ keyword: 'required' }])
  expect(contract.checkArguments({ query: 1 })).toEqual([])
  expect(contract.checkResult({ output: [] })).toEqual({ kind: 'ok', value: [] })
  expect(contract.checkResult({ output: 1 }).kind).toBe('validation_error')
  expect(contract.checkResult({ error: { message: 'no network' } })).toMatchObject({
    kind: 'execution_error',
    message: 'no network',
  })
  expect(toolContract({ input_schema: { type: 'tpyo' } }).checkArguments({})).toMatchObject([{ keyword: 'schema' }])
})

describe('commands', () => {
  test('[agentlang/functions-6] a command becomes arguments without a shell', () => {
    expect(commandLine({ command: 'ffmpeg  -y' }, ['-i', '$(rm) ; a b'])).toEqual({
      argv: ['ffmpeg', '-y', '-i', '$(rm) ; a b'],
    })
  })

  test.each([
    'a; b',
    'a|b',
    'a && b',
    'a $(b)',
    'a `b`',
    'a > b',
    'a "b"',
    "a 'b'",
    'a *',
    'a\nb',
    'A=1 b',
    'a \\b',
    '',
    ' ',
    'sh a',
    'env bash',
    '/bin/sh',
  ])('[agentlang/functions-6] refuses the command %j', (command) => {
    expect(commandLine({ command }, [])).toHaveProperty('fault')
  })

  test('refuses arguments that no process can get', () => {
    for (const args of [['a\0b'], [1], 'abc', Array(1_001).fill(''), ['x'.repeat(200_000)]]) {
      expect(commandLine({ command: 'ls' }, args as string[])).toHaveProperty('fault')
    }
  })
})

describe('chaining', () => {
  const object = (properties: Members, required = Object.keys(properties)) => ({ type: 'object', properties, required })
  const [text, integer, number] = [{ type: 'string' }, { type: 'integer' }, { type: 'number' }]

  test.each([
    ['yes', object({ a: text }), object({ a: text })],
    ['yes', object({ a: integer, b: text }), object({ a: number })],
    ['yes', { enum: ['a', 'b'] }, { type: 'string', maxLength: 1 }],
    [
      'yes',
      object({ a: { type: 'array', items: object({ b: text }) } }),
      object({ a: { type: 'array', items: object({}) } }),
    ],
    [
      'yes',
      { ...object({ a: text }), additionalProperties: false },
      { ...object({ a: text, b: text }, ['a']), additionalProperties: false },
    ],
    ['yes', { type: 'integer', minimum: 3 }, { type: 'number', minimum: 0 }],
    ['no', object({ a: number }), object({ a: integer })],
    ['no', object({ a: text }, []), object({ a: text })],
    ['no', { enum: ['a', 1] }, text],
    ['no', { type: ['string', 'null'] }, text],
    ['no', object({ a: text, b: text }), { ...object({ a: text }), additionalProperties: false }],
    ['unknown', object({ a: text }), { ...object({ a: text }), additionalProperties: false }],
    ['unknown', object({ a: text }), object({ a: text, b: text }, ['a'])],
    ['unknown', object({ a: text }), object({ a: { type: 'string', pattern: '^a' } })],
    ['unknown', { $ref: '#/$defs/a', $defs: { a: text }, type: 'integer' }, number],
    ['unknown', {}, text],
    ['unknown', { type: 'tpyo' }, text],
    ['unknown', undefined, text],
  ])('[agentlang/functions-7] answers %s', (answer, output, input) => {
    expect(canChain(output, input).answer).toBe(answer)
  })

  test('[agentlang/functions-7] answers yes only if no valid output is an invalid input', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, 1, 5, 1.5, '', 'a', 'abc'),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
      ),
    })).value
    const schema = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(
          true,
          false,
          {},
          { type: 'string' },
          { type: 'integer' },
          { type: ['number', 'null'] },
          { minLength: 1 },
          { maximum: 1 },
          { type: 'integer', minimum: 1 },
          { enum: ['a', 1, null] },
          { const: 0 },
          { not: { type: 'string' } },
        ),
        fc.record(
          {
            type: fc.constantFrom('object', ['object', 'string'], 'array'),
            properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
            required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
            additionalProperties: tie('schema'),
            patternProperties: fc.constant({ '^c': { type: 'string' } }),
            items: tie('schema'),
            minItems: fc.constantFrom(0, 1),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema
    let count = 0
    fc.assert(
      fc.property(schema, schema, fc.array(value, { minLength: 20, maxLength: 40 }), (output, input, values) => {
        if (canChain(output, input).answer !== 'yes') return
        const [from, to] = [compileSchema(output), compileSchema(input)] as [CompiledSchema, CompiledSchema]
        for (const value of values) {
          if (from.validate(value).length > 0) continue
          count++
          expect(to.validate(value)).toEqual([])
        }
      }),
      { numRuns: casesOf(2_000) },
    )
    expect(count).toBeGreaterThan(200)
  })

  test('stops when schemas are too large to compare', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, text]))
    expect(
      canChain(object(many), { type: 'object', additionalProperties: { type: 'string', minLength: 1 } }).answer,
    ).toBe('unknown')
  })
})

const hasSqlite = hasPrograms('tables in SQLite', ['sqlite3'])

describe('tables', () => {
  const citations = {
    id: { type: 'integer', primary_key: true },
    url: { type: 'text', required: true },
    title: { type: 'text' },
    relevance: { type: 'real' },
  }
  /** The columns as SQLite has them: name, type, not null, position in the key. */
  const columnsOf = (statements: readonly string[], table: string) => {
    const quotedTable = `"${table.replaceAll('"', '""')}"`
    const sql = `${statements.join(';\n')};\nPRAGMA table_info(${quotedTable});`
    const rows = JSON.parse(
      execFileSync('sqlite3', ['-json', ':memory:'], { input: sql, encoding: 'utf8' }),
    ) as Members[]
    return rows.map((row) => [row['name'], row['type'], row['notnull'], row['pk']])
  }

  test.runIf(hasSqlite)('[agentlang/functions-8] the tables of the text exist in SQLite as declared', () => {
    const expected = [
      ['id', 'INTEGER', 0, 1],
      ['url', 'TEXT', 1, 0],
      ['title', 'TEXT', 0, 0],
      ['relevance', 'REAL', 0, 0],
    ]
    const tables = { citations: { columns: citations } }
    expect(columnsOf(ddl({ tables }).statements, 'citations')).toEqual(expected)
    expect(columnsOf(ddl({ schema: { tables } }).statements, 'citations')).toEqual(expected)
  })

  test.runIf(hasSqlite)('names with quotes and statements stay names', () => {
    const table = 'a"; DROP TABLE "b'
    const columns = { 'x" TEXT); --': { type: 'text', primary_key: true }, "it's": { type: 'blob', primary_key: true } }
    expect(columnsOf(ddl({ tables: { [table]: { columns } } }).statements, table)).toEqual([
      ['x" TEXT); --', 'TEXT', 1, 1],
      ["it's", 'BLOB', 1, 2],
    ])
  })

  test.each([
    ['an unknown type', { a: { type: 'integer); --' } }],
    ['no type', { a: {} }],
    ['a type that is not a text', { a: { type: { toString: 1 } } }],
    ['an unknown member', { a: { type: 'text', unique: true } }],
    ['names that differ in case only', { a: { type: 'text' }, A: { type: 'text' } }],
    ['an empty name', { '': { type: 'text' } }],
    ['a name with NUL', { 'a\0': { type: 'text' } }],
    ['no columns', {}],
  ])('refuses %s', (_, columns) => {
    expect(ddl({ tables: { t: { columns } } })).toMatchObject({ statements: [], faults: [{ keyword: 'ddl' }] })
  })

  test('refuses names that SQLite reserves, and too many tables', () => {
    const columns = { a: { type: 'text' } }
    expect(ddl({ tables: { sqlite_master: { columns } } }).faults).toHaveLength(1)
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`t${i}`, { columns }]))
    expect(ddl({ tables: many }).faults).toHaveLength(1)
  })
})
