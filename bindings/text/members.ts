// Reads members of an untrusted document: only own members, and only those of the expected type.

/** An untrusted JSON object: its members may have any name and any value. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A value with its place. */
export interface PlacedValue<Value> {
  readonly pointer: string
  readonly value: Value
}

export type PlacedObject = PlacedValue<JsonObject>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value itself, if it is an object; otherwise one without members. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The object's own member, or undefined: a document may have members such as `__proto__`. */
export function member(object: JsonObject | undefined, name: string): unknown {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined
}

/** The member, or the member inside it, of any type. */
export function valueIn(of: PlacedObject | undefined, name: string, inner?: string): unknown {
  const value = member(of?.value, name)
  return inner === undefined ? value : member(objectOf(value), inner)
}

/** The text of the member, or of the member inside it. */
export function textIn(of: PlacedObject | undefined, name: string, inner?: string): string | undefined {
  const value = valueIn(of, name, inner)
  return typeof value === 'string' ? value : undefined
}

/** The member, or the member inside it, if it is an object. */
export function objectMember(of: PlacedObject | undefined, name: string, inner?: string): PlacedObject | undefined {
  const value = member(of?.value, name)
  if (!isObject(value)) return undefined
  const object = { pointer: `${of!.pointer}/${escapeToken(name)}`, value }
  return inner === undefined ? object : objectMember(object, inner)
}

/** The member, or the member inside it, if it is a string. */
export function textMember(
  of: PlacedObject | undefined,
  name: string,
  inner?: string,
): PlacedValue<string> | undefined {
  if (inner !== undefined) return textMember(objectMember(of, name), inner)
  const value = member(of?.value, name)
  return typeof value === 'string' ? { pointer: `${of!.pointer}/${escapeToken(name)}`, value } : undefined
}

/** The members that are objects, with their names. */
export function objectsIn(of: PlacedObject | undefined): readonly (PlacedObject & { readonly name: string })[] {
  return Object.entries(of?.value ?? {}).flatMap(([name, value]) =>
    isObject(value) ? [{ name, value, pointer: `${of!.pointer}/${escapeToken(name)}` }] : [],
  )
}

/** The texts that objects of a list have under a name. */
export function textsOf(list: readonly PlacedObject[], name: string): readonly PlacedValue<string>[] {
  const found: PlacedValue<string>[] = []
  for (const of of list) {
    const text = textMember(of, name)
    if (text !== undefined) found.push(text)
  }
  return found
}

/** The places that have the key of an earlier one, each with the first of them. */
export function repetitions<Place>(
  places: readonly Place[],
  keyOf: (place: Place) => unknown,
): readonly (readonly [place: Place, first: Place])[] {
  if (places.length < 2) return NONE
  const firsts = new Map<unknown, Place>()
  return places.flatMap((place) => {
    const first = firsts.get(keyOf(place))
    if (first !== undefined) return [[place, first] as const]
    firsts.set(keyOf(place), place)
    return []
  })
}

/** A copy of an object that lacks some members. */
export const without = (object: JsonObject | undefined, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => !names.includes(name)))

const NONE: readonly never[] = []

/** The elements of an array member that `is` accepts; empty when the member is not an array. */
export function elements<Value>(
  of: PlacedObject | undefined,
  name: string,
  is: (value: unknown) => value is Value,
): readonly PlacedValue<Value>[] {
  const list = member(of?.value, name)
  if (!Array.isArray(list)) return NONE
  const found: PlacedValue<Value>[] = []
  const base = `${of!.pointer}/${escapeToken(name)}`
  for (let i = 0; i < list.length; i++) {
    const value: unknown = list[i]
    if (is(value)) found.push({ pointer: `${base}/${i}`, value })
  }
  return found
}

export const isText = (value: unknown): value is string => typeof value === 'string'

/** The value that a pointer refers to; undefined when it does not exist. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of parsePointer(pointer) ?? []) {
    value = Array.isArray(value) ? value[Number(token)] : member(isObject(value) ? value : undefined, token)
  }
  return value
}

/** Escapes one reference token for a JSON Pointer (RFC 6901 section 3). */
export function escapeToken(token: string): string {
  return isPlain(token) ? token : token.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Names are short, and a loop over a short one takes less time than two searches. */
const SHORT = 32

function isPlain(token: string): boolean {
  if (token.length > SHORT) return !token.includes('~') && !token.includes('/')
  for (let i = 0; i < token.length; i++) {
    const unit = token.charCodeAt(i)
    if (unit === 0x7e || unit === 0x2f) return false
  }
  return true
}

/**
 * The tokens of a JSON Pointer (RFC 6901 section 3), unescaped; undefined when it is malformed.
 *
 * @example
 * parsePointer('/a~1b/0') // ['a/b', '0']
 */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (pointer[0] !== '/') return undefined
  const tokens = pointer.slice(1).split('/')
  if (!pointer.includes('~')) return tokens
  if (/~(?![01])/.test(pointer)) return undefined
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * The JSON Pointer of a list of member names and array indices.
 *
 * @example
 * formatPointer(['a/b', 0]) // '/a~1b/0'
 */
export function formatPointer(tokens: readonly (string | number)[]): string {
  let pointer = ''
  for (const token of tokens) pointer += `/${escapeToken(String(token))}`
  return pointer
}

/** The array index that a token denotes (RFC 6901 section 4: no leading zeros), or -1. */
export function arrayIndex(token: string): number {
  return /^(0|[1-9]\d*)$/.test(token) ? Number(token) : -1
}
