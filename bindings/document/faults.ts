// Turns the core's faults and warnings into diagnostics. The core reports offsets; `locate` finds the places for them.
import { JSON_BOM } from '../wasm/faults.ts'
import { diagnose, diagnoseNowhere, type Finding } from './diagnose.ts'
import type { FindingKind } from './finding.ts'
import { LIMIT_SIZE } from './findings.ts'
import { FAULTS, WARNINGS } from './json-faults.ts'
import { Lines } from './lines.ts'
import { locate } from './locate.ts'
import type { Tape } from './tape.ts'
import type { Diagnostic, Severity } from './types.ts'
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

/** The diagnostic of a document that is refused because of its size. */
export function tooLarge(length: number, most: number, file?: string): Diagnostic {
  return diagnoseNowhere(LIMIT_SIZE, { detail: `expected at most ${most} bytes, found ${length}` }, file)
}

/** The diagnostic of the fault that stopped reading `source`. */
export function faultToDiagnostic(source: Uint8Array | string, fault: FaultLike, file?: string): Diagnostic {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const lines = new Lines(bytes)
  const { kind, finding } = explainFault(bytes, lines, fault)
  return diagnose(lines, kind, finding, file)
}

/** The explanation of a fault in `bytes`. */
export function explainFault(
  bytes: Uint8Array,
  lines: Lines,
  { code, offset, first }: FaultLike,
): { readonly kind: FindingKind; readonly finding: Finding } {
  const row = FAULTS[code]
  if (row === undefined) throw new RangeError(`fault: expected one of reading JSON, got ${code}`)
  const place = locate(bytes, offset)
  const { start, end, ...words } = row.explain({ bytes, lines, offset, first, place })
  return { kind: row, finding: { pointer: place.pointer, offset: start, endOffset: end, ...words } }
}

/** The diagnostic of a byte order mark, which the reader refuses or ignores. */
export function markDiagnostic(lines: Lines, severity: Severity, file?: string): Diagnostic {
  const row = FAULTS[JSON_BOM]!
  const detail =
    severity === 'error'
      ? 'the document begins with a byte order mark'
      : 'the document begins with a byte order mark, which was left out of account'
  const fix = { hint: 'save the document without it', edits: [{ offset: 0, endOffset: 3, text: '' }] }
  return diagnose(lines, { ...row, severity }, { pointer: '', offset: 0, endOffset: 3, detail, fix }, file)
}

/** The diagnostic of something that the reader accepted with a warning. */
export function warningToDiagnostic(lines: Lines, tape: Tape, warning: WarningLike, file?: string): Diagnostic {
  const row = WARNINGS[warning.code]
  if (row === undefined) throw new RangeError(`warning: expected one of reading JSON, got ${warning.code}`)
  const entry = tape.entryAt(warning.offset)
  const words = row.explain(quote(tape.bytes, tape.start(entry), tape.end(entry)))
  const finding = { pointer: tape.pointerOf(entry), offset: tape.placeStart(entry), endOffset: tape.placeEnd(entry) }
  return diagnose(lines, row, { ...finding, ...words }, file)
}
