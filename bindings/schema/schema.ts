import { nameOf } from '../core/pattern-arguments.ts'
import { compile } from './compile.ts'
import { CompiledSchema } from './compiled.ts'
import { Library } from './library.ts'
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
  const library = libraryOf(schema, options)
  if (library.problems.length > 0) return library.problems
  const root = compile(library)
  return library.problems.length > 0 ? library.problems : new CompiledSchema(root)
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
  const library = libraryOf(schema, options)
  if (library.problems.length === 0 && library.references.length > 0) compile(library)
  return library.problems.filter(({ reason }) => reason !== 'external-reference')
}

const NO_DOCUMENTS: ReadonlyMap<string, unknown> = new Map()

function libraryOf(schema: unknown, { documents = NO_DOCUMENTS }: SchemaOptions): Library {
  if (!(documents instanceof Map)) throw new TypeError(`documents: expected a Map, got ${nameOf(documents)}`)
  return new Library(schema, documents)
}
