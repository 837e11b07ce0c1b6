// Restores carried members. A document may have been edited since they were put there.
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
import { equal, type MutableObject, put } from './json.ts'
import type { Ledger } from './ledger.ts'

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
    const name = nameOf(element)
    if (name !== undefined && !places.has(name)) places.set(name, i)
  }
  for (const [i, element] of carried.value.entries()) {
    if (element === undefined) continue
    const pointer = `${carried.pointer}/${i}`
    const at = places.get(nameOf(element) ?? Number.NaN)
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
  const there = new Set(Array.isArray(into[name]) ? into[name].map(nameOf) : [])
  // A removed entry leaves a gap, so that the others keep their pointers.
  const shown = list.map((entry, i) => {
    const called = nameOf(entry)
    if (!called || there.has(called) || isWhole(entry)) return entry
    ledger.dropped(`${carried.pointer}/${name}/${i}`, `no entry has the name ${quoted(called)} any more`)
    into[name] ??= []
    return undefined
  })
  return { ...carried, value: { ...carried.value, [name]: shown } }
}

function nameOf(element: unknown): string | undefined {
  const name = isObject(element) ? member(element, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}
