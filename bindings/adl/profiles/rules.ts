// The rules that apply to every profile.
import type { FindingKind } from '../../document/finding.ts'
import * as FINDINGS from './findings.ts'
import type { ProfileRule } from './profile.ts'

/** The checks of rules, by rule id. */
export type Checks = Readonly<Record<string, NonNullable<ProfileRule['check']>>>

/** Adds checks to rules, in addition to what `members` check. */
export function withChecks(rules: readonly FindingKind[], checks: Checks): readonly ProfileRule[] {
  return rules.map((rule) => (Object.hasOwn(checks, rule.id) ? { ...rule, check: checks[rule.id]! } : rule))
}

/** The rules about profiles, in addition to those of each profile. */
export const PROFILE_RULES: readonly FindingKind[] = [
  FINDINGS.PROFILE_MEMBER,
  FINDINGS.UNKNOWN_PROFILE,
  FINDINGS.DUPLICATE_PROFILE,
  FINDINGS.DEPRECATED_PROFILE,
  FINDINGS.INCOMPATIBLE_PROFILE,
]
