/**
 * The verbs that everybody needs.
 * @module
 */
export { canonicalize } from './core/json.ts'
export { render } from './core/template.ts'
export { canonicalizeValue } from './core/value.ts'
export { Document } from './document/document.ts'
export { DocumentError } from './document/error.ts'
export { type Parsed, type ParseOptions, parse } from './document/parse.ts'
export type { Diagnostic, Edit, Fix, Related, Severity, SourceRange } from './document/types.ts'
export { initSync } from './wasm/instance.ts'

/** Settled when the core can be called: at import, for the module comes with the package and nothing is fetched. */
export const ready: Promise<void> = Promise.resolve()
