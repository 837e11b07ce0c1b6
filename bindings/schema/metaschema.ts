// The metaschema of draft 2020-12 and its vocabularies, without annotations, for schemas that refer to it.
import { DIALECT } from './dialect.ts'

const BASE = DIALECT.slice(0, -'schema'.length)

const schema = { $dynamicRef: '#meta' }
const schemaMap = { type: 'object', additionalProperties: schema }
const schemas = { $ref: '#/$defs/schemaArray' }
const text = { type: 'string' }
const boolean = { type: 'boolean' }
const number = { type: 'number' }
const reference = { $ref: '#/$defs/uriReferenceString' }
const anchor = { $ref: '#/$defs/anchorString' }
const count = { $ref: '#/$defs/nonNegativeInteger' }
const countFrom0 = { $ref: '#/$defs/nonNegativeIntegerDefault0' }
const names = { $ref: '#/$defs/stringArray' }

/** The particular members of each vocabulary, by name. */
const VOCABULARIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  core: {
    properties: {
      $id: { ...reference, pattern: '^[^#]*#?$' },
      $schema: { $ref: '#/$defs/uriString' },
      $ref: reference,
      $anchor: anchor,
      $dynamicRef: reference,
      $dynamicAnchor: anchor,
      $vocabulary: { type: 'object', propertyNames: { $ref: '#/$defs/uriString' }, additionalProperties: boolean },
      $comment: text,
      $defs: schemaMap,
    },
    $defs: {
      anchorString: { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' },
      uriString: { type: 'string', format: 'uri' },
      uriReferenceString: { type: 'string', format: 'uri-reference' },
    },
  },
  applicator: {
    properties: {
      prefixItems: schemas,
      items: schema,
      contains: schema,
      additionalProperties: schema,
      properties: schemaMap,
      patternProperties: { ...schemaMap, propertyNames: { format: 'regex' } },
      dependentSchemas: schemaMap,
      propertyNames: schema,
      if: schema,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: schema,
      else: schema,
      allOf: schemas,
      anyOf: schemas,
      oneOf: schemas,
      not: schema,
    },
    $defs: { schemaArray: { type: 'array', minItems: 1, items: schema } },
  },
  unevaluated: { properties: { unevaluatedItems: schema, unevaluatedProperties: schema } },
  validation: {
    properties: {
      type: {
        anyOf: [
          { $ref: '#/$defs/simpleTypes' },
          { type: 'array', items: { $ref: '#/$defs/simpleTypes' }, minItems: 1, uniqueItems: true },
        ],
      },
      const: true,
      enum: { type: 'array', items: true },
      multipleOf: { type: 'number', exclusiveMinimum: 0 },
      maximum: number,
      exclusiveMaximum: number,
      minimum: number,
      exclusiveMinimum: number,
      maxLength: count,
      minLength: countFrom0,
      pattern: { type: 'string', format: 'regex' },
      maxItems: count,
      minItems: countFrom0,
      uniqueItems: boolean,
      maxContains: count,
      minContains: count,
      maxProperties: count,
      minProperties: countFrom0,
      required: names,
      dependentRequired: { type: 'object', additionalProperties: names },
    },
    $defs: {
      nonNegativeInteger: { type: 'integer', minimum: 0 },
      nonNegativeIntegerDefault0: count,
      simpleTypes: { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] },
      stringArray: { type: 'array', items: text, uniqueItems: true },
    },
  },
  'meta-data': {
    properties: {
      title: text,
      description: text,
      default: true,
      deprecated: boolean,
      readOnly: boolean,
      writeOnly: boolean,
      examples: { type: 'array', items: true },
    },
  },
  'format-annotation': { properties: { format: text } },
  content: { properties: { contentEncoding: text, contentMediaType: text, contentSchema: schema } },
}

const ROOT = {
  allOf: Object.keys(VOCABULARIES).map((name) => ({ $ref: `meta/${name}` })),
  properties: {
    definitions: schemaMap,
    dependencies: {
      type: 'object',
      additionalProperties: { anyOf: [schema, { $ref: 'meta/validation#/$defs/stringArray' }] },
    },
    $recursiveAnchor: { $ref: 'meta/core#/$defs/anchorString' },
    $recursiveRef: { $ref: 'meta/core#/$defs/uriReferenceString' },
  },
}

/** The metaschema document with this URI; undefined for every other URI. */
export function metaschema(uri: string): unknown {
  if (!uri.startsWith(BASE)) return undefined
  const path = uri.slice(BASE.length)
  const name = path.slice('meta/'.length)
  const isRoot = path === 'schema'
  if (!isRoot && !(path === `meta/${name}` && Object.hasOwn(VOCABULARIES, name))) return undefined
  const vocabularies = isRoot ? Object.keys(VOCABULARIES) : [name]
  return {
    $schema: DIALECT,
    $id: uri,
    $vocabulary: Object.fromEntries(vocabularies.map((vocabulary) => [`${BASE}vocab/${vocabulary}`, true])),
    $dynamicAnchor: 'meta',
    type: ['object', 'boolean'],
    ...(isRoot ? ROOT : VOCABULARIES[name]),
  }
}
