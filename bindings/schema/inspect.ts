// Walks through a schema document and checks the shape of every keyword's value against the metaschema of its draft.
// Written by hand, because it runs at every validation of a document that contains schemas.
import { identityOf } from './identity.ts'
import { below, type Place } from './place.ts'
import { isRegex } from './regex/syntax.ts'
import type { Resource } from './resource.ts'
import { areNames, isObject, KEYWORDS, type Members, type Shape } from './shapes.ts'
import { show } from './show.ts'
import type { ProblemReason } from './types.ts'

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
