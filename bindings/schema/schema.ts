import { nameOf } from '../core/pattern-findings.ts'
import { arrayIndex, isObject, member, parsePointer } from '../text/members.ts'
import { type Context, type ResolvedReference, rulesFor } from './keywords/rules.ts'
import { metaschema, resolveUri } from './metaschema.ts'
import { ANY, CompiledSchema, Node, Resource } from './run.ts'
import {
  below,
  type Dialect,
  type Draft,
  draftOf,
  identityOf,
  inspect,
  KEYWORDS,
  KNOWN_DRAFTS,
  type Place,
  pointerTo,
  ROOT,
  type Sink,
  show,
  vocabularyNames,
} from './shapes.ts'
import type { ProblemReason, SchemaOptions, SchemaProblem } from './types.ts'

/**
 * Compiles a schema of draft-07, 2019-09 or 2020-12, or returns its problems. Fetches nothing: references resolve to
 * the schema itself, to `documents` and to the metaschemas.
 *
 * @example
 * const schema = compileSchema({ type: 'object', properties: { city: { type: 'string' } } })
 * if (!Array.isArray(schema)) schema.validate({ city: 'Ulm' }) // []
 *
 * @throws {TypeError} when `documents` is not a Map.
 */
export function compileSchema(schema: unknown, options: SchemaOptions = {}): CompiledSchema | SchemaProblem[] {
  return new ReadSchema(schema, options).compile()
}

/**
 * The problems that make a value an invalid schema of draft-07, 2019-09 or 2020-12:
 * - keyword values that the metaschema does not allow
 * - invalid regular expressions
 * - references that do not resolve, or that form a cycle
 * - too deep nesting
 *
 * References to documents that are not in `documents` are ignored.
 *
 * @example
 * checkSchema({ type: 'text' })[0]?.pointer // '/type'
 *
 * @throws {TypeError} when `documents` is not a Map.
 */
export function checkSchema(schema: unknown, options: SchemaOptions = {}): SchemaProblem[] {
  return new ReadSchema(schema, options).check()
}

const NO_DOCUMENTS: ReadonlyMap<string, unknown> = new Map()

/** A schema that is read once, for callers that both check and compile it. */
export class ReadSchema {
  readonly #library: Library
  #root: Node | undefined

  /** @throws {TypeError} as `compileSchema` does. */
  constructor(schema: unknown, { documents = NO_DOCUMENTS }: SchemaOptions = {}) {
    if (!(documents instanceof Map)) throw new TypeError(`documents: expected a Map, got ${nameOf(documents)}`)
    this.#library = new Library(schema, documents)
  }

  /** The result of `compileSchema`. */
  compile(): CompiledSchema | SchemaProblem[] {
    const { problems } = this.#library
    if (problems.length > 0) return problems
    const root = this.#compiled()
    return problems.length > 0 ? problems : new CompiledSchema(root)
  }

  /** The result of `checkSchema`. */
  check(): SchemaProblem[] {
    return this.#problems().filter(({ reason }) => reason !== 'external-reference')
  }

  /**
   * References to documents that were not passed: they are not faults, but no value can be checked against the schema.
   */
  leadingOut(): SchemaProblem[] {
    return this.#problems().filter(({ reason }) => reason === 'external-reference')
  }

  #problems(): readonly SchemaProblem[] {
    const { problems, references } = this.#library
    if (problems.length === 0 && references.length > 0) this.#compiled()
    return problems
  }

  #compiled(): Node {
    this.#root ??= compile(this.#library)
    return this.#root
  }
}

/** Compiles a library's root and everything that it refers to. Reports problems to the library. */
function compile(library: Library): Node {
  return new Compiler(library).compile()
}

class Compiler {
  readonly #library: Library
  readonly #queue: Node[] = []
  readonly #nodes: Node[] = []
  #hasDynamicReferences = false

  constructor(library: Library) {
    this.#library = library
  }

