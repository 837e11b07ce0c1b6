import {
  escapeToken,
  isObject,
  isText,
  type JsonObject,
  member,
  type PlacedObject,
  type PlacedValue,
} from '../text/members.ts'
import { quoted } from '../text/words.ts'
import type { ConvertOptions, LossRow } from './formats.ts'
import { equal, levelsOf, type MutableObject, put, ResultView } from './json.ts'

/** Takes values that the target has no members for. */
export interface Carrier {
  /** Its place, as a JSON Pointer into the target. */
  readonly target: string
  /** Set if it holds everything as one string: values inside have no place of their own. */
  readonly opaque?: true
  take(residue: unknown): void
}

/** The parts of a source to carry, their destinations, and the parts to leave behind. */
export interface Baggage {
  /**
   * Carriers by the pointer of the part that they take; the innermost one counts. Without carriers, nothing is carried.
   */
  readonly carriers: ReadonlyMap<string, Carrier>
  readonly withheld: readonly Withheld[]
  /** The reason for dropping everything without a carrier. */
  readonly homeless: string
}

/** A member to leave behind, and the reason. */
interface Withheld {
  /** Names of members; `*` stands for every element of an array. */
  readonly path: readonly string[]
  readonly why: string
}

/** A row of one step. */
export interface StepRow extends LossRow {
  /** For a value without its own place: the place in the target that expresses it, `''` for the whole target. */
  readonly by?: string | undefined
}

interface ShownValue {
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
 * Accounts for a conversion. A converter reports what it uses; everything else is carried or dropped here, so that no
 * member of the source can be forgotten.
 */
export class Ledger {
  readonly #source: unknown
  readonly #claimed = new Map<string, StepRow>()
  readonly #shownValues = new Map<string, ShownValue>()
  /** Pointers with reports below them. */
  readonly #above = new Set<string>()
  readonly #added: LossRow[] = []
  readonly #rows: StepRow[] = []
  #result = new ResultView(undefined)
  #deepest = Number.POSITIVE_INFINITY

  constructor(source: unknown) {
    this.#source = source
  }

  /** The target has the value and can give it back exactly. */
  moved(pointer: string, target: string, detail?: string): void {
    const same = lastToken(pointer) === lastToken(target)
    this.#claim({
      pointer,
      target,
      outcome: same ? 'kept' : 'renamed',
      detail: detail ?? (same ? 'as it is' : 'renamed'),
    })
  }

  /** The target has the value in another form and can give it back exactly. */
  rewritten(pointer: string, target: string, detail: string): void {
    this.#claim({ pointer, target, outcome: 'renamed', detail })
  }

  /** The target has less of the value, or something else instead. */
  changed(pointer: string, target: string, detail: string): void {
    this.#claim({ pointer, target, outcome: 'changed', detail })
  }

  /** The value says nothing that the target does not express `by` another place, or nothing about the agent. */
  implied(pointer: string, detail: string, by?: string): void {
    const target = this.#shownValues.get(pointer)?.target
    this.#claim({ pointer, ...(target !== undefined && { target }), outcome: 'kept', detail, by })
  }

  dropped(pointer: string, detail: string): void {
    this.#claim({ pointer, outcome: 'dropped', detail })
  }

  /**
   * The target shows the value but may not give it back exactly. It is also carried if there is a carrier; otherwise it
   * is `changed`, unless it can be read there.
   */
  shown(
    pointer: string,
    target: string,
    detail = 'in the words of the target',
    outcome: ShownValue['outcome'] = 'renamed',
  ): void {
    if (this.#shownValues.has(pointer)) return
    this.#shownValues.set(pointer, { target, detail, outcome })
    this.#mark(pointer)
  }

  added(target: string, detail: string): void {
    this.#added.push({ target, outcome: 'added', detail })
  }

  /** The outcome for another file of the source's folder. */
  file(file: string, detail: string, target?: string, outcome: LossRow['outcome'] = 'dropped'): void {
    this.#added.push({ file, outcome, detail, ...(target !== undefined && { target }) })
  }

  /** True while nothing has been reported about the value or a part of it. */
  isOpen(pointer: string): boolean {
    return !this.#claimed.has(pointer) && !this.#above.has(pointer)
  }

  /**
   * Carries or drops everything left, and drops what would be too deep for the target. Returns the rows in the order of
   * the source, followed by additions.
   */
  close(baggage: Baggage, made: unknown, deepest: number): readonly StepRow[] {
    this.#result = new ResultView(made)
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

  /** Returns the part of a value to carry. `home` is its place in the target; undefined if nothing is carried. */
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

  /** Carries or drops a value as a whole, if nothing was reported in it. */
  #whole(value: unknown, path: readonly string[], pointer: string, to: Home | undefined, baggage: Baggage): unknown {
    const shown = this.#shownValues.get(pointer)
    const withheld = baggage.withheld.find((candidate) => isWithin(path, candidate.path))
    const isTooDeep = to !== undefined && levelsAt(to) + levelsOf(value) > this.#deepest
    if (to !== undefined && withheld === undefined && !isTooDeep) {
      const also = shown === undefined || !this.#result.has(shown.target) ? '' : `; also at ${shown.target}`
      this.#rows.push({ pointer, target: to.pointer, outcome: 'renamed', detail: `carried along${also}` })
      return value
    }
    if (shown === undefined || !this.#result.has(shown.target)) {
      const why = isTooDeep ? `deeper than ${this.#deepest} levels in the target` : baggage.homeless
      this.#rows.push({ pointer, outcome: 'dropped', detail: withheld?.why ?? why })
    } else {
      const outcome = this.#result.shows(value, shown.target) ? shown.outcome : 'changed'
      this.#rows.push({ pointer, ...shown, outcome })
    }
    return NOTHING
  }
}

