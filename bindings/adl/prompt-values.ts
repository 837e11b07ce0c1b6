// Finds hidden characters in values of prompts (ADL 18.3).
import { replaceHidden } from '../text/hidden.ts'

/** White space; and halves of pairs, which make a value no text: that is refused for its own reason. */
const STAYS = /[\t\n\r\ud800-\udfff]/u

/** The value without characters that are not seen, in which whole sentences can be written; tab and line ends stay. */
export function removeHidden(text: string): string {
  return replaceHidden(text, (character) => (STAYS.test(character) ? character : ''))
}

export const hides = (text: string): boolean => removeHidden(text) !== text

export const braces = ['{', '}'] as const

/** The number of times that a character stands twice in a row; three in a row count as two. */
export function countPairs(text: string, character: string): number {
  let count = 0
  const pair = character + character
  for (let at = text.indexOf(pair); at >= 0; at = text.indexOf(pair, at + 1)) count++
  return count
}
