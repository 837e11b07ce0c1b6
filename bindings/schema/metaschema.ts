// The metaschemas of the known drafts, without annotations, for schemas that refer to them.
import { draftOf } from './dialect.ts'

type Members = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const boolean = { type: 'boolean' }
const number = { type: 'number' }
const uri = { type: 'string', format: 'uri' }
const reference = { type: 'string', format: 'uri-reference' }

/** The parts that all drafts share, given a draft's reference to itself and its path to definitions. */
function common(schema: unknown, definitions: string) {
  const schemaMap = { type: 'object', additionalProperties: schema }
  const schemas = { $ref: `${definitions}/schemaArray` }
  const count = { $ref: `${definitions}/nonNegativeInteger` }
  const countFrom0 = { $ref: `${definitions}/nonNegativeIntegerDefault0` }
  const names = { $ref: `${definitions}/stringArray` }
  const simple = { $ref: `${definitions}/simpleTypes` }
  return {
    schemaMap,
    schemas,
    count,
    names,
    itemsOfOld: { additionalItems: schema, items: { anyOf: [schema, schemas] } },
    applied: {
      contains: schema,
      additionalProperties: schema,
      properties: schemaMap,
      patternProperties: { ...schemaMap, propertyNames: { format: 'regex' } },
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
    asserted: {
      type: { anyOf: [simple, { type: 'array', items: simple, minItems: 1, uniqueItems: true }] },
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
      maxProperties: count,
      minProperties: countFrom0,
      required: names,
    },
    annotated: {
      title: text,
      description: text,
      default: true,
      readOnly: boolean,
      writeOnly: boolean,
      examples: { type: 'array', items: true },
    },
    encoded: { contentEncoding: text, contentMediaType: text },
    schemaArray: { type: 'array', minItems: 1, items: schema },
    numbers: {
      nonNegativeInteger: { type: 'integer', minimum: 0 },
      simpleTypes: { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] },
      stringArray: { type: 'array', items: text, uniqueItems: true },
    },
  }
}

function draft7(): Members {
  const schema = { $ref: '#' }
  const { schemaMap, names, itemsOfOld, applied, asserted, annotated, encoded, schemaArray, numbers } = common(
    schema,
    '#/definitions',
  )
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'http://json-schema.org/draft-07/schema#',
    type: ['object', 'boolean'],
    properties: {
      $id: reference,
      $schema: uri,
      $ref: reference,
      $comment: text,
      ...annotated,
      ...asserted,
      ...itemsOfOld,
      ...applied,
      definitions: schemaMap,
      dependencies: { type: 'object', additionalProperties: { anyOf: [schema, names] } },
      format: text,
      ...encoded,
    },
    definitions: {
      schemaArray,
      ...numbers,
      nonNegativeIntegerDefault0: { allOf: [{ $ref: '#/definitions/nonNegativeInteger' }, {}] },
    },
  }
}

/** The members of each vocabulary, by name. */
function vocabulariesOf(draft: 2019 | 2020): Readonly<Record<string, Members>> {
  const isOld = draft === 2019
  const schema = isOld ? { $recursiveRef: '#' } : { $dynamicRef: '#meta' }
  const { schemaMap, schemas, count, names, itemsOfOld, applied, asserted, annotated, encoded, ...rest } = common(
    schema,
    '#/$defs',
  )
  const unevaluated = { unevaluatedItems: schema, unevaluatedProperties: schema }
  const id = { type: 'string', format: 'uri-reference', pattern: '^[^#]*#?$' }
  const ofUris = (inner: unknown) => ({ type: 'object', propertyNames: inner, additionalProperties: boolean })
  const newReference = { $ref: '#/$defs/uriReferenceString' }
  const newAnchor = { $ref: '#/$defs/anchorString' }
  const newUri = { $ref: '#/$defs/uriString' }
  return {
    core: isOld
      ? {
          properties: {
            $id: id,
            $schema: uri,
            $anchor: { type: 'string', pattern: '^[A-Za-z][-A-Za-z0-9.:_]*$' },
            $ref: reference,
            $recursiveRef: reference,
            $recursiveAnchor: boolean,
            $vocabulary: ofUris(uri),
            $comment: text,
            $defs: schemaMap,
          },
        }
      : {
          properties: {
            $id: { ...newReference, pattern: '^[^#]*#?$' },
            $schema: newUri,
            $ref: newReference,
            $anchor: newAnchor,
            $dynamicRef: newReference,
            $dynamicAnchor: newAnchor,
            $vocabulary: ofUris(newUri),
            $comment: text,
            $defs: schemaMap,
          },
          $defs: {
            anchorString: { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' },
            uriString: uri,
            uriReferenceString: reference,
          },
        },
    applicator: {
      properties: {
        ...(isOld ? { ...itemsOfOld, ...unevaluated } : { prefixItems: schemas, items: schema }),
        ...applied,
        dependentSchemas: schemaMap,
      },
      $defs: { schemaArray: rest.schemaArray },
    },
    ...(isOld ? {} : { unevaluated: { properties: unevaluated } }),
    validation: {
      properties: {
        ...asserted,
        maxContains: count,
        minContains: count,
        dependentRequired: { type: 'object', additionalProperties: names },
      },
      $defs: { ...rest.numbers, nonNegativeIntegerDefault0: count },
    },
    'meta-data': { properties: { ...annotated, deprecated: boolean } },
    [isOld ? 'format' : 'format-annotation']: { properties: { format: text } },
    content: { properties: { ...encoded, contentSchema: schema } },
  }
}

function rootOf(draft: 2019 | 2020, names: readonly string[]): Members {
  const schema = draft === 2019 ? { $recursiveRef: '#' } : { $dynamicRef: '#meta' }
  return {
    allOf: names.map((name) => ({ $ref: `meta/${name}` })),
    properties: {
      definitions: { type: 'object', additionalProperties: schema },
      dependencies: {
        type: 'object',
        additionalProperties: { anyOf: [schema, { $ref: 'meta/validation#/$defs/stringArray' }] },
      },
      ...(draft === 2020 && {
        $recursiveAnchor: { $ref: 'meta/core#/$defs/anchorString' },
        $recursiveRef: { $ref: 'meta/core#/$defs/uriReferenceString' },
      }),
    },
  }
}

/** The metaschema document with this URI; undefined for every other URI. */
export function metaschema(uri: string): unknown {
  const [, base = '', path = ''] = /^(.*\/)(schema|meta\/[^/]*)$/.exec(uri) ?? []
  const draft = draftOf(`${base}schema`)
  if (draft === undefined) return undefined
  if (draft === 7) return path === 'schema' ? draft7() : undefined
  const vocabularies = vocabulariesOf(draft)
  const isRoot = path === 'schema'
  const name = path.slice('meta/'.length)
  if (!(isRoot || Object.hasOwn(vocabularies, name))) return undefined
  const names = isRoot ? Object.keys(vocabularies) : [name]
  return {
    $schema: `${base}schema`,
    $id: uri,
    // All are required, except the format vocabulary of 2019-09, which would then assert.
    $vocabulary: Object.fromEntries(names.map((own) => [`${base}vocab/${own}`, !(isRoot && own === 'format')])),
    ...(draft === 2019 ? { $recursiveAnchor: true } : { $dynamicAnchor: 'meta' }),
    type: ['object', 'boolean'],
    ...(isRoot ? rootOf(draft, names) : vocabularies[name]),
  }
}
