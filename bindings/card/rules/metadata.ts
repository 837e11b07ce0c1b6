import type { Rule } from '../../frame/rule.ts'
import { timeOf } from '../../schema/times.ts'
import { member, textMember } from '../../text/members.ts'
import type { Card } from '../card.ts'

const NAMES = ['created_at', 'updated_at'] as const

/** Allows for clocks that differ. */
const TOLERANCE_MS = 5 * 60_000

function timeIn({ metadata }: Card, name: (typeof NAMES)[number]): number | undefined {
  const text = textMember(metadata, name)
  return text && timeOf(text.value)
}

export const noCreation: Rule<Card> = {
  id: 'no-created-at',
  code: 'CARD-132',
  title: 'No time of creation',
  section: 'Agent Card 6.1',
  severity: 'warning',
  why: 'Without a seq, times are all that tells which of two cards is newer.',
  bad: '{"metadata": {"ttl": 3600}}',
  good: '{"metadata": {"created_at": "2026-01-15T00:00:00Z", "ttl": 3600}}',
  check({ root, metadata }, report) {
    // The schema reports a value that is not an object.
    if (metadata === undefined && Object.hasOwn(root.value, 'metadata')) return
    if (metadata !== undefined && Object.hasOwn(metadata.value, 'created_at')) return
    report(metadata?.pointer ?? '', "'created_at' of 'metadata' is missing: a card should say when it was made")
  },
}

export const timeOrder: Rule<Card> = {
  id: 'time-order',
  code: 'CARD-133',
  title: 'Updated before it was created',
  section: 'Agent Card 6.3',
  severity: 'warning',
  rulesets: { spec: 'off' },
  why: 'Of two cards without a seq the one that was updated last counts: with a wrong time it is the wrong one.',
  bad: '{"metadata": {"created_at": "2026-02-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}}',
  good: '{"metadata": {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-02-01T00:00:00Z"}}',
  check(card, report) {
    const created = timeIn(card, 'created_at')
    const updated = timeIn(card, 'updated_at')
    if (created === undefined || updated === undefined || updated >= created) return
    const related = [{ pointer: '/metadata/created_at', message: 'created here' }]
    report('/metadata/updated_at', "'updated_at' lies before 'created_at'", { related })
  },
}

export const futureTime: Rule<Card> = {
  id: 'future-time',
  code: 'CARD-134',
  title: 'Time that is still to come',
  section: 'Agent Card 6.3',
  severity: 'warning',
  rulesets: { spec: 'off' },
  why: 'A card from the future counts as newer than all that its agent writes until then.',
  bad: '{"metadata": {"created_at": "2999-01-01T00:00:00Z"}}',
  good: '{"metadata": {"created_at": "2026-01-01T00:00:00Z"}}',
  check(card, report, { now }) {
    for (const name of NAMES) {
      const time = timeIn(card, name)
      if (time === undefined || time <= now.getTime() + TOLERANCE_MS) continue
      report(`/metadata/${name}`, `'${name}' is ${String(member(card.metadata?.value, name)).slice(0, 40)}, after now`)
    }
  },
}
