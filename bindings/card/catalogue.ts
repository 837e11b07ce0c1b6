// Every rule of cards, for those who explain findings.
import type { RuleInfo } from '../document/rule.ts'
import { A2A_SIGNATURE_FINDINGS } from './a2a/findings.ts'
import { A2A_RULES } from './a2a/rules/index.ts'
import { CARD_LIFECYCLE_FINDINGS } from './lifecycle-findings.ts'
import { CARD_PROBE_FINDINGS } from './probe-findings.ts'
import { CARD_SIZE, ROOT_OBJECT } from './rules/document.ts'
import { RULES } from './rules/index.ts'
import { SCHEMA_RULES } from './rules/schema.ts'
import { CARD_SIGNATURE_FINDINGS } from './signature-findings.ts'

/** Every rule that anything here checks, of cards of A2A too; one may stand in it twice. */
export function everyCardRule(): readonly RuleInfo[] {
  return [
    ROOT_OBJECT,
    CARD_SIZE,
    ...SCHEMA_RULES.values(),
    ...RULES,
    ...CARD_SIGNATURE_FINDINGS,
    ...CARD_LIFECYCLE_FINDINGS,
    ...CARD_PROBE_FINDINGS,
    ...A2A_RULES,
    ...A2A_SIGNATURE_FINDINGS,
  ]
}
