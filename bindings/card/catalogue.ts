import type { RuleInfo } from '../frame/rule.ts'
import { CARD_LIFECYCLE_FINDINGS } from './lifecycle-findings.ts'
import { CARD_PROBE_FINDINGS } from './probe-findings.ts'
import { CARD_SIGNATURE_FINDINGS } from './signature-findings.ts'

/** Findings of the card verbs other than validation. */
export const CARD_VERB_FINDINGS: readonly RuleInfo[] = [
  ...CARD_SIGNATURE_FINDINGS,
  ...CARD_LIFECYCLE_FINDINGS,
  ...CARD_PROBE_FINDINGS,
]
