import { isObject, member } from '../text/members.ts'
import { escapeToken } from '../text/pointer.ts'
import { ResultView } from './found.ts'
import { levelsOf } from './json.ts'
import type { LossRow } from './types.ts'

/** Takes values that the target has no member for. */
export interface Carrier {
  /** Its place, as a JSON Pointer into the target. */
  readonly target: string
  /** Set when it holds everything as one text: nothing within has a place of its own. */
  readonly opaque?: true
  take(residue: unknown): void
}

/** The part of a source to carry, its destination, and the part to leave behind. */
export interface Baggage {
  /** Carriers by the pointer of the part that they take; the innermost one counts. Without any, nothing is carried. */
  readonly carriers: ReadonlyMap<string, Carrier>
  readonly withheld: readonly Withheld[]
  /** The reason for leaving behind everything without a carrier. */
  readonly homeless: string
}

/** A member to leave behind, with the reason. */
export interface Withheld {
  /** Names of members; `*` stands for every element of an array. */
  readonly path: readonly string[]
  readonly why: string
}

/** A row of one step. */
export interface StepRow extends LossRow {
  /** For what has no place of its own: the place in the target that says the same, `''` for all of it. */
  readonly by?: string | undefined
}

interface Told {
  readonly target: string
  readonly detail: string
  readonly outcome: 'renamed' | 'changed'
}

/** The place of carried values in the target. */
interface Home {
  readonly pointer: string
  readonly opaque: boolean
}

const within = (home: Home | undefined, token: string): Home | undefined =>
  home === undefined || home.opaque ? home : { pointer: `${home.pointer}/${token}`, opaque: false }

const NOTHING = Symbol('nothing')

/**
 * Keeps account of a conversion: a converter reports what it uses, and everything else is carried or dropped here, so
 * that nothing of the source can be forgotten.
 */
export class Ledger {
  readonly #source: unknown
  readonly #claimed = new Map<string, StepRow>()
  readonly #told = new Map<string, Told>()
  /** Pointers with claims or reports below them. */
  readonly #above = new Set<string>()
  readonly #added: LossRow[] = []
  readonly #rows: StepRow[] = []
  #shown = new ResultView(undefined)
  #deepest = Number.POSITIVE_INFINITY

  constructor(source: unknown) {
    this.#source = source
  }

