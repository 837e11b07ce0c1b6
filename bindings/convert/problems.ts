// The findings of conversions, in addition to those of reading.
import type { FindingKind } from '../document/finding.ts'

/** A fault of one conversion. */
export interface Problem {
  readonly rule: FindingKind
  /** JSON Pointer into the source document. */
  readonly pointer: string
  readonly detail: string
}

/** Collects the problems of a conversion. */
export class Problems {
  readonly found: Problem[] = []

  get fatal(): boolean {
    return this.found.some(({ rule }) => rule.severity === 'error')
  }

  report(rule: FindingKind, pointer: string, detail: string): void {
    this.found.push({ rule, pointer, detail })
  }
}
