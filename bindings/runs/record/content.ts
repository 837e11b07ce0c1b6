// The content of lines: any value becomes JSON of bounded size.
import { parse } from '../../document/parse.ts'
import { isObject, type JsonObject } from '../../text/members.ts'
import { digestOfBytes } from './subject.ts'

/** A line has 1 MB, and the longest one holds an input, an output and an error. */
const MOST_VALUE = 300_000
/** A line has 64 levels, the first five of which are those of the step. */
const MOST_DEPTH = 56

/** The mark for a value that does not fit a line. */
const OMITTED = 'adp.omitted'

/** Any value as JSON. A mark with its digest stands for one that is too large, too deep, or not JSON. */
export function fitToJson(value: unknown): unknown {
  if (value === undefined) return undefined
  const copy = smallCopy(value)
  if (copy !== undefined) return copy
  const text = jsonText(value)
  if (text === undefined) return { [OMITTED]: 'not JSON' }
  const bytes = new TextEncoder().encode(text)
  const { document } = bytes.length > MOST_VALUE ? {} : parse(bytes, { maxDepth: MOST_DEPTH })
  return document === undefined ? { [OMITTED]: digestOfBytes(bytes), bytes: bytes.length } : document.value
}

/** What `smallCopy` takes: even if each unit is an escape or a number, its text is shorter than `MOST_VALUE`. */
const SMALL = { units: 8192, depth: 8 }

/** A copy of a small value that is JSON as it is, which saves writing and reading it. Undefined for any other. */
function smallCopy(value: unknown): unknown {
  let units = SMALL.units
  const copyOf = (part: unknown, depth: number): unknown => {
    units -= typeof part === 'string' ? part.length + 1 : 1
    if (units < 0) return undefined
    if (typeof part === 'string') return part.isWellFormed() ? part : undefined
    if (typeof part === 'number') return Number.isFinite(part) ? part : undefined
    if (typeof part === 'boolean' || part === null) return part
    if (typeof part !== 'object' || depth === SMALL.depth || 'toJSON' in part) return undefined
    if (Array.isArray(part)) {
      const items: unknown[] = []
      // A proxy may report any length.
      for (let i = 0; i < part.length; i++) {
        const item = copyOf(part[i], depth + 1)
        if (item === undefined) return undefined
        items.push(item)
      }
      return items
    }
    if (Object.getPrototypeOf(part) !== Object.prototype) return undefined
    const members: Record<string, unknown> = {}
    for (const name of Object.keys(part)) {
      units -= name.length
      const own = copyOf((part as JsonObject)[name], depth + 1)
      if (own === undefined || name === '__proto__' || !name.isWellFormed()) return undefined
      members[name] = own
    }
    return members
  }
  try {
    return copyOf(value, 0)
  } catch {
    return undefined
  }
}

/** Undefined for functions, cycles, and values whose getters throw. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return String(part)
      return typeof part === 'string' ? part.toWellFormed() : part
    })
  } catch {
    return undefined
  }
}

/** Any value as a text of bounded size. */
export function fittedText(value: unknown): string {
  const text = typeof value === 'string' ? value.toWellFormed() : (jsonText(value) ?? 'not JSON')
  return text.length <= MOST_VALUE / 3 ? text : `${OMITTED}:${digestOfBytes(new TextEncoder().encode(text))}`
}

/** A value where a record has an object: another value is wrapped. */
export function asObject(value: unknown): { readonly value: JsonObject | undefined; readonly isWrapped: boolean } {
  const plain = fitToJson(value)
  const isWrapped = plain !== undefined && !isObject(plain)
  return { value: isWrapped ? { value: plain } : (plain as JsonObject | undefined), isWrapped }
}

/** What a record says of anything that was thrown. */
export function errorOf(error: unknown): JsonObject {
  if (error instanceof Error) return { name: fittedText(error.name), message: fittedText(error.message) }
  return isObject(error) ? asObject(error).value! : { message: fittedText(error) }
}
