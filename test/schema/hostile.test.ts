import { describe, expect, it } from 'vitest'
import { CompiledSchema, checkSchema, compileSchema } from '../../bindings/schema/index.ts'
import { processorTime } from '../support/effort.ts'

function compiled(schema: unknown): CompiledSchema {
  const result = compileSchema(schema)
  if (!(result instanceof CompiledSchema)) throw new Error(JSON.stringify(result))
  return result
}

/** A value nested this many times inside itself. */
function nested(levels: number, wrap: (inner: unknown) => unknown, inner: unknown): unknown {
  let value = inner
  for (let i = 0; i < levels; i++) value = wrap(value)
  return value
}

/** Each definition applies the next one twice: 2^n schemas. */
function doubling(keyword: string, levels: number): unknown {
  const $defs: Record<string, unknown> = { [`d${levels}`]: { type: 'null' } }
  for (let i = 0; i < levels; i++)
    $defs[`d${i}`] = { [keyword]: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
  return { properties: { a: { $ref: '#/$defs/d0' } }, $defs }
}

function within(milliseconds: number, work: () => void): void {
  const begin = processorTime()
  work()
  expect(processorTime() - begin).toBeLessThan(milliseconds)
}

describe('hostile schemas', () => {
  it.each(['items', 'not', 'properties', 'allOf'])('refuses a thousand levels, with a place: %s', (keyword) => {
    const wrap = (inner: unknown) => ({
      [keyword]: keyword === 'properties' ? { a: inner } : keyword === 'allOf' ? [inner] : inner,
    })
    for (const levels of [1_000, 100_000]) {
      expect(checkSchema(nested(levels, wrap, {}))).toMatchObject([
        { pointer: expect.stringMatching(new RegExp(`^(/${keyword}(/a|/0)?){129}$`)), reason: 'limit' },
      ])
    }
    expect(checkSchema(nested(128, wrap, {}))).toEqual([])
  })

  it.each(['allOf', 'anyOf', 'oneOf'])('stops exponential work at the budget, with a place: %s', (keyword) => {
    const schema = compiled(doubling(keyword, 64))
    within(5_000, () => {
      const errors = schema.validate({ a: keyword === 'allOf' ? null : 1 })
      expect(errors).toMatchObject([{ instancePointer: '/a', keyword: 'limit', params: { limit: 'steps' } }])
    })
  })

  it('compiles a chain of ten thousand references', () => {
    const $defs: Record<string, unknown> = {}
    for (let i = 0; i < 10_000; i++) $defs[`d${i}`] = { $ref: `#/$defs/d${i + 1}` }
    $defs['d10000'] = true
    within(10_000, () => {
      expect(checkSchema({ $defs })).toEqual([])
      expect(compiled({ $defs, $ref: '#/$defs/d0' }).validate({})).toMatchObject([
        { keyword: 'limit', params: { limit: 'depth' } },
      ])
    })
  })

  it('stops at a cycle through a dynamic reference', () => {
    const schema = compiled({ $dynamicAnchor: 'a', $dynamicRef: '#a' })
    expect(schema.validate(1)).toMatchObject([{ instancePointer: '', keyword: 'limit', params: { limit: 'depth' } }])
  })

  it('takes linear time for many branches, names and values', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => i)
    const schema = {
      anyOf: many.map((i) => ({ const: i })),
      enum: [...many, 'x'],
      required: many.map(String),
      properties: Object.fromEntries(many.map((i) => [i, { type: 'integer' }])),
      dependentRequired: Object.fromEntries(many.map((i) => [i, [`${i}`]])),
    }
    within(5_000, () => {
      expect(checkSchema(schema)).toEqual([])
      expect(compiled(schema).validate('x')).toMatchObject([{ keyword: 'anyOf' }])
    })
  })

  it('refuses very long patterns and URIs', () => {
    const long = 'a|'.repeat(150_000)
    expect(checkSchema({ pattern: long })).toMatchObject([{ pointer: '/pattern', reason: 'limit' }])
    expect(checkSchema({ patternProperties: { [long]: true } })).toMatchObject([{ reason: 'limit' }])
    expect(checkSchema({ items: { $id: long } })).toMatchObject([{ pointer: '/items/$id', reason: 'limit' }])
  })

  it('reports at most a hundred problems', () => {
    expect(checkSchema({ allOf: Array.from({ length: 10_000 }, () => 3) })).toHaveLength(100)
  })

  it('handles names of Object.prototype', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":false},"required":["__proto__"]}',
    )
    expect(compiled(schema).validate(JSON.parse('{"__proto__":"a"}'))).toEqual([])
    expect(compiled(schema).validate(JSON.parse('{"__proto__":1}'))).toMatchObject([{ instancePointer: '/__proto__' }])
    expect(compiled(schema).validate({})).toMatchObject([{ keyword: 'required' }])
    expect(checkSchema(JSON.parse('{"__proto__":3,"constructor":4,"$ref":"#/__proto__"}'))).toMatchObject([
      { pointer: '/__proto__', reason: 'shape' },
    ])
  })

  it('accepts any value without a crash', () => {
    for (const value of [undefined, null, 0, '', [], Symbol('s'), 1n, () => 0, new Date(0), new Map()]) {
      expect(() => checkSchema(value)).not.toThrow()
      for (const keyword of ['type', 'properties', 'items', '$ref', '$id', 'allOf', 'required', 'pattern', 'enum']) {
        expect(() => compileSchema({ [keyword]: value })).not.toThrow()
        const documents = new Map<string, unknown>([
          ['https://example.com/a', { $ref: '#/a', a: { [keyword]: value } }],
        ])
        expect(() => compileSchema({ $ref: '#/a', a: { [keyword]: value } })).not.toThrow()
        expect(() => compileSchema({ $ref: 'https://example.com/a' }, { documents })).not.toThrow()
      }
    }
  })
})

