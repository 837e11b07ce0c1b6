// What values of prompts may hide (ADL 18.3).

/**
 * Control characters but for tab and line ends, marks that turn the direction of writing, and the tag characters of
 * U+E0000, in which whole sentences can be written that no screen shows. Flags of regions such as Scotland's use those.
 */
const HIDDEN = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu')

export const hides = (text: string): boolean => HIDDEN.test(text)
export const removeHidden = (text: string): string => text.replace(ALL_HIDDEN, '')

export const braces = ['{', '}'] as const

/** How many times a character stands twice in a row; three in a row count as two. */
export function countPairs(text: string, character: string): number {
  let count = 0
  const pair = character + character
  for (let at = text.indexOf(pair); at >= 0; at = text.indexOf(pair, at + 1)) count++
  return count
}
