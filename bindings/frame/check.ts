// Checking a document by the rules of its specification: the same way for every kind.

import type { FindingKind } from '../document/finding.ts'
import { withoutEdits } from '../document/fixes.ts'
import type { Document, ParseResult } from '../document/parse.ts'
import type { Diagnostic, Severity } from '../document/types.ts'
import type { Kind } from '../kinds.ts'
import { explain, type Listener } from './explain.ts'
import { LIMIT_DIAGNOSTICS } from './findings.ts'
import { type ActiveRules, activeRules, type RuleSettings } from './rule-settings.ts'
import { hasShape } from './shape.ts'
import type { ValidationReport } from './source.ts'
import type { Specification } from './specification.ts'
import { otherRoots, type Remarks, type Report, type RuleContext, ruleDiagnostic, severityOf, told } from './subject.ts'
import type { Conformance } from './verbs.ts'

/** Checks a parsed document, or reports why reading it failed. */
export function check<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  { document, diagnostics }: ParseResult,
  settings: Settings,
): ValidationReport {
  const before = told(specification, diagnostics)
  if (document === undefined) return report(specification.kind, before)
  const findings = new Findings(settings.maxDiagnostics)
  const others = otherRoots(specification, document)
  for (const pointer of others) findings.add(specification.rootObject, 'error', pointer, 'Expected a JSON object')
  const subject = others.length === 0 ? specification.subject(document) : undefined
  if (subject !== undefined) checkSubject(specification, document, subject, findings, settings)
  const found = findings.diagnostics(document, before)
  const editable = specification.isEditable?.(document) ?? true
  const conformance = subject && specification.conformance?.(subject)
  return report(specification.kind, editable ? found : found.map(withoutEdits), conformance)
}

function report(kind: Kind, diagnostics: readonly Diagnostic[], conformance?: Conformance): ValidationReport {
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  return conformance === undefined ? { valid, kind, diagnostics } : { valid, kind, diagnostics, conformance }
}

/** Checks a document, or a part of one that has a specification of its own. */
export function checkSubject<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  document: Document,
  subject: Subject,
  findings: Findings,
  settings: Settings,
): void {
  if (!(specification.gate?.(subject, findings, settings) ?? true)) return
  checkShapes(specification, document, subject, findings, settings)
  specification.check?.(subject, findings, settings)
  findings.judge(activeRules(specification.rules, settings), subject, settings)
}

/** Validates the document's parts against their shapes; creates the listener only when a part has a fault. */
function checkShapes<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  document: Document,
  subject: Subject,
  findings: Findings,
  settings: Settings,
): void {
  const { words } = specification
  let listener: Listener | undefined
  for (const { shape, value, pointer } of specification.shapes(subject)) {
    if (hasShape(shape, value, words.isExtension)) continue
    listener ??= {
      fault: (rule, at, detail, remarks) =>
        findings.add(rule, severityOf(rule, settings.ruleset, settings.rules), at, detail, remarks),
      undefinedMember() {},
      ...specification.listener?.(subject, findings, settings),
    }
    explain({ document, words, listener }, shape, value, pointer)
  }
}

/** A finding; its place is looked up only if it is listed. */
interface Finding {
  readonly rule: FindingKind
  readonly severity: Severity
  readonly pointer: string
  readonly detail: string
  readonly remarks: Remarks | undefined
}

/** Collects findings. Keeps at most `most`, errors first, and counts the rest. */
export class Findings {
  readonly #most: number
  readonly #errors: (Finding | Diagnostic)[] = []
  readonly #others: (Finding | Diagnostic)[] = []
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get hasErrors(): boolean {
    return this.#errors.length > 0
  }

  add(rule: FindingKind, severity: Severity | 'off', pointer: string, detail: string, remarks?: Remarks): void {
    if (severity !== 'off') this.#keep({ rule, severity, pointer, detail, remarks })
  }

  /** Adds the findings of another document of the folder. */
  take(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.#keep(diagnostic)
  }

  #keep(finding: Finding | Diagnostic): void {
    this.#count++
    const list = finding.severity === 'error' ? this.#errors : this.#others
    if (list.length < this.#most) list.push(finding)
  }

  /** Runs rules on their subject. */
  judge<Subject>(rules: ActiveRules<Subject>, subject: Subject, context: RuleContext): void {
    let at = 0
    const report: Report = (...finding) => this.add(...rules[at]!, ...finding)
    for (; at < rules.length; at++) rules[at]![0].check(subject, report, context)
  }

  /** All findings in document order, together with the reader's. */
  diagnostics(document: Document, before: readonly Diagnostic[]): readonly Diagnostic[] {
    if (this.#count === 0) return before
    const kept = [...this.#errors, ...this.#others].slice(0, this.#most)
    const list = kept.map((finding) => {
      if ('code' in finding) return finding
      const { rule, severity, pointer, detail, remarks } = finding
      return ruleDiagnostic(remarks?.in ?? document, rule, severity, pointer, detail, remarks)
    })
    for (const one of before) list.push(one)
    list.sort((a, b) => byFile(document, a, b) || a.source.offset - b.source.offset)
    const more = this.#count - kept.length
    if (more > 0)
      list.push(ruleDiagnostic(document, LIMIT_DIAGNOSTICS, 'info', '', `${more} more findings are not listed`))
    return list
  }
}

/** The document comes before the other files of its folder, which are in the order of their names. */
function byFile({ file }: Document, a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.source.file, b.source.file]
  if (one === other) return 0
  return one === file || (other !== file && one! < other!) ? -1 : 1
}
