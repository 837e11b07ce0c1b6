/**
 * Bytes to documents with positions and diagnostics.
 * @module
 */
export { type Difference, type DifferenceKind, firstDifference } from './difference.ts'
export { type ByteRange, Document, type Format } from './document.ts'
export { DocumentError } from './error.ts'
export { type FormatOptions, formatJson } from './fmt.ts'
export { formatDiagnostic, formatPosition } from './format.ts'
export { detectKind } from './kind.ts'
export { Lines, type Position } from './lines.ts'
export { type Parsed, type ParseOptions, parse } from './parse.ts'
export { formatPointer, parsePointer } from './pointer.ts'
export type { Proof, Step, StepOutcome, Verdict } from './proof.ts'
export type { Kind } from './report.ts'
export type { Diagnostic, Edit, Fix, Related, Severity, SourceRange } from './types.ts'
