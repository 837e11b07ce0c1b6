import type { Rule } from '../../frame/rule.ts'
import type { Card } from '../card.ts'

export const noSignature: Rule<Card> = {
  id: 'no-signature',
  code: 'CARD-131',
  title: 'No signature',
  section: 'Agent Card 7.1',
  severity: 'warning',
  rulesets: { security: 'error' },
  why: 'Who gets the card from a directory, a cache or a friend cannot know whose it is.',
  bad: '{"id": "agent://scout", "name": "Scout", "seq": 1}',
  good: '{"id": "agent://scout", "name": "Scout", "seq": 1, "signature": "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw"}',
  check({ root }, report) {
    if (Object.hasOwn(root.value, 'signature')) return
    const fix = { hint: 'sign it when it is done: blazon sign' }
    report('', "Member 'signature' is missing: a card that is passed on should have one", { fix })
  },
}
