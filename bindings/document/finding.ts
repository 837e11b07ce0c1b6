import type { Code } from '../codes.ts'
import type { Severity } from './types.ts'

/** What all findings with one code and id have in common. */
export interface FindingKind {
  /** Stable: `VAL-02`, `json/duplicate-member`, else kebab-case. */
  readonly id: string
  /** Stable: `ADL-2002`; `BADL-1xx` where the specification has no code. */
  readonly code: Code
  readonly title: string
  /** The section that requires it: `ADL 8.1`. */
  readonly section: string
  readonly severity: Severity
}

/**
 * Used only by `explain`. In a build, the catalogue has the explanations and the rules go without:
 * scripts/explanations.mjs.
 */
export interface Explanation {
  /** The harm that the fault does, in a sentence or two. */
  readonly why: string
  /** An excerpt that breaks the rule, and the same excerpt corrected: JSON, YAML or words. */
  readonly bad: string
  readonly good: string
}

/** A finding with its explanation: everything that `explain` shows. */
export interface FindingInfo extends FindingKind, Explanation {}

/** By code. Kept apart from the kinds, so that programs that only read documents do not load them. */
export type Explanations = Readonly<Record<string, Explanation>>

/** Kinds with their explanations. */
export function explained(kinds: readonly FindingKind[], explanations: Explanations): readonly FindingInfo[] {
  return kinds.map(({ id, code, title, section, severity }) => {
    return { id, code, title, section, severity, ...explanations[code]! }
  })
}
