/** Longer pointers and names are shortened in the middle: documents may be nested a million deep. */
const LONGEST = 200

export function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}…${text.slice(-LONGEST / 2)}`
}

export { counted } from '../../bindings/text/words.ts'

/** The parts that are present, in one line. */
export const phrase = (parts: readonly (string | false)[]) => parts.filter((part) => part !== false).join(', ')

/** Quotes a word of a shown command for the shell, if needed. */
export const word = (text: string) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
