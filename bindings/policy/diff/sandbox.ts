// What a new file lets a sandboxed runner do that the old one did not. In doubt, a change is wider.
import { escapeToken, type JsonObject } from '../../text/members.ts'
import { cut, quoted } from '../../text/words.ts'
import { differs, type MatrixRow, OUTCOME_WORDS, permissionMatrix, widening } from '../matrix.ts'
import type { SandboxGranting } from '../sandbox.ts'
import type { ChangeKind } from './change.ts'
import { isEqual } from './members.ts'

/** A change of what a runner does by its settings. */
export interface RunnerChange<Area extends string = MatrixRow['what'] | 'member'> {
  readonly kind: ChangeKind
  readonly area: Area
  readonly pointer: string
  readonly document: 'old' | 'new'
  readonly detail: string
}

/** Compares the answers about everything that one of the files names, and the members on which no answer depends. */
export function diffSandboxes(old: SandboxGranting, now: SandboxGranting): readonly RunnerChange[] {
  if (isEqual(old.value, now.value)) return []
  const { rows, leftOut } = permissionMatrix([old, now])
  const changes = rows.filter(differs).map(({ what: area, subject, cells }): RunnerChange => {
    const [before, after] = [cells[0]!, cells[1]!]
    const document = after.decidedBy === undefined && before.decidedBy !== undefined ? 'old' : 'new'
    return {
      kind: widening(before, after) > 0 ? 'widened' : 'narrowed',
      area,
      pointer: (document === 'old' ? before : after).decidedBy ?? '',
      document,
      detail: `${subject}: ${OUTCOME_WORDS[before.outcome]} before, ${OUTCOME_WORDS[after.outcome]} now`,
    }
  })
  // One example does not show every path that a pattern denies.
  const kept = new Set(now.globs.map(({ value }) => value))
  for (const { value, pointer } of old.globs)
    if (!kept.has(value))
      changes.push({ ...WIDER, pointer, document: 'old', detail: `no longer denies ${quoted(cut(value, 200))}` })
  changes.push(...memberChanges(old.rest, now.rest, (name) => now.harmless.test(name)))
  if (leftOut > 0)
    changes.push({ ...WIDER, pointer: '', document: 'new', detail: `${leftOut} more answers are not compared` })
  return changes
}

const WIDER = { kind: 'widened', area: 'member' } as const

/** The members that differ. All but the harmless ones count as wider. */
export function memberChanges(
  old: JsonObject,
  now: JsonObject,
  isHarmless: (name: string) => boolean,
): RunnerChange<'member'>[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    if (isEqual(old[name], now[name])) return []
    const document = Object.hasOwn(now, name) ? 'new' : 'old'
    const [kind, why] = isHarmless(name) ? (['changed', ''] as const) : (['widened', ': it decides what runs'] as const)
    return { kind, area: 'member', pointer: `/${escapeToken(name)}`, document, detail: `${quoted(name)} differs${why}` }
  })
}
