/**
 * Parses bytes into documents with positions and diagnostics.
 * @module
 */

export { formatPointer, parsePointer } from '../text/members.ts'
export { type ByteRange, Document } from './document.ts'
export { DocumentError } from './error.ts'
export { type FormatOptions, formatJson } from './fmt.ts'
export { formatDiagnostic } from './format.ts'
export { Lines, type Position } from './lines.ts'
export { type ParseOptions as ParseJsonOptions, parse as parseJson } from './parse.ts'
export { read as parse } from './read.ts'
export type { Tape } from './tape.ts'
