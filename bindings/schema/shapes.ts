// The shapes of keywords' values, as the metaschema of draft 2020-12 defines them.

/** The shape that the value of a keyword must have. */
export interface Shape {
  /** Ends the sentence "must be ...". */
  readonly wanted: string
  readonly fits: (value: unknown) => boolean
  /** The places of schemas, or of values with shapes of their own, within the value. */
  readonly holds?:
    | 'schema'
    | 'schemas'
    | 'schema map'
    | 'pattern map'
    | 'dependencies'
    | 'regex'
    | 'anchor'
    | 'reference'
}

export type Members = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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

const SHAPES: readonly (readonly [shape: Shape, keywords: string])[] = [
  [schema, 'additionalProperties contains contentSchema else if items not propertyNames then'],
  [schema, 'unevaluatedItems unevaluatedProperties'],
  [schemas, 'allOf anyOf oneOf prefixItems'],
  [schemaMap, '$defs definitions dependentSchemas properties'],
  [{ ...schemaMap, holds: 'pattern map' }, 'patternProperties'],
  [{ ...schemaMap, holds: 'dependencies' }, 'dependencies'],
  [array, 'enum examples'],
  [boolean, 'deprecated readOnly uniqueItems writeOnly'],
  [count, 'maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties'],
  [number, 'exclusiveMaximum exclusiveMinimum maximum minimum'],
  [{ wanted: 'a number above 0', fits: (value) => typeof value === 'number' && value > 0 }, 'multipleOf'],
  [string, '$comment $recursiveRef $schema contentEncoding contentMediaType description format title'],
  [{ ...string, holds: 'regex' }, 'pattern'],
  [{ ...string, holds: 'reference' }, '$dynamicRef $ref'],
  [{ wanted: 'a string without a fragment', fits: (value) => isString(value) && /^[^#]*#?$/.test(value) }, '$id'],
  [{ ...anchor, holds: 'anchor' }, '$anchor $dynamicAnchor'],
  [anchor, '$recursiveAnchor'],
  [{ wanted: NAMES, fits: areNames }, 'required'],
  [{ wanted: `an object, its values each ${NAMES}`, fits: every(areNames) }, 'dependentRequired'],
  [{ wanted: 'an object, its values true or false', fits: every(boolean.fits) }, '$vocabulary'],
  [
    {
      wanted: `one of ${TYPES.join(', ')}, or an array of different ones`,
      fits: (value) => isType(value) || (areDifferent(value, isType) && value.length > 0),
    },
    'type',
  ],
]

/** The keywords of the metaschema, including those that it keeps from earlier drafts. */
export const KEYWORDS: ReadonlyMap<string, Shape> = new Map(
  SHAPES.flatMap(([shape, keywords]) => keywords.split(' ').map((keyword): [string, Shape] => [keyword, shape])),
)
