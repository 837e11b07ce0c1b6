import type { Code } from '../codes.ts'
import type { Severity } from './types.ts'

/** The members of a diagnostic that all findings with one code and id have in common. */
export interface FindingKind {
  /** Stable: `VAL-02`, `json/duplicate-member`, else kebab-case. */
  readonly id: string
  /** Stable: `ADL-2002`; `BADL-1xx` where the specification has no code. */
  readonly code: Code
  readonly title: string
  /** The section that demands it: `ADL 8.1`. */
  readonly section: string
  readonly severity: Severity
}

/** Read by `explain` alone. What is built has it in the catalogue, and the rows of rules without it: scripts/explanations.mjs. */
export interface Explanation {
  /** The harm that it does, in a sentence or two. */
  readonly why: string
  /** The part of a document that breaks it, and the same part mended; JSON, YAML or words. */
  readonly bad: string
  readonly good: string
}

/** A row about a finding: `explain` shows all of it. */
export interface FindingInfo extends FindingKind, Explanation {}

/** By code. Readers have the kinds alone; nobody who only reads pays for these. */
export type Explanations = Readonly<Record<string, Explanation>>

/** Kinds with their explanations. */
export function explained(kinds: readonly FindingKind[], explanations: Explanations): readonly FindingInfo[] {
  return kinds.map(({ id, code, title, section, severity }) => {
    return { id, code, title, section, severity, ...explanations[code]! }
  })
}
