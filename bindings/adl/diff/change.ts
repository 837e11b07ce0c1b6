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
