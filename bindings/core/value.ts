/**
 * RFC 8785: canonical bytes of values in memory.
 * @module
 */
import { DocumentError } from '../document/finding.ts'
import { formatPointer } from '../text/members.ts'
import { DEFAULT_DEPTH } from '../wasm/json.ts'
import { depthOf, type ReadOptions } from './json.ts'
import { type ValueFault, valueToDiagnostic } from './value-faults.ts'
import { Refusal, Writer } from './writer.ts'

/**
 * The canonical bytes of a value in memory. Follows JSON.stringify: calls `toJSON` and leaves out undefined members.
 * Refuses whatever JSON.stringify would silently drop or change.
 *
 * @example
 * new TextDecoder().decode(canonicalizeValue({ b: 1, a: [-0, 'é'] })) // '{"a":[0,"é"],"b":1}'
 *
 * @throws {DocumentError} when a part has no form in JSON, with the pointer to it and the reason; `cause` is the error
 * that a getter or `toJSON` threw.
 */
export function canonicalizeValue(value: unknown, options?: ReadOptions): Uint8Array<ArrayBuffer> {
  const maxDepth = depthOf(options) ?? DEFAULT_DEPTH
  const writer = new Writer()
  try {
    const fault = walk(value, maxDepth, writer)
    if (fault !== undefined) throw new DocumentError([valueToDiagnostic(fault)], { cause: fault.cause })
    return writer.result()
  } finally {
    writer.release()
  }
}

// Walks through a value with an explicit stack, so that only the limit bounds the depth.

const COMMA = 44
const COLON = 58
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

type Container = Readonly<Record<string | number, unknown>>

/** An open container. Levels are reused for later containers at the same depth. */
class Level {
  container: Container
  /** The sorted names of an object; undefined in an array. */
  names: readonly string[] | undefined
  /** The number of members or elements when the container was entered; later additions are ignored. */
  count = 1
  /** The index of the next one to visit. */
  next = 0
  /** True when a comma must precede the next one. */
  some = false

  constructor(container: Container) {
    this.container = container
  }
}

/** Writes the canonical form of a value; returns the fault if there is no such form. */
function walk(root: unknown, maxDepth: number, writer: Writer): ValueFault | undefined {
  const outermost = new Level([root] as unknown as Container)
  const levels = [outermost]
  let depth = 0
  let level = outermost
  try {
    for (;;) {
      const { names } = level
      const at = level.next
      if (at === level.count) {
        if (depth === 0) {
          writer.complete()
          return undefined
        }
        writer.byte(names === undefined ? CLOSE_ARRAY : CLOSE_OBJECT)
        level = levels[--depth]!
        continue
      }
      level.next = at + 1
      let value = level.container[names === undefined ? at : names[at]!]
      if (typeof value === 'object' && value !== null)
        value = resolve(value, depth === 0 ? '' : (names?.[at] ?? `${at}`))
      if (names !== undefined) {
        if (value === undefined) continue
        if (level.some) writer.byte(COMMA)
        writer.string(names[at]!)
        writer.byte(COLON)
      } else if (level.some) writer.byte(COMMA)
      level.some = true
      if (typeof value !== 'object' || value === null) {
        writeScalar(value, level, writer)
        continue
      }
      // A path through a cycle repeats itself, so it contains the container at the last power of two again. A single
      // comparison finds every cycle before the walk is four times as deep as necessary.
      if (depth > 0 && levels[1 << (31 - Math.clz32(depth))]!.container === value) throw new Refusal('cycle', '', value)
      if (depth === maxDepth) throw new Refusal('depth', `${maxDepth}`, value)
      level = levels[++depth] ??= new Level(value as Container)
      level.container = value as Container
      level.next = 0
      level.some = false
      if (Array.isArray(value)) {
        level.names = undefined
        // A proxy may report any length.
        level.count = value.length >>> 0
        writer.byte(OPEN_ARRAY)
      } else {
        const sorted = sortNames(Object.keys(value))
        level.names = sorted
        level.count = sorted.length
        writer.byte(OPEN_OBJECT)
      }
    }
  } catch (error) {
    return faultOf(error, levels.slice(1, depth + 1))
  }
}

function writeScalar(value: unknown, level: Level, writer: Writer): void {
  if (typeof value === 'string') writer.string(value)
  else if (typeof value === 'number') writer.number(value)
  else if (typeof value === 'boolean') writer.ascii(value ? 'true' : 'false')
  else if (value === null) writer.ascii('null')
  else if (value === undefined) throw new Refusal(level.next - 1 in level.container ? 'undefined' : 'hole')
  else throw new Refusal(typeof value as 'function' | 'symbol' | 'bigint')
}

/** The fault and its place; `open` are the containers around it. */
function faultOf(error: unknown, open: readonly Level[]): ValueFault {
  // Anything else can only be thrown by getters, toJSON methods and proxy traps.
  const refusal = error instanceof Refusal ? error : new Refusal('unreadable', '', error)
  const { reason, what, about } = refusal
  if (reason === 'size' || reason === 'memory') return { reason, pointer: '', what }
  const pointer = pointerTo(open)
  if (reason === 'unreadable') return { reason, pointer, what, cause: about }
  if (reason !== 'cycle' && reason !== 'depth') return { reason, pointer, what }
  const met = new Map<unknown, number>()
  for (const [i, container] of [...open.map(({ container }) => container), about].entries()) {
    const first = met.get(container)
    if (first !== undefined) {
      return { reason: 'cycle', pointer: pointerTo(open.slice(0, i)), what, first: pointerTo(open.slice(0, first)) }
    }
    met.set(container, i)
  }
  return { reason, pointer, what }
}

/** The pointer to the current value, from the position in each open container. */
function pointerTo(open: readonly Level[]): string {
  return formatPointer(open.flatMap(({ names, next }) => (next === 0 ? [] : [names?.[next - 1] ?? next - 1])))
}

// Converts JavaScript values as JSON.stringify does: toJSON methods, boxed values, members, and refusals.

/**
 * The value to serialize for an object: the object itself, the result of its toJSON, or the value in a box. A toJSON
 * result of any type passes.
 */
function resolve(value: object, name: string): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON !== 'function') return unbox(value)
  // Buffer has a toJSON, which would turn JSON bytes that were passed by mistake into an object.
  if (ArrayBuffer.isView(value)) throw new Refusal('opaque', tagOf(value))
  const result: unknown = toJSON.call(value, name)
  return typeof result === 'object' && result !== null ? unbox(result) : result
}

/** Unboxes strings, numbers and booleans, as JSON.stringify does; returns containers unchanged. */
function unbox(value: object): unknown {
  if (Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return value
  switch (tagOf(value)) {
    case 'Object':
      return value
    case 'String':
      return String(value)
    case 'Number':
      return Number(value)
    case 'Boolean':
      return Boolean.prototype.valueOf.call(value)
    case 'BigInt':
      throw new Refusal('bigint')
    default:
      throw new Refusal('opaque', tagOf(value))
  }
}

/** The tag of an object: `Map`, `Promise` ...; `Object` also for class instances and objects of other realms. */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

/** Up to this many names, insertion sort is faster than the engine's sort. */
const FEW = 20

/** Sorts names by UTF-16 code units, as RFC 8785 section 3.2.3 requires and JavaScript compares strings. */
function sortNames(names: string[]): string[] {
  if (names.length > FEW) return names.sort()
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!
    let j = i
    for (; j > 0 && name < names[j - 1]!; j--) names[j] = names[j - 1]!
    names[j] = name
  }
  return names
}
