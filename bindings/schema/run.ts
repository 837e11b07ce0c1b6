import { nameOf } from '../core/pattern-findings.ts'
import { type Dialect, type Place, pointerTo, ROOT, show } from './shapes.ts'
import type { SchemaError, SchemaLimits } from './types.ts'

/** A keyword at its place in a schema. */
export interface Source {
  readonly keyword: string
  readonly place: Place
  readonly document: string
  /** Its `schemaPointer` and how its errors read, found at the first one. */
  told?: { readonly pointer: string; readonly message: Message }
}

export interface Finding {
  readonly at: Place
  readonly source: Source
  readonly params: Readonly<Record<string, unknown>>
}

/** The nesting limit of schemas applied within each other; reaching it takes a third of the stack in Node. */
const MOST_DEPTH = 512

/** Thrown when checking stops early at a limit. */
export class Halt {
  readonly limit: 'errors' | 'steps' | 'depth'

  constructor(limit: Halt['limit']) {
    this.limit = limit
  }
}

/** One validation: its remaining budget and its findings. */
export class Run {
  steps: number
  depth = 0
  /** How deep in the value the current value is. */
  level = 0
  /** The level of the place visited last: its keys stay until another place is visited. */
  near = 0
  /** The entered resources, outermost first: the dynamic scope. */
  readonly scope: Resource[]
  #resource: Resource
  findings: Finding[] = []
  readonly #maxErrors: number
  /** The keys that lead to the current value, and as many places as findings have asked for. */
  readonly #keys: (string | number)[] = []
  #places: Place[] | undefined
  #placed = 0

  constructor(resource: Resource, maxSteps: number, maxErrors: number) {
    this.scope = [resource]
    this.#resource = resource
    this.steps = maxSteps
    this.#maxErrors = maxErrors
  }

  /** Records a finding at the current value; returns false, so that a failed check can return the result. */
  fail(source: Source, params: Readonly<Record<string, unknown>>, at = this.place()): false {
    this.findings.push({ at, source, params })
    if (this.findings.length >= this.#maxErrors) throw new Halt('errors')
    return false
  }

  /** Goes down to a member or element; the caller comes up again. */
  down(key: string | number): void {
    this.#keys[this.level] = key
    if (this.#placed > this.level) this.#placed = this.level
    this.near = ++this.level
  }

  /** The place of the current value, or of the one at another level. Made for findings only, and shared by them. */
  place(level = this.level): Place {
    this.#places ??= [ROOT]
    for (; this.#placed < level; this.#placed++) {
      this.#places[this.#placed + 1] = { parent: this.#places[this.#placed], key: this.#keys[this.#placed]! }
    }
    return this.#places[level]!
  }

  /** Runs a check and returns its findings without adding them to the others. */
  trial(check: () => boolean): readonly Finding[] {
    const { findings, depth } = this
    const entered = this.scope.length
    const resource = this.#resource
    const level = this.level
    this.findings = []
    try {
      check()
      return this.findings
    } catch (error) {
      if (!(error instanceof Halt && error.limit === 'errors')) throw error
      this.depth = depth
      this.scope.length = entered
      this.#resource = resource
      this.level = level
      return this.findings
    } finally {
      this.findings = findings
    }
  }

  /** Enters a resource; returns the previous one, or undefined when it is the same. */
  enter(resource: Resource): Resource | undefined {
    const outer = this.#resource
    if (outer === resource) return undefined
    this.scope.push(resource)
    this.#resource = resource
    return outer
  }

  leave(outer: Resource): void {
    this.scope.pop()
    this.#resource = outer
  }

  /** Charges work beyond the application of a schema to the budget. */
  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw new Halt('steps')
  }
}

/** A schema with its own URI: a document, or a part of one that has an `$id`. */
export class Resource {
  readonly uri: string
  readonly root: unknown
  /** Its place in the document. */
  readonly place: Place
  /** The URI of the document; empty for the caller's own schema. */
  readonly document: string
  readonly anchors = new Map<string, { readonly schema: unknown; readonly place: Place }>()
  readonly dynamicAnchors = new Set<string>()
  readonly dialect: Dialect
  /** The compiled nodes. A schema belongs to one resource only, unless the caller uses one object in several places. */
  readonly nodes = new Map<unknown, Node>()

  constructor(uri: string, root: unknown, place: Place, document: string, dialect: Dialect) {
    this.uri = uri
    this.root = root
    this.place = place
    this.document = document
    this.dialect = dialect
  }
}

/**
 * Checks a value against a keyword; returns true when it passes. When it `tells`, it reports every fault and continues;
 * otherwise it stops at the first fault. `marks`, if given, collect what was evaluated.
 */
// biome-ignore lint/suspicious/noExplicitAny: which kind a value is of was decided by which list the check stands in
export type Check = (value: any, tells: boolean, marks: Marks | undefined, run: Run) => boolean

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

