// The shapes that the metaschemas define for the values of keywords.

import { visible } from '../text/hidden.ts'
import { escapeToken, isObject, member } from '../text/members.ts'
import { cut } from '../text/words.ts'
import { isRegex } from './regex/parse.ts'
import type { Resource } from './run.ts'
import type { ProblemReason } from './types.ts'

/** The shape that the value of a keyword must have. */
interface Shape {
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

type Members = Readonly<Record<string, unknown>>

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

/** The supported drafts, in order: draft-07, 2019-09, 2020-12. */
export type Draft = 7 | 2019 | 2020

/** The rules for reading a schema. */
export interface Dialect {
  readonly draft: Draft
  /** Set when a metaschema declares vocabularies; otherwise all of the draft's apply. */
  readonly vocabularies?: ReadonlySet<string>
}

/** The dialect of a schema without `$schema`. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const DRAFTS: ReadonlyMap<string, Draft> = new Map([
  ['http://json-schema.org/draft-07/schema', 7],
  ['https://json-schema.org/draft/2019-09/schema', 2019],
  [DIALECT, 2020],
])

/** The names of the drafts, for messages. */
export const KNOWN_DRAFTS = 'draft-07, 2019-09 and 2020-12'

/** The draft whose metaschema has this URI, written without a fragment. */
export function draftOf(uri: string): Draft | undefined {
  return DRAFTS.get(uri)
}

/**
 * In 2019-09, `applicator` includes the unevaluated keywords. Its `format` vocabulary asserts, which is not supported.
 */
const DRAFT_NAMES: Readonly<Record<string, readonly string[]>> = {
  '2019-09': ['core', 'applicator', 'validation', 'meta-data', 'content'],
  '2020-12': ['core', 'applicator', 'validation', 'meta-data', 'content', 'unevaluated', 'format-annotation'],
}

/** The short names of the vocabularies behind a URI; empty for an unknown one. */
export function vocabularyNames(uri: string): readonly string[] {
  const [, draft = '', name = ''] = /^https:\/\/json-schema\.org\/draft\/(20\d\d-\d\d)\/vocab\/(.*)$/.exec(uri) ?? []
  if (!(Object.hasOwn(DRAFT_NAMES, draft) && DRAFT_NAMES[draft]!.includes(name))) return []
  return draft === '2019-09' && name === 'applicator' ? [name, 'unevaluated'] : [name]
}

/** The names that a schema declares for itself. */
interface Identity {
  /** The URI of the resource that begins here. */
  readonly id?: string
  readonly anchor?: string
}

const NONE: Identity = {}

/**
 * Before 2019-09 an anchor is the fragment of `$id`, and keywords next to `$ref` are ignored (draft-07 core sections
 * 8.2.3, 8.3).
 */
export function identityOf(schema: Members, draft: Draft): Identity {
  const id = member(schema, '$id')
  if (typeof id !== 'string') return NONE
  if (draft > 7) return { id }
  if (Object.hasOwn(schema, '$ref')) return NONE
  const hash = id.indexOf('#')
  const fragment = hash < 0 ? '' : id.slice(hash + 1)
  return {
    ...(hash !== 0 && { id: hash < 0 ? id : id.slice(0, hash) }),
    ...(fragment !== '' && !fragment.startsWith('/') && { anchor: fragment }),
  }
}

// Walks through a schema document and checks the shape of every keyword's value against the metaschema of its draft.
// Written by hand, because it runs at every validation of a document that contains schemas.

/** The nesting limit of schemas, deeper than anyone writes them. */
const MOST_LEVELS = 128

/** The length limit of patterns: compiling an alternation of 300,000 branches takes V8 ten seconds. */
const LONGEST_PATTERN = 4_096

/** The length limit of `$id`: every reference inside is resolved against it. */
const LONGEST_ID = 2_048

/** Receives the findings of the walk. */
export interface Sink {
  problem(place: Place, keyword: string, reason: ProblemReason, message: string): void
  /** Called for a schema with an `$id`, which begins a resource; returns that resource. */
  enter(id: string, schema: unknown, place: Place, within: Resource): Resource
  anchor(resource: Resource, name: string, schema: unknown, place: Place, dynamic: boolean): void
  /** Called for a schema with a reference; it is resolved once the whole document is known. */
  reference(resource: Resource, schema: unknown, place: Place): void
}

export function inspect(schema: unknown, place: Place, resource: Resource, sink: Sink, level = 0): void {
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) {
    sink.problem(place, '', 'shape', `a schema is an object or a boolean, not ${show(schema)}`)
    return
  }
  if (level > MOST_LEVELS) {
    sink.problem(place, '', 'limit', `schemas are more than ${MOST_LEVELS} levels deep`)
    return
  }
  const { id, anchor } = identityOf(schema, resource.dialect.draft)
  if (id !== undefined && id.length > LONGEST_ID) {
    sink.problem(below(place, '$id')!, '$id', 'limit', `the URI has more than ${LONGEST_ID} characters`)
    return
  }
  const within = id !== undefined && level > 0 ? sink.enter(id, schema, place, resource) : resource
  if (anchor !== undefined) sink.anchor(within, anchor, schema, place, false)
  for (const keyword of Object.keys(schema)) {
    const shape = KEYWORDS[within.dialect.draft].get(keyword)
    if (shape === undefined) continue
    const value = schema[keyword]
    if (!shape.fits(value)) {
      sink.problem(
        below(place, keyword)!,
        keyword,
        'shape',
        `\`${keyword}\` must be ${shape.wanted}, not ${show(value)}`,
      )
    } else if (shape.holds !== undefined) {
      look(shape.holds, keyword, value, { schema, place, resource: within, sink, level })
    }
  }
}

