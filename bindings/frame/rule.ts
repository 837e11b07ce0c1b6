// A rule of a specification: what it requires, why, and the check itself.
import { diagnose } from '../document/diagnose.ts'
import type { FindingKind, Ruleset } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic, Fix, RelatedPlace, Severity } from '../document/types.ts'

/**
 * Sets of rules:
 * - `spec`: only what the specification requires.
 * - `recommended` (default): advice as well.
 * - `strict`: everything that a careful reader refuses is an error.
 * - `security`: everything dangerous is an error.
 */
export const RULESETS = ['spec', 'recommended', 'strict', 'security'] as const satisfies readonly Ruleset[]

export interface Remarks {
  readonly related?: readonly RelatedPlace[]
  /** A function when the edits take work: it is called only for findings that are listed. */
  readonly fix?: Fix | (() => Fix | undefined)
  /** Marks the member's name instead of its value. */
  readonly atName?: true
  /** Another document of the folder, which has the place. */
  readonly in?: Document
}

/** Reports one finding at the value that a pointer names, or at its innermost existing parent. */
export type Report = (pointer: string, detail: string, remarks?: Remarks) => void

/** What a check may use in addition to the document. */
export interface RuleContext {
  /** The current time, for judging dates. */
  readonly now: Date
  /** Lower-case URI schemes that the deployment allows in addition to the usual ones. */
  readonly allowSchemes?: readonly string[]
}

export interface Rule<Subject> extends FindingKind {
  check(subject: Subject, report: Report, context: RuleContext): void
}

/** Makes the diagnostic for a finding of a rule. */
export function ruleDiagnostic(
  document: Document,
  rule: FindingKind,
  severity: Severity,
  pointer: string,
  detail: string,
  { related, fix, atName }: Remarks = {},
): Diagnostic {
  const { start, end, keyStart, keyEnd } = document.nearest(pointer)
  const [offset, endOffset] = atName === true && keyStart !== undefined ? [keyStart, keyEnd!] : [start, end]
  const finding = { pointer, offset, endOffset, detail, related, fix: typeof fix === 'function' ? fix() : fix }
  return diagnose(document.lines, { ...rule, severity }, finding, document.file)
}

/** The findings of a single rule, as errors: for verbs that refuse a document by one rule without checking the rest. */
export function refusalsBy<Subject extends { readonly document: Document }>(
  rule: Rule<Subject>,
  subject: Subject,
): Diagnostic[] {
  const found: Diagnostic[] = []
  const report: Report = (...finding) => found.push(ruleDiagnostic(subject.document, rule, 'error', ...finding))
  rule.check(subject, report, { now: new Date(0) })
  return found
}

/** The severity of a rule: from the caller's setting for its id or code, else from the ruleset. */
export function severityOf(
  rule: Pick<FindingKind, 'id' | 'code' | 'severity' | 'rulesets'>,
  ruleset: Ruleset,
  own: Readonly<Record<string, Severity | 'off'>> = {},
): Severity | 'off' {
  if (Object.hasOwn(own, rule.id)) return own[rule.id]!
  if (Object.hasOwn(own, rule.code)) return own[rule.code]!
  return rule.rulesets?.[ruleset] ?? rule.severity
}
