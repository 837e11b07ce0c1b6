// The findings of ADL, for tools that explain codes.
import type { RuleInfo } from '../frame/rule.ts'
import { INVENTORY_RULES } from './inventory-findings.ts'
import { MEDIA_TYPE_PROFILE } from './media-type.ts'
import { PROMPT_RULES } from './prompt-rules.ts'
import { REVIEW_RULES } from './review/rules.ts'
import { SIGNATURE_FINDINGS } from './signature/findings.ts'
import { TRUST_FILE } from './trust.ts'

/** Findings of the ADL verbs other than validation. */
export const ADL_VERB_FINDINGS: readonly RuleInfo[] = [
  MEDIA_TYPE_PROFILE,
  ...INVENTORY_RULES,
  TRUST_FILE,
  ...PROMPT_RULES,
  ...REVIEW_RULES,
  ...SIGNATURE_FINDINGS,
]
