import type { Report, Rule } from '../../frame/rule.ts'
import { member, objectMember, type PlacedObject } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { VAL_27 } from '../findings.ts'
import { classifications } from '../places.ts'

function checkRetention(classification: PlacedObject, report: Report): void {
  const retention = objectMember(classification, 'retention')
  if (retention === undefined) return
  const least = member(retention.value, 'min_days')
  const most = member(retention.value, 'max_days')
  if (typeof least !== 'number' || typeof most !== 'number' || least <= most) return
  const related = [{ pointer: `${retention.pointer}/max_days`, message: 'the most days' }]
  report(`${retention.pointer}/min_days`, `'min_days' is ${least}, more than 'max_days', which is ${most}`, { related })
}

export const retention: Rule<Agent> = {
  ...VAL_27,
  check(agent, report) {
    for (const classification of classifications(agent)) checkRetention(classification, report)
  },
}
