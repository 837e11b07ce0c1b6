/** One thing that was checked on the way to a decision. */
export interface DecisionStep {
  readonly outcome: 'passed' | 'failed'
  /** The section that demands the check: `ADL 9.2`. */
  readonly section: string
  /** The finding of this step, in one sentence. */
  readonly detail: string
  /** The value in the document that it was held against; absent where the document has none. */
  readonly pointer?: string
}

/**
 * A duty that remains for the caller, for a decision to hold: `check-address`: ask again with the address that the name is
 * resolved to, before connecting. `resolve-command`: the program was granted by its name; run it only when the name stands
 * for this path. `resolve-short-names`: ask with the long form of a path that may hold 8.3 names.
 */
export type Obligation = 'check-address' | 'resolve-command' | 'resolve-short-names'

/** Takes down what a decision is made of. Deciding alone goes without: every call is behind a `?.`. */
export class Trace {
  readonly steps: DecisionStep[] = []
  readonly obligations: Obligation[] = []
  reason = ''
  decidedBy: string | undefined

  /** Checked, and no obstacle. */
  passed(section: string, detail: string, pointer?: string): void {
    this.steps.push({ outcome: 'passed', section, detail, ...(pointer !== undefined && { pointer }) })
  }

  /** Notes a grant, which decides unless something else denies. */
  granted(section: string, detail: string, pointer: string): void {
    this.passed(section, detail, pointer)
    this.reason = detail
    this.decidedBy = pointer
  }

  /** The end: denied. */
  denied(section: string, detail: string, pointer?: string): void {
    this.steps.push({ outcome: 'failed', section, detail, ...(pointer !== undefined && { pointer }) })
    this.reason = detail
    this.decidedBy = pointer
  }

  oblige(obligation: Obligation): void {
    this.obligations.push(obligation)
  }
}
