import type { FindingKind } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic, Severity } from '../document/types.ts'
import { LIMIT_DIAGNOSTICS } from './findings.ts'
import type { ActiveRules } from './rule-settings.ts'
import { findingAt, type Remarks, type Report, type RuleContext, ruleDiagnostic } from './subject.ts'

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
    const report: Report = (pointer, detail, remarks) => {
      const [rule, severity] = rules[at]!
      this.add(rule, severity, pointer, detail, remarks)
    }
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
    if (more > 0) list.push(findingAt(document, LIMIT_DIAGNOSTICS, '', `${more} more findings are not listed`))
    return list
  }
}

/** The document comes before the other files of its folder, which are in the order of their names. */
function byFile({ file }: Document, a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.source.file, b.source.file]
  if (one === other) return 0
  return one === file || (other !== file && one! < other!) ? -1 : 1
}
