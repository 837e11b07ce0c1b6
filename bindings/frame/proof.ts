import type { Diagnostic } from '../document/types.ts'

/** `unknown`: it could not be found out. `skipped`: nothing asked for it. */
export type StepOutcome = 'passed' | 'failed' | 'warning' | 'skipped' | 'unknown'

/** One thing that was checked, in words for people and members for programs. */
export interface Step {
  /** Stable: `signature`. */
  readonly name: string
  readonly title: string
  readonly outcome: StepOutcome
  /** The finding, in one line. */
  readonly detail: string
  /** The section that asks for it. */
  readonly spec: string
  /** The finding that the step makes, with its place in the document. */
  readonly diagnostic?: Diagnostic
  /** The finding, for programs: every step of a name has the same members. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** `unverifiable`: nothing speaks against it, but it could not be shown. Only `verified` is a reason for trust. */
export type Verdict = 'verified' | 'failed' | 'unverifiable'

/** The account of a verification: every step in the order in which it was taken. */
export interface Proof {
  readonly verdict: Verdict
  readonly steps: readonly Step[]
}
