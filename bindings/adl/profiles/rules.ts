// The rules that apply to every profile.
import type { RuleInfo } from '../../frame/rule.ts'
import type { ProfileRule } from './profile.ts'

const TITLE = 'Profile requirements not satisfied'

type Own = Pick<RuleInfo, 'id' | 'why' | 'bad' | 'good'>

/** Makes the rules of one profile. Its sections are named like the rules. */
export function profileRule(section: string) {
  return (own: Own): RuleInfo => ({
    ...own,
    code: 'ADL-3001',
    title: TITLE,
    section: `${section} ${own.id}`,
    severity: 'error',
  })
}

/** The checks of rules, by rule id. */
export type Checks = Readonly<Record<string, NonNullable<ProfileRule['check']>>>

/** Adds checks to rules, in addition to what `members` check. */
export function withChecks(rules: readonly RuleInfo[], checks: Checks): readonly ProfileRule[] {
  return rules.map((rule) => (Object.hasOwn(checks, rule.id) ? { ...rule, check: checks[rule.id]! } : rule))
}

/** A recommendation of a profile. The specification has no code for it, since ADL-3001 is an error. */
export function profileAdvice(section: string) {
  return (own: Own): RuleInfo => ({
    ...own,
    code: 'BADL-150',
    title: 'Profile recommendation not followed',
    section: `${section} ${own.id}`,
    severity: 'warning',
    rulesets: { spec: 'off' },
  })
}

/** The schema of a member that a profile adds, if the profile has no rule of its own for it. */
export const PROFILE_MEMBER: RuleInfo = {
  id: 'profile-member',
  code: 'ADL-3001',
  title: 'Invalid member of a profile',
  section: 'ADL 13',
  severity: 'error',
  why: 'A declared profile defines the types of the members that it adds; who reads them relies on that.',
  bad: '{"profiles": ["governance"], "governance": {"audit_trail": {"enabled": "yes"}}}',
  good: '{"profiles": ["governance"], "governance": {"audit_trail": {"enabled": true}}}',
}

export const UNKNOWN_PROFILE: RuleInfo = {
  id: 'unknown-profile',
  code: 'ADL-3002',
  title: 'Unknown profile',
  section: 'ADL 13',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'What an unknown profile demands cannot be checked, nor can its members be told from misspelled ones.',
  bad: '{"profiles": ["urn:adl:profile:governanse:1.0"]}',
  good: '{"profiles": ["urn:adl:profile:governance:1.0"]}',
}

export const DUPLICATE_PROFILE: RuleInfo = {
  id: 'duplicate-profile',
  code: 'BADL-111',
  title: 'Profile declared twice',
  section: 'ADL 13',
  severity: 'warning',
  why: 'Whoever takes one of the two out believes the profile gone.',
  bad: '{"profiles": ["portfolio", "urn:adl:profile:portfolio:1.0"]}',
  good: '{"profiles": ["urn:adl:profile:portfolio:1.0"]}',
}

export const DEPRECATED_PROFILE: RuleInfo = {
  id: 'deprecated-profile',
  code: 'BADL-151',
  title: 'Deprecated profile',
  section: 'ADL 17.2',
  severity: 'warning',
  why: 'A deprecated profile is superseded or abandoned: nobody keeps it in step with what it is about.',
  bad: '{"profiles": ["https://example.com/profiles/old"]}',
  good: '{"profiles": ["https://example.com/profiles/new"]}',
}

export const INCOMPATIBLE_PROFILE: RuleInfo = {
  id: 'incompatible-profile',
  code: 'BADL-152',
  title: 'Profile for another version of ADL',
  section: 'ADL 17.2',
  severity: 'warning',
  why: 'A profile is designed for the versions of ADL that it names; in a document of another its rules may miss their mark.',
  bad: '{"adl_spec": "0.1.0", "profiles": ["https://example.com/profiles/for-0.3"]}',
  good: '{"adl_spec": "0.1.0", "profiles": ["https://example.com/profiles/for-0.1"]}',
}

/** The rules about profiles, in addition to those of each profile. */
export const PROFILE_RULES: readonly RuleInfo[] = [
  PROFILE_MEMBER,
  UNKNOWN_PROFILE,
  DUPLICATE_PROFILE,
  DEPRECATED_PROFILE,
  INCOMPATIBLE_PROFILE,
]
