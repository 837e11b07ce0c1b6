import { refuseCycles } from './cycles.ts'
import type { Context, ResolvedReference } from './keywords/context.ts'
import { rulesFor } from './keywords/rules.ts'
import type { Library } from './library.ts'
import { ANY, Node } from './node.ts'
import { below, type Place, ROOT } from './place.ts'
import type { Resource } from './resource.ts'
import { isObject, KEYWORDS } from './shapes.ts'
import { show } from './show.ts'

/** Compiles a library's root and everything that it refers to. Reports problems to the library. */
export function compile(library: Library): Node {
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
  node.add(ANY, (_value, at, _marks, run) => at !== undefined && run.fail(at, source, { name: at.parent && at.key }))
  return node
}
