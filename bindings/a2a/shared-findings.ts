// The findings of signing and verifying that ADP and A2A Agent Cards share: one row and one code for both.
import type { RuleInfo } from '../frame/rule.ts'

export const otherAgent: RuleInfo = {
  id: 'card-other-id',
  code: 'CARD-155',
  title: 'Card of another agent',
  section: 'Agent Card 3.1',
  severity: 'error',
  why: 'A sound signature of another agent is no reason for trust.',
  bad: '{"id": "agent://scout-2"}',
  good: '{"id": "agent://scout"}',
}

export const unsignedInteger: RuleInfo = {
  id: 'card-signature-integer',
  code: 'CARD-156',
  title: 'Integer that no signature covers',
  section: 'Agent Card 3.2',
  severity: 'error',
  why: 'The canonical form (RFC 8785) rounds integers beyond 2^53 - 1: one signature would hold for several of them.',
  bad: '{"seq": 9007199254740993}',
  good: '{"seq": 9007199254740991}',
}