/** The number of containers around a place; none for a place inside a string. */
const levelsAt = ({ pointer, opaque }: Home) => (opaque ? Number.NEGATIVE_INFINITY : pointer.split('/').length - 1)

const lastToken = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1)

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** True if `inner` is `outer` or inside it. */
function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.length <= inner.length && outer.every((name, i) => inner[i] === name)
}

/** True if some parts below are withheld, but not all. */
function concerns({ withheld }: Baggage, path: readonly string[]): boolean {
  return withheld.some((candidate) => candidate.path.length > path.length && isWithin(candidate.path, path))
}

/** Array elements are matched by name, so a carried one keeps its name even if the target also has it. */
function withName(rest: unknown, element: unknown): unknown {
  const name = member(isObject(element) ? element : undefined, 'name')
  return isObject(rest) && typeof name === 'string' && !Object.hasOwn(rest, 'name') ? { name, ...rest } : rest
}

/** The URI of the A2A extension whose params are the members of a definition that the card cannot express. */
export const EXTENSION = 'urn:uuid:323e6474-8c7b-46c2-8e4e-6f56ce7ab347'
/** The member of `_meta` with the same content in MCP. */
export const META = 'blazon/adl'
/** The same for Agent Cards: the extension whose params are members of a card, and the member of `_meta`. */
export const CARD_EXTENSION = 'urn:uuid:0ee4ef8f-37f4-4cef-ab3d-4f5c8b63f571'
export const CARD_META = 'blazon/card'

/** The member of a definition that keeps the members of an AgentLang agent without a counterpart. */
export const AGENT = 'x_agentlang'

const REVEALS = "may be private (ADL 18.4, 18.9); carry: 'all' includes it"
const SIGNED = "covers the whole definition, but not the result; carry: 'all' includes it"

/** Members that are carried only on request. */
const WITHHELD: readonly Withheld[] = [
  { path: ['system_prompt'], why: REVEALS },
  { path: ['prompts'], why: REVEALS },
  { path: ['provider', 'contact'], why: REVEALS },
  { path: ['metadata', 'authors'], why: REVEALS },
  { path: ['permissions'], why: REVEALS },
  { path: [AGENT, 'permissions'], why: REVEALS },
  { path: [AGENT, 'constraints'], why: REVEALS },
  { path: ['resources', '*', 'uri'], why: REVEALS },
  { path: ['security', 'attestation'], why: SIGNED },
]

/** Exceptions of a format to what is withheld. */
interface Exceptions {
  /** Members of the definition that the format always publishes. */
  readonly published?: readonly string[]
  readonly more?: readonly Withheld[]
}

/** The baggage of a definition, in a format with room for unknown members. */
export function definitionBaggage(
  { carry = 'public' }: ConvertOptions,
  carriers: readonly (readonly [pointer: string, carrier: Carrier])[],
  homeless: string,
  { published = [], more = [] }: Exceptions = {},
): Baggage {
  if (carry === 'nothing') return { carriers: new Map(), withheld: [], homeless }
  const withheld = WITHHELD.filter(({ path }) => !published.includes(path[0]!))
  return { carriers: new Map(carriers), withheld: carry === 'all' ? [] : [...withheld, ...more], homeless }
}

