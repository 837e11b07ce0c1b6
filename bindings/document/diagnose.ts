import type { Lines } from './lines.ts'
import type { Diagnostic, Fix, Related, Severity } from './types.ts'

/** What all findings with one code have in common. */
export interface FindingKind {
  readonly code: string
  readonly rule: string
  readonly title: string
  readonly spec: string
  readonly severity: Severity
}

/** One finding: where it is and what is to be said about it. */
export interface Finding {
  readonly pointer: string
  readonly offset: number
  readonly endOffset: number
  readonly detail: string
  readonly related?: readonly Related[] | undefined
  readonly fix?: Fix | undefined
}

/** The diagnostic of a finding: the only place where offsets become lines and columns. */
export function diagnose(lines: Lines, kind: FindingKind, finding: Finding, file?: string): Diagnostic {
  const { offset, endOffset, pointer, detail, related, fix } = finding
  const from = lines.position(offset)
  const to = lines.position(endOffset)
  return {
    code: kind.code,
    severity: kind.severity,
    title: kind.title,
    detail,
    rule: kind.rule,
    spec: kind.spec,
    source: {
      ...(file !== undefined && { file }),
      pointer,
      offset,
      endOffset,
      line: from.line,
      column: from.column,
      endLine: to.line,
      endColumn: to.column,
    },
    ...(related !== undefined && { related }),
    ...(fix !== undefined && { fix }),
  }
}
