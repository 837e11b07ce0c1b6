// Faults and warnings of the core as diagnostics. Offsets come from the core; `locate` finds out what they are offsets of.
import { diagnose, type FindingKind } from './diagnose.ts'
import { FAULTS, WARNINGS } from './json-faults.ts'
import { Lines } from './lines.ts'
import { locate } from './locate.ts'
import type { Tape } from './tape.ts'
import type { Diagnostic } from './types.ts'
import { quote } from './wording.ts'

/** A fault as bindings/wasm/json.ts reports it. */
export interface FaultLike {
  readonly code: number
  readonly offset: number
  readonly first: number
}

/** A warning as bindings/wasm/json.ts reports it. */
export interface WarningLike {
  readonly code: number
  readonly offset: number
}

/** A document that is refused unread because of its size. */
export const TOO_LARGE: FindingKind = {
  code: 'DOC-114',
  rule: 'limit/size',
  title: 'Document too large',
  spec: 'RFC 8259 section 9',
  severity: 'error',
}

/** The diagnostic of a fault that reading `source` ended with. */
export function faultToDiagnostic(source: Uint8Array | string, fault: FaultLike, file?: string): Diagnostic {
  const row = FAULTS[fault.code]
  if (row === undefined) throw new RangeError(`fault: expected one of reading JSON, got ${fault.code}`)
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const lines = new Lines(bytes)
  const { offset, first } = fault
  const place = locate(bytes, offset)
  const { start, end, ...words } = row.explain({ bytes, lines, offset, first, place })
  const finding = { pointer: place.pointer, offset: start, endOffset: end, ...words }
  return diagnose(lines, { ...row, severity: 'error' }, finding, file)
}

/** The diagnostic of something that reading let pass. */
export function warningToDiagnostic(lines: Lines, tape: Tape, warning: WarningLike, file?: string): Diagnostic {
  const row = WARNINGS[warning.code]
  if (row === undefined) throw new RangeError(`warning: expected one of reading JSON, got ${warning.code}`)
  const { offset } = warning
  const endOffset = tape.end(tape.entryAt(offset))
  const pointer = tape.pointerAt(offset)
  const words = row.explain(quote(lines.bytes, offset, endOffset))
  return diagnose(lines, { ...row, severity: 'warning' }, { pointer, offset, endOffset, ...words }, file)
}
