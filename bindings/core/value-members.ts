/**
 * Converts JavaScript values as JSON.stringify does: toJSON methods, boxed values, members, and refusals.
 * @module
 */
import { Refusal } from './value-refusal.ts'

/**
 * The value to serialize for an object: the object itself, the result of its toJSON, or the value in a box. A toJSON
 * result of any type passes.
 */
export function resolve(value: object, name: string): unknown {
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
export function sortNames(names: string[]): string[] {
  if (names.length > FEW) return names.sort()
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!
    let j = i
    for (; j > 0 && name < names[j - 1]!; j--) names[j] = names[j - 1]!
    names[j] = name
  }
  return names
}
