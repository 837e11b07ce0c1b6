import type { Diagnostic, Severity, SourceRange } from './types.ts'

/** Sets of rules; frame/subject.ts describes them. */
export type Ruleset = 'spec' | 'recommended' | 'strict' | 'security'

/** What all findings with one code and id have in common. findings.yaml of each folder lists its own. */
export interface FindingKind {
  /** Stable: `VAL-02`, `json/duplicate-member`, else kebab-case. */
  readonly id: string
  /** Stable: `ADL-2002`; `BADL-1xx` where the specification has no code. */
  readonly code: string
  readonly title: string
  /** The section that requires it: `ADL 8.1`. */
  readonly section: string
  readonly severity: Severity
  /** The rulesets in which the severity differs. */
  readonly rulesets?: Readonly<Partial<Record<Ruleset, Severity | 'off'>>>
}

/** Used only by `explain` and the page. */
export interface Explanation {
  /** The harm that the fault does, in a sentence or two. */
  readonly why: string
  /** An excerpt that breaks the rule, and the same excerpt corrected: JSON, YAML or words. */
  readonly bad: string
  readonly good: string
}

/** A finding with its explanation: everything that `explain` shows. */
export interface FindingInfo extends FindingKind, Explanation {}

/** Makes a kind of finding, in the short form that findings.ts of each folder uses. */
export function finding(
  id: string,
  code: string,
  title: string,
  section: string,
  severity: Severity = 'error',
  rulesets?: FindingKind['rulesets'],
): FindingKind {
  const kind = { id, code, title, section, severity }
  return rulesets === undefined ? kind : { ...kind, rulesets }
}

/** The ids and codes of findings. */
export const namesOf = (findings: readonly FindingKind[]): readonly string[] =>
  findings.flatMap(({ id, code }) => [id, code])

/** Thrown when a verb cannot process a document. The message is the first diagnostic in one line. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics[0] === undefined ? 'the document has faults' : formatDiagnostic(diagnostics[0]), options)
    this.diagnostics = diagnostics
  }
}

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
