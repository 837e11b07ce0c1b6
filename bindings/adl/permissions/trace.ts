/** One check that was made for a decision. */
export interface DecisionStep {
  readonly outcome: 'passed' | 'failed'
  /** The section that requires the check: `ADL 9.2`. */
  readonly section: string
  /** The result of this step, in one sentence. */
  readonly detail: string
  /** The value in the document that was compared; absent if the document has none. */
  readonly pointer?: string
}

/**
 * A duty of the caller, without which a decision does not hold:
 * - `check-address`: ask again with the address that the name resolved to, before connecting.
 * - `resolve-command`: the program was granted by its name; run it only if that name resolves to the requested path.
 * - `resolve-short-names`: ask with the long form of a path that may contain 8.3 names.
 */
export type Obligation = 'check-address' | 'resolve-command' | 'resolve-short-names'

/** Records the steps of a decision. `allows` passes no trace, so every call uses `?.`. */
export class Trace {
  readonly steps: DecisionStep[] = []
  readonly obligations: Obligation[] = []
  reason = ''
  decidedBy: string | undefined

  /** Records a check that denies nothing. */
  passed(section: string, detail: string, pointer?: string): void {
    this.steps.push({ outcome: 'passed', section, detail, ...(pointer !== undefined && { pointer }) })
  }

  /** Records a grant, which decides unless something else denies the request. */
  granted(section: string, detail: string, pointer: string): void {
    this.passed(section, detail, pointer)
    this.reason = detail
    this.decidedBy = pointer
  }

  /** Records the final denial. */
  denied(section: string, detail: string, pointer?: string): void {
    this.steps.push({ outcome: 'failed', section, detail, ...(pointer !== undefined && { pointer }) })
    this.reason = detail
    this.decidedBy = pointer
  }

  oblige(obligation: Obligation): void {
    this.obligations.push(obligation)
  }
}
