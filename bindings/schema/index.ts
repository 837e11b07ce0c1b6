/**
 * JSON Schema (draft 2020-12) without eval, and formats of texts.
 * @module
 */
export * from './formats.ts'
