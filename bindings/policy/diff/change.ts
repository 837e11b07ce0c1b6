import type { Diagnostic } from '../../document/types.ts'
import { visible } from '../../text/hidden.ts'
import { escapeToken, isObject, type PlacedObject, type PlacedValue, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'

/**
 * The part of `version` that a change must move (ADL 5.5). MAJOR: breaking; MINOR: new capabilities; PATCH: fixes and
 * docs.
 */
export type Bump = 'major' | 'minor' | 'patch'

/** `widened`: more is granted than before, or less is protected. `narrowed`: the opposite. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'widened' | 'narrowed'

/** A difference in meaning between the two documents. */
export interface Change {
  readonly kind: ChangeKind
  /** The part of the definition that changed: `permissions`, `tools`, `lifecycle` ... */
  readonly area: string
  /** The place of the changed value, and the document that it is in. */
  readonly pointer: string
  readonly document: 'old' | 'new'
  readonly detail: string
  /** True when users of the agent, or those who granted it something, need to review it. The bump is then `major`. */
  readonly breaking: boolean
  readonly bump: Bump
}

const RANK: Readonly<Record<Bump, number>> = { patch: 1, minor: 2, major: 3 }

/** The greater of two bumps. */
export function greater(a: Bump | undefined, b: Bump | undefined): Bump | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return RANK[a] >= RANK[b] ? a : b
}

/** Collects the changes of one area. */
export class Changes {
  readonly list: Change[]
  readonly #area: string

  constructor(area: string, list: Change[] = []) {
    this.#area = area
    this.list = list
  }

  /** The same list for another area. */
  area(name: string): Changes {
    return new Changes(name, this.list)
  }

  inNew(kind: ChangeKind, bump: Bump, pointer: string, detail: string): void {
    this.#add(kind, bump, 'new', pointer, detail)
  }

  inOld(kind: ChangeKind, bump: Bump, pointer: string, detail: string): void {
    this.#add(kind, bump, 'old', pointer, detail)
  }

  #add(kind: ChangeKind, bump: Bump, document: 'old' | 'new', pointer: string, detail: string): void {
    this.list.push({ kind, area: this.#area, pointer, document, detail, breaking: bump === 'major', bump })
  }
}

export interface Diff {
  readonly changes: readonly Change[]
  /**
   * The findings of reading both documents, those of the old one first. An unreadable document is a breaking change.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/** The verdict on a new version number: `enough` if it moved as far as the changes require (ADL 5.5). */
export interface VersionCheck {
  readonly from: string | undefined
  readonly to: string | undefined
  /** The part that moved; undefined when the version stayed the same, went back, or cannot be read. */
  readonly moved: Bump | undefined
  /** The least bump that the changes require; undefined when there are no changes. */
  readonly needed: Bump | undefined
  readonly enough: boolean
  /** The findings of reading both, the old one first. With an error among them, no movement is enough. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The verdict on the version numbers of two documents with these differences. */
export function versionCheck(
  from: string | undefined,
  to: string | undefined,
  { changes, diagnostics }: Diff,
): VersionCheck {
  const [old, now] = [numbers(from), numbers(to)]
  const moved = old && now && movement(old, now)
  const most = changes.reduce<Bump | undefined>((most, { bump }) => greater(most, bump), undefined)
  const needed = most && stepFrom(from, most)
  const enough = needed === undefined || (moved !== undefined && greater(moved, needed) === moved)
  return { from, to, moved, needed, enough, diagnostics }
}

/** The part of a version that a change must move: while the major version is 0, the minor one takes its place. */
export function stepFrom(version: string | undefined, bump: Bump): Bump {
  return bump === 'major' && numbers(version)?.[0] === 0 ? 'minor' : bump
}

type Numbers = readonly [major: number, minor: number, patch: number]

function numbers(version: string | undefined): Numbers | undefined {
  const match = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(version ?? '')
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])]
}

/** Finds the first number that differs; undefined when it became smaller. */
function movement(before: Numbers, after: Numbers): Bump | undefined {
  for (const [i, bump] of (['major', 'minor', 'patch'] as const).entries()) {
    if (after[i]! !== before[i]!) return after[i]! > before[i]! ? bump : undefined
  }
  return undefined
}

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
    const pair = { before: placed(before, name), after: placed(after, name) }
    if (isEqual(pair.before?.value, pair.after?.value)) continue
    const known = Object.hasOwn(table, name) ? table[name] : name.startsWith('x_') ? 'patch' : others
    if (typeof known === 'function') known(pair, changes, name)
    else if (known !== undefined) report(pair, known, name, changes)
  }
}

function placed(of: PlacedObject | undefined, name: string): PlacedValue<unknown> | undefined {
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
