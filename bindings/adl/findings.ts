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

/** Collects what rules find; beyond `most` findings are counted and not kept. */
export class Findings {
  readonly #most: number
  readonly #kept: Finding[] = []
  #more = 0
  #errors = 0

  constructor(most: number) {
    this.#most = most
  }

  get hasErrors(): boolean {
    return this.#errors > 0
  }

  add(rule: RuleInfo, severity: Severity | 'off', pointer: string, detail: string, remarks?: Remarks): void {
    if (severity === 'off') return
    if (severity === 'error') this.#errors++
    if (this.#kept.length < this.#most) this.#kept.push({ rule, severity, pointer, detail, remarks })
    else this.#more++
  }

  /** What a rule reports by. */
  reporter(rule: RuleInfo, severity: Severity): Report {
    return (pointer, detail, remarks) => this.add(rule, severity, pointer, detail, remarks)
  }

  /** In the order of the document. */
  diagnostics(document: Document, before: readonly Diagnostic[]): readonly Diagnostic[] {
    if (this.#kept.length === 0 && this.#more === 0) return before
    const list = this.#kept.map(({ rule, severity, pointer, detail, remarks }) =>
      ruleDiagnostic(document, rule, severity, pointer, detail, remarks),
    )
    list.push(...before)
    list.sort((a, b) => a.source.offset - b.source.offset)
    if (this.#more > 0)
      list.push(ruleDiagnostic(document, MORE_FINDINGS, 'info', '', `${this.#more} more findings are not listed`))
    return list
  }
}
