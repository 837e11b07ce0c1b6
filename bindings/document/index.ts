/**
 * Bytes to documents with positions and diagnostics.
 * @module
 */
export { type Difference, type DifferenceKind, firstDifference } from './difference.ts'
export { type ByteRange, Document } from './document.ts'
export { DocumentError } from './error.ts'
export { formatDiagnostic, formatPosition } from './format.ts'
export { Lines, type Position } from './lines.ts'
export { type Parsed, type ParseOptions, parse } from './parse.ts'
export { formatPointer, parsePointer } from './pointer.ts'
export type { Proof, Step, StepOutcome, Verdict } from './proof.ts'
export type { Diagnostic, Edit, Fix, Related, Severity, SourceRange } from './types.ts'
