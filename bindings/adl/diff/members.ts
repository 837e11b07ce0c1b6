import { visible } from '../../text/hidden.ts'
import { isObject, type Placed, type PlacedObject } from '../../text/members.ts'
import { escapeToken } from '../../text/pointer.ts'
import type { Bump, Changes } from './change.ts'
import { isEqual } from './equal.ts'

/** A member before and after the change: at least one of the two is there, and they are not equal. */
export interface Pair {
  readonly before: Placed<unknown> | undefined
  readonly after: Placed<unknown> | undefined
}

/** Looks closer at a member that changed, of which many know the name already. */
export type Comparison = (pair: Pair, changes: Changes, name: string) => void

/** By member: how much any change of it means, `undefined` when it is no change, or who looks closer. */
export type Members = Readonly<Record<string, Bump | Comparison | undefined>>

/** Compares objects member by member; those that the table does not have mean what `others` says, extensions little. */
export function compareMembers(
  before: PlacedObject | undefined,
  after: PlacedObject | undefined,
  table: Members,
  others: Bump | Comparison,
  changes: Changes,
): void {
  const names = new Set([...Object.keys(before?.value ?? {}), ...Object.keys(after?.value ?? {})])
  for (const name of names) {
    const pair = { before: placed(before, name), after: placed(after, name) }
    if (isEqual(pair.before?.value, pair.after?.value)) continue
    const known = Object.hasOwn(table, name) ? table[name] : name.startsWith('x_') ? 'patch' : others
    if (typeof known === 'function') known(pair, changes, name)
    else if (known !== undefined) report(pair, known, name, changes)
  }
}

function placed(of: PlacedObject | undefined, name: string): Placed<unknown> | undefined {
  if (of === undefined || !Object.hasOwn(of.value, name)) return undefined
  return { pointer: `${of.pointer}/${escapeToken(name)}`, value: of.value[name] }
}

/** One change of a whole member. */
export function report({ before, after }: Pair, bump: Bump, name: string, changes: Changes): void {
  const shown = visible(name)
  if (before === undefined) changes.inNew('added', bump, after!.pointer, `${shown} is new`)
  else if (after === undefined) changes.inOld('removed', bump, before.pointer, `${shown} is gone`)
  else changes.inNew('changed', bump, after.pointer, `${shown} is another`)
}

/** A member of which some changes mean more than others: added, changed, removed. */
export const byKind =
  (name: string, added: Bump, changed: Bump, removed: Bump): Comparison =>
  (pair, changes) =>
    report(pair, pair.before === undefined ? added : pair.after === undefined ? removed : changed, name, changes)

/** An object within, with a table of its own. A value that is not an object may be, or have been, meant as a protection. */
export const within =
  (name: string, table: Members, others: Bump | Comparison): Comparison =>
  (pair, changes) => {
    const [before, after] = [asObject(pair.before), asObject(pair.after)]
    const odd = (pair.before !== undefined && before === undefined) || (pair.after !== undefined && after === undefined)
    if (odd) report(pair, 'major', name, changes)
    else compareMembers(before, after, table, others, changes)
  }

export function asObject(of: Placed<unknown> | undefined): PlacedObject | undefined {
  return of !== undefined && isObject(of.value) ? { pointer: of.pointer, value: of.value } : undefined
}
