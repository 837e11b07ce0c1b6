// Tables of places: which member of a run or step stands where in another format. The same table serves both ways.
import { isObject, type JsonObject } from '../../text/members.ts'
import { escapeToken } from '../../text/pointer.ts'
import { child, type MutableObject, put } from '../json.ts'
import type { LossRow } from '../types.ts'
import type { Account } from './account.ts'

/** A row of a table. */
export interface Place {
  /** The member, as a JSON Pointer into the run or step. */
  readonly at: string
  /** The name in the other format, or a JSON Pointer. */
  readonly to: string
  /** Other names to read it from. */
  readonly also?: readonly string[]
  /** The form of the value; default text. */
  readonly as?: string
  /** True for content, which is only written on request. */
  readonly content?: boolean
  /** The kinds of steps that it is for; default all. */
  readonly when?: readonly string[]
}

/** The members of an object, each with its places or its own members. */
export interface Branch {
  readonly pointer: string
  readonly members: Map<string, Branch | readonly PlacedRow[]>
}

/** A place with its path and its row of the account. */
export interface PlacedRow extends Place {
  readonly path: readonly string[]
  readonly moved: LossRow
}

/** Prepares a table; `base` and `target` are the patterns of its places in the run and in the other format. */
export function placed(places: readonly Place[], base: string, target: string, names = ''): readonly PlacedRow[] {
  return places.map((place) => {
    const pointer = base + place.at
    const to = target + (place.to.startsWith('/') ? place.to : `${names}/${escapeToken(place.to)}`)
    return {
      ...place,
      path: place.at.slice(1).split('/'),
      moved: { pointer, target: to, outcome: 'renamed', detail: 'under the name of the format' },
    }
  })
}

/** The table as a tree of members. */
export function branchOf(rows: readonly PlacedRow[], base: string): Branch {
  const root: Branch = { pointer: base, members: new Map() }
  for (const row of rows) {
    let at = root
    for (const name of row.path.slice(0, -1)) {
      if (!at.members.has(name)) at.members.set(name, { pointer: `${at.pointer}/${name}`, members: new Map() })
      at = at.members.get(name) as Branch
    }
    const last = row.path.at(-1)!
    at.members.set(last, [...((at.members.get(last) as PlacedRow[] | undefined) ?? []), row])
  }
  return root
}

/**
 * Gives each member with a place to `write`; returns the members that have none, or that `write` refuses. `left` takes
 * the patterns of these.
 */
export function spread(
  value: JsonObject,
  { pointer, members }: Branch,
  write: (rows: readonly PlacedRow[], value: unknown) => boolean,
  left: (pointer: string) => void,
): MutableObject | undefined {
  let rest: MutableObject | undefined
  for (const name of Object.keys(value)) {
    const inner = value[name]
    const next = members.get(name)
    let kept = inner
    if (next !== undefined && 'members' in next && isObject(inner) && Object.keys(inner).length > 0) {
      kept = spread(inner, next, write, left)
    } else if (Array.isArray(next) && write(next, inner)) kept = undefined
    else left(`${pointer}/${escapeToken(name)}`)
    if (kept === undefined) continue
    rest ??= {}
    put(rest, name, kept)
  }
  return rest
}

/** True when a path has a value. */
export function hasAt(root: MutableObject, path: readonly string[]): boolean {
  let at: unknown = root
  for (const name of path) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return false
    at = at[name]
  }
  return true
}

/** Sets a path without a value, and creates the objects around it; returns false when there is nothing to set. */
export function fillAt(root: MutableObject, path: readonly string[], value: unknown): boolean {
  if (value === undefined || hasAt(root, path)) return false
  let at = root
  for (const name of path.slice(0, -1)) at = child(at, name)
  put(at, path.at(-1)!, value)
  return true
}

/** Counts what stays without a place: it is carried to a target, or dropped when there is no target. */
export const carriedTo = (account: Account, target: string | undefined) => (pointer: string) =>
  target === undefined
    ? account.note('dropped', pointer, 'has no name in the format')
    : account.note('renamed', pointer, 'carried along', target)
