// Every rule of ADL, for those who explain findings.

import { MORE_FINDINGS } from '../document/findings.ts'
import { ruleNames } from '../document/known-rules.ts'
import type { RuleInfo } from '../document/rule.ts'
import { INVENTORY_RULES } from './inventory.ts'
import { MEDIA_TYPE_PROFILE } from './media-type.ts'
import { createProfiles, Profiles } from './profiles/registry.ts'
import { PROFILE_RULES } from './profiles/rules.ts'
import { PROMPT_RULES } from './prompt-rules.ts'
import { REVIEW_RULES } from './review/rules.ts'
import { INVALID_JSON, ROOT_OBJECT, TEXT_TOO_LONG, TOO_MANY_ENTRIES, TOO_MANY_PATTERNS } from './rules/document.ts'
import { RULES } from './rules/index.ts'
import { SCHEMA_RULES, UNDEFINED_MEMBER } from './rules/schema.ts'
import { SIGNATURE_FINDINGS } from './signature/findings.ts'
import { TRUST_FILE } from './trust.ts'

let names: ReadonlySet<string> | undefined

/** The ids and codes of every rule, and of those of these profiles. */
export function knownRules(profiles?: Profiles): ReadonlySet<string> {
  names ??= ruleNames(everyRule())
  if (!(profiles instanceof Profiles)) return names
  return new Set([...names, ...ruleNames(profiles.list.flatMap(({ rules }) => rules))])
}

/** Every rule that anything here checks. */
export function everyRule(): readonly RuleInfo[] {
  const document = [
    INVALID_JSON,
    ROOT_OBJECT,
    TOO_MANY_ENTRIES,
    TEXT_TOO_LONG,
    TOO_MANY_PATTERNS,
    MORE_FINDINGS,
    UNDEFINED_MEMBER,
  ]
  const profiles = createProfiles().list.flatMap(({ rules }) => rules)
  const verbs = [
    MEDIA_TYPE_PROFILE,
    ...INVENTORY_RULES,
    TRUST_FILE,
    ...PROMPT_RULES,
    ...REVIEW_RULES,
    ...SIGNATURE_FINDINGS,
  ]
  return [...RULES, ...SCHEMA_RULES.values(), ...document, ...PROFILE_RULES, ...profiles, ...verbs]
}
