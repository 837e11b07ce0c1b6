// Tables of places: which member of a run or step stands where in another format. The same table serves both ways.
import { escapeToken, isObject, isText, type JsonObject, valueAt } from '../../text/members.ts'
import type { LossOutcome, LossReport, LossRow } from '../formats.ts'
import { child, type MutableObject, put } from '../json.ts'

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

/** Forms that hold values of any type in an object of a record, and the member that a bare value is held in. */
const HOLDERS: Readonly<Record<string, string>> = { any: 'value', fault: 'message' }

/** A value of a run in the form of another format; undefined when it does not have that form. */
function outward(form: string, value: unknown): unknown {
  if (form === 'wrapped') return isHeld(value, 'value') ? outward('text', value['value']) : undefined
  if (form === 'object') return isObject(value) && Object.keys(value).length > 0 ? value : undefined
  if (form === 'text') return isText(value) && value !== '' ? value : undefined
  const holder = HOLDERS[form]
  if (holder !== undefined)
    return isHeld(value, holder) && isBare(form, value[holder]) ? value[holder] : outward('object', value)
  return typeof value === 'number' && value >= 0 && (form === 'number' || Number.isSafeInteger(value))
    ? value
    : undefined
}

/** The value of a run that `outward` made this of. */
function inward(form: string, value: unknown): unknown {
  if (form === 'wrapped') return isText(value) && value !== '' ? { value } : undefined
  const holder = HOLDERS[form]
  if (holder === undefined) return outward(form, value)
  return isBare(form, value) ? { [holder]: value } : outward('object', value)
}

const isHeld = (value: unknown, holder: string): value is JsonObject =>
  isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, holder)

const isBare = (form: string, value: unknown) =>
  form === 'fault' ? isText(value) : value !== undefined && value !== null && !isObject(value)

/** Part of a run or step in another format. */
interface Expression {
  readonly made: MutableObject
  /** What has no place there. */
  readonly rest: MutableObject | undefined
}

/**
 * Writes a run or step by a table. `added` has values that the format requires; a value that is the same stays in the
 * rest, so that reading can leave out what was added.
 */
export function express(
  of: JsonObject,
  branch: Branch,
  { account, target, kind = '', added = {} }: ExpressOptions,
): Expression {
  const made: MutableObject = {}
  const take = (places: readonly PlacedRow[], value: unknown) => {
    const place = places.find(({ when }) => when === undefined || when.includes(kind))
    const inForm = place && outward(place.as ?? 'text', value)
    if (inForm === undefined || inForm === valueAt(added, place!.to)) return false
    account.count(place!.moved)
    return fillAt(made, place!.to.slice(1).split('/'), inForm)
  }
  return { rest: spread(of, branch, take, carriedTo(account, target)), made }
}

interface ExpressOptions {
  readonly account: Account
  /** Where the rest goes; undefined when it is dropped. */
  readonly target: string | undefined
  readonly kind?: string
  readonly added?: JsonObject
}

/** Reads what `express` wrote into a run or step, which has its rest. */
export function takeBack(
  from: unknown,
  rows: readonly PlacedRow[],
  into: MutableObject,
  { account, kind = '', added = {} }: Omit<ExpressOptions, 'target'>,
): void {
  for (const { when, to, as = 'text', path, moved } of rows) {
    const value = valueAt(from, to)
    if ((when !== undefined && !when.includes(kind)) || value === undefined || value === valueAt(added, to)) continue
    if (fillAt(into, path, inward(as, value))) account.note('renamed', moved.target!, 'under its name', moved.pointer)
  }
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

// The account of a conversion of runs. Its rows are patterns: a record with 10,000 steps has as many rows as one with two.

/** Counts what became of the values of a source, by patterns of their places. */
export class Account {
  readonly #counts = new Map<LossRow, number>()
  readonly #rows = new Map<string, LossRow>()

  /** Counts a value under a row that the caller keeps: the fastest way. */
  count(row: LossRow): void {
    this.#counts.set(row, (this.#counts.get(row) ?? 0) + 1)
  }

  note(outcome: LossOutcome, pointer: string, detail: string, target?: string): void {
    const key = `${outcome} ${pointer} ${target} ${detail}`
    let row = this.#rows.get(key)
    if (row === undefined) {
      const from = outcome === 'added' ? {} : { pointer }
      row = { ...from, ...(target !== undefined && { target }), outcome, detail }
      this.#rows.set(key, row)
    }
    this.count(row)
  }

  /** The rows, additions last. */
  get report(): LossReport {
    const rows = Array.from(this.#counts, ([row, count]) => ({ ...row, count }))
    return [...rows.filter(({ outcome }) => outcome !== 'added'), ...rows.filter(({ outcome }) => outcome === 'added')]
  }
}
