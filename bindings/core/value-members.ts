/**
 * What JavaScript's values are in JSON: methods toJSON, boxed values, members, and what is refused.
 * @module
 */
import { Refusal } from './value-refusal.ts'

/** What stands for an object: itself, what its toJSON gives, or the value in a box; undefined, null and others pass. */
export function resolve(value: object, name: string): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON !== 'function') return unbox(value)
  // A Buffer has one, which would pass off bytes of JSON, given by mistake, as an object.
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

/** What an object says it is: `Object`, also for instances of classes and objects of other realms, `Map`, `Promise` ... */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

/** Up to so many names, a sort by insertion beats the engine's. */
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
