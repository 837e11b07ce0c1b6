import type { Rule } from '../../frame/rule.ts'
import { timeOf } from '../../schema/times.ts'
import { member, textMember } from '../../text/members.ts'
import type { Card } from '../card.ts'
import { FUTURE_TIME, NO_CREATED_AT, TIME_ORDER } from '../findings.ts'

const NAMES = ['created_at', 'updated_at'] as const

/** Allows for clocks that differ. */
const TOLERANCE_MS = 5 * 60_000

function timeIn({ metadata }: Card, name: (typeof NAMES)[number]): number | undefined {
  const text = textMember(metadata, name)
  return text && timeOf(text.value)
}

export const noCreation: Rule<Card> = {
  ...NO_CREATED_AT,
  check({ root, metadata }, report) {
    // The schema reports a value that is not an object.
    if (metadata === undefined && Object.hasOwn(root.value, 'metadata')) return
    if (metadata !== undefined && Object.hasOwn(metadata.value, 'created_at')) return
    report(metadata?.pointer ?? '', "'created_at' of 'metadata' is missing: a card should say when it was made")
  },
}

export const timeOrder: Rule<Card> = {
  ...TIME_ORDER,
  check(card, report) {
    const created = timeIn(card, 'created_at')
    const updated = timeIn(card, 'updated_at')
    if (created === undefined || updated === undefined || updated >= created) return
    const related = [{ pointer: '/metadata/created_at', message: 'created here' }]
    report('/metadata/updated_at', "'updated_at' lies before 'created_at'", { related })
  },
}

export const futureTime: Rule<Card> = {
  ...FUTURE_TIME,
  check(card, report, { now }) {
    for (const name of NAMES) {
      const time = timeIn(card, name)
      if (time === undefined || time <= now.getTime() + TOLERANCE_MS) continue
      report(`/metadata/${name}`, `'${name}' is ${String(member(card.metadata?.value, name)).slice(0, 40)}, after now`)
    }
  },
}
