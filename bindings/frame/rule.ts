// A rule of any specification: its demand, the reason for it, and the check itself.
import { diagnose } from '../document/diagnose.ts'
import type { Document } from '../document/document.ts'
import type { Explanation, FindingKind } from '../document/finding.ts'
import type { Diagnostic, Fix, Related, Severity } from '../document/types.ts'

/**
 * A choice of findings: `spec` has the specification's demands only, `recommended` (the default) also advice; `strict` makes
 * errors of everything that a careful reader refuses, `security` of everything dangerous.
 */
export const RULESETS = ['spec', 'recommended', 'strict', 'security'] as const

export type Ruleset = (typeof RULESETS)[number]

/** A row about a finding whose severity is for a ruleset to say. */
export interface RuleKind extends FindingKind {
  /** Severities of rulesets in which it has another. */
  readonly rulesets?: Readonly<Partial<Record<Ruleset, Severity | 'off'>>>
}

export interface RuleInfo extends RuleKind, Explanation {}

export interface Remarks {
  readonly related?: readonly Related[]
  /** A function when there are edits to be worked out: findings that are not listed are spared it. */
  readonly fix?: Fix | (() => Fix | undefined)
  /** Marks the name of the member that the pointer names instead of its value. */
  readonly atName?: true
}

/** Reports one finding at the value that a pointer names, or at its innermost parent that is there. */
export type Report = (pointer: string, detail: string, remarks?: Remarks) => void

/** The facts besides the document that a check may go by. */
export interface RuleContext {
  /** The time that dates are judged by. */
  readonly now: Date
  /** Schemes of URIs, in small letters, that the deployment allows beside those that every document may have. */
  readonly allowSchemes?: readonly string[]
}

export interface Rule<Subject> extends RuleInfo {
  check(subject: Subject, report: Report, context: RuleContext): void
}

/** The diagnostic of a finding of a rule. */
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

/** The findings of one rule by itself, as errors: for verbs that refuse by it without checking the document. */
export function refusalsBy<Subject extends { readonly document: Document }>(
  rule: Rule<Subject>,
  subject: Subject,
): Diagnostic[] {
  const found: Diagnostic[] = []
  const report: Report = (...finding) => found.push(ruleDiagnostic(subject.document, rule, 'error', ...finding))
  rule.check(subject, report, { now: new Date(0) })
  return found
}

/** The severity of a rule's findings: by the ruleset, unless the caller sets another for the rule or its code. */
export function severityOf(
  rule: Pick<RuleKind, 'id' | 'code' | 'severity' | 'rulesets'>,
  ruleset: Ruleset,
  own: Readonly<Record<string, Severity | 'off'>> = {},
): Severity | 'off' {
  if (Object.hasOwn(own, rule.id)) return own[rule.id]!
  if (Object.hasOwn(own, rule.code)) return own[rule.code]!
  return rule.rulesets?.[ruleset] ?? rule.severity
}
