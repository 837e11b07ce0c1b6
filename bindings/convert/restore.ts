// Restores carried members. A document may have been edited since they were put there.
import { isObject, isText, type JsonObject, member, type PlacedObject, type PlacedValue } from '../text/members.ts'
import { escapeToken } from '../text/pointer.ts'
import { quoted } from '../text/words.ts'
import { equal, type MutableObject, put } from './json.ts'
import type { Ledger } from './ledger.ts'

/** Adds the members of `carried` to a definition; existing members stay. */
export function restore(ledger: Ledger, carried: PlacedValue<JsonObject>, into: MutableObject, target = ''): void {
  const names = Object.keys(carried.value)
  if (names.length === 0) ledger.implied(carried.pointer, 'has nothing in it')
  for (const name of names) {
    const token = `/${escapeToken(name)}`
    const value = carried.value[name]
    const place: PlacedValue<unknown> = { pointer: carried.pointer + token, value }
    if (Object.hasOwn(into, name)) merge(ledger, place, into[name], target + token)
    else {
      put(into, name, value)
      ledger.moved(place.pointer, target + token, 'put back where it came from')
    }
  }
}

function merge(ledger: Ledger, carried: PlacedValue<unknown>, there: unknown, target: string): void {
  const { value, pointer } = carried
  const isSchema = SCHEMAS.test(target)
  if (equal(value, there)) ledger.implied(pointer, 'said by the rest as well', target)
  else if (isObject(value) && isObject(there) && !isSchema)
    restore(ledger, { pointer, value }, there as MutableObject, target)
  else if (Array.isArray(value) && Array.isArray(there) && !there.some(isText))
    mergeNamed(ledger, { pointer, value }, there, target)
  else ledger.dropped(pointer, `contradicts what became of it at ${target}`)
}

/** A schema is one or the other: put together of two, it would be neither. */
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
      ledger.moved(pointer, `${target}/${there.length}`, 'put back where it came from')
      there.push(element)
    }
  }
}

/**
 * What is carried, without the entries of a list that are not shown: somebody has taken them out since, or calls them
 * something else. `isWhole` tells those that never were.
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
  // In place of an entry stays nothing, so that the others keep their pointers.
  const shown = list.map((entry, i) => {
    const called = nameOf(entry)
    if (!called || there.has(called) || isWhole(entry)) return entry
    ledger.dropped(`${carried.pointer}/${name}/${i}`, `nothing is shown that is called ${quoted(called)}`)
    into[name] ??= []
    return undefined
  })
  return { ...carried, value: { ...carried.value, [name]: shown } }
}

function nameOf(element: unknown): string | undefined {
  const name = isObject(element) ? member(element, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}
