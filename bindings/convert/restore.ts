// Restores carried members.
import { isObject, type JsonObject, member, type Placed } from '../text/members.ts'
import { escapeToken } from '../text/pointer.ts'
import { equal, type Made, put } from './json.ts'
import type { Ledger } from './ledger.ts'

/** Adds the members of `carried` to a definition; existing members stay. */
export function restore(ledger: Ledger, carried: Placed<JsonObject>, into: Made, target = ''): void {
  const names = Object.keys(carried.value)
  if (names.length === 0) ledger.implied(carried.pointer, 'has nothing in it')
  for (const name of names) {
    const token = `/${escapeToken(name)}`
    const value = carried.value[name]
    const place: Placed<unknown> = { pointer: carried.pointer + token, value }
    if (Object.hasOwn(into, name)) merge(ledger, place, into[name], target + token)
    else {
      put(into, name, value)
      ledger.moved(place.pointer, target + token, 'put back where it came from')
    }
  }
}

function merge(ledger: Ledger, carried: Placed<unknown>, there: unknown, target: string): void {
  const { value, pointer } = carried
  if (equal(value, there)) ledger.implied(pointer, 'said by the rest as well', target)
  else if (isObject(value) && isObject(there)) restore(ledger, { pointer, value }, there as Made, target)
  else if (Array.isArray(value) && Array.isArray(there)) mergeNamed(ledger, { pointer, value }, there, target)
  else ledger.dropped(pointer, `contradicts what became of it at ${target}`)
}

/** Elements are matched by their names. */
function mergeNamed(ledger: Ledger, carried: Placed<readonly unknown[]>, there: unknown[], target: string): void {
  const places = new Map<unknown, number>()
  for (const [i, element] of there.entries()) {
    const name = nameOf(element)
    if (name !== undefined && !places.has(name)) places.set(name, i)
  }
  for (const [i, element] of carried.value.entries()) {
    const pointer = `${carried.pointer}/${i}`
    const at = places.get(nameOf(element) ?? Number.NaN)
    if (at !== undefined) merge(ledger, { pointer, value: element }, there[at], `${target}/${at}`)
    else {
      ledger.moved(pointer, `${target}/${there.length}`, 'put back where it came from')
      there.push(element)
    }
  }
}

function nameOf(element: unknown): string | undefined {
  const name = isObject(element) ? member(element, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}
