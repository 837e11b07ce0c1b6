import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CompiledSchema, checkSchema, compileSchema } from '../../bindings/schema/index.ts'
import { metaschema } from '../../bindings/schema/metaschema.ts'
import { casesOf } from '../support/cases.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const META = DIALECT.slice(0, -'schema'.length)

const OLD_META = 'https://json-schema.org/draft/2019-09/'
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'

const compiled = compileSchema({ $ref: DIALECT })
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const theirs = ajv.getSchema(DIALECT)!
const ajv2019 = new Ajv2019({ strict: false, validateFormats: false })
const ajv7 = new Ajv({ strict: false, validateFormats: false })

/**
 * Ajv as the oracle for earlier drafts, except for some keywords: `$recursiveRef`, of which only "#" is defined;
 * `enum`, where Ajv differs; and `writeOnly`, which it lacks.
 */
const OLDER = [
  [`${OLD_META}schema`, ajv2019.getSchema(`${OLD_META}schema`)!, ['$recursiveRef']],
  [DRAFT_7, ajv7.getSchema(DRAFT_7)!, ['enum', 'writeOnly']],
] as const

function oursByMetaschema(value: unknown): boolean {
  if (!(compiled instanceof CompiledSchema)) throw new Error(JSON.stringify(compiled))
  return compiled.validate(value).length === 0
}

/**
 * Our hand-written check, without what a metaschema cannot express: whether regular expressions and references are
 * valid.
 */
function oursByHand(value: unknown): boolean {
  return checkSchema(value).every(({ reason }) => reason !== 'shape')
}

const odd: fc.Arbitrary<unknown> = fc.constantFrom(
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  2.0,
  1e300,
  '',
  'string',
  'a#b',
  'b#',
  '1a',
  'object',
  [],
  ['string'],
  ['string', 'string'],
  ['a', 1],
  [null],
  [{}],
  {},
  { a: true },
  { a: ['x'] },
  { a: ['x', 'x'] },
  { a: 1 },
  { a: { type: 'string' } },
)

const keywords = [
  ...Object.keys((ajv.getSchema(DIALECT)!.schema as { properties: object }).properties),
  ...['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content'].flatMap((name) =>
    Object.keys((ajv.getSchema(`${META}meta/${name}`)!.schema as { properties: object }).properties),
  ),
].filter((name) => name !== '$schema' && name !== '$id')

const schemas = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    odd,
    fc.dictionary(fc.constantFrom(...keywords, 'unknown'), fc.oneof(odd, tie('schema')), { maxKeys: 4 }),
    fc.record(
      {
        type: fc.constantFrom<unknown>('object', 'array', ['string', 'null'], 'text'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'type'), tie('schema'), { maxKeys: 3 }),
        items: tie('schema'),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        required: fc.array(fc.constantFrom<unknown>('a', 'b', 1), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema

describe('checkSchema', () => {
  it('agrees with the metaschema, by our own interpreter and by Ajv (differential)', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const expected = theirs(schema)
        expect(oursByMetaschema(schema)).toBe(expected)
        expect(oursByHand(schema)).toBe(expected)
      }),
      { numRuns: casesOf(1_500) },
    )
  })

  it('agrees for each keyword and each odd value', () => {
    const values = fc.sample(odd, { numRuns: 150, seed: 1 })
    for (const keyword of keywords) {
      for (const value of values) {
        const schema = { [keyword]: value }
        expect(oursByHand(schema), JSON.stringify(schema)).toBe(theirs(schema))
        for (const [$schema, judge, but] of OLDER) {
          if ((but as readonly string[]).includes(keyword)) continue
          const old = { $schema, [keyword]: value }
          expect(oursByHand(old), JSON.stringify(old)).toBe(judge(old))
        }
      }
    }
  })

  it('contains the published metaschema without its annotations', () => {
    const bare = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(bare)
      if (typeof value !== 'object' || value === null) return value
      const members = Object.entries(value).filter(
        ([name, member]) =>
          !(
            ['title', '$comment', 'default', 'deprecated'].includes(name) &&
            (typeof member !== 'object' || name === 'default')
          ),
      )
      return Object.fromEntries(members.map(([name, member]) => [name, bare(member)]))
    }
    const names = ['core', 'applicator', 'validation', 'meta-data', 'content']
    for (const [base, holder, more] of [
      [META, ajv, ['unevaluated', 'format-annotation']],
      [OLD_META, ajv2019, ['format']],
    ] as const) {
      for (const uri of [`${base}schema`, ...[...names, ...more].map((name) => `${base}meta/${name}`)]) {
        expect(bare(metaschema(uri)), uri).toEqual(bare(holder.getSchema(uri)!.schema))
      }
    }
    // For draft-07, Ajv is stricter about `enum` and lacks `writeOnly`, which was added later.
    const theirs7 = bare(ajv7.getSchema(DRAFT_7)!.schema) as { properties: object }
    expect(bare(metaschema(DRAFT_7.slice(0, -1)))).toEqual({
      ...theirs7,
      properties: { ...theirs7.properties, enum: { type: 'array', items: true }, writeOnly: { type: 'boolean' } },
      default: undefined,
    })
    for (const uri of [
      `${META}meta/__proto__`,
      `${META}meta/`,
      `${META}vocab/core`,
      META,
      `${OLD_META}meta/unevaluated`,
      '',
    ]) {
      expect(metaschema(uri)).toBeUndefined()
    }
  })
})

