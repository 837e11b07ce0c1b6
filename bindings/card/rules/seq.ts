import type { Rule } from '../../frame/rule.ts'
import { member } from '../../text/members.ts'
import type { Card } from '../card.ts'

const BEYOND = 2 ** 64

export const seq: Rule<Card> = {
  id: 'seq',
  code: 'CARD-109',
  title: 'Sequence number that is no uint64',
  section: 'Agent Card 3.1',
  severity: 'error',
  why: 'Cards are ordered by it: only an integer from 0 to 18446744073709551615 has a place in the order.',
  bad: '{"seq": -1}',
  good: '{"seq": 1}',
  check({ root, seq: read }, report) {
    const value = member(root.value, 'seq')
    // Only numbers that a double rounds to a uint64. The schema reports all others.
    if (read !== undefined || !Number.isInteger(value) || (value as number) < 0 || (value as number) > BEYOND) return
    report('/seq', "Member 'seq' must be an integer from 0 to 18446744073709551615")
  },
}

export const noSeq: Rule<Card> = {
  id: 'no-seq',
  code: 'CARD-130',
  title: 'No sequence number',
  section: 'Agent Card 7.1',
  severity: 'warning',
  rulesets: { security: 'error' },
  why: 'Nobody can tell which of two cards is newer, and an old one can be sent again to offer what is gone.',
  bad: '{"id": "agent://scout", "name": "Scout"}',
  good: '{"id": "agent://scout", "name": "Scout", "seq": 1}',
  check({ root }, report) {
    if (Object.hasOwn(root.value, 'seq')) return
    report('', "Member 'seq' is missing: a card that is passed on should have one", { fix: { hint: 'begin with 1' } })
  },
}
