import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CompiledSchema, compileSchema } from '../../bindings/schema/index.ts'

function compiled(schema: unknown, documents: ReadonlyMap<string, unknown> = new Map()): CompiledSchema {
  const result = compileSchema(schema, { documents })
  if (!(result instanceof CompiledSchema)) throw new Error(JSON.stringify(result))
  return result
}

/** Without `__proto__`, which Ajv ignores, and 1e21, whose digits it misreads. */
const names = fc.constantFrom('a', 'b', 'ab', 'constructor')
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, -1, 1.5, 1e20, '', 'a', 'ab', 'abc', '😀', '1'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

const counts = fc.nat({ max: 3 })
const schemas = fc.letrec<{ schema: unknown }>((tie) => {
  const some = fc.array(tie('schema'), { minLength: 1, maxLength: 3 })
  const map = fc.dictionary(names, tie('schema'), { maxKeys: 3, noNullPrototype: true })
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(
      fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object'),
      fc.constantFrom(['integer', 'string'], ['object', 'array'], ['number', 'null']),
    ),
    const: values,
    enum: fc.array(values, { minLength: 1, maxLength: 4 }),
    multipleOf: fc.constantFrom(1, 2, 0.5),
    maximum: counts,
    exclusiveMaximum: counts,
    minimum: counts,
    exclusiveMinimum: counts,
    maxLength: counts,
    minLength: counts,
    pattern: fc.constantFrom('^a', 'b$', 'a|😀', '^[ab]*$', '^(a|b)+c$'),
    maxItems: counts,
    minItems: counts,
    uniqueItems: fc.boolean(),
    prefixItems: some,
    items: tie('schema'),
    contains: tie('schema'),
    minContains: counts,
    maxContains: counts,
    maxProperties: counts,
    minProperties: counts,
    required: fc.uniqueArray(names, { maxLength: 2 }),
    dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    properties: map,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '^c'), tie('schema'), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    additionalProperties: tie('schema'),
    propertyNames: tie('schema'),
    dependentSchemas: map,
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: tie('schema'),
    if: tie('schema'),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: tie('schema'),
    else: tie('schema'),
    unevaluatedItems: tie('schema'),
    unevaluatedProperties: tie('schema'),
    $ref: fc.constantFrom('#/$defs/small', '#/$defs/list'),
  }
  const member = fc
    .constantFrom(...Object.keys(keywords))
    .chain((name) => keywords[name]!.map((value) => [name, value] as const))
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.boolean(),
      fc.array(member, { minLength: 1, maxLength: 4 }).map((members) => Object.fromEntries(members)),
    ),
  }
}).schema

/** A reference from the root to one of its parts, so that validation follows the values down. */
const $defs = { small: { type: 'integer', maximum: 1 }, list: { items: { $ref: '#/$defs/list' }, maxItems: 2 } }

/** The verdict of Ajv; undefined where its generated code fails. */
function answer(validate: (value: unknown) => unknown, instance: unknown): unknown {
  try {
    return validate(instance)
  } catch {
    fc.pre(false)
  }
}

