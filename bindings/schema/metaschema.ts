// The metaschemas of the known drafts, without annotations, for schemas that refer to them.
import { isObject } from '../text/members.ts'
import METASCHEMAS from './metaschemas.json' with { type: 'json' }
import { type Draft, draftOf } from './shapes.ts'

type Members = Readonly<Record<string, unknown>>

const WORDS: Members = METASCHEMAS.words

/** How a draft refers to its own schema, and where it has its definitions. */
const OWN: Readonly<Record<Draft, readonly [self: Members, definitions: string]>> = {
  7: [{ $ref: '#' }, '#/definitions'],
  2019: [{ $recursiveRef: '#' }, '#/$defs'],
  2020: [{ $dynamicRef: '#meta' }, '#/$defs'],
}

/**
 * Writes a schema out. In metaschemas.json `@name` stands for a schema in `words`, or as a member for its members, and `%`
 * for the path to definitions. A member may have several names. Equal words are one object, so that they are compiled once.
 */
function writer(draft: Draft): (value: unknown) => unknown {
  const [self, definitions] = OWN[draft]
  const written = new Map<string, unknown>([['schema', self]])
  const wordOf = (name: string) => {
    if (!written.has(name)) written.set(name, write(WORDS[name]))
    return written.get(name)
  }
  const write = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.startsWith('@') ? wordOf(value.slice(1)) : value.replace(/^%/, definitions)
    if (Array.isArray(value)) return value.map(write)
    return isObject(value) ? Object.fromEntries(Object.entries(value).flatMap(writeMember)) : value
  }
  const writeMember = ([name, value]: [string, unknown]): [string, unknown][] =>
    name.startsWith('@')
      ? Object.entries(wordOf(name.slice(1)) as Members)
      : name.split(' ').map((one) => [one, write(value)])
  return write
}

/** The metaschema document with this URI; undefined for every other URI. */
export function metaschema(uri: string): unknown {
  const [, base = '', path = ''] = /^(.*\/)(schema|meta\/[^/]*)$/.exec(uri) ?? []
  const draft = draftOf(`${base}schema`)
  if (draft === undefined) return undefined
  const documents: Members = METASCHEMAS[draft]
  if (!Object.hasOwn(documents, path)) return undefined
  const written = writer(draft)(documents[path]) as Members
  if (draft === 7) return written
  const isRoot = path === 'schema'
  const names = Object.keys(documents).filter((name) => (name === path) !== isRoot)
  return {
    $schema: `${base}schema`,
    $id: uri,
    // All are required, except the format vocabulary of 2019-09, which would then assert.
    $vocabulary: Object.fromEntries(
      names.map((name) => [base + name.replace('meta', 'vocab'), !(isRoot && name === 'meta/format')]),
    ),
    ...(draft === 2019 ? { $recursiveAnchor: true } : { $dynamicAnchor: 'meta' }),
    type: ['object', 'boolean'],
    ...written,
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
