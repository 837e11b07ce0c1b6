import { cut } from '../../text/words.ts'
import { fold } from './fold.ts'
import { stem } from './stem.ts'
import { STOP_WORDS } from './stop-words.ts'

/** Longer words are cut: they do not occur in real text, and the index takes 255 bytes. */
const LONGEST_WORD = 64

const ASCII_WORDS = /[a-z0-9]+/g
const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts that are written without spaces between words, and Hangul, whose particles attach to words. */
const DENSE_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const DENSE = `ー${DENSE_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}`
const PARTS = new RegExp(`[${DENSE}]+|[^${DENSE}]+`, 'gu')
const IS_DENSE = new RegExp(`^[${DENSE}]`, 'u')
const LATIN = /^[a-z]+$/
/** German and Spanish plurals. No English word ends like these, so the language of a word need not be known. */
const PLURAL = /(?<=ung|heit|keit|schaft|ion)en$|(?<=ion|dad)es$/
const BEYOND_ASCII = /[^\0-\x7f]/

/** Names that lose their distinctive characters when only letters are kept. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])c\+\+/gu, ' cpp '],
  [/(?<![\p{L}\p{N}])([cf])#/gu, ' $1sharp '],
  [/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/gu, ' dotnet '],
]

/**
 * Returns the words of a text, in order, as the index compares them: folded, without stop words, without English and
 * some other endings. Scripts without spaces give pairs of neighbouring characters. Used for indexed text and queries
 * alike.
 *
 * @example
 * wordsOf('Übersetzt Verträge, 翻訳も') // ['ubersetzt', 'vertrag', '翻訳', '訳も']
 *
 * @param written receives the first full spelling of each word, with its ending, for display.
 */
export function wordsOf(text: string, written?: Map<string, string>): string[] {
  let folded = fold(text)
  if (/[+#.]/.test(folded)) for (const [name, word] of NAMES) folded = folded.replace(name, word)
  const words: string[] = []
  if (!BEYOND_ASCII.test(folded)) {
    for (const word of folded.match(ASCII_WORDS) ?? []) addWord(words, word, written)
    return words
  }
  for (const run of folded.match(WORDS) ?? []) {
    for (const part of run.match(PARTS) ?? []) {
      if (IS_DENSE.test(part)) addPairs(words, part)
      else addWord(words, part, written)
    }
  }
  return words
}

/** True for a word from a script without spaces. */
export const isDense = (word: string): boolean => IS_DENSE.test(word)

function addWord(words: string[], word: string, written: Map<string, string> | undefined): void {
  let kept = forms.get(word)
  if (kept === undefined) {
    kept = formOf(word)
    if (forms.size === MOST_FORMS) forms.clear()
    // Longer words do not occur in real text, and caching them would take as much memory as the text.
    if (word.length <= LONGEST_WORD) forms.set(word, kept)
  }
  if (kept === '') return
  words.push(kept)
  if (written !== undefined && !written.has(kept)) written.set(kept, cut(word, LONGEST_WORD))
}

/** A cache of the indexed forms of recent words, which make up most of a text. Empty for a stop word. */
const forms = new Map<string, string>()
const MOST_FORMS = 20_000

function formOf(word: string): string {
  if (STOP_WORDS.has(word)) return ''
  const short = cut(word, LONGEST_WORD)
  return LATIN.test(short) ? stem(short.replace(PLURAL, '')) : short
}

/** Adds pairs of neighbouring characters. A single character is a word. */
function addPairs(words: string[], part: string): void {
  const characters = [...part]
  if (characters.length === 1) words.push(part)
  for (let i = 1; i < characters.length; i++) words.push(characters[i - 1]! + characters[i]!)
}