describe('validate', () => {
  it('agrees with Ajv (differential)', () => {
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 4 }), (schema, instances) => {
        // Ajv ignores what `contains` evaluated, and counts what a failed branch evaluated.
        const unevaluated = JSON.stringify(schema).split('"unevaluated')
        fc.pre(unevaluated.length < 2 || (unevaluated.length === 2 && !unevaluated.join('').includes('"contains"')))
        const root = { $defs, allOf: [schema] }
        const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, ownProperties: true })
        const theirs = ajv.compile(root)
        const ours = compiled(root)
        for (const instance of instances) {
          const errors = ours.validate(instance)
          expect(errors.length === 0, JSON.stringify([schema, instance, errors])).toBe(answer(theirs, instance))
        }
      }),
      // A fixed seed: on other cases Ajv may have more faults than are excluded here.
      { numRuns: 400, seed: 2020 },
    )
  })

  it('reports at most 100 errors, or as many as requested', () => {
    const schema = compiled({ items: { type: 'string' } })
    const value = Array.from({ length: 1_000 }, (_, i) => i)
    expect(schema.validate(value)).toHaveLength(100)
    expect(schema.validate(value, { maxErrors: 3 }).map(({ instancePointer }) => instancePointer)).toEqual([
      '/0',
      '/1',
      '/2',
    ])
    expect(schema.validate(value, { maxErrors: 10_000 })).toHaveLength(1_000)
  })

  it('names a keyword in another document by its URI', () => {
    const documents = new Map([['https://example.com/a', { $defs: { b: { properties: { c: { minimum: 1 } } } } }]])
    const schema = compiled({ properties: { x: { $ref: 'https://example.com/a#/$defs/b' } } }, documents)
    expect(schema.validate({ x: { c: 0 } })).toMatchObject([
      { instancePointer: '/x/c', schemaPointer: 'https://example.com/a#/$defs/b/properties/c/minimum' },
    ])
  })

  it('reports the errors of the intended alternative when only one is possible', () => {
    const file = {
      type: 'object',
      properties: { kind: { const: 'file' }, path: { type: 'string' } },
      required: ['kind', 'path'],
    }
    const link = {
      type: 'object',
      properties: { kind: { const: 'link' }, url: { type: 'string' } },
      required: ['kind', 'url'],
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const schema = compiled({ items: { [keyword]: [{ type: 'null' }, file, link] } })
      expect(schema.validate([{ kind: 'file', path: 1 }, { kind: 'link' }, null, { kind: 'other' }])).toMatchObject([
        { instancePointer: '/0/path', keyword: 'type', schemaPointer: `/items/${keyword}/1/properties/path/type` },
        { instancePointer: '/1', keyword: 'required', params: { name: 'url' } },
        { instancePointer: '/3', keyword },
      ])
      const many = { [keyword]: [{ items: { type: 'string' } }, { type: 'string' }], $id: 'https://example.com/' }
      expect(compiled(many).validate([1, 2, 3], { maxErrors: 2 })).toHaveLength(2)
    }
  })

  it('shows no control characters from the value', () => {
    const [error] = compiled({ additionalProperties: false }).validate({ '\u202e\u009b[31m': 1 })
    expect(error?.message).toBe('the member "��[31m" is not allowed here')
  })
})

