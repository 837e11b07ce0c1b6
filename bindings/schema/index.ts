/**
 * JSON Schema (draft-07, 2019-09, 2020-12) without eval, and formats of texts.
 * @module
 */

export * from './formats.ts'
export { CompiledSchema } from './run.ts'
export { checkSchema, compileSchema } from './schema.ts'
export type { SchemaOptions, SchemaProblem } from './types.ts'
