import { arrayIndex, parsePointer } from '../text/members.ts'
import { type Dialect, type Draft, draftOf, KNOWN_DRAFTS, vocabularyNames } from './dialect.ts'
import { identityOf } from './identity.ts'
import { inspect, type Sink } from './inspect.ts'
import { metaschema } from './metaschema.ts'
import { below, type Place, pointerTo, ROOT } from './place.ts'
import { Resource } from './resource.ts'
import { isObject, KEYWORDS, own } from './shapes.ts'
import { show } from './show.ts'
import type { ProblemReason, SchemaProblem } from './types.ts'
import { resolveUri } from './uri.ts'

/** The most problems to report, and the most references that lead out: each pointer may be as long as the document. */
const MOST_PROBLEMS = 100

const MALFORMED: ReadonlySet<ProblemReason> = new Set(['shape', 'regex', 'limit'])

/** The target of a reference. */
export interface Target {
  readonly resource: Resource
  readonly schema: unknown
  readonly place: Place
  /** The dynamic anchor that the reference names, if any. */
  readonly dynamic: string | undefined
}

/** The known documents and their problems. A document is read when it is first referred to. */
export class Library implements Sink {
  readonly problems: SchemaProblem[] = []
  readonly root: Resource
  /** The schemas with references in the given document. */
  readonly references: { readonly resource: Resource; readonly schema: unknown; readonly place: Place }[] = []
  /** True when the schema cannot be compiled because of a problem. */
  isMalformed = false
  readonly #documents: ReadonlyMap<string, unknown>
  readonly #counts = { inside: 0, outside: 0 }
  readonly #resources = new Map<string, Resource>()
  /** The URI of the document being read. */
  #document = ''

  constructor(schema: unknown, documents: ReadonlyMap<string, unknown>) {
    this.#documents = documents
    this.root = this.#read(schema, '')
  }

