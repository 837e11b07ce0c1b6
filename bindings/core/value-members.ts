/**
 * JavaScript values as JSON sees them: methods toJSON, boxed values, members, and refusals.
 * @module
 */
import { Refusal } from './value-refusal.ts'

/**
 * The value that stands for an object: itself, the result of its toJSON, or the value in a box; undefined, null and
 * others pass.
 */
export function resolve(value: object, name: string): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON !== 'function') return unbox(value)
  // A Buffer has a toJSON, which would turn bytes of JSON, given by mistake, into an object.
  if (ArrayBuffer.isView(value)) throw new Refusal('opaque', tagOf(value))
  const result: unknown = toJSON.call(value, name)
  return typeof result === 'object' && result !== null ? unbox(result) : result
}

/** As JSON.stringify does with boxed strings, numbers and booleans; containers are themselves. */
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

/** The tag of an object: `Object`, also for instances of classes and objects of other realms, `Map`, `Promise` ... */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

/** Up to this many names, insertion sort beats the engine's. */
const FEW = 20

/** Sorts names as RFC 8785 section 3.2.3 does: by UTF-16 code units, as JavaScript compares strings. */
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
