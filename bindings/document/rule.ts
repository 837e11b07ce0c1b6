// What a rule is, in every specification: what it demands, why, and the check itself.
import { diagnose } from './diagnose.ts'
import type { Document } from './document.ts'
import type { Diagnostic, Fix, Related, Severity } from './types.ts'

/**
 * Which findings matter: `spec` has the specification's demands only, `recommended` (the default) also advice, `strict`
 * makes errors of what is refused by a careful reader, `security` of what is dangerous.
 */
export const RULESETS = ['spec', 'recommended', 'strict', 'security'] as const

export type Ruleset = (typeof RULESETS)[number]

/** What a rule says, without how it is checked: `explain` shows this. */
export interface RuleInfo {
  /** Stable: `VAL-02`, `HC-05`, else kebab-case. */
  readonly id: string
  /** Stable: `ADL-2002`; `BADL-1xx` where the specification has no code. */
  readonly code: string
  readonly title: string
  /** The section that demands it: `ADL 8.1`. */
  readonly section: string
  readonly severity: Severity
  /** Severities of rulesets in which it has another. */
  readonly rulesets?: Readonly<Partial<Record<Ruleset, Severity | 'off'>>>
  /** What goes wrong when it is broken, in a sentence or two. */
  readonly why: string
  /** The part of a document that breaks it, and the same part mended; JSON or YAML. */
  readonly bad: string
  readonly good: string
}

export interface Remarks {
  readonly related?: readonly Related[]
  /** A function when there are edits to be worked out: findings that are not listed are spared it. */
  readonly fix?: Fix | (() => Fix | undefined)
  /** Marks the name of the member that the pointer names instead of its value. */
  readonly atName?: true
}

/** Reports one finding at the value that a pointer names, or at its innermost parent that is there. */
export type Report = (pointer: string, detail: string, remarks?: Remarks) => void

/** What a check may go by besides the document. */
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
  rule: RuleInfo,
  severity: Severity,
  pointer: string,
  detail: string,
  { related, fix, atName }: Remarks = {},
): Diagnostic {
  const source = document.source(pointer)
  const range = atName === true ? document.range(pointer) : undefined
  const { keyStart: offset = source.offset, keyEnd: endOffset = source.endOffset } = range ?? {}
  const kind = { code: rule.code, rule: rule.id, title: rule.title, spec: rule.section, severity }
  const finding = { pointer, offset, endOffset, detail, related, fix: typeof fix === 'function' ? fix() : fix }
  return diagnose(document.lines, kind, finding, document.file)
}

/** How severe a finding of a rule is: by the ruleset, unless the caller says otherwise for the rule or its code. */
export function severityOf(
  rule: RuleInfo,
  ruleset: Ruleset,
  own: Readonly<Record<string, Severity | 'off'>> = {},
): Severity | 'off' {
  if (Object.hasOwn(own, rule.id)) return own[rule.id]!
  if (Object.hasOwn(own, rule.code)) return own[rule.code]!
  return rule.rulesets?.[ruleset] ?? rule.severity
}
