import { nameOf } from '../core/patterns.ts'
import { compile } from './compile.ts'
import { CompiledSchema } from './compiled.ts'
import { Library } from './library.ts'
import type { Node } from './node.ts'
import type { SchemaOptions, SchemaProblem } from './types.ts'

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
