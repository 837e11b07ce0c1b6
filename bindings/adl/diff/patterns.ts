import type { PlacedValue } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Inclusion } from '../permissions/inclusion.ts'
import type { Changes } from './change.ts'

/** Two lists of patterns of one kind, and the verb for messages about them: `lets the agent read`. */
export interface PatternLists {
  readonly before: readonly PlacedValue<string>[]
  readonly after: readonly PlacedValue<string>[]
  readonly inclusion: Inclusion
  readonly verb: string
}

/**
 * Reports the difference between two lists of grants. A pattern that no single pattern of the other list includes
 * counts as new, even if several together include it: a change that cannot be proven harmless is a widening.
 */
export function compareGrants({ before, after, inclusion, verb }: PatternLists, changes: Changes): void {
  for (const { value, pointer } of missing(after, before)) {
    const known = inclusion.find(value, before)
    if (known === undefined) changes.inNew('widened', 'major', pointer, `${verb} ${quoted(value)}`)
    else changes.inNew('added', 'patch', pointer, `${quoted(value)}, which ${quoted(known.value)} included before`)
  }
  for (const { value, pointer } of missing(before, after)) {
    const known = inclusion.find(value, after)
    if (known === undefined) changes.inOld('narrowed', 'minor', pointer, `no longer ${verb} ${quoted(value)}`)
    else changes.inOld('removed', 'patch', pointer, `${quoted(value)}, which ${quoted(known.value)} includes`)
  }
}

/** Reports the difference between two lists of denials. */
export function compareDenials({ before, after, inclusion, verb }: PatternLists, changes: Changes): void {
  for (const { value, pointer } of missing(before, after)) {
    const known = inclusion.find(value, after)
    if (known === undefined) changes.inOld('widened', 'major', pointer, `no longer ${verb} ${quoted(value)}`)
    else changes.inOld('removed', 'patch', pointer, `${quoted(value)}, which ${quoted(known.value)} includes`)
  }
  for (const { value, pointer } of missing(after, before)) {
    const known = inclusion.find(value, before)
    if (known === undefined) changes.inNew('narrowed', 'minor', pointer, `${verb} ${quoted(value)}`)
    else changes.inNew('added', 'patch', pointer, `${quoted(value)}, which ${quoted(known.value)} included before`)
  }
}

/** The patterns of a list that the other list lacks. */
function missing(list: readonly PlacedValue<string>[], other: readonly PlacedValue<string>[]): PlacedValue<string>[] {
  const known = new Set(other.map(({ value }) => value))
  return list.filter(({ value }) => !known.has(value))
}
