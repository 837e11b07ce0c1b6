// Finds hidden characters in values of prompts (ADL 18.3).
import { replaceHidden } from '../text/hidden.ts'

/** White space, which stays, and lone surrogates, for which the value is refused elsewhere. */
const STAYS = /[\t\n\r\ud800-\udfff]/u

/** The value without invisible characters, which could hide whole sentences. Tabs and line ends stay. */
export function removeHidden(text: string): string {
  return replaceHidden(text, (character) => (STAYS.test(character) ? character : ''))
}

export const hides = (text: string): boolean => removeHidden(text) !== text

export const braces = ['{', '}'] as const

/** How often a character occurs twice in a row. Three in a row count as two. */
export function countPairs(text: string, character: string): number {
  let count = 0
  const pair = character + character
  for (let at = text.indexOf(pair); at >= 0; at = text.indexOf(pair, at + 1)) count++
  return count
}
