import type { Document } from '../document/document.ts'
import { type Remarks, type Report, type RuleInfo, ruleDiagnostic } from '../document/rule.ts'
import type { Diagnostic, Severity } from '../document/types.ts'
import { MORE_FINDINGS } from './rules/document.ts'

interface Finding {
  readonly rule: RuleInfo
  readonly severity: Severity
  readonly pointer: string
  readonly detail: string
  readonly remarks: Remarks | undefined
}

/** Collects what rules find. Of more than `most` findings errors are kept before others; the rest is counted. */
export class Findings {
  readonly #most: number
  readonly #errors: Finding[] = []
  readonly #others: Finding[] = []
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  get hasErrors(): boolean {
    return this.#errors.length > 0
  }

  add(rule: RuleInfo, severity: Severity | 'off', pointer: string, detail: string, remarks?: Remarks): void {
    if (severity === 'off') return
    this.#count++
    const list = severity === 'error' ? this.#errors : this.#others
    if (list.length < this.#most) list.push({ rule, severity, pointer, detail, remarks })
  }

  /** What a rule reports by. */
  reporter(rule: RuleInfo, severity: Severity): Report {
    return (pointer, detail, remarks) => this.add(rule, severity, pointer, detail, remarks)
  }

  /** In the order of the document, with those that reading it gave. */
  diagnostics(document: Document, before: readonly Diagnostic[]): readonly Diagnostic[] {
    if (this.#count === 0) return before
    const kept = [...this.#errors, ...this.#others].slice(0, this.#most)
    const list = kept.map(({ rule, severity, pointer, detail, remarks }) =>
      ruleDiagnostic(document, rule, severity, pointer, detail, remarks),
    )
    list.push(...before)
    list.sort((a, b) => a.source.offset - b.source.offset)
    const more = this.#count - kept.length
    if (more > 0) list.push(ruleDiagnostic(document, MORE_FINDINGS, 'info', '', `${more} more findings are not listed`))
    return list
  }
}
