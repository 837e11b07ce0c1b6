// Words for messages: what was expected, and what was found.
import { visible } from './hidden.ts'
import { isObject } from './members.ts'

/** The most UTF-16 units of untrusted text that a message shows. */
const LONGEST = 60

/**
 * Cuts a text to at most `most` UTF-16 units without splitting a surrogate pair, which strict JSON readers would
 * refuse.
 */
export function cut(text: string, most: number): string {
  return text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, '') : text
}

/** Quotes untrusted text in single quotes, shortened when it is long. */
export function quoted(text: string): string {
  return `'${visible(text.length > LONGEST ? `${cut(text, LONGEST)}…` : text)}'`
}

/** The end of a detail that suggests another word, if there is one. */
export const orMeant = (meant: string | undefined): string =>
  meant === undefined ? '' : `: did you mean ${quoted(meant)}?`

/** Describes a value for "found ...". */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty string' : `the string ${quoted(value)}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (isObject(value)) return 'an object'
  return typeof value === 'number' ? `the number ${value}` : String(value)
}

/** What a thrown value says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** The names of types for a sentence. */
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

/** `supported_interfaces` and `supported-interfaces` become `supportedInterfaces`, as ProtoJSON spells proto names. */
export function camelCase(name: string): string {
  // The letter is optional: otherwise a run of separators without a letter would be tried from each of them.
  return name.replace(/[_-]+([a-z0-9]?)/g, (found, letter: string) => (letter === '' ? found : letter.toUpperCase()))
}

/** `Invoice agent` becomes `invoice-agent`, for addresses; a name without usable letters becomes `otherwise`. */
export function slug(name: string, otherwise: string): string {
  const words = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const text = words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  return text === '' ? otherwise : text
}

/** True when a text has more than `most` code points; stops counting there. */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false
  if (text.length > 2 * most) return true
  let count = 0
  for (const _ of text) if (++count > most) return true
  return false
}

/** The member that a pointer refers to, for the start of a sentence. */
export function nameAt(pointer: string): string {
  if (pointer === '') return 'The document'
  const [last, before] = pointer.split('/').reverse()
  return /^\d+$/.test(last!) && before !== undefined ? `Item ${last} of '${before}'` : `Member '${last}'`
}

/**
 * Finds the word of `known` that was probably meant: one that begins with `word`, otherwise the nearest within two
 * edits (one edit for words of up to four letters). If several begin with it, the first one wins, unless another word
 * is a single edit away.
 */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const begun = known.filter((candidate) => word.length > 1 && candidate.startsWith(word))
  if (begun.length === 1) return begun[0]
  let best: string | undefined
  let least = word.length > 4 ? 3 : 2
  for (const candidate of known) {
    const edits = distance(word, candidate, least)
    // A single edit can turn any letter into any other, so one-letter words have no nearest word.
    if (edits < least && edits < Math.max(word.length, candidate.length)) {
      best = candidate
      least = edits
    }
  }
  return least > 1 ? (begun[0] ?? best) : best
}

/**
 * The edits (insert, remove, replace, swap neighbours) between two words; `limit` when there are at least that many.
 */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  let leastBefore = 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let leastOfRow = i
    for (let j = 1; j <= b.length; j++) {
      const replace = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(replace, previous[j]! + 1, row[j - 1]! + 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
      leastOfRow = Math.min(leastOfRow, row[j]!)
    }
    // Each row depends only on the two before it, and most words differ in their first letters, so this returns early.
    if (leastOfRow >= limit && leastBefore >= limit) return limit
    leastBefore = leastOfRow
    before = previous
    previous = row
  }
  return Math.min(previous[b.length]!, limit)
}
