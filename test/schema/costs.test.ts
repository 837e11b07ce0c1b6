// Two dimensions that multiply: what one keyword costs, and how often it is applied. Work is charged where it is done, so
// each of these ends at the limit, or is cheap.
import { expect, test } from 'vitest'
import { CompiledSchema, checkSchema, compileSchema } from '../../bindings/schema/index.ts'
import { processorTime } from '../support/effort.ts'

/** A definition that is applied 2^depth times to one value. */
function repeated(schema: object, depth = 13): object {
  const $defs: Record<string, object> = { a0: schema }
  for (let i = 1; i <= depth; i++) $defs[`a${i}`] = { allOf: [1, 2].map(() => ({ $ref: `#/$defs/a${i - 1}` })) }
  return { $defs, $ref: `#/$defs/a${depth}` }
}

const list = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const wide = (count: number) => Object.fromEntries(list(count, (i) => [`n${i}`, i]))
const deep = (levels: number, inner: unknown) => {
  let value = inner
  for (let i = 0; i < levels; i++) value = [value]
  return value
}
const text = 'a'.repeat(200_000)
const many = <T>(keyword: string, values: T) => ({ [keyword]: values })

/** Name, schema, value. */
const COSTS: readonly (readonly [string, object, unknown])[] = [
  ...['minProperties', 'maxProperties'].map(
    (keyword) => [keyword, repeated(many(keyword, keyword === 'minProperties' ? 0 : 1e6)), wide(20_000)] as const,
  ),
  ['propertyNames', repeated({ propertyNames: true }), wide(20_000)],
  ['additionalProperties', repeated({ additionalProperties: true }), wide(20_000)],
  ['patternProperties', { patternProperties: Object.fromEntries(list(1500, (i) => [`^a${i}$`, true])) }, wide(60_000)],
  ['unevaluatedProperties', repeated({ $ref: '#/$defs/all', unevaluatedProperties: false }), wide(20_000)],
  [
    'marks',
    repeated({ anyOf: list(2, () => ({ additionalProperties: true })), unevaluatedProperties: false }),
    wide(5000),
  ],
  ['unevaluatedItems', repeated({ items: true, unevaluatedItems: false }), list(50_000, (i) => i)],
  ['uniqueItems', repeated({ uniqueItems: true }), list(16, (i) => `${text}${i}`)],
  ['uniqueItems of deep values', repeated({ uniqueItems: true }), list(4, (i) => deep(200, `${text}${i}`))],
  ['const of a text', repeated({ const: `${text}${text}`.slice(1) }), `${text}${text}`.slice(1).split('').join('')],
  ['const of an object', repeated({ const: { a: 1 } }), wide(20_000)],
  ['enum of objects', repeated({ enum: [...list(5000, () => []), wide(2)] }), wide(2)],
  ['multipleOf', repeated({ multipleOf: 1e-300 }), 1e308],
  ['pattern', repeated({ pattern: '👍?' }), `${text}👍`],
]

/** What a check costs that ends at the limit, or before. Above `most` the least of three: a pause is no cost. */
function effortOf(schema: object, value: unknown, most = 0): number {
  const ready = { ...schema, $defs: { ...(schema as { $defs?: object }).$defs, all: { additionalProperties: true } } }
  const compiled = compileSchema(ready)
  if (!(compiled instanceof CompiledSchema)) throw new Error(JSON.stringify(compiled))
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && least > most; i++) {
    const before = processorTime()
    compiled.validate(value, { maxErrors: 1 })
    least = Math.min(least, processorTime() - before)
  }
  return least
}

/** What the whole budget costs on this machine when references alone spend it. */
const budget = effortOf(repeated({}, 24), 1)

test.each(COSTS)('%s, applied 8,192 times, stays within the budget', (_, schema, value) => {
  const most = 20 * budget
  expect(effortOf(schema, value, most)).toBeLessThan(most)
})

test('ordinary values are far from the limit', () => {
  const schema = compileSchema({
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^[a-z0-9]+$' },
    patternProperties: { '^n': { type: 'integer' }, '^x': { type: 'string' } },
    additionalProperties: false,
  })
  expect((schema as CompiledSchema).validate(wide(20_000))).toEqual([])
})

test('a long path with many ways back is reported, and does not copy the path for each', () => {
  const count = 8000
  const $defs = Object.fromEntries(
    list(count, (i) => [`a${i}`, { allOf: [{ $ref: `#/$defs/a${i + 1}` }, { $ref: '#/$defs/a0' }] }]),
  )
  const before = processorTime()
  const problems = checkSchema({ $defs: { ...$defs, [`a${count}`]: { $ref: '#/$defs/a0' } }, $ref: '#/$defs/a0' })
  expect(problems[0]?.reason).toBe('cycle')
  expect(processorTime() - before).toBeLessThan(3000)
})
