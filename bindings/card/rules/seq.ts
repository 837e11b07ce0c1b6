import type { Rule } from '../../frame/rule.ts'
import { member } from '../../text/members.ts'
import type { Card } from '../card.ts'
import { NO_SEQ, SEQ } from '../findings.ts'

const BEYOND = 2 ** 64

export const seq: Rule<Card> = {
  ...SEQ,
  check({ root, seq: read }, report) {
    const value = member(root.value, 'seq')
    // Only numbers that a double rounds to a uint64. The schema reports all others.
    if (read !== undefined || !Number.isInteger(value) || (value as number) < 0 || (value as number) > BEYOND) return
    report('/seq', "Member 'seq' must be an integer from 0 to 18446744073709551615")
  },
}

export const noSeq: Rule<Card> = {
  ...NO_SEQ,
  check({ root }, report) {
    if (Object.hasOwn(root.value, 'seq')) return
    report('', "Member 'seq' is missing: a card that is passed on should have one", { fix: { hint: 'begin with 1' } })
  },
}
