/**
 * The verbs that everybody needs.
 * @module
 */
export type { Expected } from './adl/verify.ts'
export type { ValidateOptions } from './check.ts'
export { convert } from './convert/convert.ts'
export type { Converted, ConvertOptions, LossReport, LossRow } from './convert/types.ts'
export { canonicalize } from './core/json.ts'
export { render } from './core/template.ts'
export { canonicalizeValue } from './core/value.ts'
export { Document, type Format } from './document/document.ts'
export { DocumentError } from './document/error.ts'
export type { Parsed } from './document/parse.ts'
export type { Proof, Step, StepOutcome, Verdict } from './document/proof.ts'
export { read as parse } from './document/read.ts'
export type { ReadOptions as ParseOptions } from './document/read-format.ts'
export type { Kind, ValidationReport } from './document/report.ts'
export type { Signed } from './document/signed.ts'
export type { Diagnostic, Edit, Fix, Related, Severity, SourceRange } from './document/types.ts'
export { type SignOptions, sign } from './sign.ts'
export { validate } from './validate.ts'
export { type VerifyOptions, verify } from './verify.ts'
export { initSync } from './wasm/instance.ts'

/** Settled when the core can be called: at import, for the module comes with the package and nothing is fetched. */
export const ready: Promise<void> = Promise.resolve()