  /** Checks a member or element of the current value. */
  checkPart(key: string | number, value: unknown, tells: boolean, run: Run): boolean {
    run.steps -= this.weight
    if (run.steps < 0) throw new Halt('steps')
    if (!tells) return this.#apply(value, false, undefined, run)
    run.down(key)
    const passed = this.#apply(value, true, undefined, run)
    run.level--
    return passed
  }

  check(value: unknown, tells: boolean, marks: Marks | undefined, run: Run): boolean {
    run.steps -= this.weight
    if (run.steps < 0) throw new Halt('steps')
    if (tells) run.near = run.level
    return this.#apply(value, tells, marks, run)
  }

  #apply(value: unknown, tells: boolean, marks: Marks | undefined, run: Run): boolean {
    const kind = kindOf(value)
    let passed = (this.types >> kind) & 1 ? true : this.#isWhole(value) || this.#failType(value, tells, run)
    const checks = this.#checks[kind]!
    if (checks.length === 0 || (!passed && !tells)) return passed
    if (++run.depth > MOST_DEPTH) throw new Halt('depth')
    const outer = run.enter(this.resource)
    const inner = this.tracks ? new Marks() : marks
    for (let i = 0; i < checks.length; i++) {
      if (checks[i]!(value, tells, inner, run)) continue
      passed = false
      if (!tells) break
    }
    run.depth--
    if (outer !== undefined) run.leave(outer)
    if (this.tracks && marks !== undefined) marks.add(inner!, run)
    return passed
  }

  #isWhole(value: unknown): boolean {
    return (this.types & INTEGER) !== 0 && Number.isInteger(value)
  }

  #failType(value: unknown, tells: boolean, run: Run): boolean {
    if (!tells) return false
    const expected = NAMES.filter((_, i) => (this.types >> i) & 1)
    if (this.types & INTEGER) expected.push('integer')
    return run.fail(this.typeSource!, { expected, actual: NAMES[kindOf(value)] ?? typeof value })
  }
}

/** The members and elements of one value that schemas have evaluated; `unevaluated...` skips them. */
export class Marks {
  readonly #names = new Set<string>()
  #allNames = false
  /** The number of leading elements that were evaluated. */
  #items = 0
  readonly #places = new Set<number>()

  name(name: string): void {
    this.#names.add(name)
  }

  allNames(): void {
    this.#allNames = true
  }

  items(count: number): void {
    this.#items = Math.max(this.#items, count)
  }

  item(index: number): void {
    this.#places.add(index)
  }

  hasName(name: string): boolean {
    return this.#allNames || this.#names.has(name)
  }

  hasItem(index: number): boolean {
    return index < this.#items || this.#places.has(index)
  }

