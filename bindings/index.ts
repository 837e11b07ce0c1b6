/**
 * The verbs that most programs need.
 * @module
 */

export { convert } from './convert/convert.ts'
export type { LossReport } from './convert/formats.ts'
export { canonicalize } from './core/json.ts'
export { render } from './core/template.ts'
export { canonicalizeValue } from './core/value.ts'
export { DocumentError } from './document/finding.ts'
export { Document, type Format, type ParseResult } from './document/parse.ts'
export { read as parse } from './document/read.ts'
export type { Diagnostic, Files, Fix, Severity, SourceRange } from './document/types.ts'
export { detectKind } from './frame/detect.ts'
export { NeedError, needsOf } from './frame/needs.ts'
export type { Proof, SignResult, Source, Step, ValidationReport, Verdict } from './frame/source.ts'
export type { KeySource } from './keys/read.ts'
export type { Kind } from './kinds.ts'
export { sign } from './sign.ts'
export { KINDS } from './tables/kinds.ts'
export type { JsonObject } from './text/members.ts'
export { open, validate } from './verbs.ts'
export { verify } from './verify.ts'
export { initSync } from './wasm/instance.ts'
