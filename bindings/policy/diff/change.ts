import type { Diagnostic } from '../../document/types.ts'

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
