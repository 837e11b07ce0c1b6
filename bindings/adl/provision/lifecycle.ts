// Lifecycle status as a security boundary (ADL 5.6, 18.12).
import { timeOf } from '../../schema/times.ts'
import { textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { refuseStatus, sunsetOf } from '../refusal.ts'
import type { ProvisionFinding } from './finding.ts'

const DAY = 86_400_000

/** Refuses an agent for its status, or for a date that has passed. */
export function refuseLifecycle(agent: Agent, environment: string, now: Date): readonly ProvisionFinding[] {
  const refusal = refuseStatus(agent)
  const status = textMember(agent.lifecycle, 'status')
  if (refusal !== undefined) return [{ id: status?.value === 'retired' ? 'retired' : 'lifecycle', ...refusal }]
  const sunset = sunsetOf(agent)
  // Negated, so that an invalid date counts as past.
  if (sunset !== undefined && !(now.getTime() < sunset.time)) return [{ id: 'retired', ...sunset.refusal }]
  if (status?.value !== 'draft' || environment !== 'production') return []
  const detail = 'the agent is a draft, which is not for production'
  return [{ id: 'draft', section: 'ADL 5.6', detail, pointer: status.pointer }]
}

/** Warnings to operators about an agent that is not refused. */
export function warnLifecycle(agent: Agent): readonly ProvisionFinding[] {
  const status = textMember(agent.lifecycle, 'status')
  if (status?.value !== 'deprecated') return []
  const { successor } = successionOf(agent, new Date(0))
  const detail = successor === undefined ? '' : `: migrate to ${quoted(successor)}`
  return [{ id: 'deprecated', section: 'ADL 5.6', detail: `the agent is deprecated${detail}`, pointer: status.pointer }]
}

export interface Succession {
  /** The agent to migrate to, as the document names it. */
  readonly successor?: string
  /** Whole days until the sunset date; 0 from that date on. */
  readonly daysLeft?: number
}

export function successionOf({ lifecycle }: Agent, now: Date): Succession {
  const successor = textMember(lifecycle, 'successor')?.value
  const date = textMember(lifecycle, 'sunset_date')?.value
  const time = date === undefined ? undefined : timeOf(date)
  return {
    ...(successor !== undefined && { successor }),
    ...(time !== undefined && { daysLeft: Math.max(0, Math.floor((time - now.getTime()) / DAY)) }),
  }
}