describe('hostile values', () => {
  const recursive = { properties: { a: { $ref: '#' } }, items: { $ref: '#' } }

  it('stops very deep values at the depth limit, with a place', () => {
    const schema = compiled(recursive)
    expect(schema.validate(nested(250, (a) => ({ a }), 1))).toEqual([])
    for (const levels of [1_000, 100_000]) {
      expect(schema.validate(nested(levels, (inner) => [inner], 1))).toMatchObject([
        { instancePointer: expect.stringMatching(/^(\/0){200,}$/), keyword: 'limit', params: { limit: 'depth' } },
      ])
    }
  })

  it('stops comparing very deep values at the depth limit', () => {
    const deep = nested(100_000, (inner) => [inner], 1)
    for (const schema of [{ uniqueItems: true }, { enum: [nested(100_000, (inner) => [inner], 1)] }]) {
      expect(compiled(schema).validate([deep, deep])).toMatchObject([{ keyword: expect.stringMatching(/limit|enum/) }])
    }
    expect(compiled({ const: nested(100_000, (inner) => [inner], 1) }).validate(deep)).toMatchObject([
      { keyword: 'limit' },
    ])
  })

  it('stops at a value that contains itself', () => {
    const value: unknown[] = []
    value.push(value)
    expect(compiled(recursive).validate(value)).toMatchObject([{ keyword: 'limit' }])
  })

  it('compares large values in linear time', () => {
    const items = Array.from({ length: 20_000 }, (_, i) => ({ id: i, tags: ['a', 'b'] }))
    within(5_000, () => expect(compiled({ uniqueItems: true }).validate(items)).toEqual([]))
  })

  it('gives values that JSON lacks no type', () => {
    for (const value of [undefined, Symbol('s'), 1n, () => 0]) {
      expect(
        compiled({ type: ['null', 'boolean', 'number', 'string', 'array', 'object'] }).validate(value),
      ).toMatchObject([{ keyword: 'type' }])
      expect(compiled(true).validate(value)).toEqual([])
    }
  })

  it('reaches the depth limit within half of the stack in Node', () => {
    const schema = compiled({
      $ref: '#/$defs/a',
      $defs: { a: { allOf: [{ anyOf: [{ oneOf: [{ items: { $ref: '#/$defs/a' } }] }] }] } },
    })
    const value = nested(400, (inner) => [inner], 1)
    const consume = (frames: number): unknown => (frames === 0 ? schema.validate(value) : [consume(frames - 1)])
    expect(() => consume(1_000)).not.toThrow()
  })
})
