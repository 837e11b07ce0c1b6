import { nameOf } from '../core/pattern-arguments.ts'
import { compile } from './compile.ts'
import { CompiledSchema } from './compiled.ts'
import { Library } from './library.ts'
import type { Node } from './node.ts'
import type { SchemaOptions, SchemaProblem } from './types.ts'

/**
 * A schema of draft 2020-12, ready to hold values against, or what is wrong with it. Nothing is fetched: references go
 * into the schema itself, into `documents` and into the metaschema.
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
 * What keeps a value from being a schema of draft 2020-12: keywords whose value is not what the metaschema demands,
 * regular expressions that are none, references to what is not there or that lead back to themselves, too many levels.
 * References to other documents are left alone, but for those that `documents` has.
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

/** A schema that was looked through, for those who ask both questions of it. */
export class ReadSchema {
  readonly #library: Library
  #root: Node | undefined

  /** @throws {TypeError} as `compileSchema` does. */
  constructor(schema: unknown, { documents = NO_DOCUMENTS }: SchemaOptions = {}) {
    if (!(documents instanceof Map)) throw new TypeError(`documents: expected a Map, got ${nameOf(documents)}`)
    this.#library = new Library(schema, documents)
  }

  /** What `compileSchema` gives. */
  compile(): CompiledSchema | SchemaProblem[] {
    const { problems } = this.#library
    if (problems.length > 0) return problems
    const root = this.#compiled()
    return problems.length > 0 ? problems : new CompiledSchema(root)
  }

  /** What `checkSchema` gives. */
  check(): SchemaProblem[] {
    const { problems, references } = this.#library
    if (problems.length === 0 && references.length > 0) this.#compiled()
    return problems.length === 0 ? problems : problems.filter(({ reason }) => reason !== 'external-reference')
  }

  #compiled(): Node {
    this.#root ??= compile(this.#library)
    return this.#root
  }
}
