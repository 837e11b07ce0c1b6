// For those who explain findings.

import { MORE_FINDINGS } from '../frame/findings.ts'
import type { RuleInfo } from '../frame/rule.ts'
import { INVENTORY_RULES } from './inventory-findings.ts'
import { MEDIA_TYPE_PROFILE } from './media-type.ts'
import type { CheckOptions } from './options.ts'
import { createProfiles, Profiles } from './profiles/registry.ts'
import { PROFILE_RULES } from './profiles/rules.ts'
import { PROMPT_RULES } from './prompt-rules.ts'
import { REVIEW_RULES } from './review/rules.ts'
import { INVALID_JSON, TEXT_TOO_LONG, TOO_MANY_ENTRIES, TOO_MANY_PATTERNS } from './rules/document.ts'
import { UNDEFINED_MEMBER } from './rules/schema.ts'
import { SIGNATURE_FINDINGS } from './signature/findings.ts'
import { TRUST_FILE } from './trust.ts'

/** What the verbs of ADL report beside its rules and the schema, with the rules of these profiles. */
export function everyVerbFinding({ profiles }: CheckOptions = {}): readonly RuleInfo[] {
  const own = profiles instanceof Profiles ? profiles : createProfiles()
  return [
    INVALID_JSON,
    TOO_MANY_ENTRIES,
    TEXT_TOO_LONG,
    TOO_MANY_PATTERNS,
    MORE_FINDINGS,
    UNDEFINED_MEMBER,
    ...PROFILE_RULES,
    ...own.list.flatMap(({ rules }) => rules),
    MEDIA_TYPE_PROFILE,
    ...INVENTORY_RULES,
    TRUST_FILE,
    ...PROMPT_RULES,
    ...REVIEW_RULES,
    ...SIGNATURE_FINDINGS,
  ]
}