interface Around {
  readonly schema: Members
  readonly place: Place
  readonly resource: Resource
  readonly sink: Sink
  readonly level: number
}

/** Inspects a value that has the right shape. */
function look(holds: NonNullable<Shape['holds']>, keyword: string, value: unknown, around: Around): void {
  const { schema, place, resource, sink, level } = around
  const here = below(place, keyword)!
  switch (holds) {
    case 'schema':
      inspect(value, here, resource, sink, level + 1)
      return
    case 'schema or schemas':
      look(Array.isArray(value) ? 'schemas' : 'schema', keyword, value, around)
      return
    case 'schemas':
      for (const [i, item] of (value as readonly unknown[]).entries()) {
        inspect(item, below(here, i)!, resource, sink, level + 1)
      }
      return
    case 'schema map':
    case 'pattern map':
    case 'dependencies':
      for (const name of Object.keys(value as Members)) {
        const member = (value as Members)[name]
        const at = below(here, name)!
        if (holds === 'pattern map') checkRegex(name, at, keyword, sink)
        if (holds !== 'dependencies' || !areNames(member)) inspect(member, at, resource, sink, level + 1)
      }
      return
    case 'regex':
      checkRegex(value as string, here, keyword, sink)
      return
    case 'anchor':
      sink.anchor(resource, value as string, schema, place, keyword === '$dynamicAnchor')
      return
    case 'recursive anchor':
      // It has a meaning only at the root of a resource (2019-09 core section 8.2.4.2.1).
      if (value === true && schema === resource.root) sink.anchor(resource, '', schema, place, true)
      return
    case 'reference':
      sink.reference(resource, schema, place)
  }
}

function checkRegex(source: string, place: Place, keyword: string, sink: Sink): void {
  if (source.length > LONGEST_PATTERN) {
    sink.problem(place, keyword, 'limit', `the pattern has more than ${LONGEST_PATTERN} characters`)
    return
  }
  if (isRegex(source)) return
  sink.problem(place, keyword, 'regex', `${show(source)} is no regular expression (ECMA-262, with the flag u)`)
}

/** A value's place in a document, as the path that leads to it. Pointers are written only for reports. */
export interface Place {
  readonly parent: Place | undefined
  readonly key: string | number
}

export const ROOT: Place = { parent: undefined, key: '' }

/** The place of a member or element; undefined when places are not tracked. */
export function below(at: Place | undefined, key: string | number): Place | undefined {
  return at === undefined ? undefined : { parent: at, key }
}

/** The JSON Pointer of a place. */
export function pointerTo(place: Place): string {
  let pointer = ''
  for (let { parent, key } = place; parent !== undefined; { parent, key } = parent) {
    pointer = `/${escapeToken(String(key))}${pointer}`
  }
  return pointer
}

/** The most characters of a value that a message shows. */
const LONGEST = 60

/** True for a short text that JSON writes as it is, and screens show. */
function isPlain(text: string): boolean {
  if (text.length > LONGEST) return false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false
  }
  return true
}

/** Formats an untrusted value for a message. */
export function show(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string' && isPlain(value)) return `"${value}"`
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  const text = typeof value === 'string' ? JSON.stringify(cut(value, LONGEST + 1)) : String(value)
  return text.length > LONGEST + 2 ? `${visible(cut(text, LONGEST))}…` : visible(text)
}
