// The metaschemas of the known drafts, without annotations, for schemas that refer to them.
import { draftOf } from './shapes.ts'

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

/** The five parts of a URI reference (RFC 3986 appendix B); every text has them. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

/**
 * Resolves a reference against a base without a fragment (RFC 3986 section 5.2.2); returns the URI and its fragment
 * separately. Does not use the host's `URL`, which deviates from the RFC for some schemes and refuses a URN as base.
 */
export function resolveUri(base: string, reference: string): { uri: string; fragment: string } {
  if (reference.startsWith('#')) return { uri: base, fragment: reference.slice(1) }
  const [, scheme, authority, path, query, fragment = ''] = PARTS.exec(reference) as unknown as string[]
  const under = PARTS.exec(base) as unknown as (string | undefined)[]
  const result =
    scheme !== undefined
      ? recompose(scheme, authority, withoutDots(path!), query)
      : authority !== undefined
        ? recompose(under[1], authority, withoutDots(path!), query)
        : path === ''
          ? recompose(under[1], under[2], under[3]!, query ?? under[4])
          : recompose(under[1], under[2], withoutDots(merge(under, path!)), query)
  return { uri: result, fragment }
}

function recompose(
  scheme: string | undefined,
  authority: string | undefined,
  path: string,
  query: string | undefined,
): string {
  return `${scheme === undefined ? '' : `${scheme}:`}${authority === undefined ? '' : `//${authority}`}${path}${
    query === undefined ? '' : `?${query}`
  }`
}

function merge(under: readonly (string | undefined)[], path: string): string {
  if (path.startsWith('/')) return path
  if (under[2] !== undefined && under[3] === '') return `/${path}`
  return under[3]!.slice(0, under[3]!.lastIndexOf('/') + 1) + path
}

/** RFC 3986 section 5.2.4. */
function withoutDots(path: string): string {
  if (!path.includes('.')) return path
  const kept: string[] = []
  const segments = path.split('/')
  for (const [i, segment] of segments.entries()) {
    if (segment === '..') {
      if (kept.length > 1 || (kept.length === 1 && kept[0] !== '')) kept.pop()
    } else if (segment !== '.') kept.push(segment)
    // A path that ends in dots denotes the folder itself.
    if (i === segments.length - 1 && (segment === '.' || segment === '..')) kept.push('')
  }
  return kept.join('/')
}