  /** The target has it and can give it back exactly. */
  moved(pointer: string, target: string, detail?: string): void {
    const same = lastToken(pointer) === lastToken(target)
    this.#claim({
      pointer,
      target,
      outcome: same ? 'kept' : 'renamed',
      detail: detail ?? (same ? 'as it is' : 'renamed'),
    })
  }

  /** The target has it in another form and can give it back exactly. */
  rewritten(pointer: string, target: string, detail: string): void {
    this.#claim({ pointer, target, outcome: 'renamed', detail })
  }

  /** The target has less of it, or something else in its place. */
  changed(pointer: string, target: string, detail: string): void {
    this.#claim({ pointer, target, outcome: 'changed', detail })
  }

  /** It says nothing that the target does not say `by` another place, or nothing of the agent at all. */
  implied(pointer: string, detail: string, by?: string): void {
    const target = this.#told.get(pointer)?.target
    this.#claim({ pointer, ...(target !== undefined && { target }), outcome: 'kept', detail, by })
  }

  dropped(pointer: string, detail: string): void {
    this.#claim({ pointer, outcome: 'dropped', detail })
  }

  /**
   * The target shows it and need not give it back: it is carried as well, if there is a carrier, and is changed otherwise
   * unless it can be read there.
   */
  told(
    pointer: string,
    target: string,
    detail = 'in the words of the target',
    outcome: Told['outcome'] = 'renamed',
  ): void {
    if (this.#told.has(pointer)) return
    this.#told.set(pointer, { target, detail, outcome })
    this.#mark(pointer)
  }

  added(target: string, detail: string): void {
    this.#added.push({ target, outcome: 'added', detail })
  }

  /** True while nothing has been reported about it or anything in it. */
  isOpen(pointer: string): boolean {
    return !this.#claimed.has(pointer) && !this.#above.has(pointer)
  }

  /**
   * Carries or drops everything left, and drops what would be deeper than the target may be. The rows are in the order of
   * the source, followed by additions.
   */
  close(baggage: Baggage, made: unknown, deepest: number): readonly StepRow[] {
    this.#shown = new ResultView(made)
    this.#deepest = deepest
    for (const pointer of baggage.carriers.keys()) this.#mark(pointer)
    this.#settle(this.#source, [], '', undefined, baggage)
    return [...this.#rows, ...this.#added]
  }

  #claim(row: StepRow & { readonly pointer: string }): void {
    this.#claimed.set(row.pointer, row)
    this.#mark(row.pointer)
  }

  #mark(pointer: string): void {
    for (let at = pointer.lastIndexOf('/'); at >= 0; at = pointer.lastIndexOf('/', at - 1)) {
      const parent = pointer.slice(0, at)
      if (this.#above.has(parent)) return
      this.#above.add(parent)
      if (at === 0) return
    }
  }

  /** Returns the part of a value to carry; `home` is its place in the target, undefined where nothing is carried. */
  #settle(value: unknown, path: readonly string[], pointer: string, home: Home | undefined, baggage: Baggage): unknown {
    const row = this.#claimed.get(pointer)
    if (row !== undefined) {
      this.#rows.push(row)
      return NOTHING
    }
    const carrier = baggage.carriers.get(pointer)
    const to = carrier === undefined ? home : { pointer: carrier.target, opaque: carrier.opaque === true }
    const residue = this.#residue(value, path, pointer, to, baggage)
    if (carrier === undefined) return residue
    if (residue !== NOTHING) carrier.take(residue)
    return NOTHING
  }

  #residue(value: unknown, path: readonly string[], pointer: string, to: Home | undefined, baggage: Baggage): unknown {
    const opened = path.length === 0 || this.#above.has(pointer) || concerns(baggage, path)
    if (!opened || !isContainer(value)) return this.#whole(value, path, pointer, to, baggage)
    if (Array.isArray(value)) {
      const list: unknown[] = []
      for (const [i, element] of value.entries()) {
        const rest = this.#settle(element, [...path, '*'], `${pointer}/${i}`, within(to, String(list.length)), baggage)
        if (rest !== NOTHING) list.push(withName(rest, element))
      }
      return list.length === 0 ? NOTHING : list
    }
    const entries: [string, unknown][] = []
    for (const [name, inner] of Object.entries(value)) {
      const token = escapeToken(name)
      const rest = this.#settle(inner, [...path, name], `${pointer}/${token}`, within(to, token), baggage)
      if (rest !== NOTHING) entries.push([name, rest])
    }
    return entries.length === 0 ? NOTHING : Object.fromEntries(entries)
  }

  /** A value without any claims is carried or left behind as a whole. */
  #whole(value: unknown, path: readonly string[], pointer: string, to: Home | undefined, baggage: Baggage): unknown {
    const told = this.#told.get(pointer)
    const withheld = baggage.withheld.find((candidate) => isWithin(path, candidate.path))
    const isTooDeep = to !== undefined && levelsAt(to) + levelsOf(value) > this.#deepest
    if (to !== undefined && withheld === undefined && !isTooDeep) {
      const also = told === undefined || !this.#shown.has(told.target) ? '' : `; also at ${told.target}`
      this.#rows.push({ pointer, target: to.pointer, outcome: 'renamed', detail: `carried along${also}` })
      return value
    }
    if (told === undefined || !this.#shown.has(told.target)) {
      const why = isTooDeep ? `deeper than ${this.#deepest} levels in the target` : baggage.homeless
      this.#rows.push({ pointer, outcome: 'dropped', detail: withheld?.why ?? why })
    } else {
      const outcome = this.#shown.shows(value, told.target) ? told.outcome : 'changed'
      this.#rows.push({ pointer, ...told, outcome })
    }
    return NOTHING
  }
}

/** The containers that a place is in; a text within has none. */
const levelsAt = ({ pointer, opaque }: Home) => (opaque ? Number.NEGATIVE_INFINITY : pointer.split('/').length - 1)

const lastToken = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1)

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** True when `inner` is `outer` or within it. */
function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.length <= inner.length && outer.every((name, i) => inner[i] === name)
}

/** True when something below is withheld, but not all. */
function concerns({ withheld }: Baggage, path: readonly string[]): boolean {
  return withheld.some((candidate) => candidate.path.length > path.length && isWithin(candidate.path, path))
}

/**
 * Elements of arrays are matched by their names, so what is carried of one has its name even if the target has it too.
 */
function withName(rest: unknown, element: unknown): unknown {
  const name = member(isObject(element) ? element : undefined, 'name')
  return isObject(rest) && typeof name === 'string' && !Object.hasOwn(rest, 'name') ? { name, ...rest } : rest
}