  add(other: Marks, run: Run): void {
    run.spend((other.#names.size + other.#places.size) >> 1)
    for (const name of other.#names) this.#names.add(name)
    for (const index of other.#places) this.#places.add(index)
    this.#allNames ||= other.#allNames
    this.items(other.#items)
  }
}

export declare namespace CompiledSchema {
  type Error = SchemaError
  type Limits = SchemaLimits
}

/** A schema that checks values, made by `compileSchema`. */
export class CompiledSchema {
  readonly #root: Node

  /** @internal */
  constructor(root: Node) {
    this.#root = root
  }

  /**
   * The errors of a value; none when it is valid. A check that stops at a limit reports an error whose keyword is
   * `limit`, so that no value passes unchecked.
   *
   * @example
   * schema.validate({ city: 7 })[0]?.message // 'expected string, found number'
   *
   * @throws {RangeError} when an option is not a whole number above 0.
   */
  validate(value: unknown, options: SchemaLimits = {}): SchemaError[] {
    const maxErrors = positive('maxErrors', options.maxErrors ?? 100)
    const maxSteps = positive('maxSteps', options.maxSteps ?? 1_000_000)
    const run = new Run(this.#root.resource, maxSteps, maxErrors)
    try {
      if (this.#root.check(value, true, undefined, run)) return []
    } catch (error) {
      if (!(error instanceof Halt)) throw error
      const { limit } = error
      const source = { keyword: 'limit', place: this.#root.place, document: '' }
      if (limit !== 'errors') run.findings.push({ at: run.place(run.near), source, params: { limit } })
    }
    return run.findings.map(toError)
  }
}

function positive(name: string, value: unknown): number {
  if (Number.isInteger(value) && (value as number) > 0) return value as number
  throw new RangeError(
    `${name}: expected a whole number above 0, got ${typeof value === 'number' ? value : nameOf(value)}`,
  )
}

// biome-ignore lint/suspicious/noExplicitAny: each message knows the parameters of its keyword
type Message = (params: any) => string

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
const missing: Message = ({ name, because }) => `the member ${show(name)} is missing, which ${show(because)} asks for`
/** The message for a schema that is `false`. */
const notAllowed: Message = ({ name }) =>
  typeof name !== 'string' ? 'nothing is allowed here' : `the member ${show(name)} is not allowed here`

const MESSAGES: Readonly<Record<string, Message>> = {
  type: ({ expected, actual }) => `expected ${expected.join(' or ')}, found ${actual}`,
  const: ({ allowed, actual }) => `expected ${show(allowed)}, found ${show(actual)}`,
  enum: ({ allowed, actual }) => `expected one of ${allowed.slice(0, 10).map(show).join(', ')}, found ${show(actual)}`,
  multipleOf: ({ limit, actual }) => `expected a multiple of ${limit}, found ${actual}`,
  maximum: ({ limit, actual }) => `expected ${limit} at the most, found ${actual}`,
  exclusiveMaximum: ({ limit, actual }) => `expected less than ${limit}, found ${actual}`,
  minimum: ({ limit, actual }) => `expected ${limit} at the least, found ${actual}`,
  exclusiveMinimum: ({ limit, actual }) => `expected more than ${limit}, found ${actual}`,
  maxLength: ({ limit, actual }) => `expected ${plural(limit, 'character')} at the most, found ${actual}`,
  minLength: ({ limit, actual }) => `expected ${plural(limit, 'character')} at the least, found ${actual}`,
  pattern: ({ pattern, actual }) => `expected a text that matches ${show(pattern)}, found ${show(actual)}`,
  maxItems: ({ limit, actual }) => `expected ${plural(limit, 'element')} at the most, found ${actual}`,
  minItems: ({ limit, actual }) => `expected ${plural(limit, 'element')} at the least, found ${actual}`,
  uniqueItems: ({ first, second }) => `elements ${first} and ${second} are equal`,
  contains: () => 'no element is of the wanted kind',
  minContains: ({ limit, actual }) => `expected ${limit} elements of a kind at the least, found ${actual}`,
  maxContains: ({ limit, actual }) => `expected ${limit} elements of a kind at the most, found ${actual}`,
  required: ({ name }) => `the member ${show(name)} is missing`,
  maxProperties: ({ limit, actual }) => `expected ${plural(limit, 'member')} at the most, found ${actual}`,
  minProperties: ({ limit, actual }) => `expected ${plural(limit, 'member')} at the least, found ${actual}`,
  dependentRequired: missing,
  dependencies: missing,
  propertyNames: ({ name }) => `${show(name)} is not a name that a member may have here`,
  anyOf: ({ branches }) => `fits none of ${branches} alternatives`,
  oneOf: ({ branches, passing }) =>
    passing.length === 0
      ? `fits none of ${branches} alternatives`
      : `fits alternatives ${passing.join(' and ')}, where one is wanted`,
  not: () => 'fits what it must not fit',
  limit: ({ limit }) => `checking ended: ${limit === 'depth' ? 'too deep' : 'too much work'}`,
}

/** Converts a finding to the form for callers. */
function toError({ at, source, params }: Finding): SchemaError {
  const { keyword, place, document } = source
  source.told ??= {
    pointer: document === '' ? pointerTo(place) : `${document}#${pointerTo(place)}`,
    message: MESSAGES[keyword] ?? notAllowed,
  }
  const { pointer, message } = source.told
  return { instancePointer: pointerTo(at), schemaPointer: pointer, keyword, params, message: message(params) }
}

// Compares values as JSON Schema requires (core section 4.2.2): numbers by value, members in any order.

type Members = Readonly<Record<string, unknown>>

/** True when two values are equal. */
export function equal(a: unknown, b: unknown, run: Run, depth = 0): boolean {
  // Engines compare texts of one length to their first difference.
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) run.spend(a.length >> 9)
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (depth > MOST_DEPTH) throw new Halt('depth')
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a)) {
    const other = b as readonly unknown[]
    run.spend(a.length)
    return a.length === other.length && a.every((item, i) => equal(item, other[i], run, depth + 1))
  }
  const [names, others] = [Object.keys(a), Object.keys(b)]
  run.spend(names.length + others.length)
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(b, name) && equal((a as Members)[name], (b as Members)[name], run, depth + 1))
  )
}

/** A text that is the same for equal values and differs for unequal ones. */
export function fingerprint(value: unknown, run: Run, depth = 0): string {
  run.spend(1)
  if (typeof value === 'string') return quote(value, run)
  if (typeof value !== 'object' || value === null) return `${value}`
  if (depth > MOST_DEPTH) throw new Halt('depth')
  if (Array.isArray(value)) return paid(`[${value.map((item) => fingerprint(item, run, depth + 1)).join()}]`, run)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${quote(name, run)}:${fingerprint((value as Members)[name], run, depth + 1)}`)
  return paid(`{${members.join()}}`, run)
}

function quote(text: string, run: Run): string {
  run.spend(text.length >> 6)
  return JSON.stringify(text)
}

/** Each level copies the texts of those below. */
function paid(text: string, run: Run): string {
  run.spend(text.length >> 6)
  return text
}
