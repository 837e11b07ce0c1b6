// Agent Cards as a specification of the frame.
import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import type { Specification } from '../frame/specification.ts'
import { isObject } from '../text/members.ts'
import type { Card } from './card.ts'
import * as FINDINGS from './findings.ts'
import { CARD_READING } from './reading.ts'
import { RULES } from './rules/index.ts'
import { cardShape } from './shape.ts'
import { checkOctets } from './size.ts'

const WORDS: Words = {
  name: 'Agent Cards',
  rules: shapeRules([
    FINDINGS.AGENT_ID,
    FINDINGS.SEQ,
    FINDINGS.SIGNATURE_FORM,
    FINDINGS.TIMESTAMP,
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.NUMBER_RANGE,
  ]),
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

/** Names of findings that A2A cards have as well. Their own module would load the rules of A2A. */
const SHARED_NAMES = ['card-other-id', 'CARD-155', 'card-signature-integer', 'CARD-156']

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
  names: () => [...FINDINGS.names(), ...SHARED_NAMES],
  // An edit would invalidate the signature. The author has to change and sign such a card deliberately.
  isEditable: ({ value }) => !(isObject(value) && Object.hasOwn(value, 'signature')),
}
