// Words of messages: expectations, and the values found.

import { visible } from './hidden.ts'
import { isObject } from './members.ts'

/** The most UTF-16 units of foreign text that a message shows. */
const LONGEST = 60

/** At most so many UTF-16 units of a text, and no half of a character at its end: strict readers of JSON take none. */
export function cut(text: string, most: number): string {
  return text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text
}

/** Foreign text in single quotes, shortened when it is long. */
export function quoted(text: string): string {
  return `'${visible(text.length > LONGEST ? `${cut(text, LONGEST)}…` : text)}'`
}

/** The value that came, for "found ...". */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty string' : `the string ${quoted(value)}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (isObject(value)) return 'an object'
  return typeof value === 'number' ? `the number ${value}` : String(value)
}

/** `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** The names of types, for sentences. */
export function typeNames(types: readonly string[]): string {
  return oneOf(types.map((type) => `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`))
}

/** `systemPrompt` and `system-prompt` become `system_prompt`. */
export function snakeCase(name: string): string {
  return name
    .slice(0, LONGEST)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s]+/g, '_')
    .toLowerCase()
}

/** `supported_interfaces` and `supported-interfaces` become `supportedInterfaces`, as ProtoJSON spells the names of proto. */
export function camelCase(name: string): string {
  // The letter is optional: a run of separators without one would be tried from each of them.
  return name.replace(/[_-]+([a-z0-9]?)/g, (found, letter: string) => (letter === '' ? found : letter.toUpperCase()))
}

/** `Invoice agent` becomes `invoice-agent`, for addresses; what has no letter that fits becomes `otherwise`. */
export function slug(name: string, otherwise: string): string {
  const words = name.normalize('NFKD').toLowerCase()
  const text = words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  return text === '' ? otherwise : text
}

/** True when a text has more code points than `most`; it is not read further than that. */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false
  if (text.length > 2 * most) return true
  let count = 0
  for (const _ of text) if (++count > most) return true
  return false
}

/** The member that a pointer names, as sentences begin with it. */
export function nameAt(pointer: string): string {
  if (pointer === '') return 'The document'
  const [last, before] = pointer.split('/').reverse()
  return /^\d+$/.test(last!) && before !== undefined ? `Item ${last} of '${before}'` : `Member '${last}'`
}
