/** The part of `version` that a change has to move (ADL 5.5): MAJOR: breaking, MINOR: new capabilities, PATCH: fixes, docs. */
export type Bump = 'major' | 'minor' | 'patch'

/** `widened`: more is granted than before, or less protected; `narrowed`: the other way round. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'widened' | 'narrowed'

/** Something that means something else in the new document. */
export interface Change {
  readonly kind: ChangeKind
  /** The part of the definition that changed: `permissions`, `tools`, `lifecycle` ... */
  readonly area: string
  /** The value that is concerned, and in which of the documents it stands. */
  readonly pointer: string
  readonly document: 'old' | 'new'
  readonly detail: string
  /** True when those who rely on the agent, or granted it something, have to look again. The bump is `major` then. */
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

  /** The same list, for another area. */
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
