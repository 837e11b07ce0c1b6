// Reads the values that a caller passes: each part is read once, and every refusal names the field.
import { isObject } from '../../text/members.ts'

const MOST_TEXT = 2000

export const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value

export function readObject(value: unknown, field: string): object {
  if (!isObject(value)) throw new TypeError(`${field}: expected an object, got ${typeName(value)}`)
  return value
}

/** A member, possibly inherited: templates may be instances of classes. */
export function read(from: object, name: string, field: string): unknown {
  try {
    return (from as Record<string, unknown>)[name]
  } catch (cause) {
    throw new TypeError(`${field}.${name}: reading it threw`, { cause })
  }
}

export function readText(
  value: unknown,
  field: string,
  wanted: string,
  holds: (text: string) => boolean = (text) => text.trim() !== '',
): string {
  if (typeof value !== 'string') throw new TypeError(`${field}: expected ${wanted}, got ${typeName(value)}`)
  if (value.length <= MOST_TEXT && holds(value)) return value
  throw new RangeError(`${field}: expected ${wanted}, got ${JSON.stringify(value.slice(0, 80))}`)
}

/** The elements of an array, at most `most`; an absent array has none. */
export function readList<Item>(
  value: unknown,
  field: string,
  most: number,
  readItem: (item: unknown, field: string) => Item,
): readonly Item[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new TypeError(`${field}: expected an array, got ${typeName(value)}`)
  const { length } = value
  if (length > most) throw new RangeError(`${field}: expected at most ${most} of them, got ${length}`)
  const items: Item[] = []
  for (let i = 0; i < length; i++) items.push(readItem(read(value, String(i), field), `${field}[${i}]`))
  return Object.freeze(items)
}