  get resources(): Iterable<Resource> {
    return new Set(this.#resources.values())
  }

  #read(schema: unknown, uri: string): Resource {
    this.#document = uri
    // A document without `$schema` uses the draft of the document that refers to it.
    const dialect = this.#dialectOf(schema, ROOT, { draft: this.root?.dialect.draft ?? 2020 })
    const { id } = isObject(schema) ? identityOf(schema, dialect.draft) : {}
    const resource = new Resource(id === undefined ? uri : resolveUri(uri, id).uri, schema, ROOT, uri, dialect)
    this.#resources.set(uri, resource)
    if (!this.#resources.has(resource.uri)) this.#resources.set(resource.uri, resource)
    inspect(schema, ROOT, resource, this)
    return resource
  }

  enter(id: string, schema: unknown, place: Place, within: Resource): Resource {
    const { uri } = resolveUri(within.uri, id)
    const dialect = this.#dialectOf(schema, place, within.dialect)
    const resource = new Resource(uri, schema, place, within.document, dialect)
    const known = this.#resources.get(uri)
    if (known !== undefined && known.root !== schema) {
      this.problem(below(place, '$id')!, '$id', 'duplicate', `another schema has the same URI, ${show(uri)}`)
    }
    this.#resources.set(uri, resource)
    return resource
  }

  anchor(resource: Resource, name: string, schema: unknown, place: Place, dynamic: boolean): void {
    const known = resource.anchors.get(name)
    if (known !== undefined && known.schema !== schema) {
      this.problem(place, '$anchor', 'duplicate', `another schema has the same anchor, ${show(name)}`)
    }
    resource.anchors.set(name, { schema, place })
    if (dynamic) resource.dynamicAnchors.add(name)
  }

  reference(resource: Resource, schema: unknown, place: Place): void {
    if (this.#document === '') this.references.push({ resource, schema, place })
  }

  problem(place: Place, keyword: string, reason: ProblemReason, message: string, document = this.#document): void {
    this.isMalformed ||= MALFORMED.has(reason)
    // References that lead out are not faults, so they must not hide any.
    const of = reason === 'external-reference' ? 'outside' : 'inside'
    if (this.#counts[of]++ >= MOST_PROBLEMS) return
    const pointer = document === '' ? pointerTo(place) : `${document}#${pointerTo(place)}`
    this.problems.push({ pointer, keyword, reason, message })
  }

  /** The dialect that `$schema` selects (core section 8.1). */
  #dialectOf(schema: unknown, place: Place, inherited: Dialect): Dialect {
    const named = isObject(schema) ? own(schema, '$schema') : undefined
    if (typeof named !== 'string') return inherited
    const { uri } = resolveUri('', named)
    const known = draftOf(uri)
    if (known !== undefined) return { draft: known }
    const refuse = (message: string) => this.problem(below(place, '$schema')!, '$schema', 'dialect', message)
    const document = this.#documents.get(uri)
    if (!isObject(document)) {
      refuse(`the dialect ${show(named)} is not known here; ${KNOWN_DRAFTS} are`)
      return inherited
    }
    const base = own(document, '$schema')
    const draft = (typeof base === 'string' ? draftOf(resolveUri('', base).uri) : undefined) ?? 2020
    const vocabularies = own(document, '$vocabulary')
    if (draft === 7 || !isObject(vocabularies)) return { draft }
    const names = new Set(['core'])
    for (const [vocabulary, isRequired] of Object.entries(vocabularies)) {
      const found = vocabularyNames(vocabulary)
      for (const name of found) names.add(name)
      if (found.length === 0 && isRequired)
        refuse(`the dialect requires the vocabulary ${show(vocabulary)}, which is not known here`)
    }
    return { draft, vocabularies: names }
  }

  #find(uri: string): Resource | undefined {
    const known = this.#resources.get(uri)
    if (known !== undefined) return known
    const document = this.#documents.get(uri) ?? metaschema(uri)
    return document === undefined ? undefined : this.#read(document, uri)
  }

  /** The resource that a schema with an `$id` begins; undefined when the `$id` is not where a schema may stand. */
  embedded(schema: unknown, within: Resource): Resource | undefined {
    const { id } = isObject(schema) ? identityOf(schema, within.dialect.draft) : {}
    if (id === undefined) return undefined
    const resource = this.#resources.get(resolveUri(within.uri, id).uri)
    return resource?.root === schema ? resource : undefined
  }

  /**
   * The target of a reference: `external` when its document is unknown, `absent` when the document has no such place.
   */
  resolve(from: Resource, reference: string): Target | 'external' | 'absent' {
    const { uri, fragment } = resolveUri(from.uri, reference)
    const resource = this.#find(uri)
    if (resource === undefined) return 'external'
    let name: string
    try {
      name = decodeURIComponent(fragment)
    } catch {
      return 'absent'
    }
    if (name === '' || name.startsWith('/')) return this.#follow(resource, name)
    const anchor = resource.anchors.get(name)
    return anchor === undefined
      ? 'absent'
      : { resource, ...anchor, dynamic: resource.dynamicAnchors.has(name) ? name : undefined }
  }

  #follow(start: Resource, pointer: string): Target | 'absent' {
    const tokens = parsePointer(pointer)
    if (tokens === undefined) return 'absent'
    let { root: schema, place } = start
    let resource = start
    let position: Position = 'schema'
    for (const token of tokens) {
      const key = Array.isArray(schema) ? arrayIndex(token) : token
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key)) return 'absent'
      schema = (schema as Record<string | number, unknown>)[key]
      place = below(place, key)!
      position = next(position, token, resource.dialect.draft, schema)
      resource = this.embedded(schema, resource) ?? resource
    }
    if (position !== 'schema' && !resource.nodes.has(schema)) {
      this.#document = resource.document
      inspect(schema, place, resource, this, 1)
    }
    return { resource, schema, place, dynamic: pointer === '' && resource.dynamicAnchors.has('') ? '' : undefined }
  }
}

type Position = 'schema' | 'schemas' | 'elsewhere'

/** The position after one step of a pointer. `elsewhere` means that it was not inspected with its document. */
function next(position: Position, token: string, draft: Draft, value: unknown): Position {
  if (position === 'schemas') return 'schema'
  const holds = position === 'schema' ? KEYWORDS[draft].get(token)?.holds : undefined
  if (holds === 'schema') return 'schema'
  if (holds === 'schema or schemas') return Array.isArray(value) ? 'schemas' : 'schema'
  return holds === 'schemas' || holds === 'schema map' || holds === 'pattern map' ? 'schemas' : 'elsewhere'
}
