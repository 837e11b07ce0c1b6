import { visible } from '../text/hidden.ts'
import { escapeToken } from '../text/members.ts'
import { cut } from '../text/words.ts'

/** A value's place in a document, as the path that leads to it. Pointers are written only for reports. */
export interface Place {
  readonly parent: Place | undefined
  readonly key: string | number
}

export const ROOT: Place = { parent: undefined, key: '' }

/** The place of a member or element; undefined when places are not tracked. */
export function below(at: Place | undefined, key: string | number): Place | undefined {
  return at === undefined ? undefined : { parent: at, key }
}

/** The JSON Pointer of a place. */
export function pointerTo(place: Place): string {
  let pointer = ''
  for (let { parent, key } = place; parent !== undefined; { parent, key } = parent) {
    pointer = `/${escapeToken(String(key))}${pointer}`
  }
  return pointer
}

/** The most characters of a value that a message shows. */
const LONGEST = 60

/** Formats an untrusted value for a message. */
export function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  const text = typeof value === 'string' ? JSON.stringify(cut(value, LONGEST + 1)) : String(value)
  return text.length > LONGEST + 2 ? `${visible(cut(text, LONGEST))}…` : visible(text)
}