/** One invalid value for each keyword: its place, the keyword's place, and the message. */
const FAILURES: readonly [
  keyword: string,
  schema: unknown,
  value: unknown,
  at: string,
  from: string,
  message: string,
][] = [
  ['type', { type: ['string', 'integer'] }, 1.5, '', '/type', 'expected string or integer, found number'],
  ['const', { const: 'a' }, 'b', '', '/const', 'expected "a", found "b"'],
  ['enum', { items: { enum: ['a', 1, null] } }, ['x'], '/0', '/items/enum', 'expected one of "a", 1, null, found "x"'],
  ['multipleOf', { multipleOf: 0.01 }, 0.005, '', '/multipleOf', 'expected a multiple of 0.01, found 0.005'],
  ['maximum', { maximum: 3 }, 4, '', '/maximum', 'expected 3 at the most, found 4'],
  ['exclusiveMaximum', { exclusiveMaximum: 3 }, 3, '', '/exclusiveMaximum', 'expected less than 3, found 3'],
  ['minimum', { minimum: 3 }, 2, '', '/minimum', 'expected 3 at the least, found 2'],
  ['exclusiveMinimum', { exclusiveMinimum: 3 }, 3, '', '/exclusiveMinimum', 'expected more than 3, found 3'],
  ['maxLength', { maxLength: 1 }, '😀😀', '', '/maxLength', 'expected 1 character at the most, found 2'],
  ['minLength', { minLength: 2 }, '😀', '', '/minLength', 'expected 2 characters at the least, found 1'],
  ['pattern', { pattern: '^a' }, 'b', '', '/pattern', 'expected a text that matches "^a", found "b"'],
  ['maxItems', { maxItems: 1 }, [1, 2], '', '/maxItems', 'expected 1 element at the most, found 2'],
  ['minItems', { minItems: 2 }, [], '', '/minItems', 'expected 2 elements at the least, found 0'],
  [
    'uniqueItems',
    { uniqueItems: true },
    [1, { a: 1, b: 2 }, { b: 2, a: 1 }],
    '',
    '/uniqueItems',
    'elements 1 and 2 are equal',
  ],
  ['contains', { contains: { const: 1 } }, [2], '', '/contains', 'no element is of the wanted kind'],
  [
    'minContains',
    { contains: true, minContains: 2 },
    [2],
    '',
    '/minContains',
    'expected 2 elements of a kind at the least, found 1',
  ],
  [
    'maxContains',
    { contains: true, maxContains: 1 },
    [2, 2],
    '',
    '/maxContains',
    'expected 1 elements of a kind at the most, found 2',
  ],
  [
    'required',
    { properties: { a: { required: ['b'] } } },
    { a: {} },
    '/a',
    '/properties/a/required',
    'the member "b" is missing',
  ],
  ['maxProperties', { maxProperties: 0 }, { a: 1 }, '', '/maxProperties', 'expected 0 members at the most, found 1'],
  ['minProperties', { minProperties: 1 }, {}, '', '/minProperties', 'expected 1 member at the least, found 0'],
  [
    'dependentRequired',
    { dependentRequired: { a: ['b'] } },
    { a: 1 },
    '',
    '/dependentRequired',
    'the member "b" is missing, which "a" asks for',
  ],
  [
    'dependencies',
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: { c: { dependencies: { a: ['b'] } } } },
    { c: { a: 1 } },
    '/c',
    '/properties/c/dependencies',
    'the member "b" is missing, which "a" asks for',
  ],
  [
    'propertyNames',
    { propertyNames: { maxLength: 1 } },
    { 'a/b': 1 },
    '/a~1b',
    '/propertyNames',
    '"a/b" is not a name that a member may have here',
  ],
  [
    'additionalProperties',
    { properties: { a: true }, additionalProperties: false },
    { a: 1, b: 1 },
    '/b',
    '/additionalProperties',
    'the member "b" is not allowed here',
  ],
  [
    'unevaluatedProperties',
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { a: 1, b: 1 },
    '/b',
    '/unevaluatedProperties',
    'the member "b" is not allowed here',
  ],
  [
    'unevaluatedItems',
    { prefixItems: [true], unevaluatedItems: false },
    [1, 2],
    '/1',
    '/unevaluatedItems',
    'nothing is allowed here',
  ],
  ['items', { prefixItems: [true], items: false }, [1, 2], '/1', '/items', 'nothing is allowed here'],
  ['false', { properties: { a: false } }, { a: 1 }, '/a', '/properties/a', 'the member "a" is not allowed here'],
  ['anyOf', { anyOf: [{ type: 'null' }, false] }, 1, '', '/anyOf', 'fits none of 2 alternatives'],
  ['oneOf', { oneOf: [true, true, true] }, 1, '', '/oneOf', 'fits alternatives 0 and 1, where one is wanted'],
  ['not', { not: true }, 1, '', '/not', 'fits what it must not fit'],
]

describe('an error has both places and a message', () => {
  it.each(FAILURES)('%s', (keyword, schema, value, instancePointer, schemaPointer, message) => {
    expect(compiled(schema).validate(value)).toMatchObject([{ keyword, instancePointer, schemaPointer, message }])
  })
})

/** Every text in a value, with its place: a naive walk. */
function textsIn(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return [pointer]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    textsIn(part, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

describe('the places of many errors', () => {
  const noText = {
    type: ['object', 'array', 'number', 'null', 'boolean'],
    items: { $ref: '#' },
    additionalProperties: { $ref: '#' },
  }
  // Each branch is tried first, and its findings are taken over when only that branch can be meant.
  const branches = { anyOf: [{ type: 'boolean' }, { ...noText, not: { type: 'boolean' } }, { const: 'none' }] }
  const odd = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom<unknown>(0, true, null, 'a', ''),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(fc.constantFrom('a', '1', 'm~n', 'a/b', '__proto__', 'n'.repeat(70)), tie('value'), {
        maxKeys: 5,
        noNullPrototype: true,
      }),
    ),
  })).value

  it('are those of a naive walk, in its order, up to any limit (differential)', () => {
    const both = [compiled(noText), compiled(branches)]
    fc.assert(
      fc.property(odd, fc.integer({ min: 1, max: 9 }), (value, maxErrors) => {
        const wanted = textsIn(value).slice(0, maxErrors)
        for (const schema of both) {
          expect(schema.validate(value, { maxErrors }).map((error) => error.instancePointer)).toEqual(wanted)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('do not include members that a value inherits', () => {
    const value = Object.assign(Object.create({ inherited: 1 }), { own: 'x' })
    const errors = compiled({ additionalProperties: false }).validate(value)
    expect(errors.map((error) => error.instancePointer)).toEqual(['/own'])
  })
})
