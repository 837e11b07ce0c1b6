const ASCII = /^[\0-\x7f]*$/
/** The accents that compatibility decomposition takes off Latin, Greek and Cyrillic letters; marks of other scripts are spelling. */
const ACCENTS = /[\u0300-\u036f]+/g

/** Letters that no decomposition makes plain. */
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

/** A text without what spellings of one word differ by: case, accents, full and half width, ligatures. */
export function fold(text: string): string {
  const small = text.toLowerCase()
  if (ASCII.test(small)) return small
  // Decomposing may bring capital letters back: ℝ is an R.
  const plain = small.normalize('NFKD').replace(ACCENTS, '').toLowerCase()
  return plain.replace(SPECIAL, (letter) => PLAIN.get(letter)!).normalize('NFC')
}
