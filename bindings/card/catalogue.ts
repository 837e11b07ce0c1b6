// For those who explain findings.
import type { RuleInfo } from '../frame/rule.ts'
import { CARD_LIFECYCLE_FINDINGS } from './lifecycle-findings.ts'
import { CARD_PROBE_FINDINGS } from './probe-findings.ts'
import { CARD_SIGNATURE_FINDINGS } from './signature-findings.ts'

/** Rows of the verbs of cards that do not check. */
export const CARD_VERB_FINDINGS: readonly RuleInfo[] = [
  ...CARD_SIGNATURE_FINDINGS,
  ...CARD_LIFECYCLE_FINDINGS,
  ...CARD_PROBE_FINDINGS,
]
