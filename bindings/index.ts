/**
 * The verbs that most programs need.
 * @module
 */

export { convert } from './convert/convert.ts'
export type { ConversionResult, ConvertOptions, LossReport, LossRow } from './convert/formats.ts'
export { canonicalize } from './core/json.ts'
export { render } from './core/template.ts'
export { canonicalizeValue } from './core/value.ts'
export { DocumentError } from './document/finding.ts'
export type { ParseResult } from './document/parse.ts'
export { Document, type Format } from './document/parse.ts'
export type { ReadOptions as ParseOptions } from './document/read.ts'
export { read as parse } from './document/read.ts'
export type { Diagnostic, Edit, Files, Fix, RelatedPlace, Severity, SourceRange } from './document/types.ts'
export { detectKind } from './frame/detect.ts'
export { type Given, NeedError, needsOf } from './frame/needs.ts'
export type { OpenOptions, OpenResult } from './frame/open.ts'
export type {
  Expectation,
  Proof,
  SignResult,
  Source,
  Step,
  StepOutcome,
  ValidationReport,
  Verdict,
} from './frame/source.ts'
export type { KeySource } from './keys/read.ts'
export type { Bounds, Kind } from './kinds.ts'
export { type SignOptions, sign } from './sign.ts'
export { KINDS } from './tables/kinds.ts'
export type { JsonObject } from './text/members.ts'
export type { ValidateOptions } from './verbs.ts'
export { open, validate } from './verbs.ts'
export { type VerifyOptions, verify } from './verify.ts'
export { initSync } from './wasm/instance.ts'