/** Problems by the words of the core and validation specifications, with their places. */
const PROBLEMS: readonly [name: string, schema: unknown, pointer: string, reason: string][] = [
  ['an unknown type', { properties: { a: { type: 'text' } } }, '/properties/a/type', 'shape'],
  ['an invalid schema', { anyOf: [true, 3] }, '/anyOf/1', 'shape'],
  ['no value at all', undefined, '', 'shape'],
  ['a broken pattern', { pattern: '(' }, '/pattern', 'regex'],
  ['an escape that the flag u refuses', { pattern: '\\-' }, '/pattern', 'regex'],
  ['flags within a pattern', { pattern: '(?i:a)' }, '/pattern', 'regex'],
  ['a broken name', { patternProperties: { 'a~/[': {} } }, '/patternProperties/a~0~1[', 'regex'],
  ['a reference to a missing definition', { items: { $ref: '#/$defs/a' } }, '/items/$ref', 'reference'],
  ['a reference to a missing anchor', { $ref: '#a' }, '/$ref', 'reference'],
  ['a malformed pointer', { $ref: '#/a~2' }, '/$ref', 'reference'],
  ['malformed escapes', { $ref: '#%zz' }, '/$ref', 'reference'],
  ['an inherited name', { $ref: '#/constructor' }, '/$ref', 'reference'],
  ['a reference into a text', { title: 'abc', $ref: '#/title/length' }, '/$ref', 'reference'],
  ['a reference to something that is not a schema', { title: 'abc', $ref: '#/title' }, '/title', 'shape'],
  ['a schema that refers to itself', { $ref: '#' }, '/$ref', 'cycle'],
  [
    'a longer cycle',
    { $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
    '/$defs/b/not/$ref',
    'cycle',
  ],
  ['two schemas of one name', { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }, '/$defs/b', 'duplicate'],
  ['two schemas of one URI', { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }, '/$defs/b/$id', 'duplicate'],
  ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, '/$schema', 'dialect'],
]

describe('problems of a schema', () => {
  it.each(PROBLEMS)('%s', (_, schema, pointer, reason) => {
    expect(checkSchema(schema)).toMatchObject([{ pointer, reason }])
    expect(compileSchema(schema)).toMatchObject([{ pointer, reason }])
  })

  it('do not include references to documents that are not passed; only validating a value needs them', () => {
    const schema = { $ref: 'https://example.com/schema' }
    expect(checkSchema(schema)).toEqual([])
    expect(compileSchema(schema)).toMatchObject([{ pointer: '/$ref', reason: 'external-reference' }])
    const documents = new Map<string, unknown>([['https://example.com/schema', { items: { type: 'text' } }]])
    const pointer = 'https://example.com/schema#/items/type'
    expect(checkSchema(schema, { documents })).toMatchObject([{ pointer, reason: 'shape' }])
  })

  it('are not hidden by references to documents that are not passed, however many', () => {
    const outside = Array.from({ length: 300 }, (_, i) => ({ $ref: `https://example.com/${i}` }))
    const faults = [
      [{ not: { $ref: '#/$defs/a' } }, 'cycle'],
      [{ $ref: '#/$defs/missing' }, 'reference'],
    ] as const
    for (const [a, reason] of faults) {
      const schema = { $defs: { first: { anyOf: outside }, a } }
      expect(checkSchema(schema)).toMatchObject([{ reason }])
      expect(compileSchema(schema)).toHaveLength(101)
    }
  })

  it('do not include a schema that applies itself to parts of the value', () => {
    const schema = { properties: { child: { $ref: '#' } }, items: { anyOf: [{ $dynamicRef: '#' }, { type: 'null' }] } }
    expect(checkSchema(schema)).toEqual([])
  })

  it('do not include a class or an escape that looks like a group', () => {
    for (const pattern of ['[(?i]', '\\(?i', '(?<name>a)[\\](?-]', '(?:a)(?=b)(?<!c)']) {
      expect(checkSchema({ pattern }), pattern).toEqual([])
    }
    for (const pattern of ['(?i:a)', '[a](?-i:b)', '\\\\(?s:a)']) {
      expect(checkSchema({ pattern }), pattern).toMatchObject([{ reason: 'regex' }])
    }
  })

  it('refuses arguments of other types', () => {
    expect(() => checkSchema({}, { documents: {} as never })).toThrow(
      new TypeError('documents: expected a Map, got object'),
    )
    const schema = compileSchema(true)
    expect(schema).toBeInstanceOf(CompiledSchema)
    if (!(schema instanceof CompiledSchema)) return
    expect(() => schema.validate(1, { maxErrors: 0 })).toThrow(
      new RangeError('maxErrors: expected a whole number above 0, got 0'),
    )
    expect(() => schema.validate(1, { maxSteps: '9' as never })).toThrow(
      new RangeError('maxSteps: expected a whole number above 0, got string'),
    )
  })
})
