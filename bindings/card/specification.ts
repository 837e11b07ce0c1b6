// Agent Cards as a specification of the frame.

import { namesOf } from '../document/finding.ts'
import { shapeRules, type Words } from '../frame/explain.ts'
import { CARD_OTHER_ID, CARD_SIGNATURE_INTEGER } from '../frame/findings.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import type { Specification } from '../frame/specification.ts'
import type { Rule } from '../frame/subject.ts'
import { isObject } from '../text/members.ts'
import * as FINDINGS from './findings.ts'
import { IDENTITY_RULES, placeholder } from './rules/identity.ts'
import { ADVICE_RULES, CONSTRAINT_RULES, ENDPOINT_RULES, SKILL_RULES, TOOL_RULES } from './rules/skills.ts'
import { CARD_READING, type Card, cardShape, checkOctets } from './subject.ts'

const WORDS: Words = {
  name: 'Agent Cards',
  rules: shapeRules(FINDINGS.ALL),
  byFormat: { 'date-time': 'timestamp' },
  grammar: {
    '^agent:\\/\\/': 'an agent:// URI such as agent://translator-zh-en',
    '^[A-Za-z0-9_-]{85}[AQgw]$': 'the 64 octets of an Ed25519 signature in base64url without padding',
    seq: 'an integer from 0 to 18446744073709551615',
    'date-time': 'an ISO 8601 timestamp with its offset, such as 2026-01-15T00:00:00Z',
  },
  // Anybody may add members (section 3.1), so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that the draft does not define are ignored' }),
}

/** Every card rule except those that the schema checks. */
export const RULES: readonly Rule<Card>[] = [
  ...IDENTITY_RULES,
  ...TOOL_RULES,
  ...ENDPOINT_RULES,
  ...SKILL_RULES,
  ...CONSTRAINT_RULES,
  ...ADVICE_RULES,
  placeholder,
]

export const AGENT_CARD: Specification<Card> = {
  ...CARD_READING,
  words: WORDS,
  settings: ruleSettings,
  gate(card, findings) {
    checkOctets(card.document, findings)
    return true
  },
  shapes: ({ root }) => [{ shape: cardShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: () => [...FINDINGS.names(), ...namesOf([CARD_OTHER_ID, CARD_SIGNATURE_INTEGER])],
  // An edit would invalidate the signature. The author has to change and sign such a card deliberately.
  isEditable: ({ value }) => !(isObject(value) && Object.hasOwn(value, 'signature')),
}
