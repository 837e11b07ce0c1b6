import { isObject, member } from '../document/members.ts'
import { escapeToken } from '../document/pointer.ts'
import type { LossRow } from './types.ts'

/** Takes what has no member in the target. */
export interface Carrier {
  /** Where it goes, as a JSON Pointer into the target. */
  readonly target: string
  /** It goes as one text: nothing within has a place of its own. */
  readonly opaque?: true
  take(residue: unknown): void
}

/** What is carried, where to, and what is not. */
export interface Baggage {
  /** By the pointer of what they carry; the innermost one counts. None: nothing is carried. */
  readonly carriers: ReadonlyMap<string, Carrier>
  readonly withheld: readonly Withheld[]
  /** Why everything is left behind that nothing carries. */
  readonly homeless: string
}

/** A member that is left behind, and why. */
export interface Withheld {
  /** Names; `*` stands for every element of an array. */
  readonly path: readonly string[]
  readonly why: string
}

interface Told {
  readonly target: string
  readonly detail: string
  readonly outcome: 'renamed' | 'changed'
}

/** Where what is carried will stand. */
interface Home {
  readonly pointer: string
  readonly opaque: boolean
}

const within = (home: Home | undefined, token: string): Home | undefined =>
  home === undefined || home.opaque ? home : { pointer: `${home.pointer}/${token}`, opaque: false }

const NOTHING = Symbol('nothing')

/**
 * Keeps account of a conversion: a converter says what it takes over, and everything else is carried or dropped here, so
 * that nothing of the source can be forgotten.
 */
export class Ledger {
  readonly #source: unknown
  readonly #claimed = new Map<string, LossRow>()
  readonly #told = new Map<string, Told>()
  /** Pointers below which something was claimed or told. */
  readonly #above = new Set<string>()
  readonly #added: LossRow[] = []
  readonly #rows: LossRow[] = []

  constructor(source: unknown) {
    this.#source = source
  }

  /** The target has it, so that it can be given back exactly. */
  moved(pointer: string, target: string, detail?: string): void {
    const same = lastToken(pointer) === lastToken(target)
    this.#claim({
      pointer,
      target,
      outcome: same ? 'kept' : 'renamed',
      detail: detail ?? (same ? 'as it is' : 'renamed'),
    })
  }

  /** The target has it in another form, out of which it can be given back exactly. */
  rewritten(pointer: string, target: string, detail: string): void {
    this.#claim({ pointer, target, outcome: 'renamed', detail })
  }

  /** The target has less of it, or something else in its place. */
  changed(pointer: string, target: string, detail: string): void {
    this.#claim({ pointer, target, outcome: 'changed', detail })
  }

  /** It says nothing that the target does not say elsewhere. */
  implied(pointer: string, detail: string): void {
    const target = this.#told.get(pointer)?.target
    this.#claim({ pointer, ...(target !== undefined && { target }), outcome: 'kept', detail })
  }

  dropped(pointer: string, detail: string): void {
    this.#claim({ pointer, outcome: 'dropped', detail })
  }

  /** The target shows it, but not so that it can be given back: it is carried as well, where something carries it. */
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

  /** Whether nothing was said of it yet, nor of anything in it. */
  isOpen(pointer: string): boolean {
    return !this.#claimed.has(pointer) && !this.#above.has(pointer)
  }

  /** Carries or drops what is left. The rows are in the order of the source, then what was added. */
  close(baggage: Baggage): readonly LossRow[] {
    for (const pointer of baggage.carriers.keys()) this.#mark(pointer)
    this.#settle(this.#source, [], '', undefined, baggage)
    return [...this.#rows, ...this.#added]
  }

  #claim(row: LossRow & { readonly pointer: string }): void {
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

  /** Gives what is to be carried of a value; `home` is where that will stand, undefined where nothing is carried. */
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

  /** A value that nobody claimed anything of: it goes along or stays behind as one. */
  #whole(value: unknown, path: readonly string[], pointer: string, to: Home | undefined, baggage: Baggage): unknown {
    const told = this.#told.get(pointer)
    const withheld = baggage.withheld.find((candidate) => isWithin(path, candidate.path))
    if (to !== undefined && withheld === undefined) {
      const also = told === undefined ? '' : `; also at ${told.target}`
      this.#rows.push({ pointer, target: to.pointer, outcome: 'renamed', detail: `carried along${also}` })
      return value
    }
    if (told === undefined) this.#rows.push({ pointer, outcome: 'dropped', detail: withheld?.why ?? baggage.homeless })
    else this.#rows.push({ pointer, ...told })
    return NOTHING
  }
}

const lastToken = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1)

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** Whether `inner` is `outer` or within it. */
function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.length <= inner.length && outer.every((name, i) => inner[i] === name)
}

/** Whether something below is withheld, but not all. */
function concerns({ withheld }: Baggage, path: readonly string[]): boolean {
  return withheld.some((candidate) => candidate.path.length > path.length && isWithin(candidate.path, path))
}

/** Elements of arrays are found again by their names: what is carried of one has it, also when the target has it too. */
function withName(rest: unknown, element: unknown): unknown {
  const name = member(isObject(element) ? element : undefined, 'name')
  return isObject(rest) && typeof name === 'string' && !Object.hasOwn(rest, 'name') ? { name, ...rest } : rest
}
