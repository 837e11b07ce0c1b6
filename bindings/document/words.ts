// Words of messages: what was found, what was expected.

import { visible } from './hidden.ts'
import { isObject } from './members.ts'

/** UTF-16 units of a text that messages show. */
const LONGEST = 60

/** Text of a stranger within single quotes, cut when long. */
export function quoted(text: string): string {
  // A pair of surrogates is not cut in two.
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : text
  return `'${visible(cut)}'`
}

/** What came, for "found ...". */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty string' : `the string ${quoted(value)}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (isObject(value)) return 'an object'
  return typeof value === 'number' ? `the number ${value}` : String(value)
}

/** `a, b or c` */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** Names of types as they stand in sentences. */
export function typeNames(types: readonly string[]): string {
  return oneOf(types.map((type) => `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`))
}

/** `systemPrompt`, `system-prompt`: `system_prompt`. */
export function snakeCase(name: string): string {
  return name
    .slice(0, LONGEST)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s]+/g, '_')
    .toLowerCase()
}
