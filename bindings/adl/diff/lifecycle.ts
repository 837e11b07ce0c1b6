// Compares the period in which a definition permits anything at all. Signatures are compared as members.
import type { Agent } from '../agent.ts'
import { refusalOf, sunsetOf } from '../permissions/refusal.ts'
import type { Changes } from './change.ts'

export function compareRefusals(before: Agent, after: Agent, changes: Changes): void {
  const [old, now] = [before, after].map((agent) => refusalOf(agent, { verdict: 'verified' })) as [Refused, Refused]
  if (old && !now) changes.inOld('widened', 'major', old.pointer, `permitted nothing: ${old.detail}`)
  if (now && !old) changes.inNew('narrowed', 'minor', now.pointer, `permits nothing any more: ${now.detail}`)
  if (old || now) return
  const [from, to] = [sunsetOf(before), sunsetOf(after)]
  const [end, newEnd] = [from?.time ?? Number.POSITIVE_INFINITY, to?.time ?? Number.POSITIVE_INFINITY]
  if (to === undefined && from !== undefined) {
    changes.inOld('widened', 'major', from.refusal.pointer, 'no longer ends with this date')
  } else if (to !== undefined && newEnd !== end) {
    const [kind, bump] = newEnd < end ? (['narrowed', 'minor'] as const) : (['widened', 'major'] as const)
    changes.inNew(kind, bump, to.refusal.pointer, `ends ${newEnd < end ? 'earlier' : 'later'} than before`)
  }
}

type Refused = ReturnType<typeof refusalOf>
