import type { Rule } from '../../frame/rule.ts'
import type { Card } from '../card.ts'
import { NO_SIGNATURE } from '../findings.ts'

export const noSignature: Rule<Card> = {
  ...NO_SIGNATURE,
  check({ root }, report) {
    if (Object.hasOwn(root.value, 'signature')) return
    const fix = { hint: 'sign it when it is done: blazon sign' }
    report('', "Member 'signature' is missing: a card that is passed on should have one", { fix })
  },
}
