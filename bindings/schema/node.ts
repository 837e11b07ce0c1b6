import { Marks } from './marks.ts'
import type { Place } from './place.ts'
import type { Resource } from './resource.ts'
import { Halt, MOST_DEPTH, type Run, type Source } from './run.ts'

/**
 * Checks a value against a keyword; returns true when it passes. With a place, it reports every fault and continues;
 * without one, it stops at the first fault. `marks`, if given, collect what was evaluated.
 */
// biome-ignore lint/suspicious/noExplicitAny: which kind a value is of was decided by which list the check stands in
export type Check = (value: any, at: Place | undefined, marks: Marks | undefined, run: Run) => boolean

const NULL = 0
const BOOLEAN = 1
export const NUMBER = 2
export const STRING = 3
export const ARRAY = 4
export const OBJECT = 5
/** Anything that JSON cannot represent. */
const OTHER = 6
const KINDS = 7

export const NAMES = ['null', 'boolean', 'number', 'string', 'array', 'object']
export const ANY = (1 << KINDS) - 1
/** Additional bit: accept whole numbers only. */
export const INTEGER = 1 << KINDS

function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'number':
      return NUMBER
    case 'boolean':
      return BOOLEAN
    case 'object':
      return value === null ? NULL : Array.isArray(value) ? ARRAY : OBJECT
    default:
      return OTHER
  }
}

const NO_CHECKS: readonly Check[] = []

/** A compiled schema: the kinds of values it accepts, and the checks for each kind. */
export class Node {
  readonly schema: unknown
  readonly resource: Resource
  readonly place: Place
  /** Other nodes that apply to the same value. */
  readonly inPlace: Node[] = []
  /** The cost of checking one value. */
  weight = 1
  /** True when a keyword depends on what the others evaluated. */
  tracks = false
  types = ANY
  typeSource: Source | undefined
  readonly #checks: (readonly Check[])[] = new Array(KINDS).fill(NO_CHECKS)

  constructor(schema: unknown, resource: Resource, place: Place) {
    this.schema = schema
    this.resource = resource
    this.place = place
  }

  /** Adds a check for values of some kinds, after the existing ones. */
  add(kinds: number, check: Check): void {
    for (let kind = 0; kind < KINDS; kind++) {
      if ((kinds >> kind) & 1) this.#checks[kind] = [...this.#checks[kind]!, check]
    }
  }

  check(value: unknown, at: Place | undefined, marks: Marks | undefined, run: Run): boolean {
    run.steps -= this.weight
    if (run.steps < 0) throw new Halt('steps')
    if (at !== undefined) run.near = at
    const kind = kindOf(value)
    let passed = (this.types >> kind) & 1 ? true : this.#isWhole(value) || this.#failType(value, at, run)
    const checks = this.#checks[kind]!
    if (checks.length === 0 || (!passed && at === undefined)) return passed
    if (++run.depth > MOST_DEPTH) throw new Halt('depth')
    const outer = run.enter(this.resource)
    const inner = this.tracks ? new Marks() : marks
    for (let i = 0; i < checks.length; i++) {
      if (checks[i]!(value, at, inner, run)) continue
      passed = false
      if (at === undefined) break
    }
    run.depth--
    if (outer !== undefined) run.leave(outer)
    if (this.tracks && marks !== undefined) marks.add(inner!, run)
    return passed
  }

  #isWhole(value: unknown): boolean {
    return (this.types & INTEGER) !== 0 && Number.isInteger(value)
  }

  #failType(value: unknown, at: Place | undefined, run: Run): boolean {
    if (at === undefined) return false
    const expected = NAMES.filter((_, i) => (this.types >> i) & 1)
    if (this.types & INTEGER) expected.push('integer')
    return run.fail(at, this.typeSource!, { expected, actual: NAMES[kindOf(value)] ?? typeof value })
  }
}
