import { cut } from '../../text/words.ts'
import { searchSorted } from '../memory-store.ts'
import type { NearWord } from '../types.ts'

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
const isDense = (word: string): boolean => IS_DENSE.test(word)

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

const ASCII = /^[\0-\x7f]*$/
/**
 * Accents that compatibility decomposition separates from Latin, Greek and Cyrillic letters. Marks of other scripts are
 * part of the spelling.
 */
const ACCENTS = /[\u0300-\u036f]+/g

/** Letters that no decomposition reduces to plain ones. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['ς', 'σ'],
])
const SPECIAL = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g')

/** Removes differences between spellings of one word: case, accents, full and half width, ligatures. */
export function fold(text: string): string {
  const small = text.toLowerCase()
  if (ASCII.test(small)) return small
  // Decomposition can produce capital letters: ℝ becomes R.
  const plain = small.normalize('NFKD').replace(ACCENTS, '').toLowerCase()
  return plain.replace(SPECIAL, (letter) => PLAIN.get(letter)!).normalize('NFC')
}

// A consonant is a letter other than a, e, i, o and u. y is a consonant only if no consonant precedes it.
const CONSONANT = '[^aeiou]'
const VOWEL = '[aeiouy]'
const CONSONANTS = `${CONSONANT}[^aeiouy]*`
const VOWELS = `${VOWEL}[aeiou]*`

/** The measure m of a stem: how often vowels followed by consonants occur in it. */
const ONCE_OR_MORE = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`)
const ONCE = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`)
const TWICE_OR_MORE = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`)
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`)
/** *o: ends with consonant, vowel, consonant, and the last one is not w, x or y. */
const SHORT_END = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`)
const DOUBLE_END = /([^aeiouylsz])\1$/

const STEP_2: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  abli: 'able',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
}
const STEP_3: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
}
/** The longest ending wins, so it comes first. */
const endings = (table: Readonly<Record<string, string>>) => new RegExp(`^(.+?)(${Object.keys(table).join('|')})$`)
const ENDS_2 = endings(STEP_2)
const ENDS_3 = endings(STEP_3)
const ENDS_4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/
const ENDS_4_ION = /^(.+?[st])ion$/

/**
 * The stem of an English word in lower-case ASCII: `translation`, `translates` and `translator` share one. Words of
 * other languages lose endings that look English, in cards and queries alike.
 */
export function stem(word: string): string {
  if (word.length < 3) return word
  // An initial y is a consonant. The capital letter keeps it from matching as a vowel.
  if (word.startsWith('y')) return `y${stripEndings(`Y${word.slice(1)}`).slice(1)}`
  return stripEndings(word)
}

const stripEndings = (word: string) =>
  step5(step4(replaceEnding(replaceEnding(step1c(step1b(step1a(word))), ENDS_2, STEP_2), ENDS_3, STEP_3)))

/** Plurals. */
function step1a(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** `-ed` and `-ing`. */
function step1b(word: string): string {
  if (word.endsWith('eed')) return ONCE_OR_MORE.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const [, rest] = /^(.+)(?:ed|ing)$/.exec(word) ?? []
  if (rest === undefined || !HAS_VOWEL.test(rest)) return word
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`
  if (DOUBLE_END.test(rest)) return rest.slice(0, -1)
  return SHORT_END.test(rest) ? `${rest}e` : rest
}

