import type { Rule } from '../../frame/subject.ts'
import { timeOf } from '../../schema/times.ts'
import { textMember } from '../../text/members.ts'
import * as FINDINGS from '../findings.ts'
import type { Agent } from '../subject.ts'

export const successorTooEarly: Rule<Agent> = {
  ...FINDINGS.SUCCESSOR_ACTIVE,
  check({ lifecycle }, report) {
    const status = textMember(lifecycle, 'status')?.value
    if ((status !== 'active' && status !== 'draft') || textMember(lifecycle, 'successor') === undefined) return
    const detail = `Member 'successor' is for agents whose status is deprecated or retired, this one's is ${status}`
    report('/lifecycle/successor', detail, { related: [{ pointer: '/lifecycle/status', message: 'the status' }] })
  },
}

export const successorMissing: Rule<Agent> = {
  ...FINDINGS.SUCCESSOR_MISSING,
  check({ lifecycle }, report) {
    const status = textMember(lifecycle, 'status')
    if (status === undefined || (status.value !== 'deprecated' && status.value !== 'retired')) return
    if (Object.hasOwn(lifecycle!.value, 'successor')) return
    report(status.pointer, `Status is ${status.value}, and no 'successor' tells what replaces the agent`)
  },
}

/** The valid statuses other than retired. */
const RUNNING = ['draft', 'active', 'deprecated']

export const sunsetPast: Rule<Agent> = {
  ...FINDINGS.SUNSET_PAST,
  check({ lifecycle }, report, { now }) {
    const date = textMember(lifecycle, 'sunset_date')
    if (date === undefined) return
    const status = textMember(lifecycle, 'status')?.value
    const time = timeOf(date.value)
    if (!RUNNING.includes(status ?? '') || time === undefined || time > now.getTime()) return
    const detail = `The agent was to be retired at ${date.value}, and its status is ${status}`
    report(date.pointer, detail, { related: [{ pointer: '/lifecycle/status', message: 'the status' }] })
  },
}

export const sunsetSoon: Rule<Agent> = {
  ...FINDINGS.SUNSET_SOON,
  check({ lifecycle }, report, { now }) {
    const date = textMember(lifecycle, 'sunset_date')
    if (date === undefined) return
    const time = timeOf(date.value)
    if (time === undefined || time <= now.getTime() || isMonthAhead(time, now)) return
    report(date.pointer, `The agent is to be retired within 30 days: at ${date.value}`)
  },
}

export const attestationExpiry: Rule<Agent> = {
  ...FINDINGS.ATTESTATION_EXPIRY,
  check({ attestation }, report, { now }) {
    const date = textMember(attestation, 'expires_at')
    if (date === undefined) return
    const time = timeOf(date.value)
    if (time === undefined || isMonthAhead(time, now)) return
    const isPast = time <= now.getTime()
    report(date.pointer, `The attestation ${isPast ? 'expired' : 'expires within 30 days'}: at ${date.value}`)
  },
}

const MONTH = 30 * 86_400_000

/** True when a time is more than 30 days ahead. */
export function isMonthAhead(time: number, now: Date): boolean {
  return time > now.getTime() + MONTH
}
