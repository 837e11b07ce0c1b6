import type { Rule } from '../../frame/rule.ts'
import { timeOf } from '../../schema/times.ts'
import { textMember } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { isMonthAhead } from '../times.ts'

export const attestationExpiry: Rule<Agent> = {
  id: 'attestation-expiry',
  code: 'ADL-4003',
  title: 'Expired attestation',
  section: 'ADL 10.3',
  severity: 'warning',
  why: 'What an attestation vouches for it vouches for until it expires; a new one takes its time.',
  bad: '{"security": {"attestation": {"type": "self", "expires_at": "2020-01-01T00:00:00Z"}}}',
  good: '{"security": {"attestation": {"type": "self", "expires_at": "2099-01-01T00:00:00Z"}}}',
  check({ attestation }, report, { now }) {
    const date = textMember(attestation, 'expires_at')
    if (date === undefined) return
    const time = timeOf(date.value)
    if (time === undefined || isMonthAhead(time, now)) return
    const isPast = time <= now.getTime()
    report(date.pointer, `The attestation ${isPast ? 'expired' : 'expires within 30 days'}: at ${date.value}`)
  },
}
