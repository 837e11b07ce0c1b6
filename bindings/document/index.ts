/**
 * Parses bytes into documents with positions and diagnostics.
 * @module
 */

export type { Code, KnownCode } from '../codes.ts'
export { formatPointer, parsePointer } from '../text/pointer.ts'
export { type Difference, type DifferenceKind, firstDifference } from './difference.ts'
export { type ByteRange, Document, type Format } from './document.ts'
export { DocumentError } from './error.ts'
export { type FormatOptions, formatJson } from './fmt.ts'
export { formatDiagnostic, formatPosition } from './format.ts'
export { Lines, type Position } from './lines.ts'
export { type ParseOptions as ParseJsonOptions, type ParseResult, parse as parseJson } from './parse.ts'
export { read as parse } from './read.ts'
export type { ReadOptions as ParseOptions } from './read-format.ts'
export type { Tape } from './tape.ts'
export type { Diagnostic, Edit, Fix, RelatedPlace, Severity, SourceRange } from './types.ts'