  compile(): Node {
    const { root, references } = this.#library
    const node = this.#nodeOf(root.root, root, ROOT, 'false')
    // A subschema may stand where nothing refers to it; its references must still resolve.
    for (const { schema, resource, place } of references) this.#nodeOf(schema, resource, place, 'false')
    do {
      for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
        this.#fill(next)
        // A reference may have led to something that is not a schema.
        if (this.#library.isMalformed) return node
      }
      if (this.#hasDynamicReferences) this.#compileDynamicAnchors()
    } while (this.#queue.length > 0)
    // Without references a schema is a tree.
    if (this.#library.references.length > 0) refuseCycles(this.#nodes, this.#library)
    return node
  }

  #nodeOf(schema: unknown, within: Resource, place: Place, keyword: string): Node {
    if (schema === false) return falseNode(within, place, keyword)
    const resource = this.#library.embedded(schema, within) ?? within
    let node = resource.nodes.get(schema)
    if (node === undefined) {
      node = new Node(schema, resource, place)
      resource.nodes.set(schema, node)
      this.#nodes.push(node)
      if (isObject(schema)) this.#queue.push(node)
    }
    return node
  }

  #fill(node: Node): void {
    const { resource, place } = node
    const { draft } = resource.dialect
    const schema = node.schema as Readonly<Record<string, unknown>>
    const child: Context['child'] = (sub, keyword, token) => {
      const at = below(place, keyword)!
      return token === undefined
        ? this.#nodeOf(sub, resource, at, keyword)
        : this.#nodeOf(sub, resource, below(at, token)!, 'false')
    }
    const context: Context = {
      schema,
      node,
      draft,
      has: (keyword) => Object.hasOwn(schema, keyword) && KEYWORDS[draft].has(keyword),
      source: (keyword) => ({ keyword, place: below(place, keyword)!, document: resource.document }),
      child,
      inPlace: (sub, keyword, token) => {
        const other = child(sub, keyword, token)
        node.inPlace.push(other)
        return other
      },
      referred: (keyword) => this.#refer(node, keyword),
    }
    for (const rule of rulesFor(schema, resource.dialect)) rule.compile(context)
  }

  #refer({ schema, resource, place }: Node, keyword: string): ResolvedReference | undefined {
    const reference = (schema as Readonly<Record<string, string>>)[keyword]!
    const target = this.#library.resolve(resource, reference)
    if (typeof target !== 'string') {
      this.#hasDynamicReferences ||= target.dynamic !== undefined
      const node = this.#nodeOf(target.schema, target.resource, target.place, 'false')
      return { node, dynamic: target.dynamic }
    }
    const message =
      target === 'absent'
        ? `${show(reference)} leads to nothing`
        : `${show(reference)} is in a document that is not given, and nothing is fetched`
    const reason = target === 'absent' ? 'reference' : 'external-reference'
    this.#library.problem(below(place, keyword)!, keyword, reason, message, resource.document)
    return undefined
  }

  /** Compiles the schemas of all dynamic anchors: a dynamic reference may lead to any of them. */
  #compileDynamicAnchors(): void {
    for (const resource of this.#library.resources) {
      for (const name of resource.dynamicAnchors) {
        const { schema, place } = resource.anchors.get(name)!
        this.#nodeOf(schema, resource, place, 'false')
      }
    }
  }
}

function falseNode(resource: Resource, place: Place, keyword: string): Node {
  const node = new Node(false, resource, place)
  const source = { keyword, place, document: resource.document }
  node.add(ANY, (_value, tells, _marks, run) => {
    if (!tells) return false
    const at = run.place()
    return run.fail(source, { name: at.parent && at.key }, at)
  })
  return node
}

/** A cycle makes a schema invalid, and a document shows no more problems. */
const MOST_REPORTS = 100

/** Reports schemas that apply themselves to the same value again, so that checking would never end. */
function refuseCycles(nodes: readonly Node[], library: Library): void {
  const done = new Set<Node>()
  let reports = 0
  for (const start of nodes) {
    // The path to the current node, with the number of neighbours visited at each step.
    const way: { node: Node; next: number }[] = [{ node: start, next: 0 }]
    const open = new Set<Node>([start])
    while (way.length > 0) {
      const top = way.at(-1)!
      const other = done.has(top.node) ? undefined : top.node.inPlace[top.next++]
      if (other === undefined) {
        done.add(top.node)
        open.delete(top.node)
        way.pop()
      } else if (open.has(other)) {
        // A report copies the path.
        if (++reports > MOST_REPORTS) return
        report(
          way.slice(way.findIndex(({ node }) => node === other)).map(({ node }) => node),
          library,
        )
      } else if (!done.has(other)) {
        open.add(other)
        way.push({ node: other, next: 0 })
      }
    }
  }
}

/** Reports a cycle at its last reference; every cycle has one. */
function report(cycle: readonly Node[], library: Library): void {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const node = cycle.findLast(({ schema }) => isObject(schema) && Object.hasOwn(schema, keyword))
    if (node === undefined) continue
    const message = `\`${keyword}\` leads back to here: it would apply to the same value without end`
    library.problem(below(node.place, keyword)!, keyword, 'cycle', message, node.resource.document)
    return
  }
}

/** The most problems to report, and the most references that lead out: each pointer may be as long as the document. */
const MOST_PROBLEMS = 100

const MALFORMED: ReadonlySet<ProblemReason> = new Set(['shape', 'regex', 'limit'])

/** The target of a reference. */
interface Target {
  readonly resource: Resource
  readonly schema: unknown
  readonly place: Place
  /** The dynamic anchor that the reference names, if any. */
  readonly dynamic: string | undefined
}

/** The known documents and their problems. A document is read when it is first referred to. */
class Library implements Sink {
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
    const named = isObject(schema) ? member(schema, '$schema') : undefined
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
    const base = member(document, '$schema')
    const draft = (typeof base === 'string' ? draftOf(resolveUri('', base).uri) : undefined) ?? 2020
    const vocabularies = member(document, '$vocabulary')
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
