import type { Diagnostic } from '../document/types.ts'
import type { Conformance } from './conformance.ts'

/** `unknown`: the check could not be completed. `skipped`: not requested. */
export type StepOutcome = 'passed' | 'failed' | 'warning' | 'skipped' | 'unknown'

/** One check: text for people, members for programs. */
export interface Step {
  /** Stable: `signature`. */
  readonly name: string
  readonly title: string
  readonly outcome: StepOutcome
  /** The result in one line. */
  readonly detail: string
  /** The section that requires the check. */
  readonly spec: string
  /** The finding of this step, with its place in the document. */
  readonly diagnostic?: Diagnostic
  /** The result for programs: steps of one name always have the same members. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** `unverifiable`: no check failed, but at least one could not be completed. Trust only `verified`. */
export type Verdict = 'verified' | 'failed' | 'unverifiable'

/** The result of a verification: every step in the order it ran. */
export interface Proof {
  readonly verdict: Verdict
  readonly steps: readonly Step[]
  /** What follows from it, and what does not, in words. */
  readonly shows?: readonly string[]
  readonly doesNotShow?: readonly string[]
  /** For specifications with levels of conformance: the level that is shown, and what is missing for the next one. */
  readonly conformance?: Conformance
}
