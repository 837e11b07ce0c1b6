// Tools and their values: the example of ADL 8.1, and schemas with further keywords of JSON Schema.
import { describe, expect, test } from 'vitest'
import * as adl from '../../bindings/adl/index.ts'
import { compileTools } from '../../bindings/adl/index.ts'
import { parse } from '../../bindings/document/parse.ts'
import { type Api, runBody } from '../conformance/body.ts'
import { bodyDisagreements } from '../conformance/check.ts'
import { readVectors } from '../conformance/vectors.ts'
import { CLEAN } from './support.ts'

const SEARCH = {
  name: 'search',
  description: 'Searches for invoices by vendor and date.',
  parameters: {
    type: 'object',
    properties: { vendor: { type: 'string' }, from: { type: 'string', format: 'date' }, most: { minimum: 1 } },
    required: ['vendor'],
    additionalProperties: false,
  },
  returns: { type: 'array', items: { type: 'object', required: ['id'] } },
}
const OPEN = { name: 'open', description: 'Takes and gives what it likes.' }

const toolsOf = (list: unknown, options?: compileTools.Options) =>
  compileTools({ ...CLEAN, tools: list } as object as never, options)
const places = (check: { findings: readonly { pointer: string; keyword: string }[] }) =>
  check.findings.map(({ pointer, keyword }) => `${pointer} ${keyword}`)

describe('values of tools', () => {
  const tools = toolsOf([SEARCH, OPEN])

  test('inputs are checked against parameters, outputs against returns [adl/18.12-30]', () => {
    expect(tools.problems).toEqual([])
    expect(tools.checkInput('search', { vendor: 'Acme', most: 2 })).toEqual({ valid: true, findings: [] })
    expect(places(tools.checkInput('search', { vendor: 7, most: 0, all: true }))).toEqual([
      '/all additionalProperties',
      '/most minimum',
      '/vendor type',
    ])
    expect(places(tools.checkInput('search', []))).toEqual([' type'])
    expect(tools.checkOutput('search', [{ id: 'INV-001' }]).valid).toBe(true)
    expect(places(tools.checkOutput('search', [{ id: 1 }, {}, null]))).toEqual(['/1 required', '/2 type'])
  })

  test('a finding names the place in the definition that decided it', () => {
    expect(tools.checkInput('search', {}).findings).toEqual([
      {
        pointer: '',
        keyword: 'required',
        message: 'the member "vendor" is missing',
        decidedBy: '/tools/0/parameters/required',
      },
    ])
  })

  test('a tool without parameters accepts any object, one without returns may return anything', () => {
    expect(tools.checkInput('open', {}).valid).toBe(true)
    expect(tools.checkInput('open', { a: [null] }).valid).toBe(true)
    for (const value of [null, 1, 'a', [], undefined]) expect(tools.checkInput('open', value).valid).toBe(false)
    expect(tools.checkInput('open', 1).findings[0]).toMatchObject({ keyword: 'type', decidedBy: '/tools/1' })
    for (const value of [null, 1, 'a', [], {}, undefined]) expect(tools.checkOutput('open', value).valid).toBe(true)
    expect(places(tools.checkOutput('search', undefined))).toEqual([' json'])
  })

  test('values are checked in their JSON form', () => {
    expect(tools.checkInput('search', { vendor: 'a', most: undefined }).valid).toBe(true)
    expect(tools.checkInput('search', { vendor: 'a', from: new Date(0) }).valid).toBe(true)
    expect(tools.checkInput('search', Object.assign(Object.create({ all: true }), { vendor: 'a' })).valid).toBe(true)
    expect(places(tools.checkInput('search', Object.create({ vendor: 'inherited' })))).toEqual([' required'])
  })

  test('names that JavaScript objects inherit are ordinary names', () => {
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      expect(places(tools.checkInput(name, {}))).toEqual([' tool'])
    }
    const odd = toolsOf(JSON.parse('[{"name": "__proto__", "parameters": {"required": ["constructor"]}}]'))
    expect(places(odd.checkInput('__proto__', {}))).toEqual([' required'])
    expect(odd.checkInput('__proto__', { constructor: 1 }).valid).toBe(true)
  })
})

