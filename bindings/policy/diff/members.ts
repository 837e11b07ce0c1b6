import { visible } from '../../text/hidden.ts'
import { escapeToken, isObject, type PlacedObject, type PlacedValue, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Bump, Changes } from './change.ts'

/** A member before and after the change. At least one of the two is present, and they are not equal. */
export interface Pair {
  readonly before: PlacedValue<unknown> | undefined
  readonly after: PlacedValue<unknown> | undefined
}

/** Examines a changed member more closely. Many comparisons have the name already. */
export type Comparison = (pair: Pair, changes: Changes, name: string) => void

/**
 * For each member: the bump that any change of it needs, undefined if changes don't count, or a comparison that
 * examines it.
 */
export type Members = Readonly<Record<string, Bump | Comparison | undefined>>

/**
 * Compares objects member by member. Members missing from the table are judged by `others`; extension members need a
 * small bump.
 */
export function compareMembers(
  before: PlacedObject | undefined,
  after: PlacedObject | undefined,
  table: Members,
  others: Bump | Comparison,
  changes: Changes,
): void {
  const names = new Set([...Object.keys(before?.value ?? {}), ...Object.keys(after?.value ?? {})])
  for (const name of names) {
    const pair = { before: placeOf(before, name), after: placeOf(after, name) }
    if (isEqual(pair.before?.value, pair.after?.value)) continue
    const known = Object.hasOwn(table, name) ? table[name] : name.startsWith('x_') ? 'patch' : others
    if (typeof known === 'function') known(pair, changes, name)
    else if (known !== undefined) report(pair, known, name, changes)
  }
}

function placeOf(of: PlacedObject | undefined, name: string): PlacedValue<unknown> | undefined {
  if (of === undefined || !Object.hasOwn(of.value, name)) return undefined
  return { pointer: `${of.pointer}/${escapeToken(name)}`, value: of.value[name] }
}

/** Reports one change of a whole member. */
export function report({ before, after }: Pair, bump: Bump, name: string, changes: Changes): void {
  const shown = visible(name)
  if (before === undefined) changes.inNew('added', bump, after!.pointer, `${shown} is new`)
  else if (after === undefined) changes.inOld('removed', bump, before.pointer, `${shown} is gone`)
  else changes.inNew('changed', bump, after.pointer, `${shown} is another`)
}

/** For a member whose addition, change and removal need different bumps. */
export const byKind =
  (name: string, added: Bump, changed: Bump, removed: Bump): Comparison =>
  (pair, changes) =>
    report(pair, pair.before === undefined ? added : pair.after === undefined ? removed : changed, name, changes)

/**
 * Compares an inner object by a table of its own. A value that is not an object counts as a breaking change, because it
 * may have been meant as a protection.
 */
export const within =
  (name: string, table: Members, others: Bump | Comparison): Comparison =>
  (pair, changes) => {
    const [before, after] = [asObject(pair.before), asObject(pair.after)]
    const odd = (pair.before !== undefined && before === undefined) || (pair.after !== undefined && after === undefined)
    if (odd) report(pair, 'major', name, changes)
    else compareMembers(before, after, table, others, changes)
  }

export function asObject(of: PlacedValue<unknown> | undefined): PlacedObject | undefined {
  return of !== undefined && isObject(of.value) ? { pointer: of.pointer, value: of.value } : undefined
}

/**
 * True when two JSON values of any depth are equal: numbers by value, objects regardless of the order of their members.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [x, y] = pair
    if (x === y) continue
    if (Array.isArray(x) && Array.isArray(y)) {
      if (x.length !== y.length) return false
      for (const [i, element] of x.entries()) pairs.push([element, y[i]])
    } else if (isObject(x) && isObject(y)) {
      const names = Object.keys(x)
      if (names.length !== Object.keys(y).length) return false
      for (const name of names) {
        if (!Object.hasOwn(y, name)) return false
        pairs.push([x[name], y[name]])
      }
    } else return false
  }
  return true
}

/** Compares lists of objects that are identified by their names. */
export function compareLists(
  word: string,
  before: readonly PlacedObject[],
  after: readonly PlacedObject[],
  table: Members,
  changes: Changes,
): void {
  const [old, now] = [byName(before), byName(after)]
  for (const [name, item] of old) {
    const same = now.get(name)
    if (same === undefined) changes.inOld('removed', 'major', item.pointer, `the ${word} ${quoted(name)} is gone`)
    else compareMembers(item, same, table, 'minor', changes)
  }
  for (const [name, { pointer }] of now) {
    if (!old.has(name)) changes.inNew('added', 'minor', pointer, `the ${word} ${quoted(name)} is new`)
  }
}

function byName(items: readonly PlacedObject[]): ReadonlyMap<string, PlacedObject> {
  const named = new Map<string, PlacedObject>()
  for (const item of items) {
    const name = textMember(item, 'name')
    if (name !== undefined) named.set(name.value, item)
  }
  return named
}
