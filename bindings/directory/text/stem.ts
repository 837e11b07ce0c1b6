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
  if (word.startsWith('y')) return `y${stripped(`Y${word.slice(1)}`).slice(1)}`
  return stripped(word)
}

const stripped = (word: string) =>
  step5(step4(replaced(replaced(step1c(step1b(step1a(word))), ENDS_2, STEP_2), ENDS_3, STEP_3)))

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
function replaced(word: string, ends: RegExp, table: Readonly<Record<string, string>>): string {
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
