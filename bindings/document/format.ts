import type { Diagnostic, SourceRange } from './types.ts'

/**
 * The place of a diagnostic, in the form that terminals and editors turn into a link.
 *
 * @example
 * formatPosition(diagnostic.source) // 'agent.json:3:5'
 */
export function formatPosition(source: SourceRange): string {
  return `${source.file === undefined ? '' : `${source.file}:`}${source.line}:${source.column}`
}

/**
 * A diagnostic in one line.
 *
 * @example
 * formatDiagnostic(diagnostic) // 'agent.json:3:5: error DOC-107: "name" is already a member of this object'
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { code, severity, detail, source } = diagnostic
  return `${formatPosition(source)}: ${severity} ${code}: ${detail}`
}

/** The reason that a document could not be read, in one sentence. */
export function whyUnreadable(diagnostics: readonly Diagnostic[]): string {
  return formatDiagnostic(diagnostics.find(({ severity }) => severity === 'error')!)
}