function step1c(word: string): string {
  return word.endsWith('y') && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

/** Steps 2 and 3: replace one ending with another. */
function replaceEnding(word: string, ends: RegExp, table: Readonly<Record<string, string>>): string {
  const [, rest, ending] = ends.exec(word) ?? []
  return rest !== undefined && ONCE_OR_MORE.test(rest) ? rest + table[ending!] : word
}

function step4(word: string): string {
  const [, rest] = ENDS_4.exec(word) ?? ENDS_4_ION.exec(word) ?? []
  return rest !== undefined && TWICE_OR_MORE.test(rest) ? rest : word
}

/** Removes a final e, and one l of a final ll. */
function step5(word: string): string {
  let tidy = word
  if (tidy.endsWith('e')) {
    const rest = tidy.slice(0, -1)
    if (TWICE_OR_MORE.test(rest) || (ONCE.test(rest) && !SHORT_END.test(rest))) tidy = rest
  }
  return tidy.endsWith('ll') && TWICE_OR_MORE.test(tidy) ? tidy.slice(0, -1) : tidy
}

/**
 * English words that occur in most descriptions and queries and do not distinguish agents, and the letters that
 * apostrophes split off. The list is short on purpose: common words have little weight anyway. The list keeps these
 * from being searched at all.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being but by can could d did do does ' +
    'during each for from had has have having he her here his how i if in into is it its just ll m may me might more ' +
    'most must my no nor not of off on once only or other our over own re s same shall she should so some such t than that ' +
    'the their them then there these they this those through to too under until up us ve very was we were what when ' +
    'where which while who whom whose why will with would you your'
  ).split(' '),
)

/** How many similar words of a word shards exchange. */
export const MOST_NEAR = 16
/** A word needs this many letters to be completed. One character is enough in scripts without spaces. */
const LEAST_PREFIX = 3
const MOST_WRONG = 2
/** `translatoin` is the known word `translat` with an unknown ending. */
const LONGEST_ENDING = 5
const LEAST_BEGINNING = 4

export type Near = Omit<NearWord, 'frequency'>

/** How many letters may be wrong in a word. None in short words, because most other short words are similar. */
function mostWrong(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : MOST_WRONG
}

/** The ways in which words can be similar. The first way that finds a word in use decides. */
const WAYS = [completions, misspelt, beginnings]

/**
 * Finds the words of a sorted list that a word may stand for. First come longer words that begin with it. If there are
 * none, words with the same first letter and one or two letters wrong, missing, extra or swapped. If there are none
 * either, words that it begins with, because the index stores stems. The order does not depend on the other words, so
 * the best of several lists are the best of one.
 *
 * @param had returns the candidates that are in use. Words of deleted cards must not decide the way.
 */
export function nearWords<Had extends Near>(
  sorted: readonly string[],
  word: string,
  had: (near: readonly Near[]) => readonly Had[],
): readonly Had[] {
  for (const way of WAYS) {
    const found = had(way(sorted, word).sort((a, b) => byNearness(word, a, b)))
    if (found.length > 0) return found
  }
  return []
}

/** Orders similar words: fewer wrong letters first, then similar length, then UTF-16 units. */
export function byNearness(word: string, a: Near, b: Near): number {
  const longer = ({ word: other }: Near) => Math.abs(other.length - word.length)
  return a.distance - b.distance || longer(a) - longer(b) || (a.word < b.word ? -1 : 1)
}

function completions(sorted: readonly string[], word: string): Near[] {
  const found: Near[] = []
  if (word.length < LEAST_PREFIX && !isDense(word)) return found
  for (let i = firstAt(sorted, word); i < sorted.length && sorted[i]!.startsWith(word); i++) {
    if (sorted[i] !== word) found.push({ word: sorted[i]!, distance: 0 })
  }
  return found
}

/**
 * Searches the words with the same first letter like a tree: a common beginning is compared once, and if it differs too
 * much, all words with it are skipped.
 */
function misspelt(sorted: readonly string[], word: string): Near[] {
  const most = mostWrong(word)
  const found: Near[] = []
  if (most === 0 || isDense(word)) return found
  const initial = word[0]!
  const width = word.length + 1
  const rows = [Uint8Array.from({ length: width }, (_, i) => i)]
  let last = ''
  for (let i = firstAt(sorted, initial); i < sorted.length; ) {
    const other = sorted[i]!
    if (!other.startsWith(initial)) break
    let depth = commonLength(last, other)
    // The rows of the common beginning are filled: otherwise this word would have been skipped.
    let alive = true
    while (alive && depth < other.length) {
      depth++
      rows[depth] ??= new Uint8Array(width)
      alive = fillRow(rows, depth, word, other) <= most
    }
    last = other.slice(0, depth)
    if (!alive) {
      i = firstBehind(sorted, last, i)
      continue
    }
    const distance = rows[depth]![width - 1]!
    if (distance > 0 && distance <= most) found.push({ word: other, distance })
    i++
  }
  return found
}

function beginnings(sorted: readonly string[], word: string): Near[] {
  const found: Near[] = []
  if (isDense(word)) return found
  for (let left = 1; left <= LONGEST_ENDING && word.length - left >= LEAST_BEGINNING; left++) {
    const beginning = word.slice(0, -left)
    if (sorted[firstAt(sorted, beginning)] === beginning) found.push({ word: beginning, distance: MOST_WRONG + left })
  }
  return found
}

/**
 * Fills a row of the optimal string alignment: the cost of turning each beginning of `word` into the first `depth`
 * letters of `other`.
 */
function fillRow(rows: readonly Uint8Array[], depth: number, word: string, other: string): number {
  const row = rows[depth]!
  const above = rows[depth - 1]!
  const letter = other[depth - 1]!
  row[0] = Math.min(depth, 255)
  let least = row[0]!
  for (let i = 1; i <= word.length; i++) {
    let cost = Math.min(above[i]! + 1, row[i - 1]! + 1, above[i - 1]! + Number(word[i - 1] !== letter))
    if (depth > 1 && i > 1 && letter === word[i - 2] && other[depth - 2] === word[i - 1]) {
      cost = Math.min(cost, rows[depth - 2]![i - 2]! + 1)
    }
    row[i] = cost
    if (cost < least) least = cost
  }
  return least
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** The index of the first word that does not sort before this one. */
function firstAt(sorted: readonly string[], word: string): number {
  return searchSorted(sorted, (other) => other < word)
}

/** The index of the first word after `from` without this beginning. */
function firstBehind(sorted: readonly string[], beginning: string, from: number): number {
  return searchSorted(sorted, (other) => other < beginning || other.startsWith(beginning), from)
}