const VOUCHES = "covers the source, but not the result; carry: 'all' includes it"

/** The baggage of a document without secrets: everything except signatures, which do not cover the result. */
export function openBaggage(
  { carry = 'public' }: ConvertOptions,
  carriers: readonly (readonly [string, Carrier])[],
  homeless: string,
  more: readonly Withheld[] = [],
): Baggage {
  if (carry === 'nothing') return { carriers: new Map(), withheld: [], homeless }
  const withheld = [...['signatures', 'signature'].map((name) => ({ path: [name], why: VOUCHES })), ...more]
  return { carriers: new Map(carriers), withheld: carry === 'all' ? [] : withheld, homeless }
}

/** The baggage of another format in a definition. */
export function foreignBaggage(options: ConvertOptions, carriers: readonly (readonly [string, Carrier])[]): Baggage {
  return openBaggage(options, carriers, 'an agent definition has no member for it')
}

// Restores carried members. A document may have been edited since they were put there.

/** Adds the members of `carried` to a definition; existing members stay. */
export function restore(ledger: Ledger, carried: PlacedValue<JsonObject>, into: MutableObject, target = ''): void {
  const names = Object.keys(carried.value)
  if (names.length === 0) ledger.implied(carried.pointer, 'is empty')
  for (const name of names) {
    const token = `/${escapeToken(name)}`
    const value = carried.value[name]
    const place: PlacedValue<unknown> = { pointer: carried.pointer + token, value }
    if (Object.hasOwn(into, name)) merge(ledger, place, into[name], target + token)
    else {
      put(into, name, value)
      ledger.moved(place.pointer, target + token, 'put back in its place')
    }
  }
}

function merge(ledger: Ledger, carried: PlacedValue<unknown>, there: unknown, target: string): void {
  const { value, pointer } = carried
  const isSchema = SCHEMAS.test(target)
  if (equal(value, there)) ledger.implied(pointer, 'follows from the rest', target)
  else if (isObject(value) && isObject(there) && !isSchema)
    restore(ledger, { pointer, value }, there as MutableObject, target)
  else if (Array.isArray(value) && Array.isArray(there) && !there.some(isText))
    mergeNamed(ledger, { pointer, value }, there, target)
  else ledger.dropped(pointer, `contradicts the value at ${target}`)
}

/** Schemas are not merged: the result would be neither of the two. */
const SCHEMAS = /\/(?:parameters|returns|arguments|(?:in|out)put_schema)$/

/** Elements are matched by their names. */
function mergeNamed(ledger: Ledger, carried: PlacedValue<readonly unknown[]>, there: unknown[], target: string): void {
  const places = new Map<unknown, number>()
  for (const [i, element] of there.entries()) {
    const name = nameOfElement(element)
    if (name !== undefined && !places.has(name)) places.set(name, i)
  }
  for (const [i, element] of carried.value.entries()) {
    if (element === undefined) continue
    const pointer = `${carried.pointer}/${i}`
    const at = places.get(nameOfElement(element) ?? Number.NaN)
    if (at !== undefined) merge(ledger, { pointer, value: element }, there[at], `${target}/${at}`)
    else {
      ledger.moved(pointer, `${target}/${there.length}`, 'put back in its place')
      there.push(element)
    }
  }
}

/**
 * The carried members without list entries that the document no longer shows: somebody removed or renamed those since.
 * `isWhole` is true for entries that were never shown.
 */
export function shownOf(
  ledger: Ledger,
  carried: PlacedObject,
  name: string,
  into: MutableObject,
  isWhole = (_entry: JsonObject) => false,
): PlacedObject {
  const list = member(carried.value, name)
  if (!Array.isArray(list)) return carried
  const there = new Set(Array.isArray(into[name]) ? into[name].map(nameOfElement) : [])
  // A removed entry leaves a gap, so that the others keep their pointers.
  const shown = list.map((entry, i) => {
    const called = nameOfElement(entry)
    if (!called || there.has(called) || isWhole(entry)) return entry
    ledger.dropped(`${carried.pointer}/${name}/${i}`, `no entry has the name ${quoted(called)} any more`)
    into[name] ??= []
    return undefined
  })
  return { ...carried, value: { ...carried.value, [name]: shown } }
}

function nameOfElement(element: unknown): string | undefined {
  const name = isObject(element) ? member(element, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}
