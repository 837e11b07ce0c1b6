/**
 * Parses bytes into documents with positions and diagnostics.
 * @module
 */

export { formatPointer, parsePointer } from '../text/members.ts'
export { Lines, type Position } from './diagnose.ts'
export { DocumentError, formatDiagnostic } from './finding.ts'
export { formatJson } from './fmt.ts'
export { Document, parse as parseJson } from './parse.ts'
export { read as parse } from './read.ts'
export type { Tape } from './tape.ts'