describe('values that cannot be checked do not pass', () => {
  test('for missing tools, or two tools of the same name', () => {
    const tools = toolsOf([OPEN, OPEN, null, { description: 'no name' }])
    expect(tools.checkInput('open', {}).findings).toMatchObject([
      { keyword: 'tool', message: "several tools are called 'open'", decidedBy: '/tools' },
    ])
    expect(tools.checkOutput('close', {}).findings[0]?.message).toBe("no tool is called 'close'")
    expect(toolsOf(undefined).checkInput('open', {}).valid).toBe(false)
    expect(toolsOf('open').checkInput('open', {}).valid).toBe(false)
  })

  test('for invalid schemas', () => {
    const tools = toolsOf([{ ...OPEN, parameters: { properties: { a: { type: 'text' } } }, returns: null }])
    expect(tools.problems).toMatchObject([
      { pointer: '', keyword: 'schema', decidedBy: '/tools/0/parameters/properties/a/type' },
      { keyword: 'schema', decidedBy: '/tools/0/returns', message: expect.stringContaining('found null') },
    ])
    expect(tools.checkInput('open', {}).findings).toEqual([tools.problems[0]])
    expect(tools.checkOutput('open', {}).findings).toEqual([tools.problems[1]])
  })

  test('for schemas elsewhere, unless they are passed: nothing is fetched', () => {
    const list = [{ ...OPEN, parameters: { $ref: 'https://example.com/schema' } }]
    expect(toolsOf(list).problems).toMatchObject([{ decidedBy: '/tools/0/parameters/$ref' }])
    expect(toolsOf(list).checkInput('open', {}).valid).toBe(false)
    const documents = new Map([['https://example.com/schema', { type: 'object', required: ['a'] }]])
    const tools = toolsOf(list, { documents })
    expect(tools.problems).toEqual([])
    expect(tools.checkInput('open', {}).findings).toMatchObject([
      { keyword: 'required', decidedBy: 'https://example.com/schema#/required' },
    ])
  })

  test.each(['', 'x', '[]', 'null', '{"a":1', '{"tools":[],"tools":[]}'])('for an invalid document: %s', (text) => {
    const tools = compileTools(text)
    expect(places(tools.checkInput('open', {}))).toEqual([' document'])
    expect(places(tools.checkOutput('open', {}))).toEqual([' document'])
  })

  test('for values that JSON cannot express', () => {
    const tools = toolsOf([OPEN])
    const cycle: Record<string, unknown> = {}
    cycle['a'] = cycle
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    let deep: unknown = {}
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const throwing = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    for (const value of [cycle, proxy, throwing, new Map(), 1n, Symbol('a'), () => 1, Number.NaN, '\ud800', deep]) {
      expect(places(tools.checkOutput('open', value))).toEqual([expect.stringMatching(/ json$/)])
    }
    expect(places(tools.checkInput('open', { a: { b: Number.NaN } }))).toEqual(['/a/b json'])
  })

  test('for values that take too much work, or have too many errors', () => {
    const any = { anyOf: Array.from({ length: 100 }, () => ({ type: 'string' })) }
    const tools = toolsOf([{ ...OPEN, returns: { items: any } }], { maxSteps: 10_000, maxErrors: 3 })
    const many = Array.from({ length: 1000 }, (_, i) => i)
    expect(places(tools.checkOutput('open', many)).length).toBeLessThanOrEqual(4)
    const limited = toolsOf([{ ...OPEN, returns: { items: any } }], { maxSteps: 1000 })
    expect(places(limited.checkOutput('open', Array(1000).fill('a')))).toEqual([expect.stringMatching(/ limit$/)])
    const long = { a: 'a'.repeat(64 * 1024 * 1024) }
    expect(places(tools.checkInput('open', long))).toEqual([' limit'])
  })
})

describe('arguments', () => {
  test('a definition may be text, bytes, a document or the object itself', () => {
    const text = JSON.stringify({ tools: [SEARCH] })
    const sources = [text, new TextEncoder().encode(text), parse(text).document!, JSON.parse(text)]
    for (const source of sources) expect(compileTools(source).checkInput('search', { vendor: 'a' }).valid).toBe(true)
  })

  test('of the wrong type are refused by name', () => {
    expect(() => compileTools('{}', { documents: {} as never })).toThrow(
      new TypeError('documents: expected a Map, got object'),
    )
    expect(() => compileTools('{}', { maxSteps: 0 })).toThrow(RangeError)
    expect(() => compileTools('{}').checkInput(1 as never, {})).toThrow(
      new TypeError('tool: expected a string, got number'),
    )
    expect(() => compileTools(1 as never)).toThrow(TypeError)
  })

  test('later changes of the definition have no effect', () => {
    const definition = { tools: [{ ...OPEN, parameters: { required: ['a'] } }] }
    const tools = compileTools(definition)
    definition.tools[0]!.parameters.required = []
    expect(tools.checkInput('open', {}).valid).toBe(false)
  })
})

// test/hosts runs these vectors on every host. They are quick to run alone here.
test('the vectors of tools [adl/18.12-30]', () => {
  const vectors = readVectors('api').filter(({ id }) => id.startsWith('tools/'))
  expect(vectors.length).toBeGreaterThan(4)
  const api = { ...adl, DocumentError: Error, PatternError: Error } as Api
  expect(bodyDisagreements(vectors, runBody(api, vectors))).toEqual([])
})
