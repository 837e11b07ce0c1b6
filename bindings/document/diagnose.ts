import type { FindingKind } from './finding.ts'
import { Lines } from './lines.ts'
import type { SourceLine } from './split-lines.ts'
import type { Diagnostic, Fix, RelatedPlace, SourceRange } from './types.ts'

/** The place and the words of one finding. */
export interface Finding {
  readonly pointer: string
  readonly offset: number
  readonly endOffset: number
  readonly detail: string
  readonly related?: readonly RelatedPlace[] | undefined
  readonly fix?: Fix | undefined
}

/** The range between two offsets, with lines and columns. This is the only place that converts offsets. */
export function rangeOf(lines: Lines, pointer: string, offset: number, endOffset: number, file?: string): SourceRange {
  const { line, column } = lines.position(offset)
  const { line: endLine, column: endColumn } = lines.position(endOffset)
  const range = { pointer, offset, endOffset, line, column, endLine, endColumn }
  // In this order: V8 takes microseconds to add a member to an object that was spread into.
  return file === undefined ? range : { file, ...range }
}

const NOWHERE = new Lines(new Uint8Array(0))

/** The diagnostic for a finding without a place in a text: about an address, a name, a value, or an unread source. */
export function diagnoseNowhere(
  kind: FindingKind,
  finding: Pick<Finding, 'detail'> & Partial<Finding>,
  file?: string,
): Diagnostic {
  return diagnose(NOWHERE, kind, { pointer: '', offset: 0, endOffset: 0, ...finding }, file)
}

/** The diagnostic for a whole line of a source that has a document in each line. */
export function diagnoseLine(
  { number, offset }: SourceLine,
  kind: FindingKind,
  detail: string,
  file: string,
): Diagnostic {
  const { source, ...rest } = diagnoseNowhere(kind, { detail, offset, endOffset: offset + 1 }, file)
  return { ...rest, source: { ...source, offset, endOffset: offset + 1, line: number, endLine: number, endColumn: 2 } }
}

/** The diagnostic of a finding. */
export function diagnose(lines: Lines, kind: FindingKind, finding: Finding, file?: string): Diagnostic {
  const { offset, endOffset, pointer, detail, related, fix } = finding
  return {
    code: kind.code,
    severity: kind.severity,
    title: kind.title,
    detail,
    rule: kind.id,
    spec: kind.section,
    source: rangeOf(lines, pointer, offset, endOffset, file),
    ...(related !== undefined && { related }),
    ...(fix !== undefined && { fix }),
  }
}
