import type { Rule } from '../../frame/rule.ts'
import { timeOf } from '../../schema/times.ts'
import { textMember } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { ATTESTATION_EXPIRY } from '../findings.ts'
import { isMonthAhead } from '../times.ts'

export const attestationExpiry: Rule<Agent> = {
  ...ATTESTATION_EXPIRY,
  check({ attestation }, report, { now }) {
    const date = textMember(attestation, 'expires_at')
    if (date === undefined) return
    const time = timeOf(date.value)
    if (time === undefined || isMonthAhead(time, now)) return
    const isPast = time <= now.getTime()
    report(date.pointer, `The attestation ${isPast ? 'expired' : 'expires within 30 days'}: at ${date.value}`)
  },
}
