// The shapes that the metaschemas define for the values of keywords.
import type { Draft } from './dialect.ts'

/** The shape that the value of a keyword must have. */
export interface Shape {
  /** Ends the sentence "must be ...". */
  readonly wanted: string
  readonly fits: (value: unknown) => boolean
  /** What the value contains: schemas, or values with shapes of their own. */
  readonly holds?:
    | 'schema'
    | 'schemas'
    | 'schema or schemas'
    | 'schema map'
    | 'pattern map'
    | 'dependencies'
    | 'regex'
    | 'anchor'
    | 'recursive anchor'
    | 'reference'
}

export type Members = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A schema's own member, not an inherited one. */
export function own(schema: Members, name: string): unknown {
  return Object.hasOwn(schema, name) ? schema[name] : undefined
}

const isString = (value: unknown): value is string => typeof value === 'string'
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

function areDifferent(value: unknown, test: (item: unknown) => boolean): value is readonly string[] {
  return Array.isArray(value) && value.every(test) && (value.length < 2 || new Set(value).size === value.length)
}

export const areNames = (value: unknown) => areDifferent(value, isString)
const isType = (value: unknown) => TYPES.includes(value as string)
const every = (test: (value: unknown) => boolean) => (value: unknown) =>
  isObject(value) && Object.values(value).every(test)

const NAMES = 'an array of strings that are all different'
const string: Shape = { wanted: 'a string', fits: isString }
const boolean: Shape = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' }
const number: Shape = { wanted: 'a number', fits: (value) => typeof value === 'number' }
const array: Shape = { wanted: 'an array', fits: Array.isArray }
const count: Shape = {
  wanted: 'a whole number from 0',
  fits: (value) => Number.isInteger(value) && (value as number) >= 0,
}
const schema: Shape = { wanted: 'a schema', fits: () => true, holds: 'schema' }
const schemaMap: Shape = { wanted: 'an object', fits: isObject, holds: 'schema map' }
const schemas: Shape = {
  wanted: 'an array with a schema in it',
  fits: (value) => Array.isArray(value) && value.length > 0,
  holds: 'schemas',
}
const anchor: Shape = {
  wanted: 'a letter or `_`, then letters, digits, `-`, `_` and `.`',
  fits: (value) => isString(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
}

const olderAnchor: Shape = {
  wanted: 'a letter, then letters, digits, `-`, `_`, `.` and `:`',
  fits: (value) => isString(value) && /^[A-Za-z][-A-Za-z0-9.:_]*$/.test(value),
}
const schemaOrSchemas: Shape = {
  wanted: 'a schema, or an array with a schema in it',
  fits: (value) => !Array.isArray(value) || value.length > 0,
  holds: 'schema or schemas',
}

/** A keyword has one shape in each draft; without `since` and `until` the shape applies to all drafts. */
const SHAPES: readonly (readonly [shape: Shape, keywords: string, since?: Draft, until?: Draft])[] = [
  [schema, 'additionalProperties contains else if not propertyNames then'],
  [schema, 'contentSchema unevaluatedItems unevaluatedProperties', 2019],
  [schema, 'items', 2020],
  [schemaOrSchemas, 'items', 7, 2019],
  [schema, 'additionalItems', 7, 2019],
  [schemas, 'allOf anyOf oneOf'],
  [schemas, 'prefixItems', 2020],
  [schemaMap, 'definitions properties'],
  [schemaMap, '$defs dependentSchemas', 2019],
  [{ ...schemaMap, holds: 'pattern map' }, 'patternProperties'],
  [{ ...schemaMap, holds: 'dependencies' }, 'dependencies'],
  [array, 'enum examples'],
  [boolean, 'readOnly uniqueItems writeOnly'],
  [boolean, 'deprecated', 2019],
  [count, 'maxItems maxLength maxProperties minItems minLength minProperties'],
  [count, 'maxContains minContains', 2019],
  [number, 'exclusiveMaximum exclusiveMinimum maximum minimum'],
  [{ wanted: 'a number above 0', fits: (value) => typeof value === 'number' && value > 0 }, 'multipleOf'],
  [string, '$comment $schema contentEncoding contentMediaType description format title'],
  [string, '$id', 7, 7],
  [{ ...string, holds: 'regex' }, 'pattern'],
  [{ ...string, holds: 'reference' }, '$ref'],
  [{ ...string, holds: 'reference' }, '$dynamicRef', 2020],
  [{ wanted: '"#"', fits: (value) => value === '#', holds: 'reference' }, '$recursiveRef', 2019, 2019],
  [string, '$recursiveRef', 2020],
  [{ wanted: 'a string without a fragment', fits: (value) => isString(value) && /^[^#]*#?$/.test(value) }, '$id', 2019],
  [{ ...anchor, holds: 'anchor' }, '$anchor $dynamicAnchor', 2020],
  [{ ...olderAnchor, holds: 'anchor' }, '$anchor', 2019, 2019],
  [anchor, '$recursiveAnchor', 2020],
  [{ ...boolean, holds: 'recursive anchor' }, '$recursiveAnchor', 2019, 2019],
  [{ wanted: NAMES, fits: areNames }, 'required'],
  [{ wanted: `an object, its values each ${NAMES}`, fits: every(areNames) }, 'dependentRequired', 2019],
  [{ wanted: 'an object, its values true or false', fits: every(boolean.fits) }, '$vocabulary', 2019],
  [
    {
      wanted: `one of ${TYPES.join(', ')}, or an array of different ones`,
      fits: (value) => isType(value) || (areDifferent(value, isType) && value.length > 0),
    },
    'type',
  ],
]

function keywordsOf(draft: Draft): ReadonlyMap<string, Shape> {
  const known = SHAPES.filter(([, , since = 7, until = 2020]) => since <= draft && draft <= until)
  return new Map(
    known.flatMap(([shape, keywords]) => keywords.split(' ').map((keyword): [string, Shape] => [keyword, shape])),
  )
}

/** The keywords of each metaschema, including those kept from earlier drafts. */
export const KEYWORDS: Readonly<Record<Draft, ReadonlyMap<string, Shape>>> = {
  7: keywordsOf(7),
  2019: keywordsOf(2019),
  2020: keywordsOf(2020),
}
